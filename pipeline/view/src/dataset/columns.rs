//! Columns that stay Arrow, and which of a table's rows are whose.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch};
use chrono::{DateTime, SecondsFormat, Utc};
use fdna_schemas::ColumnError;
use fdna_schemas::tables::ColumnPlace;
use uuid::Uuid;

use super::DatasetError;
use super::fighters::FighterTable;

/// A column as it is stored. Its values share memory with the batch.
pub(crate) fn column<T: Array + Clone + 'static>(
    batch: &RecordBatch,
    table: &str,
    name: &str,
) -> Result<T, DatasetError> {
    let array = batch
        .column_by_name(name)
        .ok_or_else(|| ColumnError::Missing { table: table.to_owned(), column: name.to_owned() })?;
    let typed = array.as_any().downcast_ref::<T>().ok_or_else(|| ColumnError::Type {
        table: table.to_owned(),
        column: name.to_owned(),
        asked: "the contract's type",
        is: array.data_type().to_string(),
    })?;
    Ok(typed.clone())
}

/// A table with a column that snapshots published before it existed do not have; `absent` stands in for it there.
pub(crate) fn with_later<T: Array + 'static>(
    batch: &RecordBatch,
    column: ColumnPlace,
    absent: impl FnOnce(usize) -> T,
) -> Result<RecordBatch, DatasetError> {
    if batch.column_by_name(column.name).is_some() {
        return Ok(batch.clone());
    }
    let schema = batch.schema();
    let names = schema.fields().iter().map(|field| field.name().as_str());
    let known = names.zip(batch.columns().iter().map(Arc::clone));
    let absent: ArrayRef = Arc::new(absent(batch.num_rows()));
    RecordBatch::try_from_iter(known.chain([(column.name, absent)]))
        .map_err(|source| DatasetError::Table(Box::new(source)))
}

/// RFC 3339 with offset.
pub fn instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, false)
}

/// Rows of a table that has columns `fighter_id` and `version`, by fighter and version.
#[derive(Debug)]
pub(crate) struct VersionRows {
    /// By row of the fighter: version and row of the table, in the order of versions.
    by_fighter: Vec<Vec<(i32, usize)>>,
}

impl VersionRows {
    pub(crate) fn of_rows(
        table: &'static str,
        (ids, versions): (Vec<Uuid>, Vec<i32>),
        fighters: &FighterTable,
    ) -> Result<Self, DatasetError> {
        let mut by_fighter = vec![Vec::new(); fighters.rows.len()];
        for (row, (id, version)) in ids.into_iter().zip(versions).enumerate() {
            let fighter =
                fighters.ids.row(id).ok_or(DatasetError::Dangling { table, what: "fighter", id })?;
            by_fighter[fighter].push((version, row));
        }
        // Stable: rows of one version stay in the order of the table.
        by_fighter.iter_mut().for_each(|rows| rows.sort_by_key(|(version, _)| *version));
        Ok(Self { by_fighter })
    }

    /// Rows of one version of the fighter, in the order of the table.
    pub(crate) fn of(&self, fighter: usize, version: i32) -> impl Iterator<Item = usize> + '_ {
        let rows = &self.by_fighter[fighter];
        let begin = rows.partition_point(|(v, _)| *v < version);
        rows[begin..].iter().take_while(move |(v, _)| *v == version).map(|(_, row)| *row)
    }

    /// Rows up to a version, oldest first.
    pub(crate) fn up_to(&self, fighter: usize, version: i32) -> impl Iterator<Item = usize> + '_ {
        self.by_fighter[fighter].iter().take_while(move |(v, _)| *v <= version).map(|(_, row)| *row)
    }
}
