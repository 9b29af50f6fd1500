//! Rows of a table, kept by fighter until somebody asks for them.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use arrow::array::RecordBatch;
use fdna_schemas::{TableReader, Tables};
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::DatasetError;
use super::columns::without_codes;
use super::fighters::FighterTable;
use super::lazy_columns::{DECODED_AT_ONCE, LazyColumns};
use super::record_file::{RecordFile, RecordWriter};

const FIGHTER: &str = "fighter_id";

/// The rows of a table by fighter. Until [`Self::pack`] has written them as records, they are read from the table.
#[derive(Debug)]
pub(crate) struct FighterRecords<T> {
    name: &'static str,
    table: Arc<dyn LazyColumns>,
    /// What is kept of each row.
    rows: fn(&RecordBatch) -> Result<Vec<T>, DatasetError>,
    /// Rows that follow one another and are of one fighter.
    spans: Vec<Range<usize>>,
    /// By row of the fighter: numbers of his spans. One, since tables are in the order of their keys.
    by_fighter: Vec<Vec<u32>>,
    file: OnceLock<RecordFile>,
}

impl<T: Serialize + DeserializeOwned + Sync> FighterRecords<T> {
    /// Of a table that has a column `fighter_id`; `rows` makes of each of its rows what is kept.
    pub(crate) fn read(
        name: &'static str,
        table: &Arc<dyn LazyColumns>,
        fighters: &FighterTable,
        rows: fn(&RecordBatch) -> Result<Vec<T>, DatasetError>,
    ) -> Result<Self, DatasetError> {
        let spans = spans(name, &**table)?;
        let mut by_fighter = vec![Vec::new(); fighters.rows.len()];
        for (n, (fighter, _)) in spans.iter().enumerate() {
            by_fighter[fighters.ids.row_of("fighter", name, *fighter)?]
                .push(u32::try_from(n).unwrap_or(u32::MAX));
        }
        let spans = spans.into_iter().map(|(_, span)| span).collect();
        let (table, file) = (Arc::clone(table), OnceLock::new());
        let records = Self { name, table, rows, spans, by_fighter, file };
        // That its columns are those of its contract shows without a row.
        records.decode(0..0).map(|_| records)
    }

    /// Writes the records, a part of the table at a time.
    pub(crate) fn pack(&self) -> Result<(), DatasetError> {
        let (mut writer, mut spans) = (RecordWriter::new(), &self.spans[..]);
        while let Some(&Range { start, .. }) = spans.first() {
            let n = spans.partition_point(|span| span.end <= start + DECODED_AT_ONCE).max(1);
            let (now, later) = spans.split_at(n);
            let rows = self.decode(start..now[n - 1].end)?;
            writer.append(n, |n| &rows[now[n].start - start..now[n].end - start])?;
            spans = later;
        }
        // Whoever was first has written the same.
        _ = self.file.set(writer.finish());
        Ok(())
    }

    /// All rows of the fighter in a row of the fighters, in the order of the table.
    pub(crate) fn of(&self, fighter: usize) -> Result<Vec<T>, DatasetError> {
        let mut rows = Vec::new();
        for &number in &self.by_fighter[fighter] {
            let number = number as usize;
            match self.file.get() {
                Some(file) => rows.extend(file.read::<Vec<T>>(number)?),
                None => rows.extend(self.decode(self.spans[number].clone())?),
            }
        }
        Ok(rows)
    }

    fn decode(&self, rows: Range<usize>) -> Result<Vec<T>, DatasetError> {
        let columns = &Tables::get().table(self.name)?.columns;
        let columns: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        (self.rows)(&without_codes(&self.table.columns(&columns, rows)?)?)
    }
}

/// Rows that follow one another and are of one fighter.
type FighterSpan = (Uuid, Range<usize>);

fn spans(name: &str, table: &dyn LazyColumns) -> Result<Vec<FighterSpan>, DatasetError> {
    let ids = without_codes(&table.columns(&[FIGHTER], 0..table.n_rows())?)?;
    let mut spans: Vec<FighterSpan> = Vec::new();
    for (row, id) in TableReader::new(name, &ids).ids(FIGHTER)?.into_iter().enumerate() {
        match spans.last_mut() {
            Some((last, span)) if *last == id => span.end = row + 1,
            _ => spans.push((id, row..row + 1)),
        }
    }
    Ok(spans)
}
