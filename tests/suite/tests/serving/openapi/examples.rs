//! Examples from the sample: answers as they are, long lists cut.

use fdna_api::{Operation, all_operations};
use serde_json::{Value, json};

use crate::openapi::app::{App, Ids};
use crate::openapi::asked::{STREAM, TABLE, filled};

/// Stands for the id of a request.
const REQUEST_ID: &str = "00000000-0000-4000-8000-000000000000";

/// The document with an example of each answer that the sample gives, and of each parameter.
pub(crate) fn added(mut document: Value, app: &App) -> Value {
    let ids = app.ids();
    for operation in all_operations() {
        let get = &mut document["paths"][operation.path]["get"];
        let path = filled(operation.path, &ids).remove(0);
        let query = query(operation, &ids);
        for parameter in get["parameters"].as_array_mut().unwrap() {
            if let Some(example) = of_parameter(operation, parameter, &ids, &query) {
                parameter["example"] = example;
            }
        }
        let unknown = operation.path.replace("{id}", "nobody").replace("{slug}", "none");
        let unknown = unknown.replace("{table}", "none").replace("{fighterA}", "a");
        for asked in [format!("{path}?{query}"), format!("{path}?colour=red"), unknown] {
            if operation.name == STREAM && !asked.contains("colour") {
                continue;
            }
            let mut answer = app.get(asked.trim_end_matches('?'));
            if answer.body.is_null() {
                continue;
            }
            let content = &mut get["responses"][answer.status.to_string()]["content"]["application/json"];
            if content.get("example").is_none() {
                answer.body["meta"]["request_id"] = REQUEST_ID.into();
                cut(&mut answer.body);
                content["example"] = answer.body;
            }
        }
    }
    document
}

/// The query string of the index's example, with ids and dates of the sample.
fn query(operation: &Operation, ids: &Ids) -> String {
    let query = match operation.name {
        "fighters_media" => "ids={id}",
        "fighters_dna" => "ids={id}&families=striking_offence",
        "search" => "q=sample",
        "explain_row" => "key={id}&column=weight_lbs",
        "fighters" => "q=urk&limit=60&offset=0",
        "results" => "from=2024-01-01&limit=50",
        "changes" => "since=2025-11-01&limit=100",
        "dna_query" => "metric=sig_landed_per_min&min=2&min_confidence=low&limit=50",
        "videos" | "event_videos" => "limit=20",
        _ => operation.example,
    };
    query.replace("{id}", &ids.fighters[0])
}

/// What the example gives a parameter; of a path, the id.
fn of_parameter(operation: &Operation, parameter: &Value, ids: &Ids, query: &str) -> Option<Value> {
    let name = parameter["name"].as_str()?;
    if parameter["in"] == "path" {
        return Some(match (name, operation.name) {
            ("fighterB", _) => ids.fighters[1].clone().into(),
            ("fighterA", _) => ids.fighters[0].clone().into(),
            ("slug", _) => ids.slugs[0].clone().into(),
            ("file", _) => TABLE.into(),
            ("table", _) => "fighters".into(),
            (_, "explain_row") => ids.snapshot.clone().into(),
            (_, name) if name.starts_with("snapshot") => ids.snapshot.clone().into(),
            (_, name) if name.starts_with("fighter") => ids.fighters[0].clone().into(),
            (_, name) if name.starts_with("bout") => ids.bouts[0].clone().into(),
            _ => ids.events[0].clone().into(),
        });
    }
    let given = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = given.into_iter().find(|(given, _)| *given == name)?;
    Some(match parameter["schema"]["type"].as_str() {
        Some("integer" | "number" | "boolean") => serde_json::from_str(value).ok()?,
        Some("array") => json!(value.split(',').collect::<Vec<_>>()),
        _ => value.into(),
    })
}

/// Lists of objects keep one entry, other lists six.
fn cut(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.truncate(if items.iter().any(Value::is_object) { 1 } else { 6 });
            items.iter_mut().for_each(cut);
        }
        Value::Object(fields) => fields.values_mut().for_each(cut),
        _ => {}
    }
}
