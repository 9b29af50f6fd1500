//! Round statistics of the six-file layout: rows that name event and fighters, tied to bouts by stated rules.

use std::collections::{BTreeSet, HashMap, HashSet};

use fdna_model::{BoutId, FindingKind, RoundCounts};
use fdna_rows::PackedRow;
use fdna_schemas::tables::StatsdbRoundStatsReader;

use super::bout_rows::RefusedBout;
use super::bouts::{ResolvedBout, ResolvedBouts};
use super::capture_facts::{FactPosition, FindingLog, StatsdbFacts};
use super::gates::{self, StatLine, StatSides};
use super::names::NameResolver;
use crate::counts::round_counts;
use crate::error::NormaliseError;

/// A row as it came, with the name that it gives the fighter.
struct NamedLine<'a> {
    line: StatLine<'a>,
    fighter: &'a str,
}

/// The rows that one event has of one pair of names: those of one bout, or of several.
struct RoundGroup<'a> {
    event: &'a str,
    names: [&'a str; 2],
    lines: Vec<NamedLine<'a>>,
}

/// Rule that tied a group to its bout; stands in `round_stats.resolved_by`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RoundRule {
    /// The event has one bout of these two.
    Name,
    /// The event has several bouts of these two: the n-th rows are the n-th listed bout's.
    PairOrder,
    /// One name is of a bout without statistics whose other fighter no rows of the event name, and no
    /// other bout or rows fit: the other fighter was renamed.
    Opponent,
    /// As by name, with a former name that another bout's rows gave away by [`RoundRule::Opponent`].
    FormerName,
}

impl RoundRule {
    fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::PairOrder => "pair_order",
            Self::Opponent => "opponent",
            Self::FormerName => "former_name",
        }
    }
}

/// A group and the bouts that it speaks of, each name tied to a listed place of the bout.
struct TiedRounds<'a, 'b> {
    group: &'a RoundGroup<'a>,
    bouts: Vec<&'b ResolvedBout>,
    /// Listed place in the bout of the group's first name.
    place_of_first: usize,
    rule: RoundRule,
}

/// Rows of `round_stats`.
pub(super) struct RoundStats {
    pub(super) rows: Vec<PackedRow>,
    /// Events with rows that a former name tied: they may have given away a name that others rest on.
    pub(super) renamed: BTreeSet<String>,
}

pub(super) fn resolve_rounds(
    facts: &StatsdbFacts<'_>,
    bouts: &ResolvedBouts,
    names: &NameResolver,
    log: &mut FindingLog,
) -> Result<RoundStats, NormaliseError> {
    let counts = round_counts(&facts.read_table::<StatsdbRoundStatsReader<'_>>()?.by_name())?;
    let groups = group_rounds(facts, &counts)?;
    let (mut rows, mut renamed) = (Vec::with_capacity(counts.len()), BTreeSet::new());
    for tied in tie_groups(&groups, &bouts.bouts, names, log) {
        if matches!(tied.rule, RoundRule::Opponent | RoundRule::FormerName) {
            renamed.insert(tied.group.event.to_owned());
        }
        let shares = share_out(&tied, log);
        // Fewer sets of rows than bouts of the pair: whose they are is not known.
        if shares.len() > 1 && shares.iter().any(|(_, lines)| lines.is_empty()) {
            let reason =
                format!("the event has {} bouts of these two, and not as many sets of rows", shares.len());
            let lines = shares.iter().flat_map(|(_, lines)| lines);
            lines.for_each(|named| {
                log.set_aside(named.line.at, FindingKind::UnknownBout, None, reason.as_str())
            });
            continue;
        }
        for (bout, lines) in shares {
            rows.extend(checked_rows(&tied, bout, &lines, log));
        }
    }
    Ok(RoundStats { rows, renamed })
}

fn group_rounds<'a>(
    facts: &StatsdbFacts<'a>,
    counts: &'a [RoundCounts],
) -> Result<Vec<RoundGroup<'a>>, NormaliseError> {
    let reader: StatsdbRoundStatsReader<'_> = facts.read_table()?;
    let (files, lines) = (reader.file()?, reader.line()?);
    let (events, fighters) = (reader.event()?, reader.fighter_name()?);
    let (first, second) = (reader.first_name()?, reader.second_name()?);
    let rounds = reader.round()?;
    let mut groups: Vec<RoundGroup<'_>> = Vec::new();
    let mut places: HashMap<(&str, &str, &str), usize> = HashMap::new();
    for i in 0..reader.len() {
        let (low, high) = (first[i].min(second[i]), first[i].max(second[i]));
        let place = *places.entry((events[i], low, high)).or_insert_with(|| {
            groups.push(RoundGroup { event: events[i], names: [first[i], second[i]], lines: Vec::new() });
            groups.len() - 1
        });
        let line = StatLine {
            at: FactPosition { file: files[i], line: lines[i] },
            round: rounds[i],
            counts: &counts[i],
        };
        groups[place].lines.push(NamedLine { line, fighter: fighters[i] });
    }
    Ok(groups)
}

/// Ties groups to bouts, the plain ones first; what no rule ties is set aside.
fn tie_groups<'a, 'b>(
    groups: &'a [RoundGroup<'a>],
    bouts: &'b [ResolvedBout],
    names: &NameResolver,
    log: &mut FindingLog,
) -> Vec<TiedRounds<'a, 'b>> {
    let mut by_event: HashMap<&str, Vec<&ResolvedBout>> = HashMap::new();
    bouts.iter().for_each(|b| by_event.entry(&b.event).or_default().push(b));
    let mut known = KnownBouts { names, former: HashMap::new() };
    let (mut tied, mut left) = (Vec::new(), Vec::new());
    for group in groups {
        match by_name(group, by_event.get(group.event).map_or(&[], Vec::as_slice), &known, RoundRule::Name) {
            Some(t) => tied.push(t),
            None => left.push(group),
        }
    }
    let mut taken: HashSet<BoutId> = tied.iter().flat_map(|t| &t.bouts).map(|b| b.fought.id).collect();
    // A former name that one bout gives away can tie the rows of another, so on until nothing more is tied.
    loop {
        let before = left.len();
        let free = |event: &str| -> Vec<&ResolvedBout> {
            let all = by_event.get(event).map_or(&[][..], Vec::as_slice);
            all.iter().copied().filter(|bout| !taken.contains(&bout.fought.id)).collect()
        };
        let found: Vec<TiedRounds<'_, '_>> = left
            .iter()
            .filter_map(|group| {
                let free = free(group.event);
                by_name(group, &free, &known, RoundRule::FormerName)
                    .or_else(|| by_opponent(group, &free, &left, &known))
            })
            .collect();
        taken.extend(found.iter().flat_map(|t| &t.bouts).map(|b| b.fought.id));
        known.learn_tied(&found);
        left.retain(|group| !found.iter().any(|t| std::ptr::eq(t.group, *group)));
        tied.extend(found);
        if left.len() == before {
            break;
        }
    }
    left.iter()
        .for_each(|group| set_aside(&group.lines, log, FindingKind::UnknownBout, None, &no_bout(group)));
    claimed_once(tied, log)
}

/// Without the groups that claim a bout which another group claims as well: which of them is right is not
/// known.
fn claimed_once<'a, 'b>(tied: Vec<TiedRounds<'a, 'b>>, log: &mut FindingLog) -> Vec<TiedRounds<'a, 'b>> {
    let mut claims: HashMap<BoutId, usize> = HashMap::new();
    tied.iter().flat_map(|t| &t.bouts).for_each(|bout| *claims.entry(bout.fought.id).or_default() += 1);
    let (once, more): (Vec<_>, Vec<_>) =
        tied.into_iter().partition(|t| t.bouts.iter().all(|bout| claims[&bout.fought.id] == 1));
    for t in &more {
        let key = Some(t.bouts[0].fought.source_id.as_str());
        let reason = "other rows of the event, under other names, are of the same bout";
        set_aside(&t.group.lines, log, FindingKind::Duplicate, key, reason);
    }
    once
}

/// Names of the capture, and former ones that its rows gave away.
struct KnownBouts<'n> {
    names: &'n NameResolver,
    /// Source ids by former name.
    former: HashMap<String, HashSet<String>>,
}

impl KnownBouts<'_> {
    fn learn_tied(&mut self, tied: &[TiedRounds<'_, '_>]) {
        for t in tied.iter().filter(|t| t.rule == RoundRule::Opponent) {
            for (name, place) in t.group.names.iter().zip([t.place_of_first, 1 - t.place_of_first]) {
                let id = t.bouts[0].source_ids[place].clone();
                self.former.entry((*name).to_owned()).or_default().insert(id);
            }
        }
    }

    fn is_name_of(&self, name: &str, id: &str) -> bool {
        let is_former = || self.former.get(name).is_some_and(|ids| ids.len() == 1 && ids.contains(id));
        self.names.is_name_of(name, id) || is_former()
    }
}

fn no_bout(group: &RoundGroup<'_>) -> String {
    let [first, second] = group.names;
    format!("no bout of `{first}` and `{second}` at `{}` that these rows could only be of", group.event)
}

fn set_aside(
    lines: &[NamedLine<'_>],
    log: &mut FindingLog,
    kind: FindingKind,
    key: Option<&str>,
    reason: &str,
) {
    lines.iter().for_each(|named| log.set_aside(named.line.at, kind, key, reason));
}

/// Listed place of the bout's fighter whom the capture calls `name`: as this bout writes it, or otherwise.
fn place_of(bout: &ResolvedBout, name: &str, names: &KnownBouts<'_>) -> Option<usize> {
    let exact = bout.names.iter().position(|n| n == name);
    exact.or_else(|| {
        let is = [0, 1].map(|place| names.is_name_of(name, &bout.source_ids[place]));
        match is {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        }
    })
}

fn by_name<'a, 'b>(
    group: &'a RoundGroup<'a>,
    bouts: &[&'b ResolvedBout],
    names: &KnownBouts<'_>,
    single: RoundRule,
) -> Option<TiedRounds<'a, 'b>> {
    let place_of_first = |bout: &ResolvedBout| {
        let first = place_of(bout, group.names[0], names)?;
        let second = place_of(bout, group.names[1], names)?;
        (first != second).then_some(first)
    };
    let fitting: Vec<(&ResolvedBout, usize)> =
        bouts.iter().filter_map(|bout| Some((*bout, place_of_first(bout)?))).collect();
    let place_of_first = fitting.first()?.1;
    let rule = if fitting.len() == 1 { single } else { RoundRule::PairOrder };
    // The listed order of the two may differ between bouts of one pair: then their rows cannot be shared out.
    fitting.iter().all(|(_, place)| *place == place_of_first).then(|| TiedRounds {
        group,
        bouts: fitting.iter().map(|(bout, _)| *bout).collect(),
        place_of_first,
        rule,
    })
}

/// A rename: same event, same opponent, one pair left over on either side.
fn by_opponent<'a, 'b>(
    group: &'a RoundGroup<'a>,
    free: &[&'b ResolvedBout],
    left: &[&RoundGroup<'_>],
    names: &KnownBouts<'_>,
) -> Option<TiedRounds<'a, 'b>> {
    let shares = |group: &RoundGroup<'_>, bout: &ResolvedBout| {
        let places = group.names.map(|name| place_of(bout, name, names));
        places.iter().flatten().count() == 1
    };
    let fitting: Vec<&ResolvedBout> = free.iter().copied().filter(|bout| shares(group, bout)).collect();
    let [bout] = fitting[..] else { return None };
    let rivals = left.iter().filter(|other| other.event == group.event && shares(other, bout)).count();
    let place_of_first = match group.names.map(|name| place_of(bout, name, names)) {
        [Some(first), None] => first,
        [None, Some(second)] => 1 - second,
        _ => return None,
    };
    (rivals == 1).then(|| TiedRounds { group, bouts: vec![bout], place_of_first, rule: RoundRule::Opponent })
}

/// Lines of each bout of a group: the n-th row of a fighter and round is the n-th bout's.
fn share_out<'a, 'b>(
    tied: &TiedRounds<'a, 'b>,
    log: &mut FindingLog,
) -> Vec<(&'b ResolvedBout, Vec<&'a NamedLine<'a>>)> {
    let mut shares: Vec<(&ResolvedBout, Vec<&NamedLine<'_>>)> =
        tied.bouts.iter().map(|b| (*b, Vec::new())).collect();
    let mut seen: HashMap<(&str, i32), Vec<&NamedLine<'_>>> = HashMap::new();
    for named in &tied.group.lines {
        let line = &named.line;
        let before = seen.entry((named.fighter, line.round)).or_default();
        match shares.get_mut(before.len()) {
            Some((_, lines)) => {
                lines.push(named);
                before.push(named);
            }
            None if before.iter().any(|b| b.line.counts == line.counts) => {
                log.set_aside_as_note(
                    line.at,
                    FindingKind::Duplicate,
                    "the same fighter, round and counts once more",
                );
            }
            None => {
                let reason = "the same fighter and round once more, with other counts";
                log.set_aside(line.at, FindingKind::Duplicate, None, reason);
            }
        }
    }
    shares
}

/// The rows of one bout if they pass every gate; else all of them are set aside with the reason.
fn checked_rows(
    tied: &TiedRounds<'_, '_>,
    bout: &ResolvedBout,
    lines: &[&NamedLine<'_>],
    log: &mut FindingLog,
) -> Vec<PackedRow> {
    let verdict = pair_sides(tied, bout, lines)
        .and_then(|sides| gates::gated_rows(&bout.fought, &sides, tied.rule.name()));
    verdict.unwrap_or_else(|(kind, reason)| {
        for named in lines {
            log.set_aside(named.line.at, kind, Some(&bout.fought.source_id), reason.as_str());
        }
        Vec::new()
    })
}

fn pair_sides<'a>(
    tied: &TiedRounds<'_, '_>,
    bout: &ResolvedBout,
    lines: &[&'a NamedLine<'a>],
) -> Result<StatSides<'a>, RefusedBout> {
    lines
        .iter()
        .map(|named| {
            let line = &named.line;
            let place = match tied.group.names.iter().position(|n| *n == named.fighter) {
                Some(0) => tied.place_of_first,
                Some(_) => 1 - tied.place_of_first,
                None => {
                    let reason =
                        format!("line {} names `{}`, who is not in the bout", line.at.line, named.fighter);
                    return Err((FindingKind::UnknownFighter, reason));
                }
            };
            Ok(((line.round, bout.fought.fighters[place]), line))
        })
        .collect()
}
