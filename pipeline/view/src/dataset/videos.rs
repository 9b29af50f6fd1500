//! Videos, newest first.

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_api::{VIDEO_TYPES, Video};
use fdna_schemas::TableReader;

use super::columns::instant;
use super::mentions::{MentionTable, MentionTarget};
use super::{DatasetError, json};

const TABLE: &str = "videos";

/// A video, ready to be sent.
#[derive(Debug)]
pub(crate) struct VideoRow {
    pub(crate) video_type: &'static str,
    pub(crate) published_at: Option<DateTime<Utc>>,
    pub(crate) about: MentionTarget,
    pub(crate) json: Box<[u8]>,
    /// When it was published, or else first seen; then the id.
    place: (Option<DateTime<Utc>>, Box<str>),
}

pub(crate) fn read(
    batch: &RecordBatch,
    mentions: &mut MentionTable<'_>,
) -> Result<Vec<VideoRow>, DatasetError> {
    let table = TableReader::new(TABLE, batch);
    let (ids, urls) = (table.texts("video_id")?, table.texts("url")?);
    let (channels, channel_ids) = (table.texts("channel")?, table.strings("channel_id")?);
    let (titles, rules) = (table.texts("title")?, table.texts("type_rule")?);
    let (published, seen) = (table.instants("published_at")?, table.instants("first_seen_at")?);
    let types = table.texts("video_type")?;
    let row = |i: usize| {
        let (about, ids_of) = mentions.take("video", ids[i]);
        let video_type = known_type(types[i])?;
        let video = Video {
            id: ids[i],
            url: urls[i],
            title: titles[i],
            channel: channels[i],
            channel_id: channel_ids[i],
            video_type,
            type_rule: rules[i],
            published_at: published[i].map(instant),
            first_seen_at: seen[i].map(instant),
            about: ids_of,
        };
        let place = (published[i].or(seen[i]), ids[i].into());
        Ok(VideoRow { video_type, published_at: published[i], about, json: json(&video)?, place })
    };
    let mut rows = (0..table.rows()).map(row).collect::<Result<Vec<_>, DatasetError>>()?;
    rows.sort_by(|a, b| b.place.0.cmp(&a.place.0).then_with(|| a.place.1.cmp(&b.place.1)));
    Ok(rows)
}

fn known_type(text: &str) -> Result<&'static str, DatasetError> {
    let known = VIDEO_TYPES.iter().find(|word| **word == text);
    let unknown = || DatasetError::Word { table: TABLE, column: "video_type", word: text.to_owned() };
    known.copied().ok_or_else(unknown)
}
