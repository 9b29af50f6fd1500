//! Items that are one story: outlets that tell it under the same headline.
//!
//! The rule is narrow, since two stories made one lose a link, and one story told twice does not: the same words in
//! the same order, four at least, of another outlet, within three days.

use std::collections::{BTreeMap, HashMap};

use chrono::TimeDelta;

use super::super::directory::split_words;
use super::FeedItem;

const WORDS: usize = 4;
const DAYS: i64 = 3;

/// One story.
pub(super) struct StoryCluster<'a> {
    /// The item that was captured first; of those captured together the one published first.
    pub(super) lead: FeedItem<'a>,
    pub(super) others: Vec<FeedItem<'a>>,
}

/// The stories, in order of their leads.
pub(super) fn cluster_stories<'a>(items: BTreeMap<&'a str, FeedItem<'a>>) -> Vec<StoryCluster<'a>> {
    let mut items: Vec<FeedItem<'_>> = items.into_values().collect();
    items.sort_by_key(|item| (item.first_seen_at, item.stated_at(), item.link));
    let mut stories: Vec<StoryCluster<'_>> = Vec::new();
    let mut by_headline: HashMap<String, Vec<usize>> = HashMap::new();
    for item in items {
        let same_headline =
            fold_headline(item.headline).map(|headline| by_headline.entry(headline).or_default());
        let same = same_headline
            .as_ref()
            .and_then(|places| places.iter().find(|i| stories[**i].accepts_item(&item)).copied());
        match same {
            Some(place) => stories[place].others.push(item),
            None => {
                if let Some(places) = same_headline {
                    places.push(stories.len());
                }
                stories.push(StoryCluster { lead: item, others: Vec::new() });
            }
        }
    }
    stories
}

impl StoryCluster<'_> {
    fn accepts_item(&self, item: &FeedItem<'_>) -> bool {
        let is_near = (item.stated_at() - self.lead.stated_at()).abs() <= TimeDelta::days(DAYS);
        let mut all = std::iter::once(&self.lead).chain(&self.others);
        is_near && all.all(|told| told.outlet != item.outlet)
    }
}

/// The words of a headline; `None` for too few to tell stories apart.
fn fold_headline(headline: &str) -> Option<String> {
    let words: Vec<String> = split_words(headline).into_iter().map(|word| word.text).collect();
    (words.len() >= WORDS).then(|| words.join(" "))
}
