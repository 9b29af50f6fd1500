//! `GET /v1/mma/fighters/{id}/record`

use super::parameters::AS_OF;
use crate::operation::Response;
use crate::{FighterCompact, FighterRecord, Operation, OperationId, Origin, Plan};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterRecord,
    name: "fighter_record",
    path: "/v1/mma/fighters/{id}/record",
    tag: "Core",
    summary: "Get a fighter's record",
    description: "The record that a source states, with its day, and the record counted from the bouts that are held: both as of a date, neither in place of the other.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[AS_OF.declared()],
    example: "as_of=2024-01-01",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<RecordOfFighter<'_>>("Plain"),
    ..Operation::DEFAULT
};

/// A fighter's record: as a source states it, and as we count it.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RecordOfFighter<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub record: FighterRecord<'a>,
}
