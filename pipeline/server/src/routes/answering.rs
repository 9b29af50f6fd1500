//! The way from a request to an answer.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{Response, Uri};
use chrono::{DateTime, Utc};
use fdna_api::{ErrorCode, Failure, Index, MetaExtra, Operation};

use super::{Asked, Handler, ledger, snapshots, to_json};
use crate::Dataset;
use crate::ledger::Ledger;
use crate::params::{Params, path_ids};
use crate::respond::{self, Answer, CachePolicy};
use crate::swap::Served;

/// Answers one request from one snapshot, the current one unless it names another, and one ledger.
pub(super) async fn answer(
    served: &Served,
    operation: &'static Operation,
    handler: Handler,
    head: &Parts,
) -> Response<Body> {
    let current = served.dataset();
    let id = |dataset: &Option<Arc<Dataset>>| dataset.as_ref().map(|d| d.snapshot_id().to_owned());
    let asked = match ask(operation, &head.uri, served.now()) {
        Ok(asked) => asked,
        Err(failure) => return respond::failure(&failure, id(&current).as_deref()),
    };
    let dataset = match asked.params.text("snapshot") {
        None => current,
        Some(named) => match served.named(named).await {
            Ok(dataset) => Some(dataset),
            Err(failure) => return respond::failure(&failure, None),
        },
    };
    let ground = Ground { dataset, ledger: served.ledger() };
    let answered = match handler {
        Handler::Snapshots => snapshots::answer(served, &asked).await.map(Arc::new),
        Handler::Index => index(served, &asked).map(Arc::new),
        Handler::Snapshot(handle) => ground.kept(&asked, |data| handle(data, &asked)),
        Handler::Ledger(handle) => ground.handle(&asked, |data| {
            handle(data, ground.ledger.as_deref().ok_or_else(|| ledger::none(&asked))?, &asked).map(Arc::new)
        }),
    };
    let snapshot_id = id(&ground.dataset);
    match answered {
        Ok(answer) => {
            let time = Timeliness::of(&answer, &asked, ground.dataset.as_deref());
            let tag = tag(&asked, &ground.content(&answer, handler), time.come);
            respond::success(&answer, &tag, snapshot_id.as_deref(), time.cache, &head.headers)
        }
        Err(failure) => respond::failure(&failure, snapshot_id.as_deref()),
    }
}

fn ask(operation: &'static Operation, uri: &Uri, now: DateTime<Utc>) -> Result<Asked, Failure> {
    let ids = path_ids(operation.path, uri.path())?;
    let params = Params::parse(operation, uri.query().unwrap_or_default())?;
    let query = params.normalised();
    Ok(Asked { operation, ids, params, query, now })
}

fn index(served: &Served, asked: &Asked) -> Result<Answer, Failure> {
    let index = to_json(&Index::new(served.media_base_url()))?;
    Ok(asked.answer(index, MetaExtra::None {}))
}

/// What a request is answered from.
struct Ground {
    dataset: Option<Arc<Dataset>>,
    ledger: Option<Arc<Ledger>>,
}

impl Ground {
    /// As [`Self::handle`], if it was not asked before: the same question to the same snapshot has the same answer
    /// until time changes one, as its validator says.
    fn kept(
        &self,
        asked: &Asked,
        handle: impl FnOnce(&Dataset) -> Result<Answer, Failure>,
    ) -> Result<Arc<Answer>, Failure> {
        self.handle(asked, |data| {
            let come = data.moments_come(asked.now);
            let (name, ids) = (asked.operation.name, &asked.ids);
            let question = format!("{name} {ids:?} {} {come}", asked.query);
            if let Some(answer) = data.answers.get(&question) {
                return Ok(answer);
            }
            let answer = Arc::new(handle(data)?);
            data.answers.put(question, &answer);
            Ok(answer)
        })
    }

    fn handle(
        &self,
        asked: &Asked,
        handle: impl FnOnce(&Dataset) -> Result<Arc<Answer>, Failure>,
    ) -> Result<Arc<Answer>, Failure> {
        let none = || Failure::new(ErrorCode::SnapshotNotAvailable, "no snapshot is loaded yet");
        let dataset = self.dataset.as_deref().ok_or_else(none)?;
        dataset.sources.require(asked.operation)?;
        // A panic must not take the connection, and other streams on it, with it.
        std::panic::catch_unwind(AssertUnwindSafe(|| handle(dataset))).unwrap_or_else(|_| {
            tracing::error!(operation = asked.operation.name, "handler panicked");
            Err(Failure::new(ErrorCode::Internal, "answer could not be made"))
        })
    }

    /// What the answer is made from: the snapshot, the ledger beside it, or the answer's own digest.
    fn content(&self, answer: &Answer, handler: Handler) -> String {
        let snapshot = self.dataset.as_deref().map_or("", Dataset::snapshot_id);
        let content = answer.digest.as_deref().unwrap_or(snapshot);
        match (handler, &self.ledger) {
            (Handler::Ledger(_), Some(ledger)) => format!("{content} {}", ledger.head()),
            _ => content.to_owned(),
        }
    }
}

/// What time does to an answer: images and articles come and go while a snapshot is served.
struct Timeliness {
    /// How many of the snapshot's instants had come when it was made; 0 where time says nothing.
    come: usize,
    cache: CachePolicy,
}

impl Timeliness {
    /// Answers that are not made from the snapshot's rows, or as of a date, do not look at the time; as of a date
    /// and from a named snapshot, they never change.
    fn of(answer: &Answer, asked: &Asked, dataset: Option<&Dataset>) -> Self {
        let is_as_of = asked.params.date("as_of").is_some();
        if is_as_of && asked.params.text("snapshot").is_some() {
            return Self { come: 0, cache: CachePolicy::Immutable };
        }
        match dataset.filter(|_| answer.digest.is_none() && !is_as_of) {
            Some(dataset) => Self {
                come: dataset.moments_come(asked.now),
                cache: CachePolicy::lasting(dataset.unchanged_for(asked.now)),
            },
            None => Self { come: 0, cache: CachePolicy::lasting(None) },
        }
    }
}

fn tag(asked: &Asked, content: &str, moments: usize) -> String {
    let (ids, moments) = (format!("{:?}", asked.ids), moments.to_string());
    respond::etag(&[content, asked.operation.name, &ids, &asked.query, &moments])
}
