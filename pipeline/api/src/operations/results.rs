//! `GET /v1/mma/results`

use super::parameters::{CURSOR, EVENT, FIGHTER, FROM, OFFSET, PROMOTION, TO, limit, parameter};
use crate::operation::Response;
use crate::{
    BOUT_CLASSES, BoutCompact, BoutResult, EventCompact, FighterCompact, METHODS, Operation, OperationId,
    Origin, ParameterKind as K, Plan, PreparedJson,
};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Results,
    name: "results",
    path: "/v1/mma/results",
    tag: "Core",
    summary: "List results",
    description: "Newest first; dates are inclusive.",
    parameters: &[
        FROM,
        TO,
        EVENT,
        FIGHTER,
        parameter("method", K::Word { words: METHODS }, "Results of this method."),
        parameter("weight_class", K::Word { words: BOUT_CLASSES }, "Bouts of this class."),
        PROMOTION.about("Bouts at events of this promotion."),
        limit(250, 50),
        OFFSET,
        CURSOR,
    ],
    example: "from=2024-01-01&limit=50",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Vec<BoutWithParties<'_>>>("Page"),
    ..Operation::DEFAULT
};

/// A bout in short with its event, fighters and result.
#[derive(Debug, JsonSchema, Serialize)]
pub struct BoutWithParties<'a> {
    pub bout: PreparedJson<'a, BoutCompact<'a>>,
    pub event: PreparedJson<'a, EventCompact<'a>>,
    pub fighter_a: FighterCompact<'a>,
    pub fighter_b: FighterCompact<'a>,
    /// Null while there is none.
    pub result: Option<PreparedJson<'a, BoutResult<'a>>>,
}
