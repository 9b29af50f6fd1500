//! Captures of the statistics source, merged one after the other; and where that stands, to be kept, so that a
//! further capture costs what it changes and not what there was before.

use std::collections::BTreeMap;
use std::io::Write;

use arrow::array::RecordBatch;
use fdna_rows::{Normalised, TableCount, TableRow, quarantine, to_batch};
use fdna_schemas::Tables;
use serde::{Deserialize, Serialize};

use crate::error::NormaliseError;
use crate::merge_table::MergeOutcome;
use crate::statsdb::{self, PreparedUnit, PreviousCapture};

/// Raised when what is kept between runs changes.
pub const STATE_FORMAT: u8 = 4;

/// Merged state of the captures so far.
#[derive(Serialize, Deserialize)]
pub struct CaptureMerger {
    merged: MergeOutcome,
    previous: PreviousCapture,
    counts: Vec<TableCount>,
    /// Rows that ingest set aside, by capture, as the table has them.
    set_aside: BTreeMap<String, Vec<TableRow>>,
    /// Rows that normalising set aside, by capture.
    found: BTreeMap<String, Vec<TableRow>>,
}

impl CaptureMerger {
    /// Of no captures yet.
    ///
    /// # Errors
    /// The contract of a table is another than this build's.
    pub fn new() -> Result<Self, NormaliseError> {
        let (previous, counts, set_aside, found) = Default::default();
        Ok(Self { merged: MergeOutcome::new()?, previous, counts, set_aside, found })
    }

    /// Writes where the merging stands, for a later run.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_checkpoint<W: Write>(&self, mut to: W) -> Result<W, postcard::Error> {
        to.write_all(&[STATE_FORMAT]).map_err(|_| postcard::Error::SerializeBufferFull)?;
        postcard::to_io(self, to)
    }

    /// Reads the bytes that [`Self::write_checkpoint`] wrote; `None` if these are something else.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let state = bytes.strip_prefix(&[STATE_FORMAT])?;
        let (mut merger, rest) = postcard::take_from_bytes::<Self>(state).ok()?;
        merger.previous.rebuild_indexes();
        (rest.is_empty() && merger.merged.is_sound()).then_some(merger)
    }

    /// Adds a capture newer than all before, or as old and of a greater id.
    ///
    /// # Errors
    /// A facts table is missing or does not follow its contract.
    pub fn add_capture(&mut self, prepared: PreparedUnit) -> Result<(), NormaliseError> {
        let capture = &prepared.facts;
        if !(statsdb::is_resolved_again(&capture.source) && self.merged.is_last_of(&capture.source)) {
            // Another layout came between, and may have said something else of anything.
            self.previous = PreviousCapture::default();
        }
        let resolved = statsdb::resolve_capture(&prepared, &mut self.previous)?;
        self.counts.extend(resolved.counts);
        let findings = resolved.findings.into_iter().map(|f| (capture.capture.clone(), "normalise", f));
        let findings = quarantine::rows_of(findings.collect());
        self.found.entry(capture.capture.clone()).or_default().extend(findings);
        let set_aside = quarantine::rows_in(&capture.set_aside)?;
        self.set_aside.entry(capture.capture.clone()).or_default().extend(set_aside);
        let (source, id, captured_at) =
            (capture.source.clone(), capture.capture.clone(), capture.captured_at);
        // Merging needs as much room as the facts, and them no more.
        drop(prepared);
        let given = self.merged.add_capture(&source, &id, captured_at, resolved.tables);
        for (table, places) in resolved.unchanged {
            self.merged.mark_unchanged(table, places);
        }
        self.previous.record_places(&given);
        Ok(())
    }

    /// As [`Self::add_capture`], with nothing known of the capture before: the same comes of it, at more cost. Tests hold
    /// the one against the other.
    ///
    /// # Errors
    /// As for [`Self::add_capture`].
    pub fn add_complete(&mut self, prepared: PreparedUnit) -> Result<(), NormaliseError> {
        self.previous = PreviousCapture::default();
        self.add_capture(prepared)
    }

    /// The normalised tables of all captures that were added.
    ///
    /// # Errors
    /// A table cannot be built.
    pub fn finish(mut self) -> Result<Normalised, NormaliseError> {
        for (capture, finding) in self.merged.remove_contradictions() {
            let rows = quarantine::rows_of(vec![(capture.clone(), "normalise", finding)]);
            self.found.entry(capture).or_default().extend(rows);
        }
        let mut tables = self.merged.into_tables()?;
        tables.push(("quarantine".to_owned(), set_aside_in_all(self.set_aside, self.found)?));
        tables.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Normalised { tables, counts: self.counts })
    }
}

/// Sorted by capture, then `ingest` before `normalise`.
fn set_aside_in_all(
    mut set_aside: BTreeMap<String, Vec<TableRow>>,
    found: BTreeMap<String, Vec<TableRow>>,
) -> Result<RecordBatch, NormaliseError> {
    let mut rows = Vec::new();
    for (capture, found) in found {
        rows.extend(set_aside.remove(&capture).unwrap_or_default());
        rows.extend(quarantine::sort_rows(found)?);
    }
    Ok(to_batch(Tables::get().table("quarantine")?, &rows)?)
}
