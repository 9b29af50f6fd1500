//! Holds a table to its contract: columns, types, nulls, and rows in order of the key, each once.

use std::collections::BTreeSet;

use arrow::array::{Array as _, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::datatypes::{DataType, Schema};
use arrow::row::{RowConverter, SortField};
use fdna_schemas::{Column, Table, Tables};

use crate::error::{ContractError, LakeError};
use crate::manifest::TableEntry;

/// The contract of the table of this name.
pub(crate) fn find_contract(name: &str) -> Result<&'static Table, LakeError> {
    Tables::get().table(name).map_err(|_| contract_error(name, ContractError::Unknown))
}

/// The contract of each table, none of which may be there twice.
pub(crate) fn find_all<'a>(names: impl Iterator<Item = &'a str>) -> Result<Vec<&'static Table>, LakeError> {
    let mut seen = BTreeSet::new();
    names
        .map(|name| {
            if seen.insert(name) {
                find_contract(name)
            } else {
                Err(contract_error(name, ContractError::Twice))
            }
        })
        .collect()
}

pub(crate) fn contract_error(table: &str, source: ContractError) -> LakeError {
    LakeError::Contract { table: table.to_owned(), source }
}

/// Refuses what was written under another version of the contract.
pub(crate) fn check_version(contract: &Table, entry: Option<&TableEntry>) -> Result<(), LakeError> {
    match entry.map(|entry| entry.contract_version).filter(|found| *found != contract.version) {
        Some(found) => {
            Err(contract_error(&contract.name, ContractError::Version { expected: contract.version, found }))
        }
        None => Ok(()),
    }
}

/// The batch with the contract's own schema and order of columns, so that the same rows make the same bytes
/// whoever built the batch.
pub(crate) fn conform_to_contract(table: &Table, batch: &RecordBatch) -> Result<RecordBatch, ContractError> {
    let batch = conform_all_columns(table, batch)?;
    check_order(table, &batch)?;
    Ok(batch)
}

/// As [`conform_to_contract`], of rows in any order.
pub(crate) fn conform_all_columns(table: &Table, batch: &RecordBatch) -> Result<RecordBatch, ContractError> {
    check_columns(table, batch.schema_ref())?;
    let all: Vec<usize> = (0..table.columns.len()).collect();
    select_columns(table, &all, batch)
}

/// Some columns of the batch in this order, each held to the contract. The rows are not: their order is that
/// of the key, which may not be among the columns.
pub(crate) fn conform_columns(
    table: &Table,
    names: &[&str],
    batch: &RecordBatch,
) -> Result<RecordBatch, ContractError> {
    let at = names.iter().map(|name| {
        let found = table.place(name);
        found.ok_or_else(|| ContractError::Missing { column: (*name).to_owned() })
    });
    select_columns(table, &at.collect::<Result<Vec<_>, _>>()?, batch)
}

/// A column of the contract, by its place; its values held to it.
pub(crate) fn conform_column(
    table: &Table,
    name: &str,
    batch: &RecordBatch,
) -> Result<(usize, ArrayRef), ContractError> {
    let place = table.place(name).ok_or_else(|| ContractError::Extra { column: name.to_owned() })?;
    Ok((place, checked_column(&table.columns[place], batch)?))
}

/// The columns of the contract at these positions.
fn select_columns(table: &Table, at: &[usize], batch: &RecordBatch) -> Result<RecordBatch, ContractError> {
    let columns = at.iter().map(|&at| checked_column(&table.columns[at], batch));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let fields = at.iter().zip(&columns);
    let fields = fields.map(|(&at, c)| table.columns[at].arrow_field().with_data_type(c.data_type().clone()));
    let schema = Schema::new(fields.collect::<Vec<_>>());
    // Said, not counted from the columns, of which there may be none.
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(schema.into(), columns, &options).map_err(ContractError::Arrow)
}

fn check_columns(table: &Table, schema: &Schema) -> Result<(), ContractError> {
    let mut left: BTreeSet<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
    for field in schema.fields() {
        if !left.remove(field.name().as_str()) {
            return Err(ContractError::Extra { column: field.name().clone() });
        }
    }
    match left.first() {
        Some(column) => Err(ContractError::Missing { column: (*column).to_owned() }),
        None => Ok(()),
    }
}

fn checked_column(column: &Column, batch: &RecordBatch) -> Result<ArrayRef, ContractError> {
    let missing = || ContractError::Missing { column: column.name.clone() };
    let array = batch.column_by_name(&column.name).ok_or_else(missing)?;
    let expected: DataType = column.kind.to_arrow();
    if !is_of(array.data_type(), &expected) {
        let (expected, found) = (expected.to_string(), array.data_type().to_string());
        return Err(ContractError::Type { column: column.name.clone(), expected, found });
    }
    let nulls = array.logical_nulls().filter(|nulls| !column.is_nullable() && nulls.null_count() > 0);
    if let Some(nulls) = nulls {
        let row = (0..array.len()).find(|&row| nulls.is_null(row)).unwrap_or_default();
        return Err(ContractError::Null { column: column.name.clone(), row });
    }
    Ok(array.clone())
}

/// Whether values of this type are those that the contract asks for. In memory they may be a dictionary, which
/// makes the same file: a column of Parquet has its own.
fn is_of(found: &DataType, expected: &DataType) -> bool {
    match found {
        DataType::Dictionary(_, values) => values.as_ref() == expected,
        _ => found == expected,
    }
}

/// Rows must ascend by the key. Two runs would not give the same bytes otherwise, and two rows of one key would
/// break the grain.
fn check_order(table: &Table, batch: &RecordBatch) -> Result<(), ContractError> {
    check_key(table, &table.key.iter().filter_map(|k| batch.column_by_name(k).cloned()).collect::<Vec<_>>())
}

/// The same of the columns of the key alone, in its order.
pub(crate) fn check_key(table: &Table, columns: &[ArrayRef]) -> Result<(), ContractError> {
    let Some(n_rows) = columns.first().map(|column| column.len()) else { return Ok(()) };
    let fields = columns.iter().map(|c| SortField::new(c.data_type().clone())).collect();
    let converter = RowConverter::new(fields).map_err(ContractError::Arrow)?;
    // Some at a time, each with the last of those before: compared as rows, a key needs twice its room.
    for first in (0..n_rows).step_by(COMPARED_ROWS) {
        let begin = first.saturating_sub(1);
        let length = n_rows.min(first + COMPARED_ROWS) - begin;
        let some: Vec<ArrayRef> = columns.iter().map(|column| column.slice(begin, length)).collect();
        let rows = converter.convert_columns(&some).map_err(ContractError::Arrow)?;
        if let Some(row) = (1..rows.num_rows()).find(|&i| rows.row(i - 1) >= rows.row(i)) {
            return Err(ContractError::Order { row: begin + row, key: table.key.join(", ") });
        }
    }
    Ok(())
}

/// Rows whose keys are compared at a time.
const COMPARED_ROWS: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::events;
    use arrow::array::UInt32Array;
    use std::sync::Arc;

    fn conformed(batch: &RecordBatch) -> Result<RecordBatch, ContractError> {
        conform_to_contract(find_contract("statsdb_events").unwrap(), batch)
    }

    #[test]
    fn a_null_in_a_column_that_is_never_null_is_refused_with_its_row() {
        let batch = events(&["a", "b"]);
        let nullable = batch
            .schema()
            .fields()
            .iter()
            .map(|f| f.as_ref().clone().with_nullable(true))
            .collect::<Vec<_>>();
        let columns =
            batch.columns().iter().zip(&nullable).map(|(column, field)| match field.name().as_str() {
                "event" => Arc::new(arrow::array::StringArray::from(vec![Some("x"), None])) as ArrayRef,
                _ => column.clone(),
            });
        let batch = RecordBatch::try_new(Arc::new(Schema::new(nullable.clone())), columns.collect()).unwrap();
        let Err(ContractError::Null { column, row }) = conformed(&batch) else { panic!("accepted") };
        assert_eq!((column.as_str(), row), ("event", 1));
    }

    #[test]
    fn a_missing_an_extra_and_a_doubled_column_are_refused_and_another_order_is_not() {
        let batch = events(&["a"]);
        let n = batch.num_columns();
        let without = batch.project(&(1..n).collect::<Vec<_>>()).unwrap();
        assert!(matches!(conformed(&without), Err(ContractError::Missing { column }) if column == "file"));
        let doubled = batch.project(&(0..n).chain([0]).collect::<Vec<_>>()).unwrap();
        assert!(matches!(conformed(&doubled), Err(ContractError::Extra { column }) if column == "file"));
        assert!(conform_to_contract(find_contract("fighters").unwrap(), &batch).is_err());
        let reversed = batch.project(&(0..n).rev().collect::<Vec<_>>()).unwrap();
        assert_eq!(conformed(&reversed).unwrap(), conformed(&batch).unwrap());
    }

    #[test]
    fn a_column_of_another_type_is_refused() {
        let batch = events(&["a"]);
        let mut fields: Vec<_> = batch.schema().fields().iter().map(|f| f.as_ref().clone()).collect();
        let mut columns = batch.columns().to_vec();
        let line = fields.iter().position(|f| f.name() == "line").unwrap();
        fields[line] = fields[line].clone().with_data_type(DataType::Int64);
        columns[line] = Arc::new(arrow::array::Int64Array::from(vec![1]));
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap();
        assert!(matches!(conformed(&batch), Err(ContractError::Type { column, .. }) if column == "line"));
    }

    #[test]
    fn rows_out_of_order_and_two_rows_of_one_key_are_refused() {
        let rows = events(&["a", "b", "c"]);
        let picked = |at: Vec<u32>| {
            conformed(&arrow::compute::take_record_batch(&rows, &UInt32Array::from(at)).unwrap())
        };
        assert!(matches!(picked(vec![0, 2, 1]), Err(ContractError::Order { row: 2, .. })));
        assert!(matches!(picked(vec![0, 0]), Err(ContractError::Order { row: 1, .. })));
        picked(vec![]).unwrap();
    }

    #[test]
    fn rows_out_of_order_are_found_where_one_part_of_them_ends_and_the_next_begins() {
        let ids: Vec<String> = (0..COMPARED_ROWS + 2).map(|row| format!("{row:09}")).collect();
        let rows = events(&ids);
        conformed(&rows).unwrap();
        let mut order: Vec<u32> = (0..).take(ids.len()).collect();
        order.swap(COMPARED_ROWS - 1, COMPARED_ROWS);
        let swapped = arrow::compute::take_record_batch(&rows, &UInt32Array::from(order)).unwrap();
        let refused = conformed(&swapped);
        assert!(matches!(refused, Err(ContractError::Order { row: COMPARED_ROWS, .. })), "{refused:?}");
    }
}
