//! JSON Schema of a route's answer, from the contracts of its tables.

use fdna_api::CATALOG_API;
use serde_json::{Map, Value, json};

use crate::data::{DataPart, RouteData};
use crate::{CatalogRoute, RouteShape};

/// The success of a route; `None` where it has no tables yet.
pub(crate) fn success(route: &CatalogRoute) -> Option<Value> {
    let data = one_of(data(route, route.data.as_ref()?), unavailable());
    let body = json!({
        "type": "object",
        "properties": {"ok": {"const": true}, "data": data, "meta": meta(route)},
        "required": ["ok", "data", "meta"],
    });
    Some(json!({"description": "As asked.", "content": {"application/json": {"schema": body}}}))
}

fn data(route: &CatalogRoute, data: &RouteData) -> Value {
    if route.shape != Some(RouteShape::Sections) {
        return data.parts.first().map_or(Value::Null, part);
    }
    let sections =
        data.parts.iter().map(|one| (one.name.clone(), one_of(part(one), json!({"type": "null"}))));
    let mut properties: Map<String, Value> = sections.collect();
    let required: Vec<String> = properties.keys().cloned().collect();
    let reasons = json!({
        "type": "object", "additionalProperties": {"type": "string"},
        "description": "Why sections are null.",
    });
    properties.insert("unavailable".to_owned(), reasons);
    json!({"type": "object", "properties": properties, "required": required})
}

fn one_of(a: Value, b: Value) -> Value {
    json!({"oneOf": [a, b]})
}

fn part(part: &DataPart) -> Value {
    let mut row = part.form.schema(part.table);
    if let Some(nested) = &part.nested {
        row["properties"][&nested.name] = json!({"type": "array", "items": nested.form.schema(part.table)});
        row["required"].as_array_mut().into_iter().for_each(|names| names.push(json!(nested.name)));
    }
    if part.is_list { json!({"type": "array", "items": row}) } else { row }
}

/// What is answered where a thing is known, and not what is asked of it.
fn unavailable() -> Value {
    json!({
        "type": "object",
        "description": "It is known, and this of it is not.",
        "properties": {"available": {"const": false}, "reason": {"type": "string"}},
        "required": ["available", "reason"],
    })
}

fn meta(route: &CatalogRoute) -> Value {
    let mut properties = json!({
        "api": {"const": CATALOG_API.name}, "version": {"type": "string"},
        "request_id": {"type": "string", "format": "uuid"},
        "sport": {"const": route.sport}, "route": {"const": route.path}, "kind": {"const": route.kind.name()},
        "snapshot_id": {"type": "string"},
        "sources": {"type": "array", "items": {"type": "object"}, "description": "Sources with licence, notice and newest capture."},
    });
    for parameter in &route.parameters {
        properties[parameter.name] = json!({"description": "As it was taken, defaults filled in."});
    }
    let required = ["api", "version", "request_id", "sport", "route", "kind", "snapshot_id", "sources"];
    json!({"type": "object", "properties": properties, "required": required})
}
