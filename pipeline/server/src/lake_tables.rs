//! The published tables of a lake, for the server of another product, which knows its own clients.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Response;
use axum::http::request::Parts;
use fdna_api::{ErrorCode, Failure, PublishedTable};
use fdna_view::{SnapshotSource, published_tables};

use crate::Clock;
use crate::client::ClientId;
use crate::serving_state::ServingState;
use crate::table_response::{DownloadRefusal, FileAddress};

/// Tables of the snapshots of a lake.
#[derive(Debug, Clone)]
pub struct LakeTables {
    served: Arc<ServingState>,
    product: &'static str,
    /// The path under which the product has its snapshots.
    snapshots: &'static str,
}

impl LakeTables {
    /// Those of `source`, of a product with this name and this path of its snapshots.
    #[must_use]
    pub fn new(
        source: Arc<dyn SnapshotSource>,
        clock: Clock,
        (product, snapshots): (&'static str, &'static str),
    ) -> Self {
        let served = ServingState::new(None, clock).with_source(source);
        Self { served: Arc::new(served), product, snapshots }
    }

    /// The tables of a snapshot, by name, with their contracts.
    ///
    /// # Errors
    /// 404: no snapshot has the id. 503: its manifest cannot be read.
    pub async fn list_tables(&self, snapshot_id: &str) -> Result<Vec<PublishedTable>, Failure> {
        let manifest = self.served.pins().manifest(snapshot_id).await;
        let manifest = manifest.map_err(|failure| name_product(failure, snapshot_id, self.product))?;
        Ok(published_tables(manifest, self.snapshots))
    }

    /// The file of a table as an answer to a request, whole, in parts or as CSV; `is_current` where its path has `current` in
    /// place of the id. Downloads are rationed by `client`.
    ///
    /// # Errors
    /// 404: there is no such snapshot or table. 412, 416: see RFC 9110. 503: the file is damaged, or too many are downloaded.
    pub async fn send_file(
        &self,
        (snapshot_id, is_current): (&str, bool),
        file: &str,
        client: &str,
        head: &Parts,
    ) -> Result<Response<Body>, DownloadRefusal> {
        let address = if is_current { FileAddress::Current(self.snapshots) } else { FileAddress::Named };
        let sent =
            self.served.named_file(snapshot_id, file, address, head, Some(ClientId::named(client))).await;
        sent.map_err(|refusal| DownloadRefusal {
            failure: name_product(refusal.failure, snapshot_id, self.product),
            ..refusal
        })
    }
}

/// The message of an unknown id names the list of snapshots of MMA.
pub(crate) fn name_product(failure: Failure, id: &str, product: &str) -> Failure {
    if failure.code != ErrorCode::SnapshotNotFound {
        return failure;
    }
    let id: String = id.chars().take(64).collect();
    Failure { message: format!("No snapshot of {product} has the id `{id}`"), ..failure }
}
