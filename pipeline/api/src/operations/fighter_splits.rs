//! `GET /v1/mma/fighters/{id}/splits`

use super::parameters::{AS_OF, parameter};
use crate::operation::Response;
use crate::{
    ErrorCode, FighterCompact, Operation, OperationId, Origin, ParameterKind as K, Plan, STANCES, Splits,
    WEIGHT_CLASSES,
};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterSplits,
    name: "fighter_splits",
    path: "/v1/mma/fighters/{id}/splits",
    tag: "Fight DNA",
    summary: "Get a fighter's splits",
    description: "By stance of the opponent, class, length, title and result. A filter names the dimension; several show several; none shows all.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[
        AS_OF,
        parameter(
            "opponent_stance",
            K::Choices { words: STANCES },
            "Splits of this dimension, with these keys.",
        ),
        parameter(
            "weight_class",
            K::Choices { words: WEIGHT_CLASSES },
            "Splits of this dimension, with these keys.",
        ),
        parameter(
            "scheduled_rounds",
            K::Choices { words: &["1", "2", "3", "4", "5"] },
            "Splits of this dimension, with these keys.",
        ),
        parameter(
            "title",
            K::Choices { words: &["title", "no_title"] },
            "Splits of this dimension, with these keys.",
        ),
        parameter(
            "result",
            K::Choices { words: &["win", "loss", "draw", "no_contest"] },
            "Splits of this dimension, with these keys.",
        ),
        parameter("metric", K::Names, "Metrics to show."),
        parameter("family", K::Names, "Families of metrics to show."),
        parameter(
            "distinguishable",
            K::Boolean,
            "Of `true`, only metrics whose difference from the overall value is distinguishable; of `false`, only the others. Splits without any are left out.",
        ),
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
