//! `GET /v1/mma/snapshots/{id}/tables`

use crate::operation::Response;
use crate::{DataSource, Operation, OperationId, Origin, Plan, PublishedTable};

/// What stands for the id of the snapshot that is served.
pub const CURRENT: &str = "current";

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::SnapshotTables,
    name: "snapshot_tables",
    path: "/v1/mma/snapshots/{id}/tables",
    tag: "Data",
    summary: "List the tables of a snapshot",
    description: "By name, each with its contract: grain, key, and type, unit and meaning of every column. `links.parquet` is the \
        address of its file. Names in an address that says `current` are of the snapshot that is served; their links name it by id.",
    path_parameter: "Id of the snapshot, or `current`.",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    source: DataSource::Lake,
    response: Response::of::<Vec<PublishedTable>>("Count"),
    ..Operation::DEFAULT
};
