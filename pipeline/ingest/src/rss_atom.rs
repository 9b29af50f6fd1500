//! Feeds in RSS or Atom: their items, and of an item what may be kept.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use fdna_model::FindingKind;
use feed_rs::model::{Entry, Feed, Link};
use feed_rs::parser;
use quick_xml::Reader;
use quick_xml::events::Event;

use crate::html_page::plain_text;
use crate::instant;
use crate::limits::MAX_ELEMENT_DEPTH;
use crate::parse::one_space;
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
    /// A time that is stated and cannot be read, where no other can.
    pub(crate) unread_time: Option<String>,
}

/// The items of a feed in their order.
pub(crate) fn parse_records(_: &str, bytes: &[u8]) -> Result<Vec<FactItem<FeedItem>>, RowError> {
    let no_feed = |reason: String| RowError::new(FindingKind::UnreadableValue, reason);
    let (bytes, stated) = document(bytes).map_err(no_feed)?;
    // Items without an id get none: the parser would make one, at random at worst.
    let parser = parser::Builder::new().id_generator(|_, _, _| String::new()).build();
    let feed = parser.parse(&bytes[..]).map_err(|e| no_feed(format!("no feed can be read: {e}")))?;
    // The reader says not which element an item was: where it passed one over, nobody knows whose the times are.
    let none = TimeTexts::default();
    let stated = if stated.len() == feed.entries.len() { stated } else { Vec::new() };
    let stated = stated.iter().chain(std::iter::repeat(&none));
    Ok(feed.entries.iter().zip(stated).map(|(entry, stated)| item(&feed, entry, stated)).collect())
}

/// The times that an item states, as texts.
type TimeTexts = Vec<String>;

/// Elements that are items, and those of an item that state its time, without prefixes.
const ITEMS: [&str; 2] = ["item", "entry"];
const TIMES: [&str; 6] = ["pubDate", "published", "updated", "date", "issued", "modified"];

/// Finds the times of items in the elements of a feed.
#[derive(Default)]
struct TimeFinder {
    items: Vec<TimeTexts>,
    /// Depth of the item, and of its time with the place behind its tag.
    item: Option<usize>,
    time: Option<(usize, usize)>,
}

impl TimeFinder {
    /// An element that begins within so many others, and ends its tag there.
    fn begin(&mut self, name: &str, depth: usize, at: usize) {
        match self.item {
            None if ITEMS.contains(&name) => {
                self.item = Some(depth);
                self.items.push(TimeTexts::new());
            }
            Some(item) if depth == item + 1 && TIMES.contains(&name) => self.time = Some((depth, at)),
            _ => {}
        }
    }

    /// One that ends, with what stands before the tag of its end.
    fn end(&mut self, depth: usize, before: &[u8]) {
        if let Some((_, from)) = self.time.filter(|(time, _)| *time == depth) {
            let text = before.get(from..).map(String::from_utf8_lossy).map(|text| plain_text(&text));
            if let (Some(item), Some(text)) = (self.items.last_mut(), text.filter(|text| !text.is_empty())) {
                item.push(text);
            }
            self.time = None;
        }
        self.item = self.item.filter(|item| *item != depth);
    }
}

/// The one element of a document in UTF-8, whole, without the declarations before and in it: the feed's reader would
/// go over to another encoding wherever one is declared, and ends the program where it cannot. With it the times that its
/// items state.
fn document(bytes: &[u8]) -> Result<(Cow<'_, [u8]>, Vec<TimeTexts>), String> {
    // JSON has none of this.
    if bytes.iter().find(|byte| matches!(byte, b'<' | b'{')) != Some(&b'<') {
        return Ok((Cow::Borrowed(bytes), Vec::new()));
    }
    let mut reader = Reader::from_reader(bytes);
    let mut times = TimeFinder::default();
    let (mut declared, mut depth, mut begin) = (Vec::new(), 0_usize, 0);
    let place = |reader: &Reader<&[u8]>| usize::try_from(reader.buffer_position()).unwrap_or(bytes.len());
    let end = loop {
        let event = reader.read_event().map_err(|error| format!("no feed can be read: {error}"))?;
        let at = place(&reader);
        match event {
            Event::Decl(_) => declared.push(begin..at),
            Event::Start(ref element) => {
                times.begin(element.local_name().as_ref(), depth, at);
                depth += 1;
            }
            Event::Empty(_) if depth == 0 => break at,
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                times.end(depth, &bytes[..begin]);
            }
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
        return Ok((Cow::Borrowed(&bytes[..end]), times.items));
    }
    let mut document = bytes[..end].to_vec();
    declared.into_iter().for_each(|range| document[range].fill(b' '));
    Ok((Cow::Owned(document), times.items))
}

/// Midnight at the end of a day, which is of the next one: the reader takes it for that at its beginning.
fn is_end_of_day(stated: &str) -> bool {
    [" 24:", "T24:"].iter().any(|hour| stated.contains(hour))
}

fn item(feed: &Feed, entry: &Entry, stated: &TimeTexts) -> FactItem<FeedItem> {
    let clean = |text: &str| Some(plain_text(text)).filter(|text| !text.is_empty());
    let is_read =
        |at: &DateTime<Utc>| instant::is_plausible(*at) && !stated.iter().any(|text| is_end_of_day(text));
    let (published, updated) = (entry.published.filter(is_read), entry.updated.filter(is_read));
    let person = entry.authors.first().or(feed.authors.first());
    let value = FeedItem {
        feed: feed.title.as_ref().and_then(|t| clean(&t.content)),
        author: person.and_then(|p| Some((clean(p.name.as_deref()?)?, p.uri.clone()))),
        id: Some(one_space(&entry.id)).filter(|id| !id.is_empty()),
        title: entry.title.as_ref().and_then(|t| clean(&t.content)),
        link: link(&entry.links).map(str::to_owned),
        unread_time: stated.first().filter(|_| published.or(updated).is_none()).cloned(),
        published,
        updated,
    };
    let text = value.text();
    let unread = value.unread_time.as_ref().map(|time| format!("its time of publication is `{time}`"));
    let note = unread.map(|reason| RowError::note(FindingKind::UnreadableValue, reason));
    FactItem { value, text, note }
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

    fn times(items: &str) -> Vec<[Option<String>; 2]> {
        let text = format!(
            "<rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel>{items}</channel></rss>"
        );
        let items = parse_records("a.xml", text.as_bytes()).map_err(|refusal| refusal.reason).unwrap();
        let of = |item: FeedItem| [item.published.map(|at| at.to_rfc3339()), item.unread_time];
        items.into_iter().map(|item| of(item.value)).collect()
    }

    #[test]
    fn a_time_that_cannot_be_read_is_told_and_one_that_is_not_stated_is_not() {
        let item =
            |time: &str| format!("<item><title>t</title><link>https://a.example/1</link>{time}</item>");
        for unread in [
            "Tue, 28 Apr 2026 22:00:00 AEST",
            "Tue,",
            "2026-11-07 22:00:00 +0100 or so",
            "Tue, 28 Apr 2026 24:00:00 GMT",
            "2026-04-28T24:00:00Z",
        ] {
            let element = item(&format!("<pubDate><![CDATA[{unread}]]></pubDate>"));
            assert_eq!(times(&element), [[None, Some(unread.to_owned())]], "{unread}");
        }
        let read = item("<dc:date>2026-04-28T20:05:00Z</dc:date>");
        let noon = Some("2026-04-28T20:05:00+00:00".to_owned());
        let all = format!("{}{read}{}", item(""), item("<pubDate>soon</pubDate>"));
        assert_eq!(times(&all), [[None, None], [noon, None], [None, Some("soon".to_owned())]]);
        assert_eq!(times(&item("<source><pubDate>soon</pubDate></source>")), [[None, None]], "another's");
    }

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
