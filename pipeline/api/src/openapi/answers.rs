//! The body of each success: an envelope with the `data` and `meta` of its operation.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::body::*;
use crate::*;

/// Position profiles have no licensed source: there is no success to describe.
pub(super) fn is_ever_given(operation: &Operation) -> bool {
    operation.name != "fighter_position_profile"
}

/// Name of the envelope's schema.
pub(super) fn name(operation: &Operation) -> String {
    let capitalised = |word: &str| word[..1].to_uppercase() + &word[1..];
    operation.name.split('_').map(capitalised).collect::<String>() + "Answer"
}

/// The envelope of an operation; `None` where there never is a success.
pub(super) fn envelope(operation: &Operation, generator: &mut SchemaGenerator) -> Option<(String, Value)> {
    let (data, meta) = data(operation.name, generator)?;
    let meta = format!("#/components/schemas/{meta}Meta");
    let envelope = json!({
        "type": "object",
        "properties": {"ok": {"type": "boolean", "const": true}, "data": data, "meta": {"$ref": meta}},
        "required": ["ok", "data", "meta"],
    });
    Some((name(operation), envelope))
}

/// `data` of an operation and the kind of its `meta`.
fn data(name: &str, to: &mut SchemaGenerator) -> Option<(Schema, &'static str)> {
    Some(match name {
        "index" => (to.subschema_for::<Index<'_>>(), "Plain"),
        "events" => (to.subschema_for::<Vec<Event<'_>>>(), "Events"),
        "event" => (to.subschema_for::<Event<'_>>(), "Plain"),
        "card" => (to.subschema_for::<Card<'_>>(), "Card"),
        "event_articles" | "fighter_articles" => (to.subschema_for::<Vec<Article<'_>>>(), "Page"),
        "news" => (to.subschema_for::<Vec<Article<'_>>>(), "Page"),
        "article" => (to.subschema_for::<ArticleDetail<'_>>(), "Plain"),
        "fighters" => (to.subschema_for::<Vec<Fighter<'_>>>(), "Fighters"),
        "fighters_media" => (to.subschema_for::<FightersMedia<'_>>(), "Media"),
        "fighter" => (to.subschema_for::<FighterComposite<'_>>(), "Composite"),
        "fighter_history" => (to.subschema_for::<Vec<HistoryItem<'_>>>(), "Page"),
        "fighter_stats" => (to.subschema_for::<StatsOfFighter<'_>>(), "Plain"),
        "bout" => (to.subschema_for::<BoutDetail<'_>>(), "Plain"),
        "bout_stats" => (to.subschema_for::<BoutStats<'_>>(), "Plain"),
        "results" => (to.subschema_for::<Vec<BoutWithParties<'_>>>(), "Page"),
        "rankings" => (to.subschema_for::<Rankings<'_>>(), "Rankings"),
        "wire" => (to.subschema_for::<Vec<WireStory<'_>>>(), "Page"),
        "search" => (found(to), "Page"),
        "counts" => (to.subschema_for::<SnapshotCounts<'_>>(), "Plain"),
        "dna_metrics" => (to.subschema_for::<MetricCatalogue<'_>>(), "Count"),
        "dna_query" => (to.subschema_for::<Vec<QueryMatch<'_>>>(), "Query"),
        "fighter_dna" => (to.subschema_for::<FighterDna<'_>>(), "Plain"),
        "fighter_splits" => (to.subschema_for::<FighterSplits<'_>>(), "Plain"),
        "fighter_round_profile" => (to.subschema_for::<FighterRoundProfile<'_>>(), "Plain"),
        "fighter_finish_profile" => (to.subschema_for::<FighterFinishProfile<'_>>(), "Plain"),
        "matchup_dna" => (to.subschema_for::<MatchupDna<'_>>(), "Plain"),
        "bout_ledger" => (to.subschema_for::<Vec<LedgerRow<'_>>>(), "Ledger"),
        "event_intelligence" => (to.subschema_for::<Vec<IntelligenceOfBout<'_>>>(), "Intelligence"),
        "videos" => (to.subschema_for::<Vec<Video<'_>>>(), "Page"),
        "fighter_videos" | "bout_videos" => (to.subschema_for::<Vec<Video<'_>>>(), "Page"),
        "event_videos" => (to.subschema_for::<EventVideos<'_>>(), "Timeline"),
        "fighters_dna" => (to.subschema_for::<Vec<DnaOfOne<'_>>>(), "Media"),
        "fighter_dna_series" => (to.subschema_for::<FighterDnaSeries<'_>>(), "Page"),
        "event_matchups" => (to.subschema_for::<EventMatchups<'_>>(), "Matchups"),
        "dna_validity" => (to.subschema_for::<Validity<'_>>(), "Plain"),
        "snapshots" => (to.subschema_for::<Vec<Snapshot>>(), "Page"),
        "snapshot" => (to.subschema_for::<SnapshotManifest>(), "Plain"),
        "changes" => (to.subschema_for::<Vec<Change<'_>>>(), "Changes"),
        "fighter_record" => (to.subschema_for::<RecordOfFighter<'_>>(), "Plain"),
        "coverage" => (to.subschema_for::<Coverage<'_>>(), "Plain"),
        _ => return None,
    })
}

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
