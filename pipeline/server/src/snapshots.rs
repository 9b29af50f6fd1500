//! Published snapshots: which there are, what one consists of, and its tables. Read from the lake for each answer.

use fdna_api::operations::snapshots::{COLUMN, CURRENT, KEY};
use fdna_api::{ErrorCode, Failure, MetaExtra, OperationId};

use fdna_view::operations::digest;
use fdna_view::operations::page::Page;
use fdna_view::{OperationRequest, OperationResponse, published_tables};

use crate::downloads::no_such_table;
use crate::row_explainer::PublishedRow;
use crate::serving_state::ServingState;

/// Where the snapshots are.
pub(crate) const SNAPSHOTS: &str = "/v1/mma/snapshots";

/// The newest first, or the one in the path.
pub(crate) async fn answer(
    served: &ServingState,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let answer = match request.operation.id {
        OperationId::SnapshotTables => list_tables(served, request).await,
        OperationId::ExplainRow => explain_row(served, request).await,
        OperationId::Snapshot => manifest(served, request).await,
        _ => snapshots(served, request).await,
    }?;
    Ok(OperationResponse { digest: Some(digest(&answer.data)), ..answer })
}

async fn snapshots(served: &ServingState, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let all = served.pins().list().await?;
    // A new one moves all pages by a row.
    let newest = all.first().map_or_else(String::new, |newest| newest.id.clone());
    let page = Page::among(&newest, request, all.len())?;
    let mut snapshots = page.take(all);
    snapshots.iter_mut().for_each(|snapshot| snapshot.is_current = served.is_serving(&snapshot.id));
    request.answer(&snapshots, page.meta())
}

async fn manifest(served: &ServingState, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let mut manifest = served.pins().manifest(request.id()).await?;
    manifest.snapshot.is_current = served.is_serving(&manifest.snapshot.id);
    request.answer(&manifest, MetaExtra::None {})
}

async fn list_tables(
    served: &ServingState,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let manifest = served.pins().manifest(&named_id(served, request.id())?).await?;
    let tables = published_tables(manifest, SNAPSHOTS);
    request.answer(&tables, MetaExtra::Count { count: tables.len() })
}

async fn explain_row(
    served: &ServingState,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let none =
        || Failure::new(ErrorCode::SnapshotNotAvailable, "this server has no captures to explain rows by");
    let explainer = served.explainer.as_ref().ok_or_else(none)?;
    let [id, table] = request.ids.as_slice() else { return Err(no_such_table()) };
    let snapshot_id = named_id(served, id)?;
    let manifest = served.pins().manifest(&snapshot_id).await?;
    if !manifest.tables.iter().any(|entry| entry.name == *table) {
        return Err(no_such_table());
    }
    let key = request.params.get(KEY).to_owned();
    let column = request.params.get(COLUMN).map(str::to_owned);
    let row = PublishedRow { snapshot_id, table: table.clone(), key, column };
    request.answer(&explainer.explain_row(row).await?, MetaExtra::None {})
}

/// The id that stands in a path, or that of the snapshot that is served.
pub(crate) fn named_id(served: &ServingState, id: &str) -> Result<String, Failure> {
    if id != CURRENT {
        return Ok(id.to_owned());
    }
    let none = || Failure::new(ErrorCode::SnapshotNotAvailable, "no snapshot is served");
    served.dataset().map(|dataset| dataset.snapshot_id().to_owned()).ok_or_else(none)
}
