//! What a worker is asked and answers: a line of JSON each way, and behind an answer its tables as Arrow streams.

use std::io::{self, Read, Write};

use anyhow::Context as _;
use arrow::array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use bytes::Bytes;
use fdna_lake::{Capture, StageOutput};
use serde::{Deserialize, Serialize};

use super::reading::{CaptureReading, ReadNotes};
use crate::facts::FactsDelta;

/// A capture to read, and the one that it may be told apart from, with its facts.
#[derive(Serialize, Deserialize)]
pub(super) struct ReadRequest {
    pub(super) capture: Capture,
    pub(super) base: Option<(Capture, StageOutput)>,
}

/// The first part of an answer.
#[derive(Serialize, Deserialize)]
enum FrameHead {
    Read {
        notes: ReadNotes,
        difference: Option<FactsDelta>,
        tables: Vec<String>,
    },
    /// The lake could not be read.
    Failed(String),
}

/// An answer as bytes.
pub(super) fn to_bytes(read: anyhow::Result<CaptureReading>) -> anyhow::Result<Vec<u8>> {
    let (head, tables) = match read {
        Ok(CaptureReading { tables, notes, difference }) => {
            let names = tables.iter().map(|(name, _)| name.clone()).collect();
            (FrameHead::Read { notes, difference, tables: names }, tables)
        }
        Err(error) => (FrameHead::Failed(format!("{error:#}")), Vec::new()),
    };
    let mut bytes = Vec::new();
    write_part(&mut bytes, &serde_json::to_vec(&head)?)?;
    for (_, batch) in &tables {
        let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema())?;
        writer.write(batch)?;
        write_part(&mut bytes, &writer.into_inner()?)?;
    }
    Ok(bytes)
}

/// The reading in an answer, or why the worker could not read the lake.
///
/// # Errors
/// These bytes are no answer.
pub(super) fn from_bytes(bytes: Bytes) -> anyhow::Result<Result<CaptureReading, String>> {
    let mut rest = &bytes[..];
    let head = read_part(&mut rest)?.context("find the head of an answer")?;
    let (notes, difference, names) = match serde_json::from_slice(&head)? {
        FrameHead::Read { notes, difference, tables } => (notes, difference, tables),
        FrameHead::Failed(error) => return Ok(Err(error)),
    };
    let table = |name: String| {
        let part = read_part(&mut rest)?.with_context(|| format!("find table {name} of an answer"))?;
        Ok((name, batch(&part)?))
    };
    let tables = names.into_iter().map(table).collect::<anyhow::Result<_>>()?;
    Ok(Ok(CaptureReading { tables, notes, difference }))
}

fn batch(stream: &[u8]) -> anyhow::Result<RecordBatch> {
    let reader = StreamReader::try_new(stream, None)?;
    let schema = reader.schema();
    let batches = reader.collect::<Result<Vec<_>, _>>()?;
    Ok(arrow::compute::concat_batches(&schema, &batches)?)
}

/// Writes a part, its length before it.
pub(super) fn write_part(to: &mut impl Write, part: &[u8]) -> io::Result<()> {
    to.write_all(&(part.len() as u64).to_le_bytes())?;
    to.write_all(part)?;
    to.flush()
}

/// The next part; `None` where there is no further one.
pub(super) fn read_part(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    if from.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut length[1..])?;
    let length = u64::from_le_bytes(length);
    let mut part = Vec::new();
    let read = from.take(length).read_to_end(&mut part)?;
    if read as u64 == length { Ok(Some(part)) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_come_back_and_half_ones_are_errors(parts in proptest::collection::vec(any::<Vec<u8>>(), 0..5), cut in 0..40_usize) {
            let mut bytes = Vec::new();
            parts.iter().for_each(|part| write_part(&mut bytes, part).unwrap());
            let mut rest = &bytes[..];
            for part in &parts {
                prop_assert_eq!(&read_part(&mut rest).unwrap().unwrap(), part);
            }
            prop_assert!(read_part(&mut rest).unwrap().is_none());
            let mut half = &bytes[..bytes.len().saturating_sub(cut)];
            let whole = std::iter::from_fn(|| read_part(&mut half).ok().flatten()).count();
            prop_assert!(whole <= parts.len() && (cut > 0 || whole == parts.len()));
        }

        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>()) {
            let _ = from_bytes(bytes.into());
        }
    }
}
