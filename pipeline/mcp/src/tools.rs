//! The tools as clients see them: schemas of what they take and give, from the OpenAPI document of the API.

use std::collections::BTreeSet;
use std::sync::Arc;

use fdna_api::Operation;
use rmcp::model::{Tool, ToolAnnotations};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use crate::catalog;
use crate::questions::SqlQuestion;
use crate::tool_file::ToolEntry;

const COMPONENTS: &str = "#/components/schemas/";

/// A tool for `tools/list`. `document` is the OpenAPI document of the API.
pub(crate) fn listed_tool(entry: &ToolEntry, document: &Value) -> Tool {
    let (takes, gives) = match entry.operation() {
        Some(operation) => {
            (operation_input(entry, operation, document), operation_output(operation, document))
        }
        None => (input::<SqlQuestion>(), sql_output()),
    };
    let mut gives = with_cut(gives);
    if entry.name == "search" {
        gives["properties"]["catalog"] = catalog::output_schema();
    }
    if entry.name == "explain" {
        gives["properties"]["metric"] = metric_schema();
    }
    let annotations = ToolAnnotations::with_title(&entry.title);
    let annotations = annotations.read_only(true).destructive(false).idempotent(true).open_world(false);
    Tool::new(entry.name.clone(), entry.description.trim().to_owned(), Arc::new(object(takes)))
        .with_title(&entry.title)
        .with_raw_output_schema(Arc::new(object(gives)))
        .with_annotations(annotations)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The parameters of an operation as arguments, with the defaults of the tool.
fn operation_input(entry: &ToolEntry, operation: &Operation, document: &Value) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    let parameters = document["paths"][operation.path]["get"]["parameters"].as_array();
    for parameter in parameters.into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        let argument = entry.path.get(name).map_or(name, String::as_str);
        let mut schema = match parameter["schema"]["$ref"].as_str().and_then(|name| component(document, name))
        {
            Some(schema) => schema.clone(),
            None => parameter["schema"].clone(),
        };
        inline_refs(&mut schema, document);
        schema["description"] = parameter["description"].clone();
        if let Some(description) = entity_description(argument, &schema) {
            schema = json!({"type": "string", "minLength": 1, "maxLength": 200, "description": description});
        }
        if let Some(default) = entry.defaults.get(argument) {
            schema["default"] = json_default(&schema, default);
        }
        if parameter["required"] == true && !entry.defaults.contains_key(argument) {
            required.push(argument.to_owned());
        }
        properties.insert(argument.to_owned(), schema);
    }
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// What a tool takes for an entity, which is more than the path of the API does; `None` for an argument of another kind.
fn entity_description(argument: &str, schema: &Value) -> Option<String> {
    let description = schema["description"].as_str().unwrap_or_default();
    match argument {
        "event" => Some(format!("{description} Or `next`, or `latest`.")),
        name if name.starts_with("fighter") => {
            Some(format!("{description} Or the full name, where only one fighter has it."))
        }
        _ => None,
    }
}

/// A default as the schema has values: lists as lists.
fn json_default(schema: &Value, default: &toml::Value) -> Value {
    match default {
        toml::Value::String(text) if schema["type"] == "array" => text.split(',').collect(),
        toml::Value::Integer(number) => (*number).into(),
        other => other.as_str().unwrap_or_default().into(),
    }
}

/// The answer of an operation, with all that it refers to.
fn operation_output(operation: &Operation, document: &Value) -> Value {
    let content = &document["paths"][operation.path]["get"]["responses"]["200"]["content"];
    let schema = &content["application/json"]["schema"];
    let Some(answer) = schema["$ref"].as_str().and_then(|name| component(document, name)) else {
        return json!({"type": "object"});
    };
    let (mut definitions, mut wanted) = (Map::new(), BTreeSet::new());
    collect_refs(answer, &mut wanted);
    while let Some(name) = wanted.pop_first() {
        let Some(schema) = component(document, &name) else { continue };
        let key = name.trim_start_matches(COMPONENTS).to_owned();
        if !definitions.contains_key(&key) {
            collect_refs(schema, &mut wanted);
            definitions.insert(key, schema.clone());
        }
    }
    let mut schema = answer.clone();
    schema["$defs"] = definitions.into();
    as_definitions(&mut schema);
    schema
}

fn component<'d>(document: &'d Value, name: &str) -> Option<&'d Value> {
    document["components"]["schemas"].get(name.strip_prefix(COMPONENTS)?)
}

fn collect_refs(schema: &Value, into: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            into.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| collect_refs(field, into));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_refs(item, into)),
        _ => {}
    }
}

/// References as JSON Schema has them, and nothing that only OpenAPI knows.
fn as_definitions(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for name in ["discriminator", "example"] {
                if fields.get(name).is_none_or(|field| field.get("type").is_none()) {
                    fields.remove(name);
                }
            }
            if let Some(Value::String(name)) = fields.get_mut("$ref") {
                *name = name.replace(COMPONENTS, "#/$defs/");
            }
            fields.values_mut().for_each(as_definitions);
        }
        Value::Array(items) => items.iter_mut().for_each(as_definitions),
        _ => {}
    }
}

/// Puts what is referred to in its place: parameters are words and numbers.
fn inline_refs(schema: &mut Value, document: &Value) {
    if let Some(found) = schema["items"]["$ref"].as_str().and_then(|name| component(document, name)) {
        schema["items"] = found.clone();
    }
}

fn input<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    fdna_api::tidy(&mut schema);
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("title");
    }
    schema
}

/// Says that a list may have been cut.
fn with_cut(mut schema: Value) -> Value {
    schema["properties"]["cut"] = json!({
        "type": "object",
        "description": "Only where the answer was too long: which lists were cut at their end, and how to get the rest.",
        "properties": {
            "why": {"type": "string"},
            "lists": {"type": "array", "items": {
                "type": "object",
                "properties": {"list": {"type": "string"}, "given": {"type": "integer"}, "total": {"type": "integer"}},
                "required": ["list", "given"],
            }},
            "how_to_go_on": {"type": "string"},
        },
        "required": ["why", "lists", "how_to_go_on"],
    });
    schema
}

fn metric_schema() -> Value {
    let description = "Of a metric: value, interval, sample, prior, weight, definition version, and the bouts that were summed or \
        left out (`provenance`), as of `as_of`.";
    json!({"type": "object", "description": description})
}

fn sql_output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "data": {"type": "array", "items": {"type": "object"}, "description": "An object for each row, by column; what is unknown is null."},
            "meta": {
                "type": "object",
                "properties": {
                    "lake": {"type": "string"},
                    "snapshot_id": {"type": "string"},
                    "count": {"type": "integer", "description": "Rows that are given."},
                    "is_complete": {"type": "boolean", "description": "Whether the query has no more rows."},
                },
                "required": ["lake", "snapshot_id", "count", "is_complete"],
            },
        },
        "required": ["data", "meta"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool_file::ToolFile;

    fn document() -> Value {
        serde_json::from_slice(fdna_server::openapi_document()).unwrap()
    }

    /// Places of a schema that refer to something that is not in it.
    fn dangling(schema: &Value) -> Vec<String> {
        let mut wanted = BTreeSet::new();
        collect_refs(schema, &mut wanted);
        let is_there = |name: &String| {
            let name = name.strip_prefix("#/$defs/").unwrap_or_default();
            schema["$defs"].get(name).is_some()
        };
        wanted.into_iter().filter(|name| !is_there(name)).collect()
    }

    #[test]
    fn every_tool_has_whole_schemas_and_only_reads() {
        let (file, document) = (ToolFile::read(), document());
        let names: Vec<&str> = file.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["search", "fighter_as_of", "matchup", "leaders", "card", "explain", "sql"]);
        for entry in &file.tools {
            let tool = listed_tool(entry, &document);
            let (takes, gives) = (Value::from((*tool.input_schema).clone()), json!(tool.output_schema));
            assert_eq!((dangling(&takes), dangling(&gives)), (Vec::new(), Vec::new()), "{}", entry.name);
            assert_eq!((&takes["type"], &gives["type"]), (&json!("object"), &json!("object")));
            let size = serde_json::to_vec(&tool).unwrap().len();
            assert!(size < 40_000, "{} has {size} bytes", entry.name);
            let hints = tool.annotations.unwrap();
            assert_eq!((hints.read_only_hint, hints.destructive_hint), (Some(true), Some(false)));
        }
    }

    #[test]
    fn what_a_tool_declares_is_what_its_operation_has() {
        let (file, document) = (ToolFile::read(), document());
        for entry in file.tools.iter().filter(|entry| entry.operation.is_some()) {
            let operation = entry.operation().unwrap_or_else(|| panic!("{}: no such operation", entry.name));
            let takes = operation_input(entry, operation, &document);
            let arguments = takes["properties"].as_object().unwrap();
            let named = entry.path.values().chain(entry.defaults.keys());
            let named = named.chain(entry.unless.keys()).chain(entry.unless.values());
            for name in named {
                assert!(arguments.contains_key(name), "{}: {name}", entry.name);
            }
            for parameter in entry.path.keys() {
                assert!(operation.path.contains(&format!("{{{parameter}}}")), "{}: {parameter}", entry.name);
            }
            let described = arguments.values().all(|schema| schema["description"].is_string());
            assert!(described && arguments.contains_key("snapshot"), "{}: {takes}", entry.name);
        }
    }
}
