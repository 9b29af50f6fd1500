//! SHA-256 as text, digests over parts that cannot run together, and the id types made of them.

use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use std::hash::{Hash, Hasher};

use sha2::{Digest, Sha256};

/// The SHA-256 of `bytes` as 64 lower-case hex digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    to_hex(&Sha256::digest(bytes))
}

/// The SHA-256 of what comes piece by piece.
#[derive(Default)]
pub(crate) struct FileDigest(Sha256);

impl FileDigest {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// 64 lower-case hex digits.
    pub(crate) fn finish(self) -> String {
        to_hex(&self.0.finalize())
    }
}

/// The SHA-256 of a file, of which never more than a little is in memory.
pub(crate) fn sha256_of_file(file: &File) -> io::Result<String> {
    let (mut digest, mut buffer, mut at) = (FileDigest::default(), vec![0; 256 << 10], 0);
    loop {
        match file.read_at(&mut buffer, at)? {
            0 => return Ok(digest.finish()),
            read => {
                digest.update(&buffer[..read]);
                at += read as u64;
            }
        }
    }
}

/// The SHA-256 of a value's parts, 64 hex digits: tells whether a stage's input is what it was. Not for what is
/// published: another compiler may hash the parts otherwise.
#[must_use]
pub fn sha256_of<T: Hash + ?Sized>(value: &T) -> String {
    let mut parts = PartsHasher::default();
    value.hash(&mut parts);
    to_hex(&parts.0.finalize())
}

/// Takes the parts of a value as bytes.
#[derive(Default)]
struct PartsHasher(Sha256);

impl Hasher for PartsHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A digest over parts. Each goes in after its length: ("ab", "c") and ("a", "bc") must differ.
#[derive(Clone, Debug, Default)]
pub(crate) struct DigestParts(Sha256);

impl DigestParts {
    pub(crate) fn add_part(mut self, part: impl AsRef<[u8]>) -> Self {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    pub(crate) fn add_number(self, number: u32) -> Self {
        self.add_part(number.to_le_bytes())
    }

    /// 64 hex digits.
    pub(crate) fn finish(self) -> String {
        to_hex(&self.0.finalize())
    }

    /// The first 32 hex digits: 128 bits, short enough for a folder name.
    pub(crate) fn finish_short(self) -> String {
        let mut text = self.finish();
        text.truncate(32);
        text
    }
}

/// A text that is not 32 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an id of 32 lower-case hex digits; `fightdna snapshots list` names those of snapshots")]
pub struct NotAnId(pub String);

pub(crate) fn checked_id(text: &str) -> Result<String, NotAnId> {
    let is_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    if text.len() == 32 && text.bytes().all(is_hex) {
        Ok(text.to_owned())
    } else {
        Err(NotAnId(text.to_owned()))
    }
}

/// A newtype of 32 hex digits: safe as a folder name wherever it came from, since parsing is the only way in.
macro_rules! hex_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(pub(crate) String);

        impl $name {
            /// The 32 hex digits.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::NotAnId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::digest::checked_id(text).map(Self)
            }
        }

        impl TryFrom<String> for $name {
            type Error = $crate::NotAnId;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }
    };
}
pub(crate) use hex_id;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_the_published_one() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn parts_do_not_run_together() {
        let digest =
            |parts: &[&str]| parts.iter().fold(DigestParts::default(), DigestParts::add_part).finish();
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_ne!(digest(&["a"]), digest(&["a", ""]));
    }

    #[test]
    fn only_32_lower_case_hex_digits_are_an_id() {
        assert!(checked_id(&"0f".repeat(16)).is_ok());
        for text in ["", "0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F", "../..", &"0".repeat(31), &"0".repeat(33)] {
            assert!(checked_id(text).is_err(), "{text}");
        }
    }
}
