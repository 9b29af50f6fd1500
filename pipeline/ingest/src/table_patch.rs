//! Puts the rows of a facts table together again from those of another capture.

use std::sync::Arc;

use arrow::array::{Array as _, AsArray as _, Int32Array, RecordBatch};
use arrow::compute::concat_batches;
use arrow::datatypes::Int32Type;
use arrow::error::ArrowError;

/// Rows one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatchOp {
    /// Rows of the base from this place, each as many lines further down its file.
    Copy { from: usize, rows: usize, shift: i32 },
    /// The next rows that the base does not have.
    New { rows: usize },
}

/// The rows of a table, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TablePatch(pub Vec<PatchOp>);

/// A script that does not fit its tables.
#[derive(Debug, thiserror::Error)]
pub enum PatchError {
    #[error("cannot copy rows {from} to {to} of a base of {rows} rows")]
    OutOfBase { from: usize, to: usize, rows: usize },
    #[error("cannot take {asked} new rows of {rows}")]
    OutOfNew { asked: usize, rows: usize },
    #[error("no column `line` of numbers")]
    NoLine,
    #[error("cannot put rows together")]
    Arrow(#[from] ArrowError),
}

impl TablePatch {
    /// All rows of a base as they are.
    #[must_use]
    pub fn whole(rows: usize) -> Self {
        Self(if rows == 0 { Vec::new() } else { vec![PatchOp::Copy { from: 0, rows, shift: 0 }] })
    }

    /// Adds one row of the base.
    pub(crate) fn copy(&mut self, row: usize, by: i32) {
        match self.0.last_mut() {
            Some(PatchOp::Copy { from, rows, shift }) if *from + *rows == row && *shift == by => *rows += 1,
            _ => self.0.push(PatchOp::Copy { from: row, rows: 1, shift: by }),
        }
    }

    /// Adds one row that is new.
    pub(crate) fn add(&mut self) {
        match self.0.last_mut() {
            Some(PatchOp::New { rows }) => *rows += 1,
            _ => self.0.push(PatchOp::New { rows: 1 }),
        }
    }

    /// The table: rows of `base` and, in their order, of `new`.
    ///
    /// # Errors
    /// The script was not made for these.
    pub fn apply(&self, base: &RecordBatch, new: &RecordBatch) -> Result<RecordBatch, PatchError> {
        let (mut parts, mut lines, mut used) = (Vec::new(), Vec::new(), 0);
        for run in &self.0 {
            match *run {
                PatchOp::Copy { from, rows, shift } => {
                    let part = slice(base, from, rows)?;
                    lines.extend(lines_of(&part)?.values().iter().map(|line| line + shift));
                    parts.push(part);
                }
                PatchOp::New { rows } => {
                    let outside = || PatchError::OutOfNew { asked: used + rows, rows: new.num_rows() };
                    let part = slice(new, used, rows).map_err(|_| outside())?;
                    lines.extend(lines_of(&part)?.values());
                    parts.push(part);
                    used += rows;
                }
            }
        }
        if used != new.num_rows() {
            return Err(PatchError::OutOfNew { asked: used, rows: new.num_rows() });
        }
        let whole = concat_batches(&base.schema(), &parts)?;
        with_lines(&whole, lines)
    }
}

fn slice(batch: &RecordBatch, from: usize, rows: usize) -> Result<RecordBatch, PatchError> {
    let to = from.saturating_add(rows);
    if to > batch.num_rows() {
        return Err(PatchError::OutOfBase { from, to, rows: batch.num_rows() });
    }
    Ok(batch.slice(from, rows))
}

fn lines_of(batch: &RecordBatch) -> Result<&Int32Array, PatchError> {
    let column = batch.column_by_name("line").ok_or(PatchError::NoLine)?;
    column.as_primitive_opt::<Int32Type>().filter(|lines| lines.null_count() == 0).ok_or(PatchError::NoLine)
}

fn with_lines(batch: &RecordBatch, lines: Vec<i32>) -> Result<RecordBatch, PatchError> {
    let place = batch.schema().index_of("line").map_err(|_| PatchError::NoLine)?;
    let mut columns = batch.columns().to_vec();
    columns[place] = Arc::new(Int32Array::from(lines));
    Ok(RecordBatch::try_new(batch.schema(), columns)?)
}
