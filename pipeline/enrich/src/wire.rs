//! Headlines of outlets, one row a story.
//!
//! A feed is a window: an item that has left it stays. Items of one canonical link are one, the newest capture gives
//! its headline; a story is what several outlets tell under one headline (`stories`).

mod stories;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use fdna_model::address_id;
use fdna_rows::{CaptureFacts, CellValue, RowsError, TableLayout, TableRow};

use self::stories::{StoryCluster, stories};
use super::SourceStatements;
use super::directory::EntityDirectory;
use super::facts::{counts, json, reader};
use super::mentions::{MentionRows, of_text};

const TABLE: &str = "wire_items";

const COLUMNS: [&str; 8] = [
    "wire_id",
    "headline",
    "link",
    "outlet",
    "published_at",
    "first_seen_at",
    "also_in",
    "previous_headlines",
];

/// All that the captures say of one link.
#[derive(Debug, Clone)]
pub(super) struct FeedItem<'a> {
    link: &'a str,
    outlet: &'a str,
    headline: &'a str,
    /// Oldest first.
    previous: Vec<&'a str>,
    published_at: Option<DateTime<Utc>>,
    first_seen_at: DateTime<Utc>,
}

impl FeedItem<'_> {
    /// The time that it speaks of.
    fn told_at(&self) -> DateTime<Utc> {
        self.published_at.unwrap_or(self.first_seen_at)
    }
}

pub(super) fn statements(
    captures: &[&CaptureFacts],
    directory: &EntityDirectory,
    _: &BTreeMap<&str, Vec<TableRow>>,
) -> Result<SourceStatements, RowsError> {
    let (layout, mentioned) = (TableLayout::new("wire", &COLUMNS)?, MentionRows::new()?);
    let stories = stories(items(captures)?);
    let mut told = SourceStatements { counts: counts(captures, TABLE, |_| 0), ..SourceStatements::default() };
    let mut rows = Vec::new();
    for story in &stories {
        let id = address_id("wire", story.lead.link);
        let mentions = of_text(directory, story.lead.headline, story.lead.told_at().date_naive(), None);
        told.mentions.extend(mentioned.of("wire", &id.to_string(), &mentions));
        rows.push(layout.row(values(story, id)));
    }
    told.tables.push(("wire", rows));
    Ok(told)
}

/// The items by link, in order of the captures.
fn items<'a>(captures: &[&'a CaptureFacts]) -> Result<BTreeMap<&'a str, FeedItem<'a>>, RowsError> {
    let mut items: BTreeMap<&str, FeedItem<'_>> = BTreeMap::new();
    for capture in captures {
        let facts = reader(capture, TABLE)?;
        let (links, outlets) = (facts.texts("canonical_link")?, facts.texts("outlet")?);
        let (headlines, published) = (facts.texts("headline")?, facts.instants("published_at")?);
        for i in 0..facts.rows() {
            let new = || FeedItem {
                link: links[i],
                outlet: outlets[i],
                headline: headlines[i],
                previous: Vec::new(),
                published_at: published[i],
                first_seen_at: capture.captured_at,
            };
            items.entry(links[i]).or_insert_with(new).again(headlines[i], published[i]);
        }
    }
    Ok(items)
}

impl<'a> FeedItem<'a> {
    /// What a later row says of it.
    fn again(&mut self, headline: &'a str, published_at: Option<DateTime<Utc>>) {
        if headline != self.headline {
            self.previous.retain(|earlier| *earlier != headline);
            self.previous.push(std::mem::replace(&mut self.headline, headline));
        }
        self.published_at = published_at.or(self.published_at);
    }
}

fn values(story: &StoryCluster<'_>, id: uuid::Uuid) -> [CellValue; 8] {
    let other = |item: &FeedItem<'_>| serde_json::json!({ "link": item.link, "outlet": item.outlet });
    let also_in: Vec<serde_json::Value> = story.others.iter().map(other).collect();
    let lead = &story.lead;
    [
        id.into(),
        lead.headline.into(),
        lead.link.into(),
        lead.outlet.into(),
        lead.published_at.into(),
        lead.first_seen_at.into(),
        CellValue::text(json(&also_in)),
        CellValue::text(json(&lead.previous)),
    ]
}
