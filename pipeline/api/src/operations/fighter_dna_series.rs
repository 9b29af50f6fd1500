//! `GET /v1/mma/fighters/{id}/dna/series`

use super::parameters::{CURSOR, FROM, LIMIT, METRIC, TO};
use crate::operation::Response;
use crate::{DnaSeries, ErrorCode, FighterCompact, Operation, OperationId, Origin, Plan};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterDnaSeries,
    name: "fighter_dna_series",
    path: "/v1/mma/fighters/{id}/dna/series",
    tag: "Fight DNA",
    summary: "Get a metric of a fighter over time",
    description: "Version after version, the oldest first: value, raw value, interval, sample and confidence.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[
        METRIC.declared(),
        FROM.about("First day on which a version begins; not after `to`.").declared(),
        TO.about("Last day on which a version begins; not before `from`.").declared(),
        LIMIT.within((1, 250), 250).declared(),
        CURSOR.declared(),
    ],
    example: "metric=sig_landed_per_min",
    plan: Plan::Pro,
    origin: Origin::HouseDerived,
    errors: &[ErrorCode::DnaNotAvailable],
    response: Response::of::<FighterDnaSeries<'_>>("Page"),
    ..Operation::DEFAULT
};

/// One metric of a fighter, version after version.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterDnaSeries<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub series: DnaSeries<'a>,
}
