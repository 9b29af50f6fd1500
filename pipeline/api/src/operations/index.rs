//! `GET /v1/mma`

use crate::operation::Response;
use crate::{DataSource, Index, Operation, OperationId, Origin, Plan};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Index,
    name: "index",
    path: "/v1/mma",
    tag: "Core",
    summary: "Index",
    description: "What this API is, and where its routes are.",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    source: DataSource::Contract,
    response: Response::of::<Index<'_>>("Plain"),
    ..Operation::DEFAULT
};
