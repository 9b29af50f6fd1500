//! A walk through the plays of a game: outs, bases, runs and the lines of its players. Nothing is repaired: a play that does
//! not fit what stands before it ends the walk, and the game is partial.

use std::mem::take;
use std::ops::Range;

use serde::Serialize;

use super::event::{Advance, EventKind, Landing, PlayEvent};
use super::game_records::{Appearance, GameRecord, GameRecords, PlayRecord};

/// What a walk found, beside what the file states.
#[derive(Debug, Default, Serialize)]
pub(super) struct WalkedGame {
    /// Why it is no whole game; `None` for one whose plays end as the rules let a game end.
    pub(super) partial_reason: Option<String>,
    /// The comment that says why a game ended early.
    pub(super) shortened: Option<String>,
    /// Runs, hits and errors of the visitors and of the home side.
    pub(super) runs: [u32; 2],
    pub(super) hits: [u32; 2],
    pub(super) errors: [u32; 2],
    pub(super) appearances: Vec<AppearanceRow>,
    pub(super) plays: Vec<PlayRow>,
    pub(super) halves: Vec<HalfRow>,
    pub(super) batting: Vec<BattingLine>,
    pub(super) pitching: Vec<PitchingLine>,
}

/// A start or a substitution.
#[derive(Debug, Serialize)]
pub(super) struct AppearanceRow {
    pub(super) is_start: bool,
    pub(super) side: usize,
    pub(super) player: String,
    pub(super) name: String,
    pub(super) slot: usize,
    pub(super) position: u8,
    /// Plays before it.
    pub(super) after_play: usize,
}

/// A play as stated, and what the walk makes of it; that is null behind the place at which a walk ended.
#[derive(Debug, Serialize)]
pub(super) struct PlayRow {
    pub(super) seq: usize,
    pub(super) line: usize,
    pub(super) inning: u8,
    pub(super) side: usize,
    pub(super) batter: String,
    pub(super) count: String,
    pub(super) pitches: String,
    pub(super) code: String,
    pub(super) comment: Option<String>,
    #[serde(flatten)]
    pub(super) walked: Option<WalkedPlay>,
}

#[derive(Debug, Serialize)]
pub(super) struct WalkedPlay {
    pub(super) event: EventKind,
    pub(super) pitcher: Option<String>,
    pub(super) ends_turn: bool,
    pub(super) outs_before: u8,
    pub(super) outs: u8,
    pub(super) runs: u8,
    pub(super) driven_in: u8,
    pub(super) errors: u8,
    pub(super) on_first: Option<String>,
    pub(super) on_second: Option<String>,
    pub(super) on_third: Option<String>,
    pub(super) movements: Vec<Movement>,
    /// After the play.
    pub(super) visitor_runs: u32,
    pub(super) home_runs: u32,
}

/// Where somebody went: 0 is the plate before his turn ends, 4 is home; no end for one who is out.
#[derive(Debug, Serialize)]
pub(super) struct Movement {
    pub(super) player: String,
    pub(super) from: u8,
    pub(super) to: Option<u8>,
}

/// Half an inning.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct HalfRow {
    pub(super) inning: u8,
    pub(super) side: usize,
    pub(super) outs: u8,
    pub(super) runs: u32,
    pub(super) hits: u32,
    /// Of the side in the field.
    pub(super) errors: u32,
    pub(super) left_on_base: u8,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct BattingLine {
    pub(super) side: usize,
    pub(super) player: String,
    /// Place in the order, and places in the field in the order in which he took them.
    pub(super) slot: usize,
    pub(super) positions: Vec<u8>,
    pub(super) is_starter: bool,
    pub(super) appearances: u32,
    pub(super) at_bats: u32,
    pub(super) runs: u32,
    pub(super) hits: u32,
    pub(super) doubles: u32,
    pub(super) triples: u32,
    pub(super) home_runs: u32,
    pub(super) driven_in: u32,
    pub(super) walks: u32,
    pub(super) intentional_walks: u32,
    pub(super) strikeouts: u32,
    pub(super) hit_by_pitch: u32,
    pub(super) sacrifice_bunts: u32,
    pub(super) sacrifice_flies: u32,
    pub(super) double_play_grounders: u32,
    pub(super) stolen_bases: u32,
    pub(super) caught_stealing: u32,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct PitchingLine {
    pub(super) side: usize,
    pub(super) player: String,
    /// 1 the starter, 2 the first reliever.
    pub(super) seq: usize,
    pub(super) batters: u32,
    pub(super) outs: u32,
    pub(super) hits: u32,
    pub(super) runs: u32,
    /// As the file states them.
    pub(super) earned_runs: Option<u32>,
    pub(super) home_runs: u32,
    pub(super) walks: u32,
    pub(super) intentional_walks: u32,
    pub(super) strikeouts: u32,
    pub(super) hit_by_pitch: u32,
    pub(super) wild_pitches: u32,
    pub(super) balks: u32,
}

/// Somebody on base, and the pitcher to whom his run would be charged.
#[derive(Debug, Clone)]
struct Runner {
    player: String,
    charged_to: String,
}

/// Who plays for a side.
#[derive(Default)]
struct Side {
    slots: [Option<String>; 10],
    pitcher: Option<String>,
}

/// The state between two plays.
#[derive(Default)]
struct Walk {
    game: WalkedGame,
    sides: [Side; 2],
    bases: [Option<Runner>; 3],
    /// False behind the play at which the walk ended.
    is_walking: bool,
    /// A batter who was replaced with two strikes: a strikeout is his.
    charged_batter: Option<String>,
    /// A pitcher who was replaced behind in the count: a walk is his.
    charged_pitcher: Option<String>,
}

/// The game's plays, walked from the first to the last.
pub(super) fn walk(game: &GameRecords) -> WalkedGame {
    let mut walk = Walk { is_walking: true, ..Walk::default() };
    for record in &game.records {
        match record {
            GameRecord::Start(appearance) => walk.appear(appearance, true),
            GameRecord::Sub(appearance) => walk.appear(appearance, false),
            GameRecord::Play(play) => walk.play(play),
            GameRecord::PlacedRunner { player, base } => walk.place(player, *base),
            GameRecord::Comment(text) => walk.comment(text),
        }
    }
    let mut walked = walk.game;
    for line in &mut walked.pitching {
        line.earned_runs = game.earned_runs.get(&line.player).copied();
    }
    if let Some(damage) = &game.damage {
        walked.partial_reason = Some(damage.clone());
    }
    if walked.partial_reason.is_none() {
        walked.shortened = walked.plays.iter().rev().find_map(|play| play.shortening()).map(str::to_owned);
        walked.partial_reason = ending_flaw(game, &walked);
        if walked.partial_reason.is_some() || ends_in_full(game, &walked) {
            walked.shortened = None;
        }
    }
    walked
}

impl PlayRow {
    /// What its comment says of a game that was called.
    fn shortening(&self) -> Option<&str> {
        let comment = self.comment.as_deref()?;
        comment.to_ascii_lowercase().contains("game called").then_some(comment)
    }
}

/// Innings that a game has if nothing ends it before; 9 unless the file says otherwise.
fn scheduled_innings(game: &GameRecords) -> u8 {
    game.info.get("innings").and_then(|innings| innings.parse().ok()).unwrap_or(9)
}

/// The side that bats first: the visitors, unless the file says otherwise.
pub(super) fn first_side(game: &GameRecords) -> usize {
    usize::from(game.info.get("htbf").is_some_and(|value| value == "true"))
}

/// Whether the last half-inning is one with which a full game may end.
fn ends_in_full(game: &GameRecords, walked: &WalkedGame) -> bool {
    let Some(last) = walked.halves.last() else { return false };
    let own_runs = walked.runs[last.side];
    let other_runs = walked.runs[1 - last.side];
    let is_late = last.inning >= scheduled_innings(game);
    let bats_last = last.side != first_side(game);
    is_late
        && match (bats_last, last.outs == 3) {
            (true, true) => own_runs < other_runs,
            (true, false) => own_runs > other_runs,
            (false, is_over) => is_over && own_runs < other_runs,
        }
}

/// Why a game whose plays were walked to the last is no whole one.
fn ending_flaw(game: &GameRecords, walked: &WalkedGame) -> Option<String> {
    let first = first_side(game);
    for (at, half) in walked.halves.iter().enumerate() {
        let (inning, side) = (at / 2 + 1, (first + at) % 2);
        if (usize::from(half.inning), half.side) != (inning, side) {
            return Some(format!("half-inning {} stands where inning {inning} of side {side} must", at + 1));
        }
        if half.outs != 3 && at + 1 < walked.halves.len() {
            return Some(format!("inning {} of side {} has {} outs", half.inning, half.side, half.outs));
        }
    }
    let Some(last) = walked.halves.last() else { return Some("it has no plays".to_owned()) };
    if ends_in_full(game, walked) || walked.shortened.is_some() {
        return None;
    }
    Some(format!("it ends in inning {} of side {} with {} outs", last.inning, last.side, last.outs))
}

impl Walk {
    /// Ends the walk.
    fn stop(&mut self, reason: String) {
        self.is_walking = false;
        self.game.partial_reason.get_or_insert(reason);
    }

    fn appear(&mut self, appearance: &Appearance, is_start: bool) {
        let Appearance { player, name, side, slot, position } = appearance;
        self.game.appearances.push(AppearanceRow {
            is_start,
            side: *side,
            player: player.clone(),
            name: name.clone(),
            slot: *slot,
            position: *position,
            after_play: self.game.plays.len(),
        });
        let replaced = self.sides[*side].slots[*slot].replace(player.clone());
        if let Some(replaced) = replaced.filter(|replaced| replaced != player) {
            let on_base = self.bases.iter_mut().flatten().find(|runner| runner.player == replaced);
            if let Some(runner) = on_base {
                runner.player.clone_from(player);
            }
            // The play before says at which count he left.
            let before = self.game.plays.last().filter(|play| play.code == "NP" && play.batter == replaced);
            if before.is_some_and(|play| play.side == *side && play.count.ends_with('2')) {
                self.charged_batter.get_or_insert(replaced);
            }
        }
        if *position == 1 {
            self.pitch(player, *side);
        }
        let line = self.batting(*side, player);
        line.slot = *slot;
        line.is_starter |= is_start;
        if line.positions.last() != Some(position) {
            line.positions.push(*position);
        }
    }

    /// A pitcher comes in.
    fn pitch(&mut self, player: &str, side: usize) {
        let replaced = self.sides[side].pitcher.replace(player.to_owned());
        if let Some(replaced) = replaced.filter(|replaced| replaced != player) {
            let before = self.game.plays.last().filter(|play| play.code == "NP" && play.side != side);
            if before.is_some_and(|play| matches!(&*play.count, "20" | "21" | "30" | "31" | "32")) {
                self.charged_pitcher.get_or_insert(replaced);
            }
        }
        let seq = self.game.pitching.iter().filter(|line| line.side == side).count() + 1;
        if !self.game.pitching.iter().any(|line| line.side == side && line.player == player) {
            let line = PitchingLine { side, player: player.to_owned(), seq, ..PitchingLine::default() };
            self.game.pitching.push(line);
        }
    }

    fn batting(&mut self, side: usize, player: &str) -> &mut BattingLine {
        let lines = &mut self.game.batting;
        let own = lines.iter().position(|line| line.side == side && line.player == player);
        let own = own.unwrap_or_else(|| {
            lines.push(BattingLine { side, player: player.to_owned(), ..BattingLine::default() });
            lines.len() - 1
        });
        &mut lines[own]
    }

    fn pitching(&mut self, side: usize, player: &str) -> Option<&mut PitchingLine> {
        self.game.pitching.iter_mut().find(|line| line.side == side && line.player == player)
    }

    fn comment(&mut self, text: &str) {
        if let Some(play) = self.game.plays.last_mut() {
            let text = text.trim_start_matches('$');
            match &mut play.comment {
                Some(comment) => comment.extend([" ", text]),
                None => play.comment = Some(text.to_owned()),
            }
        }
    }

    /// A runner is put on a base before the first play of a half-inning. His run is charged, as an unearned one, to whoever
    /// pitches then, which that play tells: a change of pitchers may stand between the two.
    fn place(&mut self, player: &str, base: u8) {
        let runner = Runner { player: player.to_owned(), charged_to: String::new() };
        if let Err(why) = self.stand(runner, base) {
            self.stop(why);
        }
    }

    fn play(&mut self, play: &PlayRecord) {
        let seq = self.game.plays.len() + 1;
        let walked = match self.is_walking.then(|| self.walk_play(play)) {
            Some(Ok(walked)) => Some(walked),
            Some(Err(why)) => {
                self.stop(format!("line {}, `{}`: {why}", play.line, play.code));
                None
            }
            None => None,
        };
        let PlayRecord { line, inning, side, batter, count, pitches, code } = play.clone();
        self.game.plays.push(PlayRow {
            seq,
            line,
            inning,
            side,
            batter,
            count,
            pitches,
            code,
            comment: None,
            walked,
        });
    }

    fn walk_play(&mut self, play: &PlayRecord) -> Result<WalkedPlay, String> {
        let event = PlayEvent::parse(&play.code)?;
        self.open_half(play)?;
        let fielding = 1 - play.side;
        let pitcher = self.sides[fielding].pitcher.clone();
        let outs_before = self.game.halves.last().map_or(0, |half| half.outs);
        let at_base = |base: usize| self.bases[base].as_ref().map(|runner| runner.player.clone());
        let [on_first, on_second, on_third] = [0, 1, 2].map(at_base);
        let mut walked = WalkedPlay {
            event: event.kind,
            pitcher: pitcher.clone(),
            ends_turn: event.kind.ends_turn(),
            outs_before,
            outs: 0,
            runs: 0,
            driven_in: 0,
            errors: event.errors,
            on_first,
            on_second,
            on_third,
            movements: Vec::new(),
            visitor_runs: 0,
            home_runs: 0,
        };
        if event.kind != EventKind::NoPlay {
            if outs_before == 3 {
                return Err("three were out before it".to_owned());
            }
            let pitcher = pitcher.ok_or("nobody pitches")?;
            if !self.sides[play.side].slots[1..].iter().flatten().any(|own| *own == play.batter) {
                return Err(format!("{} is not in the batting order", play.batter));
            }
            self.count_running(play.side, &event)?;
            self.advance(play, &event, &pitcher, &mut walked)?;
            if walked.ends_turn {
                self.count_turn(play, &event, &pitcher, &walked);
            }
            if let Some(line) = self.pitching(fielding, &pitcher) {
                line.outs += u32::from(walked.outs);
                line.wild_pitches += u32::from(event.is_wild_pitch);
                line.balks += u32::from(event.is_balk);
            }
            self.add_up(play.side, &event, &walked);
        }
        [walked.visitor_runs, walked.home_runs] = self.game.runs;
        Ok(walked)
    }

    /// Begins another half-inning where the play is of one.
    fn open_half(&mut self, play: &PlayRecord) -> Result<(), String> {
        match self.game.halves.last() {
            Some(half) if (half.inning, half.side) == (play.inning, play.side) => return Ok(()),
            Some(half) if half.outs != 3 => {
                return Err(format!("the half-inning before it has {} outs", half.outs));
            }
            _ => {}
        }
        (self.charged_batter, self.charged_pitcher) = (None, None);
        let half = HalfRow { inning: play.inning, side: play.side, ..HalfRow::default() };
        self.game.halves.push(half);
        Ok(())
    }

    /// Stolen bases, and who was caught.
    fn count_running(&mut self, side: usize, event: &PlayEvent) -> Result<(), String> {
        let tried = event.stolen_from.iter().map(|from| (from, true));
        for (from, is_stolen) in tried.chain(event.caught_from.iter().map(|from| (from, false))) {
            let runner = self.bases[from - 1].as_ref().ok_or_else(|| format!("nobody is on base {from}"))?;
            let player = runner.player.clone();
            let line = self.batting(side, &player);
            *(if is_stolen { &mut line.stolen_bases } else { &mut line.caught_stealing }) += 1;
        }
        Ok(())
    }

    /// Moves everybody, the lead runner first and the batter last.
    fn advance(
        &mut self,
        play: &PlayRecord,
        event: &PlayEvent,
        pitcher: &str,
        walked: &mut WalkedPlay,
    ) -> Result<(), String> {
        let is_loaded = self.bases.iter().all(Option::is_some);
        let walking = self.charged_pitcher.as_deref().filter(|_| event.kind.is_walk());
        let charged_to = walking.unwrap_or(pitcher).to_owned();
        let batter = event.kind.ends_turn().then(|| Runner { player: play.batter.clone(), charged_to });
        let forced = self.forced(event);
        for placed in self.bases.iter_mut().flatten().filter(|runner| runner.charged_to.is_empty()) {
            pitcher.clone_into(&mut placed.charged_to);
        }
        let [first, second, third] = take(&mut self.bases);
        let mut movers = Vec::new();
        for (from, runner) in [(3, third), (2, second), (1, first), (0, batter)] {
            let stated = event.advances[usize::from(from)];
            let advance = stated.or_else(|| forced.contains(&from).then(|| Advance::to(from + 1)));
            match runner {
                Some(runner) => movers.push(Mover { from, runner, advance }),
                None if stated.is_some() => return Err(format!("nobody is on base {from}")),
                None => {}
            }
        }
        if event.kind.is_choice() {
            pass_charges_on(&mut movers);
        }
        for Mover { from, runner, advance } in movers {
            let Some(advance) = advance else {
                self.stand(runner, from)?;
                continue;
            };
            let to = match advance.landing {
                Landing::Out => None,
                Landing::Base(to) => Some(to),
            };
            walked.movements.push(Movement { player: runner.player.clone(), from, to });
            match to {
                None => walked.outs += 1,
                Some(4) => {
                    walked.runs += 1;
                    let is_driven_in = advance
                        .is_driven_in
                        .unwrap_or_else(|| drives_in(event, from, walked.outs_before, is_loaded));
                    walked.driven_in += u8::from(is_driven_in);
                    self.batting(play.side, &runner.player).runs += 1;
                    if let Some(line) = self.pitching(1 - play.side, &runner.charged_to) {
                        line.runs += 1;
                    }
                }
                Some(to) => self.stand(runner, to)?,
            }
        }
        match walked.outs_before + walked.outs {
            0..=3 => Ok(()),
            outs => Err(format!("it makes {outs} outs")),
        }
    }

    /// Bases whose runners had to go one further because one before them was forced out, which codes do not say.
    fn forced(&self, event: &PlayEvent) -> Range<u8> {
        let is_out = |from: &u8| {
            let advance = event.advances[usize::from(*from)];
            advance.is_some_and(|advance| advance.landing == Landing::Out)
        };
        let out = (1..=3).rev().find(is_out).filter(|_| event.kind == EventKind::ForceOut);
        let out = out.filter(|out| self.bases[..usize::from(*out)].iter().all(Option::is_some));
        1..out.unwrap_or(1)
    }

    fn stand(&mut self, runner: Runner, base: u8) -> Result<(), String> {
        match self.bases[usize::from(base) - 1].replace(runner) {
            None => Ok(()),
            Some(_) => Err(format!("two runners stand on base {base}")),
        }
    }

    /// The lines of the batter and of his pitcher, at the end of his turn.
    fn count_turn(&mut self, play: &PlayRecord, event: &PlayEvent, pitcher: &str, walked: &WalkedPlay) {
        let kind = event.kind;
        let charged_batter = take(&mut self.charged_batter).filter(|_| kind == EventKind::Strikeout);
        let charged_pitcher = take(&mut self.charged_pitcher).filter(|_| kind.is_walk());
        let is_out = matches!(kind, EventKind::FieldOut | EventKind::ForceOut | EventKind::Error);
        let is_sacrifice = event.is_sacrifice_bunt || event.is_sacrifice_fly;
        let is_at_bat = !(kind.is_walk()
            || matches!(kind, EventKind::HitByPitch | EventKind::CatcherInterference)
            || is_sacrifice);
        let line = self.batting(play.side, charged_batter.as_deref().unwrap_or(&play.batter));
        line.appearances += 1;
        line.at_bats += u32::from(is_at_bat);
        line.hits += u32::from(kind.is_hit());
        line.doubles += u32::from(kind == EventKind::Double);
        line.triples += u32::from(kind == EventKind::Triple);
        line.home_runs += u32::from(kind == EventKind::HomeRun);
        line.driven_in += u32::from(walked.driven_in);
        line.walks += u32::from(kind.is_walk());
        line.intentional_walks += u32::from(kind == EventKind::IntentionalWalk);
        line.strikeouts += u32::from(kind == EventKind::Strikeout);
        line.hit_by_pitch += u32::from(kind == EventKind::HitByPitch);
        line.sacrifice_bunts += u32::from(event.is_sacrifice_bunt);
        line.sacrifice_flies += u32::from(event.is_sacrifice_fly);
        line.double_play_grounders += u32::from(event.is_double_play_grounder && is_out);
        if let Some(line) = self.pitching(1 - play.side, charged_pitcher.as_deref().unwrap_or(pitcher)) {
            line.batters += 1;
            line.hits += u32::from(kind.is_hit());
            line.home_runs += u32::from(kind == EventKind::HomeRun);
            line.walks += u32::from(kind.is_walk());
            line.intentional_walks += u32::from(kind == EventKind::IntentionalWalk);
            line.strikeouts += u32::from(kind == EventKind::Strikeout);
            line.hit_by_pitch += u32::from(kind == EventKind::HitByPitch);
        }
    }

    /// Totals of the half-inning and of the game.
    fn add_up(&mut self, side: usize, event: &PlayEvent, walked: &WalkedPlay) {
        let (runs, hits) = (u32::from(walked.runs), u32::from(event.kind.is_hit()));
        let errors = u32::from(event.errors);
        self.game.runs[side] += runs;
        self.game.hits[side] += hits;
        self.game.errors[1 - side] += errors;
        let Some(half) = self.game.halves.last_mut() else { return };
        half.outs += walked.outs;
        half.runs += runs;
        half.hits += hits;
        half.errors += errors;
        half.left_on_base = self.bases.iter().map(|base| u8::from(base.is_some())).sum();
        if half.outs == 3 {
            self.bases = Default::default();
        }
    }
}

/// Somebody who may move in a play.
struct Mover {
    from: u8,
    runner: Runner,
    advance: Option<Advance>,
}

/// A batter who stands on base because another is out stands there for him: whoever was charged with the runner who is out
/// is charged with the next, and so on to the batter.
fn pass_charges_on(movers: &mut [Mover]) {
    let charges: Vec<String> = movers.iter().map(|mover| mover.runner.charged_to.clone()).collect();
    let is_out = |mover: &Mover| mover.advance.is_some_and(|advance| advance.landing == Landing::Out);
    let safe = movers.iter_mut().filter(|mover| !is_out(mover));
    safe.zip(charges).for_each(|(mover, charge)| mover.runner.charged_to = charge);
}

/// Whether the batter drove a run in, where the code does not say so itself.
fn drives_in(event: &PlayEvent, from: u8, outs_before: u8, is_loaded: bool) -> bool {
    match event.kind {
        EventKind::Walk
        | EventKind::IntentionalWalk
        | EventKind::HitByPitch
        | EventKind::CatcherInterference => from == 3 && is_loaded,
        EventKind::FieldOut | EventKind::ForceOut => !event.is_double_play_grounder,
        EventKind::Error => from == 3 && outs_before < 2,
        EventKind::FieldersChoice => true,
        kind => kind.is_hit(),
    }
}
