//! The body of each success: an envelope with the `data` and `meta` of its operation.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::*;

/// Name of the envelope's schema.
pub(super) fn name(operation: &Operation) -> String {
    let capitalised = |word: &str| word[..1].to_uppercase() + &word[1..];
    operation.name.split('_').map(capitalised).collect::<String>() + "Answer"
}

/// The envelope of an operation; `None` where there never is a success.
pub(super) fn envelope(operation: &Operation, generator: &mut SchemaGenerator) -> Option<(String, Value)> {
    let response = operation.response?;
    let (data, meta) = ((response.data)(generator), response.meta);
    let meta = format!("#/components/schemas/{meta}Meta");
    let envelope = json!({
        "type": "object",
        "properties": {"ok": {"type": "boolean", "const": true}, "data": data, "meta": {"$ref": meta}},
        "required": ["ok", "data", "meta"],
    });
    Some((name(operation), envelope))
}

/// Every kind of `meta`: the common fields and those of the kind.
pub(super) fn metas(to: &mut SchemaGenerator) -> Map<String, Value> {
    let common = Meta::json_schema(to).to_value();
    let kinds = MetaExtra::json_schema(to).to_value();
    let query = QueryMeta::json_schema(to).to_value();
    let kinds = kinds["anyOf"].as_array().cloned().unwrap_or_default();
    let with_common = |mut kind: Value| {
        let title = kind["title"].as_str().unwrap_or_default().replace("NoneMeta", "PlainMeta");
        if title == "QueryMeta" {
            kind = query.clone();
        }
        (title, merged(&common, &kind))
    };
    kinds.into_iter().map(with_common).collect()
}

/// Fields of both.
fn merged(common: &Value, kind: &Value) -> Value {
    let fields = |key: &'static str| [common, kind].into_iter().filter_map(move |schema| schema.get(key));
    let properties: Map<String, Value> =
        fields("properties").filter_map(Value::as_object).flat_map(Map::clone).collect();
    let required: Vec<&Value> = fields("required").filter_map(Value::as_array).flatten().collect();
    json!({
        "type": "object",
        "description": kind.get("description").or(common.get("description")),
        "properties": properties,
        "required": required,
    })
}
