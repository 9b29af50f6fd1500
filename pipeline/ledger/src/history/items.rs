//! Stories, articles and videos, by whom they name.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Something published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MediaItem {
    pub published_at: DateTime<Utc>,
    /// When it was published and captured, both.
    pub known_since: DateTime<Utc>,
}

/// Items of one kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MediaItems {
    pub items: Vec<MediaItem>,
    /// Places in `items`, by entity named.
    pub naming: BTreeMap<Uuid, Vec<usize>>,
}

impl MediaItems {
    /// Items that name one of these, were published in the span, and are known at `at`.
    #[must_use]
    pub fn count_items(&self, entities: &[Uuid], published: Range<DateTime<Utc>>, at: DateTime<Utc>) -> i32 {
        let places = entities.iter().filter_map(|id| self.naming.get(id)).flatten();
        let counted = places.filter(|place| {
            self.items
                .get(**place)
                .is_some_and(|item| item.known_since <= at && published.contains(&item.published_at))
        });
        i32::try_from(counted.collect::<BTreeSet<_>>().len()).unwrap_or(i32::MAX)
    }
}
