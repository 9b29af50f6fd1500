//! Panels as they were known: of each date those of a snapshot of the captures up to it, and what is known otherwise now.

use std::iter::once;
use std::time::Instant;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use fdna_lake::{Lake, LakeWriter, PanelSet, SnapshotManifest};
use fdna_lineage::{CompareError, compare_tables};
use fdna_run::current_snapshot::require_current;
use fdna_run::decisions::DecisionFiles;
use fdna_run::exit::ExitCode;
use fdna_run::product::Product;
use fdna_run::progress::RunProgress;
use fdna_run::run_job::RunJob;
use fdna_schemas::MetricDefinitions;
use fdna_schemas::tables::PanelLongRow;
use rayon::prelude::*;
use serde::Serialize;

use super::maker::PanelMaker;
use super::report::{DateOutcome, DateReport, DateState};
use super::{Backfill, thread_pool};
use crate::output::CommandReport;

/// How a lake is brought to what was known.
pub(super) struct VintageBackfill<'a> {
    pub(super) lake: &'a Lake,
    pub(super) decisions: DecisionFiles,
    pub(super) now: DateTime<Utc>,
    pub(super) quiet: bool,
}

/// Dates between which no capture was taken: one snapshot has what was known on all of them.
struct KnownDates {
    /// Captures that were there.
    captures: usize,
    dates: Vec<NaiveDate>,
}

/// Report of a backfill of what was known.
#[derive(Serialize)]
struct VintageReport {
    lake: String,
    /// The snapshot of today, with which the panels are compared.
    snapshot_id: String,
    outcome: DateOutcome,
    dates: Vec<VintageDate>,
    seconds: f64,
}

#[derive(Serialize)]
struct VintageDate {
    #[serde(flatten)]
    panel: DateReport,
    /// The snapshot of what was known; null where no capture had been taken.
    snapshot_id: Option<String>,
    /// The newest capture that counts.
    known_until: Option<String>,
    /// Null where there is no panel.
    moved: Option<MovedValues>,
}

/// What corrections and later captures moved: the panel of a date as it was known, beside that of today's snapshot for the date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct MovedValues {
    /// Values of fighters who have a version in both.
    values: usize,
    /// Those of them that differ.
    values_changed: usize,
    /// Fighters with a version then and none now, such as one of two records that were merged.
    fighters_gone: usize,
    /// Fighters with a version now alone.
    fighters_added: usize,
}

impl VintageBackfill<'_> {
    /// Makes the panels that are not there.
    ///
    /// # Errors
    /// As those of a run and of a backfill.
    pub(super) fn run(&self, asked: &[NaiveDate]) -> anyhow::Result<CommandReport> {
        let begun = Instant::now();
        let current =
            Backfill::of_snapshot(self.lake, PanelSet::Metrics, require_current(self.lake, Product::Mma)?)?;
        let progress = RunProgress::with_steps(self.quiet, asked.len());
        let mut dates = Vec::new();
        let versions = current.read_versions()?;
        for known in self.group_dates(asked)? {
            dates.extend(self.make_known(&known, &versions, &progress)?);
        }
        progress.finish();
        let panels: Vec<DateReport> = dates.iter().map(|date| date.panel.clone()).collect();
        let outcome = DateOutcome::from_dates(&panels, false);
        let report = VintageReport {
            lake: self.lake.root().display().to_string(),
            snapshot_id: current.snapshot.id.to_string(),
            outcome,
            dates,
            seconds: begun.elapsed().as_secs_f64(),
        };
        let code = if outcome == DateOutcome::NothingToDo { ExitCode::NothingToDo } else { ExitCode::Done };
        CommandReport::of_record(report.to_text(), &report, code)
    }

    /// The dates, by the captures that were there before them.
    fn group_dates(&self, asked: &[NaiveDate]) -> anyhow::Result<Vec<KnownDates>> {
        let captures = self.lake.all_captures()?;
        let mut groups: Vec<KnownDates> = Vec::new();
        for &date in asked {
            let until = start_of(date);
            let count = captures.iter().filter(|capture| capture.captured_at <= until).count();
            match groups.last_mut().filter(|group| group.captures == count) {
                Some(group) => group.dates.push(date),
                None => groups.push(KnownDates { captures: count, dates: vec![date] }),
            }
        }
        Ok(groups)
    }

    /// The panels of dates of which the same was known.
    fn make_known(
        &self,
        known: &KnownDates,
        versions_now: &PanelMaker,
        progress: &RunProgress,
    ) -> anyhow::Result<Vec<VintageDate>> {
        let (Some(first), true) = (known.dates.first(), known.captures > 0) else {
            known.dates.iter().for_each(|_| progress.advance());
            return Ok(known.dates.iter().map(|date| VintageDate::of_nothing(*date)).collect());
        };
        progress.show_message(&format!("make the snapshot of what was known on {first}"));
        let snapshot = self.make_snapshot(*first)?;
        let backfill = Backfill::of_snapshot(self.lake, PanelSet::Vintage, snapshot)?;
        let versions = backfill.read_versions()?;
        let made = MadeOf { backfill, versions: &versions, versions_now };
        let writer = self.lake.writer("fightdna backfill", self.now)?;
        thread_pool()?.install(|| {
            let dates = known.dates.par_iter().map(|&as_of| {
                let date = made.make_date(as_of, &writer);
                progress.advance();
                date.with_context(|| format!("cannot make the panel of what was known on {as_of}"))
            });
            dates.collect()
        })
    }

    /// The snapshot of the captures up to the beginning of a date, made if it is not there.
    fn make_snapshot(&self, date: NaiveDate) -> anyhow::Result<SnapshotManifest> {
        let run = RunJob {
            known_at: Some(start_of(date)),
            quiet: true,
            decisions: self.decisions.clone(),
            ..RunJob::new(Product::Mma)
        };
        let failed = || format!("cannot make the snapshot of what was known on {date}");
        let (report, _) = run.execute(self.lake, self.now).with_context(failed)?;
        let id = report.made_snapshot().with_context(failed)?;
        Ok(self.lake.snapshot(&id.parse()?)?)
    }
}

/// What panels of the dates of one snapshot are made of, and compared with.
struct MadeOf<'a> {
    backfill: Backfill<'a>,
    versions: &'a PanelMaker,
    versions_now: &'a PanelMaker,
}

impl MadeOf<'_> {
    /// The panel of a date, made if it is not there.
    fn make_date(&self, as_of: NaiveDate, writer: &LakeWriter) -> anyhow::Result<VintageDate> {
        let Self { backfill, versions, versions_now } = self;
        let (panel, moved) = if versions.first_day().is_some_and(|first| first <= as_of) {
            let (then, now) = (versions.make_panel(as_of)?, versions_now.make_panel(as_of)?);
            let moved = count_moved(&then, &now)?;
            let there = backfill.up_to_date_panel(as_of)?;
            (there.map_or_else(|| backfill.commit_panel(as_of, writer, then), Ok)?, Some(moved))
        } else {
            (backfill.date_report(as_of, DateState::BeforeFirst, None), None)
        };
        Ok(VintageDate {
            panel,
            snapshot_id: Some(backfill.snapshot.id.to_string()),
            known_until: newest_capture(&backfill.snapshot).map(|at| at.to_rfc3339()),
            moved,
        })
    }
}

impl VintageDate {
    /// Of a date on which no capture had been taken.
    fn of_nothing(date: NaiveDate) -> Self {
        let panel = DateReport {
            as_of: date.to_string(),
            state: DateState::BeforeFirst,
            after_facts: true,
            tables: Vec::new(),
        };
        Self { panel, snapshot_id: None, known_until: None, moved: None }
    }
}

/// When the newest capture of a snapshot was taken.
pub(super) fn newest_capture(snapshot: &SnapshotManifest) -> Option<DateTime<Utc>> {
    snapshot.captures.iter().map(|capture| capture.captured_at).max()
}

fn start_of(date: NaiveDate) -> DateTime<Utc> {
    date.and_time(NaiveTime::MIN).and_utc()
}

/// Tables of two panels beside each other, of which the last has a row for each fighter and metric.
fn count_moved(then: &[RecordBatch], now: &[RecordBatch]) -> Result<MovedValues, ArrowError> {
    const KEY: [&str; 2] = [PanelLongRow::FIGHTER_ID.name, PanelLongRow::METRIC_PLACE.name];
    let columns = [KEY.as_slice(), &[PanelLongRow::VALUE.name, PanelLongRow::RAW_VALUE.name]].concat();
    let long = |tables: &[RecordBatch]| {
        let none = || ArrowError::SchemaError("a panel has no table of a row for each metric".to_owned());
        let rows = tables.last().ok_or_else(none)?;
        let places = columns.iter().map(|name| rows.schema_ref().index_of(name));
        rows.project(&places.collect::<Result<Vec<usize>, _>>()?)
    };
    let (then, now, mut gone, mut added, mut changed) = (long(then)?, long(now)?, 0, 0, 0);
    let rows = then.num_rows();
    let compared = compare_tables(&KEY.map(str::to_owned), once(Ok(then)), once(Ok(now)), |chunk| {
        gone += chunk.gone.num_rows();
        added += chunk.appeared.num_rows();
        changed += chunk.changed_rows().len();
        Ok(())
    });
    compared.map_err(|error| match error {
        CompareError::Read(error) | CompareError::Arrow(error) => error,
    })?;
    let metrics = MetricDefinitions::get().metrics.len();
    Ok(MovedValues {
        values: rows - gone,
        values_changed: changed,
        fighters_gone: gone / metrics,
        fighters_added: added / metrics,
    })
}

impl VintageReport {
    fn to_text(&self) -> String {
        let mut text = format!("panels of what was known, in lake {}\n\n", self.lake);
        for date in &self.dates {
            text += &date.to_line();
        }
        let current = &self.snapshot_id;
        text += &format!("\n({:.1} s) changed, gone and added are against snapshot {current}", self.seconds);
        text += &format!(
            "\nread them with any engine: read_parquet('{}/panels/vintage_wide/*/*.parquet')\n",
            self.lake
        );
        text
    }
}

impl VintageDate {
    fn to_line(&self) -> String {
        let as_of = &self.panel.as_of;
        let (Some(moved), Some(until)) = (&self.moved, &self.known_until) else {
            return format!("  {as_of}  skipped: no DNA version was known\n");
        };
        let state = if self.panel.state == DateState::Made { "made" } else { "there already" };
        let MovedValues { values, values_changed, fighters_gone, fighters_added } = moved;
        format!(
            "  {as_of}  {state}, known until {until}: {values_changed} of {values} values changed since, \
             {fighters_gone} fighters gone, {fighters_added} added\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Float64Array, Int32Array, StringArray};

    use super::*;

    fn make_panel(fighters: &[(&str, f64)]) -> Vec<RecordBatch> {
        let metrics = i32::try_from(MetricDefinitions::get().metrics.len()).unwrap();
        let cells: Vec<(&str, i32, f64)> =
            fighters.iter().flat_map(|(id, value)| (1..=metrics).map(|place| (*id, place, *value))).collect();
        let values: ArrayRef = Arc::new(cells.iter().map(|cell| Some(cell.2)).collect::<Float64Array>());
        let long = RecordBatch::try_from_iter([
            (
                "fighter_id",
                Arc::new(cells.iter().map(|cell| Some(cell.0)).collect::<StringArray>()) as ArrayRef,
            ),
            ("metric_place", Arc::new(cells.iter().map(|cell| cell.1).collect::<Int32Array>())),
            ("value", Arc::clone(&values)),
            ("raw_value", values),
        ]);
        vec![long.unwrap()]
    }

    #[test]
    fn values_that_moved_are_counted_of_fighters_who_are_in_both() {
        let metrics = MetricDefinitions::get().metrics.len();
        let (then, now) = (
            make_panel(&[("a", 1.0), ("b", 2.0), ("c", 3.0)]),
            make_panel(&[("a", 1.0), ("c", 4.0), ("d", 5.0), ("e", 6.0)]),
        );
        let moved =
            MovedValues { values: 2 * metrics, values_changed: metrics, fighters_gone: 1, fighters_added: 2 };
        assert_eq!(count_moved(&then, &now).unwrap(), moved);
        let same = MovedValues { values: 3 * metrics, ..MovedValues::default() };
        assert_eq!(count_moved(&then, &then).unwrap(), same);
    }
}
