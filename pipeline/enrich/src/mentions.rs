//! Mentions in a text: fighters, bouts and events that a title or headline names.
//!
//! Rules, each with its score; what none of them shows is not mentioned:
//!
//! | rule | score | shown by |
//! |---|---|---|
//! | `stated_id`, `stated_name` | 1.0, 0.95 | the article's own front matter |
//! | `full_name` | 0.98 | a full name of one fighter, who has a bout within three years |
//! | `full_name_of_the_past` | 0.9 | a full name of one fighter, who has not, but has fought five times or more |
//! | `full_name_of_several` | 0.9 | a full name of several, of whom one has a bout within three years |
//! | `pair` | 0.95 | `A vs B`, by full names or surnames: one bout of the two within 60 days |
//! | `both_names` | 0.85 | full names of two who have one bout with each other within 60 days |
//! | `event_number`, `event_name` | 0.98, 0.95 | `UFC 330`; the full name of an event |
//! | `fight_night_headliners` | 0.95 | `Fight Night`, and the pair whose names the event bears |
//! | `of_bout` | the bout's | the event of a bout that is mentioned |
//! | `surname_of_opponent` | 0.85 | a surname beside the full name of whom he has one bout with within 60 days |
//! | `surname_at_event` | 0.85 | a surname that one fighter has on the card of an event that is named |
//!
//! A nickname alone never counts, nor does whose channel it is: a host's name stands in every title of his show.

mod text;

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_rows::{TableRow, row_cells};
use fdna_schemas::tables::MentionsRow;
use uuid::Uuid;

use super::directory::EntityDirectory;

pub(super) use self::text::of_text;

/// Entity of a mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MentionedEntity {
    Fighter(Uuid),
    Event(Uuid),
    Bout(Uuid),
}

/// By entity, the rule that shows it best and its score.
#[derive(Debug, Default, PartialEq)]
pub(super) struct EntityMentions(pub(super) BTreeMap<MentionedEntity, (&'static str, f64)>);

impl EntityMentions {
    pub(super) fn add_mention(&mut self, entity: MentionedEntity, rule: &'static str, score: f64) {
        let best = self.0.entry(entity).or_insert((rule, score));
        if score > best.1 {
            *best = (rule, score);
        }
    }
}

/// Rows of `mentions`.
pub(super) fn mention_rows(item_kind: &str, item_id: &str, mentions: &EntityMentions) -> Vec<TableRow> {
    let row = |(entity, (rule, score)): (&MentionedEntity, &(&str, f64))| {
        let (entity_kind, entity_id) = match entity {
            MentionedEntity::Fighter(id) => ("fighter", *id),
            MentionedEntity::Event(id) => ("event", *id),
            MentionedEntity::Bout(id) => ("bout", *id),
        };
        row_cells(&MentionsRow { item_kind, item_id, entity_kind, entity_id, rule, score: *score })
    };
    mentions.0.iter().map(row).collect()
}

/// Entities that an article's front matter names, by id or name; and the texts that match nobody.
pub(super) fn stated_mentions(
    directory: &EntityDirectory,
    fighters: &[String],
    events: &[String],
    on: NaiveDate,
) -> (EntityMentions, Vec<(&'static str, String)>) {
    let (mut mentions, mut unknown) = (EntityMentions::default(), Vec::new());
    for text in fighters {
        let named = || {
            directory
                .fighter_meant_on(&fdna_model::fold_name(text), on)
                .or_else(|| directory.fighter_named(text))
        };
        match (directory.by_id("fighter", text), named()) {
            (Some(id), _) => mentions.add_mention(MentionedEntity::Fighter(id), "stated_id", 1.0),
            (None, Some(named)) => {
                mentions.add_mention(MentionedEntity::Fighter(named.id), "stated_name", 0.95)
            }
            (None, None) => unknown.push(("fighter", text.clone())),
        }
    }
    for text in events {
        match (directory.by_id("event", text), text::event_called(directory, text, on)) {
            (Some(id), _) => mentions.add_mention(MentionedEntity::Event(id), "stated_id", 1.0),
            (None, Some(id)) => mentions.add_mention(MentionedEntity::Event(id), "stated_name", 0.95),
            (None, None) => unknown.push(("event", text.clone())),
        }
    }
    (mentions, unknown)
}
