//! Events and bouts as one capture lists them.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use fdna_model::{OtherWeight, WeightClass, WeightText};
use fdna_rows::RowsError;
use fdna_schemas::tables::{ScheduleBoutsReader, ScheduleEventsReader};

use super::ScheduleCaptures;
use crate::claims::FirstSeen;
use crate::stated_start::listed_day;

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
    /// Whether some of these could not be read.
    pub(crate) is_in_part: bool,
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
    /// What is written in the place of the class.
    fn written_weight(&self) -> WeightText {
        self.class.as_deref().map(WeightText::parse).unwrap_or_default()
    }

    /// The class as written, else those of the limit.
    pub(crate) fn weight_classes(&self) -> Vec<WeightClass> {
        let written = self.written_weight();
        if written.class.is_some() || written.open.is_some() {
            return written.class.into_iter().collect();
        }
        let is_of = |class: &WeightClass| self.limit_lbs.is_some() && class.limit_lbs() == self.limit_lbs;
        CLASSES.into_iter().filter(is_of).collect()
    }

    /// The stated weight where it is no class: as written, or a limit that no class has.
    pub(crate) fn other_weight(&self) -> Option<OtherWeight> {
        let is_between = self.limit_lbs.is_some() && self.weight_classes().is_empty();
        self.written_weight().open.or(is_between.then_some(OtherWeight::Catch))
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
    pub(crate) source: Arc<str>,
    pub(crate) seen: FirstSeen,
    pub(crate) events: Arc<Vec<ListedEvent>>,
    pub(crate) bouts: Arc<Vec<ListedBout>>,
}

impl ScheduleCaptures {
    pub(super) fn add_events(
        &mut self,
        source: &str,
        events: ScheduleEventsReader<'_>,
        bouts: &HashMap<&str, i32>,
        seen: &FirstSeen,
    ) -> Result<Vec<ListedEvent>, RowsError> {
        let mut out = Vec::with_capacity(events.len());
        for row in events.all_rows()? {
            let claim = self.claim_event(row.id_space, row.event_source_id, seen);
            let day = row.start_at.map(|start| listed_day(source, start)).or(row.event_date);
            let event = &mut self.events[claim];
            to_front(&mut event.names, row.event.to_owned());
            if let Some(day) = day {
                to_front(&mut event.days, day);
            }
            out.push(ListedEvent {
                claim,
                name: row.event.to_owned(),
                day,
                start_at: row.start_at,
                place: [row.venue, row.city, row.region, row.country].map(|text| text.map(str::to_owned)),
                status: row.status.map(str::to_owned),
                listed_bouts: row.listed_bouts,
                is_in_part: bouts.get(row.event_source_id).is_some_and(|read| *read < row.listed_bouts),
            });
        }
        Ok(out)
    }

    pub(super) fn add_bouts(
        &mut self,
        bouts: ScheduleBoutsReader<'_>,
        seen: &FirstSeen,
    ) -> Result<Vec<ListedBout>, RowsError> {
        let mut out = Vec::with_capacity(bouts.len());
        for row in bouts.all_rows()? {
            let Some((first, second)) = row.first_name.zip(row.second_name) else { continue };
            let event = self.claim_event(row.id_space, row.event_source_id, seen);
            let sides = [(row.first_source_id, first), (row.second_source_id, second)];
            let claim = self.claim_bout(event, row.bout_source_id, sides, seen);
            let claimed = &mut self.bouts[claim];
            claimed.order = row.bout_order.or(claimed.order);
            claimed.is_over |= row.winner.is_some() || row.status == Some("completed");
            claimed.last = seen.at;
            let rank = |rank, is_champion| if is_champion == Some(true) { Some(0) } else { rank };
            let listed = ListedBout {
                claim,
                has_id: row.bout_source_id.is_some(),
                order: row.bout_order,
                position: row.card_position.map(str::to_owned),
                start_at: row.start_at,
                class: row.weight_class_raw.map(str::to_owned),
                limit_lbs: row.weight_lbs,
                is_title: row.is_title,
                rounds: row.scheduled_rounds,
                status: row.status.map(str::to_owned),
                ranks: [
                    rank(row.first_rank, row.first_is_champion),
                    rank(row.second_rank, row.second_is_champion),
                ],
            };
            let classes = listed.weight_classes();
            if !classes.is_empty() {
                claimed.classes = classes;
            }
            out.push(listed);
        }
        Ok(out)
    }
}

/// The newest first, each once.
fn to_front<T: PartialEq>(list: &mut Vec<T>, value: T) {
    if list.first() != Some(&value) {
        list.retain(|other| *other != value);
        list.insert(0, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(class: Option<&str>, limit_lbs: Option<i32>) -> ListedBout {
        ListedBout {
            claim: 0,
            has_id: false,
            order: None,
            position: None,
            start_at: None,
            class: class.map(str::to_owned),
            limit_lbs,
            is_title: None,
            rounds: None,
            status: None,
            ranks: [None; 2],
        }
    }

    #[test]
    fn a_limit_names_the_classes_that_have_it_and_a_class_that_is_written_comes_first() {
        let of = |class, limit| {
            let bout = listed(class, limit);
            let names: Vec<&str> = bout.weight_classes().into_iter().map(WeightClass::name).collect();
            (names.join(" "), bout.other_weight().map(OtherWeight::name))
        };
        for (class, limit, names, other) in [
            (Some("@170"), Some(170), "WELTERWEIGHT", None),
            (Some("@135"), Some(135), "BANTAMWEIGHT WOMENS_BANTAMWEIGHT", None),
            (Some("@115"), Some(115), "WOMENS_STRAWWEIGHT", None),
            (Some("@160"), Some(160), "", Some("CATCH_WEIGHT")),
            (Some("@CW"), None, "", Some("CATCH_WEIGHT")),
            (Some("Women's Flyweight"), Some(125), "WOMENS_FLYWEIGHT", None),
            (Some("Catchweight"), Some(170), "", Some("CATCH_WEIGHT")),
            (None, Some(205), "LIGHT_HEAVYWEIGHT", None),
            (None, None, "", None),
        ] {
            assert_eq!(of(class, limit), (names.to_owned(), other), "{class:?} {limit:?}");
        }
    }
}
