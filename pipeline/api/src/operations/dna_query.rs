//! `GET /v1/mma/dna/query`

use super::parameters::{AS_OF, CURSOR, METRIC, limit, parameter};
use crate::operation::Response;
use crate::{
    ErrorCode, FighterCompact, Operation, OperationId, Origin, ParameterKind as K, Plan, QueryItem, STANCES,
    WEIGHT_CLASSES,
};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::DnaQuery,
    name: "dna_query",
    path: "/v1/mma/dna/query",
    tag: "Fight DNA",
    summary: "Find fighters by a metric",
    description: "Fighters active on the asked day, the best first, unless `active` and `sort` say otherwise. Pages go on by `meta.next_cursor`.",
    parameters: &[
        METRIC,
        parameter("min", K::Number, "Smallest number; not above `max`."),
        parameter("max", K::Number, "Largest number; not below `min`."),
        parameter(
            "on",
            K::Choice { words: &["value", "raw", "percentile"], default: "value" },
            "What `min` and `max` bound.",
        ),
        parameter(
            "min_confidence",
            K::Choice { words: &["insufficient", "low", "medium", "high"], default: "low" },
            "Least confidence.",
        ),
        parameter(
            "min_bouts",
            K::Integer { min: 0, max: 1000, default: 0 },
            "Fewest bouts that carry the metric.",
        ),
        parameter("weight_class", K::Choices { words: WEIGHT_CLASSES }, "Fighters of these classes."),
        parameter(
            "sex",
            K::Word { words: &["men", "women"] },
            "Fighters of men's or women's classes; those without a class are of neither.",
        ),
        parameter("stance", K::Word { words: STANCES }, "Fighters of this stance."),
        parameter(
            "active",
            K::Choice { words: &["true", "false", "all"], default: "true" },
            "Whether the fighter is active on the asked day: a bout in the 36 months before; `all` for everybody.",
        ),
        AS_OF,
        parameter(
            "sort",
            K::Word {
                words: &[
                    "value",
                    "-value",
                    "raw",
                    "-raw",
                    "percentile",
                    "-percentile",
                    "interval_low",
                    "-interval_low",
                ],
            },
            "Order; a minus is from the largest. By `raw` the smallest samples lead.",
        ),
        limit(250, 50),
        CURSOR,
    ],
    example: "metric=sig_landed_per_min&min=5&min_confidence=low&limit=50",
    plan: Plan::Pro,
    origin: Origin::HouseDerived,
    unavailable: ErrorCode::DnaQueryNotAvailable,
    response: Response::of::<Vec<QueryMatch<'_>>>("Query"),
    ..Operation::DEFAULT
};

/// One fighter who matches a query.
#[derive(Debug, JsonSchema, Serialize)]
pub struct QueryMatch<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub item: QueryItem<'a>,
}
