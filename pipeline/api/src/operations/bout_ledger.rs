//! `GET /v1/mma/bouts/{id}/ledger`

use super::parameters::{AS_OF, AT, CURSOR, KNOWN_AT, limit, parameter};
use crate::operation::Response;
use crate::{
    CHECKPOINTS, DataSource, ErrorCode, LedgerRow, Operation, OperationId, Origin, ParameterKind as K, Plan,
};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::BoutLedger,
    name: "bout_ledger",
    path: "/v1/mma/bouts/{id}/ledger",
    tag: "Fight Week",
    summary: "List a bout's rows of the ledger",
    description: "Oldest first; of more than `limit` the newest, and older ones by `cursor`.",
    path_parameter: "UUID, statsdb id or feed id of the bout.",
    parameters: &[
        AS_OF,
        AT,
        KNOWN_AT,
        parameter("checkpoint", K::Word { words: CHECKPOINTS }, "Rows of this checkpoint."),
        limit(1000, 100),
        CURSOR,
    ],
    example: "limit=50",
    plan: Plan::Ultra,
    origin: Origin::HouseDerived,
    source: DataSource::Ledger,
    unavailable: ErrorCode::LedgerNotAvailable,
    response: Response::of::<Vec<LedgerRow<'_>>>("Ledger"),
    ..Operation::DEFAULT
};
