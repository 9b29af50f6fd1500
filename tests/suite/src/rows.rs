//! Tables as text.

use std::collections::BTreeMap;

use arrow::array::{Array as _, RecordBatch};
use arrow::util::display::{ArrayFormatter, FormatOptions};

/// A row's cells by column; nulls are left out.
pub type Row = BTreeMap<String, String>;

/// All rows of a table.
///
/// # Panics
/// A column has no text.
#[must_use]
pub fn rows(batch: &RecordBatch) -> Vec<Row> {
    let (schema, options) = (batch.schema(), FormatOptions::new());
    let columns = schema.fields().iter().zip(batch.columns());
    let columns: Vec<_> = columns
        .map(|(field, array)| (field.name(), array, ArrayFormatter::try_new(array, &options).expect("text")))
        .collect();
    let row = |row: usize| {
        let known = columns.iter().filter(|(_, array, _)| array.is_valid(row));
        known.map(|(name, _, text)| ((*name).clone(), text.value(row).to_string())).collect()
    };
    (0..batch.num_rows()).map(row).collect()
}

/// Some cells of a row, `-` for null.
#[must_use]
pub fn cells(row: &Row, columns: &[&str]) -> String {
    let cell = |column: &&str| row.get(*column).map_or("-", String::as_str);
    columns.iter().map(cell).collect::<Vec<_>>().join(" ")
}
