//! What a derived table held on an earlier day, from what it holds now: the answer of a leak test.

use std::collections::BTreeSet;

use arrow::array::{ArrayRef, AsArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::{Date32Type, Int32Type};
use chrono::NaiveDate;

/// Rows that were there on `cut`: those of versions that had begun, and what is dated before it.
///
/// # Panics
/// A table with versions has no fighters, or a column is of another type than its contract says.
#[must_use]
pub fn rows_until(table: &RecordBatch, begun: &BTreeSet<(String, i32)>, cut: NaiveDate) -> RecordBatch {
    let column = |name: &str| table.column_by_name(name);
    let day = (cut - NaiveDate::default()).num_days();
    let dated = |column: &ArrayRef, row: usize| i64::from(column.as_primitive::<Date32Type>().value(row));
    let keep = (0..table.num_rows()).map(|row| match (column("version"), column("event_date")) {
        (Some(version), _) => {
            let fighter =
                column("fighter_id").expect("versions are of fighters").as_string::<i32>().value(row);
            begun.contains(&(fighter.to_owned(), version.as_primitive::<Int32Type>().value(row)))
        }
        (_, Some(date)) => dated(date, row) < day,
        _ => column("valid_from").is_none_or(|from| dated(from, row) <= day),
    });
    filter_record_batch(table, &keep.map(Some).collect()).expect("the mask is as long as the table")
}
