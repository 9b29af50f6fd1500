//! The interface over a lake, at a time that stands still.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use chrono::{DateTime, Utc};
use fdna_jobs::LakeExplainer;
use fdna_server::{Clock, LakeSource, ServingState, SnapshotSource as _, router};
use fdna_suite::TestLake;
use http_body_util::BodyExt as _;
use serde_json::Value;
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

/// In the fight week of the sample's next event.
pub(crate) const NOW: &str = "2025-11-18T00:00:00Z";

/// The whole interface over one lake.
pub(crate) struct App {
    router: Router,
    runtime: Runtime,
    _bench: TestLake,
}

/// An answer: the headers as sent, names in lower case.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Value,
}

/// The same, the body as sent.
pub(crate) struct Sent {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// Ids to ask for, from what the interface says itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ids {
    /// The newest fought event, and the next one.
    pub(crate) events: Vec<String>,
    /// Of their cards.
    pub(crate) bouts: Vec<String>,
    pub(crate) fighters: Vec<String>,
    pub(crate) slugs: Vec<String>,
    pub(crate) snapshot: String,
}

impl App {
    /// Over the sample.
    pub(crate) fn of_sample() -> Self {
        let bench = TestLake::new(env!("CARGO_BIN_EXE_fightdna-under-test"));
        run(&bench, NOW, &["run", "--quiet"]);
        Self::over(bench, NOW)
    }

    /// Over the sample's statistics, no other source.
    pub(crate) fn of_statistics_alone() -> Self {
        let bench = TestLake::new(env!("CARGO_BIN_EXE_fightdna-under-test"));
        let statsdb =
            concat!("statsdb=", env!("CARGO_MANIFEST_DIR"), "/../../data/sample/statsdb/2025-11-01");
        run(&bench, NOW, &["run", "--quiet", "--source", statsdb]);
        Self::over(bench, NOW)
    }

    /// Over whatever lies in a lake.
    pub(crate) fn over(bench: TestLake, now: &str) -> Self {
        let now: DateTime<Utc> = now.parse().unwrap();
        let source = Arc::new(LakeSource::new(bench.lake()));
        let served = ServingState::new(None, Clock::new(move || now)).with_source(source.clone());
        let served = served.with_explainer(Arc::new(LakeExplainer::new(bench.lake())));
        served.publish(source.load_whole(&source.current().unwrap().unwrap()).unwrap());
        source.load_ledger().unwrap().into_iter().for_each(|ledger| served.publish_ledger(ledger));
        Self { router: router(Arc::new(served)), runtime: Runtime::new().unwrap(), _bench: bench }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        let request = Request::builder().uri(path).header("host", "api.test").body(Body::empty()).unwrap();
        let Sent { status, headers, body } = self.send(request);
        // Of a file its headers alone are looked at here.
        let is_json = headers["content-type"] == "application/json";
        let body = if is_json { serde_json::from_slice(&body).unwrap() } else { Value::Null };
        Answer { status, headers, body }
    }

    pub(crate) fn send(&self, request: Request<Body>) -> Sent {
        self.runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.unwrap();
            let (head, body) = response.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let header = |(name, value): (&axum::http::HeaderName, &axum::http::HeaderValue)| {
                (name.as_str().to_owned(), value.to_str().unwrap().to_owned())
            };
            let headers = head.headers.iter().map(header).collect();
            Sent { status: head.status.as_u16(), headers, body: body.to_vec() }
        })
    }

    /// `data` of a success, null of a failure.
    pub(crate) fn data(&self, path: &str) -> Value {
        self.get(path).body["data"].take()
    }

    /// Ids of the newest fought event and of the next, of their bouts and fighters.
    pub(crate) fn ids(&self) -> Ids {
        let mut ids = Ids::default();
        for status in ["recent", "upcoming"] {
            for event in list(&self.data(&format!("/v1/mma/events?status={status}&limit=1"))) {
                ids.take_card(&self.data(&format!("/v1/mma/events/{}/card", text(&event["id"]))));
            }
        }
        ids.slugs = list(&self.data("/v1/mma/news")).iter().map(|article| text(&article["slug"])).collect();
        ids.snapshot = text(&self.data("/v1/mma/snapshots")[0]["id"]);
        ids
    }
}

impl Ids {
    /// Adds what stands on a card.
    pub(crate) fn take_card(&mut self, card: &Value) {
        self.events.push(text(&card["event"]["id"]));
        for bout in list(&card["bouts"]) {
            self.bouts.push(text(&bout["id"]));
            self.fighters.extend(["fighter_a", "fighter_b"].map(|side| text(&bout[side]["id"])));
        }
    }
}

pub(crate) fn run(bench: &TestLake, now: &str, args: &[&str]) {
    let output = bench.command(args).env("FIGHTDNA_NOW", now).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

pub(crate) fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
