//! Headlines of outlets, one row a story.
//!
//! A feed is a window: an item that has left it stays. Items of one canonical link are one, the newest capture gives
//! its headline; a story is what several outlets tell under one headline (`stories`).

mod stories;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use fdna_model::{Finding, address_id};
use fdna_rows::{CaptureFacts, RowsError, TableRow, row_cells};
use fdna_schemas::tables::{ContractRow as _, WireItemsReader, WireItemsRow, WireRow};
use uuid::Uuid;

use self::stories::{StoryCluster, cluster_stories};
use super::SourceStatements;
use super::directory::EntityDirectory;
use super::facts::{checked_publication, count_rows, to_json_list};
use super::mentions::{mention_rows, of_text};

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
    fn stated_at(&self) -> DateTime<Utc> {
        self.published_at.unwrap_or(self.first_seen_at)
    }
}

pub(super) fn wire_statements(
    captures: &[&CaptureFacts],
    directory: &EntityDirectory,
    _: &BTreeMap<&str, Vec<TableRow>>,
) -> Result<SourceStatements, RowsError> {
    let counts = count_rows(captures, WireItemsRow::TABLE, |_| 0);
    let mut statements = SourceStatements { counts, ..SourceStatements::default() };
    let mut rows = Vec::new();
    let items = read_items(captures, &mut statements.findings)?;
    for story in &cluster_stories(items) {
        let id = address_id("wire", story.lead.link);
        let mentions = of_text(directory, story.lead.headline, story.lead.stated_at().date_naive(), None);
        statements.mentions.extend(mention_rows("wire", &id.to_string(), &mentions));
        rows.push(story_row(story, id));
    }
    statements.tables.push((WireRow::TABLE, rows));
    Ok(statements)
}

/// The items by link, in order of the captures.
fn read_items<'a>(
    captures: &[&'a CaptureFacts],
    findings: &mut Vec<(String, Finding)>,
) -> Result<BTreeMap<&'a str, FeedItem<'a>>, RowsError> {
    let mut items: BTreeMap<&str, FeedItem<'_>> = BTreeMap::new();
    for capture in captures {
        for row in capture.read_table::<WireItemsReader<'_>>()?.all_rows()? {
            let published_at = checked_publication(row.published_at, capture, (row.file, row.line), findings);
            let new = || FeedItem {
                link: row.canonical_link,
                outlet: row.outlet,
                headline: row.headline,
                previous: Vec::new(),
                published_at,
                first_seen_at: capture.captured_at,
            };
            items.entry(row.canonical_link).or_insert_with(new).restate(row.headline, published_at);
        }
    }
    Ok(items)
}

impl<'a> FeedItem<'a> {
    /// Takes in a later row of the same item.
    fn restate(&mut self, headline: &'a str, published_at: Option<DateTime<Utc>>) {
        if headline != self.headline {
            self.previous.retain(|earlier| *earlier != headline);
            self.previous.push(std::mem::replace(&mut self.headline, headline));
        }
        self.published_at = published_at.or(self.published_at);
    }
}

fn story_row(story: &StoryCluster<'_>, wire_id: Uuid) -> TableRow {
    let other = |item: &FeedItem<'_>| serde_json::json!({ "link": item.link, "outlet": item.outlet });
    let also_in: Vec<serde_json::Value> = story.others.iter().map(other).collect();
    let lead = &story.lead;
    row_cells(&WireRow {
        wire_id,
        headline: lead.headline,
        link: lead.link,
        outlet: lead.outlet,
        published_at: lead.published_at,
        first_seen_at: lead.first_seen_at,
        also_in: &to_json_list(&also_in),
        previous_headlines: &to_json_list(&lead.previous),
    })
}
