//! The field's terms as types: ids, classes, time formats, outcomes, counts, facts and findings.
//!
//! No I/O, no data frames, no clock. Everything that later stages compute stands on these types.
//!
//! ```
//! use fdna_model::{TimeFormat, fold_name};
//!
//! assert_eq!(fold_name("Waldo Cortes-Acosta"), fold_name("Waldo Cortes Acosta"));
//! let format = TimeFormat::parse("5 Rnd (5-5-5-5-5)").expect("a format of the source");
//! // Stopped at 1:05 of the second round: 365 seconds were fought.
//! assert_eq!(format.total_secs(2, 65), Some(365));
//! ```

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
