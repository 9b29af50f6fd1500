//! Videos of channels, by type.
//!
//! A feed is a window: a video that has left it stays. The newest title says what it is (`types`) and whom it is
//! about.

mod types;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use fdna_rows::{CaptureFacts, CellValue, RowsError, TableLayout, TableRow};

use self::types::video_type;
use super::SourceStatements;
use super::directory::EntityDirectory;
use super::facts::{counts, reader};
use super::mentions::{MentionRows, of_text};

const TABLE: &str = "video_items";

const COLUMNS: [&str; 9] = [
    "video_id",
    "url",
    "channel",
    "channel_id",
    "title",
    "published_at",
    "video_type",
    "type_rule",
    "first_seen_at",
];

/// All that the captures say of one video.
struct VideoRecord<'a> {
    url: &'a str,
    channel: &'a str,
    channel_id: Option<&'a str>,
    title: &'a str,
    published_at: Option<DateTime<Utc>>,
    first_seen_at: DateTime<Utc>,
}

pub(super) fn statements(
    captures: &[&CaptureFacts],
    directory: &EntityDirectory,
    _: &BTreeMap<&str, Vec<TableRow>>,
) -> Result<SourceStatements, RowsError> {
    let (layout, mentioned) = (TableLayout::new("videos", &COLUMNS)?, MentionRows::new()?);
    let mut told = SourceStatements { counts: counts(captures, TABLE, |_| 0), ..SourceStatements::default() };
    let mut rows = Vec::new();
    for (id, video) in videos(captures)? {
        let on = video.published_at.unwrap_or(video.first_seen_at).date_naive();
        let host = directory.named(&fdna_model::fold_name(video.channel), on).map(|host| host.id);
        let mentions = of_text(directory, video.title, on, host);
        told.mentions.extend(mentioned.of("video", id, &mentions));
        rows.push(layout.row(values(id, &video)));
    }
    told.tables.push(("videos", rows));
    Ok(told)
}

/// The videos by id; a newer unknown never replaces what is known.
fn videos<'a>(captures: &[&'a CaptureFacts]) -> Result<BTreeMap<&'a str, VideoRecord<'a>>, RowsError> {
    let mut videos: BTreeMap<&str, VideoRecord<'_>> = BTreeMap::new();
    for capture in captures {
        let facts = reader(capture, TABLE)?;
        let (ids, urls, titles) = (facts.texts("video_id")?, facts.texts("url")?, facts.texts("title")?);
        let (channels, channel_ids) = (facts.texts("channel")?, facts.strings("channel_id")?);
        let published = facts.instants("published_at")?;
        for i in 0..facts.rows() {
            let earlier = videos.get(ids[i]);
            let video = VideoRecord {
                url: urls[i],
                channel: channels[i],
                channel_id: channel_ids[i].or(earlier.and_then(|video| video.channel_id)),
                title: titles[i],
                published_at: published[i].or(earlier.and_then(|video| video.published_at)),
                first_seen_at: earlier.map_or(capture.captured_at, |video| video.first_seen_at),
            };
            videos.insert(ids[i], video);
        }
    }
    Ok(videos)
}

fn values(id: &str, video: &VideoRecord<'_>) -> [CellValue; 9] {
    let (video_type, rule) = video_type(video.title, video.channel);
    [
        id.into(),
        video.url.into(),
        video.channel.into(),
        video.channel_id.into(),
        video.title.into(),
        video.published_at.into(),
        video_type.into(),
        rule.into(),
        video.first_seen_at.into(),
    ]
}
