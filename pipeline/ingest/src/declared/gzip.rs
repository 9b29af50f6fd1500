//! Files that are compressed, looked through within bounds.

use std::io::Read as _;

use bytes::Bytes;
use fdna_model::FindingKind;
use flate2::bufread::MultiGzDecoder;

use crate::limits;
use crate::row::RowError;

/// Bytes that a compressed file may become.
const MAX_BYTES: usize = 64 << 20;

/// What a file holds.
pub(super) fn expanded(bytes: &Bytes) -> Result<Bytes, RowError> {
    let refuse = |reason: String| RowError::new(FindingKind::UnreadableValue, reason);
    let allowed = limits::max_unpacked(bytes.len(), MAX_BYTES);
    let mut out = Vec::new();
    MultiGzDecoder::new(&bytes[..])
        .take(allowed as u64 + 1)
        .read_to_end(&mut out)
        .map_err(|error| refuse(format!("it cannot be decompressed: {error}")))?;
    if out.len() > allowed {
        return Err(refuse(format!("it grows beyond {allowed} bytes when it is decompressed")));
    }
    Ok(out.into())
}
