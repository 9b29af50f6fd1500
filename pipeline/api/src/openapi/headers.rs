//! Headers of answers, from `headers.json`: those of every answer, of a success, of a file and more.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A header of answers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderEntry {
    /// Name in the document.
    name: String,
    /// Name on the wire.
    header: String,
    /// Whether each answer of its kind has it.
    required: bool,
    schema: Value,
    description: String,
}

/// Headers by the kind of answer that has them.
static HEADERS: LazyLock<BTreeMap<String, Vec<HeaderEntry>>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("headers.json")).unwrap_or_else(|error| panic!("headers.json: {error}"))
});

/// All of them, for `components`.
pub(super) fn all() -> Map<String, Value> {
    let header = |entry: &HeaderEntry| {
        let HeaderEntry { name, required, schema, description, .. } = entry;
        (name.clone(), json!({"description": description, "schema": schema, "required": required}))
    };
    HEADERS.values().flatten().map(header).collect()
}

/// Of 200 and 304.
pub(super) fn of_success() -> Map<String, Value> {
    refs(&["common", "success", "gateway"])
}

/// Of 200 and 206 of a file.
pub(super) fn of_file(is_part: bool) -> Map<String, Value> {
    refs(&["common", "file", "content", if is_part { "part" } else { "whole" }, "gateway"])
}

/// Of 304 of a file.
pub(super) fn of_unchanged_file() -> Map<String, Value> {
    refs(&["common", "file", "gateway"])
}

/// Of an answer that the gateway makes itself.
pub(super) fn of_gateway() -> Map<String, Value> {
    refs(&["common", "gateway"])
}

/// Of an error: with `Retry-After` where a later request can succeed, with a challenge where a key is asked for.
pub(super) fn of_error(status: u16) -> Map<String, Value> {
    match status {
        401 => refs(&["common", "challenge", "gateway"]),
        416 => refs(&["common", "part", "gateway"]),
        429 | 503 => refs(&["common", "retry", "gateway"]),
        _ => refs(&["common", "gateway"]),
    }
}

/// The definitions that these references name, for a document without such components.
pub(super) fn resolve(headers: &mut Value) {
    let definitions = all();
    let Some(headers) = headers.as_object_mut() else { return };
    headers.retain(|wire, _| HEADERS["gateway"].iter().all(|entry| entry.header != *wire));
    for reference in headers.values_mut() {
        let name = reference["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        if let Some(definition) = name.and_then(|name| definitions.get(name)) {
            *reference = definition.clone();
        }
    }
}

fn refs(kinds: &[&str]) -> Map<String, Value> {
    let reference = |entry: &HeaderEntry| {
        (entry.header.clone(), json!({"$ref": format!("#/components/headers/{}", entry.name)}))
    };
    kinds.iter().flat_map(|kind| &HEADERS[*kind]).map(reference).collect()
}
