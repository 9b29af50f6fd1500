//! Corrections, additions and merges in the order of time.

use std::collections::HashSet;

use arrow::array::{Array as _, RecordBatch, StringArray};
use chrono::{DateTime, Utc};
use fdna_api::Change;
use fdna_schemas::TableReader;
use uuid::Uuid;

use super::columns::{column, instant};
use super::{DatasetError, SnapshotTables, never_null};

/// All changes, oldest first, those of one instant in the order of tables and keys. Rows stay in their columns.
#[derive(Debug)]
pub(crate) struct ChangeHistory {
    order: Vec<ChangeEntry>,
    added: AddedEntity,
    corrected: CorrectedValue,
    merged: MergedEntity,
}

/// A change: when, and which row of which table says so.
#[derive(Debug, Clone, Copy)]
struct ChangeEntry {
    at: DateTime<Utc>,
    says: ChangeSource,
    row: usize,
}

#[derive(Debug, Clone, Copy)]
enum ChangeSource {
    Added,
    Linked,
    Merged,
    Corrected,
}

impl ChangeHistory {
    pub(crate) fn read(tables: &SnapshotTables) -> Result<Self, DatasetError> {
        let (added, seen) = AddedEntity::read(&tables.identities)?;
        let (merged, since) = MergedEntity::read(&tables.aliases)?;
        let (corrected, replaced) = CorrectedValue::read(&tables.corrections)?;
        let mut order = additions(&added, &seen);
        order.extend(entries(ChangeSource::Merged, &since));
        order.extend(entries(ChangeSource::Corrected, &replaced));
        // Stable: rows of one instant stay in the order of their tables.
        order.sort_by_key(|entry| entry.at);
        Ok(Self { order, added, corrected, merged })
    }

    /// How many there are from an instant on, and the place of the first.
    pub(crate) fn since(&self, at: Option<DateTime<Utc>>) -> (usize, usize) {
        let first = at.map_or(0, |at| self.order.partition_point(|entry| entry.at < at));
        (self.order.len() - first, first)
    }

    /// The changes from a place on.
    pub(crate) fn from(&self, place: usize) -> impl Iterator<Item = Change<'_>> {
        self.order.iter().skip(place).map(|entry| match entry.says {
            ChangeSource::Added => self.added.wire(entry, "added"),
            ChangeSource::Linked => self.added.wire(entry, "linked"),
            ChangeSource::Merged => self.merged.wire(entry),
            ChangeSource::Corrected => self.corrected.wire(entry),
        })
    }
}

fn entries(says: ChangeSource, times: &[DateTime<Utc>]) -> impl Iterator<Item = ChangeEntry> {
    times.iter().enumerate().map(move |(row, at)| ChangeEntry { at: *at, says, row })
}

/// The first id that was seen of an entity adds it, the others are links.
fn additions(added: &AddedEntity, seen: &[DateTime<Utc>]) -> Vec<ChangeEntry> {
    let mut order: Vec<ChangeEntry> = entries(ChangeSource::Added, seen).collect();
    order.sort_by_key(|entry| entry.at);
    let mut known = HashSet::new();
    for entry in &mut order {
        if !known.insert((added.kind.value(entry.row), added.entity[entry.row])) {
            entry.says = ChangeSource::Linked;
        }
    }
    order
}

fn times(
    batch: &RecordBatch,
    table: &'static str,
    name: &'static str,
) -> Result<Vec<DateTime<Utc>>, DatasetError> {
    let times = TableReader::new(table, batch).instants(name)?;
    times.into_iter().map(|at| never_null(at, table, name)).collect()
}

/// The `identities` table.
#[derive(Debug)]
struct AddedEntity {
    kind: StringArray,
    entity: Vec<Uuid>,
    source: StringArray,
    source_id: StringArray,
    capture: StringArray,
}

impl AddedEntity {
    fn read(batch: &RecordBatch) -> Result<(Self, Vec<DateTime<Utc>>), DatasetError> {
        const TABLE: &str = "identities";
        let added = Self {
            kind: column(batch, TABLE, "kind")?,
            entity: TableReader::new(TABLE, batch).ids("entity_id")?,
            source: column(batch, TABLE, "source")?,
            source_id: column(batch, TABLE, "source_id")?,
            capture: column(batch, TABLE, "first_seen_capture")?,
        };
        Ok((added, times(batch, TABLE, "first_seen_at")?))
    }

    fn wire(&self, entry: &ChangeEntry, change: &'static str) -> Change<'_> {
        let row = entry.row;
        Change {
            source: Some(self.source.value(row)),
            source_id: Some(self.source_id.value(row)),
            ..about(entry, change, self.kind.value(row), self.entity[row], self.capture.value(row))
        }
    }
}

/// The `aliases` table.
#[derive(Debug)]
struct MergedEntity {
    kind: StringArray,
    entity: Vec<Uuid>,
    alias: StringArray,
    capture: StringArray,
}

impl MergedEntity {
    fn read(batch: &RecordBatch) -> Result<(Self, Vec<DateTime<Utc>>), DatasetError> {
        const TABLE: &str = "aliases";
        let merged = Self {
            kind: column(batch, TABLE, "kind")?,
            entity: TableReader::new(TABLE, batch).ids("entity_id")?,
            alias: column(batch, TABLE, "alias_id")?,
            capture: column(batch, TABLE, "since_capture")?,
        };
        Ok((merged, times(batch, TABLE, "since_at")?))
    }

    fn wire(&self, entry: &ChangeEntry) -> Change<'_> {
        let row = entry.row;
        let old = Some(self.alias.value(row));
        Change {
            old,
            ..about(entry, "merged", self.kind.value(row), self.entity[row], self.capture.value(row))
        }
    }
}

/// The `corrections` table.
#[derive(Debug)]
struct CorrectedValue {
    kind: StringArray,
    entity: Vec<Uuid>,
    part: StringArray,
    field: StringArray,
    change: StringArray,
    old: StringArray,
    new: StringArray,
    first_seen: Vec<Option<DateTime<Utc>>>,
    last_seen: Vec<Option<DateTime<Utc>>>,
    capture: StringArray,
}

impl CorrectedValue {
    fn read(batch: &RecordBatch) -> Result<(Self, Vec<DateTime<Utc>>), DatasetError> {
        const TABLE: &str = "corrections";
        let table = TableReader::new(TABLE, batch);
        let corrected = Self {
            kind: column(batch, TABLE, "kind")?,
            entity: table.ids("entity_id")?,
            part: column(batch, TABLE, "part")?,
            field: column(batch, TABLE, "field")?,
            change: column(batch, TABLE, "change")?,
            old: column(batch, TABLE, "old")?,
            new: column(batch, TABLE, "new")?,
            first_seen: table.instants("old_first_seen_at")?,
            last_seen: table.instants("old_last_seen_at")?,
            capture: column(batch, TABLE, "replaced_by")?,
        };
        Ok((corrected, times(batch, TABLE, "replaced_at")?))
    }

    fn wire(&self, entry: &ChangeEntry) -> Change<'_> {
        let row = entry.row;
        let known = |values: &StringArray| values.is_valid(row);
        let kind = self.kind.value(row);
        Change {
            part: Some(self.part.value(row)).filter(|part| !part.is_empty()),
            field: Some(self.field.value(row)),
            old: known(&self.old).then(|| self.old.value(row)),
            new: known(&self.new).then(|| self.new.value(row)),
            old_first_seen_at: self.first_seen[row].map(instant),
            old_last_seen_at: self.last_seen[row].map(instant),
            ..about(entry, self.change.value(row), kind, self.entity[row], self.capture.value(row))
        }
    }
}

/// What every change says.
fn about<'a>(
    entry: &ChangeEntry,
    change: &'a str,
    kind: &'a str,
    entity: Uuid,
    capture: &'a str,
) -> Change<'a> {
    Change {
        at: instant(entry.at),
        change,
        kind,
        entity_id: entity.into(),
        part: None,
        field: None,
        old: None,
        new: None,
        old_first_seen_at: None,
        old_last_seen_at: None,
        capture,
        source: None,
        source_id: None,
    }
}
