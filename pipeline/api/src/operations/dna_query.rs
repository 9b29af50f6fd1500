//! `GET /v1/mma/dna/query`

use super::parameters::{AS_OF, CURSOR, LIMIT, METRIC};
use crate::operation::Response;
use crate::param::{Choice, Decimal, Integer, Param, Word, Words};
use crate::{
    ErrorCode, FighterCompact, Operation, OperationId, Origin, Plan, QueryItem, STANCES, WEIGHT_CLASSES,
};
use schemars::JsonSchema;
use serde::Serialize;

pub const MIN: Param<Decimal> = Param::decimal("min", "Smallest number; not above `max`.");
pub const MAX: Param<Decimal> = Param::decimal("max", "Largest number; not below `min`.");
pub const ON: Param<Choice> =
    Param::choice("on", &["value", "raw", "percentile"], "value", "What `min` and `max` bound.");
pub const MIN_CONFIDENCE: Param<Choice> =
    Param::choice("min_confidence", &["insufficient", "low", "medium", "high"], "low", "Least confidence.");
pub const MIN_BOUTS: Param<Integer> =
    Param::integer("min_bouts", (0, 1000), 0, "Fewest bouts that carry the metric.");
pub const WEIGHT_CLASS: Param<Words> =
    Param::words("weight_class", WEIGHT_CLASSES, "Fighters of these classes.");
pub const SEX: Param<Word> = Param::word(
    "sex",
    &["men", "women"],
    "Fighters of men's or women's classes; those without a class are of neither.",
);
pub const STANCE: Param<Word> = Param::word("stance", STANCES, "Fighters of this stance.");
pub const ACTIVE: Param<Choice> = Param::choice(
    "active",
    &["true", "false", "all"],
    "true",
    "Whether the fighter is active on the asked day: a bout in the 36 months before; `all` for everybody.",
);
pub const SORT: Param<Word> = Param::word(
    "sort",
    &["value", "-value", "raw", "-raw", "percentile", "-percentile", "interval_low", "-interval_low"],
    "Order; a minus is from the largest. By `raw` the smallest samples lead.",
);

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::DnaQuery,
    name: "dna_query",
    path: "/v1/mma/dna/query",
    tag: "Fight DNA",
    summary: "Find fighters by a metric",
    description: "Fighters active on the asked day, the best first, unless `active` and `sort` say otherwise. Pages go on by `meta.next_cursor`.",
    parameters: &[
        METRIC.declared(),
        MIN.declared(),
        MAX.declared(),
        ON.declared(),
        MIN_CONFIDENCE.declared(),
        MIN_BOUTS.declared(),
        WEIGHT_CLASS.declared(),
        SEX.declared(),
        STANCE.declared(),
        ACTIVE.declared(),
        AS_OF.declared(),
        SORT.declared(),
        LIMIT.within((1, 250), 50).declared(),
        CURSOR.declared(),
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
