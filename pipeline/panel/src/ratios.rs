//! The sums that ratios are made of, as of a date: chosen among the published versions, as the DNA engine made them.

use std::ops::Range;

use arrow::array::{ArrayRef, Int32Array, RecordBatch};
use arrow::datatypes::SchemaRef;
use chrono::NaiveDate;
use fdna_compare::{VersionDates, version_as_of};
use fdna_schemas::Tables;
use fdna_schemas::tables::{
    ContractReader as _, ContractRow as _, DnaVersionsReader, DnaVersionsRow, PanelRatiosRow,
};

use crate::PanelError;
use crate::gather::{repeat_date, schema_of, take_rows, version_column};
use crate::versions::fighter_rows;

/// The sums of every version of every fighter, ready to be asked for any date.
#[derive(Debug)]
pub struct RatioVersions {
    schema: SchemaRef,
    /// Rows of each fighter.
    fighters: Vec<Range<usize>>,
    /// Of each row.
    dates: Vec<VersionDates>,
    /// Of each row: the contract's columns behind `as_of`.
    columns: Vec<ArrayRef>,
}

impl RatioVersions {
    /// The columns of `dna_versions` that these panels need.
    #[must_use]
    pub fn required_columns() -> Vec<&'static str> {
        let own = Tables::get().table(PanelRatiosRow::TABLE).map(|table| table.columns.as_slice());
        let own = own.unwrap_or_default().iter().map(|column| column.name.as_str());
        let of_versions = own.filter(|name| *name != PanelRatiosRow::AS_OF.name);
        [DnaVersionsRow::VALID_FROM.name].into_iter().chain(of_versions).collect()
    }

    /// `versions` is the table `dna_versions`, at least [`Self::required_columns`] of it, in order of its key.
    ///
    /// # Errors
    /// A column is missing or not as its contract says, or the rows are out of order.
    pub fn new(versions: &RecordBatch) -> Result<Self, PanelError> {
        let reader = DnaVersionsReader::of(versions);
        let ids = reader.by_name().texts(DnaVersionsRow::FIGHTER_ID.name)?;
        let days = reader.valid_from()?.into_iter().zip(reader.last_bout_date()?);
        let dates: Vec<_> =
            days.map(|(valid_from, last_bout_date)| VersionDates { valid_from, last_bout_date }).collect();
        let columns = Self::required_columns().into_iter().skip(1).map(|name| version_column(versions, name));
        Ok(Self {
            schema: schema_of(Tables::get().table(PanelRatiosRow::TABLE)?),
            fighters: fighter_rows(&ids, &dates)?,
            dates,
            columns: columns.collect::<Result<_, _>>()?,
        })
    }

    /// First day on which any fighter has a version; `None` without versions.
    #[must_use]
    pub fn first_day(&self) -> Option<NaiveDate> {
        self.fighters.iter().map(|rows| self.dates[rows.start].valid_from).min()
    }

    /// The rows of `panel_ratios` of a date, a fighter each, in order of their ids.
    ///
    /// # Errors
    /// It is larger than Arrow can hold.
    pub fn panel_on(&self, as_of: NaiveDate) -> Result<RecordBatch, PanelError> {
        let rows = self.fighters.iter().filter_map(|rows| {
            let chosen = version_as_of(&self.dates[rows.clone()], as_of).ok()?;
            i32::try_from(rows.start + chosen.index).ok()
        });
        let rows: Int32Array = rows.collect::<Vec<_>>().into();
        let columns = self.columns.iter().map(|column| take_rows(column, &rows).map_err(PanelError::from));
        let columns = std::iter::once(Ok(repeat_date(as_of, rows.len()))).chain(columns);
        Ok(RecordBatch::try_new(self.schema.clone(), columns.collect::<Result<_, PanelError>>()?)?)
    }
}
