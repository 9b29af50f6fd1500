//! Events and bouts over all captures, each once.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use fdna_model::{WeightClass, fold_name};

use super::ScheduleCaptures;
use crate::claims::FirstSeen;
use crate::name_similarity::FoldedName;
use crate::source_names::{CARDS, FEED};
use crate::thresholds::MATCH_THRESHOLD;

/// An event over all captures.
#[derive(Debug)]
pub(crate) struct ClaimedEvent {
    pub(crate) space: &'static str,
    pub(crate) source_id: String,
    pub(super) names: Vec<String>,
    pub(super) days: Vec<NaiveDate>,
    pub(super) seen: FirstSeen,
}

/// A bout over all captures.
#[derive(Debug)]
pub(crate) struct ClaimedBout {
    pub(crate) event: usize,
    pub(crate) source_id: Option<String>,
    pub(crate) fighters: [(Option<String>, String); 2],
    pub(super) order: Option<i32>,
    pub(crate) is_over: bool,
    /// As the newest capture that states a class or a limit leaves open.
    pub(super) classes: Vec<WeightClass>,
    pub(super) seen: FirstSeen,
    pub(super) last: DateTime<Utc>,
}

impl ScheduleCaptures {
    pub(super) fn claim_event(&mut self, space: &str, source_id: &str, seen: &FirstSeen) -> usize {
        let space = if space == CARDS { CARDS } else { FEED };
        *self.by_event.entry((space, source_id.to_owned())).or_insert_with(|| {
            let (names, days) = Default::default();
            let event =
                ClaimedEvent { space, source_id: source_id.to_owned(), names, days, seen: seen.clone() };
            self.events.push(event);
            self.events.len() - 1
        })
    }

    pub(super) fn claim_bout(
        &mut self,
        event: usize,
        id: Option<&str>,
        fighters: [(Option<&str>, &str); 2],
        seen: &FirstSeen,
    ) -> usize {
        let names = fighters.map(|(_, name)| name.to_owned());
        let key = (event, id.map(str::to_owned), names);
        *self.by_bout.entry(key).or_insert_with(|| {
            self.bouts.push(ClaimedBout {
                event,
                source_id: id.map(str::to_owned),
                fighters: fighters.map(|(id, name)| (id.map(str::to_owned), name.to_owned())),
                order: None,
                is_over: false,
                classes: Vec::new(),
                seen: seen.clone(),
                last: seen.at,
            });
            self.bouts.len() - 1
        })
    }

    /// An id under which other fighters stood before means the pair that had it last: the others are bouts of
    /// their own, known by their names.
    pub(super) fn settle_ids(&mut self) {
        let mut of_id: BTreeMap<(usize, String), Vec<usize>> = BTreeMap::new();
        for (i, bout) in self.bouts.iter().enumerate() {
            if let Some(id) = &bout.source_id {
                of_id.entry((bout.event, id.clone())).or_default().push(i);
            }
        }
        for bouts in of_id.into_values().filter(|bouts| bouts.len() > 1) {
            let Some(newest) = bouts.iter().copied().max_by_key(|i| (self.bouts[*i].last, *i)) else {
                continue;
            };
            for i in bouts {
                if !is_same_pair(&self.bouts[i].fighters, &self.bouts[newest].fighters) {
                    self.bouts[i].source_id = None;
                }
            }
        }
    }
}

type Pair = [(Option<String>, String); 2];

fn is_same_pair(a: &Pair, b: &Pair) -> bool {
    let same = |x: &(Option<String>, String), y: &(Option<String>, String)| match (&x.0, &y.0) {
        (Some(x), Some(y)) => x == y,
        _ => {
            fold_name(&x.1) == fold_name(&y.1)
                || FoldedName::new(&x.1).similarity(&FoldedName::new(&y.1)) >= MATCH_THRESHOLD
        }
    };
    same(&a[0], &b[0]) && same(&a[1], &b[1]) || same(&a[0], &b[1]) && same(&a[1], &b[0])
}
