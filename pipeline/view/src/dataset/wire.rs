//! Stories of outlets, newest first.

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_api::{AlsoIn, Id, WireStory};
use fdna_schemas::TableReader;
use uuid::Uuid;

use super::columns::instant;
use super::mentions::{MentionTable, MentionTarget};
use super::{DatasetError, json, json_text};

const TABLE: &str = "wire";

/// A story, ready to be sent.
#[derive(Debug)]
pub(crate) struct StoryRow {
    pub(crate) about: MentionTarget,
    pub(crate) json: Box<[u8]>,
    /// Who tells it, in lower case.
    outlets: Vec<String>,
    /// When it was published, or else first seen; then the id.
    place: (Option<DateTime<Utc>>, Uuid),
}

impl StoryRow {
    /// Whether the outlet tells it, first or after others. `outlet` is in lower case.
    pub(crate) fn is_told_by(&self, outlet: &str) -> bool {
        self.outlets.iter().any(|one| one == outlet)
    }
}

pub(crate) fn read(
    batch: &RecordBatch,
    mentions: &mut MentionTable<'_>,
) -> Result<Vec<StoryRow>, DatasetError> {
    let table = TableReader::new(TABLE, batch);
    let (ids, headlines) = (table.ids("wire_id")?, table.texts("headline")?);
    let (links, outlets) = (table.texts("link")?, table.texts("outlet")?);
    let (published, seen) = (table.instants("published_at")?, table.instants("first_seen_at")?);
    let also_in = table.texts("also_in")?;
    let row = |i: usize| {
        let also_in: Vec<AlsoIn> = json_text(also_in[i], TABLE, "also_in")?;
        let (about, ids_of) = mentions.take("wire", &ids[i].to_string());
        let story = WireStory {
            id: Id(ids[i]),
            headline: headlines[i],
            link: links[i],
            outlet: outlets[i],
            published_at: published[i].map(instant),
            first_seen_at: seen[i].map(instant),
            also_in: &also_in,
            about: ids_of,
        };
        let json = json(&story)?;
        let told_by = also_in.iter().map(|other| other.outlet.as_str()).chain([outlets[i]]);
        let place = (published[i].or(seen[i]), ids[i]);
        Ok(StoryRow { about, json, outlets: told_by.map(str::to_lowercase).collect(), place })
    };
    let mut rows = (0..table.rows()).map(row).collect::<Result<Vec<_>, DatasetError>>()?;
    rows.sort_by_key(|story| (std::cmp::Reverse(story.place.0), story.place.1));
    Ok(rows)
}
