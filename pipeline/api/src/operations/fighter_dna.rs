//! `GET /v1/mma/fighters/{id}/dna`

use super::parameters::{AS_OF, FAMILIES, FIELDS, INCLUDE, METRICS};
use crate::operation::Response;
use crate::{Dna, ErrorCode, FighterCompact, Operation, OperationId, Origin, Plan};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterDna,
    name: "fighter_dna",
    path: "/v1/mma/fighters/{id}/dna",
    tag: "Fight DNA",
    summary: "Get a fighter's Fight DNA",
    description: "Every metric of the version that holds on a date.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[
        AS_OF.declared(),
        INCLUDE
            .among(&["provenance"])
            .about("`provenance` adds the bouts that each metric rests on.")
            .declared(),
        FAMILIES.declared(),
        METRICS.declared(),
        FIELDS.declared(),
    ],
    example: "as_of=2024-01-01",
    plan: Plan::Pro,
    origin: Origin::HouseDerived,
    errors: &[ErrorCode::DnaNotAvailable],
    response: Response::of::<FighterDna<'_>>("Plain"),
    ..Operation::DEFAULT
};

/// All metrics of a fighter as of a date.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterDna<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub dna: Dna<'a>,
}
