//! The way from a request to an answer.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{Response, Uri};
use chrono::{DateTime, Utc};
use fdna_api::{ErrorCode, Failure, Index, MetaExtra, Operation};
use fdna_http::Slot;
use fdna_http::timeouts::HOST_ANSWER_WAIT;

use super::{Asked, Handler, ledger, paths, snapshots, to_json};
use crate::Dataset;
use crate::client::ClientId;
use crate::dataset::Whole;
use crate::encoding::Encoding;
use crate::finished::{Finished, Made, Time};
use crate::ledger::Ledger;
use crate::params::{Params, path_ids};
use crate::respond::{self, Answer};
use crate::swap::Served;

/// One operation of the list.
#[derive(Clone, Copy)]
pub(super) struct Route {
    pub(super) operation: &'static Operation,
    pub(super) handler: Handler,
    pub(super) slot: Slot,
}

/// Answers one request from one snapshot, the current one unless it names another, and one ledger.
pub(super) async fn answer(served: &Served, route: Route, head: &Parts) -> Response<Body> {
    let given = answered(served, route, head).await;
    given.unwrap_or_else(|(failure, snapshot_id)| {
        respond::failure(&failure.of(route.operation), snapshot_id.as_deref())
    })
}

/// An answer, as it was given before if it was, or a failure and of which snapshot.
async fn answered(
    served: &Served,
    route: Route,
    head: &Parts,
) -> Result<Response<Body>, (Failure, Option<String>)> {
    let id = |dataset: Option<&Dataset>| dataset.map(|dataset| dataset.snapshot_id().to_owned());
    let current = served.dataset();
    let of_current = |failure| (failure, id(current.as_deref()));
    let asked = ask(route.operation, &head.uri, served.now()).map_err(of_current)?;
    let named = asked.params.text("snapshot");
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
    let ground = Ground { dataset, ledger: served.ledger() };
    let failed = |failure| (failure, id(ground.dataset.as_deref()));
    let accepted = Encoding::accepted(&head.headers);
    let key = ground.key(&asked, route, accepted);
    let given = |finished: &Finished| finished.give(&head.headers, ground.dataset.as_deref(), asked.now);
    if let Some(kept) = served.answers.get(&key) {
        return Ok(given(&kept));
    }
    let answer = match route.handler {
        Handler::Snapshots => snapshots::answer(served, &asked).await,
        Handler::Index => index(served, &asked),
        Handler::Snapshot(handle) => ground.dataset(&asked).and_then(|data| guarded(handle, data, &asked)),
        Handler::Whole(handle) => ground.whole(&asked).await.and_then(|whole| guarded(handle, whole, &asked)),
        Handler::Ledger(handle) => ground
            .with_ledger(&asked, is_ledger_known.then(|| served.is_ledger_damaged()))
            .and_then(|(data, ledger)| guarded(|data, asked| handle(data, ledger, asked), data, &asked)),
    };
    let answer = answer.map_err(failed)?;
    let mut made = ground.made(&answer, &asked, route);
    made.link = answer.meta.next_cursor().map(|cursor| paths::next_page(&head.uri, cursor));
    let finished = Arc::new(Finished::of(&answer, made, accepted).map_err(failed)?);
    // What the lake holds may change under a snapshot; all else that an answer is made from is in its key.
    if !matches!(route.handler, Handler::Snapshots) {
        served.answers.put(key, &finished);
    }
    Ok(given(&finished))
}

fn ask(operation: &'static Operation, uri: &Uri, now: DateTime<Utc>) -> Result<Asked, Failure> {
    let ids = path_ids(operation.path, uri.path())?;
    let params = Params::parse(operation, uri.query().unwrap_or_default())?;
    Ok(Asked { operation, ids, params, now })
}

fn index(served: &Served, asked: &Asked) -> Result<Answer, Failure> {
    let index = to_json(&Index::new(served.media_base_url()))?;
    Ok(asked.answer(index, MetaExtra::None {}))
}

fn not_available(why: &str) -> Failure {
    Failure::new(ErrorCode::SnapshotNotAvailable, why)
}

/// What a request is answered from.
struct Ground {
    dataset: Option<Arc<Dataset>>,
    ledger: Option<Arc<Ledger>>,
}

/// A panic must not take the connection, and other streams on it, with it.
fn guarded<D>(
    handle: impl FnOnce(D, &Asked) -> Result<Answer, Failure>,
    data: D,
    asked: &Asked,
) -> Result<Answer, Failure> {
    std::panic::catch_unwind(AssertUnwindSafe(|| handle(data, asked))).unwrap_or_else(|_| {
        tracing::error!(operation = asked.operation.name, "handler panicked");
        Err(Failure::new(ErrorCode::Internal, "answer could not be made"))
    })
}

impl Ground {
    /// The snapshot, if what feeds the operation is there.
    fn dataset(&self, asked: &Asked) -> Result<&Dataset, Failure> {
        let dataset = self.dataset.as_deref().ok_or_else(|| not_available("no snapshot is loaded yet"))?;
        dataset.sources.require(asked.operation)?;
        Ok(dataset)
    }

    /// The same with all its parts, which may have to be waited for just after the start.
    async fn whole(&self, asked: &Asked) -> Result<Whole<'_>, Failure> {
        match tokio::time::timeout(HOST_ANSWER_WAIT, self.dataset(asked)?.whole()).await {
            Ok(whole) => whole.ok_or_else(|| not_available("the snapshot cannot be loaded")),
            Err(_) => Err(not_available("the snapshot is being loaded")),
        }
    }

    /// `is_damaged` is of a ledger that is not served; `None` where it is still being loaded.
    fn with_ledger(&self, asked: &Asked, is_damaged: Option<bool>) -> Result<(&Dataset, &Ledger), Failure> {
        let dataset = self.dataset(asked)?;
        let none = || match is_damaged {
            Some(false) => ledger::none(asked),
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
    fn key(&self, asked: &Asked, route: Route, accepted: Encoding) -> String {
        let dataset = self.dataset.as_deref();
        let snapshot_id = dataset.map_or("", Dataset::snapshot_id);
        let ledger = self.ledger_head(route).unwrap_or("");
        let moments = dataset.filter(|_| !asked.is_of_a_day()).map_or(0, |data| data.moments_come(asked.now));
        let (name, ids, query) = (asked.operation.name, &asked.ids, asked.params.normalised());
        format!("{snapshot_id} {ledger} {moments} {name} {ids:?} {query} {accepted:?}")
    }

    /// Of what is made from the ledger.
    fn ledger_head(&self, route: Route) -> Option<&str> {
        let is_from_it = matches!(route.handler, Handler::Ledger(_));
        self.ledger.as_deref().filter(|_| is_from_it).map(Ledger::head)
    }

    /// What an answer is made from: the snapshot, the ledger beside it, or what its own digest says.
    fn made(&self, answer: &Answer, asked: &Asked, route: Route) -> Made {
        let snapshot_id = self.dataset.as_deref().map(|dataset| dataset.snapshot_id().to_owned());
        let time = self.time(answer, asked);
        let moments = match time {
            Time::Come(come) => come,
            Time::Nothing | Time::NothingEver => 0,
        };
        let content = answer.digest.as_deref().or(snapshot_id.as_deref()).unwrap_or("");
        let ledger = self.ledger_head(route);
        let content = ledger.iter().fold(content.to_owned(), |content, head| format!("{content} {head}"));
        let (ids, query, moments) =
            (format!("{:?}", asked.ids), asked.params.normalised(), moments.to_string());
        let tag = respond::etag(&[&content, asked.operation.name, &ids, &query, &moments]);
        Made { tag, snapshot_id, time, link: None }
    }

    /// Answers that are not made from the snapshot's rows, or as of a date, do not look at the time; as of a date
    /// and from a named snapshot, they never change.
    fn time(&self, answer: &Answer, asked: &Asked) -> Time {
        let is_as_of = asked.is_of_a_day();
        match self.dataset.as_deref().filter(|_| answer.digest.is_none() && !is_as_of) {
            Some(dataset) => Time::Come(dataset.moments_come(asked.now)),
            None if is_as_of && asked.params.text("snapshot").is_some() => Time::NothingEver,
            None => Time::Nothing,
        }
    }
}
