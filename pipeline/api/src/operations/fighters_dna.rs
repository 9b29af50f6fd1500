//! `GET /v1/mma/fighters/dna`

use super::fighter_dna::FighterDna;
use super::parameters::{AS_OF, FAMILIES, FIELDS, METRICS, parameter};
use crate::operation::Response;
use crate::{Failure, Id, Operation, OperationId, Origin, ParameterKind as K, Plan};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FightersDna,
    name: "fighters_dna",
    path: "/v1/mma/fighters/dna",
    tag: "Fight DNA",
    summary: "Get the Fight DNA of several fighters",
    description: "Each in the order asked: what it is alone, or the error that says why there is none.",
    parameters: &[
        parameter("ids", K::Ids { max: 25 }, "UUIDs of fighters.").required(),
        AS_OF,
        parameter("include", K::Choices { words: &["provenance"] }, "What to add."),
        FAMILIES,
        METRICS,
        FIELDS,
    ],
    example: "ids={id},{id}&families=striking_offence",
    plan: Plan::Pro,
    origin: Origin::HouseDerived,
    response: Response::of::<Vec<DnaOfOne<'_>>>("Media"),
    ..Operation::DEFAULT
};

/// One of several fighters whose DNA was asked for.
#[derive(Debug, JsonSchema, Serialize)]
pub struct DnaOfOne<'a> {
    pub id: Id,
    /// Null where there is none.
    pub dna: Option<FighterDna<'a>>,
    /// What asking for it alone is refused with; null where there is DNA.
    pub error: Option<Failure>,
}
