//! Videos of channels, by type.
//!
//! A feed is a window: a video that has left it stays. The newest title says what it is (`types`) and whom it is
//! about.

mod types;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use fdna_model::Finding;
use fdna_rows::{CaptureFacts, RowsError, TableRow, row_cells};
use fdna_schemas::tables::{ContractRow as _, VideoItemsReader, VideoItemsRow, VideosRow};

use self::types::video_type;
use super::SourceStatements;
use super::directory::EntityDirectory;
use super::facts::{checked_publication, count_rows};
use super::mentions::{mention_rows, of_text};

/// All that the captures say of one video.
struct VideoRecord<'a> {
    url: &'a str,
    channel: &'a str,
    channel_id: Option<&'a str>,
    title: &'a str,
    published_at: Option<DateTime<Utc>>,
    first_seen_at: DateTime<Utc>,
}

pub(super) fn video_statements(
    captures: &[&CaptureFacts],
    directory: &EntityDirectory,
    _: &BTreeMap<&str, Vec<TableRow>>,
) -> Result<SourceStatements, RowsError> {
    let counts = count_rows(captures, VideoItemsRow::TABLE, |_| 0);
    let mut statements = SourceStatements { counts, ..SourceStatements::default() };
    let mut rows = Vec::new();
    for (id, video) in read_videos(captures, &mut statements.findings)? {
        let on = video.published_at.unwrap_or(video.first_seen_at).date_naive();
        let host = directory.fighter_meant_on(&fdna_model::fold_name(video.channel), on).map(|host| host.id);
        let mentions = of_text(directory, video.title, on, host);
        statements.mentions.extend(mention_rows("video", id, &mentions));
        rows.push(video_row(id, &video));
    }
    statements.tables.push((VideosRow::TABLE, rows));
    Ok(statements)
}

/// The videos by id; a newer unknown never replaces what is known.
fn read_videos<'a>(
    captures: &[&'a CaptureFacts],
    findings: &mut Vec<(String, Finding)>,
) -> Result<BTreeMap<&'a str, VideoRecord<'a>>, RowsError> {
    let mut videos: BTreeMap<&str, VideoRecord<'_>> = BTreeMap::new();
    for capture in captures {
        for row in capture.read_table::<VideoItemsReader<'_>>()?.all_rows()? {
            let published_at = checked_publication(row.published_at, capture, (row.file, row.line), findings);
            let earlier = videos.get(row.video_id);
            let video = VideoRecord {
                url: row.url,
                channel: row.channel,
                channel_id: row.channel_id.or(earlier.and_then(|video| video.channel_id)),
                title: row.title,
                published_at: published_at.or(earlier.and_then(|video| video.published_at)),
                first_seen_at: earlier.map_or(capture.captured_at, |video| video.first_seen_at),
            };
            videos.insert(row.video_id, video);
        }
    }
    Ok(videos)
}

fn video_row(video_id: &str, video: &VideoRecord<'_>) -> TableRow {
    let (video_type, type_rule) = video_type(video.title, video.channel);
    row_cells(&VideosRow {
        video_id,
        url: video.url,
        channel: video.channel,
        channel_id: video.channel_id,
        title: video.title,
        published_at: video.published_at,
        video_type,
        type_rule,
        first_seen_at: video.first_seen_at,
    })
}
