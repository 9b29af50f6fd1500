//! History of the statements about events and bouts: everything that a state at any time is made of.

mod aliases;
mod captures;
mod items;
mod read;
pub(crate) mod statements;

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use uuid::Uuid;

use crate::{StateField, WINDOW};

pub use aliases::IdAliases;
pub use captures::{CaptureHistory, CaptureTime};
pub use items::{MediaItem, MediaItems};
pub use read::ReadError;
pub use statements::{STATISTICS, SourceStatement, SourceStatements};

/// A bout over all captures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BoutHistory {
    pub event: Uuid,
    /// The lower id first.
    pub fighters: [Uuid; 2],
    pub tellings: SourceStatements,
}

/// An event over all captures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EventHistory {
    pub tellings: SourceStatements,
    /// Its day as the statistics source has it, which counts from its first result on.
    pub fought_on: Option<NaiveDate>,
    /// When the first capture had a result of it.
    pub results_since: Option<DateTime<Utc>>,
}

impl EventHistory {
    fn last_day(&self) -> Option<NaiveDate> {
        let dates = self.tellings.all_values(StateField::StartDate).filter_map(crate::StateValue::as_date);
        let starts = self.tellings.all_values(StateField::StartAt).filter_map(crate::StateValue::as_instant);
        dates.chain(starts.map(|at| at.date_naive())).chain(self.fought_on).max()
    }
}

/// A DNA version that a fighter has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DnaVersion {
    /// The first day on which it holds.
    pub valid_from: NaiveDate,
    /// When the first capture had the bout that made it.
    pub known_since: DateTime<Utc>,
}

/// A list of official ranks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RankingList {
    pub on: NaiveDate,
    pub known_since: DateTime<Utc>,
    /// By fighter and division; 0 the champion.
    pub ranks: BTreeMap<(Uuid, String), i32>,
}

/// All that the captures of a lake tell, ordered by when they told it. What was known at a time is cut from it, so
/// that a later capture never changes an earlier state.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LedgerHistory {
    pub captures: CaptureHistory,
    pub events: BTreeMap<Uuid, EventHistory>,
    pub bouts: BTreeMap<Uuid, BoutHistory>,
    /// By fighter, in any order.
    pub dna: BTreeMap<Uuid, Vec<DnaVersion>>,
    /// By day.
    pub rankings: Vec<RankingList>,
    pub wire: MediaItems,
    pub articles: MediaItems,
    pub videos: MediaItems,
    pub aliases: IdAliases,
    by_event: BTreeMap<Uuid, Vec<Uuid>>,
    /// By event: the last day on which it was ever to be.
    last_day: BTreeMap<Uuid, NaiveDate>,
}

impl LedgerHistory {
    /// Puts the bouts under their events. To be called when all bouts are there.
    #[must_use]
    pub fn index_events(mut self) -> Self {
        self.by_event.clear();
        for (id, bout) in &self.bouts {
            self.by_event.entry(bout.event).or_default().push(*id);
        }
        self.last_day = self.events.iter().filter_map(|(id, event)| Some((*id, event.last_day()?))).collect();
        self.rankings.sort_by_key(|list| (list.on, list.known_since));
        self
    }

    /// The bouts of each event, in the order of ids, and whether the event is to come or was within the window. What
    /// is known later is looked at too, so that none is far of which [`Self::known_state`] would say that it is near; it
    /// only spares looking at all bouts of the past.
    pub(crate) fn event_cards(&self, now: DateTime<Utc>) -> impl Iterator<Item = (bool, &[Uuid])> {
        let is_near = move |event| {
            let day = self.last_day.get(event);
            day.is_some_and(|day| now.date_naive() - *day <= WINDOW + TimeDelta::days(2))
        };
        self.by_event.iter().map(move |(event, bouts)| (is_near(event), bouts.as_slice()))
    }

    pub(crate) fn bouts_of(&self, event: Uuid) -> impl Iterator<Item = (Uuid, &BoutHistory)> {
        let ids = self.by_event.get(&event).into_iter().flatten();
        ids.filter_map(|id| Some((*id, self.bouts.get(id)?)))
    }
}
