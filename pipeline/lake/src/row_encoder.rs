//! Encodes a table as its rows come: of those that are not encoded yet there is one group in memory at most. The bytes are those of the
//! same rows given at once.

use arrow::array::{ArrayRef, RecordBatch};
use arrow::compute::{concat, concat_batches};
use arrow::datatypes::SchemaRef;
use fdna_schemas::Table;
use parquet::arrow::arrow_writer::ArrowRowGroupWriterFactory;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;

use crate::error::ContractError;
use crate::parquet_io::{
    EncodedTable, ROWS_IN_GROUP, append_row_group, default_compression, encode_columns, start_file,
};
use crate::{LakeError, LakeWriter, contract};

/// Takes the rows of one table, in the order of its key.
pub struct RowEncoder<'t> {
    table: &'t Table,
    schema: SchemaRef,
    file: SerializedFileWriter<Vec<u8>>,
    columns: ArrowRowGroupWriterFactory,
    /// Rows of the next group.
    waiting: Vec<RecordBatch>,
    groups: usize,
    rows: usize,
    /// Columns of the key, of the newest row alone.
    last_key: Vec<ArrayRef>,
}

impl LakeWriter {
    /// An encoder for a table of a stage.
    ///
    /// # Errors
    /// No table of that name has a contract.
    pub fn row_encoder(&self, table: &str) -> Result<RowEncoder<'static>, LakeError> {
        RowEncoder::new(contract::find_contract(table)?, default_compression())
    }
}

impl<'t> RowEncoder<'t> {
    pub(crate) fn new(table: &'t Table, compression: Compression) -> Result<Self, LakeError> {
        let schema = table.arrow_schema();
        let started = start_file(table, &table.columns, schema.clone(), compression, Vec::new());
        let (file, columns) = started.map_err(|source| encode_error(table, source))?;
        let (waiting, last_key) = (Vec::new(), Vec::new());
        Ok(Self { table, schema, file, columns, waiting, groups: 0, rows: 0, last_key })
    }

    /// Adds rows behind those before.
    ///
    /// # Errors
    /// They do not follow the contract, or are not in the order of the key.
    pub fn append_rows(&mut self, rows: &RecordBatch) -> Result<(), LakeError> {
        let table = self.table;
        let conformed = contract::conform_all_columns(table, rows).and_then(|rows| {
            self.check_order(&rows)?;
            Ok(rows)
        });
        let mut rest = conformed.map_err(|source| contract::contract_error(&table.name, source))?;
        self.rows += rest.num_rows();
        loop {
            let waiting: usize = self.waiting.iter().map(RecordBatch::num_rows).sum();
            let missing = ROWS_IN_GROUP - waiting;
            if rest.num_rows() < missing {
                break;
            }
            self.waiting.push(rest.slice(0, missing));
            rest = rest.slice(missing, rest.num_rows() - missing);
            self.write_group().map_err(|source| encode_error(table, source))?;
        }
        if rest.num_rows() > 0 {
            self.waiting.push(rest);
        }
        Ok(())
    }

    fn check_order(&mut self, rows: &RecordBatch) -> Result<(), ContractError> {
        let key: Vec<ArrayRef> =
            self.table.key.iter().filter_map(|name| rows.column_by_name(name).cloned()).collect();
        let at = |row: usize| key.iter().map(move |column| column.slice(row, 1));
        if rows.num_rows() == 0 {
            return Ok(());
        }
        let place = |first: usize| {
            move |error| match error {
                ContractError::Order { row, key } => ContractError::Order { row: first + row, key },
                error => error,
            }
        };
        if let Some(before) = self.rows.checked_sub(1) {
            let border = self.last_key.iter().zip(at(0)).map(|(last, first)| concat(&[&**last, &*first]));
            let border = border.collect::<Result<Vec<_>, _>>().map_err(ContractError::Arrow)?;
            contract::check_key(self.table, &border).map_err(place(before))?;
        }
        contract::check_key(self.table, &key).map_err(place(self.rows))?;
        self.last_key = at(rows.num_rows() - 1).collect();
        Ok(())
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let waiting = std::mem::take(&mut self.waiting);
        let rows = match waiting.as_slice() {
            [] => return Ok(()),
            [rows] => rows.clone(),
            several => concat_batches(several[0].schema_ref(), several)?,
        };
        let chunks = encode_columns(self.columns.create_column_writers(self.groups)?, &self.schema, &rows)?;
        append_row_group(&mut self.file, chunks)?;
        self.groups += 1;
        Ok(())
    }

    /// The table.
    ///
    /// # Errors
    /// The last rows cannot be encoded.
    pub fn finish(mut self) -> Result<EncodedTable, LakeError> {
        let (table, rows) = (self.table, self.rows);
        let written = self.write_group().and_then(|()| self.file.into_inner());
        let bytes = written.map_err(|source| encode_error(table, source))?;
        Ok(EncodedTable::new(table, rows, bytes.into()))
    }
}

fn encode_error(table: &Table, source: ParquetError) -> LakeError {
    LakeError::Encode { table: table.name.clone(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parquet_io::encode_table;
    use crate::testing::events;
    use arrow::array::UInt32Array;
    use arrow::compute::take_record_batch;
    use fdna_schemas::TableWriter;

    /// A table of a key and a value, which is null in some of the first rows alone: in the second group it has none.
    fn one_and_a_half_groups() -> (Table, RecordBatch) {
        let text = "name='t'\nstage='facts'\nversion=1\ngrain='g'\nkey=['k']\nmeaning='m'\nhistory=[]\n\
                    [[column]]\nname='k'\ntype='int32'\nmeaning='key'\nunit='s'\n\
                    [[column]]\nname='v'\ntype='string'\nmeaning='value'\nnull_means='none'";
        let table = Table::parse("t", text).unwrap();
        let rows = 0..i32::try_from(3 * ROWS_IN_GROUP / 2).unwrap();
        let values = rows.clone().map(|row| (row % 3 > 0 || row > 100).then(|| (row % 7).to_string()));
        let batch =
            TableWriter::new(&table).int32s("k", rows.map(Some)).strings("v", values).finish().unwrap();
        (table, batch)
    }

    fn encode_pieces(table: &Table, rows: &RecordBatch, size: usize) -> EncodedTable {
        let mut encoder = RowEncoder::new(table, default_compression()).unwrap();
        for first in (0..rows.num_rows()).step_by(size) {
            // Copied, so that a piece knows nothing of the others.
            let piece = rows.slice(first, size.min(rows.num_rows() - first));
            let places = UInt32Array::from_iter_values(0..u32::try_from(piece.num_rows()).unwrap());
            encoder.append_rows(&take_record_batch(&piece, &places).unwrap()).unwrap();
        }
        encoder.finish().unwrap()
    }

    #[test]
    fn rows_that_come_in_pieces_make_the_bytes_of_all_at_once() {
        let (table, all) = one_and_a_half_groups();
        let at_once = encode_table(&table, &all).unwrap();
        for size in [1000, ROWS_IN_GROUP, all.num_rows()] {
            let encoded = encode_pieces(&table, &all, size);
            assert_eq!(encoded.entry, at_once.entry, "pieces of {size} rows");
            assert_eq!(encoded.content.to_bytes(), at_once.content.to_bytes(), "pieces of {size} rows");
        }
        let none = all.slice(0, 0);
        assert_eq!(encode_pieces(&table, &none, 1).entry, encode_table(&table, &none).unwrap().entry);
    }

    #[test]
    fn a_piece_that_begins_before_the_last_one_ended_is_refused_with_its_row() {
        let all = events(&["a", "b", "c", "d", "e", "f"]);
        let table = contract::find_contract("statsdb_events").unwrap();
        let mut encoder = RowEncoder::new(table, default_compression()).unwrap();
        encoder.append_rows(&all.slice(0, 4)).unwrap();
        let error = encoder.append_rows(&all.slice(3, 3)).unwrap_err();
        let is_row = matches!(error, LakeError::Contract { source: ContractError::Order { row: 4, .. }, .. });
        assert!(is_row, "{error:?}");
    }
}
