//! `GET /v1/mma/snapshots/{id}`

use crate::operation::Response;
use crate::{DataSource, Operation, OperationId, Origin, Plan, SnapshotManifest};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Snapshot,
    name: "snapshot",
    path: "/v1/mma/snapshots/{id}",
    tag: "Data",
    summary: "Get a snapshot",
    description: "What it was made of, and its tables.",
    path_parameter: "Id of the snapshot.",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    source: DataSource::Lake,
    response: Response::of::<SnapshotManifest>("Plain"),
    ..Operation::DEFAULT
};
