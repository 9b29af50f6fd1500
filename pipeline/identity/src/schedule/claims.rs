//! Claims of the schedule, in the form that all sources share.

use std::collections::BTreeMap;

use super::ScheduleCaptures;
use super::claimed::ClaimedBout;
use crate::claims::{BoutClaim, EventClaim, FighterClaim, mention_key};

impl ScheduleCaptures {
    /// Claims of bouts that `is_wanted`, by event; with each bout its place among [`Self::bouts`]. An event that has
    /// bouts, but none that is wanted, is not claimed: its bouts tell which event it is. One without bouts is.
    pub(crate) fn event_claims(
        &self,
        space: &str,
        is_wanted: impl Fn(&ClaimedBout) -> bool,
    ) -> (Vec<EventClaim>, Vec<(usize, Vec<usize>)>) {
        let mut of_event: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut empty: Vec<bool> = self.events.iter().map(|event| event.space == space).collect();
        for (i, bout) in self.bouts.iter().enumerate() {
            empty[bout.event] = false;
            if self.events[bout.event].space == space && is_wanted(bout) {
                of_event.entry(bout.event).or_default().push(i);
            }
        }
        let empty = empty.into_iter().enumerate().filter(|(_, is_empty)| *is_empty);
        of_event.extend(empty.map(|(event, _)| (event, Vec::new())));
        let claims = of_event.iter().map(|(event, bouts)| self.event_claim(*event, bouts)).collect();
        (claims, of_event.into_iter().collect())
    }

    fn event_claim(&self, event: usize, bouts: &[usize]) -> EventClaim {
        let claimed = &self.events[event];
        EventClaim {
            source: claimed.space,
            source_id: claimed.source_id.clone(),
            names: claimed.names.clone(),
            days: claimed.days.clone(),
            bouts: bouts.iter().map(|i| self.bout_claim(&self.bouts[*i])).collect(),
            seen: claimed.seen.clone(),
        }
    }

    fn bout_claim(&self, bout: &ClaimedBout) -> BoutClaim {
        let event = &self.events[bout.event].source_id;
        let names = bout.fighters.each_ref().map(|(_, name)| name.as_str());
        let fighter = |(id, name): &(Option<String>, String)| {
            let described = id.as_ref().and_then(|id| self.fighters.get(id));
            FighterClaim {
                source_id: id.clone().unwrap_or_else(|| mention_key(event, &[name])),
                has_id: id.is_some(),
                name: name.clone(),
                nickname: described.and_then(|d| d.nickname.clone()),
                born: described.and_then(|d| d.born),
                statsdb_id: None,
            }
        };
        BoutClaim {
            source_id: bout.source_id.clone().unwrap_or_else(|| mention_key(event, &names)),
            fighters: bout.fighters.each_ref().map(fighter),
            order: bout.order,
            is_over: bout.is_over,
            classes: bout.classes.clone(),
            seen: bout.seen.clone(),
        }
    }
}
