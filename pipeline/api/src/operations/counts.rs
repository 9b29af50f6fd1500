//! `GET /v1/mma/counts`

use crate::operation::Response;
use crate::{Operation, OperationId, Origin, Plan, SnapshotCounts};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Counts,
    name: "counts",
    path: "/v1/mma/counts",
    tag: "Core",
    summary: "Count what is held",
    description: "Rows of each table, first and last date, and round statistics by year.",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<SnapshotCounts<'_>>("Plain"),
    ..Operation::DEFAULT
};
