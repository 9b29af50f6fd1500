//! The floor of a run: the same source files parsed and written to Parquet, nothing else.
//!
//! `floor SOURCE_FOLDER OUT_FOLDER`

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use arrow::array::{ArrayRef, RecordBatch, StringBuilder};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

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

/// Columns of text.
fn read(path: &PathBuf) -> anyhow::Result<RecordBatch> {
    let mut reader = csv::Reader::from_path(path)?;
    let header = reader.headers()?.clone();
    let mut columns: Vec<StringBuilder> = header.iter().map(|_| StringBuilder::new()).collect();
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record)? {
        columns.iter_mut().zip(&record).for_each(|(column, text)| column.append_value(text));
    }
    let arrays = columns.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
    Ok(RecordBatch::try_from_iter(header.iter().zip(arrays))?)
}

fn write(batch: &RecordBatch, out: File) -> anyhow::Result<()> {
    let zstd = Compression::ZSTD(ZstdLevel::try_new(2)?);
    let properties = WriterProperties::builder().set_compression(zstd).build();
    let mut writer = ArrowWriter::try_new(out, batch.schema(), Some(properties))?;
    writer.write(batch)?;
    writer.close()?;
    Ok(())
}
