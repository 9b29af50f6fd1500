//! Events that name nobody and have no bout: the card that they announced.

use fdna_model::Kind;
use fdna_schemas::Promotions;

use super::same_entity::{Duplicate, SameEntity};
use crate::events::EventTitle;
use crate::registry::{EntityRegistry, RegisteredEvent};

/// An event is put off by no more than this.
const POSTPONED_DAYS: i64 = 92;

pub(super) fn placeholder_events(registry: &EntityRegistry) -> Vec<Duplicate> {
    let title =
        |event: &RegisteredEvent| event.names.iter().map(|name| EventTitle::new(name)).collect::<Vec<_>>();
    let is_placeholder = |event: &&RegisteredEvent| {
        event.bouts.is_empty()
            && !registry.is_of_statsdb(event.id)
            && title(event).iter().all(EventTitle::names_nobody)
    };
    let mut found = Vec::new();
    for event in registry.events.values().filter(is_placeholder) {
        let days = |other: &RegisteredEvent| (other.day - event.day).num_days().abs();
        let numbers: Vec<u32> = title(event).iter().filter_map(|title| title.number).collect();
        let others =
            || registry.events.values().filter(|other| other.id != event.id && !other.bouts.is_empty());
        let is_number = |other: &&RegisteredEvent| {
            title(other).iter().any(|title| title.number.is_some_and(|n| numbers.contains(&n)))
        };
        let by_number = others().filter(|other| days(other) <= POSTPONED_DAYS).filter(is_number);
        let is_of_one_promotion = |other: &&RegisteredEvent| {
            title_promotions(event).any(|code| title_promotions(other).any(|other| other == code))
        };
        let by_day = others().filter(|other| days(other) <= 1).filter(is_of_one_promotion);
        let same = only_item(by_number).map(|other| (other, SameEntity { rule: "number", score: 0.95 }));
        let same =
            same.or_else(|| only_item(by_day).map(|other| (other, SameEntity { rule: "day", score: 0.86 })));
        found.extend(same.map(|(other, same)| (Kind::Event, event.id, other.id, same)));
    }
    found
}

fn only_item<T>(mut of: impl Iterator<Item = T>) -> Option<T> {
    of.next().filter(|_| of.next().is_none())
}

/// Promotions that its names begin with.
fn title_promotions(event: &RegisteredEvent) -> impl Iterator<Item = &'static str> {
    event.names.iter().filter_map(|name| Promotions::get().of_event(name))
}
