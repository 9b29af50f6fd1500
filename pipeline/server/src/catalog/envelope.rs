//! The envelope of the catalog: `meta` of a success, and failures in its name.

use axum::body::Body;
use axum::http::Response;
use fdna_api::{CATALOG_API, ErrorCode, Failure};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use crate::respond;

pub(super) fn failed(failure: Failure) -> Response<Body> {
    respond::failure(&failure.by(&CATALOG_API), None)
}

/// `meta` of a success, its id to be filled in: what the page adds stands behind it.
pub(super) fn meta(route: &str, echo: &Value) -> String {
    let echo = echo.to_string();
    let more = if echo == "{}" { "}".to_owned() } else { format!(",{}", &echo[1..]) };
    let (name, version, id) = (CATALOG_API.name, CATALOG_API.version, Uuid::nil());
    format!(r#"{{"api":"{name}","version":"{version}","request_id":"{id}","route":"{route}"{more}"#)
}

pub(super) fn written(data: &impl Serialize) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(data).map_err(|_| fault())
}

pub(super) fn fault() -> Failure {
    Failure::new(ErrorCode::Internal, "answer could not be written").by(&CATALOG_API)
}
