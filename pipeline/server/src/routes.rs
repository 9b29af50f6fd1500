//! The router, made from the list of operations, and the way from a request to an answer.

mod articles;
mod bouts;
mod composite;
mod derived;
mod dna;
mod events;
mod fighter_stats;
mod fighters;
mod finish_profile;
mod history;
mod ledger;
mod matchup;
mod media;
mod page;
mod position_profile;
mod rankings;
mod results;
mod round_profile;
mod splits;
mod videos;
mod wire;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, Response, Uri};
use axum::middleware::{from_fn, map_response};
use axum::routing::any;
use chrono::{DateTime, Utc};
use fdna_api::{ErrorCode, Failure, Index, MetaExtra, Operation, all_operations};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

use crate::Dataset;
use crate::dataset::images::Shown;
use crate::ledger::Ledger;
use crate::params::{Params, path_ids};
use crate::respond::{self, Answer, CachePolicy};
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
    /// When it was asked.
    pub(crate) now: DateTime<Utc>,
}

impl Asked {
    /// The images that may be shown: of an answer as of a date, none.
    pub(crate) fn shown(&self) -> Shown {
        if self.params.date("as_of").is_some() { Shown::NONE } else { Shown::at(self.now) }
    }

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

/// What answers an operation: from the snapshot alone, or from the ledger beside it.
#[derive(Clone, Copy)]
enum Handler {
    Snapshot(fn(&Dataset, &Asked) -> Result<Answer, Failure>),
    Ledger(fn(&Dataset, &Ledger, &Asked) -> Result<Answer, Failure>),
}

/// The handler of each operation that is served; the others answer their `*_not_available`.
fn handler(name: &str) -> Option<Handler> {
    Some(Handler::Snapshot(match name {
        "bout_ledger" => return Some(Handler::Ledger(ledger::bout_ledger)),
        "event_intelligence" => return Some(Handler::Ledger(ledger::event_intelligence)),
        "article" => articles::article,
        "event_articles" => articles::event_articles,
        "fighter_articles" => articles::fighter_articles,
        "news" => articles::news,
        "fighters_media" => media::fighters_media,
        "rankings" => rankings::rankings,
        "results" => results::results,
        "wire" => wire::wire,
        "videos" => videos::videos,
        "event_videos" => videos::event_videos,
        "fighter_videos" => videos::fighter_videos,
        "bout_videos" => videos::bout_videos,
        "events" => events::events,
        "event" => events::event,
        "card" => events::card,
        "fighters" => fighters::fighters,
        "fighter" => composite::fighter,
        "fighter_history" => history::fighter_history,
        "fighter_stats" => fighter_stats::fighter_stats,
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
    }))
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
    let ledger = served.ledger();
    let snapshot_id = dataset.as_deref().map(Dataset::snapshot_id);
    let answered = ask(operation, uri, served.now()).and_then(|asked| {
        let answer = answer(served, (dataset.as_deref(), ledger.as_deref()), &asked)?;
        Ok((answer, asked))
    });
    match answered {
        Ok((answer, asked)) => {
            let time = Timeliness::of(&answer, &asked, dataset.as_deref());
            let content = answer.digest.as_deref().or(snapshot_id).unwrap_or("");
            let content = match (handler(operation.name), &ledger) {
                (Some(Handler::Ledger(_)), Some(ledger)) => format!("{content} {}", ledger.head()),
                _ => content.to_owned(),
            };
            let tag = tag(&asked, &content, time.come);
            respond::success(&answer, &tag, snapshot_id, time.cache, headers)
        }
        Err(failure) => respond::failure(&failure, snapshot_id),
    }
}

/// What time does to an answer: images and articles come and go while a snapshot is served.
struct Timeliness {
    /// How many of the snapshot's instants had come when it was made; 0 where time says nothing.
    come: usize,
    cache: CachePolicy,
}

impl Timeliness {
    /// Answers that are not made from the snapshot's rows, or as of a date, do not look at the time.
    fn of(answer: &Answer, asked: &Asked, dataset: Option<&Dataset>) -> Self {
        let is_timeless = answer.digest.is_some() || asked.params.date("as_of").is_some();
        match dataset.filter(|_| !is_timeless) {
            Some(dataset) => Self {
                come: dataset.moments_come(asked.now),
                cache: CachePolicy::lasting(dataset.unchanged_for(asked.now)),
            },
            None => Self { come: 0, cache: CachePolicy::lasting(None) },
        }
    }
}

fn ask(operation: &'static Operation, uri: &Uri, now: DateTime<Utc>) -> Result<Asked, Failure> {
    let is_served = operation.name == "index" || handler(operation.name).is_some();
    if !is_served {
        let message = format!("`{}` is not available yet", operation.name);
        return Err(Failure::new(operation.unavailable, message));
    }
    let ids = path_ids(operation.path, uri.path())?;
    let params = Params::parse(operation, uri.query().unwrap_or_default())?;
    Ok(Asked { operation, ids, params, now })
}

fn answer(
    served: &Served,
    (dataset, ledger): (Option<&Dataset>, Option<&Ledger>),
    asked: &Asked,
) -> Result<Answer, Failure> {
    let Some(handler) = handler(asked.operation.name) else {
        let index = to_json(&Index::new(served.media_base_url()))?;
        return Ok(asked.answer(index, MetaExtra::None {}));
    };
    let none = || Failure::new(ErrorCode::SnapshotNotAvailable, "no snapshot is loaded yet");
    let dataset = dataset.ok_or_else(none)?;
    dataset.sources.require(asked.operation)?;
    // A panic must not take the connection, and other streams on it, with it.
    let handle = || match handler {
        Handler::Snapshot(handle) => handle(dataset, asked),
        Handler::Ledger(handle) => handle(dataset, ledger.ok_or_else(|| ledger::none(asked))?, asked),
    };
    std::panic::catch_unwind(AssertUnwindSafe(handle)).unwrap_or_else(|_| {
        tracing::error!(operation = asked.operation.name, "handler panicked");
        Err(Failure::new(ErrorCode::Internal, "answer could not be made"))
    })
}

/// `content` says what the answer is made from: the snapshot, or the answer's own digest.
fn tag(asked: &Asked, content: &str, moments: usize) -> String {
    let (ids, moments) = (format!("{:?}", asked.ids), moments.to_string());
    respond::etag(&[content, asked.operation.name, &ids, &asked.params.normalised(), &moments])
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
