//! `GET /v1/mma/search`

use super::parameters::{CURSOR, LIMIT};
use super::results::BoutWithParties;
use crate::operation::Response;
use crate::param::{Param, RequiredText, Words};
use crate::{
    Article, EventCompact, FighterCompact, Operation, OperationId, Origin, Plan, PreparedJson, SEARCH_KINDS,
    SearchHead,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value, json};

pub const Q: Param<RequiredText> = Param::required_text("q", 100, "Words to find.");
pub const KIND: Param<Words> = Param::words("kind", SEARCH_KINDS, "Kinds to find.");

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Search,
    name: "search",
    path: "/v1/mma/search",
    tag: "Core",
    summary: "Search",
    description: "Fighters, events, bouts and articles in one list, the best first. Accents are folded, small typing errors forgiven.",
    parameters: &[Q.declared(), KIND.declared(), LIMIT.within((1, 100), 20).declared(), CURSOR.declared()],
    example: "q=silva",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Some(Response { data: found, meta: "Page" }),
    ..Operation::DEFAULT
};

/// What a search finds, told apart by `kind`.
fn found(to: &mut SchemaGenerator) -> Schema {
    let kinds = [
        ("fighter", "FoundFighter", to.subschema_for::<FoundFighter<'_>>()),
        ("event", "FoundEvent", to.subschema_for::<FoundEvent<'_>>()),
        ("bout", "FoundBout", to.subschema_for::<FoundBout<'_>>()),
        ("article", "FoundArticle", to.subschema_for::<FoundArticle<'_>>()),
    ];
    for (kind, name, _) in &kinds {
        if let Some(schema) = to.definitions_mut().get_mut(*name) {
            schema["properties"]["kind"] = json!({"type": "string", "const": kind});
        }
    }
    let mapping: Map<String, Value> = kinds
        .iter()
        .map(|(kind, name, _)| ((*kind).to_owned(), format!("#/components/schemas/{name}").into()))
        .collect();
    let refs: Vec<&Schema> = kinds.iter().map(|(_, _, schema)| schema).collect();
    let items = json!({"oneOf": refs, "discriminator": {"propertyName": "kind", "mapping": mapping}});
    schemars::json_schema!({"type": "array", "items": items})
}

/// One of those.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum SearchResult<'a> {
    Fighter(FoundFighter<'a>),
    Event(FoundEvent<'a>),
    Bout(Box<FoundBout<'a>>),
    Article(FoundArticle<'a>),
}

/// A fighter that was found.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FoundFighter<'a> {
    #[serde(flatten)]
    pub head: SearchHead,
    pub record: FighterCompact<'a>,
}

/// An event that was found.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FoundEvent<'a> {
    #[serde(flatten)]
    pub head: SearchHead,
    pub record: PreparedJson<'a, EventCompact<'a>>,
}

/// A bout that was found.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FoundBout<'a> {
    #[serde(flatten)]
    pub head: SearchHead,
    pub record: BoutWithParties<'a>,
}

/// An article that was found.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FoundArticle<'a> {
    #[serde(flatten)]
    pub head: SearchHead,
    pub record: Article<'a>,
}
