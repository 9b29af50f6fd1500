//! The explorer: web pages over the served snapshot, for people. Rendered here, complete without script, loading nothing
//! from elsewhere.
//!
//! ```text
//! declared   pages as data: `pages/*.toml`, to a `Page`          ask       the operations of the API, asked in process
//! pages      what of a page is no list of rows, drawn by hand    page      what a page consists of; its template
//! shown      numbers and words as they are shown                 assets    style, script, icon, named by their digests
//! respond    headers, content security policy, page cache        terminal  the same profile as text
//! catalog    pages of the multi-sport catalog, from its routes   suggest   names while one types
//! ```
//!
//! A page asks the API's own operations and nothing else, so that it cannot show a number that the API does not give.
//! Pictures are of `fdna-picture`; each number in them stands in a table beside it.

mod ask;
mod assets;
mod catalog;
mod declared;
mod page;
mod pages;
mod respond;
mod shown;
mod suggest;
mod terminal;

pub use respond::router;
pub use terminal::{TerminalError, TextStyle, fighter_text, matchup_text};

/// Names of the routes for the access log, in the order of their slots.
#[must_use]
pub fn names() -> Vec<&'static str> {
    declared::PAGES.iter().map(|page| page.name.as_str()).chain(["page_suggest", "page_asset"]).collect()
}

/// The same of the pages of the multi-sport catalog.
#[must_use]
pub fn catalog_names() -> Vec<&'static str> {
    vec!["page_catalog", "page_asset"]
}
