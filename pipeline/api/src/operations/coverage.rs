//! Counts and coverage of a snapshot: `GET /v1/mma/counts` and `GET /v1/mma/coverage`

use crate::operation::Response;
use crate::{Coverage, Operation, OperationId, Origin, Plan, SnapshotCounts};

pub(super) const COUNTS: Operation = Operation {
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

pub(super) const COVERAGE: Operation = Operation {
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
