//! The router, made from the list of operations, and the way from a request to an answer.

mod answering;
mod articles;
mod bouts;
mod changes;
mod composite;
mod counts;
mod cursor;
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
mod named;
mod page;
mod paths;
mod position_profile;
mod rankings;
mod record;
mod results;
mod round_profile;
mod search;
mod snapshots;
mod splits;
mod videos;
mod wire;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{Method, Response};
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, any};
use chrono::{DateTime, Utc};
use fdna_api::{ErrorCode, Failure, MetaExtra, Operation, all_operations};
use fdna_http::Slot;

use crate::Dataset;
use crate::dataset::Whole;
use crate::dataset::images::Shown;
use crate::ledger::Ledger;
use crate::metrics::Metrics;
use crate::params::Params;
use crate::respond::{self, Answer};
use crate::swap::Served;
use crate::{guard, health, openapi};

use answering::Route;

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
        if self.is_of_a_day() { Shown::NONE } else { Shown::at(self.now) }
    }

    /// Whether it is asked what was known before a day, or stood on one: that does not change with the time.
    pub(crate) fn is_of_a_day(&self) -> bool {
        ["as_of", "on"].iter().any(|name| self.params.date(name).is_some())
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

/// What answers an operation, by what it is answered from.
#[derive(Clone, Copy)]
enum Handler {
    Index,
    Snapshots,
    Snapshot(fn(&Dataset, &Asked) -> Result<Answer, Failure>),
    /// What waits for all parts of a snapshot.
    Whole(fn(Whole<'_>, &Asked) -> Result<Answer, Failure>),
    Ledger(fn(&Dataset, &Ledger, &Asked) -> Result<Answer, Failure>),
}

/// The handler of each operation.
fn handler(name: &str) -> Option<Handler> {
    Some(Handler::Snapshot(match name {
        "index" => return Some(Handler::Index),
        "snapshots" | "snapshot" => return Some(Handler::Snapshots),
        "search" => return Some(Handler::Whole(search::search)),
        "changes" => return Some(Handler::Whole(changes::changes)),
        "dna_query" => return Some(Handler::Whole(dna::dna_query)),
        "fighters_dna" => return Some(Handler::Whole(dna::fighters_dna)),
        "fighter_dna_series" => return Some(Handler::Whole(dna::fighter_dna_series)),
        "event_matchups" => return Some(Handler::Whole(matchup::event_matchups)),
        "fighter_dna" => return Some(Handler::Whole(dna::fighter_dna)),
        "fighter_splits" => return Some(Handler::Whole(splits::fighter_splits)),
        "fighter_round_profile" => return Some(Handler::Whole(round_profile::fighter_round_profile)),
        "fighter_finish_profile" => return Some(Handler::Whole(finish_profile::fighter_finish_profile)),
        "matchup_dna" => return Some(Handler::Whole(matchup::matchup_dna)),
        "bout_ledger" => return Some(Handler::Ledger(ledger::bout_ledger)),
        "event_intelligence" => return Some(Handler::Ledger(ledger::event_intelligence)),
        "article" => articles::article,
        "event_articles" => articles::event_articles,
        "fighter_articles" => articles::fighter_articles,
        "news" => articles::news,
        "fighters_media" => media::fighters_media,
        "counts" => counts::counts,
        "coverage" => counts::coverage,
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
        "fighter_record" => record::fighter_record,
        "fighter_stats" => fighter_stats::fighter_stats,
        "bout" => bouts::bout,
        "bout_stats" => bouts::bout_stats,
        "dna_metrics" => dna::dna_metrics,
        "dna_validity" => dna::dna_validity,
        "fighter_position_profile" => position_profile::fighter_position_profile,
        _ => return None,
    }))
}

/// The whole HTTP interface over what is served.
pub fn router(served: Arc<Served>) -> Router {
    router_with(served, Operator::NoMetrics)
}

/// Where an operator is told how the server fares.
pub(crate) enum Operator {
    /// Beside the operations.
    Here(Metrics),
    /// The same, without connections that could be counted.
    NoMetrics,
    /// On an address of its own.
    Elsewhere,
}

/// What an operator asks, on an address of its own.
pub(crate) fn operator_pages(served: Arc<Served>, metrics: Metrics) -> Router {
    Router::new()
        .route("/metrics", plain(move |_| metrics.answer()))
        .route("/healthz", plain(|_| health::healthz()))
        .route("/readyz", plain(move |_| health::readyz(&served, false)))
        .fallback(plain(|_| respond::failure(&paths::no_route(), None)))
        .layer(from_fn_with_state(None, guard::guard))
}

/// A page that needs nothing but the head of the request.
fn plain(get: impl Fn(&Parts) -> Response<Body> + Clone + Send + Sync + 'static) -> MethodRouter {
    any(move |request: Request| {
        let (head, _) = request.into_parts();
        std::future::ready(refused(&head.method).unwrap_or_else(|| get(&head)))
    })
}

/// A route an operation, and beside them what an operator asks, if that is to be here.
pub(crate) fn router_with(served: Arc<Served>, operator: Operator) -> Router {
    let mut router = Router::new();
    for (place, operation) in all_operations().enumerate() {
        // A test sees to it that every operation has one.
        let Some(handler) = handler(operation.name) else { continue };
        let served = Arc::clone(&served);
        let route = Route { operation, handler, slot: Slot(place) };
        let answer = move |request: Request| {
            let served = Arc::clone(&served);
            async move {
                let (head, _) = request.into_parts();
                let mut response = match refused(&head.method) {
                    Some(refused) => refused,
                    None => answering::answer(&served, route, &head).await,
                };
                response.extensions_mut().insert(route.slot);
                response
            }
        };
        router = router.route(operation.path, any(answer));
    }
    let is_elsewhere = matches!(operator, Operator::Elsewhere);
    if let Operator::Here(metrics) = operator {
        router = router.route("/metrics", plain(move |_| metrics.answer()));
    }
    let admitting = Arc::clone(&served);
    let ready = move |head: &Parts| {
        let is_stranger = is_elsewhere || !served.admits(&head.headers);
        health::readyz(&served, is_stranger)
    };
    router
        .route("/openapi.json", plain(openapi::document))
        .route("/docs", plain(openapi::docs))
        .route("/healthz", plain(|_| health::healthz()))
        .route("/readyz", plain(ready))
        .route("/", plain(paths::root))
        .fallback(plain(paths::nowhere))
        .layer(from_fn_with_state(Some(admitting), guard::guard))
}

/// The answer to methods that ask for nothing. GET and HEAD do, the latter without the body, which the router
/// leaves out.
fn refused(method: &Method) -> Option<Response<Body>> {
    match *method {
        Method::GET | Method::HEAD => None,
        Method::OPTIONS => Some(respond::methods()),
        _ => {
            let why = "This interface is read-only: use GET";
            Some(respond::failure(&Failure::new(ErrorCode::MethodNotAllowed, why), None))
        }
    }
}

/// A value as JSON.
pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, Failure> {
    written(serde_json::to_vec(value))
}

/// JSON that was written; if it could not be, it is a fault of ours.
pub(crate) fn written(json: serde_json::Result<Vec<u8>>) -> Result<Vec<u8>, Failure> {
    json.map_err(|error| {
        tracing::error!(%error, "failed to write json");
        Failure::new(ErrorCode::Internal, "answer could not be written")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fdna_api::Ground;

    #[test]
    fn every_operation_has_a_handler_on_its_ground() {
        for operation in all_operations() {
            let ground = match handler(operation.name) {
                Some(Handler::Index) => Ground::Contract,
                Some(Handler::Snapshots) => Ground::Lake,
                Some(Handler::Snapshot(_) | Handler::Whole(_)) => Ground::Snapshot,
                Some(Handler::Ledger(_)) => Ground::Ledger,
                None => panic!("{} has none", operation.name),
            };
            assert_eq!(ground, operation.ground, "{}", operation.name);
        }
    }
}
