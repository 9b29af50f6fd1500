//! Inputs of two snapshots of a lake, for the causes of what differs between them.

mod explain;
mod inputs;
mod statements;
mod tables;

use std::collections::BTreeMap;

use anyhow::Context as _;
use fdna_lake::{CaptureRef, Lake, LakeError, LogName, SnapshotManifest};
use fdna_lineage::{CaptureName, Cause, Decision, EntityNames, SnapshotPair, Word};
use fdna_normalise::{FACTS_TABLES, facts_columns};
use serde::Deserialize;

pub use self::explain::{Cells, LineageReader, RowLineage};
pub use self::statements::SourceStatement;
pub use self::tables::LakePair;

/// What the manifests and the logs of the lake say about two of its snapshots.
///
/// # Errors
/// A log, the output of a stage or a file of decisions cannot be read.
pub fn pair_snapshots(
    lake: &Lake,
    old: &SnapshotManifest,
    new: &SnapshotManifest,
) -> anyhow::Result<SnapshotPair> {
    let both = [old, new];
    let mut decisions = [Vec::new(), Vec::new()];
    for (into, manifest) in decisions.iter_mut().zip(both) {
        *into = followed_decisions(lake, manifest)?;
    }
    let mut pair = SnapshotPair {
        captures: both.map(|manifest| manifest.captures.iter().map(capture_name).collect()),
        withdrawn: withdrawn_captures(lake)?,
        decisions,
        only_causes: BTreeMap::new(),
        facts: FACTS_TABLES.iter().map(|table| ((*table).to_owned(), facts_columns(table))).collect(),
        registry: registry_begun_anew(lake, old)?,
        contract_versions: both.map(|manifest| manifest.contract_version.clone()),
        definition_versions: both.map(|manifest| manifest.definition_versions.join(", ")),
    };
    pair.only_causes = inputs::only_causes(lake, both, &pair)?;
    Ok(pair)
}

/// Names of the events, bouts and fighters of a snapshot, beside those that are known.
///
/// # Errors
/// A table cannot be read.
pub fn add_names(lake: &Lake, manifest: &SnapshotManifest, names: &mut EntityNames) -> Result<(), LakeError> {
    for (table, columns) in EntityNames::COLUMNS {
        if manifest.table(table).is_some() {
            for rows in lake.open_snapshot_table(manifest, table)?.row_batches(Some(columns), ROWS)? {
                names.add_rows(table, &rows?);
            }
        }
    }
    Ok(())
}

/// Rows of names that are decoded at a time.
const ROWS: usize = 16 << 10;

pub(crate) fn capture_name(capture: &CaptureRef) -> CaptureName {
    CaptureName { source: capture.source.clone(), id: capture.id.clone() }
}

/// Captures that do not count, with the last word about each.
pub fn withdrawn_captures(lake: &Lake) -> anyhow::Result<BTreeMap<CaptureName, Word>> {
    let log = lake.capture_log()?;
    let inactive = log.captures.iter().filter(|known| !known.is_active);
    let word = |known: &fdna_lake::LoggedCapture| {
        let decision = known.decisions.last()?;
        let with = decision.with.as_ref().map(|with| format!(" (with {with})")).unwrap_or_default();
        let name = CaptureName { source: known.capture.source.clone(), id: known.capture.id.clone() };
        let word = Word {
            action: decision.action.to_owned() + &with,
            at: decision.at.format("%FT%H:%M:%SZ").to_string(),
            by: decision.by.clone(),
            reason: decision.reason.clone(),
        };
        Some((name, word))
    };
    Ok(inactive.filter_map(word).collect())
}

/// Set where the registry of ids took the place of one that the snapshot was made with.
fn registry_begun_anew(lake: &Lake, old: &SnapshotManifest) -> anyhow::Result<Option<Cause>> {
    let Some(heads) = &old.log_heads else { return Ok(None) };
    let log = lake.read_log(LogName::Identities)?;
    let entry = log.replacement_of(heads.head_of(LogName::Identities));
    let at = |entry: &fdna_lake::LogEntry| entry.at.format("%FT%H:%M:%SZ").to_string();
    Ok(entry.map(|entry| Cause::Registry { at: at(entry), by: entry.by.clone() }))
}

/// The decisions about who is who that a snapshot follows, from the copy in the lake.
pub fn followed_decisions(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<Vec<Decision>> {
    let Some(digest) = inputs::decisions_digest(lake, manifest)? else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for (file, text) in lake.kept_decisions(&digest)? {
        let read: WrittenFile = toml::from_str(&text).with_context(|| format!("cannot read {file}"))?;
        let of = |is_same: bool| move |written: Written| written.into_decision(is_same);
        all.extend(read.same.into_iter().map(of(true)));
        all.extend(read.different.into_iter().map(of(false)));
    }
    Ok(all)
}

/// A file of decisions as people write it; those about judges tie no ids.
#[derive(Deserialize)]
struct WrittenFile {
    #[serde(default)]
    same: Vec<Written>,
    #[serde(default)]
    different: Vec<Written>,
}

#[derive(Deserialize)]
struct Written {
    kind: String,
    source: String,
    source_id: String,
    #[serde(rename = "as")]
    other: String,
    reason: String,
    by: String,
    on: toml::value::Datetime,
}

impl Written {
    fn into_decision(self, is_same: bool) -> Decision {
        let ids = [format!("{}:{}", self.source, self.source_id), self.other];
        Decision {
            entity: self.kind,
            is_same,
            ids,
            reason: self.reason,
            by: self.by,
            on: self.on.to_string(),
        }
    }
}
