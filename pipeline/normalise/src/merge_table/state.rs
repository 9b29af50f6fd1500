//! What is kept of merged tables between runs.

use std::collections::BTreeMap;

use super::track::TrackedRow;
use super::{MergeOutcome, MergedTable, RULES, RowChange, SeenCapture, ValueCorrection};
use crate::capture_merger::{CheckpointReader, CheckpointWriter, Checkpointed};
use fdna_rows::CellValue;

impl Checkpointed for MergeOutcome {
    fn put(&self, out: &mut CheckpointWriter) {
        self.layouts.put(out);
        self.captures.put(out);
        self.tables.iter().for_each(|table| table.put(out));
        self.corrections.put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        let mut merged = Self::new().ok()?;
        merged.layouts = Checkpointed::take(from)?;
        merged.captures = Checkpointed::take(from)?;
        for table in &mut merged.tables {
            table.fill(from)?;
        }
        merged.corrections = Checkpointed::take(from)?;
        merged.is_sound().then_some(merged)
    }
}

impl MergeOutcome {
    /// Whether every capture and layout that is spoken of is there.
    fn is_sound(&self) -> bool {
        let (captures, layouts) = (self.captures.len(), self.layouts.len());
        let is_sound = |row: &TrackedRow| row.is_within(captures, layouts);
        self.captures.iter().all(|seen| seen.layout < layouts)
            && self.corrections.iter().all(|c| c.replaced.max(c.change.first).max(c.change.last) < captures)
            && self.tables.iter().all(|t| t.rows.iter().flatten().all(is_sound))
    }
}

impl MergedTable {
    fn put(&self, out: &mut CheckpointWriter) {
        self.rows.put(out);
    }

    fn fill(&mut self, from: &mut CheckpointReader<'_>) -> Option<()> {
        self.rows = Checkpointed::take(from)?;
        let mut places = BTreeMap::new();
        for (place, tracked) in self.rows.iter().enumerate() {
            let Some(tracked) = tracked else { continue };
            if tracked.row.len() != self.table.columns.len() {
                return None;
            }
            let key: Vec<CellValue> = self.key.iter().map(|i| tracked.row[*i].clone()).collect();
            places.insert(key, place);
        }
        self.places = places;
        Some(())
    }
}

impl Checkpointed for SeenCapture {
    fn put(&self, out: &mut CheckpointWriter) {
        self.id.put(out);
        self.at.put(out);
        self.layout.put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Some(Self {
            id: Checkpointed::take(from)?,
            at: Checkpointed::take(from)?,
            layout: Checkpointed::take(from)?,
        })
    }
}

impl Checkpointed for ValueCorrection {
    fn put(&self, out: &mut CheckpointWriter) {
        self.kind.to_owned().put(out);
        self.key.put(out);
        self.change.put(out);
        self.replaced.put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        let kind = from.text()?;
        let kind = RULES.iter().map(|rule| rule.kind).find(|name| **name == *kind)?;
        let key = Vec::<CellValue>::take(from)?;
        if key.is_empty() {
            return None;
        }
        Some(Self { kind, key, change: Checkpointed::take(from)?, replaced: Checkpointed::take(from)? })
    }
}

impl Checkpointed for RowChange {
    fn put(&self, out: &mut CheckpointWriter) {
        self.field.put(out);
        self.change.to_owned().put(out);
        self.old.put(out);
        self.new.put(out);
        self.first.put(out);
        self.last.put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        let field = Checkpointed::take(from)?;
        let change = from.text()?;
        let change = ["changed", "filled", "withdrawn"].into_iter().find(|name| **name == *change)?;
        let (old, new) = (Checkpointed::take(from)?, Checkpointed::take(from)?);
        Some(Self {
            field,
            change,
            old,
            new,
            first: Checkpointed::take(from)?,
            last: Checkpointed::take(from)?,
        })
    }
}
