//! History of each source's listings: spans of captures that say the same of an event or a bout.
//!
//! Lists come and go. An empty list states nothing. A bout that a list of its event's other bouts lacks is off
//! the card, until a later list has it again. An event that a list lacks is off only if it is still to come and
//! the list names later ones: a list that ends before it, or that dropped what is past, does not speak of it.
//! A list that gives its bouts no ids may be of a part of the card: where the source has ids for some lists, one
//! without them takes off only what no list with ids ever had.
//! A fighter has one bout on a card, but for tournaments: where a list gives a fighter another one, it has the former
//! off, whoever listed that.
//! A list of which bouts were set aside is not whole, and takes none off.
//! How many bouts a list has is no statement of the event's own: it goes with a span and opens none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use fdna_rows::CellValue;
use uuid::Uuid;

use super::claims::FirstSeen;
use super::listing_statements::BOUT_COLUMNS;
use super::registry::LinkedBout;

/// Values that a source stated, with the first and last capture that state them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ValidityInterval {
    pub(super) from: FirstSeen,
    pub(super) until: Option<DateTime<Utc>>,
    pub(super) last: FirstSeen,
    pub(super) is_listed: bool,
    pub(super) said: Arc<[CellValue]>,
    /// Bouts of the event in the newest list of the span that has any.
    pub(super) listed_bouts: Option<i32>,
}

/// Values of an event or a bout in one capture.
#[derive(Debug, Clone)]
pub(super) struct ListingFields {
    /// Shared by the captures that say the same.
    pub(super) values: Arc<[CellValue]>,
    /// Bouts that it lists of an event; `None` where it lists none, which states nothing.
    pub(super) listed_bouts: Option<i32>,
}

impl From<Vec<CellValue>> for ListingFields {
    fn from(values: Vec<CellValue>) -> Self {
        Self { values: values.into(), listed_bouts: None }
    }
}

/// Statements of sources about events or bouts, by entity and source.
#[derive(Debug, Default)]
pub(super) struct ListingHistory(BTreeMap<Uuid, BTreeMap<Arc<str>, Vec<ValidityInterval>>>);

/// Listing in one capture.
pub(super) struct StatedListing<'a> {
    pub(super) source: &'a Arc<str>,
    pub(super) seen: &'a FirstSeen,
    /// Event, its day where that is stated, and what is said of it.
    pub(super) events: Vec<(Uuid, Option<NaiveDate>, ListingFields)>,
    /// Bouts, and what is said of each.
    pub(super) bouts: Vec<(LinkedBout, ListingFields)>,
    /// Events whose bouts have the source's own ids in this list.
    pub(super) with_ids: BTreeSet<Uuid>,
    /// Events of which not every bout that is listed could be read.
    pub(super) in_part: BTreeSet<Uuid>,
}

/// All that was said, capture by capture.
#[derive(Debug, Default)]
pub(super) struct ListingHistories {
    pub(super) events: ListingHistory,
    pub(super) bouts: ListingHistory,
    days: BTreeMap<Uuid, NaiveDate>,
    bouts_of: BTreeMap<(Arc<str>, Uuid), ListingRow>,
    /// By event, whatever source listed them, with their fighters.
    listed: BTreeMap<Uuid, BTreeMap<Uuid, [Uuid; 2]>>,
}

/// Bouts of an event that a source has listed so far.
#[derive(Debug, Default)]
struct ListingRow {
    all: BTreeSet<Uuid>,
    /// Those that a list with ids had.
    with_ids: BTreeSet<Uuid>,
}

impl ListingRow {
    /// Adds a list; returns what it takes off.
    fn add_list(&mut self, bouts: BTreeSet<Uuid>, has_ids: bool) -> Vec<Uuid> {
        let is_gone = |bout: &&Uuid| !bouts.contains(bout) && (has_ids || !self.with_ids.contains(bout));
        let gone = self.all.iter().filter(is_gone).copied().collect();
        if has_ids {
            self.with_ids.extend(&bouts);
        }
        self.all.extend(bouts);
        gone
    }
}

impl ListingHistory {
    fn state_fields(
        &mut self,
        entity: Uuid,
        source: &Arc<str>,
        seen: &FirstSeen,
        is_listed: bool,
        said: ListingFields,
    ) {
        let ListingFields { values: said, listed_bouts } = said;
        let spans = self.0.entry(entity).or_default().entry(Arc::clone(source)).or_default();
        if let Some(open) = spans.last_mut() {
            if open.is_listed == is_listed && open.said == said {
                open.last.at = seen.at;
                open.last.capture.clone_from(&seen.capture);
                open.listed_bouts = listed_bouts.or(open.listed_bouts);
                return;
            }
            open.until = Some(seen.at);
        }
        let (from, last) = (seen.clone(), seen.clone());
        spans.push(ValidityInterval { from, until: None, last, is_listed, said, listed_bouts });
    }

    /// Ends a listing that a capture lacks.
    fn end_listing(&mut self, entity: Uuid, source: &Arc<str>, seen: &FirstSeen) {
        let said = self.newest_interval(entity, source);
        let said = said.map(|s| ListingFields { values: Arc::clone(&s.said), listed_bouts: s.listed_bouts });
        if let Some(said) = said {
            self.state_fields(entity, source, seen, false, said);
        }
    }

    fn newest_interval(&self, entity: Uuid, source: &str) -> Option<&ValidityInterval> {
        self.intervals_by(entity, source).last()
    }

    /// All intervals, by entity and source.
    pub(super) fn all_intervals(&self) -> impl Iterator<Item = (Uuid, &str, &[ValidityInterval])> {
        self.0.keys().flat_map(|id| self.intervals_of(*id).map(|(source, spans)| (*id, source, spans)))
    }

    /// Intervals of an entity, by source.
    pub(super) fn intervals_of(&self, entity: Uuid) -> impl Iterator<Item = (&str, &[ValidityInterval])> {
        let sources = self.0.get(&entity).into_iter().flatten();
        sources.map(|(source, spans)| (&**source, spans.as_slice()))
    }

    /// Intervals of an entity in one source.
    pub(super) fn intervals_by(&self, entity: Uuid, source: &str) -> &[ValidityInterval] {
        self.0.get(&entity).and_then(|sources| sources.get(source)).map_or(&[], Vec::as_slice)
    }

    /// Intervals of an entity, a list a source, each the newest first. The most recent source is
    /// the first; of one time, the feed's before the cards'.
    pub(super) fn newest_of(&self, entity: Uuid) -> Vec<Vec<&ValidityInterval>> {
        self.newest_by(entity, |_| true)
    }

    /// The same of some sources.
    pub(super) fn newest_by(
        &self,
        entity: Uuid,
        is_meant: impl Fn(&str) -> bool,
    ) -> Vec<Vec<&ValidityInterval>> {
        let mut sources: Vec<_> = self.intervals_of(entity).filter(|(source, _)| is_meant(source)).collect();
        sources.sort_by_key(|(source, spans)| {
            let last = spans.last().map(|span| span.last.at);
            (std::cmp::Reverse(last), *source == crate::source_names::CARDS_LAYOUT, *source)
        });
        sources.into_iter().map(|(_, spans)| spans.iter().rev().collect()).collect()
    }

    /// The first time that any source listed it.
    pub(super) fn first_listed(&self, entity: Uuid) -> Option<DateTime<Utc>> {
        let first =
            self.intervals_of(entity).filter_map(|(_, spans)| spans.iter().find(|span| span.is_listed));
        first.map(|span| span.from.at).min()
    }
}

impl ListingHistories {
    /// Adds a capture newer than all before.
    pub(super) fn add_listing(&mut self, stated: StatedListing<'_>) {
        let StatedListing { source, seen, events, bouts, with_ids, in_part } = stated;
        let mut listed = BTreeSet::new();
        let mut furthest = None;
        for (event, day, said) in events {
            self.days.extend(day.map(|day| (event, day)));
            furthest = furthest.max(day);
            if listed.insert(event) {
                self.events.state_fields(event, source, seen, true, said);
            }
        }
        self.drop_events(source, seen, &listed, furthest);
        let mut of_event: BTreeMap<Uuid, BTreeSet<Uuid>> = BTreeMap::new();
        for (LinkedBout { event, bout, fighters }, said) in bouts {
            self.listed.entry(event).or_default().insert(bout, fighters);
            if of_event.entry(event).or_default().insert(bout) {
                self.bouts.state_fields(bout, source, seen, true, said);
            }
        }
        for (event, bouts) in of_event {
            for gone in self.superseded_bouts(event, &bouts, source) {
                self.bouts.state_fields(
                    gone,
                    source,
                    seen,
                    false,
                    vec![CellValue::Null; BOUT_COLUMNS.len()].into(),
                );
            }
            let known = self.bouts_of.entry((Arc::clone(source), event)).or_default();
            let gone = known.add_list(bouts, with_ids.contains(&event));
            for gone in gone.into_iter().filter(|_| !in_part.contains(&event)) {
                self.bouts.end_listing(gone, source, seen);
            }
        }
    }

    /// Bouts whose fighters this list gives other bouts, and which this source has never listed itself.
    fn superseded_bouts(&self, event: Uuid, bouts: &BTreeSet<Uuid>, source: &str) -> Vec<Uuid> {
        let Some(all) = self.listed.get(&event).filter(|all| all.len() > bouts.len()) else {
            return Vec::new();
        };
        let on_list: Vec<Uuid> = bouts.iter().filter_map(|bout| all.get(bout)).flatten().copied().collect();
        let busy: BTreeSet<Uuid> = on_list.iter().copied().collect();
        // A tournament, where winners go on to the next bout.
        if busy.len() < on_list.len() {
            return Vec::new();
        }
        let others = all.iter().filter(|(bout, _)| !bouts.contains(bout));
        let gone = others.filter(|(_, fighters)| fighters.iter().any(|fighter| busy.contains(fighter)));
        gone.map(|(bout, _)| *bout)
            .filter(|bout| self.bouts.newest_interval(*bout, source).is_none())
            .collect()
    }

    fn drop_events(
        &mut self,
        source: &Arc<str>,
        seen: &FirstSeen,
        listed: &BTreeSet<Uuid>,
        furthest: Option<NaiveDate>,
    ) {
        let today = seen.at.date_naive();
        let is_missed = |day: NaiveDate| day > today && furthest.is_some_and(|furthest| furthest > day);
        let missed = self.days.iter().filter(|(event, day)| is_missed(**day) && !listed.contains(event));
        let missed: Vec<Uuid> = missed.map(|(event, _)| *event).collect();
        for event in missed {
            self.events.end_listing(event, source, seen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(day: u32) -> FirstSeen {
        let at = NaiveDate::from_ymd_opt(2026, 1, day).unwrap().and_hms_opt(0, 0, 0).unwrap().and_utc();
        FirstSeen { at, capture: format!("capture-{day}") }
    }

    fn id(n: u128) -> Uuid {
        Uuid::from_u128(n)
    }

    const EVENT: u128 = 100;
    const LATER: u128 = 200;

    fn day(n: u32) -> Option<NaiveDate> {
        NaiveDate::from_ymd_opt(2026, 2, n)
    }

    #[test]
    fn a_list_that_comes_and_goes_opens_no_span() {
        let mut listings = ListingHistories::default();
        let mut list = |on: u32, name: &str, count: i32| {
            let listed_bouts = Some(count).filter(|count| *count > 0);
            let said = ListingFields { values: [CellValue::from(name)].into(), listed_bouts };
            listings.add_listing(StatedListing {
                source: &"feed".into(),
                seen: &seen(on),
                events: vec![(id(EVENT), day(1), said)],
                bouts: vec![],
                with_ids: BTreeSet::new(),
                in_part: BTreeSet::new(),
            });
        };
        for (on, name, count) in
            [(1, "UFC 9", 12), (2, "UFC 9", 0), (3, "UFC 9", 13), (4, "UFC 9: A", 0), (5, "UFC 9: A", 0)]
        {
            list(on, name, count);
        }
        let spans = listings.events.intervals_by(id(EVENT), "feed");
        let spans: Vec<_> =
            spans.iter().map(|s| (&*s.from.capture, &*s.last.capture, s.listed_bouts)).collect();
        assert_eq!(spans, [("capture-1", "capture-3", Some(13)), ("capture-4", "capture-5", None)]);
    }

    /// A capture that lists the event with these bouts.
    fn add(listings: &mut ListingHistories, on: u32, events: &[(u128, u32)], bouts: &[u128]) {
        add_list(listings, on, events, bouts, false);
    }

    fn add_list(
        listings: &mut ListingHistories,
        on: u32,
        events: &[(u128, u32)],
        bouts: &[u128],
        has_ids: bool,
    ) {
        let seen = seen(on);
        let events =
            events.iter().map(|(n, d)| (id(*n), day(*d), vec![CellValue::from("said")].into())).collect();
        let linked = |n| LinkedBout { event: id(EVENT), bout: id(n), fighters: [id(1000 + n), id(2000 + n)] };
        let bouts = bouts.iter().map(|n| (linked(*n), vec![CellValue::Int(1)].into())).collect();
        let with_ids = has_ids.then_some(id(EVENT)).into_iter().collect();
        let in_part = BTreeSet::new();
        listings.add_listing(StatedListing {
            source: &"cards".into(),
            seen: &seen,
            events,
            bouts,
            with_ids,
            in_part,
        });
    }

    fn text(spans: &ListingHistory, entity: u128) -> String {
        let text = spans.intervals_by(id(entity), "cards").iter().map(|s| {
            let (from, last) = (&s.from.capture[8..], &s.last.capture[8..]);
            format!("{from}-{last} {}", if s.is_listed { "on" } else { "off" })
        });
        text.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn an_empty_list_says_nothing_of_its_bouts() {
        let mut listings = ListingHistories::default();
        add(&mut listings, 1, &[(EVENT, 1)], &[1, 2]);
        add(&mut listings, 2, &[(EVENT, 1)], &[]);
        add(&mut listings, 3, &[(EVENT, 1)], &[1, 2]);
        assert_eq!(text(&listings.bouts, 1), "1-3 on");
    }

    #[test]
    fn a_bout_that_its_events_list_lacks_is_off_until_it_is_back() {
        let mut listings = ListingHistories::default();
        for (on, bouts) in [(1, &[1, 2][..]), (2, &[2]), (3, &[2]), (4, &[1, 2])] {
            add(&mut listings, on, &[(EVENT, 1)], bouts);
        }
        assert_eq!(text(&listings.bouts, 1), "1-1 on, 2-3 off, 4-4 on");
        assert_eq!(text(&listings.bouts, 2), "1-4 on");
    }

    #[test]
    fn a_list_that_could_be_read_in_part_takes_no_bout_off() {
        let mut listings = ListingHistories::default();
        add(&mut listings, 1, &[(EVENT, 1)], &[1, 2]);
        let linked = LinkedBout { event: id(EVENT), bout: id(1), fighters: [id(1001), id(2001)] };
        listings.add_listing(StatedListing {
            source: &"cards".into(),
            seen: &seen(2),
            events: vec![],
            bouts: vec![(linked, vec![CellValue::Int(1)].into())],
            with_ids: BTreeSet::new(),
            in_part: BTreeSet::from([id(EVENT)]),
        });
        assert_eq!([text(&listings.bouts, 1), text(&listings.bouts, 2)], ["1-2 on", "1-1 on"]);
        add(&mut listings, 3, &[(EVENT, 1)], &[1]);
        assert_eq!(text(&listings.bouts, 2), "1-1 on, 3-3 off");
    }

    #[test]
    fn a_list_without_ids_takes_off_only_what_no_list_with_ids_had() {
        let mut listings = ListingHistories::default();
        for (on, bouts, has_ids) in [
            (1, &[1, 2, 4][..], true),
            (2, &[2, 3], false),
            (3, &[2], false),
            (4, &[1, 2], true),
            (5, &[1], true),
        ] {
            add_list(&mut listings, on, &[(EVENT, 1)], bouts, has_ids);
        }
        assert_eq!(text(&listings.bouts, 1), "1-5 on");
        assert_eq!(text(&listings.bouts, 2), "1-4 on, 5-5 off");
        assert_eq!(text(&listings.bouts, 3), "2-2 on, 3-5 off", "lists without ids are compared");
        assert_eq!(text(&listings.bouts, 4), "1-1 on, 4-5 off", "a list with ids takes off");
    }

    #[test]
    fn an_event_is_off_only_if_the_list_goes_beyond_it() {
        let mut listings = ListingHistories::default();
        add(&mut listings, 1, &[(EVENT, 10), (LATER, 20)], &[]);
        add(&mut listings, 2, &[(EVENT, 10)], &[]);
        assert_eq!(text(&listings.events, LATER), "1-1 on", "the list ends before it");
        add(&mut listings, 3, &[(LATER, 20)], &[]);
        assert_eq!(text(&listings.events, EVENT), "1-2 on, 3-3 off");
        add(&mut listings, 4, &[], &[]);
        assert_eq!(text(&listings.events, LATER), "1-3 on", "an empty list says nothing");
    }
}
