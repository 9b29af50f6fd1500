//! The errors of each operation: every status with the codes that can stand in it.

use serde_json::{Map, Value, json};

use super::headers;
use crate::{DataSource, ErrorCode, Operation, OperationId, ParameterKind};

/// Responses of an operation by status.
pub(super) fn responses(operation: &Operation) -> Map<String, Value> {
    by_status(&codes(operation))
}

/// Responses with these codes by status.
pub(super) fn by_status(codes: &[ErrorCode]) -> Map<String, Value> {
    let mut statuses: Vec<u16> = codes.iter().map(|code| code.status()).collect();
    statuses.sort_unstable();
    statuses.dedup();
    let of = |status: u16| {
        let codes: Vec<_> = codes.iter().copied().filter(|code| code.status() == status).collect();
        (status.to_string(), response(status, &codes))
    };
    statuses.into_iter().map(of).collect()
}

/// Codes that a request can be answered with; 405 is for other methods than these, and not among them.
fn codes(operation: &Operation) -> Vec<ErrorCode> {
    use ErrorCode as E;
    let mut codes = vec![
        E::InvalidParameter,
        E::InvalidRequest,
        E::Unauthorized,
        E::PlanRequired,
        E::RateLimited,
        E::QuotaExceeded,
        E::HeadersTooLarge,
        E::Internal,
        E::UpstreamUnavailable,
        E::UriTooLong,
        E::Overloaded,
        E::AccountingNotAvailable,
    ];
    let names_an_entity = operation.path.contains('{')
        || operation
            .parameters()
            .any(|p| p.name.ends_with("_id") && matches!(p.kind, ParameterKind::Text { .. }));
    match operation.id {
        OperationId::Snapshot | OperationId::SnapshotTables => codes.push(E::SnapshotNotFound),
        OperationId::ChangesStream => {}
        _ if names_an_entity => codes.push(E::NotFound),
        _ => {}
    }
    if operation.source == DataSource::Snapshot {
        codes.extend([E::SnapshotNotFound, E::Busy]);
    }
    if operation.source == DataSource::Ledger {
        codes.push(E::LedgerDamaged);
    }
    codes.extend(operation.errors);
    if operation.source != DataSource::Contract {
        codes.extend([E::SnapshotNotAvailable, operation.unavailable]);
    }
    codes.dedup();
    codes
}

fn response(status: u16, codes: &[ErrorCode]) -> Value {
    let names: Vec<_> = codes.iter().map(|code| code.name()).collect();
    let about: Vec<_> = codes.iter().map(|code| format!("`{}`: {}", code.name(), code.meaning())).collect();
    json!({
        "description": about.join("\n\n"),
        "headers": headers::of_error(status),
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}},
        "x-error-codes": names,
    })
}
