//! From a request to a response: from the cache, or computed.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{Response, Uri};
use chrono::{DateTime, Utc};
use fdna_api::operations::parameters::SNAPSHOT;
use fdna_api::operations::snapshots::CURRENT;
use fdna_api::{ErrorCode, Failure, Index, MetaExtra, Operation, Params, path_ids};
use fdna_http::OperationSlot;
use fdna_http::upstream_timeouts::HOST_ANSWER_WAIT;

use crate::cached_response::{CacheMetadata, CachedResponse, Validity};
use crate::client::ClientId;
use crate::serving_state::ServingState;
use crate::{paths, respond, snapshots, stream_request, table_response};
use fdna_http::Encoding;
use fdna_view::CompleteDataset;
use fdna_view::Dataset;
use fdna_view::Ledger;
use fdna_view::operations::no_ledger;
use fdna_view::{Handler, OperationRequest, OperationResponse};

/// One operation of the list.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    pub(crate) operation: &'static Operation,
    pub(crate) handler: Handler,
    pub(crate) slot: OperationSlot,
}

/// Answers one request from one snapshot, the current one unless it names another, and one ledger.
pub(crate) async fn respond(served: &Arc<ServingState>, route: Route, head: &Parts) -> Response<Body> {
    if matches!(route.handler, Handler::TableFile) {
        return table_response::respond(served, route.operation, head).await;
    }
    if matches!(route.handler, Handler::ChangeStream) {
        return stream_request::respond(served, head).await;
    }
    let given = answered(served, route, head).await;
    given.unwrap_or_else(|(failure, snapshot_id)| {
        respond::failure(&failure.of(route.operation), snapshot_id.as_deref())
    })
}

/// An answer, as it was given before if it was, or a failure and of which snapshot.
async fn answered(
    served: &ServingState,
    route: Route,
    head: &Parts,
) -> Result<Response<Body>, (Failure, Option<String>)> {
    let id = |dataset: Option<&Dataset>| dataset.map(|dataset| dataset.snapshot_id().to_owned());
    let current = served.dataset();
    let of_current = |failure| (failure, id(current.as_deref()));
    let request = ask(route.operation, &head.uri, served.now()).map_err(of_current)?;
    let named = request.params.find(SNAPSHOT).flatten();
    let dataset = match named {
        None => current.clone(),
        Some(named) => {
            let client = ClientId::of(head, served.has_key());
            Some(served.named(named, client).await.map_err(|failure| (failure, None))?)
        }
    };
    let is_ledger_known = match route.handler {
        Handler::Ledger(_) => served.until_ledger_known().await,
        _ => true,
    };
    let state = RequestState { dataset, ledger: served.ledger() };
    let failed = |failure| (failure, id(state.dataset.as_deref()));
    let accepted = Encoding::accepted(&head.headers);
    let key = state.key(&request, route, accepted);
    let given =
        |finished: &CachedResponse| finished.give(&head.headers, state.dataset.as_deref(), request.now);
    if let Some(kept) = served.response_cache.get(&key) {
        return Ok(given(&kept));
    }
    let is_damaged = is_ledger_known.then(|| served.is_ledger_damaged());
    let answer = compute_answer(served, route.handler, &state, &request, is_damaged)
        .await
        .inspect_err(|failure| {
            if let Some(damaged) = state.dataset.as_deref().filter(|_| failure.is_damage) {
                served.report_damage(damaged.snapshot_id());
            }
        })
        .map_err(failed)?;
    let mut made = state.made(&answer, &request, route);
    made.link = answer.meta.next_cursor().map(|cursor| paths::next_page(&head.uri, cursor));
    let finished = Arc::new(CachedResponse::of(&answer, made, accepted).map_err(failed)?);
    // What the lake holds may change under a snapshot; all else that an answer is made from is in its key.
    if !matches!(route.handler, Handler::Snapshots) {
        served.response_cache.put(key, &finished);
    }
    Ok(given(&finished))
}

/// The answer of a handler; `is_ledger_damaged` is `None` while that is not known.
async fn compute_answer(
    served: &ServingState,
    handler: Handler,
    state: &RequestState,
    request: &OperationRequest,
    is_ledger_damaged: Option<bool>,
) -> Result<OperationResponse, Failure> {
    match handler {
        // Answered before, as a file or as events.
        Handler::TableFile | Handler::ChangeStream => {
            Err(Failure::new(ErrorCode::Internal, "a file or a stream is no answer"))
        }
        Handler::Snapshots => snapshots::answer(served, request).await,
        Handler::Index => index(served, request),
        Handler::Snapshot(handle) => state.dataset(request).and_then(|data| guarded(handle, data, request)),
        Handler::Complete(handle) => {
            state.whole(request).await.and_then(|whole| guarded(handle, whole, request))
        }
        Handler::Ledger(handle) => state
            .with_ledger(request, is_ledger_damaged)
            .and_then(|(data, ledger)| guarded(|data, request| handle(data, ledger, request), data, request)),
    }
}

fn ask(operation: &'static Operation, uri: &Uri, now: DateTime<Utc>) -> Result<OperationRequest, Failure> {
    let ids = path_ids(operation.path, uri.path())?;
    let params = Params::parse(operation.parameters(), uri.query().unwrap_or_default())?;
    Ok(OperationRequest { operation, ids, params, now })
}

fn index(served: &ServingState, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    request.answer(&Index::new(served.media_base_url()), MetaExtra::None {})
}

fn not_available(why: &str) -> Failure {
    Failure::new(ErrorCode::SnapshotNotAvailable, why)
}

/// What a request is answered from.
struct RequestState {
    dataset: Option<Arc<Dataset>>,
    ledger: Option<Arc<Ledger>>,
}

/// A panic must not take the connection, and other streams on it, with it.
fn guarded<D>(
    handle: impl FnOnce(D, &OperationRequest) -> Result<OperationResponse, Failure>,
    data: D,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    std::panic::catch_unwind(AssertUnwindSafe(|| handle(data, request))).unwrap_or_else(|_| {
        tracing::error!(operation = request.operation.name, "handler panicked");
        Err(Failure::new(ErrorCode::Internal, "answer could not be made"))
    })
}

impl RequestState {
    /// The snapshot, if what feeds the operation is there.
    fn dataset(&self, request: &OperationRequest) -> Result<&Dataset, Failure> {
        let dataset = self.dataset.as_deref().ok_or_else(|| not_available("no snapshot is loaded yet"))?;
        dataset.sources.require(request.operation)?;
        Ok(dataset)
    }

    /// The same with all its parts, which may have to be waited for just after the start.
    async fn whole(&self, request: &OperationRequest) -> Result<CompleteDataset<'_>, Failure> {
        match tokio::time::timeout(HOST_ANSWER_WAIT, self.dataset(request)?.completed()).await {
            Ok(whole) => whole.ok_or_else(|| not_available("the snapshot cannot be loaded")),
            Err(_) => Err(not_available("the snapshot is being loaded")),
        }
    }

    /// `is_damaged` is of a ledger that is not served; `None` where it is still being loaded.
    fn with_ledger(
        &self,
        request: &OperationRequest,
        is_damaged: Option<bool>,
    ) -> Result<(&Dataset, &Ledger), Failure> {
        let dataset = self.dataset(request)?;
        let none = || match is_damaged {
            Some(false) => no_ledger(request),
            Some(true) => Failure::new(
                ErrorCode::LedgerDamaged,
                "the fight-week ledger is damaged or cannot be read, and is not served",
            ),
            None => not_available("the fight-week ledger is being loaded"),
        };
        Ok((dataset, self.ledger.as_deref().ok_or_else(none)?))
    }

    /// All that determines the bytes of an answer but for the request's id. Time does by how many of the snapshot's
    /// instants have come, and not at all as of a date.
    fn key(&self, request: &OperationRequest, route: Route, accepted: Encoding) -> String {
        let dataset = self.dataset.as_deref();
        let snapshot_id = dataset.map_or("", Dataset::snapshot_id);
        let ledger = self.ledger_head(route).unwrap_or("");
        let moments = dataset
            .filter(|_| !request.is_of_a_day())
            .map_or(0, |data| data.change_instants_elapsed(request.now));
        let (name, ids, query) = (request.operation.name, &request.ids, request.params.normalised());
        format!("{snapshot_id} {ledger} {moments} {name} {ids:?} {query} {accepted:?}")
    }

    /// Of what is made from the ledger.
    fn ledger_head(&self, route: Route) -> Option<&str> {
        let is_from_it = matches!(route.handler, Handler::Ledger(_));
        self.ledger.as_deref().filter(|_| is_from_it).map(Ledger::head)
    }

    /// What an answer is made from: the snapshot, the ledger beside it, or what its own digest says.
    fn made(&self, answer: &OperationResponse, request: &OperationRequest, route: Route) -> CacheMetadata {
        let is_named = |id: &&String| matches!(route.handler, Handler::Snapshots) && *id != CURRENT;
        let served = || self.dataset.as_deref().map(|dataset| dataset.snapshot_id().to_owned());
        let snapshot_id = request.ids.first().filter(is_named).cloned().or_else(served);
        let validity = self.validity(answer, request);
        let moments = match validity {
            Validity::UntilInstant(come) => come,
            Validity::Static | Validity::Immutable => 0,
        };
        let content = answer.digest.as_deref().or(snapshot_id.as_deref()).unwrap_or("");
        let ledger = self.ledger_head(route);
        let content = ledger.iter().fold(content.to_owned(), |content, head| format!("{content} {head}"));
        let (ids, query, moments) =
            (format!("{:?}", request.ids), request.params.normalised(), moments.to_string());
        let tag = respond::etag(&[&content, request.operation.name, &ids, &query, &moments]);
        CacheMetadata { tag, snapshot_id, validity, link: None }
    }

    /// Answers that are not made from the snapshot's rows, or as of a date, do not look at the time; as of a date
    /// and from a named snapshot, they never change.
    fn validity(&self, answer: &OperationResponse, request: &OperationRequest) -> Validity {
        let is_as_of = request.is_of_a_day();
        match self.dataset.as_deref().filter(|_| answer.digest.is_none() && !is_as_of) {
            Some(dataset) => Validity::UntilInstant(dataset.change_instants_elapsed(request.now)),
            None if is_as_of && request.params.find(SNAPSHOT).flatten().is_some() => Validity::Immutable,
            None => Validity::Static,
        }
    }
}
