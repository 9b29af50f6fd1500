//! One capture of the judging: its bouts with everything that is said of them.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_model::FindingKind;
use fdna_rows::{CaptureFacts, RowsError};
use fdna_schemas::tables::{
    JudgingBoutsReader, JudgingDeductionsReader, JudgingEventsReader, JudgingFightersReader,
    JudgingJudgesReader, JudgingScoresReader,
};

use crate::row_accounting::{AccountedRow, RowAccounting, RowPosition};

/// Scope of a row of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CardPoints {
    Round(i32),
    Total,
}

#[derive(Debug, PartialEq)]
pub(super) struct RoundScore<'a> {
    pub(super) of: CardPoints,
    pub(super) order: i32,
    pub(super) judge: Option<&'a str>,
    /// Of the first and the second fighter.
    pub(super) points: [Option<i32>; 2],
}

#[derive(Debug, PartialEq)]
pub(super) struct PointDeduction<'a> {
    /// 0 for the first fighter, 1 for the second.
    pub(super) side: usize,
    pub(super) round: i32,
    pub(super) points: i32,
    pub(super) reason: Option<&'a str>,
}

pub(super) struct JudgingBout<'a> {
    pub(super) at: RowPosition<'a>,
    pub(super) event: &'a str,
    pub(super) fighters: [&'a str; 2],
    pub(super) weights: [Option<f64>; 2],
    pub(super) scores: Vec<RoundScore<'a>>,
    pub(super) deductions: Vec<PointDeduction<'a>>,
}

impl JudgingBout<'_> {
    /// Whether both say the same of the bout, wherever they stand.
    pub(super) fn says_as(&self, other: &Self) -> bool {
        (self.fighters, self.weights) == (other.fighters, other.weights)
            && (&self.scores, &self.deductions) == (&other.scores, &other.deductions)
    }
}

pub(super) struct JudgingEvent<'a> {
    pub(super) name: &'a str,
    pub(super) day: NaiveDate,
}

pub(super) struct JudgingFighter<'a> {
    pub(super) name: &'a str,
    /// The first of those that are told.
    pub(super) nickname: Option<&'a str>,
    pub(super) born: Option<NaiveDate>,
}

/// One capture.
pub(super) struct JudgingCapture<'a> {
    pub(super) capture: &'a str,
    pub(super) events: BTreeMap<&'a str, JudgingEvent<'a>>,
    pub(super) fighters: BTreeMap<&'a str, JudgingFighter<'a>>,
    pub(super) bouts: BTreeMap<&'a str, JudgingBout<'a>>,
    entries: Vec<AccountedRow<'a>>,
    /// Rows of a bout that stand in the tables of the same place in `entries`.
    rows: BTreeMap<&'a str, Vec<(usize, RowPosition<'a>)>>,
}

/// Places in [`JudgingCapture::entries`].
const BOUTS: usize = 3;
const SCORES: usize = 4;
const DEDUCTIONS: usize = 5;

impl<'a> JudgingCapture<'a> {
    pub(super) fn read_facts(facts: &'a CaptureFacts) -> Result<Self, RowsError> {
        let mut capture = Self {
            capture: &facts.capture,
            events: BTreeMap::new(),
            fighters: BTreeMap::new(),
            bouts: BTreeMap::new(),
            entries: Vec::new(),
            rows: BTreeMap::new(),
        };
        capture.read_events(facts)?;
        capture.read_fighters(facts)?;
        let judges = capture.read_judges(facts)?;
        capture.read_bouts(facts)?;
        capture.read_scores(facts, &judges)?;
        capture.read_deductions(facts)?;
        Ok(capture)
    }

    fn read_events(&mut self, facts: &'a CaptureFacts) -> Result<(), RowsError> {
        let (entry, reader) = AccountedRow::open_table::<JudgingEventsReader<'_>>(facts)?;
        for row in reader.all_rows()? {
            self.events.insert(row.event_source_id, JudgingEvent { name: row.event, day: row.event_date });
        }
        self.entries.push(entry);
        Ok(())
    }

    fn read_fighters(&mut self, facts: &'a CaptureFacts) -> Result<(), RowsError> {
        let (entry, reader) = AccountedRow::open_table::<JudgingFightersReader<'_>>(facts)?;
        for row in reader.all_rows()? {
            let nickname = row.nicknames.and_then(|all| all.split(';').next()).map(str::trim);
            let fighter = JudgingFighter { name: row.name, nickname, born: row.date_of_birth };
            self.fighters.insert(row.fighter_source_id, fighter);
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Names by id.
    fn read_judges(&mut self, facts: &'a CaptureFacts) -> Result<BTreeMap<&'a str, &'a str>, RowsError> {
        let (entry, reader) = AccountedRow::open_table::<JudgingJudgesReader<'_>>(facts)?;
        let judges = reader.judge_source_id()?.into_iter().zip(reader.name()?).collect();
        self.entries.push(entry);
        Ok(judges)
    }

    fn read_bouts(&mut self, facts: &'a CaptureFacts) -> Result<(), RowsError> {
        let (mut entry, reader) = AccountedRow::open_table::<JudgingBoutsReader<'_>>(facts)?;
        for row in reader.all_rows()? {
            let at = RowPosition { file: row.file, line: row.line };
            let (id, event) = (row.bout_source_id, row.event_source_id);
            let fighters = [row.first_source_id, row.second_source_id];
            if !self.events.contains_key(event) {
                let reason = format!("no event has id {event}");
                entry.set_aside(at, FindingKind::UnknownEvent, reason);
            } else if let Some(nobody) = fighters.iter().find(|id| !self.fighters.contains_key(*id)) {
                entry.set_aside(at, FindingKind::UnknownFighter, format!("no fighter has id {nobody}"));
            } else {
                let weights = [row.first_weight_lbs, row.second_weight_lbs];
                let (scores, deductions) = (Vec::new(), Vec::new());
                self.bouts.insert(id, JudgingBout { at, event, fighters, weights, scores, deductions });
                self.rows.entry(id).or_default().push((BOUTS, at));
            }
        }
        self.entries.push(entry);
        Ok(())
    }

    fn read_scores(
        &mut self,
        facts: &'a CaptureFacts,
        judges: &BTreeMap<&str, &'a str>,
    ) -> Result<(), RowsError> {
        let (mut entry, reader) = AccountedRow::open_table::<JudgingScoresReader<'_>>(facts)?;
        for row in reader.all_rows()? {
            let (at, id) = (RowPosition { file: row.file, line: row.line }, row.bout_source_id);
            let Some(bout) = self.bouts.get_mut(id) else {
                entry.set_aside(at, FindingKind::UnknownBout, format!("no bout has id {id}"));
                continue;
            };
            let card_points = match (row.part, row.round) {
                ("round", Some(round)) => CardPoints::Round(round),
                ("total", _) => CardPoints::Total,
                _ => {
                    let reason = "an extra round, which no total counts".to_owned();
                    entry.set_aside(at, FindingKind::UnreadableScorecard, reason);
                    continue;
                }
            };
            let judge = row.judge_source_id.and_then(|id| judges.get(id)).copied();
            if let Some(nobody) = row.judge_source_id.filter(|_| judge.is_none()) {
                entry.add_note(at, FindingKind::MissingValue, format!("no judge has id {nobody}"));
            }
            bout.scores.push(RoundScore {
                of: card_points,
                order: row.judge_order,
                judge,
                points: [row.first_points, row.second_points],
            });
            self.rows.entry(id).or_default().push((SCORES, at));
        }
        self.entries.push(entry);
        Ok(())
    }

    fn read_deductions(&mut self, facts: &'a CaptureFacts) -> Result<(), RowsError> {
        let (mut entry, reader) = AccountedRow::open_table::<JudgingDeductionsReader<'_>>(facts)?;
        for row in reader.all_rows()? {
            let (at, id) = (RowPosition { file: row.file, line: row.line }, row.bout_source_id);
            let Some(bout) = self.bouts.get_mut(id) else {
                entry.set_aside(at, FindingKind::UnknownBout, format!("no bout has id {id}"));
                continue;
            };
            let fighter = row.fighter_source_id;
            let Some(side) = bout.fighters.iter().position(|id| *id == fighter) else {
                let reason = format!("fighter {fighter} is not in bout {id}");
                entry.set_aside(at, FindingKind::UnknownFighter, reason);
                continue;
            };
            bout.deductions.push(PointDeduction {
                side,
                round: row.round,
                points: row.points,
                reason: row.reason,
            });
            self.rows.entry(id).or_default().push((DEDUCTIONS, at));
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Counts the rows of bouts that are none of ours.
    pub(super) fn set_strangers_aside(&mut self, is_ours: impl Fn(&str) -> bool) {
        for (_, rows) in self.rows.iter().filter(|(bout, _)| !is_ours(bout)) {
            rows.iter().for_each(|(table, at)| self.entries[*table].count_unmatched(*at));
        }
    }

    pub(super) fn close_accounting(self, accounting: &mut RowAccounting) {
        self.entries.into_iter().for_each(|entry| entry.close_into(accounting));
    }
}
