//! Rows of what surrounds the bouts, and interfaces over them at a time.

use std::sync::{Arc, Mutex};

use arrow::array::RecordBatch;
use axum::Router;
use chrono::{DateTime, Utc};
use fdna_server::{Clock, Dataset, ServingState, SnapshotTables, router};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::common::get;
use crate::snapshot::{self, info, table, tables};

/// An interface over the small snapshot with some tables changed, at a time.
pub(crate) fn app_at(now: &str, change: impl FnOnce(&mut SnapshotTables)) -> Router {
    Moved::at(now, change).app
}

/// The same with a clock that the test moves.
pub(crate) struct Moved {
    pub(crate) app: Router,
    now: Arc<Mutex<DateTime<Utc>>>,
}

impl Moved {
    pub(crate) fn at(now: &str, change: impl FnOnce(&mut SnapshotTables)) -> Self {
        let now = Arc::new(Mutex::new(now.parse().unwrap()));
        let told = Arc::clone(&now);
        let mut tables = tables("s1");
        change(&mut tables);
        let served = Arc::new(ServingState::new(None, Clock::new(move || *told.lock().unwrap())));
        served.publish(Dataset::build(info("s1"), &tables).unwrap());
        Self { app: router(served), now }
    }

    pub(crate) fn to(&self, now: &str) {
        *self.now.lock().unwrap() = now.parse().unwrap();
    }

    pub(crate) async fn data(&self, path: &str) -> Value {
        get(&self.app, path).await.data()
    }
}

/// Sources of these groups, each captured.
pub(crate) fn captured(groups: &[&str]) -> RecordBatch {
    table("sources", groups.iter().map(|group| source(group, &[group], Some("c"))).collect())
}

/// A source that feeds these groups, and its newest capture.
pub(crate) fn source(group: &str, feeds: &[&str], last_capture: Option<&str>) -> Value {
    json!({"source": format!("a-{group}"), "group": group, "feeds": json!(feeds).to_string(),
        "captures": i32::from(last_capture.is_some()), "last_capture": last_capture})
}

/// Ids as they stand in rows and answers.
pub(crate) fn uuid(n: u128) -> String {
    Uuid::from_u128(n).to_string()
}

pub(crate) fn event(source_id: &str) -> String {
    snapshot::event(source_id).to_string()
}

pub(crate) fn bout(source_id: &str) -> String {
    snapshot::bout(source_id).to_string()
}

pub(crate) fn fighter(source_id: &str) -> String {
    snapshot::fighter(source_id).to_string()
}

/// An image that is served, with more or other columns.
pub(crate) fn image(n: u128, who: Option<&str>, more: &Value) -> Value {
    let mut row = json!({"image_id": uuid(n), "fighter_id": who.map(fighter),
        "kind": "portrait", "license": "CC BY 4.0", "author": "Pia Lens", "attribution_text": "Pia Lens, CC BY 4.0",
        "image_url": format!("https://media.test/{n}.jpg"), "is_served": true, "is_primary": false,
        "stored_first_party": true, "created_at": "2025-01-01T00:00:00Z"});
    row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    row
}

/// That an item is about an entity.
pub(crate) fn mention(item: (&str, &str), entity: (&str, String)) -> Value {
    json!({"item_kind": item.0, "item_id": item.1, "entity_kind": entity.0, "entity_id": entity.1,
        "rule": "name", "score": 1.0})
}

/// What the rows of a list have in a field.
pub(crate) fn field<'a>(list: &'a Value, name: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|row| row[name].as_str().unwrap()).collect()
}
