//! The wide panel: a row per fighter, columns as the versions have them.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int32Array, RecordBatch};
use arrow::datatypes::SchemaRef;
use chrono::NaiveDate;
use fdna_compare::VersionDates;
use fdna_schemas::tables::{ContractRow as _, DnaVersionsRow, PanelWideRow};
use fdna_schemas::{Column, MetricDefinitions, Tables};

use crate::PanelError;
use crate::gather::{repeat_date, schema_of, take_rows, version_column};
use crate::today::{DayMetrics, moving_metrics};

/// Origin of a column of the panel.
#[derive(Debug)]
enum CellOrigin {
    AsOf,
    DaysSinceLastBout,
    BoutsWithoutStatistics,
    /// Of the definition.
    Constant(NaiveDate),
    /// The version's own.
    Version(ArrayRef),
    /// The version's own confidence in a metric.
    Confidence(ArrayRef),
    /// Of a metric that moves with the days: its place in the metric definitions, and which of its columns.
    Today(usize, String),
}

#[derive(Debug)]
pub(crate) struct WidePanel {
    schema: SchemaRef,
    /// In the order of the contract.
    columns: Vec<CellOrigin>,
}

impl WidePanel {
    /// Columns of the versions that are not a metric's.
    pub(crate) const TAKEN: [&str; 7] = [
        DnaVersionsRow::FIGHTER_ID.name,
        DnaVersionsRow::VERSION.name,
        DnaVersionsRow::VALID_FROM.name,
        DnaVersionsRow::WEIGHT_CLASS.name,
        DnaVersionsRow::ELIGIBLE_BOUTS.name,
        DnaVersionsRow::LAST_BOUT_DATE.name,
        DnaVersionsRow::DEFINITION_VERSION.name,
    ];

    pub(crate) fn new(versions: &RecordBatch) -> Result<Self, PanelError> {
        let table = Tables::get().table(PanelWideRow::TABLE)?;
        let columns = table.columns.iter().map(|c| cell_origin(c, versions)).collect::<Result<_, _>>()?;
        Ok(Self { schema: schema_of(table), columns })
    }

    /// `rows` are those of the versions that hold on the day, `dates` those of all versions.
    pub(crate) fn gather_rows(
        &self,
        as_of: NaiveDate,
        rows: &Int32Array,
        dates_of: &[VersionDates],
        today: &DayMetrics,
    ) -> Result<RecordBatch, PanelError> {
        let columns = self.columns.iter().map(|origin| match origin {
            CellOrigin::AsOf => Ok(repeat_date(as_of, rows.len())),
            CellOrigin::Constant(day) => Ok(repeat_date(*day, rows.len())),
            CellOrigin::BoutsWithoutStatistics => Ok(today.bouts_without_statistics()),
            CellOrigin::DaysSinceLastBout => Ok(days_since(as_of, rows, dates_of)),
            CellOrigin::Version(array) => take_rows(array, rows),
            CellOrigin::Confidence(array) => today.cap_confidence(&take_rows(array, rows)?, 1),
            CellOrigin::Today(place, suffix) => today.metric_cells(*place, suffix),
        });
        Ok(RecordBatch::try_new(self.schema.clone(), columns.collect::<Result<_, _>>()?)?)
    }
}

fn cell_origin(column: &Column, versions: &RecordBatch) -> Result<CellOrigin, PanelError> {
    const AS_OF: &str = PanelWideRow::AS_OF.name;
    const DAYS_SINCE_LAST_BOUT: &str = PanelWideRow::DAYS_SINCE_LAST_BOUT.name;
    const BOUTS_WITHOUT: &str = PanelWideRow::BOUTS_WITHOUT_STATISTICS.name;
    const FITTED_TO: &str = PanelWideRow::CONSTANTS_FITTED_TO.name;
    const MEASURED_TO: &str = PanelWideRow::GATES_MEASURED_TO.name;
    match column.name.as_str() {
        AS_OF => Ok(CellOrigin::AsOf),
        DAYS_SINCE_LAST_BOUT => Ok(CellOrigin::DaysSinceLastBout),
        BOUTS_WITHOUT => Ok(CellOrigin::BoutsWithoutStatistics),
        FITTED_TO => Ok(CellOrigin::Constant(MetricDefinitions::get().settings.validity.fitted_to)),
        MEASURED_TO => Ok(CellOrigin::Constant(MetricDefinitions::get().settings.validity.measured_to)),
        name => match moving_column(name) {
            Some((place, suffix)) => Ok(CellOrigin::Today(place, suffix)),
            None if name.ends_with("__confidence") => {
                version_column(versions, name).map(CellOrigin::Confidence)
            }
            None => version_column(versions, name).map(CellOrigin::Version),
        },
    }
}

/// The metric that moves with the days and has the column of this name.
fn moving_column(name: &str) -> Option<(usize, String)> {
    let (metric, suffix) = name.split_once("__")?;
    let (place, _) = moving_metrics().find(|(_, moving)| moving.name == metric)?;
    Some((place, suffix.to_owned()))
}

fn days_since(as_of: NaiveDate, rows: &Int32Array, dates: &[VersionDates]) -> ArrayRef {
    let days = rows.values().iter().map(|&row| {
        let version = usize::try_from(row).ok().and_then(|row| dates.get(row));
        version.and_then(|version| i32::try_from((as_of - version.last_bout_date).num_days()).ok())
    });
    Arc::new(days.collect::<Int32Array>())
}
