//! `GET /v1/mma/fighters/{id}/splits`

use super::parameters::AS_OF;
use crate::operation::Response;
use crate::param::{Flag, Param, Text, Words};
use crate::{
    ErrorCode, FighterCompact, Operation, OperationId, Origin, Plan, STANCES, Splits, WEIGHT_CLASSES,
};
use schemars::JsonSchema;
use serde::Serialize;

pub const OPPONENT_STANCE: Param<Words> =
    Param::words("opponent_stance", STANCES, "Splits of this dimension, with these keys.");
pub const WEIGHT_CLASS: Param<Words> =
    Param::words("weight_class", WEIGHT_CLASSES, "Splits of this dimension, with these keys.");
pub const SCHEDULED_ROUNDS: Param<Words> = Param::words(
    "scheduled_rounds",
    &["1", "2", "3", "4", "5"],
    "Splits of this dimension, with these keys.",
);
pub const TITLE: Param<Words> =
    Param::words("title", &["title", "no_title"], "Splits of this dimension, with these keys.");
pub const RESULT: Param<Words> = Param::words(
    "result",
    &["win", "loss", "draw", "no_contest"],
    "Splits of this dimension, with these keys.",
);
pub const METRIC: Param<Text> = Param::names("metric", "Metrics to show.");
pub const FAMILY: Param<Text> = Param::names("family", "Families of metrics to show.");
pub const DISTINGUISHABLE: Param<Flag> = Param::flag(
    "distinguishable",
    "Of `true`, only metrics whose difference from the overall value is distinguishable; of `false`, only the others. Splits without any are left out.",
);

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterSplits,
    name: "fighter_splits",
    path: "/v1/mma/fighters/{id}/splits",
    tag: "Fight DNA",
    summary: "Get a fighter's splits",
    description: "By stance of the opponent, class, length, title and result. A filter names the dimension; several show several; none shows all.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[
        AS_OF.declared(),
        OPPONENT_STANCE.declared(),
        WEIGHT_CLASS.declared(),
        SCHEDULED_ROUNDS.declared(),
        TITLE.declared(),
        RESULT.declared(),
        METRIC.declared(),
        FAMILY.declared(),
        DISTINGUISHABLE.declared(),
    ],
    example: "opponent_stance=SOUTHPAW",
    plan: Plan::Pro,
    origin: Origin::HouseDerived,
    unavailable: ErrorCode::SplitsNotAvailable,
    errors: &[ErrorCode::DnaNotAvailable],
    response: Response::of::<FighterSplits<'_>>("Plain"),
    ..Operation::DEFAULT
};

/// A fighter in bouts of one kind, as of a date.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterSplits<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub splits: Splits<'a>,
}
