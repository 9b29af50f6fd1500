//! Answer of an operation, or its failure.

use std::fmt::Write as _;

use fdna_api::{ErrorCode, Failure, MetaExtra, Plan};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::DatasetError;

/// What an operation answers: `data` as finished JSON, and what `meta` says of it.
#[derive(Debug)]
pub struct OperationResponse {
    pub data: Vec<u8>,
    pub meta: MetaExtra,
    /// Lowest plan that allows what was asked.
    pub plan: Plan,
    /// Digest of `data` where it does not depend on a snapshot.
    pub digest: Option<String>,
}

/// A value as JSON.
///
/// # Errors
/// It cannot be serialised: a defect.
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(value).map_err(not_written)
}

/// JSON that cannot be written: a defect of ours.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
pub(crate) fn not_written(error: serde_json::Error) -> Failure {
    tracing::error!(%error, "failed to write json");
    Failure::new(ErrorCode::Internal, "answer could not be written")
}

/// What a snapshot keeps in files cannot be read any more.
pub(crate) fn not_read(error: impl Into<DatasetError>) -> Failure {
    let error = error.into();
    tracing::error!(error = crate::error_chain(&error), "failed to read a part of the snapshot");
    Failure::of_damage("a part of the snapshot could not be read")
}

/// SHA-256 of an answer that is not made from one snapshot, in hexadecimal.
#[must_use]
pub fn digest(data: &[u8]) -> String {
    Sha256::digest(data).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
