//! What one capture lists: events and bouts as they stand in it.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use fdna_model::{OtherWeight, WeightClass, WeightText};
use fdna_rows::RowsError;
use fdna_schemas::TableReader;

use super::ScheduleCaptures;
use crate::claims::FirstSeen;

/// An event as one capture lists it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ListedEvent {
    pub(crate) claim: usize,
    pub(crate) name: String,
    pub(crate) day: Option<NaiveDate>,
    pub(crate) start_at: Option<DateTime<Utc>>,
    /// Venue, city, region, country.
    pub(crate) place: [Option<String>; 4],
    pub(crate) status: Option<String>,
    /// 0 states nothing: lists come and go.
    pub(crate) listed_bouts: i32,
}

/// A bout as one capture lists it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ListedBout {
    pub(crate) claim: usize,
    /// Whether the source's id of the bout stands there.
    pub(crate) has_id: bool,
    pub(crate) order: Option<i32>,
    pub(crate) position: Option<String>,
    pub(crate) start_at: Option<DateTime<Utc>>,
    pub(crate) class: Option<String>,
    pub(crate) limit_lbs: Option<i32>,
    pub(crate) is_title: Option<bool>,
    pub(crate) rounds: Option<i32>,
    pub(crate) status: Option<String>,
    /// 0 the champion; in the order of listing.
    pub(crate) ranks: [Option<i32>; 2],
}

impl ListedBout {
    /// The class as written, else those of the limit.
    pub(crate) fn classes(&self) -> Vec<WeightClass> {
        if let Some(text) = &self.class {
            return WeightText::parse(text).class.into_iter().collect();
        }
        let is_of = |class: &WeightClass| self.limit_lbs.is_some() && class.limit_lbs() == self.limit_lbs;
        CLASSES.into_iter().filter(is_of).collect()
    }

    /// What it is fought at, where that is no class: as written, or a limit that no class has.
    pub(crate) fn other_weight(&self) -> Option<OtherWeight> {
        match &self.class {
            Some(text) => WeightText::parse(text).open,
            None => self.limit_lbs.filter(|_| self.classes().is_empty()).map(|_| OtherWeight::Catch),
        }
    }
}

/// Classes that are fought in today.
const CLASSES: [WeightClass; 12] = [
    WeightClass::Flyweight,
    WeightClass::Bantamweight,
    WeightClass::Featherweight,
    WeightClass::Lightweight,
    WeightClass::Welterweight,
    WeightClass::Middleweight,
    WeightClass::LightHeavyweight,
    WeightClass::Heavyweight,
    WeightClass::WomensStrawweight,
    WeightClass::WomensFlyweight,
    WeightClass::WomensBantamweight,
    WeightClass::WomensFeatherweight,
];

/// A capture of the schedule.
#[derive(Debug, Clone)]
pub(crate) struct ScheduleListing {
    pub(crate) source: String,
    pub(crate) seen: FirstSeen,
    pub(crate) events: Arc<Vec<ListedEvent>>,
    pub(crate) bouts: Arc<Vec<ListedBout>>,
}

impl ScheduleCaptures {
    pub(super) fn add_events(
        &mut self,
        r: &TableReader<'_>,
        seen: &FirstSeen,
    ) -> Result<Vec<ListedEvent>, RowsError> {
        let (spaces, ids) = (r.texts("id_space")?, r.texts("event_source_id")?);
        let (names, days, starts) = (r.texts("event")?, r.dates("event_date")?, r.instants("start_at")?);
        let places = ["venue", "city", "region", "country"].map(|name| r.strings(name));
        let [venues, cities, regions, countries] = places;
        let (venues, cities, regions, countries) = (venues?, cities?, regions?, countries?);
        let (status, listed) = (r.strings("status")?, r.counts("listed_bouts")?);
        let mut out = Vec::with_capacity(r.rows());
        for i in 0..r.rows() {
            let claim = self.event(spaces[i], ids[i], seen);
            let day = starts[i].map(day_of).or(days[i]);
            let event = &mut self.events[claim];
            to_front(&mut event.names, names[i].to_owned());
            if let Some(day) = day {
                to_front(&mut event.days, day);
            }
            out.push(ListedEvent {
                claim,
                name: names[i].to_owned(),
                day,
                start_at: starts[i],
                place: [venues[i], cities[i], regions[i], countries[i]].map(|text| text.map(str::to_owned)),
                status: status[i].map(str::to_owned),
                listed_bouts: listed[i],
            });
        }
        Ok(out)
    }

    pub(super) fn add_bouts(
        &mut self,
        r: &TableReader<'_>,
        seen: &FirstSeen,
    ) -> Result<Vec<ListedBout>, RowsError> {
        let (spaces, events) = (r.texts("id_space")?, r.texts("event_source_id")?);
        let (ids, orders) = (r.strings("bout_source_id")?, r.int32s("bout_order")?);
        let fighters = [
            (r.strings("first_source_id")?, r.strings("first_name")?),
            (r.strings("second_source_id")?, r.strings("second_name")?),
        ];
        let ranks = [
            (r.int32s("first_rank")?, r.bools("first_is_champion")?),
            (r.int32s("second_rank")?, r.bools("second_is_champion")?),
        ];
        let (positions, starts) = (r.strings("card_position")?, r.instants("start_at")?);
        let (classes, limits) = (r.strings("weight_class_raw")?, r.int32s("weight_lbs")?);
        let (titles, rounds) = (r.bools("is_title")?, r.int32s("scheduled_rounds")?);
        let (status, winners) = (r.strings("status")?, r.strings("winner")?);
        let mut out = Vec::with_capacity(r.rows());
        for i in 0..r.rows() {
            let [Some(first), Some(second)] = fighters.each_ref().map(|(_, names)| names[i]) else {
                continue;
            };
            let event = self.event(spaces[i], events[i], seen);
            let sides = [(fighters[0].0[i], first), (fighters[1].0[i], second)];
            let claim = self.bout(event, ids[i], sides, seen);
            let claimed = &mut self.bouts[claim];
            claimed.order = orders[i].or(claimed.order);
            claimed.is_over |= winners[i].is_some() || status[i] == Some("completed");
            claimed.last = seen.at;
            let listed = ListedBout {
                claim,
                has_id: ids[i].is_some(),
                order: orders[i],
                position: positions[i].map(str::to_owned),
                start_at: starts[i],
                class: classes[i].map(str::to_owned),
                limit_lbs: limits[i],
                is_title: titles[i],
                rounds: rounds[i],
                status: status[i].map(str::to_owned),
                ranks: ranks.each_ref().map(
                    |(ranks, champions)| {
                        if champions[i] == Some(true) { Some(0) } else { ranks[i] }
                    },
                ),
            };
            let classes = listed.classes();
            if !classes.is_empty() {
                claimed.classes = classes;
            }
            out.push(listed);
        }
        Ok(out)
    }
}

/// The day of an event that starts then, as the statistics source counts: in the middle of the Americas, so that
/// an evening in Las Vegas that begins after midnight UTC is of the day before, and so is a Sunday noon in Sydney.
pub(crate) fn day_of(start: DateTime<Utc>) -> NaiveDate {
    start.checked_sub_signed(TimeDelta::hours(6)).unwrap_or(start).date_naive()
}

/// The newest first, each once.
fn to_front<T: PartialEq>(list: &mut Vec<T>, value: T) {
    if list.first() != Some(&value) {
        list.retain(|other| *other != value);
        list.insert(0, value);
    }
}
