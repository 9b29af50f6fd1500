//! Records that are read when somebody asks for them, in a file rather than in memory: most of a snapshot is what fighters
//! were long ago, and hardly anybody asks for it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use zstd::bulk::{self, Compressor};

/// Records made and written at once.
const PACKED_AT_ONCE: usize = 1024;
/// Measured on the records of versions: at level 1 the file is a seventh smaller (54 MB for 63), and a server is complete an
/// eighth later.
const ZSTD_LEVEL: i32 = -4;

/// Why a record cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("cannot read or write a record")]
    Io(#[from] io::Error),
    #[error("cannot parse a record")]
    Format(#[from] postcard::Error),
}

/// Records by number. The file has no name: nobody else can open it, and it is gone when the process is, however that
/// ends.
#[derive(Debug)]
pub(crate) struct RecordFile {
    bytes: RecordBytes,
    ends: Box<[RecordEnd]>,
}

/// Where a record ends, and how many bytes it has when it is unpacked.
#[derive(Debug, Clone, Copy)]
struct RecordEnd {
    end: u64,
    unpacked: usize,
}

#[derive(Debug)]
enum RecordBytes {
    OnDisk(File),
    /// Where there is no room for a file.
    InMemory(Vec<u8>),
}

impl RecordFile {
    /// The record of this number.
    ///
    /// # Errors
    /// [`RecordError`], also where there is none.
    pub(crate) fn read<T: DeserializeOwned>(&self, number: usize) -> Result<T, RecordError> {
        let RecordEnd { end, unpacked } =
            *self.ends.get(number).ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before].end);
        let mut packed = vec![0; size(end - start)];
        match &self.bytes {
            RecordBytes::OnDisk(file) => file.read_exact_at(&mut packed, start)?,
            RecordBytes::InMemory(bytes) => packed.copy_from_slice(&bytes[size(start)..size(end)]),
        }
        Ok(postcard::from_bytes(&bulk::decompress(&packed, unpacked)?)?)
    }
}

fn size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// Writes a [`RecordFile`].
#[derive(Debug)]
pub(crate) struct RecordWriter {
    bytes: RecordBytes,
    ends: Vec<RecordEnd>,
}

impl RecordWriter {
    pub(crate) fn new() -> Self {
        let bytes =
            tempfile::tempfile().map_or_else(|error| in_memory(Vec::new(), &error), RecordBytes::OnDisk);
        Self { bytes, ends: Vec::new() }
    }

    /// Appends so many records, each made when its turn has come.
    ///
    /// # Errors
    /// [`RecordError`]; that the file is full is none.
    pub(crate) fn append<T: Serialize>(
        &mut self,
        n: usize,
        record: impl Fn(usize) -> T + Sync,
    ) -> Result<(), RecordError> {
        for first in (0..n).step_by(PACKED_AT_ONCE) {
            let some = (first..n.min(first + PACKED_AT_ONCE)).into_par_iter();
            let packed = some.map_init(RecordPacker::new, |packer, n| match packer {
                Ok(packer) => packer.pack(&record(n)),
                Err(error) => Err(io::Error::from(error.kind()).into()),
            });
            let packed: Vec<(Vec<u8>, usize)> = packed.collect::<Result<_, _>>()?;
            let start = self.ends.last().map_or(0, |before| before.end);
            let mut bytes = Vec::new();
            for (record, unpacked) in packed {
                bytes.extend(record);
                self.ends.push(RecordEnd { end: start + bytes.len() as u64, unpacked });
            }
            self.bytes.write(bytes, start)?;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> RecordFile {
        RecordFile { bytes: self.bytes, ends: self.ends.into() }
    }
}

impl RecordBytes {
    /// Writes bytes behind the others, of which there are `start`.
    fn write(&mut self, mut bytes: Vec<u8>, start: u64) -> io::Result<()> {
        match self {
            Self::InMemory(kept) => kept.append(&mut bytes),
            Self::OnDisk(file) => {
                if let Err(error) = file.write_all_at(&bytes, start) {
                    let mut kept = vec![0; size(start)];
                    file.read_exact_at(&mut kept, 0)?;
                    kept.append(&mut bytes);
                    *self = in_memory(kept, &error);
                }
            }
        }
        Ok(())
    }
}

fn in_memory(kept: Vec<u8>, error: &io::Error) -> RecordBytes {
    let folder = std::env::temp_dir();
    tracing::warn!(%error, folder = %folder.display(), "no room for a file of records: they stay in memory");
    RecordBytes::InMemory(kept)
}

/// Packs records. Making one costs more than to pack a record.
struct RecordPacker(Compressor<'static>);

impl RecordPacker {
    fn new() -> io::Result<Self> {
        let mut compressor = Compressor::new(ZSTD_LEVEL)?;
        // So that a damaged file is an error and not another value.
        compressor.include_checksum(true)?;
        Ok(Self(compressor))
    }

    /// The packed bytes, and how many they were.
    fn pack<T: Serialize>(&mut self, record: &T) -> Result<(Vec<u8>, usize), RecordError> {
        let bytes = postcard::to_allocvec(record)?;
        Ok((self.0.compress(&bytes)?, bytes.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written<T: Serialize>(n: usize, record: impl Fn(usize) -> T + Sync) -> RecordFile {
        let mut writer = RecordWriter::new();
        writer.append(n, record).unwrap();
        writer.finish()
    }

    proptest! {
        #[test]
        fn a_record_is_read_as_it_was_written(
            records in prop::collection::vec(prop::collection::vec(any::<Option<i64>>(), 0..50), 0..30)
        ) {
            let file = written(records.len(), |n| records[n].clone());
            for (number, record) in records.iter().enumerate() {
                prop_assert_eq!(&file.read::<Vec<Option<i64>>>(number).unwrap(), record);
            }
            prop_assert!(file.read::<Vec<Option<i64>>>(records.len()).is_err());
        }
    }

    /// `/dev/full` takes no byte, as a file system without room.
    #[test]
    fn records_stay_in_memory_where_no_file_can_be_written() {
        let full = File::options().read(true).write(true).open("/dev/full").unwrap();
        let mut writer = RecordWriter { bytes: RecordBytes::OnDisk(full), ..RecordWriter::new() };
        writer.append(2, |n| ["a", "b"][n]).unwrap();
        let file = writer.finish();
        assert!(matches!(file.bytes, RecordBytes::InMemory(_)));
        assert_eq!(file.read::<String>(1).unwrap(), "b");
    }

    #[test]
    fn a_flipped_byte_is_an_error() {
        let record: Vec<u64> = (0..500).map(|n| n * n).collect();
        for place in 0..written(1, |_| &record).ends[0].end {
            let file = written(1, |_| &record);
            let RecordBytes::OnDisk(bytes) = &file.bytes else { panic!("a file") };
            let mut byte = [0];
            bytes.read_exact_at(&mut byte, place).unwrap();
            bytes.write_all_at(&[byte[0] ^ 0x10], place).unwrap();
            let read = file.read::<Vec<u64>>(0);
            assert!(read.is_err() || read.unwrap() == record, "at {place}");
        }
    }
}
