//! Codes that rows and ids name sources and promotions by.

/// Names of sources in ids.
pub(crate) const STATSDB: &str = "statsdb";
pub(crate) const FEED: &str = "feed";
pub(crate) const CARDS: &str = "cards";
/// The layout of the source of that name.
pub(crate) const CARDS_LAYOUT: &str = "cards";
/// The promotion of that code.
pub(crate) const UFC: &str = "UFC";
