//! `GET /v1/mma/fighters/{id}/dna`

use super::parameters::{AS_OF, FAMILIES, FIELDS, METRICS, parameter};
use crate::operation::Response;
use crate::{Dna, ErrorCode, FighterCompact, Operation, OperationId, Origin, ParameterKind as K, Plan};
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
        AS_OF,
        parameter(
            "include",
            K::Choices { words: &["provenance"] },
            "`provenance` adds the bouts that each metric rests on.",
        ),
        FAMILIES,
        METRICS,
        FIELDS,
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
