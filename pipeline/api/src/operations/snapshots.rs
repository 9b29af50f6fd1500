//! Published snapshots: `GET /v1/mma/snapshots`, `…/{id}`, `…/{id}/tables`, `…/{id}/tables/{file}` and
//! `…/{id}/tables/{table}/explain`.

use super::parameters::{CURSOR, LIMIT, OFFSET};
use crate::operation::Response;
use crate::param::{Param, RequiredText, Text};
use crate::{
    DataSource, ErrorCode, Operation, OperationId, Origin, Plan, PublishedTable, RowExplanation, Snapshot,
    SnapshotManifest,
};

/// What stands for the id of the snapshot that is served.
pub const CURRENT: &str = "current";

/// How the file of a table is called after its name.
pub const SUFFIX: &str = ".parquet";

/// The same of its rows as text.
pub const CSV_SUFFIX: &str = ".csv";

/// What the file is.
pub const CONTENT_TYPE: &str = "application/vnd.apache.parquet";

/// The same of its rows as text.
pub const CSV_CONTENT_TYPE: &str = "text/csv; charset=utf-8; header=present";

const BASE: Operation = Operation {
    tag: "Data",
    path_parameter: "Id of the snapshot, or `current`.",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    source: DataSource::Lake,
    ..Operation::DEFAULT
};

pub(super) const SNAPSHOTS: Operation = Operation {
    id: OperationId::Snapshots,
    name: "snapshots",
    path: "/v1/mma/snapshots",
    summary: "List snapshots",
    description: "Published ones, newest first.",
    path_parameter: "",
    parameters: &[LIMIT.within((1, 100), 20).declared(), OFFSET.declared(), CURSOR.declared()],
    example: "limit=20",
    response: Response::of::<Vec<Snapshot>>("Page"),
    ..BASE
};

pub(super) const SNAPSHOT: Operation = Operation {
    id: OperationId::Snapshot,
    name: "snapshot",
    path: "/v1/mma/snapshots/{id}",
    summary: "Get a snapshot",
    description: "What it was made of, and its tables.",
    path_parameter: "Id of the snapshot.",
    response: Response::of::<SnapshotManifest>("Plain"),
    ..BASE
};

/// The list of a snapshot's tables.
pub const TABLES: Operation = Operation {
    id: OperationId::SnapshotTables,
    name: "snapshot_tables",
    path: "/v1/mma/snapshots/{id}/tables",
    summary: "List the tables of a snapshot",
    description: "By name, each with its contract: grain, key, and type, unit and meaning of every column. `links.parquet` and `links.csv` are \
        addresses of its rows. Names in an address that says `current` are of the snapshot that is served; their links name it by id.",
    response: Response::of::<Vec<PublishedTable>>("Count"),
    ..BASE
};

/// Answered as a file and not in the envelope. A table holds what many operations answer, so that the plan is that of who takes
/// everything.
pub const TABLE_FILE: Operation = Operation {
    id: OperationId::SnapshotTableFile,
    name: "snapshot_table_file",
    path: "/v1/mma/snapshots/{id}/tables/{file}",
    summary: "Download a table",
    description: "The Parquet file of a table, as it was published, which engines read in parts: `Range` takes up to 64 ranges of bytes, \
        `If-Range` and `If-Match` the `ETag`, which is the SHA-256 of the file. It is never compressed on its way. A file that turns out \
        to be damaged on its way ends early: what arrives whole has the digest of `Repr-Digest`. Who reads in parts names the snapshot \
        by its id, since `current` may become another between two of them. `{table}.csv` has the same rows as text, whole and \
        without a length: a line of the columns' names, then null as an empty field, instants in RFC 3339 and days as `YYYY-MM-DD`; of \
        tables of up to 10,000,000 cells.",
    plan: Plan::Scale,
    errors: &[
        ErrorCode::SnapshotNotFound,
        ErrorCode::PreconditionFailed,
        ErrorCode::RangeNotSatisfiable,
        ErrorCode::Busy,
    ],
    ..BASE
};

pub const KEY: Param<RequiredText> = Param::required_text(
    "key",
    400,
    "The row: `bout_id=…,round=1`, or the values of its key in their order. For a fighter also a name, an id of a source or a `slug_id`; \
     of versions without a number the newest.",
);
pub const COLUMN: Param<Text> = Param::text(
    "column",
    100,
    "A column of the table, or of `dna_versions` a metric; without, the whole row.",
);

/// Read from the captures and logs of the lake, and so with the plan of who takes whole tables.
pub const EXPLAIN_ROW: Operation = Operation {
    id: OperationId::ExplainRow,
    name: "explain_row",
    path: "/v1/mma/snapshots/{id}/tables/{table}/explain",
    summary: "Explain a row of a table",
    description: "From a published value to the captures, files and lines that state it, to what it was before and what became of it, and why \
        records of sources are one entity or were kept apart. A key that several rows have is 404 with their keys. One is made at a time.",
    parameters: &[KEY.declared(), COLUMN.declared()],
    example: "key=Islam%20Makhachev&column=weight_lbs",
    plan: Plan::Scale,
    errors: &[ErrorCode::SnapshotNotFound, ErrorCode::Busy],
    response: Response::of::<RowExplanation>("Plain"),
    ..BASE
};
