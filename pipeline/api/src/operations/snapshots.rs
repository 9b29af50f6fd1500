//! `GET /v1/mma/snapshots`

use super::parameters::{CURSOR, OFFSET, limit};
use crate::operation::Response;
use crate::{DataSource, Operation, OperationId, Origin, Plan, Snapshot};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Snapshots,
    name: "snapshots",
    path: "/v1/mma/snapshots",
    tag: "Data",
    summary: "List snapshots",
    description: "Published ones, newest first.",
    parameters: &[limit(100, 20), OFFSET, CURSOR],
    example: "limit=20",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    source: DataSource::Lake,
    response: Response::of::<Vec<Snapshot>>("Page"),
    ..Operation::DEFAULT
};
