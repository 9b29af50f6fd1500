//! What is kept of merged tables between runs.

use std::collections::BTreeMap;

use super::track::Tracked;
use super::{Change, Correction, Merged, MergedTable, RULES, Seen};
use crate::layout::Value;
use crate::merging::{In, Kept, Out};

impl Kept for Merged {
    fn put(&self, out: &mut Out) {
        self.layouts.put(out);
        self.captures.put(out);
        self.tables.iter().for_each(|table| table.put(out));
        self.corrections.put(out);
    }

    fn take(from: &mut In<'_>) -> Option<Self> {
        let mut merged = Self::new().ok()?;
        merged.layouts = Kept::take(from)?;
        merged.captures = Kept::take(from)?;
        for table in &mut merged.tables {
            table.fill(from)?;
        }
        merged.corrections = Kept::take(from)?;
        merged.is_sound().then_some(merged)
    }
}

impl Merged {
    /// Whether every capture and layout that is spoken of is there.
    fn is_sound(&self) -> bool {
        let (captures, layouts) = (self.captures.len(), self.layouts.len());
        let is_sound = |row: &Tracked| row.is_within(captures, layouts);
        self.captures.iter().all(|seen| seen.layout < layouts)
            && self.corrections.iter().all(|c| c.replaced.max(c.change.first).max(c.change.last) < captures)
            && self.tables.iter().all(|t| t.rows.iter().flatten().all(is_sound))
    }
}

impl MergedTable {
    fn put(&self, out: &mut Out) {
        self.rows.put(out);
    }

    fn fill(&mut self, from: &mut In<'_>) -> Option<()> {
        self.rows = Kept::take(from)?;
        let mut places = BTreeMap::new();
        for (place, tracked) in self.rows.iter().enumerate() {
            let Some(tracked) = tracked else { continue };
            if tracked.row.len() != self.table.columns.len() {
                return None;
            }
            let key: Vec<Value> = self.key.iter().map(|i| tracked.row[*i].clone()).collect();
            places.insert(key, place);
        }
        self.places = places;
        Some(())
    }
}

impl Kept for Seen {
    fn put(&self, out: &mut Out) {
        self.id.put(out);
        self.at.put(out);
        self.layout.put(out);
    }

    fn take(from: &mut In<'_>) -> Option<Self> {
        Some(Self { id: Kept::take(from)?, at: Kept::take(from)?, layout: Kept::take(from)? })
    }
}

impl Kept for Correction {
    fn put(&self, out: &mut Out) {
        self.kind.to_owned().put(out);
        self.key.put(out);
        self.change.put(out);
        self.replaced.put(out);
    }

    fn take(from: &mut In<'_>) -> Option<Self> {
        let kind = from.text()?;
        let kind = RULES.iter().map(|rule| rule.kind).find(|name| **name == *kind)?;
        let key = Vec::<Value>::take(from)?;
        if key.is_empty() {
            return None;
        }
        Some(Self { kind, key, change: Kept::take(from)?, replaced: Kept::take(from)? })
    }
}

impl Kept for Change {
    fn put(&self, out: &mut Out) {
        self.field.put(out);
        self.change.to_owned().put(out);
        self.old.put(out);
        self.new.put(out);
        self.first.put(out);
        self.last.put(out);
    }

    fn take(from: &mut In<'_>) -> Option<Self> {
        let field = Kept::take(from)?;
        let change = from.text()?;
        let change = ["changed", "filled", "withdrawn"].into_iter().find(|name| **name == *change)?;
        let (old, new) = (Kept::take(from)?, Kept::take(from)?);
        Some(Self { field, change, old, new, first: Kept::take(from)?, last: Kept::take(from)? })
    }
}
