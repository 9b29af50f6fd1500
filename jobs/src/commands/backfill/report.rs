//! Report of a backfill, for a person and for a machine.

use std::fmt::Write as _;

use fdna_lake::{PanelSet, TableEntry};
use serde::{Deserialize, Serialize};

use fdna_run::engine::EngineReport;

/// Outcome of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DateState {
    Made,
    /// It was there, of the same versions, and whole.
    Kept,
    /// In a dry run: it would be made.
    ToMake,
    /// No fighter has a version yet: there is no panel, rather than one without rows.
    BeforeFirst,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DateOutcome {
    Done,
    NothingToDo,
    Planned,
}

impl DateOutcome {
    pub(crate) fn from_dates(dates: &[DateReport], is_plan: bool) -> Self {
        match is_plan {
            true => Self::Planned,
            false if dates.iter().any(|date| date.state == DateState::Made) => Self::Done,
            false => Self::NothingToDo,
        }
    }
}

/// A date that was asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct DateReport {
    pub(crate) as_of: String,
    pub(crate) state: DateState,
    /// Whether it lies after the last event with facts: what happened since is not in the panel.
    pub(crate) after_facts: bool,
    /// Rows, size and digest of the files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tables: Vec<TableEntry>,
}

/// Report of a backfill.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct BackfillReport {
    pub(crate) lake: String,
    /// The snapshot whose DNA versions the panels are of.
    pub(crate) snapshot_id: String,
    pub(crate) synthetic: bool,
    pub(crate) facts_until: Option<String>,
    pub(crate) outcome: DateOutcome,
    /// All dates asked for, the oldest first.
    pub(crate) dates: Vec<DateReport>,
    /// Dates in the lake whose panels are of other versions or another build than this snapshot's: not asked
    /// for, so not replaced.
    pub(crate) outdated: Vec<String>,
    /// Of an engine, if it made any.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) engine: Option<EngineReport>,
    #[serde(skip)]
    pub(crate) set: PanelSet,
    pub(crate) seconds: f64,
}

impl BackfillReport {
    /// For a person.
    pub(crate) fn to_text(&self) -> String {
        let mut out = String::new();
        let label = if self.synthetic { ", SYNTHETIC SAMPLE: no real fighter is in it" } else { "" };
        let _ = writeln!(out, "panels of snapshot {} in lake {}{label}\n", self.snapshot_id, self.lake);
        for (state, what) in [
            (DateState::Made, "made"),
            (DateState::ToMake, "to make"),
            (DateState::Kept, "there already, whole and of the same versions"),
            (DateState::BeforeFirst, "skipped: before the first DNA version"),
        ] {
            let size = self.describe_size(state);
            self.write_line(&mut out, &format!("{what}{size}"), |date| date.state == state);
        }
        let until = self.facts_until.as_deref().unwrap_or("none");
        let after = format!("of these lie after the last facts ({until}), and know of no later bout");
        let is_after = |date: &DateReport| date.after_facts && date.state != DateState::BeforeFirst;
        self.write_line(&mut out, &after, is_after);
        if let [first, ..] = self.outdated.as_slice() {
            let n = self.outdated.len();
            let _ = writeln!(
                out,
                "  {n:>6} others in the lake are of another snapshot or build, from {first}: ask again to replace them"
            );
        }
        if let Some(engine) = &self.engine {
            let _ = writeln!(out, "  {engine}");
        }
        out.push_str(&self.next_command());
        out
    }

    fn write_line(&self, out: &mut String, what: &str, is_in: impl Fn(&DateReport) -> bool) {
        let dates: Vec<_> = self.dates.iter().filter(|date| is_in(date)).collect();
        let (Some(first), Some(last)) = (dates.first(), dates.last()) else { return };
        let span = match dates.len() {
            1 => first.as_of.clone(),
            _ => format!("{} to {}", first.as_of, last.as_of),
        };
        let _ = writeln!(out, "  {:>6} {what}: {span}", dates.len());
    }

    /// Rows and bytes of the panels of this state, where there are any.
    fn describe_size(&self, state: DateState) -> String {
        let tables = self.dates.iter().filter(|date| date.state == state).flat_map(|date| &date.tables);
        let (rows, bytes) = tables.fold((0, 0), |(rows, bytes), t| (rows + t.rows, bytes + t.bytes));
        if rows > 0 { format!(", {rows} rows in {} KiB", bytes / 1024) } else { String::new() }
    }

    fn next_command(&self) -> String {
        if !self.dates.iter().any(|date| matches!(date.state, DateState::Made | DateState::Kept)) {
            return String::new();
        }
        let lake = &self.lake;
        let mut out = format!("\n({:.1} s) read them with any engine, such as DuckDB:\n", self.seconds);
        for table in self.set.tables() {
            let tree = table.strip_prefix("panel_").unwrap_or(table);
            let what = match *table {
                "panel_wide" | "panel_ratios" => "a row per fighter and date",
                "panel_long" => "a row per fighter, date and metric",
                _ => "a row per subject, date and metric",
            };
            let _ = writeln!(out, "  from read_parquet('{lake}/panels/{tree}/*/*.parquet')    {what}");
        }
        out
    }
}
