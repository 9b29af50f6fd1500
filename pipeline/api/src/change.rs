//! Changes between snapshots, and the events about them, on the wire.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Id, enums, formats};

/// A row of the history of changes.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Change<'a> {
    /// RFC 3339 with offset: when the capture was taken that brought it, not when it was published.
    #[schemars(with = "formats::Instant")]
    pub at: String,
    /// added, linked (another source's id of an entity that was there), merged, changed, filled or withdrawn.
    #[schemars(with = "enums::ChangeKind")]
    pub change: &'a str,
    /// event, bout or fighter; of a correction also result, round_stats, scorecard or ranking.
    #[schemars(with = "enums::ChangedEntity")]
    pub kind: &'a str,
    /// Of a result, its statistics and scorecards the bout.
    pub entity_id: Id,
    /// Of the event, the fighter, or both fighters of the bout; null where the snapshot has it no more.
    pub name: Option<String>,
    /// What happened, in words: what, of whom, from, to.
    pub summary: String,
    /// Round and fighter, or judge, within the entity; null for the whole.
    pub part: Option<&'a str>,
    /// Column; null where the row speaks of the entity itself.
    pub field: Option<&'a str>,
    /// Value before, as text; of a merge the id that is no longer its own.
    pub old: Option<&'a str>,
    /// Value after, as text; null where it was withdrawn.
    pub new: Option<&'a str>,
    #[schemars(with = "Option<formats::Instant>")]
    pub old_first_seen_at: Option<String>,
    #[schemars(with = "Option<formats::Instant>")]
    pub old_last_seen_at: Option<String>,
    /// The capture that brought it.
    pub capture: &'a str,
    /// Of an added or linked entity: the source, and its id there.
    pub source: Option<&'a str>,
    pub source_id: Option<&'a str>,
}

/// Data of an event `snapshot`: all changes of a publication were sent.
#[derive(Debug, JsonSchema, Serialize)]
pub struct PublishedChanges<'a> {
    pub snapshot_id: &'a str,
    /// When it was published; null where no log says it.
    #[schemars(with = "Option<formats::Instant>")]
    pub published_at: Option<String>,
    /// How many changes it brought; null in the event that a stream begins with, before which none are sent.
    pub changes: Option<usize>,
}

/// Data of an event `reset`: changes behind an event cannot be told.
#[derive(Debug, JsonSchema, Serialize)]
pub struct StreamReset<'a> {
    /// snapshot_not_kept, snapshot_not_readable or event_not_known.
    pub reason: &'a str,
    /// Behind which changes are missing.
    pub last_event_id: &'a str,
    /// From which the stream goes on.
    pub snapshot_id: &'a str,
}
