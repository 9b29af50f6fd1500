//! Videos, newest first.

use std::cmp::Reverse;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_api::{VIDEO_TYPES, Video};
use fdna_schemas::tables::{ContractReader as _, VideosReader, VideosRow};

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
}

pub(crate) fn read(
    batch: &RecordBatch,
    mentions: &mut MentionTable<'_>,
) -> Result<Vec<VideoRow>, DatasetError> {
    let video = |row: VideosRow<'_>| {
        let (about, ids_of) = mentions.take("video", row.video_id);
        let video_type = known_type(row.video_type)?;
        let video = Video {
            id: row.video_id,
            url: row.url,
            title: row.title,
            channel: row.channel,
            channel_id: row.channel_id,
            video_type,
            type_rule: row.type_rule,
            published_at: row.published_at.map(instant),
            first_seen_at: Some(instant(row.first_seen_at)),
            about: ids_of,
        };
        Ok(VideoRow { video_type, published_at: row.published_at, about, json: json(&video)? })
    };
    let mut rows = VideosReader::of(batch).all_rows()?;
    rows.sort_by_key(|row| (Reverse(row.published_at.unwrap_or(row.first_seen_at)), row.video_id));
    rows.into_iter().map(video).collect()
}

fn known_type(text: &str) -> Result<&'static str, DatasetError> {
    let known = VIDEO_TYPES.iter().find(|word| **word == text);
    let unknown = || DatasetError::Word { table: TABLE, column: "video_type", word: text.to_owned() };
    known.copied().ok_or_else(unknown)
}
