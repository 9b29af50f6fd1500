//! Listings of the schedule's captures, and the claims that follow from all of them together.

mod claimed;
mod claims;
mod described;
mod listed;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use fdna_model::{Finding, FindingKind, Severity};
use fdna_rows::{CaptureFacts, RowsError, TableCount};
use fdna_schemas::tables::{
    ContractRow as _, ScheduleBoutsReader, ScheduleBoutsRow, ScheduleEventsRow, ScheduleFightersRow,
};

pub(super) use self::claimed::ClaimedBout;
use self::claimed::ClaimedEvent;
pub(super) use self::described::DescribedFighter;
use self::listed::ScheduleListing;
pub(super) use self::listed::{ListedBout, ListedEvent};
use super::claims::FirstSeen;

/// All captures of the schedule.
#[derive(Debug, Default)]
pub(super) struct ScheduleCaptures {
    pub(super) listings: Vec<ScheduleListing>,
    pub(super) events: Vec<ClaimedEvent>,
    pub(super) bouts: Vec<ClaimedBout>,
    /// By the feed's id.
    pub(super) fighters: BTreeMap<String, DescribedFighter>,
    pub(super) counts: Vec<TableCount>,
    /// Capture, and what was noted of it.
    pub(super) findings: Vec<(String, Finding)>,
    by_event: HashMap<(&'static str, String), usize>,
    by_bout: HashMap<(usize, Option<String>, [String; 2]), usize>,
}

/// The schedule's tables.
const TABLES: [&str; 3] = [ScheduleEventsRow::TABLE, ScheduleBoutsRow::TABLE, ScheduleFightersRow::TABLE];

impl ScheduleCaptures {
    /// Reads captures in the order of their times.
    pub(super) fn read_captures(captures: &[&CaptureFacts]) -> Result<Self, RowsError> {
        let mut schedule = Self::default();
        let mut last: HashMap<&str, (&CaptureFacts, usize)> = HashMap::new();
        for capture in captures {
            let seen = FirstSeen { at: capture.captured_at, capture: capture.capture.clone() };
            let same =
                last.get(capture.source.as_str()).filter(|(before, _)| before.tables == capture.tables);
            let listing = match same {
                Some((_, place)) => schedule.listings[*place].clone(),
                None => schedule.add_capture(capture, &seen)?,
            };
            schedule.count_rows(capture)?;
            last.insert(&capture.source, (capture, schedule.listings.len()));
            schedule.listings.push(ScheduleListing { seen, ..listing });
        }
        schedule.settle_ids();
        Ok(schedule)
    }

    fn add_capture(
        &mut self,
        capture: &CaptureFacts,
        seen: &FirstSeen,
    ) -> Result<ScheduleListing, RowsError> {
        let bouts = bouts_of_events(capture.read_table()?)?;
        let events = self.add_events(&capture.source, capture.read_table()?, &bouts, seen)?;
        let bouts = self.add_bouts(capture.read_table()?, seen)?;
        // A layout that names fighters only does not describe them.
        if capture.tables.contains_key(ScheduleFightersRow::TABLE) {
            self.add_fighters(capture.read_table()?)?;
        }
        let source = capture.source.as_str().into();
        Ok(ScheduleListing { source, seen: seen.clone(), events: Arc::new(events), bouts: Arc::new(bouts) })
    }

    /// Every row comes to something, an event or a bout listed or a fighter described, but for bouts one side of
    /// which is to be announced.
    fn count_rows(&mut self, capture: &CaptureFacts) -> Result<(), RowsError> {
        let open = open_bouts(capture.read_table()?)?;
        for table in TABLES.into_iter().filter(|table| capture.tables.contains_key(*table)) {
            let rows_in = capture.table_batch(table)?.num_rows();
            let set_aside = if table == ScheduleBoutsRow::TABLE { open.len() } else { 0 };
            let (capture, table) = (capture.capture.clone(), table.to_owned());
            let rows_out = rows_in - set_aside;
            self.counts.push(TableCount { capture, table, rows_in, rows_out, set_aside });
        }
        self.findings.extend(open.into_iter().map(|finding| (capture.capture.clone(), finding)));
        Ok(())
    }
}

/// How many bouts of each event are there, whoever is named in them.
fn bouts_of_events(bouts: ScheduleBoutsReader<'_>) -> Result<HashMap<&str, i32>, RowsError> {
    let mut counts = HashMap::new();
    bouts.event_source_id()?.into_iter().for_each(|event| *counts.entry(event).or_default() += 1);
    Ok(counts)
}

/// Bouts without two names.
fn open_bouts(bouts: ScheduleBoutsReader<'_>) -> Result<Vec<Finding>, RowsError> {
    let (files, lines) = (bouts.file()?, bouts.line()?);
    let names = bouts.first_name()?.into_iter().zip(bouts.second_name()?).enumerate();
    let open = names.filter(|(_, (first, second))| first.is_none() || second.is_none());
    let finding = |(i, (first, second)): (usize, (Option<&str>, Option<&str>))| Finding {
        kind: FindingKind::UnknownFighter,
        severity: Severity::Note,
        file: files[i].to_owned(),
        line: lines[i],
        key: first.or(second).map(str::to_owned),
        reason: "an opponent is to be announced".to_owned(),
        raw: None,
    };
    Ok(open.map(finding).collect())
}
