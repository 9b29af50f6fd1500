//! Feeds in RSS or Atom: their items, and of an item what may be kept.

use chrono::{DateTime, Utc};
use fdna_model::FindingKind;
use feed_rs::model::{Entry, Feed, Link};
use feed_rs::parser;

use crate::instant;
use crate::items::Item;
use crate::row::Refusal;

/// An item of a feed. Descriptions, texts and pictures are not ours to keep.
pub(crate) struct FeedItem {
    /// Title of the feed.
    pub(crate) feed: Option<String>,
    /// The item's author and the author's page, or the feed's.
    pub(crate) author: Option<(String, Option<String>)>,
    pub(crate) id: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) link: Option<String>,
    pub(crate) published: Option<DateTime<Utc>>,
    pub(crate) updated: Option<DateTime<Utc>>,
}

/// The items of a feed in their order.
pub(crate) fn take_apart(_: &str, bytes: &[u8]) -> Result<Vec<Item<FeedItem>>, Refusal> {
    let no_feed = |reason: String| Refusal::new(FindingKind::UnreadableValue, reason);
    // Items without an id get none: the parser would make one, at random at worst.
    let parser = parser::Builder::new().id_generator(|_, _, _| String::new()).build();
    let feed = parser.parse(bytes).map_err(|e| no_feed(format!("no feed can be read: {e}")))?;
    Ok(feed.entries.iter().map(|entry| item(&feed, entry)).collect())
}

fn item(feed: &Feed, entry: &Entry) -> Item<FeedItem> {
    let clean =
        |text: &str| Some(text.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|t| !t.is_empty());
    let person = entry.authors.first().or(feed.authors.first());
    let value = FeedItem {
        feed: feed.title.as_ref().and_then(|t| clean(&t.content)),
        author: person.and_then(|p| Some((clean(p.name.as_deref()?)?, p.uri.clone()))),
        id: clean(&entry.id),
        title: entry.title.as_ref().and_then(|t| clean(&t.content)),
        link: link(&entry.links).map(str::to_owned),
        published: entry.published.filter(|t| instant::is_plausible(*t)),
        updated: entry.updated.filter(|t| instant::is_plausible(*t)),
    };
    let text = value.text();
    Item { value, text }
}

/// The page of the item: Atom has several links and says which.
fn link(links: &[Link]) -> Option<&str> {
    let is_page = |link: &&Link| link.rel.as_deref().is_none_or(|rel| rel == "alternate");
    links.iter().find(is_page).or(links.first()).map(|link| link.href.as_str())
}

impl FeedItem {
    /// What is kept, as one text.
    fn text(&self) -> String {
        let instant = |t: Option<DateTime<Utc>>| t.map(|t| t.to_rfc3339());
        let author = self.author.as_ref().map(|(name, _)| name);
        serde_json::json!([
            self.feed,
            author,
            self.id,
            self.title,
            self.link,
            instant(self.published),
            instant(self.updated)
        ])
        .to_string()
    }
}
