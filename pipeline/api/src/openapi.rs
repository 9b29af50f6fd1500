//! The OpenAPI 3.1 document, from the list of operations and the schemas of the wire types.
//!
//! It is a function of this crate and of the metric names, so that a test can hold the checked-in copy against it.
//! Whoever writes that copy adds examples, which need a snapshot.

mod account;
mod descriptions;
mod errors;
mod file;
mod headers;
mod normalize;
mod parameters;
mod responses;
mod stream;

pub use file::table_file_schema;
pub use stream::change_stream_schema;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::{
    ACCOUNT_USAGE, ACCOUNT_WEBHOOKS, API_VERSION, DataSource, Operation, OperationId, ParameterKind, Plan,
    all_operations,
};

/// Words that parameters allow and that this crate does not know.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary<'a> {
    /// Metrics that may be queried.
    pub metrics: &'a [&'a str],
    /// Their families.
    pub families: &'a [&'a str],
    /// Metrics that splits show, and their families.
    pub split_metrics: &'a [&'a str],
    pub split_families: &'a [&'a str],
}

/// The document, without examples of answers.
#[must_use]
pub fn document(words: &Vocabulary<'_>) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|s| s.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    let mut schemas = Map::new();
    for operation in all_operations() {
        if let Some((name, schema)) = responses::envelope(operation, &mut generator) {
            schemas.insert(name, schema);
        }
    }
    schemas.extend(account::answers(&mut generator));
    schemas.extend(responses::metas(&mut generator));
    let _ = generator.subschema_for::<crate::ErrorBody<'_>>();
    let mut paths = paths(words, &mut generator);
    paths.insert(ACCOUNT_USAGE.to_owned(), json!({"get": account::usage()}));
    paths.insert(ACCOUNT_WEBHOOKS.to_owned(), json!({"get": account::webhooks()}));
    // What stands here already is `meta` of a kind, whole: its own fields are among the definitions.
    for (name, schema) in generator.take_definitions(true) {
        schemas.entry(name).or_insert(schema);
    }
    let mut document = skeleton(include_str!("openapi/document.json"));
    document["info"]["description"] = include_str!("openapi/about.md").into();
    document["info"]["version"] = API_VERSION.into();
    document["paths"] = paths.into();
    document["components"]["schemas"] = schemas.into();
    document["components"]["headers"] = headers::all().into();
    normalize::tidy(&mut document);
    document
}

/// The schema of what a parameter allows, for a document of another API.
#[must_use]
pub fn parameter_schema(kind: ParameterKind) -> Value {
    parameters::schema(kind, &mut SchemaSettings::draft2020_12().into_generator())
}

/// Readers of the document expect small things otherwise than they are generated: lines of one paragraph become one line.
pub fn tidy(document: &mut Value) {
    normalize::tidy(document);
}

/// Reads the parts of a document that no code decides.
///
/// # Panics
/// The text, which is compiled in, is no JSON.
#[must_use]
pub fn skeleton(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("the skeleton of a document: {error}"))
}

fn paths(words: &Vocabulary<'_>, generator: &mut SchemaGenerator) -> Map<String, Value> {
    let mut item = |operation: &Operation| json!({"get": get(operation, words, generator)});
    all_operations().map(|operation| (operation.path.to_owned(), item(operation))).collect()
}

fn get(operation: &Operation, words: &Vocabulary<'_>, generator: &mut SchemaGenerator) -> Value {
    let mut get = json!({
        "operationId": operation.name,
        "summary": operation.summary,
        "description": descriptions::description(operation),
        "tags": [operation.tag],
        "parameters": parameters::all(operation, words, generator),
        "responses": responses(operation),
        "x-minimum-plan": operation.plan.name(),
        "x-origin": operation.origin.name(),
        "x-ground": source(operation.source),
    });
    if let Some(parameters) = get["parameters"].as_array_mut() {
        match operation.id {
            OperationId::SnapshotTableFile => parameters.extend(file::parameters()),
            OperationId::ChangesStream => parameters.push(stream::parameter()),
            _ => {}
        }
    }
    if operation.plan_with(&["stats"]) != operation.plan && takes_stats(operation) {
        get["x-plan-of-parameters"] = json!({"include=stats": Plan::Pro.name()});
    }
    get
}

/// Whether `include` may be `stats`.
fn takes_stats(operation: &Operation) -> bool {
    operation.parameters().any(|p| p.name == "include" && p.kind.allows().contains("stats"))
}

fn source(source: DataSource) -> &'static str {
    match source {
        DataSource::Contract => "contract",
        DataSource::Snapshot => "snapshot",
        DataSource::Ledger => "ledger",
        DataSource::Lake => "lake",
    }
}

fn responses(operation: &Operation) -> Map<String, Value> {
    let mut responses = errors::responses(operation);
    if operation.id == OperationId::SnapshotTableFile {
        responses.extend(file::responses());
    }
    if operation.id == OperationId::ChangesStream {
        responses.insert("200".to_owned(), stream::response());
    }
    if operation.response.is_some() {
        let schema = json!({"$ref": format!("#/components/schemas/{}", responses::name(operation))});
        responses.insert(
            "200".to_owned(),
            json!({
                "description": "As asked.",
                "headers": headers::of_success(),
                "content": {"application/json": {"schema": schema}},
            }),
        );
        let unchanged = json!({
            "description": "What the client has by `If-None-Match` is what it would get: free of the month's quota.",
            "headers": headers::of_success(),
        });
        responses.insert("304".to_owned(), unchanged);
    }
    responses
}

#[cfg(test)]
mod tests;
