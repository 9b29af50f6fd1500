//! A row of the ledger, and the digests that seal it.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::value::instant_text;
use crate::{BoutState, Checkpoint, SourceStatus, StateChange};

/// A row: what was known of a bout at a checkpoint. Never changed once it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerEntry {
    /// Names the row; made of `row_digest`, so that the same row has the same name everywhere.
    pub ledger_id: Uuid,
    pub bout_id: Uuid,
    pub event_id: Uuid,
    pub checkpoint: Checkpoint,
    /// Of the bout's rows at this checkpoint, from 1.
    pub sequence: i32,
    /// When it held: the later of the checkpoint's instant and the newest capture.
    pub valid_at: DateTime<Utc>,
    /// When it was written; no part of the digests.
    pub recorded_at: DateTime<Utc>,
    /// Hours from `valid_at` to the start, or to 00:00 UTC of the day where only that is known; null without a day.
    pub hours_to_start: Option<f64>,
    pub state: BoutState,
    pub sources: Vec<SourceStatus>,
    /// Differences from the bout's row before; empty in the first.
    pub diff: Vec<StateChange>,
    pub is_baseline: bool,
    /// The row of the same checkpoint that this one takes the place of.
    pub supersedes: Option<Uuid>,
    /// SHA-256 of the state.
    pub state_digest: String,
    /// `row_digest` of the row before, of whatever bout; empty in the first of all.
    pub prev_digest: String,
    /// SHA-256 of the row, `prev_digest` with it.
    pub row_digest: String,
}

/// A row before it has its place in the ledger.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EntryDraft {
    pub(crate) bout_id: Uuid,
    pub(crate) event_id: Uuid,
    pub(crate) checkpoint: Checkpoint,
    pub(crate) sequence: i32,
    pub(crate) valid_at: DateTime<Utc>,
    pub(crate) hours_to_start: Option<f64>,
    pub(crate) state: BoutState,
    pub(crate) sources: Vec<SourceStatus>,
    pub(crate) diff: Vec<StateChange>,
    pub(crate) is_baseline: bool,
    pub(crate) supersedes: Option<Uuid>,
}

/// Fields covered by a row's digest, in this order; ids as their 36 characters.
#[derive(Serialize)]
struct SealedEntry<'a> {
    bout_id: String,
    event_id: String,
    checkpoint: String,
    sequence: i32,
    valid_at: String,
    hours_to_start: Option<f64>,
    state_digest: &'a str,
    sources: &'a [SourceStatus],
    diff: &'a [StateChange],
    is_baseline: bool,
    supersedes: Option<String>,
    prev_digest: &'a str,
}

impl EntryDraft {
    /// Seals the row behind the one with this digest.
    pub(crate) fn seal_entry(self, prev_digest: &str, recorded_at: DateTime<Utc>) -> LedgerEntry {
        let mut entry = LedgerEntry {
            ledger_id: Uuid::nil(),
            bout_id: self.bout_id,
            event_id: self.event_id,
            checkpoint: self.checkpoint,
            sequence: self.sequence,
            valid_at: self.valid_at,
            recorded_at,
            hours_to_start: self.hours_to_start,
            state: self.state,
            sources: self.sources,
            diff: self.diff,
            is_baseline: self.is_baseline,
            supersedes: self.supersedes,
            state_digest: String::new(),
            prev_digest: prev_digest.to_owned(),
            row_digest: String::new(),
        };
        entry.state_digest = entry.digest_of_state();
        entry.row_digest = entry.digest_of_row();
        entry.ledger_id = entry.id_of_row();
        entry
    }
}

impl LedgerEntry {
    pub(crate) fn digest_of_state(&self) -> String {
        sha256(&to_json(&self.state))
    }

    pub(crate) fn digest_of_row(&self) -> String {
        let sealed = SealedEntry {
            bout_id: self.bout_id.to_string(),
            event_id: self.event_id.to_string(),
            checkpoint: self.checkpoint.to_string(),
            sequence: self.sequence,
            valid_at: instant_text(self.valid_at),
            hours_to_start: self.hours_to_start,
            state_digest: &self.state_digest,
            sources: &self.sources,
            diff: &self.diff,
            is_baseline: self.is_baseline,
            supersedes: self.supersedes.map(|id| id.to_string()),
            prev_digest: &self.prev_digest,
        };
        sha256(&to_json(&sealed))
    }

    pub(crate) fn id_of_row(&self) -> Uuid {
        fdna_model::address_id("ledger", &self.row_digest)
    }
}

/// Text of what has only strings, numbers, and lists and maps of them.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
