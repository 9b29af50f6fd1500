//! Claims of a source in its own ids and names: an event, its bouts, two fighters each.
//!
//! Every source that names bouts is told to the [`super::registry::EntityRegistry`] in these terms, the schedule as
//! well as the judges' scores and the late notices.

use chrono::{DateTime, NaiveDate, Utc};
use fdna_model::WeightClass;

/// The capture that first had it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FirstSeen {
    pub(crate) at: DateTime<Utc>,
    pub(crate) capture: String,
}

/// An event as a source has it.
#[derive(Debug, Clone)]
pub(crate) struct EventClaim {
    /// Id space, as `identities` calls the source: `feed`, `cards`, …
    pub(crate) source: &'static str,
    pub(crate) source_id: String,
    /// Newest first; may be empty.
    pub(crate) names: Vec<String>,
    /// Days that the source gave it, newest first; empty where it gives none.
    pub(crate) days: Vec<NaiveDate>,
    pub(crate) bouts: Vec<BoutClaim>,
    pub(crate) seen: FirstSeen,
}

/// A bout of an event.
#[derive(Debug, Clone)]
pub(crate) struct BoutClaim {
    /// The source's id; where it has none, what stands for it, see [`mention_key`].
    pub(crate) source_id: String,
    pub(crate) fighters: [FighterClaim; 2],
    /// 1 is fought first.
    pub(crate) order: Option<i32>,
    /// It was fought: both sources name who was there, not who was to be there.
    pub(crate) is_over: bool,
    /// Classes that it may be of: several where a limit is stated that men and women have; empty where none is.
    pub(crate) classes: Vec<WeightClass>,
    pub(crate) seen: FirstSeen,
}

/// A fighter of a bout.
#[derive(Debug, Clone)]
pub(crate) struct FighterClaim {
    /// The source's id; where it has none, what stands for it, see [`mention_key`].
    pub(crate) source_id: String,
    /// Whether that is an id of the source's own: then no two of them are one person.
    pub(crate) has_id: bool,
    pub(crate) name: String,
    pub(crate) nickname: Option<String>,
    pub(crate) born: Option<NaiveDate>,
    /// His id at the statistics source, where this one states it.
    pub(crate) statsdb_id: Option<String>,
}

/// Between what an event is called and the names.
const MENTION: char = '#';

/// Whether this stands for an id that the source does not give.
pub(crate) fn is_mention(source_id: &str) -> bool {
    source_id.contains(MENTION)
}

/// A key in place of an id where a source has names only: the event and the folded names, in alphabetical order.
pub(crate) fn mention_key(event: &str, names: &[&str]) -> String {
    let mut names: Vec<String> = names.iter().map(|name| fdna_model::fold_name(name)).collect();
    names.sort();
    format!("{event}{MENTION}{}", names.join("+"))
}
