//! `GET /v1/mma/matchups/{fighterA}/{fighterB}/dna`

use schemars::JsonSchema;
use super::{DEFAULT, AS_OF};
use crate::{CommonBout, Derived, ErrorCode, FighterCompact, Matchup, Operation, OperationId, Origin, Plan, PreviousMeeting};
use crate::operation::Response;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::MatchupDna,
    name: "matchup_dna",
    path: "/v1/mma/matchups/{fighterA}/{fighterB}/dna",
    tag: "Matchup DNA",
    summary: "Compare two fighters",
    description: "Differences of published values, and insights that pass every gate.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[
        AS_OF,
    ],
    example: "as_of=2024-01-01",
    plan: Plan::Ultra,
    origin: Origin::HouseDerived,
    unavailable: ErrorCode::MatchupDnaNotAvailable,
    errors: &[ErrorCode::DnaNotAvailable],
    response: Response::of::<MatchupDna<'_>>("Plain"),
    ..DEFAULT
};

/// Two fighters beside each other.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct MatchupDna<'a> {
    a: MatchupSide<'a>,
    b: MatchupSide<'a>,
    #[schemars(flatten)]
    matchup: Matchup<'a>,
    /// Opponents that both met before `as_of`.
    common_opponents: Vec<CommonOpponent<'a>>,
    /// Bouts of the two before `as_of`, newest first.
    previous_meetings: Vec<PreviousMeeting<'a>>,
}

/// One fighter of a matchup, and the version that is compared.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct MatchupSide<'a> {
    fighter: FighterCompact<'a>,
    #[schemars(flatten)]
    version: Derived<'a>,
}

/// Somebody whom both met.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of JSON that is put together from prebuilt parts")]
pub(super) struct CommonOpponent<'a> {
    opponent: FighterCompact<'a>,
    /// Newest first.
    a: Vec<CommonBout<'a>>,
    /// Newest first.
    b: Vec<CommonBout<'a>>,
}
