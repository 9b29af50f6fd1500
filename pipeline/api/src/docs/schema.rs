//! Schemas as a reader wants them: fields with their types in words, types with links.

use std::fmt::Write as _;

use serde_json::Value;

use super::markdown::{escaped, html, inline};
use super::ordered::ordered;

/// The type of a schema in words, such as `list of Event` or `date, or null`.
pub(super) fn type_of(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = escaped(reference.rsplit('/').next().unwrap_or_default());
        return format!("<a href=\"#schema-{name}\">{name}</a>");
    }
    if let Some(value) = schema.get("const") {
        return format!("<code>{}</code>", escaped(&value.to_string()));
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(options) = schema[key].as_array() {
            return options.iter().map(type_of).collect::<Vec<_>>().join(" or ");
        }
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        other => other.as_str().into_iter().collect(),
    };
    let words: Vec<String> = types.iter().map(|one| plain(one, schema)).collect();
    if words.is_empty() { "anything".to_owned() } else { words.join(" or ") }
}

fn plain(name: &str, schema: &Value) -> String {
    match name {
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => format!("[{}]", items.iter().map(type_of).collect::<Vec<_>>().join(", ")),
            None => format!("list of {}", type_of(&schema["items"])),
        },
        "object" if schema["additionalProperties"].is_object() => {
            format!("object by key of {}", type_of(&schema["additionalProperties"]))
        }
        "string" => schema["format"].as_str().map_or("string", |format| format).to_owned(),
        other => other.to_owned(),
    }
}

/// What a schema allows beside its type: words, bounds, default.
pub(super) fn limits(schema: &Value) -> String {
    let mut out = String::new();
    let words = schema["enum"].as_array().or(schema["items"]["enum"].as_array());
    if let Some(words) = words {
        let words: Vec<String> =
            words.iter().filter_map(Value::as_str).map(|w| format!("<code>{}</code>", escaped(w))).collect();
        let list = words.join(" ");
        if words.len() > 20 {
            let _ = write!(out, "<details><summary>One of {} values</summary>{list}</details>", words.len());
        } else {
            let _ = write!(out, "<div class=words>{list}</div>");
        }
    }
    if let Some(default) = schema.get("default") {
        let _ = write!(out, "<div>Default: <code>{}</code></div>", escaped(&default.to_string()));
    }
    out
}

/// A named schema with its fields.
pub(super) fn section(name: &str, schema: &Value) -> String {
    let name = escaped(name);
    let about = schema["description"].as_str().map(html).unwrap_or_default();
    let body = if schema["properties"].is_object() { fields(schema) } else { limits(schema) };
    format!(
        "<section class=schema id=\"schema-{name}\"><h3><a href=\"#schema-{name}\">{name}</a></h3>{about}{body}</section>\n"
    )
}

/// The fields of an object.
fn fields(schema: &Value) -> String {
    let required = schema["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
    let mut out = String::from("<dl>");
    for name in ordered(schema, &schema["properties"]) {
        let field = &schema["properties"][name];
        let optional = if is_required(name) { "" } else { " <i>optional</i>" };
        let about = field["description"].as_str().map(inline).unwrap_or_default();
        let (name, type_of, limits) = (escaped(name), type_of(field), limits(field));
        let _ = write!(
            out,
            "<dt><code>{name}</code> <span>{type_of}</span>{optional}</dt><dd>{about}{limits}</dd>"
        );
    }
    out + "</dl>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn types_are_said_in_words_nulls_among_them() {
        for (schema, words) in [
            (json!({"type": ["string", "null"], "format": "date"}), "date or null"),
            (
                json!({"anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "null"}]}),
                "<a href=\"#schema-A\">A</a> or null",
            ),
            (json!({"type": "array", "items": {"type": "integer"}}), "list of integer"),
            (
                json!({"type": "object", "additionalProperties": {"type": "number"}}),
                "object by key of number",
            ),
            (
                json!({"type": ["array", "null"], "prefixItems": [{"type": "number"}, {"type": "number"}]}),
                "[number, number] or null",
            ),
            (json!({"const": true, "type": "boolean"}), "<code>true</code>"),
            (json!({}), "anything"),
        ] {
            assert_eq!(type_of(&schema), words);
        }
    }
}
