//! `GET /v1/mma/snapshots`

use super::parameters::{CURSOR, LIMIT, OFFSET};
use crate::operation::Response;
use crate::{DataSource, Operation, OperationId, Origin, Plan, Snapshot};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Snapshots,
    name: "snapshots",
    path: "/v1/mma/snapshots",
    tag: "Data",
    summary: "List snapshots",
    description: "Published ones, newest first.",
    parameters: &[LIMIT.within((1, 100), 20).declared(), OFFSET.declared(), CURSOR.declared()],
    example: "limit=20",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    source: DataSource::Lake,
    response: Response::of::<Vec<Snapshot>>("Page"),
    ..Operation::DEFAULT
};
