//! Stories of outlets, newest first.

use std::cmp::Reverse;

use arrow::array::RecordBatch;
use fdna_api::{AlsoIn, Id, WireStory};
use fdna_schemas::tables::{ContractReader as _, WireReader, WireRow};

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
    pub(crate) outlets: Vec<String>,
}

pub(crate) fn read(
    batch: &RecordBatch,
    mentions: &mut MentionTable<'_>,
) -> Result<Vec<StoryRow>, DatasetError> {
    let story = |row: WireRow<'_>| {
        let also_in: Vec<AlsoIn> = json_text(row.also_in, TABLE, "also_in")?;
        let (about, ids_of) = mentions.take("wire", &row.wire_id.to_string());
        let story = WireStory {
            id: Id(row.wire_id),
            headline: row.headline,
            link: row.link,
            outlet: row.outlet,
            published_at: row.published_at.map(instant),
            first_seen_at: Some(instant(row.first_seen_at)),
            also_in: &also_in,
            about: ids_of,
        };
        let json = json(&story)?;
        let told_by = also_in.iter().map(|other| other.outlet.as_str()).chain([row.outlet]);
        Ok(StoryRow { about, json, outlets: told_by.map(str::to_lowercase).collect() })
    };
    let mut rows = WireReader::of(batch).all_rows()?;
    rows.sort_by_key(|row| (Reverse(row.published_at.unwrap_or(row.first_seen_at)), row.wire_id));
    rows.into_iter().map(story).collect()
}
