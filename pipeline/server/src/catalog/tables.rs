//! Tables of snapshots of the catalog, and their files.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Response;
use axum::http::request::Parts;
use fdna_api::operations::snapshots::CURRENT;
use fdna_api::{CATALOG_API, ErrorCode, Failure, Params, path_ids};
use fdna_catalog::{TablesPage, without_prefix};
use fdna_view::published_tables;
use serde_json::json;

use super::ServedCatalog;
use super::envelope::{failed, meta, written};
use crate::cached_response::{CacheMetadata, CachedResponse, Validity};
use crate::client::ClientId;
use crate::lake_tables::name_product;
use crate::respond;
use crate::serving_state::ServingState;
use crate::table_response::{DownloadRefusal, FileAddress};
use fdna_http::Encoding;

/// Where the snapshots are.
const SNAPSHOTS: &str = "/v1/catalog/snapshots";

/// Place among [`TablesPage::ALL`].
pub(super) fn place(page: TablesPage) -> usize {
    usize::from(page == TablesPage::File)
}

/// Answers a request for a list of tables, or for a file.
pub(super) async fn answer(
    page: TablesPage,
    served: &Arc<ServingState>,
    catalog: &ServedCatalog,
    head: &Parts,
) -> Response<Body> {
    let answered = match page {
        TablesPage::Tables => list_tables(served, catalog, head).await.map_err(DownloadRefusal::from),
        TablesPage::File => send_file(served, catalog, head).await,
    };
    answered.unwrap_or_else(|DownloadRefusal { failure, headers }| {
        let mut response = failed(failure);
        response.headers_mut().extend(*headers);
        response
    })
}

/// The snapshot that a path names, and what else stands in it.
fn parse_path(
    catalog: &ServedCatalog,
    page: TablesPage,
    head: &Parts,
) -> Result<(bool, Vec<String>), Failure> {
    Params::parse(std::iter::empty(), head.uri.query().unwrap_or_default())?;
    let mut ids = path_ids(page.template(), without_prefix(head.uri.path()))?;
    let is_current = ids[0] == CURRENT;
    if is_current {
        let none = || Failure::new(ErrorCode::SnapshotNotAvailable, "no snapshot is served");
        ids[0].clone_from(&catalog.snapshot().ok_or_else(none)?.id);
    }
    Ok((is_current, ids))
}

fn of_catalog(failure: Failure, id: &str) -> Failure {
    name_product(failure, id, "the catalog")
}

async fn list_tables(
    served: &ServingState,
    catalog: &ServedCatalog,
    head: &Parts,
) -> Result<Response<Body>, Failure> {
    let (_, ids) = parse_path(catalog, TablesPage::Tables, head)?;
    let manifest = served.pins().manifest(&ids[0]).await.map_err(|failure| of_catalog(failure, &ids[0]))?;
    let snapshot_id = Some(manifest.snapshot.id.clone());
    let tables = published_tables(manifest, SNAPSHOTS);
    let data = written(&tables)?;
    let meta =
        meta(TablesPage::Tables.template(), &json!({"snapshot_id": snapshot_id, "count": tables.len()}));
    let content = fdna_view::operations::digest(&data);
    let tag = respond::etag(&[CATALOG_API.version, TablesPage::Tables.template(), &content]);
    let made = CacheMetadata { tag, snapshot_id, validity: Validity::Static, link: None };
    let answer = CachedResponse::with_meta(&data, &meta, made, Encoding::accepted(&head.headers))?;
    Ok(answer.give(&head.headers, None, served.now()))
}

async fn send_file(
    served: &Arc<ServingState>,
    catalog: &ServedCatalog,
    head: &Parts,
) -> Result<Response<Body>, DownloadRefusal> {
    let (is_current, ids) = parse_path(catalog, TablesPage::File, head)?;
    let address = if is_current { FileAddress::Current(SNAPSHOTS) } else { FileAddress::Named };
    let client = ClientId::of(head, served.has_key());
    let given = served.named_file(&ids[0], &ids[1], address, head, client).await;
    given.map_err(|refusal| DownloadRefusal { failure: of_catalog(refusal.failure, &ids[0]), ..refusal })
}
