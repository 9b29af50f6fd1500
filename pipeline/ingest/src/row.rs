//! Rows of one file against the source's contract: required values, null tokens, refusals.

use std::collections::HashMap;

use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::{ColumnRule, SourceContract, SourceFile};

use crate::csv_reader::CsvRows;
use crate::fact_rows::RowPlace;

/// Why a row is set aside.
#[derive(Debug, Clone)]
pub(crate) struct RowError {
    pub(crate) kind: FindingKind,
    pub(crate) severity: Severity,
    pub(crate) reason: String,
}

impl RowError {
    pub(crate) fn new(kind: FindingKind, reason: impl Into<String>) -> Self {
        Self { kind, severity: Severity::Quarantine, reason: reason.into() }
    }

    pub(crate) fn note(kind: FindingKind, reason: impl Into<String>) -> Self {
        Self { kind, severity: Severity::Note, reason: reason.into() }
    }
}

/// Where a file has the columns of its contract.
pub(crate) struct BoundHeader<'a> {
    /// In the order of the contract, with their places in the header.
    columns: Vec<(&'a str, usize)>,
    /// Columns that the contract does not name, where they are kept.
    unknown: Vec<(String, usize)>,
    null_tokens: &'a [String],
}

impl<'a> BoundHeader<'a> {
    /// `None` if a column of the contract is missing that a file may not lack; findings say which, and which are
    /// new unless they are kept. Of columns that share a name the first counts.
    pub(crate) fn bind(
        header: &[String],
        source: &'a SourceContract,
        file: &'a SourceFile,
        findings: &mut Vec<Finding>,
    ) -> Option<Self> {
        let place = |name: &str| header.iter().position(|header| header == name);
        let known = |name: &str| file.header().any(|(column, _)| column == name);
        let new: Vec<&String> = header.iter().filter(|name| !known(name)).collect();
        if !source.keeps_unknown() {
            let reason = |header: &&String| format!("column `{header}` is not in the contract");
            let note = |reason| of_file(file, FindingKind::UnknownColumn, Severity::Note, reason);
            findings.extend(new.iter().map(reason).map(note));
        }
        let missing = file.header().filter(|(column, _)| place(column).is_none());
        let mut is_complete = true;
        for (column, _) in missing.filter(|(_, rule)| *rule != ColumnRule::Optional) {
            let reason = format!("column `{column}` is missing");
            findings.push(of_file(file, FindingKind::MissingColumn, Severity::Fatal, reason));
            is_complete = false;
        }
        let columns = file.header().filter_map(|(column, _)| Some((column, place(column)?)));
        let unknown = new.into_iter().filter(|_| source.keeps_unknown());
        let unknown = unknown.filter_map(|name| Some((name.clone(), place(name)?)));
        is_complete.then(|| Self {
            columns: columns.collect(),
            unknown: unknown.collect(),
            null_tokens: &source.null_tokens,
        })
    }

    /// Where a column stands; none of one that the file lacks.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().find(|(own, _)| *own == name).map(|(_, place)| *place)
    }

    pub(crate) fn null_tokens(&self) -> &'a [String] {
        self.null_tokens
    }
}

/// A finding about a file as a whole.
pub(crate) fn of_file(file: &SourceFile, kind: FindingKind, severity: Severity, reason: String) -> Finding {
    Finding { kind, severity, file: file.name.clone(), line: 0, key: None, reason, raw: None }
}

/// One row.
pub(crate) struct CsvRow<'a> {
    pub(crate) header: &'a BoundHeader<'a>,
    pub(crate) rows: &'a CsvRows,
    pub(crate) index: usize,
}

impl CsvRow<'_> {
    /// The value, outer spaces removed; `None` for the source's ways of writing "not known".
    pub(crate) fn optional(&self, name: &str) -> Option<&str> {
        self.value(self.header.place(name)?)
    }

    /// What stands at this place of the header; `None` if it is empty.
    pub(crate) fn cell(&self, place: usize) -> Option<&str> {
        self.rows.text(self.index, place)
    }

    fn value(&self, place: usize) -> Option<&str> {
        let text = self.cell(place)?.trim();
        let null = self.header.null_tokens.iter().any(|token| token == text);
        (!null).then_some(text)
    }

    pub(crate) fn required(&self, name: &str) -> Result<&str, RowError> {
        self.optional(name).ok_or_else(|| missing_value(&[name]))
    }

    /// A required value, read.
    pub(crate) fn read<T>(&self, name: &str, reader: impl Fn(&str) -> Option<T>) -> Result<T, RowError> {
        let text = self.required(name)?;
        reader(text).ok_or_else(|| unreadable_value(&[name], text))
    }

    /// A value that may be unknown, read; a text that is there but unreadable is not unknown.
    pub(crate) fn read_optional<T>(
        &self,
        name: &str,
        reader: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, RowError> {
        let text = self.optional(name);
        text.map(|text| reader(text).ok_or_else(|| unreadable_value(&[name], text))).transpose()
    }

    /// What the contract does not name, as a JSON object; `None` if nothing has a value.
    pub(crate) fn unknown(&self) -> Option<String> {
        let value = |(name, place): &(String, usize)| Some((name.clone(), self.value(*place)?.into()));
        let fields: serde_json::Map<_, _> = self.header.unknown.iter().filter_map(value).collect();
        (!fields.is_empty()).then(|| serde_json::Value::Object(fields).to_string())
    }

    /// Whether all columns but the named ones are without a value.
    pub(crate) fn is_empty_but(&self, names: &[&str]) -> bool {
        let mut others = self.header.columns.iter().filter(|(name, _)| !names.contains(name));
        others.all(|(_, place)| self.value(*place).is_none())
    }

    /// All values as `NAME=value`, for a finding about a row that was decoded.
    pub(crate) fn text(&self) -> String {
        let value = |place: usize| self.cell(place).unwrap_or("");
        let pairs = self.header.columns.iter().map(|(name, place)| format!("{name}={}", value(*place)));
        pairs.collect::<Vec<_>>().join("; ")
    }
}

/// A row has no value in these columns, which are read as one.
pub(crate) fn missing_value(names: &[&str]) -> RowError {
    let has = if names.len() == 1 { "has" } else { "have" };
    RowError::new(FindingKind::MissingValue, format!("`{}` {has} no value", names.join("` and `")))
}

/// A text of these columns, which are read as one, is of no form that is known.
pub(crate) fn unreadable_value(names: &[&str], text: &str) -> RowError {
    let is = if names.len() == 1 { "is" } else { "are" };
    RowError::new(FindingKind::UnreadableValue, format!("`{}` {is} `{text}`", names.join("` and `")))
}

/// Refuses the second row of an id: the same once more is a note, another one is set aside.
#[derive(Default)]
pub(crate) struct SeenIds {
    rows: HashMap<String, (i32, String)>,
    /// Whether a row stands before one of its id that was taken over from another capture, and would refuse it.
    pub(crate) is_late: bool,
}

impl SeenIds {
    /// With rows that are taken over from another capture, of distinct ids.
    pub(crate) fn with(rows: HashMap<String, (i32, String)>) -> Self {
        Self { rows, is_late: false }
    }

    /// The record of an id, the first time it comes; lines are not known, so the digest is the record's text.
    pub(crate) fn once<T>(&mut self, id: &str, text: &str, record: T) -> Result<T, RowError> {
        match self.rows.get(id) {
            None => {
                self.rows.insert(id.to_owned(), (0, text.to_owned()));
                Ok(record)
            }
            Some((_, same)) if same == text => {
                Err(RowError::note(FindingKind::Duplicate, format!("the same record of `{id}` once more")))
            }
            Some(_) => {
                let reason = format!("duplicate id `{id}`: an earlier row has different values");
                Err(RowError::new(FindingKind::Duplicate, reason))
            }
        }
    }

    /// Of the first row of an id; 0 where there is none.
    pub(crate) fn line_of(&self, id: &str) -> i32 {
        self.rows.get(id).map_or(0, |(line, _)| *line)
    }

    pub(crate) fn check(&mut self, id: &str, at: RowPlace<'_>) -> Result<(), RowError> {
        match self.rows.get(id) {
            None => {
                self.rows.insert(id.to_owned(), (at.line, at.digest.to_owned()));
                Ok(())
            }
            Some((first, _)) if *first > at.line => {
                self.is_late = true;
                Ok(())
            }
            Some((first, same)) if same == at.digest => {
                Err(RowError::note(FindingKind::Duplicate, format!("the same row as line {first}")))
            }
            Some((first, _)) => Err(RowError::new(
                FindingKind::Duplicate,
                format!("duplicate id `{id}`: line {first} has different values"),
            )),
        }
    }
}
