//! Content of a file to be written: bytes, or another file for what should not be in memory.

use std::fs::File;
use std::io::{self, Seek as _, Write};
use std::sync::Arc;

use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use crate::digest::to_hex;

/// Content of a file to be written.
#[derive(Clone, Debug)]
pub(crate) enum FileContent {
    Bytes(Bytes),
    /// All of an open file.
    File(Arc<File>),
}

impl From<Bytes> for FileContent {
    fn from(bytes: Bytes) -> Self {
        Self::Bytes(bytes)
    }
}

impl FileContent {
    /// Writes all of it; a file never is in memory.
    pub(crate) fn write_to(&self, into: &mut File) -> io::Result<()> {
        match self {
            Self::Bytes(bytes) => into.write_all(bytes),
            Self::File(file) => {
                let mut file = &**file;
                file.rewind()?;
                io::copy(&mut file, into).map(|_| ())
            }
        }
    }

    /// All of it in memory.
    #[cfg(test)]
    pub(crate) fn to_bytes(&self) -> Bytes {
        match self {
            Self::Bytes(bytes) => bytes.clone(),
            Self::File(file) => {
                let (mut file, mut bytes) = (&**file, Vec::new());
                file.rewind().unwrap();
                io::copy(&mut file, &mut bytes).unwrap();
                bytes.into()
            }
        }
    }
}

/// A file with the digest and number of the bytes that were written to it.
pub(crate) struct HashingFile {
    file: File,
    digest: Sha256,
    bytes: u64,
}

/// Content that was written.
pub(crate) struct HashedContent {
    pub(crate) content: FileContent,
    pub(crate) sha256: String,
    pub(crate) bytes: u64,
}

impl HashingFile {
    /// Of an empty file.
    pub(crate) fn new(file: File) -> Self {
        Self { file, digest: Sha256::new(), bytes: 0 }
    }

    pub(crate) fn finish(self) -> HashedContent {
        let Self { file, digest, bytes } = self;
        HashedContent {
            content: FileContent::File(Arc::new(file)),
            sha256: to_hex(&digest.finalize()),
            bytes,
        }
    }
}

impl Write for HashingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
