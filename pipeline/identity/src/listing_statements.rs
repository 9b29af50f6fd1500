//! A capture's list in terms of our events and bouts.

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use fdna_model::{OtherWeight, WeightClass};
use fdna_rows::CellValue;
use fdna_schemas::tables::{BoutListingsRow, ColumnPlace, EventListingsRow};
use uuid::Uuid;

use super::events::EventTitle;
use super::listing_history::{ListingFields, ListingHistories, StatedListing};
use super::registry::{EntityRegistry, LinkedBout};
use super::schedule::{ListedBout, ListedEvent, ScheduleCaptures};

/// Entities of the claimed events and bouts of the schedule.
pub(super) struct LinkedEntities {
    pub(super) events: Vec<Option<Uuid>>,
    pub(super) bouts: Vec<Option<LinkedBout>>,
}

/// Columns of `event_listings` that an event has.
pub(super) const EVENT_COLUMNS: [ColumnPlace; 8] = [
    EventListingsRow::NAME,
    EventListingsRow::EVENT_DATE,
    EventListingsRow::START_AT,
    EventListingsRow::VENUE,
    EventListingsRow::CITY,
    EventListingsRow::REGION,
    EventListingsRow::COUNTRY,
    EventListingsRow::STATUS,
];

/// The same of a bout.
pub(super) const BOUT_COLUMNS: [ColumnPlace; 10] = [
    BoutListingsRow::START_AT,
    BoutListingsRow::CARD_POSITION,
    BoutListingsRow::BOUT_ORDER,
    BoutListingsRow::WEIGHT_CLASS,
    BoutListingsRow::WEIGHT_CLASS_RAW,
    BoutListingsRow::SCHEDULED_ROUNDS,
    BoutListingsRow::IS_TITLE,
    BoutListingsRow::STATUS,
    BoutListingsRow::RANK_A,
    BoutListingsRow::RANK_B,
];

/// Place of a column in what is said of an event.
pub(super) fn event_place(column: ColumnPlace) -> usize {
    EVENT_COLUMNS.iter().position(|other| *other == column).unwrap_or_default()
}

/// The same of a bout.
pub(super) fn bout_place(column: ColumnPlace) -> usize {
    BOUT_COLUMNS.iter().position(|other| *other == column).unwrap_or_default()
}

/// Says to the listings what every capture says, oldest first.
pub(super) fn read_statements(
    schedule: &ScheduleCaptures,
    entities: &LinkedEntities,
    women: &WomenFighters,
) -> ListingHistories {
    let mut listings = ListingHistories::default();
    let (mut of_events, mut of_bouts) = (LastSaid::default(), LastSaid::default());
    for listing in &schedule.listings {
        // Of two entries that are one event, the one that names somebody is heard.
        let mut events: Vec<&ListedEvent> = listing.events.iter().collect();
        events.sort_by_cached_key(|listed| EventTitle::new(&listed.name).names_nobody());
        let events = events.into_iter().filter_map(|listed| {
            let said = of_events.cached_fields((&listing.source, listed.claim), listed, || {
                event_fields(listed, stated_day(&listing.source, listed))
            });
            Some((entities.events[listed.claim]?, listed.day, said))
        });
        let bouts = listing.bouts.iter().filter_map(|listed| {
            let linked = entities.bouts[listed.claim]?;
            let values = || bout_values(listed, linked, women).into();
            Some((linked, of_bouts.cached_fields((&listing.source, listed.claim), listed, values)))
        });
        let has_id = |listed: &&ListedBout| listed.has_id;
        let with_ids = listing.bouts.iter().filter(has_id);
        let in_part = listing.events.iter().filter(|listed| listed.is_in_part);
        listings.add_listing(StatedListing {
            source: &listing.source,
            seen: &listing.seen,
            events: events.collect(),
            bouts: bouts.collect(),
            with_ids: with_ids.filter_map(|listed| Some(entities.bouts[listed.claim]?.event)).collect(),
            in_part: in_part.filter_map(|listed| entities.events[listed.claim]).collect(),
        });
    }
    listings
}

/// Cache of the last listing of a claim by each source, with its fields: most captures repeat the one before.
struct LastSaid<'a, Listed>(HashMap<(&'a str, usize), (&'a Listed, ListingFields)>);

impl<Listed> Default for LastSaid<'_, Listed> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<'a, Listed: PartialEq> LastSaid<'a, Listed> {
    fn cached_fields(
        &mut self,
        claim: (&'a str, usize),
        listed: &'a Listed,
        fields: impl FnOnce() -> ListingFields,
    ) -> ListingFields {
        match self.0.get(&claim) {
            Some((before, fields)) if *before == listed => fields.clone(),
            _ => self.0.entry(claim).insert_entry((listed, fields())).get().1.clone(),
        }
    }
}

/// The layout of that name.
const FEED_CAPTURES: &str = "feed-captures";

/// The day that is said to be the event's. Where that layout has no place, it gives the day in UTC, which for an
/// evening in America is the next one: it finds the event, and is no word against a day given with the place.
fn stated_day(source: &str, listed: &ListedEvent) -> Option<NaiveDate> {
    let is_utc = source == FEED_CAPTURES && listed.place[0].is_none();
    listed.day.filter(|_| !is_utc)
}

fn event_fields(listed: &ListedEvent, day: Option<NaiveDate>) -> ListingFields {
    let text = |text: &Option<String>| CellValue::from(text.as_deref());
    let [venue, city, region, country] = &listed.place;
    let values = [
        CellValue::text(&listed.name),
        day.into(),
        listed.start_at.into(),
        text(venue),
        text(city),
        text(region),
        text(country),
        text(&listed.status),
    ];
    ListingFields {
        values: values.into(),
        listed_bouts: Some(listed.listed_bouts).filter(|count| *count > 0),
    }
}

fn bout_values(listed: &ListedBout, linked: LinkedBout, women: &WomenFighters) -> Vec<CellValue> {
    let [first, second] = listed.ranks;
    let (rank_a, rank_b) =
        if linked.fighters[0] <= linked.fighters[1] { (first, second) } else { (second, first) };
    let is_womens = linked.fighters.iter().find_map(|fighter| women.get(fighter).copied());
    vec![
        listed.start_at.into(),
        listed.position.as_deref().into(),
        listed.order.into(),
        weight_class(listed, is_womens)
            .map(WeightClass::name)
            .or(listed.other_weight().map(OtherWeight::name))
            .into(),
        listed.class.as_deref().into(),
        listed.rounds.into(),
        listed.is_title.into(),
        listed.status.as_deref().into(),
        rank_a.into(),
        rank_b.into(),
    ]
}

/// A limit that men and women have in common says which class it is only where one of the two has fought before.
fn weight_class(listed: &ListedBout, is_womens: Option<bool>) -> Option<WeightClass> {
    match listed.weight_classes()[..] {
        [class] => Some(class),
        ref several => several.iter().copied().find(|class| Some(class.is_womens()) == is_womens),
    }
}

/// Of fighters who have fought in a class, whether it was one for women.
pub(super) type WomenFighters = BTreeMap<Uuid, bool>;

impl EntityRegistry {
    pub(super) fn women_fighters(&self) -> WomenFighters {
        let classes = self.bouts.values().filter_map(|bout| Some((bout.fighters, bout.class?.is_womens())));
        classes.flat_map(|(fighters, is_womens)| fighters.map(|fighter| (fighter, is_womens))).collect()
    }
}
