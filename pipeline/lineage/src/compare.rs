//! Two versions of a table beside each other, row by row of its key. Both are read in order of the key, some rows at
//! a time, and whole columns are compared.

use arrow::array::{Array as _, ArrayRef, BooleanArray, RecordBatch, UInt32Array};
use arrow::buffer::BooleanBuffer;
use arrow::compute::kernels::cmp::distinct;
use arrow::compute::take_record_batch;
use arrow::error::ArrowError;
use arrow::row::{RowConverter, Rows, SortField};

/// A column of rows that both versions have.
#[derive(Debug)]
pub struct ColumnPair {
    /// Its name.
    pub name: String,
    /// Values before; `None` where the older version has no such column.
    pub old: Option<ArrayRef>,
    /// Values after; `None` where the newer version has no such column.
    pub new: Option<ArrayRef>,
    /// Rows in which the two differ.
    pub changed: BooleanBuffer,
}

/// Some rows of a table, in two versions of it.
#[derive(Debug)]
pub struct TableChunk {
    /// Rows that the newer version has not, in order of the key.
    pub gone: RecordBatch,
    /// Rows that the older version has not, in order of the key.
    pub appeared: RecordBatch,
    /// Rows that both have, as they were.
    pub old: RecordBatch,
    /// The same rows as they are, in the same order.
    pub new: RecordBatch,
    /// Columns of which any value differs.
    pub columns: Vec<ColumnPair>,
}

impl TableChunk {
    /// Whether the two versions are the same in these rows.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.gone.num_rows() == 0 && self.appeared.num_rows() == 0 && self.columns.is_empty()
    }

    /// Places in `old` and `new` of rows of which any value differs.
    #[must_use]
    pub fn changed_rows(&self) -> Vec<usize> {
        let none = BooleanBuffer::new_unset(self.old.num_rows());
        self.columns.iter().fold(none, |any, column| &any | &column.changed).set_indices().collect()
    }
}

/// A comparison that cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum CompareError<E> {
    /// A version cannot be read.
    #[error(transparent)]
    Read(E),
    /// Its columns cannot be compared.
    #[error("cannot compare the columns")]
    Arrow(#[from] ArrowError),
}

/// Gives what differs between two versions of a table, some rows at a time, in order of the key.
///
/// `key` names the columns by which both are sorted, each row once.
///
/// # Errors
/// A version cannot be read, lacks a column of the key, or `emit` fails.
pub fn compare_tables<E>(
    key: &[String],
    old: impl Iterator<Item = Result<RecordBatch, E>>,
    new: impl Iterator<Item = Result<RecordBatch, E>>,
    mut emit: impl FnMut(&TableChunk) -> Result<(), E>,
) -> Result<(), CompareError<E>> {
    let (mut old, mut new) = (Side::new(key, old), Side::new(key, new));
    loop {
        let (has_old, has_new) = (old.fill()?, new.fill()?);
        let chunk = match (has_old, has_new) {
            (false, false) => return Ok(()),
            (true, false) => TableChunk { gone: old.take_rest(), ..TableChunk::empty(&old, &new) },
            (false, true) => TableChunk { appeared: new.take_rest(), ..TableChunk::empty(&old, &new) },
            (true, true) => merge(&mut old, &mut new)?,
        };
        if !chunk.is_same() {
            emit(&chunk).map_err(CompareError::Read)?;
        }
    }
}

/// A version of the table, with the rows that are being looked at.
struct Side<'k, I> {
    key: &'k [String],
    batches: I,
    rows: Option<RecordBatch>,
    keys: Option<Rows>,
    at: usize,
}

impl<'k, E, I: Iterator<Item = Result<RecordBatch, E>>> Side<'k, I> {
    fn new(key: &'k [String], batches: I) -> Self {
        Self { key, batches, rows: None, keys: None, at: 0 }
    }

    /// Whether there are rows left, read where needed.
    fn fill(&mut self) -> Result<bool, CompareError<E>> {
        while self.rows.as_ref().is_none_or(|rows| self.at >= rows.num_rows()) {
            let Some(next) = self.batches.next() else { return Ok(false) };
            let next = next.map_err(CompareError::Read)?;
            self.keys = Some(rows_of_key(self.key, &next)?);
            (self.rows, self.at) = (Some(next), 0);
        }
        Ok(true)
    }

    fn take_rest(&mut self) -> RecordBatch {
        let rest = self.rows.as_ref().map(|rows| rows.slice(self.at, rows.num_rows() - self.at));
        self.at += rest.as_ref().map_or(0, RecordBatch::num_rows);
        rest.unwrap_or_else(no_rows)
    }
}

fn no_rows() -> RecordBatch {
    RecordBatch::new_empty(arrow::datatypes::Schema::empty().into())
}

fn empty_of(rows: Option<&RecordBatch>) -> RecordBatch {
    rows.map_or_else(no_rows, |rows| rows.slice(0, 0))
}

impl TableChunk {
    fn empty<I, J>(old: &Side<'_, I>, new: &Side<'_, J>) -> Self {
        let [old, new] = [&old.rows, &new.rows].map(|rows| empty_of(rows.as_ref()));
        Self { gone: old.clone(), appeared: new.clone(), old, new, columns: Vec::new() }
    }
}

fn rows_of_key(key: &[String], rows: &RecordBatch) -> Result<Rows, ArrowError> {
    let columns: Vec<ArrayRef> = key
        .iter()
        .map(|name| {
            let missing = || ArrowError::SchemaError(format!("there is no column `{name}` of the key"));
            rows.column_by_name(name).cloned().ok_or_else(missing)
        })
        .collect::<Result<_, _>>()?;
    let fields = columns.iter().map(|column| SortField::new(column.data_type().clone())).collect();
    RowConverter::new(fields)?.convert_columns(&columns)
}

/// What differs up to the end of the rows that one side has in hand.
fn merge<I, J>(old: &mut Side<'_, I>, new: &mut Side<'_, J>) -> Result<TableChunk, ArrowError> {
    let (Some(old_rows), Some(old_keys)) = (&old.rows, &old.keys) else {
        return Ok(TableChunk::empty(old, new));
    };
    let (Some(new_rows), Some(new_keys)) = (&new.rows, &new.keys) else {
        return Ok(TableChunk::empty(old, new));
    };
    let (mut gone, mut appeared, mut before, mut after) = (vec![], vec![], vec![], vec![]);
    while old.at < old_rows.num_rows() && new.at < new_rows.num_rows() {
        match old_keys.row(old.at).cmp(&new_keys.row(new.at)) {
            std::cmp::Ordering::Less => gone.push(place(&mut old.at)?),
            std::cmp::Ordering::Greater => appeared.push(place(&mut new.at)?),
            std::cmp::Ordering::Equal => {
                before.push(place(&mut old.at)?);
                after.push(place(&mut new.at)?);
            }
        }
    }
    let (before, after) = (pick_rows(old_rows, before)?, pick_rows(new_rows, after)?);
    Ok(TableChunk {
        gone: pick_rows(old_rows, gone)?,
        appeared: pick_rows(new_rows, appeared)?,
        columns: compare_columns(&before, &after)?,
        old: before,
        new: after,
    })
}

fn place(at: &mut usize) -> Result<u32, ArrowError> {
    let place = u32::try_from(*at).map_err(|error| ArrowError::ComputeError(error.to_string()))?;
    *at += 1;
    Ok(place)
}

/// These rows; nothing is copied where they stand together.
fn pick_rows(rows: &RecordBatch, places: Vec<u32>) -> Result<RecordBatch, ArrowError> {
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return Ok(rows.slice(0, 0)) };
    let (first, length) = (*first as usize, places.len());
    if *last as usize - first + 1 == length {
        return Ok(rows.slice(first, length));
    }
    take_record_batch(rows, &UInt32Array::from(places))
}

fn compare_columns(old: &RecordBatch, new: &RecordBatch) -> Result<Vec<ColumnPair>, ArrowError> {
    let all = BooleanBuffer::new_set(old.num_rows());
    let (before, after) = (old.schema_ref().fields(), new.schema_ref().fields());
    let of_new = after.iter().enumerate();
    let of_old = before.iter().enumerate().filter(|(at, field)| column_at(new, *at, field.name()).is_none());
    let mut columns = Vec::new();
    for (at, field) in of_new.chain(of_old) {
        let name = field.name().clone();
        let [was, is] = [old, new].map(|rows| column_at(rows, at, &name).cloned());
        let changed = match (&was, &is) {
            (Some(was), Some(is)) if was.data_type() == is.data_type() => differing(was, is)?,
            _ => all.clone(),
        };
        if changed.count_set_bits() > 0 {
            columns.push(ColumnPair { name, old: was, new: is, changed });
        }
    }
    Ok(columns)
}

/// The column of this name, which is at this place in most cases: a search for each of a thousand takes longer than to
/// compare them.
fn column_at<'a>(rows: &'a RecordBatch, place: usize, name: &str) -> Option<&'a ArrayRef> {
    let is_there = rows.schema_ref().fields().get(place).is_some_and(|field| field.name() == name);
    if is_there { Some(rows.column(place)) } else { rows.column_by_name(name) }
}

/// Numbers are compared by their bits, but that no number is equal to no number.
fn differing(old: &ArrayRef, new: &ArrayRef) -> Result<BooleanBuffer, ArrowError> {
    let different: BooleanArray = distinct(old, new)?;
    Ok(different.values().clone())
}
