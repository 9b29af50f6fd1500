//! The long panel: a row per fighter and metric. Since the metrics of a version lie side by side there, its
//! cells are kept so for all versions, and a date copies a run of them for each fighter.

use std::sync::Arc;

use arrow::array::{
    Array as _, ArrayData, ArrayRef, AsArray as _, Int32Array, MutableArrayData, RecordBatch, StringArray,
    make_array,
};
use arrow::compute::interleave;
use arrow::datatypes::{Int32Type, SchemaRef};
use arrow::error::ArrowError;
use chrono::NaiveDate;
use fdna_schemas::tables::{ContractRow as _, DnaVersionsRow, PanelLongRow};
use fdna_schemas::{ColumnError, MetricDefinitions, Tables};

use crate::PanelError;
use crate::gather::{dictionary_texts, repeat_date, schema_of, take_rows, to_dictionary, version_column};
use crate::shrunk::SHRUNK_VALUE;
use crate::today::{DayMetrics, moving_metrics};

#[derive(Debug)]
pub(crate) struct LongPanel {
    schema: SchemaRef,
    /// Number of metrics.
    metrics: usize,
    /// Of each version.
    fighter: ArrayRef,
    version: ArrayRef,
    /// Place and name of each metric, as often as there are versions: more than any date needs.
    place: ArrayRef,
    metric: ArrayRef,
    /// Of each version and metric, in the order of [`Self::CELLS`].
    cells: Vec<ArrayData>,
}

impl LongPanel {
    /// Columns that a version has per metric.
    pub(crate) const CELLS: [&str; 5] = ["value", "raw_value", "weight", Self::CONFIDENCE, SHRUNK_VALUE];
    const CONFIDENCE: &str = "confidence";

    pub(crate) fn new(versions: &RecordBatch) -> Result<Self, PanelError> {
        let table = Tables::get().table(PanelLongRow::TABLE)?;
        let definitions = &MetricDefinitions::get().metrics;
        let metrics = definitions.len();
        let (rows, all) = (versions.num_rows(), i32::try_from(metrics).map_err(too_many)?);
        // A place in the table of all cells is an Arrow offset.
        i32::try_from(rows * metrics).map_err(too_many)?;
        let names: ArrayRef =
            Arc::new(definitions.iter().map(|m| Some(m.name.as_str())).collect::<StringArray>());
        let places = (0..rows).flat_map(|_| 0..all).collect();
        let place = Arc::new((0..rows).flat_map(|_| 1..=all).collect::<Int32Array>());
        let cells = Self::CELLS.iter().map(|suffix| interleave_cells(versions, suffix));
        Ok(Self {
            schema: schema_of(table),
            metrics,
            fighter: version_column(versions, DnaVersionsRow::FIGHTER_ID.name)?,
            version: version_column(versions, DnaVersionsRow::VERSION.name)?,
            place,
            metric: dictionary_texts(places, &names)?,
            cells: cells.collect::<Result<_, PanelError>>()?,
        })
    }

    /// `rows` are those of the versions that hold on the day.
    pub(crate) fn gather_rows(
        &self,
        as_of: NaiveDate,
        rows: &Int32Array,
        today: &DayMetrics,
    ) -> Result<RecordBatch, PanelError> {
        let n = rows.len() * self.metrics;
        let fighter = take_rows(&self.fighter, rows)?;
        let fighter = fighter.as_dictionary::<Int32Type>();
        let version = take_rows(&self.version, rows)?;
        let version: Int32Array = self.repeat_per_metric(version.as_primitive::<Int32Type>()).into();
        let mut columns = vec![
            repeat_date(as_of, n),
            dictionary_texts(self.repeat_per_metric(fighter.keys()), fighter.values())?,
            Arc::new(version),
            self.place.slice(0, n),
            self.metric.slice(0, n),
        ];
        for (cells, suffix) in self.cells.iter().zip(Self::CELLS) {
            columns.push(self.gather_cells(cells, rows, suffix, today)?);
        }
        Ok(RecordBatch::try_new(self.schema.clone(), columns)?)
    }

    /// Each number once per metric. None is null: their columns are never so.
    fn repeat_per_metric(&self, numbers: &Int32Array) -> Vec<i32> {
        numbers.values().iter().flat_map(|&number| std::iter::repeat_n(number, self.metrics)).collect()
    }

    /// The cells of each of these versions, those of today where they move with the days.
    fn gather_cells(
        &self,
        cells: &ArrayData,
        rows: &Int32Array,
        suffix: &str,
        today: &DayMetrics,
    ) -> Result<ArrayRef, ArrowError> {
        let places: Vec<usize> = moving_metrics().map(|(place, _)| place).collect();
        let now = places.iter().map(|&place| Ok(today.metric_cells(place, suffix)?.to_data()));
        let now = now.collect::<Result<Vec<ArrayData>, ArrowError>>()?;
        let all = std::iter::once(cells).chain(&now).collect();
        let mut runs = MutableArrayData::new(all, false, rows.len() * self.metrics);
        let rows = rows.values().iter().filter_map(|&row| usize::try_from(row).ok());
        for (fighter, row) in rows.enumerate() {
            let (begin, mut next) = (row * self.metrics, 0);
            for (source, &place) in (1..).zip(&places) {
                runs.try_extend(0, begin + next, begin + place)?;
                runs.try_extend(source, fighter, fighter + 1)?;
                next = place + 1;
            }
            runs.try_extend(0, begin + next, begin + self.metrics)?;
        }
        let cells = make_array(runs.freeze());
        if suffix == Self::CONFIDENCE { today.cap_confidence(&cells, self.metrics) } else { Ok(cells) }
    }
}

/// The columns of this suffix, row by row.
fn interleave_cells(versions: &RecordBatch, suffix: &str) -> Result<ArrayData, PanelError> {
    let columns = MetricDefinitions::get().metrics.iter().map(|metric| {
        let name = MetricDefinitions::version_column(&metric.name, suffix);
        let missing =
            || ColumnError::Missing { table: DnaVersionsRow::TABLE.to_owned(), column: name.clone() };
        versions.column_by_name(&name).map(AsRef::as_ref).ok_or_else(missing)
    });
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let places: Vec<_> = (0..versions.num_rows())
        .flat_map(|row| (0..columns.len()).map(move |metric| (metric, row)))
        .collect();
    Ok(to_dictionary(&interleave(&columns, &places)?)?.to_data())
}

fn too_many(_: std::num::TryFromIntError) -> ArrowError {
    ArrowError::InvalidArgumentError("more cells than a column can have".to_owned())
}
