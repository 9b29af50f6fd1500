//! Feeds of outlets: headline, link, outlet and time of each item, and nothing else of theirs.

use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use fdna_model::FindingKind;
use fdna_schemas::tables::{ContractRow as _, WireItemsRow};
use url::Url;

use crate::record::missing;
use crate::record_rows::{self, FactItems};
use crate::row::RowError;
use crate::rss_atom::{self, FeedItem};
use crate::{IngestError, IngestedCapture, address};

/// Name of the source in captures and contracts.
pub const SOURCE: &str = "wire";

/// A row of `wire_items`.
pub(crate) struct WireRow {
    pub(crate) outlet: String,
    pub(crate) item_id: Option<String>,
    pub(crate) headline: String,
    pub(crate) link: Url,
    pub(crate) published_at: Option<DateTime<Utc>>,
}

/// Reads every feed of the capture.
///
/// # Errors
/// The facts table cannot be built. A file that is no feed is a fatal finding.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    let items = record_rows::read(SOURCE, files, rss_atom::parse_records, read)?;
    let table = table(&items, record_rows::every)?;
    Ok(items.ingested(vec![table]))
}

fn read(item: &FeedItem) -> Result<WireRow, RowError> {
    let text = item.link.as_deref().ok_or_else(|| missing("link"))?;
    let link = address::web(text).ok_or_else(|| {
        RowError::new(FindingKind::UnreadableValue, format!("`link` is no address on the web: `{text}`"))
    })?;
    // A feed without a title is known by its host.
    let host = link.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host).to_owned();
    Ok(WireRow {
        outlet: item.feed.clone().unwrap_or(host),
        item_id: item.id.clone(),
        headline: item.title.clone().ok_or_else(|| missing("title"))?,
        published_at: item.published.or(item.updated),
        link,
    })
}

/// The rows of `wire_items` among the records.
pub(crate) fn table<T>(
    items: &FactItems<T>,
    pick: impl Fn(&T) -> Option<&WireRow>,
) -> Result<(String, RecordBatch), IngestError> {
    items.table(WireItemsRow::TABLE, pick, |to, at, row| {
        to.push(&WireItemsRow {
            file: at.file,
            line: at.line,
            row_digest: at.digest,
            outlet: &row.outlet,
            item_id: row.item_id.as_deref(),
            headline: &row.headline,
            link: row.link.as_str(),
            canonical_link: &address::canonical(&row.link),
            published_at: row.published_at,
        });
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use proptest::prelude::*;

    use super::SOURCE;
    use crate::mutate::{broken, check, column, findings, ingest};

    const FIXTURES: [&[u8]; 4] = [
        include_bytes!("../../../tests/fixtures/wire/rss-2/outlet.xml").as_slice(),
        include_bytes!("../../../tests/fixtures/wire/rss-1/outlet.xml").as_slice(),
        include_bytes!("../../../tests/fixtures/wire/atom/outlet.xml").as_slice(),
        include_bytes!("../../../tests/fixtures/wire/no-feed/outlet.xml").as_slice(),
    ];

    #[test]
    fn an_item_is_its_headline_link_outlet_and_time_and_nothing_else() {
        let ingested = ingest(SOURCE, "outlet.xml", FIXTURES[0]);
        let read = |name| column(&ingested, "wire_items", name);
        assert_eq!(read("headline"), ["Quandle beats Tand", "No date & no id"]);
        assert_eq!(read("outlet"), ["The Outlet", "The Outlet"]);
        assert_eq!(read("item_id"), ["outlet-1", "-"]);
        assert_eq!(
            read("canonical_link"),
            ["https://outlet.example/quandle-beats-tand", "https://outlet.example/no-date"]
        );
        assert_eq!(read("published_at"), ["2026-02-07T12:00:00Z", "-"]);
        expect![[r#"
            outlet.xml 3 missing_value: `link` has no value
            outlet.xml 4 missing_value: `title` has no value
            outlet.xml 5 unreadable_value: `link` is no address on the web: `mailto:desk@outlet.example`
        "#]]
        .assert_eq(&findings(&ingested));
        assert!(!format!("{ingested:?}").contains("not ours"), "a description is kept");
    }

    #[test]
    fn all_three_kinds_of_feeds_are_read() {
        let rss_1 = ingest(SOURCE, "outlet.xml", FIXTURES[1]);
        assert_eq!(column(&rss_1, "wire_items", "headline"), ["Old story"]);
        assert_eq!(column(&rss_1, "wire_items", "published_at"), ["2026-02-07T12:00:00Z"]);
        let atom = ingest(SOURCE, "outlet.xml", FIXTURES[2]);
        assert_eq!(column(&atom, "wire_items", "link"), ["https://atom.example/1"]);
        assert_eq!(column(&atom, "wire_items", "outlet"), ["Atom Outlet"]);
    }

    #[test]
    fn a_file_that_is_no_feed_is_fatal_and_so_is_a_capture_without_one() {
        for ingested in [ingest(SOURCE, "outlet.xml", FIXTURES[3]), ingest(SOURCE, "readme.txt", b"x")] {
            let severities: Vec<_> = ingested.findings.iter().map(|f| f.severity).collect();
            assert_eq!(severities, [fdna_model::Severity::Fatal]);
        }
    }

    #[test]
    fn deep_nesting_ends() {
        for element in ["a", "item", "media:group", "description"] {
            let nested = format!("<{element}>").repeat(50_000);
            let feed = format!(
                "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel>{nested}"
            );
            check(SOURCE, "outlet.xml", feed.as_bytes());
        }
    }

    proptest! {
        #[test]
        fn no_broken_file_loses_a_record(bytes in broken(&FIXTURES)) {
            check(SOURCE, "outlet.xml", &bytes);
        }
    }
}
