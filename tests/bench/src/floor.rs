//! The floor of a run: the same source files read by polars and written to Parquet, nothing else.
//!
//! `floor SOURCE_FOLDER OUT_FOLDER`

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use arrow::array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use polars::prelude::{CsvReadOptions, DataFrame, SerReader};

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let (from, to) = args.next().zip(args.next()).context("floor SOURCE_FOLDER OUT_FOLDER")?;
    std::fs::create_dir_all(&to)?;
    for entry in std::fs::read_dir(&from)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "csv") {
            let out = to.join(path.file_name().context("a file name")?).with_extension("parquet");
            write(&read(&path)?, File::create(out)?)?;
        }
    }
    Ok(())
}

fn read(path: &PathBuf) -> anyhow::Result<DataFrame> {
    let options = CsvReadOptions::default().with_has_header(true).with_infer_schema_length(Some(0));
    Ok(options.into_reader_with_file_handle(File::open(path)?).finish()?)
}

fn write(frame: &DataFrame, out: File) -> anyhow::Result<()> {
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    for column in frame.columns() {
        let array: StringArray = column.str()?.iter().collect();
        columns.push((column.name().to_string(), Arc::new(array)));
    }
    let batch = RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true)))?;
    let zstd = Compression::ZSTD(ZstdLevel::try_new(2)?);
    let properties = WriterProperties::builder().set_compression(zstd).build();
    let mut writer = ArrowWriter::try_new(out, batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(())
}
