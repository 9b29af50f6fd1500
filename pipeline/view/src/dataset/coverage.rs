//! Counts and coverage of the snapshot: written once, when it is loaded.

use std::collections::BTreeMap;

use arrow::array::Array as _;
use chrono::{Datelike as _, NaiveDate};
use fdna_api::{
    Coverage, FieldCoverage, PromotionCoverage, SnapshotCounts, SourceCoverage, StatisticsOfYear,
    YearCoverage,
};
use fdna_model::Method;
use fdna_schemas::Tables;
use fdna_schemas::tables::SourcesRow;

use super::bouts::{BoutRow, BoutTable};
use super::columns::instant;
use super::events::EventTable;
use super::stats::BoutStats;
use super::{DatasetError, SnapshotInfo, SnapshotTables, Status, json};

/// The answers of `counts` and `coverage`.
#[derive(Debug)]
pub(crate) struct CoverageJson {
    pub(crate) counts: Box<[u8]>,
    pub(crate) coverage: Box<[u8]>,
}

impl CoverageJson {
    pub(crate) fn build(
        info: &SnapshotInfo,
        known_until: Option<NaiveDate>,
        tables: &SnapshotTables,
        sources: &[SourcesRow<'_>],
        events: &EventTable,
        bouts: &BoutTable,
    ) -> Result<Self, DatasetError> {
        let years = years(bouts);
        let facts_until = info.facts_until.map(|day| day.to_string());
        let counts = SnapshotCounts {
            snapshot_id: &info.id,
            facts_until: facts_until.clone(),
            known_until: known_until.map(|day| day.to_string()),
            tables: info.rows.iter().map(|(table, rows)| (table.as_str(), *rows)).collect(),
            first_date: events.rows.last().map(|event| event.date.to_string()),
            last_date: events.rows.first().map(|event| event.date.to_string()),
            round_statistics: years.iter().map(statistics).collect(),
        };
        let sources = sources.iter().map(source).collect();
        let fields = fields(tables)?;
        let promotions = promotions(events, bouts);
        let coverage = Coverage { snapshot_id: &info.id, facts_until, sources, years, promotions, fields };
        Ok(Self { counts: json(&counts)?, coverage: json(&coverage)? })
    }
}

fn statistics(year: &YearCoverage) -> StatisticsOfYear {
    let share = year.with_round_stats as f64 / year.bouts as f64;
    StatisticsOfYear { year: year.year, bouts: year.bouts, with_round_stats: year.with_round_stats, share }
}

/// Years with a fought bout, oldest first.
fn years(bouts: &BoutTable) -> Vec<YearCoverage> {
    let mut years: BTreeMap<i32, YearCoverage> = BTreeMap::new();
    for bout in bouts.rows.iter().filter(|bout| bout.status == Status::Completed) {
        let year = bout.date.year();
        let nothing = YearCoverage {
            year,
            bouts: 0,
            with_result: 0,
            with_round_stats: 0,
            with_control_time: 0,
            decisions: 0,
            with_scorecards: 0,
        };
        count(years.entry(year).or_insert(nothing), bout);
    }
    years.into_values().collect()
}

/// The same of each promotion.
fn promotions(events: &EventTable, bouts: &BoutTable) -> Vec<PromotionCoverage<'static>> {
    let mut found: BTreeMap<(i32, Option<&'static str>), PromotionCoverage<'static>> = BTreeMap::new();
    for bout in bouts.rows.iter().filter(|bout| bout.status == Status::Completed) {
        let (year, promotion) = (bout.date.year(), events.rows[bout.event].promotion);
        let nothing = PromotionCoverage { promotion, year, bouts: 0, with_round_stats: 0 };
        let known = found.entry((year, promotion)).or_insert(nothing);
        known.bouts += 1;
        known.with_round_stats += usize::from(bout.stats.is_some());
    }
    found.into_values().collect()
}

fn count(year: &mut YearCoverage, bout: &BoutRow) {
    let decided = bout.result.as_ref().filter(|r| r.method.is_some_and(Method::is_decision));
    year.bouts += 1;
    year.with_result += usize::from(bout.result.is_some());
    year.with_round_stats += usize::from(bout.stats.is_some());
    year.with_control_time += usize::from(bout.stats.as_ref().is_some_and(BoutStats::is_timed));
    year.decisions += usize::from(decided.is_some());
    year.with_scorecards += usize::from(decided.is_some_and(|result| result.are_totals_known));
}

fn source<'a>(row: &SourcesRow<'a>) -> SourceCoverage<'a> {
    SourceCoverage {
        source: row.source,
        group: row.group,
        captures: Some(row.captures),
        last_captured_at: row.last_captured_at.map(instant),
        rows: Some(row.rows),
        set_aside: Some(row.set_aside),
        expected_every_hours: row.expected_every_hours,
    }
}

/// Columns that may be null, of the tables of facts. One that an older snapshot does not have is left out.
fn fields(tables: &SnapshotTables) -> Result<Vec<FieldCoverage<'static>>, DatasetError> {
    let of_facts = [
        ("events", &tables.events),
        ("bouts", &tables.bouts),
        ("fighters", &tables.fighters),
        ("results", &tables.results),
        ("round_stats", &tables.round_stats),
    ];
    let mut fields = Vec::new();
    for (table, batch) in of_facts {
        let columns = &Tables::get().table(table)?.columns;
        for column in columns.iter().filter(|column| column.is_nullable()) {
            let Some(values) = batch.column_by_name(&column.name) else { continue };
            let (rows, known) = (values.len(), values.len() - values.null_count());
            let share = (rows > 0).then(|| known as f64 / rows as f64);
            let null_means = column.null_means.as_deref();
            fields.push(FieldCoverage { table, field: &column.name, rows, known, share, null_means });
        }
    }
    Ok(fields)
}
