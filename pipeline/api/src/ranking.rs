//! Official rankings on the wire.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{FighterCompact, enums, formats};

/// A fighter's places in the newest snapshot; null where there is no snapshot.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Ranking<'a> {
    #[serde(flatten)]
    pub snapshot: RankingSnapshot<'a>,
    /// Empty where the fighter is not ranked.
    pub positions: Vec<RankingPosition<'a>>,
}

/// `data` of the rankings.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Rankings<'a> {
    #[serde(flatten)]
    pub snapshot: RankingSnapshot<'a>,
    /// By division, then by place.
    pub positions: Vec<RankedPlace<'a>>,
}

/// Which snapshot; all null, and no positions, where none is as old as the asked date.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub struct RankingSnapshot<'a> {
    pub source: Option<&'a str>,
    /// Page that publishes the rankings.
    pub source_url: Option<&'a str>,
    /// `YYYY-MM-DD`.
    #[schemars(with = "Option<formats::Date>")]
    pub snapshot_date: Option<String>,
    /// When the first capture that had it as it stands was made: RFC 3339 with offset.
    #[schemars(with = "Option<formats::Instant>")]
    pub captured_at: Option<String>,
}

/// A place in a division.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RankingPosition<'a> {
    /// A class in upper case, P4P or WOMENS_P4P.
    #[schemars(with = "enums::Division")]
    pub division: &'a str,
    /// As the source writes the division.
    pub label: &'a str,
    pub is_womens: bool,
    /// Pound for pound.
    pub is_p4p: bool,
    /// 0 is the champion's place of a class, also where it is vacant; ranks may be shared.
    pub rank: i32,
    /// False for place 0 while the title is vacant.
    pub is_champion: bool,
    /// Places gained since the snapshot before, negative for lost; null where not in that one.
    pub change: Option<i32>,
    pub is_new: bool,
}

/// A place and who holds it.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RankedPlace<'a> {
    #[serde(flatten)]
    pub position: RankingPosition<'a>,
    /// As the source writes the name.
    pub fighter_name: Option<&'a str>,
    /// Null where the name is tied to nobody or could be several, and for a vacant title, which has no name either.
    pub fighter: Option<FighterCompact<'a>>,
}
