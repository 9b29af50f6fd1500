//! The operations of an API asked within the process, for pages beside it: the same routes, cache and errors.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{Request, Response, StatusCode};
use chrono::{DateTime, Utc};
use fdna_api::operations::snapshots::CURRENT;
use fdna_catalog::RouteCatalog;
use fdna_view::{Dataset, Ledger, SnapshotInfo};
use tokio::net::TcpListener;
use tower::ServiceExt as _;

use crate::catalog::{ServedCatalog, catalog_operations};
use crate::client::ClientId;
use crate::router::operations;
use crate::serving_state::ServingState;
use crate::snapshots::named_id;
use crate::table_response::{DownloadRefusal, FileAddress};

/// Asks the operations of what is served. It needs no key and is within no limit: what asks has its own.
#[derive(Debug, Clone)]
pub struct LocalApi {
    served: Arc<ServingState>,
    /// Where that is the multi-sport catalog.
    catalog: Option<Arc<ServedCatalog>>,
    operations: Router,
}

/// Pages beside the API, on an address of their own and under the same limits, certificate and access log.
pub struct Pages {
    pub listener: TcpListener,
    /// Names of their routes for the access log, by the [`fdna_http::OperationSlot`] of a response.
    pub names: Vec<&'static str>,
    /// Makes them of the operations.
    pub router: fn(LocalApi) -> Router,
}

impl LocalApi {
    /// The operations of what is served.
    #[must_use]
    pub fn new(served: Arc<ServingState>) -> Self {
        let operations = operations(&served);
        Self { served, catalog: None, operations }
    }

    /// The routes of the catalog that is served.
    pub(crate) fn of_catalog(served: Arc<ServingState>, catalog: Arc<ServedCatalog>) -> Self {
        let operations = catalog_operations(Arc::clone(&served), Arc::clone(&catalog));
        Self { served, catalog: Some(catalog), operations }
    }

    /// The routes, where the multi-sport catalog is served.
    #[must_use]
    pub fn routes(&self) -> Option<&'static RouteCatalog> {
        self.catalog.as_ref().map(|catalog| catalog.routes)
    }

    /// What GET of an address such as `/v1/mma/events?limit=1` is answered, errors in the envelope too.
    pub async fn get(&self, address: &str) -> (StatusCode, Bytes) {
        let Ok(request) = Request::get(address).body(Body::empty()) else {
            return (StatusCode::BAD_REQUEST, Bytes::new());
        };
        let answered = match self.operations.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let (head, body) = answered.into_parts();
        // An answer is in memory as a whole.
        match axum::body::to_bytes(body, usize::MAX).await {
            Ok(body) => (head.status, body),
            Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, Bytes::new()),
        }
    }

    /// All that answers depend on but for what is asked: equal as long as they stay the same, lists of snapshots aside.
    #[must_use]
    pub fn state(&self) -> String {
        if let Some(catalog) = &self.catalog {
            // What depends on the day of a league does so from one hour to the next.
            let id = catalog.snapshot().map(|snapshot| snapshot.id.clone()).unwrap_or_default();
            return format!("{id} {}", self.now().timestamp() / 3600);
        }
        let (dataset, ledger) = (self.served.dataset(), self.served.ledger());
        let id = dataset.as_deref().map_or("", Dataset::snapshot_id);
        let moments = dataset.as_deref().map_or(0, |data| data.change_instants_elapsed(self.now()));
        let is_complete = dataset.as_deref().is_some_and(Dataset::is_complete);
        format!("{id} {} {moments} {is_complete}", ledger.as_deref().map_or("", Ledger::head))
    }

    /// Whether a snapshot is served, and all of it is loaded.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.served.dataset().is_some_and(|dataset| dataset.is_complete())
    }

    /// What is known of the snapshot served now.
    #[must_use]
    pub fn snapshot(&self) -> Option<SnapshotInfo> {
        self.served.dataset().map(|dataset| dataset.info.clone())
    }

    /// The Parquet file of a table of the snapshot served now, or the part that is asked for, read as the client takes it.
    ///
    /// # Errors
    /// There is no such table, it cannot be read, or too many are being downloaded.
    pub async fn table(&self, table: &str, head: &Parts) -> Result<Response<Body>, DownloadRefusal> {
        let id = named_id(&self.served, CURRENT)?;
        let file = self.served.table_file(&id, table).await?;
        // Pages ask for no key, so that nobody has shown one.
        self.served.file_response(file, FileAddress::Page, head, ClientId::of(head, false))
    }

    /// The same of a snapshot of the catalog: its id, and when its newest capture was taken.
    #[must_use]
    pub fn catalog_snapshot(&self) -> Option<(String, Option<DateTime<Utc>>)> {
        let snapshot = self.catalog.as_ref()?.snapshot()?;
        Some((snapshot.id.clone(), snapshot.captured.values().max().copied()))
    }

    /// The time of a request.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        self.served.now()
    }
}

/// A query as it stands in an address; what is `None` is left out.
#[must_use]
pub fn write_query(pairs: &[(&str, Option<&str>)]) -> String {
    let mut text = form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs {
        if let Some(value) = value {
            text.append_pair(name, value);
        }
    }
    let text = text.finish();
    if text.is_empty() { text } else { format!("?{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_written_as_addresses_have_it() {
        assert_eq!(write_query(&[("q", Some("a&b=c d")), ("limit", None)]), "?q=a%26b%3Dc+d");
        assert_eq!(write_query(&[("limit", None)]), "");
    }
}
