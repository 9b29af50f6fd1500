//! `GET /v1/mma/bouts/{id}/ledger`

use super::parameters::{AS_OF, AT, CURSOR, KNOWN_AT, LIMIT};
use crate::operation::Response;
use crate::param::{Param, Word};
use crate::{CHECKPOINTS, DataSource, ErrorCode, LedgerRow, Operation, OperationId, Origin, Plan};

pub const CHECKPOINT: Param<Word> = Param::word("checkpoint", CHECKPOINTS, "Rows of this checkpoint.");

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::BoutLedger,
    name: "bout_ledger",
    path: "/v1/mma/bouts/{id}/ledger",
    tag: "Fight Week",
    summary: "List a bout's rows of the ledger",
    description: "Oldest first; of more than `limit` the newest, and older ones by `cursor`.",
    path_parameter: "UUID, statsdb id or feed id of the bout.",
    parameters: &[
        AS_OF.declared(),
        AT.declared(),
        KNOWN_AT.declared(),
        CHECKPOINT.declared(),
        LIMIT.within((1, 1000), 100).declared(),
        CURSOR.declared(),
    ],
    example: "limit=50",
    plan: Plan::Ultra,
    origin: Origin::HouseDerived,
    source: DataSource::Ledger,
    unavailable: ErrorCode::LedgerNotAvailable,
    response: Response::of::<Vec<LedgerRow<'_>>>("Ledger"),
    ..Operation::DEFAULT
};
