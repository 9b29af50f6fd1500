//! `bout_observations`: what engines outside sum, which is what the DNA engine sums.

use arrow::array::RecordBatch;
use fdna_model::FactsAsOf;
use fdna_schemas::tables::{BoutObservationsRow, ContractRow as _};
use fdna_schemas::{ColumnError, MetricDefinitions};

use super::{TablesError, table_writer};
use crate::columns::{column_place, eligible_sides};

/// The part of each eligible bout in a fighter's sums: the columns that ratios of whole sums name, by
/// fighter, day and bout.
///
/// # Errors
/// The metric definitions name a column that no bout has.
pub fn observation_table(
    facts: FactsAsOf<'_>,
    definitions: &MetricDefinitions,
) -> Result<RecordBatch, TablesError> {
    let mut sides = eligible_sides(facts);
    sides.sort_by_key(|side| (side.fighter(), side.bout.date, side.bout.id));
    let table = table_writer(BoutObservationsRow::TABLE)?
        .uuids(BoutObservationsRow::FIGHTER_ID.name, sides.iter().map(|side| Some(side.fighter().0)))
        .dates(BoutObservationsRow::EVENT_DATE.name, sides.iter().map(|side| Some(side.bout.date)))
        .uuids(BoutObservationsRow::BOUT_ID.name, sides.iter().map(|side| Some(side.bout.id.0)));
    let missing = |column: &str| ColumnError::Missing {
        table: BoutObservationsRow::TABLE.to_owned(),
        column: column.to_owned(),
    };
    let table = definitions.observed_columns().into_iter().try_fold(table, |table, column| {
        let place = column_place(column).ok_or_else(|| missing(column))?;
        Ok::<_, ColumnError>(table.int32s(column, sides.iter().map(|side| side.columns.get(place))))
    });
    Ok(table?.finish()?)
}
