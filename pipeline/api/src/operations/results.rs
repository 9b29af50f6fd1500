//! `GET /v1/mma/results`

use super::parameters::{CURSOR, EVENT, FIGHTER, FROM, LIMIT, OFFSET, PROMOTION, TO};
use crate::operation::Response;
use crate::param::{Param, Word};
use crate::{
    BOUT_CLASSES, BoutCompact, BoutResult, EventCompact, FighterCompact, METHODS, Operation, OperationId,
    Origin, Plan, PreparedJson,
};
use schemars::JsonSchema;
use serde::Serialize;

pub const METHOD: Param<Word> = Param::word("method", METHODS, "Results of this method.");
pub const WEIGHT_CLASS: Param<Word> = Param::word("weight_class", BOUT_CLASSES, "Bouts of this class.");

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Results,
    name: "results",
    path: "/v1/mma/results",
    tag: "Core",
    summary: "List results",
    description: "Newest first; dates are inclusive.",
    parameters: &[
        FROM.declared(),
        TO.declared(),
        EVENT.declared(),
        FIGHTER.declared(),
        METHOD.declared(),
        WEIGHT_CLASS.declared(),
        PROMOTION.about("Bouts at events of this promotion.").declared(),
        LIMIT.within((1, 250), 50).declared(),
        OFFSET.declared(),
        CURSOR.declared(),
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
