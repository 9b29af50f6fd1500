//! Feeds in RSS or Atom: their items, and of an item what may be kept.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use fdna_model::FindingKind;
use feed_rs::model::{Entry, Feed, Link};
use feed_rs::parser;
use quick_xml::Reader;
use quick_xml::events::Event;

use crate::instant;
use crate::limits::MAX_ELEMENT_DEPTH;
use crate::record_rows::FactItem;
use crate::row::RowError;

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
pub(crate) fn parse_records(_: &str, bytes: &[u8]) -> Result<Vec<FactItem<FeedItem>>, RowError> {
    let no_feed = |reason: String| RowError::new(FindingKind::UnreadableValue, reason);
    let bytes = document(bytes).map_err(no_feed)?;
    // Items without an id get none: the parser would make one, at random at worst.
    let parser = parser::Builder::new().id_generator(|_, _, _| String::new()).build();
    let feed = parser.parse(&bytes[..]).map_err(|e| no_feed(format!("no feed can be read: {e}")))?;
    Ok(feed.entries.iter().map(|entry| item(&feed, entry)).collect())
}

/// The one element of a document in UTF-8, whole, without the declarations before and in it: the feed's reader would
/// go over to another encoding wherever one is declared, and ends the program where it cannot.
fn document(bytes: &[u8]) -> Result<Cow<'_, [u8]>, String> {
    // JSON has none of this.
    if bytes.iter().find(|byte| matches!(byte, b'<' | b'{')) != Some(&b'<') {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut reader = Reader::from_reader(bytes);
    let (mut declared, mut depth, mut begin) = (Vec::new(), 0_usize, 0);
    let place = |reader: &Reader<&[u8]>| usize::try_from(reader.buffer_position()).unwrap_or(bytes.len());
    let end = loop {
        let event = reader.read_event().map_err(|error| format!("no feed can be read: {error}"))?;
        let at = place(&reader);
        match event {
            Event::Decl(_) => declared.push(begin..at),
            Event::Start(_) => depth += 1,
            Event::Empty(_) if depth == 0 => break at,
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Eof if depth > 0 => return Err(format!("{depth} elements have no end: the file was cut")),
            Event::Eof => break at,
            _ => {}
        }
        if depth > MAX_ELEMENT_DEPTH {
            return Err(format!("its elements are nested more than {MAX_ELEMENT_DEPTH} deep"));
        }
        if depth == 0 && matches!(event, Event::End(_)) {
            break at;
        }
        begin = at;
    };
    if declared.is_empty() {
        return Ok(Cow::Borrowed(&bytes[..end]));
    }
    let mut document = bytes[..end].to_vec();
    declared.into_iter().for_each(|range| document[range].fill(b' '));
    Ok(Cow::Owned(document))
}

fn item(feed: &Feed, entry: &Entry) -> FactItem<FeedItem> {
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
    FactItem { value, text }
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

#[cfg(test)]
mod tests {
    use super::*;

    const ITEM: &str = "<item><title>é</title><link>https://a.example/1</link></item>";

    fn rss(before: &str, within: &str, behind: &str) -> String {
        format!("{before}<rss version=\"2.0\"><channel>{within}{ITEM}</channel></rss>{behind}")
    }

    fn titles(text: &str) -> Result<Vec<String>, String> {
        let items = parse_records("a.xml", text.as_bytes()).map_err(|refusal| refusal.reason)?;
        Ok(items.into_iter().filter_map(|item| item.value.title).collect())
    }

    #[test]
    fn a_declaration_in_the_feed_or_behind_it_changes_no_letter() {
        let declaration = "<?xml version=\"1.0\" encoding=\"windows-1252\"?>";
        let filler = "<generator>x</generator>".repeat(1000);
        for text in [
            rss(declaration, "", ""),
            rss("", &format!("{filler}{declaration}"), ""),
            rss("", "", &format!("{filler}{declaration}")),
            rss(&format!("<!-- {declaration} -->"), &format!("{declaration}{declaration}"), "<"),
        ] {
            assert_eq!(titles(&text), Ok(vec!["é".to_owned()]), "{text:.200}");
        }
        let quoted = rss("", "", "").replace('é', &format!("<![CDATA[{declaration}]]>"));
        assert_eq!(titles(&quoted), Ok(vec![declaration.to_owned()]));
    }

    #[test]
    fn a_feed_that_was_cut_is_not_taken_for_a_shorter_one() {
        let whole = rss("", ITEM, "");
        for end in [whole.len() - 1, whole.len() - 6, whole.len() - 20, whole.len() / 2] {
            assert!(titles(&whole[..whole.floor_char_boundary(end)]).is_err(), "{end}");
        }
        assert!(titles(&whole[..whole.len() - 6]).unwrap_err().contains("1 elements have no end"));
    }

    #[test]
    fn nesting_beyond_the_bound_is_refused_by_it() {
        assert!(titles(&"<a>".repeat(100_000)).unwrap_err().contains("nested more than 128 deep"));
    }
}
