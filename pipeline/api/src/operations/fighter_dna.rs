//! Fight DNA of fighters: `GET /v1/mma/fighters/{id}/dna`, `…/dna/series` and `GET /v1/mma/fighters/dna`.

use super::parameters::{AS_OF, CURSOR, FAMILIES, FIELDS, FROM, INCLUDE, LIMIT, METRIC, METRICS, TO};
use crate::operation::Response;
use crate::param::{Ids, Param};
use crate::{Dna, DnaSeries, ErrorCode, Failure, FighterCompact, Id, Operation, OperationId, Origin, Plan};
use schemars::JsonSchema;
use serde::Serialize;

pub const IDS: Param<Ids> = Param::required_ids("ids", 25, "UUIDs of fighters.");

pub(super) const DNA: Operation = Operation {
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

pub(super) const SERIES: Operation = Operation {
    id: OperationId::FighterDnaSeries,
    name: "fighter_dna_series",
    path: "/v1/mma/fighters/{id}/dna/series",
    summary: "Get a metric of a fighter over time",
    description: "Version after version, the oldest first: value, raw value, interval, sample and confidence.",
    parameters: &[
        METRIC.declared(),
        FROM.about("First day on which a version begins; not after `to`.").declared(),
        TO.about("Last day on which a version begins; not before `from`.").declared(),
        LIMIT.within((1, 250), 250).declared(),
        CURSOR.declared(),
    ],
    example: "metric=sig_landed_per_min",
    response: Response::of::<FighterDnaSeries<'_>>("Page"),
    ..DNA
};

pub(super) const SEVERAL: Operation = Operation {
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

/// All metrics of a fighter as of a date.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterDna<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub dna: Dna<'a>,
}

/// One metric of a fighter, version after version.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterDnaSeries<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub series: DnaSeries<'a>,
}

/// One of several fighters whose DNA was asked for.
#[derive(Debug, JsonSchema, Serialize)]
pub struct DnaOfOne<'a> {
    pub id: Id,
    /// Null where there is none.
    pub dna: Option<FighterDna<'a>>,
    /// What asking for it alone is refused with; null where there is DNA.
    pub error: Option<Failure>,
}
