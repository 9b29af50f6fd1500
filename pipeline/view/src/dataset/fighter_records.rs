//! Rows of a table, kept by fighter until somebody asks for them.

use std::ops::Range;

use arrow::array::RecordBatch;
use fdna_schemas::{TableReader, Tables};
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::DatasetError;
use super::columns::without_codes;
use super::fighters::FighterTable;
use super::lazy_columns::{DECODED_AT_ONCE, LazyColumns};
use super::record_file::{RecordError, RecordFile, RecordWriter};

const FIGHTER: &str = "fighter_id";

/// The rows of a table by fighter.
#[derive(Debug)]
pub(crate) struct FighterRecords {
    file: RecordFile,
    /// By row of the fighter: numbers of the records. One, since tables are in the order of their keys.
    by_fighter: Vec<Vec<u32>>,
}

/// Rows that follow one another and are of one fighter.
type FighterSpan = (Uuid, Range<usize>);

impl FighterRecords {
    /// Reads a table that has a column `fighter_id`, a part at a time; `rows` makes of each of its rows what is kept.
    pub(crate) fn read<T: Serialize + Sync>(
        name: &'static str,
        table: &dyn LazyColumns,
        fighters: &FighterTable,
        rows: impl Fn(&RecordBatch) -> Result<Vec<T>, DatasetError>,
    ) -> Result<Self, DatasetError> {
        let columns: Vec<&str> = Tables::get().table(name)?.columns.iter().map(|c| c.name.as_str()).collect();
        let spans = spans(name, table)?;
        let mut by_fighter = vec![Vec::new(); fighters.rows.len()];
        for (n, (fighter, _)) in spans.iter().enumerate() {
            by_fighter[fighters.ids.row_of("fighter", name, *fighter)?]
                .push(u32::try_from(n).unwrap_or(u32::MAX));
        }
        let (mut writer, mut spans) = (RecordWriter::new(), &spans[..]);
        while let Some((_, Range { start, .. })) = spans.first() {
            let n = spans.partition_point(|(_, span)| span.end <= start + DECODED_AT_ONCE).max(1);
            let (now, later) = spans.split_at(n);
            let rows = rows(&without_codes(&table.columns(&columns, *start..now[n - 1].1.end)?)?)?;
            writer.append(n, |n| &rows[now[n].1.start - start..now[n].1.end - start])?;
            spans = later;
        }
        Ok(Self { file: writer.finish(), by_fighter })
    }

    /// All rows of the fighter in a row of the fighters, in the order of the table.
    pub(crate) fn of<T: DeserializeOwned>(&self, fighter: usize) -> Result<Vec<T>, RecordError> {
        let mut rows = Vec::new();
        for &number in &self.by_fighter[fighter] {
            rows.extend(self.file.read::<Vec<T>>(number as usize)?);
        }
        Ok(rows)
    }
}

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
