//! The fight-week ledger, and what is known of an event's bouts now.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Id, enums, formats};

/// One value for each fighter of a bout.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Sides<T> {
    pub a: T,
    pub b: T,
}

/// When a bout is to begin, as it was known.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema, Serialize)]
pub struct LedgerStart<'a> {
    /// RFC 3339 with offset; null unless the status is `known`.
    #[schemars(with = "Option<formats::Instant>")]
    pub value: Option<String>,
    /// Day of the event, `YYYY-MM-DD`.
    #[schemars(with = "Option<formats::Date>")]
    pub date: Option<String>,
    /// known, date_only where no more than the day is known, or unknown.
    #[schemars(with = "enums::StartStatus")]
    pub status: &'a str,
}

/// A result as it was known.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct LedgerResult<'a> {
    /// pending, reported (the schedule says it is over), official, overturned, or cancelled: the bout was called off.
    #[schemars(with = "enums::LedgerResultStatus")]
    pub status: &'a str,
    /// win, draw or no_contest.
    #[schemars(with = "Option<enums::Outcome>")]
    pub outcome: Option<&'a str>,
    #[schemars(with = "Option<enums::Method>")]
    pub method: Option<&'a str>,
    pub winner_id: Option<Id>,
}

/// What was known of a bout; null is what nobody had told.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct LedgerState<'a> {
    /// announced, scheduled, in_progress, completed, cancelled or postponed.
    #[schemars(with = "enums::Status")]
    pub bout_status: &'a str,
    /// main_event, co_main, main_card, prelims or early_prelims.
    #[schemars(with = "Option<enums::CardPosition>")]
    pub card_position: Option<&'a str>,
    /// Place on the card, 1 first to be fought.
    pub bout_order: Option<i32>,
    /// In upper case.
    #[schemars(with = "Option<enums::BoutClass>")]
    pub weight_class: Option<&'a str>,
    pub scheduled_rounds: Option<i32>,
    pub is_title: Option<bool>,
    pub fighter_a_id: Id,
    pub fighter_b_id: Id,
    /// The bout of the same event that fell through and that this one stands in for.
    pub replaced_bout_id: Option<Id>,
    /// Days from the first list that had the bout to the event, where it replaces another.
    pub short_notice_days: Option<i32>,
    pub has_dna: Sides<bool>,
    /// `YYYY-MM-DD`, from when on the DNA holds that was known.
    #[schemars(with = "Sides<Option<formats::Date>>")]
    pub dna_valid_from: Sides<Option<String>>,
    /// In the bout's class; 0 the champion.
    pub ranking: Sides<Option<i32>>,
    /// Stories that name the bout or one of its fighters, published from 30 days before the start to 7 days
    /// after it; null where no source of stories was captured in those days.
    pub wire_count: Option<i32>,
    pub article_count: Option<i32>,
    pub video_count: Option<i32>,
    pub result: LedgerResult<'a>,
}

/// A source that a state is made of, or that nobody has licensed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerSource {
    /// schedule, statistics, rankings, wire, articles, videos, weigh_in, odds, market or model.
    #[schemars(with = "enums::LedgerSourceName")]
    pub name: String,
    /// available, stale or unavailable.
    #[schemars(with = "enums::LedgerSourceStatus")]
    pub status: String,
    /// overdue, never_captured or no_licensed_source; null where it is available.
    #[schemars(with = "Option<enums::LedgerSourceReason>")]
    pub reason: Option<String>,
    /// RFC 3339: its newest capture.
    #[schemars(with = "Option<formats::Instant>")]
    pub checked_at: Option<String>,
}

/// A value that is another than in the row before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerChange {
    /// Place in the row, RFC 6901.
    pub path: String,
    /// add, remove or replace.
    #[schemars(with = "enums::LedgerOp")]
    pub op: String,
    #[schemars(with = "formats::Cell")]
    pub from: Value,
    #[schemars(with = "formats::Cell")]
    pub to: Value,
    /// source_change, correction or derivation.
    #[schemars(with = "enums::LedgerCause")]
    pub cause: String,
    /// Who told the new value.
    pub source: Option<String>,
}

/// Which moment of a bout's way to its start a row stands for.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema, Serialize)]
pub struct LedgerMoment<'a> {
    /// ANNOUNCED, T-7D to T-1D, T-0, RESULT, RESULT+24H or CORRECTION.
    #[schemars(with = "enums::Checkpoint")]
    pub checkpoint: &'a str,
    /// Of the bout's rows at this checkpoint, from 1.
    pub sequence: i32,
    /// RFC 3339: when it held.
    #[schemars(with = "formats::Instant")]
    pub valid_at: String,
    /// RFC 3339: when it was written down.
    #[schemars(with = "formats::Instant")]
    pub recorded_at: String,
    /// Hours from `valid_at` to the start, or to 00:00 UTC of the day where only that is known.
    pub hours_to_start: Option<f64>,
    pub scheduled_start: LedgerStart<'a>,
}

/// A row of the ledger: what was known of a bout at a checkpoint.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct LedgerRow<'a> {
    pub ledger_id: Id,
    /// By the id that the bout had when the row was written.
    pub bout_id: Id,
    pub event_id: Id,
    #[serde(flatten)]
    pub moment: LedgerMoment<'a>,
    pub state: LedgerState<'a>,
    pub sources: Vec<LedgerSource>,
    /// SHA-256 of the state as the ledger holds it, where instants are written to the millisecond with `Z`.
    #[schemars(with = "formats::Sha256")]
    pub state_digest: &'a str,
    /// `row_digest` of the row before, of whatever bout; empty in the first of all.
    #[schemars(with = "formats::MaybeSha256")]
    pub prev_digest: &'a str,
    /// SHA-256 of the row, `ledger_id` and `recorded_at` aside.
    #[schemars(with = "formats::Sha256")]
    pub row_digest: &'a str,
    /// The row of the same checkpoint that this one takes the place of.
    pub supersedes: Option<Id>,
    /// What differs from the bout's row before; empty in the first.
    pub diff: Vec<LedgerChange>,
    /// The bout's first row.
    pub baseline: bool,
}

/// The verdict of an engine that is not built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
pub struct CardShock {
    pub status: &'static str,
    pub reason: &'static str,
}

impl CardShock {
    /// What is answered until the engine exists.
    pub const NOT_COMPUTED: Self = Self { status: "not_computed", reason: "card_shock_engine_not_built" };
}

/// What is known of a bout now: its newest row of the ledger.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct IntelligenceBout<'a> {
    pub bout_id: Id,
    #[serde(flatten)]
    pub moment: LedgerMoment<'a>,
    #[serde(flatten)]
    pub state: LedgerState<'a>,
    pub sources: Vec<LedgerSource>,
    /// Against the newest row of an earlier checkpoint; empty where there is none.
    pub diff: Vec<LedgerChange>,
    pub card_shock: CardShock,
}
