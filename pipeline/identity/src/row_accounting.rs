//! Accounting for the rows of a source with its own bout ids: rows of our tables, findings, and
//! counts of every facts table.

use std::collections::{BTreeMap, HashMap, HashSet};

use arrow::array::RecordBatch;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_rows::{CaptureFacts, RowsError, TableCount, TableRow, sorted_batch};
use fdna_schemas::tables::ContractReader;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use uuid::Uuid;

use super::claims::{EventClaim, FirstSeen};
use super::registry::{EntityRegistry, LinkedBout};

/// Tables and findings of one group of sources.
#[derive(Default)]
pub(crate) struct RowAccounting {
    tables: BTreeMap<&'static str, Vec<TableRow>>,
    /// Capture, and what was set aside or noted of it.
    pub(crate) findings: Vec<(String, Finding)>,
    pub(crate) counts: Vec<TableCount>,
}

/// Bouts of ours by the source's ids.
pub(super) type LinkedBouts = BTreeMap<String, LinkedBout>;

impl RowAccounting {
    pub(super) fn insert_rows(&mut self, table: &'static str, rows: Vec<TableRow>) {
        self.tables.insert(table, rows);
    }

    /// Both together.
    pub(super) fn merge_with(mut self, other: Self) -> Self {
        for (table, rows) in other.tables {
            self.tables.entry(table).or_default().extend(rows);
        }
        self.findings.extend(other.findings);
        self.counts.extend(other.counts);
        self
    }

    pub(super) fn build_tables(&mut self) -> Result<Vec<(String, RecordBatch)>, RowsError> {
        let tables = std::mem::take(&mut self.tables).into_par_iter();
        let made: Vec<_> = tables.map(|(name, rows)| sorted_batch(name, rows)).collect();
        made.into_iter().collect()
    }
}

/// Position of a facts row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowPosition<'a> {
    pub(super) file: &'a str,
    pub(super) line: i32,
}

/// One facts table of one capture.
pub(super) struct AccountedRow<'a> {
    capture: &'a str,
    table: &'static str,
    rows: usize,
    set_aside: usize,
    /// The file, and rows of bouts that no source of ours has.
    unmatched: BTreeMap<&'a str, usize>,
    findings: Vec<Finding>,
}

impl<'a> AccountedRow<'a> {
    /// # Errors
    /// The capture has no such table.
    pub(super) fn open_table<R: ContractReader<'a>>(
        capture: &'a CaptureFacts,
    ) -> Result<(Self, R), RowsError> {
        let batch = capture.table_batch(R::TABLE)?;
        let entry = Self {
            capture: &capture.capture,
            table: R::TABLE,
            rows: batch.num_rows(),
            set_aside: 0,
            unmatched: BTreeMap::new(),
            findings: Vec::new(),
        };
        Ok((entry, R::of(batch)))
    }

    pub(super) fn set_aside(&mut self, at: RowPosition<'_>, kind: FindingKind, reason: String) {
        self.set_aside += 1;
        self.push_finding(at, kind, Severity::Quarantine, reason);
    }

    pub(super) fn add_note(&mut self, at: RowPosition<'_>, kind: FindingKind, reason: String) {
        self.push_finding(at, kind, Severity::Note, reason);
    }

    /// A row of a bout that no source of ours has: counted, and told once for the file.
    pub(super) fn count_unmatched(&mut self, at: RowPosition<'a>) {
        self.set_aside += 1;
        *self.unmatched.entry(at.file).or_default() += 1;
    }

    fn push_finding(&mut self, at: RowPosition<'_>, kind: FindingKind, severity: Severity, reason: String) {
        let (file, line) = (at.file.to_owned(), at.line);
        self.findings.push(Finding { kind, severity, file, line, key: None, reason, raw: None });
    }

    pub(super) fn close_into(mut self, accounting: &mut RowAccounting) {
        for (file, rows) in std::mem::take(&mut self.unmatched) {
            let reason = format!("{rows} rows are of bouts that no other source has");
            self.add_note(RowPosition { file, line: 0 }, FindingKind::UnknownBout, reason);
        }
        let findings = self.findings.into_iter().map(|finding| (self.capture.to_owned(), finding));
        accounting.findings.extend(findings);
        accounting.counts.push(TableCount {
            capture: self.capture.to_owned(),
            table: self.table.to_owned(),
            rows_in: self.rows,
            rows_out: self.rows - self.set_aside,
            set_aside: self.set_aside,
        });
    }
}

/// The capture as claims name it.
pub(super) fn first_seen(capture: &CaptureFacts) -> FirstSeen {
    FirstSeen { at: capture.captured_at, capture: capture.capture.clone() }
}

/// Links the claims of a source. Each of our bouts matches at most one source bout.
pub(super) fn link_claims(registry: &mut EntityRegistry, claims: &[EventClaim]) -> LinkedBouts {
    let found = registry.link_events(claims);
    let mut taken: HashSet<Uuid> = HashSet::new();
    let pairs = claims.iter().zip(found).flat_map(|(claim, found)| claim.bouts.iter().zip(found));
    let ours = pairs.filter_map(|(bout, linked)| Some((bout.source_id.clone(), linked?)));
    ours.filter(|(_, linked)| taken.insert(linked.bout)).collect()
}

/// Gives the bouts and fighters the ids that they have for good.
pub(super) fn rename_bouts(ours: &mut LinkedBouts, renamed: &HashMap<Uuid, Uuid>) {
    let new = |id: Uuid| renamed.get(&id).copied().unwrap_or(id);
    for linked in ours.values_mut() {
        let LinkedBout { event, bout, fighters } = *linked;
        *linked = LinkedBout { event: new(event), bout: new(bout), fighters: fighters.map(new) };
    }
}
