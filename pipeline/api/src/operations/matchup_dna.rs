//! `GET /v1/mma/matchups/{fighterA}/{fighterB}/dna`

use super::parameters::AS_OF;
use crate::operation::Response;
use crate::{
    CommonBout, Derived, ErrorCode, FighterCompact, Matchup, Operation, OperationId, Origin, Plan,
    PreviousMeeting,
};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::MatchupDna,
    name: "matchup_dna",
    path: "/v1/mma/matchups/{fighterA}/{fighterB}/dna",
    tag: "Matchup DNA",
    summary: "Compare two fighters",
    description: "Differences of published values, and insights that pass every gate.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[AS_OF.declared()],
    example: "as_of=2024-01-01",
    plan: Plan::Ultra,
    origin: Origin::HouseDerived,
    unavailable: ErrorCode::MatchupDnaNotAvailable,
    errors: &[ErrorCode::DnaNotAvailable],
    response: Response::of::<MatchupDna<'_>>("Plain"),
    ..Operation::DEFAULT
};

/// Two fighters beside each other.
#[derive(Debug, JsonSchema, Serialize)]
pub struct MatchupDna<'a> {
    pub a: MatchupSide<'a>,
    pub b: MatchupSide<'a>,
    #[serde(flatten)]
    pub matchup: Matchup<'a>,
    /// Opponents that both met before `as_of`.
    pub common_opponents: Vec<CommonOpponent<'a>>,
    /// Bouts of the two before `as_of`, newest first.
    pub previous_meetings: Vec<PreviousMeeting<'a>>,
}

/// One fighter of a matchup, and the version that is compared.
#[derive(Debug, JsonSchema, Serialize)]
pub struct MatchupSide<'a> {
    pub fighter: FighterCompact<'a>,
    #[serde(flatten)]
    pub version: Derived<'a>,
}

/// Somebody whom both met.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CommonOpponent<'a> {
    pub opponent: FighterCompact<'a>,
    /// Newest first.
    pub a: Vec<CommonBout<'a>>,
    /// Newest first.
    pub b: Vec<CommonBout<'a>>,
}
