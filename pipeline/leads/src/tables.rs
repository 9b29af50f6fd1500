//! The published tables of properties, and their files, which another crate reads.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum_core::body::Body;
use fdna_api::operations::snapshots::CURRENT;
use fdna_api::{Failure, PublishedTable};
use hyper::header::HeaderMap;
use hyper::{Response, StatusCode};
use serde_json::json;
use uuid::Uuid;

use crate::refusal::{Refusal, json_response};

/// The path under which the snapshots of properties are.
pub const SNAPSHOTS: &str = "/v1/properties/snapshots";

/// Method, path and headers of a request.
pub type RequestHead = hyper::http::request::Parts;

/// A file, or parts of it, on its way.
pub type FileResponse = Response<Body>;

/// What a source of tables is waited for.
pub type TableFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, TableRefusal>> + Send + 'a>>;

/// Where the tables of the lake of properties come from.
pub trait TableSource: Debug + Send + Sync {
    /// The tables of a snapshot, by name, with their contracts.
    fn list_tables<'a>(&'a self, snapshot_id: &'a str) -> TableFuture<'a, Vec<PublishedTable>>;

    /// The file of a table, as `head` asks for it, for the account `client`.
    fn send_file<'a>(
        &'a self,
        snapshot: &'a NamedSnapshot,
        file: &'a str,
        client: &'a str,
        head: &'a RequestHead,
    ) -> TableFuture<'a, FileResponse>;
}

/// Why no table is sent, with headers that say more.
#[derive(Debug)]
pub struct TableRefusal {
    pub failure: Failure,
    pub headers: Box<HeaderMap>,
}

/// The snapshot that a path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSnapshot {
    pub id: String,
    /// Whether the path says `current`.
    pub is_current: bool,
}

impl NamedSnapshot {
    /// The snapshot of this segment of a path; `served_id` is the id of the one that is served.
    pub(crate) fn from_segment(
        segment: String,
        served_id: impl FnOnce() -> Result<String, Refusal>,
    ) -> Result<Self, Refusal> {
        let is_current = segment == CURRENT;
        Ok(Self { id: if is_current { served_id()? } else { segment }, is_current })
    }
}

/// The tables of a snapshot as they are answered.
pub(crate) async fn list_tables(
    tables: &Arc<dyn TableSource>,
    snapshot: &NamedSnapshot,
    request_id: Uuid,
) -> Result<Response<Body>, Refusal> {
    let listed = tables.list_tables(&snapshot.id).await?;
    let meta = json!({"total": listed.len(), "snapshot_id": snapshot.id});
    let body = json!({"data": listed, "meta": meta});
    Ok(json_response(StatusCode::OK, body.to_string(), request_id))
}

impl From<TableRefusal> for Refusal {
    fn from(TableRefusal { failure, headers }: TableRefusal) -> Self {
        Self { headers, ..Self::from(failure) }
    }
}
