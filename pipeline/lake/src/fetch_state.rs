//! State of a source's addresses between two fetches: `fetch/<source>.json`.
//!
//! A capture never changes, and what an address says of a file may, though the file stays: so it is kept beside
//! the captures and not in them. It is a convenience. Without it, or where it no longer fits the newest capture,
//! everything is asked for anew.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::manifest::{check_name, optional_instant, read_manifest, to_bytes};
use crate::{Lake, LakeError, LakeWriter, MANIFEST_FORMAT};

/// A source's last fetch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FetchState {
    /// Format number of the file.
    pub format: u32,
    /// When the source last gave all its files, new or not; `None` if it never did.
    #[serde(default, with = "optional_instant")]
    pub fetched_at: Option<DateTime<Utc>>,
    /// Until when a host of it asked to be left alone.
    #[serde(default, with = "optional_instant")]
    pub not_before: Option<DateTime<Utc>>,
    /// State of each address, by the name of the file that it became.
    pub files: BTreeMap<String, FetchedFile>,
}

/// Validators and digest of a fetched file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FetchedFile {
    /// The address that was asked.
    pub url: String,
    /// SHA-256 of the content that it speaks of, 64 hex digits.
    pub sha256: String,
    /// Status of the last answer.
    pub status: u16,
    /// `ETag` as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// `Last-Modified` as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl FetchState {
    /// The state after a fetch that gave all files.
    #[must_use]
    pub fn new(fetched_at: DateTime<Utc>, files: BTreeMap<String, FetchedFile>) -> Self {
        Self { fetched_at: Some(fetched_at), files, ..Self::never_fetched() }
    }

    /// The state of a source that never gave its files.
    #[must_use]
    pub fn never_fetched() -> Self {
        Self { format: MANIFEST_FORMAT, fetched_at: None, not_before: None, files: BTreeMap::new() }
    }
}

fn state_key(source: &str) -> Result<String, LakeError> {
    check_name("a source", source)?;
    Ok(format!("fetch/{source}.json"))
}

impl Lake {
    /// The remembered state of a source; `None` if it was never fetched.
    ///
    /// # Errors
    /// The file cannot be read or is of a newer format.
    pub fn fetch_state(&self, source: &str) -> Result<Option<FetchState>, LakeError> {
        read_manifest(&self.store, &state_key(source)?)
    }
}

impl LakeWriter {
    /// Remembers a fetch, over the one before.
    ///
    /// # Errors
    /// The source's name is no file name, or the file cannot be written.
    pub fn write_fetch_state(&self, source: &str, state: &FetchState) -> Result<(), LakeError> {
        let key = state_key(source)?;
        let store = &self.lake().store;
        // It may have been read from a file of an earlier format.
        let state = FetchState { format: MANIFEST_FORMAT, ..state.clone() };
        store.put_file("fetch", &key, &to_bytes(store, &key, &state)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lake, noon};

    #[test]
    fn what_is_remembered_is_read_back_and_replaced() {
        let (_folder, lake) = lake();
        assert_eq!(lake.fetch_state("wire").unwrap(), None);
        let writer = lake.writer("test", noon()).unwrap();
        let file = FetchedFile {
            url: "https://example.org/feed".to_owned(),
            sha256: "00".repeat(32),
            status: 200,
            etag: Some("\"a\"".to_owned()),
            last_modified: None,
        };
        for status in [200, 304] {
            let file = FetchedFile { status, ..file.clone() };
            let state = FetchState::new(noon(), BTreeMap::from([("outlet.xml".to_owned(), file)]));
            let state = FetchState { not_before: (status == 304).then(noon), ..state };
            writer.write_fetch_state("wire", &state).unwrap();
            assert_eq!(lake.fetch_state("wire").unwrap(), Some(state));
        }
        assert!(matches!(lake.fetch_state("../current"), Err(LakeError::Name { .. })));
    }
}
