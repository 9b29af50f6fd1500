//! An aggregate of outlets' and channels' feeds: one JSON file of `{articles: [{title, link, source, pubDate}]}`.
//!
//! Items that lead to the video platform are videos, the others are wire stories. Descriptions and pictures are
//! neither read nor quoted.

use bytes::Bytes;
use fdna_model::{FindingKind, Severity};
use serde_json::{Value, json};

use crate::html_page::plain_text;
use crate::record::FactRecord;
use crate::record_rows::{self, FactItem};
use crate::row::RowError;
use crate::videos::{self, VideoRow};
use crate::wire::{self, WireRow};
use crate::{IngestError, IngestedCapture, address};

/// Name of the source in captures and contracts.
pub const SOURCE: &str = "news";

/// What the aggregate adds to the name of a channel.
const CHANNEL_SUFFIX: &str = " YouTube";

enum NewsItem {
    Story(WireRow),
    Video(VideoRow),
}

impl NewsItem {
    fn story(&self) -> Option<&WireRow> {
        match self {
            Self::Story(row) => Some(row),
            Self::Video(_) => None,
        }
    }

    fn video(&self) -> Option<&VideoRow> {
        match self {
            Self::Video(row) => Some(row),
            Self::Story(_) => None,
        }
    }
}

/// Reads every file of the capture.
///
/// # Errors
/// A facts table cannot be built. A file that is no such aggregate is a fatal finding.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    let items = record_rows::read(SOURCE, files, parse_records, read)?;
    let tables = vec![wire::table(&items, NewsItem::story)?, videos::table(&items, NewsItem::video)?];
    Ok(items.ingested(tables))
}

fn parse_records(_: &str, bytes: &[u8]) -> Result<Vec<FactItem<Value>>, RowError> {
    let refuse = |reason: String| RowError::new(FindingKind::UnreadableValue, reason);
    let whole: Value = serde_json::from_slice(bytes).map_err(|e| refuse(format!("no JSON: {e}")))?;
    let articles = whole.get("articles").and_then(Value::as_array);
    let articles = articles.ok_or_else(|| refuse("`articles` is no list".to_owned()))?;
    let item = |value: &Value| {
        let kept = ["source", "title", "link", "pubDate"].map(|name| value.get(name).cloned());
        let fields = value.as_object().cloned().unwrap_or_default();
        let note = FactRecord(fields).instant("pubDate").err();
        let note = note.map(|why| RowError { severity: Severity::Note, ..why });
        FactItem { value: value.clone(), text: json!(kept).to_string(), note }
    };
    Ok(articles.iter().map(item).collect())
}

fn read(value: &Value) -> Result<NewsItem, RowError> {
    let fields = value
        .as_object()
        .ok_or_else(|| RowError::new(FindingKind::UnreadableValue, "the item is no object".to_owned()))?;
    let record = FactRecord(fields.clone());
    let title = plain_text(&record.required("title")?);
    let source = plain_text(&record.required("source")?);
    let text = record.address("link")?.ok_or_else(|| crate::record::missing("link"))?;
    let published_at = record.instant("pubDate").unwrap_or_default();
    let no_video = || RowError::new(FindingKind::UnreadableValue, format!("`link` names no video: `{text}`"));
    let link = address::web(&text).ok_or_else(no_video)?;
    if !address::is_of_video_platform(&link) {
        let row = WireRow { outlet: source, item_id: None, headline: title, link, published_at };
        return Ok(NewsItem::Story(row));
    }
    Ok(NewsItem::Video(VideoRow {
        channel_id: None,
        channel: source.strip_suffix(CHANNEL_SUFFIX).unwrap_or(&source).to_owned(),
        video_id: address::video_id(&link).ok_or_else(no_video)?,
        title,
        published_at,
        updated_at: None,
    }))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use proptest::prelude::*;

    use super::SOURCE;
    use crate::mutate::{broken, check, column, findings, ingest};

    const FIXTURES: [&[u8]; 3] = [
        include_bytes!("../../../tests/fixtures/news/outlets-and-channels/mma-news.json").as_slice(),
        include_bytes!("../../../tests/fixtures/news/items-that-cannot-be-used/mma-news.json").as_slice(),
        include_bytes!("../../../tests/fixtures/news/no-list/mma-news.json").as_slice(),
    ];

    #[test]
    fn links_to_the_platform_are_videos_and_the_others_stories() {
        let ingested = ingest(SOURCE, "mma-news.json", FIXTURES[0]);
        assert_eq!(column(&ingested, "wire_items", "headline"), ["Quandle beats Tand", "No date"]);
        assert_eq!(column(&ingested, "wire_items", "line"), ["1", "4"]);
        assert_eq!(column(&ingested, "wire_items", "published_at"), ["2026-02-07T12:00:00Z", "-"]);
        assert_eq!(column(&ingested, "video_items", "video_id"), ["aaaaaaaaaa1", "aaaaaaaaaa2"]);
        assert_eq!(column(&ingested, "video_items", "channel"), ["Sample Channel", "Sample Channel"]);
        assert_eq!(ingested.counts[0].rows_out, 4);
        assert!(!format!("{ingested:?}").contains("not ours"), "a description is kept");
    }

    #[test]
    fn an_item_that_cannot_be_used_says_why_without_quoting_what_is_not_ours() {
        let ingested = ingest(SOURCE, "mma-news.json", FIXTURES[1]);
        assert_eq!(column(&ingested, "wire_items", "headline"), ["Bad date", "Good"]);
        expect![[r#"
            mma-news.json 1 missing_value: `title` has no value
            mma-news.json 2 missing_value: `link` has no value
            mma-news.json 3 missing_value: `source` has no value
            mma-news.json 4 unreadable_value: `pubDate` is `"just now"`
            mma-news.json 5 unreadable_value: `link` names no video: `https://www.youtube.com/@x`
            mma-news.json 6 unreadable_value: the item is no object
        "#]]
        .assert_eq(&findings(&ingested));
        assert!(!format!("{ingested:?}").contains("SECRET"), "a description is quoted");
    }

    #[test]
    fn a_file_without_the_list_is_fatal() {
        let ingested = ingest(SOURCE, "mma-news.json", FIXTURES[2]);
        assert_eq!(ingested.findings[0].severity, fdna_model::Severity::Fatal);
        check(SOURCE, "mma-news.json", format!("{{\"articles\":{}", "[".repeat(200_000)).as_bytes());
    }

    proptest! {
        #[test]
        fn no_broken_file_loses_a_record(bytes in broken(&FIXTURES)) {
            check(SOURCE, "mma-news.json", &bytes);
        }
    }
}
