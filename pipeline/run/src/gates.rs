//! Gates before `current` moves to another snapshot. A gate that does not hold leaves the snapshot where it
//! is, unpublished, until a person accepts it by name or the captures are mended.

use std::collections::BTreeMap;
use std::fmt;

use chrono::{DateTime, Utc};
use fdna_lake::{Lake, SnapshotManifest};
use fdna_schemas::{PublicationLimits, is_quarantine};
use serde::Serialize;

use crate::published_ids::{ids_of, lacks_ids};

/// A gate that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ClosedGate {
    /// Argument of `--accept`, such as `ids` or `volume:bouts`.
    pub(crate) gate: String,
    /// The reason, with figures.
    pub(crate) why: String,
}

impl fmt::Display for ClosedGate {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "gate {}: {}", self.gate, self.why)
    }
}

/// The gates between the snapshot that is served and the next one that do not hold.
pub(crate) fn closed_gates(
    lake: &Lake,
    served: &SnapshotManifest,
    next: &SnapshotManifest,
) -> anyhow::Result<Vec<ClosedGate>> {
    let mut closed = check_volume(served, next);
    closed.extend(check_freshness(served, next));
    closed.extend(check_ids(lake, served, next)?);
    Ok(closed)
}

#[expect(clippy::cast_precision_loss, reason = "numbers of rows are far below 2^53")]
fn check_volume(served: &SnapshotManifest, next: &SnapshotManifest) -> Vec<ClosedGate> {
    // What no longer counts must go at once, and a person said so.
    if served.licences != next.licences {
        return Vec::new();
    }
    let limits = PublicationLimits::get();
    let lost = |table: &fdna_lake::TableEntry| {
        let rows = next.table(&table.name).map_or(0, |next| next.rows);
        let least = table.rows as f64 * (1.0 - limits.may_lose);
        let may_shrink = limits.may_shrink.contains(&table.name) || is_quarantine(&table.name);
        let is_watched = table.rows >= limits.rows_at_least && !may_shrink;
        (is_watched && (rows as f64) < least).then(|| ClosedGate {
            gate: format!("volume:{}", table.name),
            why: format!("{} has {rows} rows, and {} in the snapshot that is served", table.name, table.rows),
        })
    };
    served.tables.iter().filter_map(lost).collect()
}

fn check_freshness(served: &SnapshotManifest, next: &SnapshotManifest) -> Vec<ClosedGate> {
    // Those of products that are made by licence have no day of facts as a whole.
    if !next.licences.is_empty() {
        return each_source(served, next);
    }
    let closed_gate = |what: &str, next: String, served: String| {
        let why = format!("{what} would go back from {served} to {next}");
        vec![ClosedGate { gate: "freshness".to_owned(), why }]
    };
    let day =
        |manifest: &SnapshotManifest| manifest.facts_until.map_or("none".to_owned(), |day| day.to_string());
    let time = |manifest: &SnapshotManifest| {
        manifest.captured_until().map_or("none".to_owned(), |at| at.to_rfc3339())
    };
    if next.facts_until < served.facts_until {
        return closed_gate("the day of the last bout with a result", day(next), day(served));
    }
    if next.captured_until() < served.captured_until() {
        return closed_gate("the newest capture", time(next), time(served));
    }
    Vec::new()
}

/// Each source by itself: a newer capture of one hides that another went back.
fn each_source(served: &SnapshotManifest, next: &SnapshotManifest) -> Vec<ClosedGate> {
    if served.licences != next.licences {
        return Vec::new();
    }
    let newest = |manifest: &SnapshotManifest| {
        let mut newest: BTreeMap<String, DateTime<Utc>> = BTreeMap::new();
        for capture in &manifest.captures {
            let at = newest.entry(capture.source.clone()).or_insert(capture.captured_at);
            *at = capture.captured_at.max(*at);
        }
        newest
    };
    let of_next = newest(next);
    let went_back = |(source, had): (String, DateTime<Utc>)| {
        let has = of_next.get(&source).copied();
        let to = has.map_or("none".to_owned(), |has| has.to_rfc3339());
        (has < Some(had)).then(|| ClosedGate {
            gate: format!("freshness:{source}"),
            why: format!("the newest capture of {source} would go back from {} to {to}", had.to_rfc3339()),
        })
    };
    newest(served).into_iter().filter_map(went_back).collect()
}

fn check_ids(
    lake: &Lake,
    served: &SnapshotManifest,
    next: &SnapshotManifest,
) -> anyhow::Result<Option<ClosedGate>> {
    const MAX_SHOWN: usize = 5;
    let same = |name: &str| served.table(name).map(|t| &t.sha256) == next.table(name).map(|t| &t.sha256);
    if same("identities") && same("aliases") {
        return Ok(None);
    }
    let vanished = ids_of(lake, served)?.vanished_in(&ids_of(lake, next)?);
    if vanished.is_empty() {
        return Ok(None);
    }
    let shown: Vec<String> =
        vanished.iter().take(MAX_SHOWN).map(|(kind, id)| format!("{kind} {id}")).collect();
    let more = vanished.len().saturating_sub(MAX_SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let restore = match lacks_ids(lake, served) {
        Ok(true) => format!(
            "; the registry of ids lacks some of them: `fightdna identities restore --from {} --reason TEXT`",
            served.id
        ),
        _ => String::new(),
    };
    let why =
        format!("{} published ids would answer 404: {}{more}{restore}", vanished.len(), shown.join(", "));
    Ok(Some(ClosedGate { gate: "ids".to_owned(), why }))
}
