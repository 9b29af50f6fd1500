//! Columns of a file as its contract declares them, and the rows of the facts table that they become.

use std::borrow::Cow;

use fdna_model::Severity;
use fdna_schemas::tables::ColumnValue;
use fdna_schemas::{CatalogColumn, ColumnRule, RowBuilder, SourceColumn, Table};

use crate::column_parser::{ColumnParser, ParsedValue};
use crate::fact_rows::RowPlace;
use crate::row::{RowError, SeenIds, missing, unreadable};

/// A column of a facts table, and how its values are read.
pub(crate) struct FactColumn<'a> {
    /// Of the columns of the file whose texts it is read of.
    names: Vec<&'a str>,
    /// In the facts table.
    name: &'a str,
    rule: ColumnRule,
    parser: ColumnParser,
    /// Whether a row without a value is refused.
    needs_value: bool,
    /// Whether a row with a text that cannot be read is refused. Else the value is null, and a note says why.
    refuses_unreadable: bool,
    /// Which values are possible, where the contract says so.
    bounds: Option<&'a CatalogColumn>,
}

impl<'a> FactColumn<'a> {
    /// `None` if the contract names a parser that there is not.
    pub(crate) fn of_catalog(column: &'a CatalogColumn) -> Option<Self> {
        Some(Self {
            names: vec![&column.name],
            name: column.column(),
            rule: column.rule,
            parser: ColumnParser::find(column.parse.as_deref(), column.kind)?,
            needs_value: column.rule == ColumnRule::Required,
            // A detail that a row may lack is no reason to lose the row.
            refuses_unreadable: column.rule == ColumnRule::Required,
            bounds: Some(column),
        })
    }

    /// `None` if the table has no such column, or the contract names a parser that there is not.
    pub(crate) fn of_source(column: &'a SourceColumn, table: &Table) -> Option<Self> {
        let in_table = table.columns.iter().find(|own| own.name == column.column())?;
        Some(Self {
            names: column.names().collect(),
            name: column.column(),
            rule: column.rule,
            parser: ColumnParser::find(column.parse.as_deref(), in_table.kind)?,
            needs_value: column.rule == ColumnRule::Required || in_table.null_means.is_none(),
            refuses_unreadable: true,
            bounds: None,
        })
    }

    pub(crate) fn names(&self) -> &[&'a str] {
        &self.names
    }

    /// The value of the text of each of its names, of which those that state nothing are none.
    fn value<'t>(&self, text: impl Fn(usize) -> Option<&'t str>) -> Result<ParsedValue, RowError> {
        let Some(text) = self.text(text)? else {
            return if self.needs_value { Err(missing(&self.names)) } else { Ok(ParsedValue::Null) };
        };
        let value = self.parser.parse(&text).ok_or_else(|| unreadable(&self.names, &text))?;
        self.bounds.map_or(Ok(()), |bounds| check_bounds(bounds, &value)).map_err(|why| {
            let odd = unreadable(&self.names, &text);
            RowError { reason: format!("{}: {why}", odd.reason), ..odd }
        })?;
        Ok(value)
    }

    fn text<'t>(&self, text: impl Fn(usize) -> Option<&'t str>) -> Result<Option<Cow<'t, str>>, RowError> {
        if let [_] = self.names[..] {
            return Ok(text(0).map(Cow::Borrowed));
        }
        let mut parts = Vec::with_capacity(self.names.len());
        for (at, name) in self.names.iter().enumerate() {
            match text(at) {
                None if self.rule == ColumnRule::Required => return Err(missing(&[name])),
                part => parts.extend(part),
            }
        }
        Ok((!parts.is_empty()).then(|| Cow::Owned(parts.join(" "))))
    }
}

fn check_bounds(column: &CatalogColumn, value: &ParsedValue) -> Result<(), String> {
    let is_out = value.number().is_some_and(|number| {
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
    if !column.values.is_empty() && !column.values.contains(&value.text()) {
        return Err(format!("none of {}", column.values.join(", ")));
    }
    Ok(())
}

/// The columns of a file that are read, and where what is made of them stands in the facts table.
pub(crate) struct FactColumns<'a> {
    read: Vec<FactColumn<'a>>,
    key: RowKey,
    /// For each column of the facts table behind those of the place; none where no column of the file becomes it.
    in_table: Vec<Option<usize>>,
    null_tokens: &'a [String],
}

/// What a second row of a file is refused for.
struct RowKey {
    parts: Vec<KeyPart>,
    separator: &'static str,
}

enum KeyPart {
    /// Place among the columns that are read.
    Column(usize),
    /// Of the row as received.
    Digest,
}

/// What is read of a row.
pub(crate) struct FactRow {
    /// One for each column that is read.
    values: Vec<ParsedValue>,
    /// Why a value is null that the row states.
    pub(crate) notes: Vec<RowError>,
    /// Where the file may have no second row like it, that by which it is known.
    key: Option<String>,
}

/// Column of every facts table with the digest of the row.
const ROW_DIGEST: &str = "row_digest";

/// How many columns every facts table begins with: file, line and digest of the row.
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

    /// Reads a row; `text` is what stands in it for a column that is read, by its place, and for which of its names.
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
            match column.value(|name| stated(at, name)) {
                Err(why) if !column.refuses_unreadable => {
                    values.push(ParsedValue::Null);
                    notes.push(RowError { severity: Severity::Note, ..why });
                }
                value => values.push(value?),
            }
        }
        let part = |part: &KeyPart| match part {
            KeyPart::Digest => digest.to_owned(),
            // A text that makes no value tells rows apart all the same.
            KeyPart::Column(at) if values[*at] == ParsedValue::Null => {
                stated(*at, 0).unwrap_or_default().to_owned()
            }
            KeyPart::Column(at) => values[*at].text(),
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
