//! Path and query parameters: what each allows, as a schema.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use super::{Vocabulary, descriptions};
use crate::{Operation, OperationId, Parameter, ParameterKind, comma_list, enums};

/// All parameters of an operation, those of the path first.
pub(super) fn all(operation: &Operation, words: &Vocabulary<'_>, to: &mut SchemaGenerator) -> Vec<Value> {
    let in_path = operation.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let mut all: Vec<Value> = in_path.map(|name| path(operation, name)).collect();
    all.extend(operation.parameters().map(|parameter| query(operation, parameter, words, to)));
    all
}

/// Ids in paths hold nothing that someone in front could read as another path.
fn path(operation: &Operation, name: &str) -> Value {
    let schema = match (operation.id, name) {
        (OperationId::Snapshot, _) => json!({"type": "string", "pattern": "^[0-9a-f]{32}$"}),
        (_, "file") => json!({"type": "string", "pattern": "^[a-z0-9_]+\\.(parquet|csv)$"}),
        (_, "table") => json!({"type": "string", "pattern": "^[a-z0-9_]+$"}),
        (OperationId::SnapshotTables | OperationId::SnapshotTableFile | OperationId::ExplainRow, _) => {
            json!({"type": "string", "pattern": "^([0-9a-f]{32}|current)$"})
        }
        _ => {
            json!({"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[A-Za-z0-9][A-Za-z0-9._~:-]*$"})
        }
    };
    json!({
        "name": name,
        "in": "path",
        "required": true,
        "description": match name {
            "file" => "Name of the table, and `.parquet` or `.csv`.",
            "table" => "Name of the table.",
            _ => operation.path_parameter,
        },
        "schema": schema,
    })
}

fn query(
    operation: &Operation,
    parameter: &Parameter,
    words: &Vocabulary<'_>,
    to: &mut SchemaGenerator,
) -> Value {
    let (schema, allows) = match names(parameter, words) {
        Some(names) => (list(&json!({"type": "string", "enum": names}), names.len()), comma_list(names)),
        None => (
            special(operation, parameter, words).unwrap_or_else(|| schema(parameter.kind, to)),
            parameter.kind.allows(),
        ),
    };
    let mut query = json!({
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": descriptions::query_parameter(operation, parameter, &allows),
        "schema": schema,
    });
    if query["schema"]["type"] == "array" {
        query["style"] = "form".into();
        query["explode"] = false.into();
    }
    query
}

/// The names that a list of them is of.
fn names<'a>(parameter: &Parameter, words: &Vocabulary<'a>) -> Option<&'a [&'a str]> {
    match (parameter.kind, parameter.name) {
        (ParameterKind::Names, "metrics") => Some(words.metrics),
        (ParameterKind::Names, "families") => Some(words.families),
        (ParameterKind::Names, "metric") => Some(words.split_metrics),
        (ParameterKind::Names, "family") => Some(words.split_families),
        _ => None,
    }
}

/// Texts that are more than texts.
fn special(operation: &Operation, parameter: &Parameter, words: &Vocabulary<'_>) -> Option<Value> {
    match (operation.id, parameter.name) {
        (OperationId::DnaQuery | OperationId::FighterDnaSeries, "metric") => {
            Some(json!({"type": "string", "enum": words.metrics}))
        }
        (_, "snapshot") => Some(json!({"type": "string", "pattern": "^[0-9a-f]{32}$"})),
        (_, "cursor") => Some(json!({"type": "string", "pattern": "^[0-9a-f]{24}$"})),
        _ => None,
    }
}

/// What a kind of parameter allows.
pub(crate) fn schema(kind: ParameterKind, to: &mut SchemaGenerator) -> Value {
    match kind {
        ParameterKind::Integer { min, max, default } => {
            json!({"type": "integer", "minimum": min, "maximum": max, "default": default})
        }
        ParameterKind::OptionalInteger { min, max } => {
            json!({"type": "integer", "minimum": min, "maximum": max})
        }
        ParameterKind::Choice { words, default } => {
            json!({"type": "string", "enum": words, "default": default})
        }
        ParameterKind::Word { words } => word(words, to),
        ParameterKind::Choices { words } => list(&word(words, to), words.len()),
        ParameterKind::Names => json!({"type": "array", "items": {"type": "string"}, "minItems": 1}),
        ParameterKind::Date => json!({"type": "string", "format": "date"}),
        ParameterKind::Instant | ParameterKind::Since => {
            json!({"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]})
        }
        ParameterKind::Boolean => json!({"type": "boolean"}),
        ParameterKind::Text { max_chars } => {
            json!({"type": "string", "minLength": 1, "maxLength": max_chars, "pattern": r"\S"})
        }
        ParameterKind::Ids { max } => list(&json!({"type": "string", "format": "uuid"}), max),
        ParameterKind::Number => json!({"type": "number"}),
        ParameterKind::Season => json!({"type": "string", "pattern": "^[0-9]{4}(-[0-9]{2})?$"}),
    }
}

fn list(items: &Value, max: usize) -> Value {
    json!({"type": "array", "items": items, "minItems": 1, "maxItems": max})
}

/// A closed list: by its name where a field of an answer has it too.
fn word(list: &[&str], to: &mut SchemaGenerator) -> Value {
    macro_rules! named {
        ($($name:ident),+) => { $(
            if enums::$name::json_schema(to).get("enum") == Some(&json!(list)) {
                return to.subschema_for::<enums::$name>().to_value();
            }
        )+ };
    }
    named!(
        WeightClass,
        Stance,
        Method,
        Division,
        VideoType,
        Checkpoint,
        SearchKind,
        CardInclude,
        FighterInclude
    );
    named!(SideOutcome, QuerySort);
    json!({"type": "string", "enum": list})
}
