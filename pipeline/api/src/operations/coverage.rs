//! `GET /v1/mma/coverage`

use crate::operation::Response;
use crate::{Coverage, Operation, OperationId, Origin, Plan};

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
    ..Operation::DEFAULT
};
