//! Records of a fighter on the wire: the one that is true on a day, the one that a source states, and the one that we
//! count.

use schemars::JsonSchema;
use serde::Serialize;

use crate::stats::CareerSnapshot;
use crate::{Id, enums, formats};

/// `data` of a fighter's record, behind the fighter.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterRecord<'a> {
    /// The asked date: a bout or a statement of that day is the future. Null where none was asked.
    #[schemars(with = "Option<formats::Date>")]
    pub as_of: Option<String>,
    /// The record that is true on the day; null where no source states one to reckon from.
    pub record: Option<CurrentRecord<'a>>,
    /// The counted bouts by promotion, that with most bouts first.
    pub by_promotion: Vec<PromotionRecord<'a>>,
    /// The newest record that a source states; null where none does.
    pub record_stated: Option<StatedRecord<'a>>,
    pub record_counted: CountedRecord<'a>,
    pub career_snapshot: CareerSnapshot<'a>,
}

/// The record of all promotions on a day: the one that a source states nearest before it, with the bouts that we hold since
/// added. Where none was stated before, the first after it, with the bouts that we hold between taken off. A bout that we do
/// not hold is missing in the first, and still in the second. A record that was stated on the day of a bout is passed over.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CurrentRecord<'a> {
    pub wins: i32,
    pub losses: i32,
    pub draws: i32,
    /// Null where the source states none.
    pub no_contests: Option<i32>,
    pub source: &'a str,
    /// Day of the stated record that it is reckoned from.
    #[schemars(with = "formats::Date")]
    pub stated_on: String,
    /// Bouts that were added to it; negative where they were taken off.
    pub bouts_since: i32,
    /// Those of them whose result is not known, so that no number has changed by them.
    pub unknown: u32,
}

/// Fought bouts of one promotion that this snapshot holds.
#[derive(Debug, JsonSchema, Serialize)]
pub struct PromotionRecord<'a> {
    /// Null for events whose promotion is not known.
    #[schemars(with = "Option<enums::Promotion>")]
    pub promotion: Option<&'a str>,
    #[serde(flatten)]
    pub counts: RecordCounts,
}

/// Fought bouts by how they ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct RecordCounts {
    /// Fought bouts: wins, losses, draws, no contests and unknown results together.
    pub bouts: usize,
    pub wins: usize,
    pub losses: usize,
    pub draws: usize,
    /// Overturned results among them.
    pub no_contests: usize,
    /// Fought bouts whose result no source has.
    pub unknown: usize,
}

/// A record as a source states it: all promotions, whether we hold the bouts or not.
#[derive(Debug, JsonSchema, Serialize)]
pub struct StatedRecord<'a> {
    pub wins: i32,
    pub losses: i32,
    pub draws: i32,
    pub no_contests: Option<i32>,
    pub source: &'a str,
    /// Day on which it was stated; it may include bouts of that day.
    #[schemars(with = "formats::Date")]
    pub date: String,
}

/// A record counted from the bouts that this snapshot holds.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CountedRecord<'a> {
    pub scope: RecordScope,
    #[serde(flatten)]
    pub counts: RecordCounts,
    /// Null without a bout that counts for one, or where the newest such bout has no known result.
    pub streak: Option<Streak>,
    /// The latest five bouts, newest first.
    pub last_five: Vec<LatestBout<'a>>,
}

/// Which bouts are counted.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RecordScope {
    /// all_held: every bout of every promotion that this snapshot holds, which need not be all that were fought.
    #[schemars(with = "enums::RecordBouts")]
    pub bouts: &'static str,
    /// Date of the first; null without one.
    #[schemars(with = "Option<formats::Date>")]
    pub from: Option<String>,
    /// Date of the last; null without one.
    #[schemars(with = "Option<formats::Date>")]
    pub to: Option<String>,
}

/// Equal outcomes in a row, up to the newest bout. No contests are passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Streak {
    /// win, loss or draw.
    #[schemars(with = "enums::StreakKind")]
    pub kind: &'static str,
    pub length: usize,
    /// Whether the bout before it has no known result, so that it may be longer.
    pub is_at_least: bool,
}

/// One of the latest bouts.
#[derive(Debug, JsonSchema, Serialize)]
pub struct LatestBout<'a> {
    pub bout_id: Id,
    pub event_id: Id,
    #[schemars(with = "formats::Date")]
    pub date: String,
    pub opponent_id: Id,
    pub opponent_name: &'a str,
    /// Null where the result is not known.
    #[schemars(with = "Option<enums::SideOutcome>")]
    pub outcome: Option<&'static str>,
}
