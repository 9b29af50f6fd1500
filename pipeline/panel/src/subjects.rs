//! DNA of the multi-sport catalog as of a date: chosen among the published versions.

use std::ops::Range;

use arrow::array::{Array as _, ArrayRef, Date32Array, Int32Array, RecordBatch};
use arrow::compute::{cast, partition};
use arrow::datatypes::DataType;
use chrono::NaiveDate;
use fdna_schemas::{CatalogDna, Table};

use crate::PanelError;
use crate::gather::{repeat_date, schema_of, take_rows, to_dictionary};

/// The versions of all subjects of one kind, ready to be asked for any date.
#[derive(Debug)]
pub struct SubjectVersions {
    contract: Table,
    /// In order of subject, what else identifies a value, and day from which it holds.
    columns: Vec<ArrayRef>,
    /// Rows of one value of one subject.
    values: Vec<Range<usize>>,
    /// By row: day from which it holds.
    valid_from: Date32Array,
}

impl SubjectVersions {
    /// `versions` is the table of `dna`, in order of its key.
    ///
    /// # Errors
    /// The rows are out of order.
    pub fn new(dna: &CatalogDna, versions: &RecordBatch) -> Result<Self, PanelError> {
        let contract = dna.versions_table();
        let key = contract.key.iter().filter_map(|name| versions.column_by_name(name).cloned());
        let key: Vec<ArrayRef> = key.collect();
        let (valid_from, of_value) = key.split_last().ok_or(PanelError::Order { row: 0 })?;
        let values = partition(of_value)?.ranges();
        let valid_from = Date32Array::from(cast(valid_from, &DataType::Date32)?.to_data());
        let days = valid_from.values();
        if let Some(row) =
            values.iter().find_map(|rows| (rows.start + 1..rows.end).find(|&row| days[row - 1] >= days[row]))
        {
            return Err(PanelError::Order { row });
        }
        let columns = versions.columns().iter().map(to_dictionary).collect::<Result<_, _>>()?;
        Ok(Self { contract: dna.panel_table(), columns, values, valid_from })
    }

    /// First day on which any subject has a version; `None` without versions.
    #[must_use]
    pub fn first_day(&self) -> Option<NaiveDate> {
        let days = self.values.iter().map(|rows| self.valid_from.value(rows.start));
        days.min().and_then(NaiveDate::from_epoch_days)
    }

    /// The rows of the panel of a date, in order of their key.
    ///
    /// # Errors
    /// It is larger than Arrow can hold.
    pub fn panel_on(&self, as_of: NaiveDate) -> Result<RecordBatch, PanelError> {
        let day = as_of.to_epoch_days();
        let newest = |rows: &Range<usize>| {
            let held = self.valid_from.values()[rows.clone()].partition_point(|from| *from <= day);
            i32::try_from(rows.start + held.checked_sub(1)?).ok()
        };
        let rows: Int32Array = self.values.iter().filter_map(newest).collect::<Vec<_>>().into();
        let columns = self.columns.iter().map(|column| take_rows(column, &rows));
        let columns = std::iter::once(Ok(repeat_date(as_of, rows.len()))).chain(columns);
        Ok(RecordBatch::try_new(schema_of(&self.contract), columns.collect::<Result<_, _>>()?)?)
    }
}
