//! `/healthz` and `/readyz`, outside the contract's envelope.

use axum::body::Body;
use axum::http::{Response, StatusCode};
use serde_json::json;

use crate::respond;
use crate::serving_state::ServingState;
use fdna_view::Dataset;

/// The process answers.
pub(crate) fn healthz() -> Response<Body> {
    respond::plain(StatusCode::OK, &json!({"status": "ok"}))
}

/// Whether data can be served: 200 with `ready`, 200 with `degraded` while an older snapshot is served
/// because the current one cannot be loaded (`problem` says why), 503 with `unavailable` without any, or while a file of it is
/// damaged. Until the first
/// snapshot `is_complete`, questions for Fight DNA and searches wait for what they are answered from.
/// `damaged_snapshots` are others that were published and cannot be used. Strangers are told the word alone.
pub(crate) fn readyz(served: &ServingState, is_stranger: bool) -> Response<Body> {
    let (dataset, problem) = (served.dataset(), served.problem());
    let (code, status) = match (&dataset, &problem) {
        (None, _) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        _ if served.is_damaged() => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        (Some(_), Some(_)) => (StatusCode::OK, "degraded"),
        (Some(_), None) => (StatusCode::OK, "ready"),
    };
    if is_stranger {
        return respond::plain(code, &json!({"status": status}));
    }
    let info = dataset.as_deref().map(|d| &d.info);
    let body = json!({
        "status": status,
        "snapshot_id": info.map(|i| i.id.as_str()),
        "facts_until": info.and_then(|i| i.facts_until).map(|d| d.to_string()),
        "synthetic": info.map(|i| i.synthetic),
        "is_complete": dataset.as_deref().is_some_and(Dataset::is_complete),
        "problem": problem,
        "damaged_snapshots": served.pins().damaged(),
    });
    respond::plain(code, &body)
}
