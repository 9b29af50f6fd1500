//! `GET /v1/mma/dna/validity`

use crate::operation::Response;
use crate::{Operation, OperationId, Origin, Plan, Validity};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::DnaValidity,
    name: "dna_validity",
    path: "/v1/mma/dna/validity",
    tag: "Fight DNA",
    summary: "Get the measurements of all metrics",
    description: "How well each predicts bouts after those that it was fitted on.",
    plan: Plan::Pro,
    origin: Origin::HouseDerived,
    response: Response::of::<Validity<'_>>("Plain"),
    ..Operation::DEFAULT
};
