//! Published snapshots as an Atom feed (RFC 4287), with their release notes.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::notes::ReleaseNotes;

/// A time at which a snapshot was published, and its notes.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedEntry {
    /// RFC 3339, in UTC.
    pub published_at: String,
    pub notes: ReleaseNotes,
}

/// The feed of a product's snapshots; the newest entry comes first.
///
/// `address` is where the feed will be found; without it the feed does not say.
///
/// # Errors
/// Never: text is written into memory.
pub fn atom_feed(product: &str, address: Option<&str>, entries: &[FeedEntry]) -> io::Result<String> {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)))?;
    let feed = xml.create_element("feed").with_attribute(("xmlns", "http://www.w3.org/2005/Atom"));
    feed.write_inner_content(|xml| {
        put(xml, "id", &format!("urn:fightdna:{product}:snapshots"))?;
        put(xml, "title", &format!("Snapshots of {product}"))?;
        let updated = entries.first().map_or("1970-01-01T00:00:00Z", |entry| entry.published_at.as_str());
        put(xml, "updated", updated)?;
        xml.create_element("author").write_inner_content(|xml| put(xml, "name", "fightdna"))?;
        if let Some(address) = address {
            let link = xml.create_element("link").with_attributes([("rel", "self"), ("href", address)]);
            link.write_empty()?;
        }
        entries.iter().try_for_each(|entry| put_entry(xml, product, entry))
    })?;
    let mut text = xml.into_inner();
    text.push(b'\n');
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn put_entry(xml: &mut Writer<Vec<u8>>, product: &str, entry: &FeedEntry) -> io::Result<()> {
    let FeedEntry { published_at, notes } = entry;
    xml.create_element("entry")
        .write_inner_content(|xml| {
            // One snapshot may be published twice: its time is part of the id.
            put(xml, "id", &format!("urn:fightdna:{product}:snapshot:{}:{published_at}", notes.to))?;
            put(xml, "title", &format!("Snapshot {}", notes.to))?;
            put(xml, "updated", published_at)?;
            put(xml, "summary", &notes.summary())?;
            let content = xml.create_element("content").with_attribute(("type", "text/markdown"));
            content.write_text_content(BytesText::new(&without_controls(&notes.to_markdown()))).map(drop)
        })
        .map(drop)
}

fn put(xml: &mut Writer<Vec<u8>>, name: &str, text: &str) -> io::Result<()> {
    xml.create_element(name).write_text_content(BytesText::new(&without_controls(text))).map(drop)
}

/// Without what XML 1.0 cannot hold, even escaped.
fn without_controls(text: &str) -> String {
    let is_allowed = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    text.chars().filter(is_allowed).filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}')).collect()
}
