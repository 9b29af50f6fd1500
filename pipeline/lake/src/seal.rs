//! The digest that each JSON file of the lake carries of itself: a flipped bit in a count or a time is JSON all the
//! same, and nothing else would notice it.
//!
//! ```text
//! {
//!   "sha256": "<64 hex digits>",
//!   "format": 2,
//!   …
//! ```
//!
//! The digest is over every byte after that line. The layout of the line is the same in every format from 2 on; the
//! format number stands behind it, so that no damage to the line makes the file look like one from before.

use bytes::Bytes;

use crate::digest::sha256;

/// Formats from this one on carry the digest.
pub(crate) const SEALED_SINCE: u64 = 2;

const OPEN: &[u8] = b"{\n";
const BEFORE: &[u8] = b"{\n  \"sha256\": \"";
const AFTER: &[u8] = b"\",\n";
const HEX: usize = 64;

/// State of the digest in the first line of a file.
pub(crate) enum FileSeal {
    /// The bytes are those that were written.
    Whole,
    /// They are not.
    Broken { expected: String, found: String },
    /// There is no such line.
    Absent,
}

/// `text`, an object with at least one field as `serde_json` writes it for people, with its digest as first field.
pub(crate) fn seal_json(text: &[u8]) -> Option<Bytes> {
    let rest = text.strip_prefix(OPEN)?;
    Some([BEFORE, sha256(rest).as_bytes(), AFTER, rest].concat().into())
}

pub(crate) fn check_seal(bytes: &[u8]) -> FileSeal {
    let Some((expected, rest)) = split_seal(bytes) else { return FileSeal::Absent };
    let found = sha256(rest);
    if found.as_bytes() == expected {
        return FileSeal::Whole;
    }
    FileSeal::Broken { expected: String::from_utf8_lossy(expected).into_owned(), found }
}

/// The digest in the first line, and all after that line.
fn split_seal(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (digest, rest) = bytes.strip_prefix(BEFORE)?.split_at_checked(HEX)?;
    let is_hex = |b: &u8| b.is_ascii_digit() || (b'a'..=b'f').contains(b);
    Some((digest, rest.strip_prefix(AFTER)?)).filter(|_| digest.iter().all(is_hex))
}
