//! Columns of a file as its contract declares them, and the rows of the facts table that they become.

use std::borrow::Cow;

use fdna_model::Severity;
use fdna_schemas::tables::ColumnValue;
use fdna_schemas::{CatalogColumn, ColumnRule, RowBuilder, SourceColumn, Table};

use crate::column_parser::ColumnParser;
use crate::fact_rows::RowPlace;
use crate::parsed_value::ParsedValue;
use crate::row::{RowError, SeenIds, missing_value, unreadable_value};

/// A column of a facts table, and how its values are read.
pub(crate) struct FactColumn<'a> {
    /// The columns of the file that it is read from.
    names: Vec<&'a str>,
    /// Its name in the facts table.
    name: &'a str,
    rule: ColumnRule,
    parser: ColumnParser,
    /// Whether a row without a value is refused.
    needs_value: bool,
    /// Whether a row is refused if the text cannot be read; otherwise the value is null and a note says why.
    refuses_unreadable: bool,
    /// Sets the bounds of the value, if the contract has any.
    bounds: Option<&'a CatalogColumn>,
}

impl<'a> FactColumn<'a> {
    /// `None` if there is no parser of the name that the contract gives.
    pub(crate) fn of_catalog(column: &'a CatalogColumn) -> Option<Self> {
        Some(Self {
            names: vec![&column.name],
            name: column.column_name(),
            rule: column.rule,
            parser: ColumnParser::for_column(column.parse.as_deref(), column.kind)?,
            needs_value: column.rule == ColumnRule::Required,
            // A detail that a row may lack is no reason to lose the row.
            refuses_unreadable: column.rule == ColumnRule::Required,
            bounds: Some(column),
        })
    }

    /// `None` if the table has no such column, or there is no parser of the name that the contract gives.
    pub(crate) fn of_source(column: &'a SourceColumn, table: &Table) -> Option<Self> {
        let in_table = table.columns.iter().find(|own| own.name == column.fact_name())?;
        Some(Self {
            names: column.file_columns().collect(),
            name: column.fact_name(),
            rule: column.rule,
            parser: ColumnParser::for_column(column.parse.as_deref(), in_table.kind)?,
            needs_value: column.rule == ColumnRule::Required || in_table.null_means.is_none(),
            refuses_unreadable: true,
            bounds: None,
        })
    }

    pub(crate) fn file_columns(&self) -> &[&'a str] {
        &self.names
    }

    /// Reads the value; `text` is what stands in each column of the file, `None` where it states nothing.
    fn read_value<'t>(&self, text: impl Fn(usize) -> Option<&'t str>) -> Result<ParsedValue, RowError> {
        let Some(text) = self.join_texts(text)? else {
            return if self.needs_value { Err(missing_value(&self.names)) } else { Ok(ParsedValue::Null) };
        };
        let value = self.parser.parse(&text).ok_or_else(|| unreadable_value(&self.names, &text))?;
        self.bounds.map_or(Ok(()), |bounds| check_bounds(bounds, &value)).map_err(|why| {
            let odd = unreadable_value(&self.names, &text);
            RowError { reason: format!("{}: {why}", odd.reason), ..odd }
        })?;
        Ok(value)
    }

    fn join_texts<'t>(
        &self,
        text: impl Fn(usize) -> Option<&'t str>,
    ) -> Result<Option<Cow<'t, str>>, RowError> {
        if let [_] = self.names[..] {
            return Ok(text(0).map(Cow::Borrowed));
        }
        let mut parts = Vec::with_capacity(self.names.len());
        for (at, name) in self.names.iter().enumerate() {
            match text(at) {
                None if self.rule == ColumnRule::Required => return Err(missing_value(&[name])),
                part => parts.extend(part),
            }
        }
        Ok((!parts.is_empty()).then(|| Cow::Owned(parts.join(" "))))
    }
}

fn check_bounds(column: &CatalogColumn, value: &ParsedValue) -> Result<(), String> {
    let is_out = value.to_number().is_some_and(|number| {
        column.min.is_some_and(|min| number < min) || column.max.is_some_and(|max| number > max)
    });
    if is_out {
        return Err("out of the bounds that its contract sets".to_owned());
    }
    let is_out = matches!(value, ParsedValue::Date(day)
        if column.min_date.is_some_and(|min| *day < min) || column.max_date.is_some_and(|max| *day > max));
    if is_out {
        return Err("out of the days that its contract sets".to_owned());
    }
    if !column.values.is_empty() && !column.values.contains(&value.to_text()) {
        return Err(format!("none of {}", column.values.join(", ")));
    }
    Ok(())
}

/// The columns of a file that are read, and their places in the facts table.
pub(crate) struct FactColumns<'a> {
    read: Vec<FactColumn<'a>>,
    key: RowKey,
    /// For each column of the facts table after the first three, the column that fills it; `None` if it stays null.
    in_table: Vec<Option<usize>>,
    null_tokens: &'a [String],
}

/// What identifies a row of a file.
struct RowKey {
    parts: Vec<KeyPart>,
    separator: &'static str,
}

enum KeyPart {
    /// Place among the columns that are read.
    Column(usize),
    /// The digest of the row as received.
    Digest,
}

/// A row as it was read.
pub(crate) struct FactRow {
    /// One for each column that is read.
    values: Vec<ParsedValue>,
    /// Why values are null that the row states: they cannot be read.
    pub(crate) notes: Vec<RowError>,
    /// What a second row with the same key is refused for; `None` if the file has no key.
    key: Option<String>,
}

/// The column of every facts table that holds the digest of the row.
const ROW_DIGEST: &str = "row_digest";

/// Every facts table begins with three columns: file, line and digest of the row.
const PLACE_COLUMNS: usize = 3;

impl<'a> FactColumns<'a> {
    pub(crate) fn new(
        read: Vec<FactColumn<'a>>,
        key: &[String],
        separator: &'static str,
        table: &Table,
        null_tokens: &'a [String],
    ) -> Self {
        let place = |name: &str| read.iter().position(|column| column.name == name);
        let part = |name: &String| match &**name {
            ROW_DIGEST => Some(KeyPart::Digest),
            name => place(name).map(KeyPart::Column),
        };
        let key = RowKey { parts: key.iter().filter_map(part).collect(), separator };
        let in_table = table.columns.iter().skip(PLACE_COLUMNS).map(|own| place(&own.name)).collect();
        Self { read, key, in_table, null_tokens }
    }

    /// Reads a row; `text` gives the text of a column by its place among those that are read, and by the place of the name
    /// among the names of that column.
    ///
    /// # Errors
    /// Why the row is set aside.
    pub(crate) fn read_row<'t>(
        &self,
        digest: &str,
        text: impl Fn(usize, usize) -> Option<&'t str>,
    ) -> Result<FactRow, RowError> {
        let is_stated = |text: &&str| !self.null_tokens.iter().any(|token| token == text);
        let stated = |column: usize, name: usize| text(column, name).map(str::trim).filter(is_stated);
        let (mut values, mut notes) = (Vec::with_capacity(self.read.len()), Vec::new());
        for (at, column) in self.read.iter().enumerate() {
            match column.read_value(|name| stated(at, name)) {
                Err(why) if !column.refuses_unreadable => {
                    values.push(ParsedValue::Null);
                    notes.push(RowError { severity: Severity::Note, ..why });
                }
                value => values.push(value?),
            }
        }
        let part = |part: &KeyPart| match part {
            KeyPart::Digest => digest.to_owned(),
            // The total of a judge has no round: its text identifies it.
            KeyPart::Column(at) if values[*at] == ParsedValue::Null => {
                stated(*at, 0).unwrap_or_default().to_owned()
            }
            KeyPart::Column(at) => values[*at].to_text(),
        };
        let parts: Vec<String> = self.key.parts.iter().map(part).collect();
        let key = (!parts.is_empty()).then(|| parts.join(self.key.separator));
        Ok(FactRow { values, notes, key })
    }

    /// Adds a row to the facts table.
    pub(crate) fn push(&self, rows: &mut RowBuilder, at: RowPlace<'_>, row: &FactRow) {
        let place: [ColumnValue<'_>; PLACE_COLUMNS] =
            [ColumnValue::Text(at.file), ColumnValue::Int32(at.line), ColumnValue::Text(at.digest)];
        let value = |at: &Option<usize>| at.map_or(ColumnValue::Null, |at| row.values[at].as_column());
        rows.push_values(place.into_iter().chain(self.in_table.iter().map(value)));
    }

    pub(crate) fn columns(&self) -> &[FactColumn<'a>] {
        &self.read
    }
}

impl FactRow {
    /// Refuses the second row of a key, and says on which line the first stands.
    pub(crate) fn check_key(&self, seen: &mut SeenIds, at: RowPlace<'_>) -> Result<(), (i32, RowError)> {
        let Some(key) = &self.key else { return Ok(()) };
        seen.check(key, at).map_err(|why| (seen.line_of(key), why))
    }
}
