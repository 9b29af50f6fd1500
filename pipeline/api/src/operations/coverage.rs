//! `GET /v1/mma/coverage`

use super::DEFAULT;
use crate::{Coverage, Operation, OperationId, Origin, Plan};
use crate::operation::Response;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Coverage,
    name: "coverage",
    path: "/v1/mma/coverage",
    tag: "Data",
    summary: "Get the coverage",
    description: "Sources, years and fields: what of them is known.",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Coverage<'_>>("Plain"),
    ..DEFAULT
};
