//! How long the panels of all months of a history take to be computed, wide and long, writing apart.
//!
//! `panel [DNA_VERSIONS.parquet]`: that table, as a snapshot has it, or else an invented one of the size of the
//! real history.

use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use arrow::array::{ArrayRef, Date32Array, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow::compute::concat_batches;
use chrono::{Months, NaiveDate};
use fdna_panel::{DayHistory, VersionTable};
use fdna_schemas::{Column, ColumnType, Tables};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use rayon::prelude::*;

const FIGHTERS: i32 = 2_500;
const BOUTS: i32 = 7;
/// 1993-11-12, the day of the first bouts, and how many days follow.
const FIRST_DAY: i32 = 8_716;
const DAYS: i32 = 11_650;

fn main() -> anyhow::Result<()> {
    let table = std::env::args_os().nth(1).map_or_else(invent, |path| read(File::open(path)?))?;
    let first = NaiveDate::from_ymd_opt(1994, 1, 1).context("a date")?;
    let months: Vec<_> = (0..384).filter_map(|n| first.checked_add_months(Months::new(n))).collect();
    let begun = Instant::now();
    let [bouts, results, ratings] = ["bouts", "results", "ratings"]
        .map(|name| Tables::get().table(name).map(|table| RecordBatch::new_empty(table.arrow_schema())));
    let history = DayHistory { bouts: &bouts?, results: &results?, ratings: &ratings? };
    let versions = VersionTable::new(&table, history)?;
    let indexed = begun.elapsed().as_secs_f64();
    let rows = months.par_iter().map(|&as_of| {
        let panel = versions.panel_on(as_of)?;
        anyhow::Ok((panel.wide.num_rows(), panel.long.num_rows()))
    });
    let rows = rows.try_reduce(|| (0, 0), |a, b| Ok((a.0 + b.0, a.1 + b.1)))?;
    let all = begun.elapsed().as_secs_f64();
    writeln!(
        std::io::stdout(),
        "{} panels of {} versions: {} wide rows, {} long rows; index {indexed:.2} s, all {all:.2} s, {} threads",
        months.len(),
        table.num_rows(),
        rows.0,
        rows.1,
        rayon::current_num_threads()
    )?;
    Ok(())
}

fn read(file: File) -> anyhow::Result<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file)?.build()?;
    let schema = arrow::array::RecordBatchReader::schema(&reader);
    let batches = reader.collect::<Result<Vec<_>, _>>()?;
    Ok(concat_batches(&schema, &batches)?)
}

/// Careers that begin all over the history, a third of a year from bout to bout.
fn invent() -> anyhow::Result<RecordBatch> {
    let table = Tables::get().table("dna_versions")?;
    let columns = table.columns.iter().map(column).collect();
    Ok(RecordBatch::try_new(table.arrow_schema(), columns)?)
}

fn column(column: &Column) -> ArrayRef {
    let rows = (0..FIGHTERS).flat_map(|fighter| (0..BOUTS).map(move |bout| (fighter, bout)));
    let bout_day = |(fighter, bout): (i32, i32)| FIRST_DAY + fighter * (DAYS / FIGHTERS) + bout * 120;
    let number = |(fighter, bout): (i32, i32)| f64::from(fighter * 31 + bout).sqrt();
    match (column.name.as_str(), column.kind) {
        ("fighter_id", _) => {
            Arc::new(rows.map(|row| Some(format!("{:036}", row.0))).collect::<StringArray>())
        }
        ("version", _) => Arc::new(rows.map(|row| Some(row.1 + 1)).collect::<Int32Array>()),
        ("valid_from", _) => Arc::new(rows.map(|row| Some(bout_day(row) + 1)).collect::<Date32Array>()),
        (_, ColumnType::Date) => Arc::new(rows.map(|row| Some(bout_day(row))).collect::<Date32Array>()),
        (_, ColumnType::Float64) => Arc::new(rows.map(|row| Some(number(row))).collect::<Float64Array>()),
        (_, ColumnType::Int64) => Arc::new(rows.map(|row| Some(i64::from(row.1))).collect::<Int64Array>()),
        (_, ColumnType::Int32) => Arc::new(rows.map(|row| Some(row.1)).collect::<Int32Array>()),
        _ => Arc::new(
            rows.map(|row| Some(["high", "medium", "low"][row.1.unsigned_abs() as usize % 3]))
                .collect::<StringArray>(),
        ),
    }
}
