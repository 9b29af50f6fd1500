//! `GET /v1/mma/fighters/dna`

use super::fighter_dna::FighterDna;
use super::parameters::{AS_OF, FAMILIES, FIELDS, INCLUDE, METRICS};
use crate::operation::Response;
use crate::param::{Ids, Param};
use crate::{Failure, Id, Operation, OperationId, Origin, Plan};
use schemars::JsonSchema;
use serde::Serialize;

pub const IDS: Param<Ids> = Param::required_ids("ids", 25, "UUIDs of fighters.");

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FightersDna,
    name: "fighters_dna",
    path: "/v1/mma/fighters/dna",
    tag: "Fight DNA",
    summary: "Get the Fight DNA of several fighters",
    description: "Each in the order asked: what it is alone, or the error that says why there is none.",
    parameters: &[
        IDS.declared(),
        AS_OF.declared(),
        INCLUDE.among(&["provenance"]).declared(),
        FAMILIES.declared(),
        METRICS.declared(),
        FIELDS.declared(),
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
