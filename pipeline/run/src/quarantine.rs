//! Rows that a snapshot sets aside, counted by kind.

use std::collections::BTreeMap;

use fdna_lake::{Lake, SnapshotManifest};
use fdna_schemas::tables::{ContractReader as _, QuarantineReader};
use fdna_schemas::{TableReader, is_quarantine};

/// Rows of a snapshot's newest capture that are set aside, by kind and severity. Earlier captures tell most of
/// the same rows again: counted together, nobody could tell what is wrong now.
pub fn count_quarantined(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<Vec<(String, usize)>> {
    // A snapshot of the catalog has one for each sport.
    if manifest.table(QuarantineReader::TABLE).is_none() {
        return quarantine_of_sports(lake, manifest);
    }
    let batch = lake.read_snapshot_table(manifest, QuarantineReader::TABLE)?;
    let newest = manifest.captures.iter().max_by_key(|c| c.captured_at).map(|c| c.id.as_str());
    let rows = QuarantineReader::of(&batch);
    let kinds_of = rows.kind()?.into_iter().zip(rows.severity()?);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for (capture, (kind, severity)) in rows.capture()?.into_iter().zip(kinds_of) {
        if Some(capture) != newest {
            continue;
        }
        let kind = if severity == "note" { format!("{kind} (note)") } else { kind.to_owned() };
        *kinds.entry(kind).or_default() += 1;
    }
    Ok(kinds.into_iter().collect())
}

/// The same of each sport: rows of every capture that counts, since each tells of files that no other one has.
fn quarantine_of_sports(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<Vec<(String, usize)>> {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for table in manifest.tables.iter().filter(|table| is_quarantine(&table.name) && table.rows > 0) {
        let rows = lake.read_snapshot_table(manifest, &table.name)?;
        let rows = TableReader::new(&table.name, &rows);
        let sport = table.name.strip_suffix("_quarantine").unwrap_or(&table.name);
        for (kind, severity) in rows.texts("kind")?.into_iter().zip(rows.texts("severity")?) {
            let note = if severity == "note" { " (note)" } else { "" };
            *kinds.entry(format!("{sport} {kind}{note}")).or_default() += 1;
        }
    }
    Ok(kinds.into_iter().collect())
}
