//! Feeds of channels: identifier, title, channel and times of each video.

use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use fdna_model::FindingKind;
use fdna_schemas::tables::{ContractRow as _, VideoItemsRow};

use crate::record::missing;
use crate::record_rows::{self, FactItems};
use crate::row::RowError;
use crate::rss_atom::{self, FeedItem};
use crate::{IngestError, IngestedCapture, address};

/// Name of the source in captures and contracts.
pub const SOURCE: &str = "videos";

/// A row of `video_items`.
pub(crate) struct VideoRow {
    pub(crate) channel_id: Option<String>,
    pub(crate) channel: String,
    pub(crate) video_id: String,
    pub(crate) title: String,
    pub(crate) published_at: Option<DateTime<Utc>>,
    pub(crate) updated_at: Option<DateTime<Utc>>,
}

/// Reads every channel's feed of the capture.
///
/// # Errors
/// The facts table cannot be built. A file that is no feed is a fatal finding.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    let items = record_rows::read(SOURCE, files, rss_atom::parse_records, read)?;
    let table = table(&items, record_rows::every)?;
    Ok(items.ingested(vec![table]))
}

fn read(item: &FeedItem) -> Result<VideoRow, RowError> {
    let author = item.author.as_ref();
    let channel_id = author.and_then(|(_, page)| page.as_deref()?.split_once("/channel/").map(|(_, id)| id));
    let channel = author.map(|(name, _)| name).or(item.feed.as_ref());
    Ok(VideoRow {
        channel_id: channel_id.map(|id| id.trim_end_matches('/').to_owned()),
        channel: channel.cloned().ok_or_else(|| missing("author"))?,
        video_id: video_id(item)?,
        title: item.title.clone().ok_or_else(|| missing("title"))?,
        published_at: item.published,
        updated_at: item.updated,
    })
}

/// The id that the item states as `yt:video:ID`, else the one of its link.
fn video_id(item: &FeedItem) -> Result<String, RowError> {
    let stated = item.id.as_deref().and_then(|id| id.strip_prefix("yt:video:"));
    let stated = stated.filter(|id| address::is_video_id(id)).map(str::to_owned);
    let linked = || address::video_id(&address::web(item.link.as_deref()?)?);
    stated.or_else(linked).ok_or_else(|| {
        let id = item.id.as_deref().unwrap_or_default();
        RowError::new(FindingKind::UnreadableValue, format!("neither `{id}` nor the link names a video"))
    })
}

/// The rows of `video_items` among the records.
pub(crate) fn table<T>(
    items: &FactItems<T>,
    pick: impl Fn(&T) -> Option<&VideoRow>,
) -> Result<(String, RecordBatch), IngestError> {
    items.table(VideoItemsRow::TABLE, pick, |to, at, row| {
        to.push(&VideoItemsRow {
            file: at.file,
            line: at.line,
            row_digest: at.digest,
            channel_id: row.channel_id.as_deref(),
            channel: &row.channel,
            video_id: &row.video_id,
            title: &row.title,
            url: &address::watch(&row.video_id),
            published_at: row.published_at,
            updated_at: row.updated_at,
        });
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use proptest::prelude::*;

    use super::SOURCE;
    use crate::mutate::{broken, check, column, findings, ingest};

    const FIXTURES: [&[u8]; 1] =
        [include_bytes!("../../../tests/fixtures/videos/channel-feed/channel.xml").as_slice()];

    #[test]
    fn a_video_is_its_id_title_channel_and_times_under_the_official_address() {
        let ingested = ingest(SOURCE, "channel.xml", FIXTURES[0]);
        let read = |name| column(&ingested, "video_items", name);
        assert_eq!(read("video_id"), ["aaaaaaaaaa1", "aaaaaaaaaa2"]);
        assert_eq!(read("title"), ["Quandle vs Tand | Official Weigh-In", "By its link"]);
        assert_eq!(read("channel"), ["Sample Channel", "Sample Channel"]);
        assert_eq!(read("channel_id"), ["UCSAMPLECHANNEL", "UCSAMPLECHANNEL"]);
        assert_eq!(read("url")[1], "https://www.youtube.com/watch?v=aaaaaaaaaa2");
        assert_eq!(read("published_at")[0], "2026-02-06T17:00:00Z");
        assert_eq!(read("updated_at"), ["2026-02-06T18:00:00Z", "-"]);
        expect![[r#"
            channel.xml 3 unreadable_value: neither `urn:none` nor the link names a video
        "#]]
        .assert_eq(&findings(&ingested));
        assert!(!format!("{ingested:?}").contains("Not ours"), "a description is kept");
    }

    proptest! {
        #[test]
        fn no_broken_file_loses_a_record(bytes in broken(&FIXTURES)) {
            check(SOURCE, "channel.xml", &bytes);
        }
    }
}
