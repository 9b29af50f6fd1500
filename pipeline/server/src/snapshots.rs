//! Published snapshots: which there are, and what one consists of. Read from the lake for each answer.

use fdna_api::{Failure, MetaExtra};

use fdna_view::operations::digest;
use fdna_view::operations::page::Page;
use fdna_view::{OperationRequest, OperationResponse};

use crate::serving_state::ServingState;

/// The newest first, or the one in the path.
pub(crate) async fn answer(
    served: &ServingState,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let answer = if request.ids.is_empty() {
        snapshots(served, request).await
    } else {
        manifest(served, request).await
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
