//! Bouts and their results on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Fighter, Id, PreparedJson, ScheduledStart, enums, formats, prepared};

/// A bout of a card. `fighter_a` is the fighter with the lower id: the order says nothing of the result.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Bout<'a> {
    #[serde(flatten, serialize_with = "prepared::fields")]
    pub facts: PreparedJson<'a, BoutFacts<'a>>,
    pub fighter_a: Fighter<'a>,
    pub fighter_b: Fighter<'a>,
    /// Null while the bout is unfought, or its result is unknown, as `status` says.
    pub result: Option<PreparedJson<'a, BoutResult<'a>>>,
}

/// What a snapshot says of a bout, fighters and result aside.
#[derive(Debug, JsonSchema, Serialize)]
pub struct BoutFacts<'a> {
    pub id: Id,
    pub statsdb_id: Option<&'a str>,
    pub feed_competition_id: Option<&'a str>,
    pub event_id: Id,
    /// Upper case, `WOMENS_` first for women, `CATCH_WEIGHT` and `OPEN_WEIGHT` where it is fought at that; null where no
    /// class is named.
    #[schemars(with = "Option<enums::BoutClass>")]
    pub weight_class: Option<&'a str>,
    /// As written by the source.
    pub weight_class_raw: Option<&'a str>,
    pub is_womens: Option<bool>,
    pub is_title: Option<bool>,
    /// undisputed, interim, superfight, bmf or tournament; null where no title is named. Of these, `bmf` and `tournament`
    /// are no titles of a class, so that `is_title` is false.
    #[schemars(with = "Option<enums::TitleKind>")]
    pub title_kind: Option<&'a str>,
    /// Null where a bout had no time limit, and where no source has it and no rule says it.
    pub scheduled_rounds: Option<i32>,
    /// stated by a source; title_bout or main_event: no source has it, and such bouts of the UFC are over five rounds.
    #[schemars(with = "Option<enums::RoundsRule>")]
    pub scheduled_rounds_rule: Option<&'a str>,
    /// main_event, co_main, main_card, prelims or early_prelims.
    #[schemars(with = "Option<enums::CardPosition>")]
    pub card_position: Option<&'a str>,
    /// The main event has the highest.
    pub bout_order: Option<i32>,
    /// announced, scheduled, in_progress, completed, result_unknown (it is over, and no source has its result),
    /// cancelled or postponed; null where its day is over and no source told what came of it.
    #[schemars(with = "Option<enums::BoutStatus>")]
    pub status: Option<&'a str>,
    pub replaced_bout_id: Option<Id>,
    pub short_notice_days: Option<i32>,
    pub scheduled_start: ScheduledStart<'a>,
}

/// A bout inside another record.
#[derive(Debug, JsonSchema, Serialize)]
pub struct BoutCompact<'a> {
    pub id: Id,
    pub statsdb_id: Option<&'a str>,
    pub feed_competition_id: Option<&'a str>,
    pub event_id: Id,
    #[schemars(with = "Option<enums::BoutClass>")]
    pub weight_class: Option<&'a str>,
    pub is_womens: Option<bool>,
    pub is_title: Option<bool>,
    #[schemars(with = "Option<enums::TitleKind>")]
    pub title_kind: Option<&'a str>,
    pub scheduled_rounds: Option<i32>,
    #[schemars(with = "Option<enums::RoundsRule>")]
    pub scheduled_rounds_rule: Option<&'a str>,
    #[schemars(with = "Option<enums::CardPosition>")]
    pub card_position: Option<&'a str>,
    pub bout_order: Option<i32>,
    #[schemars(with = "Option<enums::BoutStatus>")]
    pub status: Option<&'a str>,
    pub scheduled_start: ScheduledStart<'a>,
}

/// How a bout ended.
#[derive(Debug, JsonSchema, Serialize)]
pub struct BoutResult<'a> {
    /// `final`, or `overturned` where a commission changed the result later.
    #[schemars(with = "enums::ResultStatus")]
    pub status: &'static str,
    /// win, draw or no_contest.
    #[schemars(with = "enums::Outcome")]
    pub outcome: &'a str,
    pub winner_id: Option<Id>,
    /// ko_tko, doctor_stoppage, submission, decision_unanimous, decision_split, decision_majority, decision,
    /// disqualification, could_not_continue, overturned or other.
    #[schemars(with = "enums::Method")]
    pub method: &'a str,
    pub method_detail: Option<&'a str>,
    /// Round in which it ended.
    pub round: Option<i32>,
    /// Clock of that round at the end, `m:ss`.
    #[schemars(with = "Option<formats::Clock>")]
    pub time: Option<String>,
    /// As written by the source.
    pub time_format: Option<&'a str>,
    /// Fought time; null where the time format is not known.
    pub total_seconds: Option<i32>,
    pub referee: Option<&'a str>,
    pub scorecards: Vec<Scorecard<'a>>,
}

/// One judge's totals; null where it is not known whose unequal scores they are, and where only the rounds
/// of a judge are known.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct Scorecard<'a> {
    pub judge: Option<&'a str>,
    pub score_a: Option<i32>,
    pub score_b: Option<i32>,
    /// Round by round; null where no source has them.
    pub rounds: Option<Vec<RoundScore>>,
}

/// What a judge gave in a round.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
pub struct RoundScore {
    pub round: i32,
    pub score_a: Option<i32>,
    pub score_b: Option<i32>,
}

/// What sources say of the circumstances of a bout: on a bout and on its statistics.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub struct Circumstances<'a> {
    /// Null where no source of the judging speaks of the bout.
    pub deductions: Option<Vec<Deduction<'a>>>,
    /// Null where no source gives a weight or a missed limit.
    pub weigh_ins: Option<Vec<WeighIn<'a>>>,
    /// Null where no source names a late replacement.
    pub short_notices: Option<Vec<ShortNotice<'a>>>,
}

/// Points that a referee took.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Deduction<'a> {
    pub fighter_id: Id,
    pub round: i32,
    pub points: i32,
    /// The foul, as written.
    pub reason: Option<&'a str>,
    pub source: &'a str,
}

/// A weight on the scales.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct WeighIn<'a> {
    pub fighter_id: Id,
    /// Pounds.
    pub weight_lbs: Option<f64>,
    /// Null where not stated: sources list those who missed the limit, not those who made it.
    pub is_missed: Option<bool>,
    pub source: &'a str,
}

/// A fighter who stepped in late.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct ShortNotice<'a> {
    pub fighter_id: Id,
    pub notice_days: i32,
    pub source: &'a str,
}
