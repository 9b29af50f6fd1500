//! Common parts of the schedule sources: events, bouts and fighters as records, their words, and the
//! facts tables that they become.

mod facts;
mod place;
mod record;
mod table;
mod word;

pub(crate) use facts::ScheduleFacts;
pub(crate) use place::{by_event, name_top_bouts};
pub(crate) use record::{BoutCorner, EventVenue, ScheduledBout, ScheduledEvent, ScheduledFighter};
pub(crate) use table::{push_bout, push_event, push_fighter, push_venue};
pub(crate) use word::{CardPosition, Status, Winner, stands_for_nobody};

/// Ids of the public sports feed, in whatever layout it comes.
pub(crate) const FEED: &str = "feed";
