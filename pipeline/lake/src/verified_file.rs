//! A file that was checked against its digest and stays open: what is read of it later is checked as well, since bytes on a
//! disk and in its caches may change under an open file.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};
use rustix::buffer::spare_capacity;
use rustix::io::Errno;

use crate::digest::FileDigest;

/// Bytes that are checked together: whoever wants one of them reads all.
const BLOCK: usize = 16 << 10;

/// Blocks that are hashed together.
const AT_ONCE: usize = 16;

/// An open file with a checksum of each of its blocks, made in the same pass as its digest and kept in memory alone. Threads
/// read it at the same time, each from its own place.
#[derive(Debug, Clone)]
pub struct VerifiedFile {
    file: Arc<File>,
    bytes: u64,
    sums: Arc<[u32]>,
}

impl VerifiedFile {
    /// Reads a file to its end; returns it with its SHA-256.
    pub(crate) fn hash_file(file: File) -> io::Result<(Self, String)> {
        let (mut digest, mut sums, mut bytes) = (FileDigest::default(), Vec::new(), 0_u64);
        let mut buffer = vec![0; BLOCK * AT_ONCE];
        loop {
            let read = fill_buffer(&file, &mut buffer, bytes)?;
            digest.update(&buffer[..read]);
            sums.extend(buffer[..read].chunks(BLOCK).map(crc32fast::hash));
            bytes += read as u64;
            if read < buffer.len() {
                return Ok((Self { file: Arc::new(file), bytes, sums: sums.into() }, digest.finish()));
            }
        }
    }

    /// How many bytes it has.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn file(self) -> Arc<File> {
        self.file
    }

    /// Bytes from one place to another, as they were when its digest was checked.
    ///
    /// # Errors
    /// They cannot be read, or are others than they were.
    pub fn read_range(&self, range: Range<u64>) -> io::Result<Bytes> {
        let block = BLOCK as u64;
        let first = range.start / block;
        let (begin, end) = (first * block, range.end.next_multiple_of(block).min(self.bytes));
        if range.start > range.end || range.end > self.bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let read = read_bytes(&self.file, begin, block_index(end - begin))?;
        let sums = &self.sums[block_index(first)..];
        if let Some(n) = read.chunks(BLOCK).zip(sums).position(|(block, sum)| crc32fast::hash(block) != *sum)
        {
            let from = begin + (n * BLOCK) as u64;
            let to = (from + block).min(self.bytes);
            let why = format!("its bytes {from} to {to} have changed since its digest was checked");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(Bytes::from(read).slice(block_index(range.start - begin)..block_index(range.end - begin)))
    }
}

fn block_index(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// So many bytes of a file from a place on, into memory that is not filled with zeros before.
fn read_bytes(file: &File, at: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length);
    while bytes.len() < length {
        let from = at + bytes.len() as u64;
        match rustix::io::pread(file, spare_capacity(&mut bytes), from) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    // There may be room for more than was asked for.
    bytes.truncate(length);
    Ok(bytes)
}

/// Reads until the buffer is full or the file at its end.
fn fill_buffer(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read_at(&mut buffer[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

impl Length for VerifiedFile {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for VerifiedFile {
    type T = VerifiedReader;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(VerifiedReader { file: self.clone(), at: start, block: Bytes::new() })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        Ok(self.read_range(start..start.saturating_add(length as u64))?)
    }
}

/// Such a file from a place on.
#[derive(Debug)]
pub struct VerifiedReader {
    file: VerifiedFile,
    at: u64,
    /// Cached bytes of its block: the head of a page is read byte by byte.
    block: Bytes,
}

impl Read for VerifiedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.block.is_empty() {
            let end = (self.at + 1).next_multiple_of(BLOCK as u64).min(self.file.bytes);
            self.block = self.file.read_range(self.at.min(end)..end)?;
        }
        let read = buffer.len().min(self.block.len());
        buffer[..read].copy_from_slice(&self.block.split_to(read));
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::*;
    use crate::digest::sha256;

    fn file(content: &[u8]) -> VerifiedFile {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        let (file, digest) = VerifiedFile::hash_file(file).unwrap();
        assert_eq!((digest, file.bytes()), (sha256(content), content.len() as u64));
        file
    }

    fn content(bytes: usize) -> Vec<u8> {
        (0..bytes).map(|n| u8::try_from(n * n % 251).unwrap()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_range_is_read_as_it_was_and_not_once_a_bit_of_its_blocks_is_another(
            (bytes, from, to, bit) in (1_usize..5 * BLOCK)
                .prop_flat_map(|bytes| (Just(bytes), 0..bytes, 0..=bytes, 0..bytes * 8))
        ) {
            let (from, to) = (from.min(to), from.max(to));
            let (file, mut content) = (file(&content(bytes)), content(bytes));
            let range = from as u64..to as u64;
            prop_assert_eq!(&file.read_range(range.clone()).unwrap()[..], &content[from..to]);
            content[bit / 8] ^= 1 << (bit % 8);
            file.file.write_all_at(&content[bit / 8..=bit / 8], (bit / 8) as u64).unwrap();
            let is_in = (from / BLOCK..to.div_ceil(BLOCK)).contains(&(bit / 8 / BLOCK));
            prop_assert_eq!(file.read_range(range).is_err(), is_in && from < to);
        }

        #[test]
        fn a_reader_gives_all_that_follows(bytes in 0_usize..3 * BLOCK, at in 0_usize..3 * BLOCK) {
            let (content, at) = (content(bytes), at.min(bytes));
            let mut read = Vec::new();
            file(&content).get_read(at as u64).unwrap().read_to_end(&mut read).unwrap();
            prop_assert!(read == content[at..]);
        }
    }

    #[test]
    fn what_is_beyond_the_end_or_was_cut_off_is_an_error() {
        let file = file(&content(BLOCK + 10));
        assert!(file.read_range(0..BLOCK as u64 + 11).is_err());
        file.file.set_len(BLOCK as u64 + 9).unwrap();
        assert!(
            file.read_range(0..BLOCK as u64).is_ok()
                && file.read_range(BLOCK as u64..BLOCK as u64 + 1).is_err()
        );
    }
}
