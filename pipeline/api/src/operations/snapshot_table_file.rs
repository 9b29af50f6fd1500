//! `GET /v1/mma/snapshots/{id}/tables/{file}`

use crate::{DataSource, ErrorCode, Operation, OperationId, Origin, Plan};

/// How the file of a table is called after its name.
pub const SUFFIX: &str = ".parquet";

/// What the file is.
pub const CONTENT_TYPE: &str = "application/vnd.apache.parquet";

/// Answered as a file and not in the envelope. A table holds what many operations answer, so that the plan is that of who takes
/// everything.
pub(super) const OPERATION: Operation = Operation {
    id: OperationId::SnapshotTableFile,
    name: "snapshot_table_file",
    path: "/v1/mma/snapshots/{id}/tables/{file}",
    tag: "Data",
    summary: "Download a table",
    description: "The Parquet file of a table, as it was published, which engines read in parts: `Range` takes up to 64 ranges of bytes, \
        `If-Range` and `If-Match` the `ETag`, which is the SHA-256 of the file. It is never compressed on its way. A file that turns out \
        to be damaged on its way ends early: what arrives whole has the digest of `Repr-Digest`. Who reads in parts names the snapshot \
        by its id, since `current` may become another between two of them.",
    path_parameter: "Id of the snapshot, or `current`.",
    plan: Plan::Scale,
    origin: Origin::SourceFact,
    source: DataSource::Lake,
    errors: &[
        ErrorCode::SnapshotNotFound,
        ErrorCode::PreconditionFailed,
        ErrorCode::RangeNotSatisfiable,
        ErrorCode::Busy,
    ],
    ..Operation::DEFAULT
};
