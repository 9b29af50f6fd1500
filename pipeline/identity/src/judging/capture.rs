//! One capture of the judging: its bouts with everything that is said of them.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_model::FindingKind;
use fdna_rows::{CaptureFacts, RowsError};

use crate::row_accounting::{AccountedRow, RowAccounting, RowPosition};

/// What a row of the scores is of.
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
    pub(super) fn read(facts: &'a CaptureFacts) -> Result<Self, RowsError> {
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
        let (entry, reader) = AccountedRow::open(facts, "judging_events")?;
        let (names, days) = (reader.texts("event")?, reader.days("event_date")?);
        for (i, id) in reader.texts("event_source_id")?.into_iter().enumerate() {
            self.events.insert(id, JudgingEvent { name: names[i], day: days[i] });
        }
        self.entries.push(entry);
        Ok(())
    }

    fn read_fighters(&mut self, facts: &'a CaptureFacts) -> Result<(), RowsError> {
        let (entry, reader) = AccountedRow::open(facts, "judging_fighters")?;
        let (names, nicknames) = (reader.texts("name")?, reader.strings("nicknames")?);
        let born = reader.dates("date_of_birth")?;
        for (i, id) in reader.texts("fighter_source_id")?.into_iter().enumerate() {
            let nickname = nicknames[i].and_then(|all| all.split(';').next()).map(str::trim);
            self.fighters.insert(id, JudgingFighter { name: names[i], nickname, born: born[i] });
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Names by id.
    fn read_judges(&mut self, facts: &'a CaptureFacts) -> Result<BTreeMap<&'a str, &'a str>, RowsError> {
        let (entry, reader) = AccountedRow::open(facts, "judging_judges")?;
        let judges = reader.texts("judge_source_id")?.into_iter().zip(reader.texts("name")?).collect();
        self.entries.push(entry);
        Ok(judges)
    }

    fn read_bouts(&mut self, facts: &'a CaptureFacts) -> Result<(), RowsError> {
        let (mut entry, reader) = AccountedRow::open(facts, "judging_bouts")?;
        let (files, lines) = (reader.texts("file")?, reader.counts("line")?);
        let events = reader.texts("event_source_id")?;
        let (first, second) = (reader.texts("first_source_id")?, reader.texts("second_source_id")?);
        let weights = [reader.floats("first_weight_lbs")?, reader.floats("second_weight_lbs")?];
        for (i, id) in reader.texts("bout_source_id")?.into_iter().enumerate() {
            let at = RowPosition { file: files[i], line: lines[i] };
            let fighters = [first[i], second[i]];
            if !self.events.contains_key(events[i]) {
                let reason = format!("no event has id {}", events[i]);
                entry.set_aside(at, FindingKind::UnknownEvent, reason);
            } else if let Some(nobody) = fighters.iter().find(|id| !self.fighters.contains_key(*id)) {
                entry.set_aside(at, FindingKind::UnknownFighter, format!("no fighter has id {nobody}"));
            } else {
                let weights = [weights[0][i], weights[1][i]];
                let (scores, deductions) = (Vec::new(), Vec::new());
                self.bouts
                    .insert(id, JudgingBout { at, event: events[i], fighters, weights, scores, deductions });
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
        let (mut entry, reader) = AccountedRow::open(facts, "judging_scores")?;
        let (files, lines) = (reader.texts("file")?, reader.counts("line")?);
        let (parts, rounds) = (reader.texts("part")?, reader.int32s("round")?);
        let (orders, ids) = (reader.counts("judge_order")?, reader.strings("judge_source_id")?);
        let points = [reader.int32s("first_points")?, reader.int32s("second_points")?];
        for (i, id) in reader.texts("bout_source_id")?.into_iter().enumerate() {
            let at = RowPosition { file: files[i], line: lines[i] };
            let Some(bout) = self.bouts.get_mut(id) else {
                entry.set_aside(at, FindingKind::UnknownBout, format!("no bout has id {id}"));
                continue;
            };
            let of = match (parts[i], rounds[i]) {
                ("round", Some(round)) => CardPoints::Round(round),
                ("total", _) => CardPoints::Total,
                _ => {
                    let reason = "an extra round, which no total counts".to_owned();
                    entry.set_aside(at, FindingKind::UnreadableScorecard, reason);
                    continue;
                }
            };
            let judge = ids[i].and_then(|id| judges.get(id)).copied();
            if let Some(nobody) = ids[i].filter(|_| judge.is_none()) {
                entry.note(at, FindingKind::MissingValue, format!("no judge has id {nobody}"));
            }
            bout.scores.push(RoundScore {
                of,
                order: orders[i],
                judge,
                points: [points[0][i], points[1][i]],
            });
            self.rows.entry(id).or_default().push((SCORES, at));
        }
        self.entries.push(entry);
        Ok(())
    }

    fn read_deductions(&mut self, facts: &'a CaptureFacts) -> Result<(), RowsError> {
        let (mut entry, reader) = AccountedRow::open(facts, "judging_deductions")?;
        let (files, lines) = (reader.texts("file")?, reader.counts("line")?);
        let fighters = reader.texts("fighter_source_id")?;
        let (rounds, points) = (reader.counts("round")?, reader.counts("points")?);
        let reasons = reader.strings("reason")?;
        for (i, id) in reader.texts("bout_source_id")?.into_iter().enumerate() {
            let at = RowPosition { file: files[i], line: lines[i] };
            let Some(bout) = self.bouts.get_mut(id) else {
                entry.set_aside(at, FindingKind::UnknownBout, format!("no bout has id {id}"));
                continue;
            };
            let Some(side) = bout.fighters.iter().position(|fighter| *fighter == fighters[i]) else {
                let reason = format!("fighter {} is not in bout {id}", fighters[i]);
                entry.set_aside(at, FindingKind::UnknownFighter, reason);
                continue;
            };
            bout.deductions.push(PointDeduction {
                side,
                round: rounds[i],
                points: points[i],
                reason: reasons[i],
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

    pub(super) fn close(self, accounting: &mut RowAccounting) {
        self.entries.into_iter().for_each(|entry| entry.close(accounting));
    }
}
