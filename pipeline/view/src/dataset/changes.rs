//! Corrections, additions and merges in the order of time.

use std::collections::HashSet;
use std::ops::Range;

use arrow::array::{Array as _, RecordBatch, StringArray};
use chrono::{DateTime, Utc};
use fdna_api::Change;
use fdna_schemas::tables::{
    AliasesReader, AliasesRow, ColumnPlace, ContractReader as _, CorrectionsReader, CorrectionsRow,
    IdentitiesReader, IdentitiesRow,
};
use uuid::Uuid;

use super::DatasetError;
use super::columns::{column, instant};

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
    /// Of the tables `identities`, `aliases` and `corrections`.
    pub(crate) fn read([identities, aliases, corrections]: [&RecordBatch; 3]) -> Result<Self, DatasetError> {
        let (added, seen) = AddedEntity::read(identities)?;
        let (merged, since) = MergedEntity::read(aliases)?;
        let (corrected, replaced) = CorrectedValue::read(corrections)?;
        let mut order = additions(&added, &seen);
        order.extend(entries(ChangeSource::Merged, &since));
        order.extend(entries(ChangeSource::Corrected, &replaced));
        // Stable: rows of one instant stay in the order of their tables.
        order.sort_by_key(|entry| entry.at);
        Ok(Self { order, added, corrected, merged })
    }

    /// Places of the changes from an instant on.
    pub(crate) fn since(&self, at: Option<DateTime<Utc>>) -> Range<usize> {
        let first = at.map_or(0, |at| self.order.partition_point(|entry| entry.at < at));
        first..self.order.len()
    }

    /// Those of them that are of some entities.
    pub(crate) fn of(&self, places: Range<usize>, entities: &[Uuid]) -> Vec<usize> {
        places.filter(|place| entities.contains(&self.entity(self.order[*place]))).collect()
    }

    /// The change at a place.
    pub(crate) fn at(&self, place: usize) -> Change<'_> {
        let entry = &self.order[place];
        match entry.says {
            ChangeSource::Added => self.added.wire(entry, "added"),
            ChangeSource::Linked => self.added.wire(entry, "linked"),
            ChangeSource::Merged => self.merged.wire(entry),
            ChangeSource::Corrected => self.corrected.wire(entry),
        }
    }

    fn entity(&self, entry: ChangeEntry) -> Uuid {
        match entry.says {
            ChangeSource::Added | ChangeSource::Linked => self.added.entity[entry.row],
            ChangeSource::Merged => self.merged.entity[entry.row],
            ChangeSource::Corrected => self.corrected.entity[entry.row],
        }
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
        let table = IdentitiesReader::of(batch);
        let texts = |place: ColumnPlace| column(batch, IdentitiesReader::TABLE, place.name);
        let added = Self {
            kind: texts(IdentitiesRow::KIND)?,
            entity: table.entity_id()?,
            source: texts(IdentitiesRow::SOURCE)?,
            source_id: texts(IdentitiesRow::SOURCE_ID)?,
            capture: texts(IdentitiesRow::FIRST_SEEN_CAPTURE)?,
        };
        Ok((added, table.first_seen_at()?))
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
        let table = AliasesReader::of(batch);
        let texts = |place: ColumnPlace| column(batch, AliasesReader::TABLE, place.name);
        let merged = Self {
            kind: texts(AliasesRow::KIND)?,
            entity: table.entity_id()?,
            alias: texts(AliasesRow::ALIAS_ID)?,
            capture: texts(AliasesRow::SINCE_CAPTURE)?,
        };
        Ok((merged, table.since_at()?))
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
    first_seen: Vec<DateTime<Utc>>,
    last_seen: Vec<DateTime<Utc>>,
    capture: StringArray,
}

impl CorrectedValue {
    fn read(batch: &RecordBatch) -> Result<(Self, Vec<DateTime<Utc>>), DatasetError> {
        let table = CorrectionsReader::of(batch);
        let texts = |place: ColumnPlace| column(batch, CorrectionsReader::TABLE, place.name);
        let corrected = Self {
            kind: texts(CorrectionsRow::KIND)?,
            entity: table.entity_id()?,
            part: texts(CorrectionsRow::PART)?,
            field: texts(CorrectionsRow::FIELD)?,
            change: texts(CorrectionsRow::CHANGE)?,
            old: texts(CorrectionsRow::OLD)?,
            new: texts(CorrectionsRow::NEW)?,
            first_seen: table.old_first_seen_at()?,
            last_seen: table.old_last_seen_at()?,
            capture: texts(CorrectionsRow::REPLACED_BY)?,
        };
        Ok((corrected, table.replaced_at()?))
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
            old_first_seen_at: Some(instant(self.first_seen[row])),
            old_last_seen_at: Some(instant(self.last_seen[row])),
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
        name: None,
        summary: String::new(),
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
