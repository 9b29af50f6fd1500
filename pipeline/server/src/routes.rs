//! The router, made from the list of operations, and the way from a request to an answer.

mod bouts;
mod composite;
mod derived;
mod dna;
mod events;
mod fighters;
mod finish_profile;
mod matchup;
mod position_profile;
mod round_profile;
mod splits;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, Response, Uri};
use axum::middleware::{from_fn, map_response};
use axum::routing::any;
use fdna_api::{ErrorCode, Failure, Index, MetaExtra, Operation, all_operations};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

use crate::Dataset;
use crate::params::{Params, path_ids};
use crate::respond::{self, Answer};
use crate::swap::Served;
use crate::{guard, health};

/// Bodies from this size on are compressed for clients that accept it.
const COMPRESSED_FROM: u64 = 1024;

/// What a handler is asked.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) operation: &'static Operation,
    /// Path parameters, in order.
    pub(crate) ids: Vec<String>,
    pub(crate) params: Params,
}

impl Asked {
    /// The `{id}` of the path.
    pub(crate) fn id(&self) -> &str {
        self.ids.first().map_or("", String::as_str)
    }

    /// An answer of this operation, with the plan that its includes need.
    pub(crate) fn answer(&self, data: Vec<u8>, meta: MetaExtra) -> Answer {
        let plan = self.operation.plan_with(self.params.words("include"));
        Answer { data, meta, plan, digest: None }
    }
}

type Handler = fn(&Dataset, &Asked) -> Result<Answer, Failure>;

/// The handler of each operation that is served; the others answer their `*_not_available`.
fn handler(name: &str) -> Option<Handler> {
    Some(match name {
        "events" => events::events,
        "event" => events::event,
        "card" => events::card,
        "fighters" => fighters::fighters,
        "fighter" => composite::fighter,
        "bout" => bouts::bout,
        "bout_stats" => bouts::bout_stats,
        "dna_metrics" => dna::dna_metrics,
        "dna_query" => dna::dna_query,
        "dna_validity" => dna::dna_validity,
        "fighter_dna" => dna::fighter_dna,
        "fighter_splits" => splits::fighter_splits,
        "fighter_round_profile" => round_profile::fighter_round_profile,
        "fighter_finish_profile" => finish_profile::fighter_finish_profile,
        "fighter_position_profile" => position_profile::fighter_position_profile,
        "matchup_dna" => matchup::matchup_dna,
        _ => return None,
    })
}

/// The whole HTTP interface over what is served.
pub fn router(served: Arc<Served>) -> Router {
    let mut router = Router::new();
    for operation in all_operations() {
        let served = Arc::clone(&served);
        let answer = move |request: Request| {
            let response = read_only(request.method(), || {
                serve_operation(&served, operation, request.uri(), request.headers())
            });
            std::future::ready(response)
        };
        router = router.route(operation.path, any(answer));
    }
    let ready =
        move |request: Request| std::future::ready(read_only(request.method(), || health::readyz(&served)));
    let alive = |request: Request| std::future::ready(read_only(request.method(), health::healthz));
    router
        .route("/healthz", any(alive))
        .route("/readyz", any(ready))
        .fallback(|| std::future::ready(no_route()))
        .layer(CompressionLayer::new().compress_when(SizeAbove::new(COMPRESSED_FROM)))
        .layer(map_response(guard::never_406))
        .layer(from_fn(guard::guard))
}

/// GET and HEAD are answered, the latter without its body, which the router leaves out.
fn read_only(method: &Method, get: impl FnOnce() -> Response<Body>) -> Response<Body> {
    match *method {
        Method::GET | Method::HEAD => get(),
        Method::OPTIONS => respond::methods(),
        _ => respond::failure(
            &Failure::new(ErrorCode::MethodNotAllowed, "this interface is read-only: use GET"),
            None,
        ),
    }
}

fn no_route() -> Response<Body> {
    respond::failure(&Failure::new(ErrorCode::NotFound, "no such route: /v1/mma lists them"), None)
}

fn serve_operation(
    served: &Served,
    operation: &'static Operation,
    uri: &Uri,
    headers: &HeaderMap,
) -> Response<Body> {
    let dataset = served.dataset();
    let snapshot_id = dataset.as_deref().map(Dataset::snapshot_id);
    let answered = ask(operation, uri).and_then(|asked| {
        let answer = answer(served, dataset.as_deref(), &asked)?;
        let content = answer.digest.as_deref().or(snapshot_id);
        let tag = tag(&asked, content);
        Ok((answer, tag))
    });
    match answered {
        Ok((answer, tag)) => respond::success(&answer, &tag, snapshot_id, headers),
        Err(failure) => respond::failure(&failure, snapshot_id),
    }
}

fn ask(operation: &'static Operation, uri: &Uri) -> Result<Asked, Failure> {
    let is_served = operation.name == "index" || handler(operation.name).is_some();
    if !is_served {
        let message = format!("`{}` is not available yet", operation.name);
        return Err(Failure::new(operation.unavailable, message));
    }
    let ids = path_ids(operation.path, uri.path())?;
    let params = Params::parse(operation, uri.query().unwrap_or_default())?;
    Ok(Asked { operation, ids, params })
}

fn answer(served: &Served, dataset: Option<&Dataset>, asked: &Asked) -> Result<Answer, Failure> {
    let Some(handler) = handler(asked.operation.name) else {
        let index = to_json(&Index::new(served.media_base_url()))?;
        return Ok(asked.answer(index, MetaExtra::None {}));
    };
    let none = || Failure::new(ErrorCode::SnapshotNotAvailable, "no snapshot is loaded yet");
    let dataset = dataset.ok_or_else(none)?;
    // A panic must not take the connection, and other streams on it, with it.
    std::panic::catch_unwind(AssertUnwindSafe(|| handler(dataset, asked))).unwrap_or_else(|_| {
        tracing::error!(operation = asked.operation.name, "handler panicked");
        Err(Failure::new(ErrorCode::Internal, "answer could not be made"))
    })
}

/// `content` says what the answer is made from: the snapshot, or the answer's own digest.
fn tag(asked: &Asked, content: Option<&str>) -> String {
    let ids = format!("{:?}", asked.ids);
    respond::etag(&[content.unwrap_or(""), asked.operation.name, &ids, &asked.params.normalised()])
}

/// A value as JSON; what cannot be written is a fault of ours.
pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(value).map_err(|error| {
        tracing::error!(%error, "failed to write json");
        Failure::new(ErrorCode::Internal, "answer could not be written")
    })
}

/// 404 for an id that the snapshot does not know.
pub(crate) fn unknown(kind: &str) -> Failure {
    Failure::new(ErrorCode::NotFound, format!("no {kind} has this id"))
}
