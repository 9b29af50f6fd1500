//! Protocol of a worker: a line of JSON each way, and behind an answer its tables as Arrow streams.

use std::io::{self, Read, Write};

use anyhow::Context as _;
use arrow::array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use fdna_lake::{Capture, StageOutput};
use serde::{Deserialize, Serialize};

use super::reading::{CaptureReading, ReadNotes};
use crate::captures::facts::FactsDelta;

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

/// Answer of a worker: the reading, or why it could not read the lake.
pub(super) type ReadAnswer = Result<CaptureReading, String>;

/// Writes an answer. Each table goes when it is written: a second copy of all of them would need as much room again.
///
/// # Errors
/// Nobody takes it.
pub(super) fn write_answer(to: &mut impl Write, read: anyhow::Result<CaptureReading>) -> anyhow::Result<()> {
    let (head, tables) = match read {
        Ok(CaptureReading { tables, notes, difference }) => {
            let names = tables.iter().map(|(name, _)| name.clone()).collect();
            (FrameHead::Read { notes, difference, tables: names }, tables)
        }
        Err(error) => (FrameHead::Failed(format!("{error:#}")), Vec::new()),
    };
    write_part(to, &serde_json::to_vec(&head)?)?;
    for (_, batch) in tables {
        let mut writer = StreamWriter::try_new(&mut *to, &batch.schema())?;
        writer.write(&batch)?;
        writer.finish()?;
    }
    Ok(to.flush()?)
}

/// The next answer; `None` where there is no further one.
///
/// # Errors
/// It breaks off, or is no answer.
pub(super) fn read_answer(from: &mut impl Read) -> anyhow::Result<Option<ReadAnswer>> {
    let Some(head) = read_part(from)? else { return Ok(None) };
    let (notes, difference, names) = match serde_json::from_slice(&head)? {
        FrameHead::Read { notes, difference, tables } => (notes, difference, tables),
        FrameHead::Failed(error) => return Ok(Some(Err(error))),
    };
    let table = |name: String| {
        let batch =
            read_batch(&mut *from).with_context(|| format!("cannot read table {name} of an answer"))?;
        Ok((name, batch))
    };
    let tables = names.into_iter().map(table).collect::<anyhow::Result<_>>()?;
    Ok(Some(Ok(CaptureReading { tables, notes, difference })))
}

/// Of a stream whose end says that it is one.
fn read_batch(stream: impl Read) -> anyhow::Result<RecordBatch> {
    let reader = StreamReader::try_new(stream, None)?;
    let schema = reader.schema();
    let batches = reader.collect::<Result<Vec<_>, _>>()?;
    Ok(arrow::compute::concat_batches(&schema, &batches)?)
}

/// Writes a part, its length before it.
fn write_part(to: &mut impl Write, part: &[u8]) -> io::Result<()> {
    to.write_all(&(part.len() as u64).to_le_bytes())?;
    to.write_all(part)
}

/// The next part; `None` where there is no further one.
fn read_part(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
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
    use fdna_model::{Finding, FindingKind, Severity};
    use fdna_rows::quarantine_table;
    use proptest::prelude::*;

    use super::*;

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
            let _ = read_answer(&mut &bytes[..]);
        }
    }

    fn reading(rows: i32) -> CaptureReading {
        let findings = (0..rows).map(|line| Finding {
            kind: FindingKind::FieldCount,
            severity: Severity::Quarantine,
            file: "a.csv".to_owned(),
            line,
            key: None,
            reason: "three fields".to_owned(),
            raw: None,
        });
        let findings = findings.map(|finding| ("capture".to_owned(), "ingest", finding)).collect();
        let tables = vec![("quarantine".to_owned(), quarantine_table(findings).unwrap())];
        CaptureReading { tables, notes: ReadNotes::default(), difference: None }
    }

    #[test]
    fn answers_come_back_one_after_another_and_one_that_breaks_off_is_an_error() {
        let mut bytes = Vec::new();
        for answer in [Ok(reading(3)), Err(anyhow::anyhow!("no lake")), Ok(reading(0))] {
            write_answer(&mut bytes, answer).unwrap();
        }
        let mut rest = &bytes[..];
        let mut next = || read_answer(&mut rest).unwrap();
        assert_eq!(next().unwrap().unwrap().tables, reading(3).tables);
        assert_eq!(next().unwrap().err().unwrap(), "no lake");
        assert_eq!(next().unwrap().unwrap().tables, reading(0).tables);
        assert!(next().is_none());
        let mut one = Vec::new();
        write_answer(&mut one, Ok(reading(3))).unwrap();
        for cut in [1, 9, one.len() / 2, one.len() - 100] {
            assert!(read_answer(&mut &one[..cut]).is_err(), "{cut} of {} bytes", one.len());
        }
    }
}
