//! The field's terms as types: ids, classes, time formats, outcomes, counts, facts and findings.
//!
//! No I/O, no data frames, no clock. Everything that later stages compute stands on these types.

mod count;
mod facts;
mod finding;
mod id;
mod outcome;
mod slug;
mod stance;
mod time_format;
mod weight_class;

pub use count::{Count, RoundCounts};
pub use facts::{BoutFact, FIRST_ELIGIBLE, Facts, FactsAsOf, RoundFact, Side};
pub use finding::{Finding, FindingKind, Severity};
pub use id::{BoutId, EventId, FighterId, Kind, address_id, entity_id};
pub use outcome::{Method, Outcome};
pub use slug::{fold_name, slug_id};
pub use stance::Stance;
pub use time_format::TimeFormat;
pub use weight_class::{OtherWeight, TitleKind, WeightClass, WeightText};
