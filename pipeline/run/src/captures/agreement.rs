//! Captures that are held for having fewer rows, and agree with one another for so many days that the source has no more:
//! the hold ends by itself.
//!
//! Only sources that list what is to come may say so (`agreeing_days`): a history that agrees with itself for days is one
//! that is cut at the same place each time.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

/// So many rows of a table more or fewer are no disagreement, nor is [`DRIFT`]: a short list changes too.
const FEW_CHANGES: u64 = 2;
/// The part of a table that may change within the days, one in so many: of the calendars of four days in a row 98 of 100
/// keep three quarters of their rows.
const DRIFT: u64 = 4;
/// Where more rows than one in so many are set aside, the layout may be one that is not known.
const SET_ASIDE: usize = 20;

/// The rows of a capture.
#[derive(Debug, Clone, Default)]
pub(super) struct CaptureRows {
    /// In its files.
    pub(super) stated: usize,
    /// Rows that are facts.
    pub(super) kept: usize,
    /// By facts table; empty where they are not known.
    pub(super) tables: BTreeMap<String, u64>,
}

impl CaptureRows {
    /// Whether the capture was read, and has rows wherever the believed one before it has some: a calendar of events without
    /// bouts says nothing about how many bouts there are.
    pub(super) fn is_evidence(&self, before: &Self) -> bool {
        let has_rows = |table: &String| self.tables.get(table).is_some_and(|rows| *rows > 0);
        let mut filled =
            before.tables.iter().filter(|(_, rows)| **rows > 0).map(|(table, _)| table).peekable();
        let is_known = filled.peek().is_some();
        is_known && filled.all(has_rows) && (self.stated - self.kept) * SET_ASIDE <= self.stated
    }

    fn agrees_with(&self, other: &Self) -> bool {
        self.tables.keys().chain(other.tables.keys()).all(|table| {
            let [a, b] = [self, other].map(|rows| rows.tables.get(table).copied().unwrap_or_default());
            a.abs_diff(b) <= FEW_CHANGES.max(a.max(b) / DRIFT)
        })
    }
}

/// A held capture that is evidence.
#[derive(Debug)]
pub(super) struct HeldEvidence {
    pub(super) capture: String,
    pub(super) day: NaiveDate,
    pub(super) rows: CaptureRows,
    pub(super) reasons: Vec<String>,
}

/// Held captures, one after the other, that agree with one another.
#[derive(Debug, Default)]
pub(super) struct AgreeingCaptures(Vec<HeldEvidence>);

impl AgreeingCaptures {
    /// Adds a capture; one that disagrees begins anew.
    pub(super) fn add_capture(&mut self, held: HeldEvidence) {
        if !self.0.iter().all(|other| other.rows.agrees_with(&held.rows)) {
            self.0.clear();
        }
        self.0.push(held);
    }

    fn days(&self) -> BTreeSet<NaiveDate> {
        self.0.iter().map(|held| held.day).collect()
    }

    /// On how many days after that of the first they were taken.
    pub(super) fn later_days(&self) -> usize {
        self.days().len().saturating_sub(1)
    }

    /// The end of the hold, with the first of them; `None` without any.
    pub(super) fn end_hold(self, source: &str) -> Option<EndedHold> {
        let (days, captures) = (self.days(), self.0.len());
        let ended_by = self.0.last()?.capture.clone();
        let first = self.0.into_iter().next()?;
        Some(EndedHold {
            source: source.to_owned(),
            capture: first.capture,
            reasons: first.reasons,
            ended_by,
            captures,
            days,
        })
    }
}

/// A hold that ended by itself.
#[derive(Debug)]
pub struct EndedHold {
    pub source: String,
    /// The first of the captures that agree.
    pub capture: String,
    reasons: Vec<String>,
    /// The one with which they were enough.
    pub ended_by: String,
    captures: usize,
    days: BTreeSet<NaiveDate>,
}

impl EndedHold {
    /// A sentence for a person: which hold, why there was one, and what ended it.
    pub fn describe(&self) -> String {
        let Self { source, capture, reasons, captures, .. } = self;
        let days: Vec<String> = self.days.iter().map(NaiveDate::to_string).collect();
        format!(
            "the hold of {source} since {capture} ended by itself: {}; {captures} captures agree, of {}",
            reasons.join("; "),
            days.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(set_aside: usize, tables: &[(&str, u64)]) -> CaptureRows {
        let kept = usize::try_from(tables.iter().map(|(_, rows)| rows).sum::<u64>()).unwrap();
        let tables = tables.iter().map(|(table, rows)| ((*table).to_owned(), *rows)).collect();
        CaptureRows { stated: kept + set_aside, kept, tables }
    }

    fn listed(events: u64, bouts: u64) -> CaptureRows {
        rows(0, &[("events", events), ("bouts", bouts)])
    }

    /// On how many later days captures of these days of a month agree, with so many events and bouts each.
    fn later_days(captures: &[(u32, u64, u64)]) -> usize {
        let mut agreeing = AgreeingCaptures::default();
        for (day, events, bouts) in captures {
            agreeing.add_capture(HeldEvidence {
                capture: format!("c{day}"),
                day: NaiveDate::from_ymd_opt(2031, 3, *day).unwrap(),
                rows: listed(*events, *bouts),
                reasons: Vec::new(),
            });
        }
        agreeing.later_days()
    }

    #[test]
    fn captures_of_one_day_are_one_and_those_that_disagree_begin_anew() {
        assert_eq!(later_days(&[(1, 4, 40)]), 0);
        assert_eq!(later_days(&[(1, 4, 40), (1, 4, 41), (2, 4, 40), (2, 4, 40)]), 1);
        assert_eq!(later_days(&[(1, 4, 40), (2, 5, 36), (3, 4, 44)]), 2, "a list changes a little");
        assert_eq!(later_days(&[(1, 4, 40), (2, 4, 29), (3, 4, 40)]), 0, "it flaps");
        assert_eq!(later_days(&[(1, 4, 40), (2, 4, 12), (3, 4, 12), (4, 4, 12)]), 2);
        let shrinking = [(1, 4, 60), (2, 4, 48), (3, 4, 37), (4, 4, 28)];
        assert_eq!(later_days(&shrinking), 1, "all must agree, not each with the one before");
    }

    #[test]
    fn what_has_no_bouts_or_was_hardly_read_is_no_evidence() {
        let before = listed(20, 240);
        assert!(listed(4, 40).is_evidence(&before));
        assert!(!listed(30, 0).is_evidence(&before), "events without bouts");
        assert!(!rows(0, &[("events", 30)]).is_evidence(&before), "no table of bouts");
        assert!(rows(2, &[("events", 4), ("bouts", 36)]).is_evidence(&before));
        assert!(!rows(3, &[("events", 4), ("bouts", 36)]).is_evidence(&before), "lines that are not read");
        assert!(!listed(4, 40).is_evidence(&CaptureRows::default()), "what there was is not known");
    }
}
