//! `fightdna status`: how each source stands, what is published, how the last run ended.

use std::fmt::Write as _;

use chrono::{DateTime, Duration, Utc};
use fdna_lake::{Lake, LedgerHead, SnapshotManifest};
use fdna_schemas::{SourceContract, TableReader};
use serde::Serialize;

use crate::facts;
use crate::ingest::{held, refused};
use crate::publish::current;
use crate::run::quarantine;
use crate::view::{View, WithFacts};

/// What `status` tells; as JSON, the record itself.
#[derive(Serialize)]
pub(crate) struct Status {
    lake: String,
    sources: Vec<SourceStatus>,
    /// Captures that cannot be used, and why.
    refused: Vec<String>,
    /// Captures that look cut and are not believed: why, and the command that believes them.
    held: Vec<String>,
    snapshot: Option<SnapshotStatus>,
    /// How far the fight-week ledger goes; none before its first row.
    ledger: Option<LedgerHead>,
    last_run: Option<LastRun>,
}

#[derive(Serialize)]
struct SourceStatus {
    source: &'static str,
    group: &'static str,
    /// All groups that it tells of.
    feeds: Vec<&'static str>,
    captures: usize,
    last_capture: Option<String>,
    last_captured_at: Option<DateTime<Utc>>,
    age_hours: Option<i64>,
    /// Rows that the newest capture became, and those of it that were set aside; null before it is ingested.
    rows: Option<u64>,
    set_aside: Option<u64>,
    /// Null for a source without a rhythm, or never captured.
    next_expected_at: Option<DateTime<Utc>>,
    state: State,
    synthetic: bool,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum State {
    Current,
    Overdue,
    NeverCaptured,
}

#[derive(Serialize)]
struct SnapshotStatus {
    id: String,
    current_since: Option<DateTime<Utc>>,
    facts_until: Option<String>,
    tables: Vec<TableStatus>,
    /// Rows of the newest capture that were set aside, by kind.
    set_aside: Vec<(String, usize)>,
    images_not_served: usize,
    doubtful_links: u64,
    others: Vec<String>,
}

#[derive(Serialize)]
struct TableStatus {
    name: String,
    rows: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct LastRun {
    id: String,
    outcome: String,
    error: Option<String>,
}

/// Reads what there is to tell.
///
/// # Errors
/// The lake cannot be read.
pub(crate) fn status(lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<Status> {
    let view = View::new(lake.clone(), None);
    let captures = view.with_facts()?;
    let sources = SourceContract::all().map(|contract| SourceStatus::of(contract, &captures, now));
    Ok(Status {
        lake: lake.root().display().to_string(),
        sources: sources.collect(),
        refused: refused(&view)?,
        held: held(&view)?.iter().map(|held| held.text(lake)).collect(),
        snapshot: current(lake)?.map(|manifest| SnapshotStatus::of(lake, manifest)).transpose()?,
        ledger: lake.ledger_head()?,
        last_run: last_run(lake)?,
    })
}

impl SourceStatus {
    fn of(contract: &'static SourceContract, captures: &[WithFacts], now: DateTime<Utc>) -> Self {
        let of_source = || captures.iter().filter(|(capture, _)| capture.source == contract.source);
        let newest = of_source().next_back();
        let at = newest.map(|(capture, _)| capture.captured_at);
        let rhythm = contract.expected_every_hours.map(|hours| Duration::hours(hours.into()));
        let next = at.zip(rhythm).map(|(at, rhythm)| at + rhythm);
        let facts = newest.and_then(|(_, facts)| facts.as_ref());
        Self {
            source: &contract.source,
            group: contract.group.name(),
            feeds: contract.feeds_by_name(),
            captures: of_source().count(),
            last_capture: newest.map(|(capture, _)| capture.id.clone()),
            last_captured_at: at,
            age_hours: at.map(|at| (now - at).num_hours()),
            rows: facts.map(facts::n_rows),
            set_aside: facts.map(facts::n_set_aside),
            next_expected_at: next,
            state: match (at, next) {
                (None, _) => State::NeverCaptured,
                (_, Some(next)) if next < now => State::Overdue,
                _ => State::Current,
            },
            synthetic: newest.is_some_and(|(capture, _)| capture.synthetic),
        }
    }

    fn line(&self) -> String {
        let feeds = self.feeds.join(", ");
        let Some(at) = self.last_captured_at else {
            return format!("  {:<13} {feeds:<12} never captured", self.source);
        };
        let count = |n: Option<u64>| n.map_or("not ingested".to_owned(), |n| n.to_string());
        let next = match self.next_expected_at {
            Some(next) if self.state == State::Overdue => format!("OVERDUE since {}", minute(next)),
            Some(next) => format!("next expected {}", minute(next)),
            None => "no rhythm".to_owned(),
        };
        format!(
            "  {:<13} {feeds:<12} {} captures, newest {} ({} h old): {} rows, {} set aside; {next}{}",
            self.source,
            self.captures,
            minute(at),
            self.age_hours.unwrap_or_default(),
            count(self.rows),
            count(self.set_aside),
            if self.synthetic { ", SYNTHETIC SAMPLE" } else { "" }
        )
    }
}

fn minute(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%MZ").to_string()
}

impl SnapshotStatus {
    fn of(lake: &Lake, manifest: SnapshotManifest) -> anyhow::Result<Self> {
        let others = lake.snapshots()?.into_iter().filter(|m| m.id != manifest.id);
        let rows = |table: &str| manifest.tables.iter().find(|t| t.name == table).map_or(0, |t| t.rows);
        Ok(Self {
            id: manifest.id.to_string(),
            current_since: lake.current_moved_at()?,
            facts_until: manifest.facts_until.map(|day| day.to_string()),
            set_aside: quarantine(lake, &manifest)?,
            images_not_served: not_served(lake, &manifest)?,
            doubtful_links: rows("doubtful_links"),
            others: others.map(|m| m.id.to_string()).collect(),
            tables: manifest
                .tables
                .into_iter()
                .map(|t| TableStatus { name: t.name, rows: t.rows, bytes: t.bytes })
                .collect(),
        })
    }

    fn text(&self, out: &mut String) {
        let since = self.current_since.map(|t| format!(", current since {}", minute(t))).unwrap_or_default();
        let _ = writeln!(out, "snapshot {}{since}", self.id);
        let _ = writeln!(out, "facts until {}", self.facts_until.as_deref().unwrap_or("none"));
        for table in &self.tables {
            let _ = writeln!(out, "  {:<16} {:>7} rows {:>9} bytes", table.name, table.rows, table.bytes);
        }
        out.push_str("set aside in the newest capture, by kind:\n");
        for (kind, n) in &self.set_aside {
            let _ = writeln!(out, "  {kind:<26} {n:>5}");
        }
        if self.images_not_served > 0 {
            let _ = writeln!(out, "images without licence or credit, not served: {}", self.images_not_served);
        }
        if self.doubtful_links > 0 {
            let _ = writeln!(out, "doubtful links: {} (fightdna identities --doubtful)", self.doubtful_links);
        }
        let _ = match self.others.is_empty() {
            true => writeln!(out, "no other snapshot"),
            false => writeln!(out, "other snapshots, oldest first: {}", self.others.join(" ")),
        };
    }
}

/// Snapshots from before there were images have none.
fn not_served(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<usize> {
    if manifest.tables.iter().all(|table| table.name != "images") {
        return Ok(0);
    }
    let images = lake.read_snapshot_table(manifest, "images")?;
    let served = TableReader::new("images", &images).bools("is_served")?;
    Ok(served.into_iter().filter(|served| *served == Some(false)).count())
}

fn last_run(lake: &Lake) -> anyhow::Result<Option<LastRun>> {
    let Some(id) = lake.runs()?.into_iter().max() else { return Ok(None) };
    let report = lake.run(&id)?;
    let text = |key: &str| report[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    Ok(Some(LastRun { id, outcome: text("outcome").unwrap_or_default(), error: text("error") }))
}

impl Status {
    /// As lines for a person.
    pub(crate) fn text(&self) -> String {
        let mut out = format!("lake {}\nsources:\n", self.lake);
        for source in &self.sources {
            out += &source.line();
            out.push('\n');
        }
        for refusal in &self.refused {
            let _ = writeln!(out, "REFUSED capture {refusal}");
        }
        for held in &self.held {
            let _ = writeln!(out, "HELD capture {held}");
        }
        match &self.snapshot {
            Some(snapshot) => snapshot.text(&mut out),
            None => out.push_str("no snapshot is current: fightdna run makes one\n"),
        }
        if let Some(ledger) = &self.ledger {
            let moved = minute(ledger.moved_at);
            let _ = writeln!(out, "ledger {} rows, grew last at {moved}, head {}", ledger.rows, ledger.head);
        }
        let _ = match &self.last_run {
            Some(run) => {
                let error = run.error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
                writeln!(out, "last run {}: {}{error}", run.id, run.outcome)
            }
            None => writeln!(out, "no run yet"),
        };
        out
    }
}
