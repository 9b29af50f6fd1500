//! Rows of one file against the source's contract: required values, null tokens, refusals.

use std::collections::HashMap;

use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::{ColumnRule, SourceFile};
use polars::prelude::StringChunked;

use crate::csv_table::CsvTable;

/// Why a row is set aside.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) kind: FindingKind,
    pub(crate) severity: Severity,
    pub(crate) reason: String,
}

impl Refusal {
    pub(crate) fn new(kind: FindingKind, reason: impl Into<String>) -> Self {
        Self { kind, severity: Severity::Quarantine, reason: reason.into() }
    }

    pub(crate) fn note(kind: FindingKind, reason: impl Into<String>) -> Self {
        Self { kind, severity: Severity::Note, reason: reason.into() }
    }
}

/// A file's columns in the order of its contract.
pub(crate) struct Columns<'a> {
    names: Vec<(&'a str, ColumnRule)>,
    columns: Vec<&'a StringChunked>,
    null_tokens: &'a [String],
}

impl<'a> Columns<'a> {
    /// `None` if a column of the contract is missing; findings say which, and which are new.
    pub(crate) fn bind(
        table: &'a CsvTable,
        file: &'a SourceFile,
        null_tokens: &'a [String],
        findings: &mut Vec<Finding>,
    ) -> Option<Self> {
        let known = |h: &String| file.columns.iter().any(|c| &c.name == h);
        for header in table.header.iter().filter(|h| !known(h)) {
            let reason = format!("column `{header}` is not in the contract");
            findings.push(of_file(file, FindingKind::UnknownColumn, Severity::Note, reason));
        }
        let missing = |name: &String| !table.header.contains(name);
        let mut complete = true;
        for column in file.columns.iter().filter(|c| missing(&c.name)) {
            let reason = format!("column `{}` is missing", column.name);
            findings.push(of_file(file, FindingKind::MissingColumn, Severity::Fatal, reason));
            complete = false;
        }
        let columns = file.columns.iter().filter_map(|c| table.column(&c.name)).collect::<Vec<_>>();
        let names = file.columns.iter().map(|c| (c.name.as_str(), c.rule)).collect::<Vec<_>>();
        // A file without rows has no columns to bind.
        (complete && columns.len() == names.len()).then_some(Self { names, columns, null_tokens })
    }

    pub(crate) fn row(&self, index: usize) -> Row<'_> {
        Row { columns: self, index }
    }
}

/// A finding about a file as a whole.
pub(crate) fn of_file(file: &SourceFile, kind: FindingKind, severity: Severity, reason: String) -> Finding {
    Finding { kind, severity, file: file.name.clone(), line: 0, key: None, reason, raw: None }
}

/// One row.
pub(crate) struct Row<'a> {
    columns: &'a Columns<'a>,
    index: usize,
}

impl Row<'_> {
    /// The value, outer spaces removed; `None` for the source's ways of writing "not known".
    pub(crate) fn optional(&self, name: &str) -> Option<&str> {
        let i = self.columns.names.iter().position(|(n, _)| *n == name)?;
        let text = self.columns.columns[i].get(self.index)?.trim();
        let null = self.columns.null_tokens.iter().any(|token| token == text);
        (!null).then_some(text)
    }

    pub(crate) fn required(&self, name: &str) -> Result<&str, Refusal> {
        self.optional(name)
            .ok_or_else(|| Refusal::new(FindingKind::MissingValue, format!("`{name}` has no value")))
    }

    /// A required value, read.
    pub(crate) fn read<T>(&self, name: &str, reader: impl Fn(&str) -> Option<T>) -> Result<T, Refusal> {
        let text = self.required(name)?;
        reader(text).ok_or_else(|| unreadable(name, text))
    }

    /// A value that may be unknown, read; a text that is there but unreadable is not unknown.
    pub(crate) fn read_optional<T>(
        &self,
        name: &str,
        reader: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Refusal> {
        let text = self.optional(name);
        text.map(|text| reader(text).ok_or_else(|| unreadable(name, text))).transpose()
    }

    /// Whether all columns but the named ones are without a value.
    pub(crate) fn is_empty_but(&self, names: &[&str]) -> bool {
        let others = self.columns.names.iter().filter(|(n, _)| !names.contains(n));
        others.into_iter().all(|(name, _)| self.optional(name).is_none())
    }

    /// All values as `NAME=value`, for a finding about a row that was decoded.
    pub(crate) fn text(&self) -> String {
        let value = |i: usize| self.columns.columns[i].get(self.index).unwrap_or("");
        let pairs = self.columns.names.iter().enumerate();
        pairs.map(|(i, (name, _))| format!("{name}={}", value(i))).collect::<Vec<_>>().join("; ")
    }
}

fn unreadable(name: &str, text: &str) -> Refusal {
    Refusal::new(FindingKind::UnreadableValue, format!("`{name}` is `{text}`"))
}

/// Refuses the second row of an id: the same once more is a note, another one is set aside.
#[derive(Default)]
pub(crate) struct Seen {
    rows: HashMap<String, (i32, String)>,
    /// Whether a row stands before one of its id that was taken over from another capture, and would refuse it.
    pub(crate) is_late: bool,
}

impl Seen {
    /// With rows that are taken over from another capture, of distinct ids.
    pub(crate) fn with(rows: HashMap<String, (i32, String)>) -> Self {
        Self { rows, is_late: false }
    }

    pub(crate) fn check(&mut self, id: &str, line: i32, digest: &str) -> Result<(), Refusal> {
        match self.rows.get(id) {
            None => {
                self.rows.insert(id.to_owned(), (line, digest.to_owned()));
                Ok(())
            }
            Some((first, _)) if *first > line => {
                self.is_late = true;
                Ok(())
            }
            Some((first, same)) if same == digest => {
                Err(Refusal::note(FindingKind::Duplicate, format!("the same row as line {first}")))
            }
            Some((first, _)) => Err(Refusal::new(
                FindingKind::Duplicate,
                format!("`{id}` stands with other values on line {first}"),
            )),
        }
    }
}
