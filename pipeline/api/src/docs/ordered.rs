//! Example answers as the server writes them: fields in the order of their schema, not of the alphabet, in which a
//! parsed document has them.

use serde_json::Value;

/// Text of a value that is this short stands in a line.
const LINE: usize = 76;

/// Schemas by name.
pub(super) struct Schemas<'a>(&'a Value);

impl<'a> Schemas<'a> {
    pub(super) fn of(document: &'a Value) -> Self {
        Self(&document["components"]["schemas"])
    }

    /// A value in the order of its schema, indented.
    pub(super) fn written(&self, schema: &'a Value, value: &Value) -> String {
        let mut out = String::new();
        self.write(schema, value, 0, &mut out);
        out
    }

    fn write(&self, schema: &'a Value, value: &Value, depth: usize, out: &mut String) {
        let schema = self.resolved(schema, value);
        let inner = "  ".repeat(depth + 1);
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                let in_line = fields.values().all(|value| !value.is_object() && !value.is_array());
                if in_line && value.to_string().len() <= LINE && fields.len() <= 4 {
                    let parts: Vec<String> = ordered(schema, value)
                        .into_iter()
                        .map(|name| format!("{name:?}: {}", fields[name]))
                        .collect();
                    *out += &format!("{{ {} }}", parts.join(", "));
                    return;
                }
                *out += "{\n";
                for (place, name) in ordered(schema, value).into_iter().enumerate() {
                    let comma = if place == 0 { "" } else { ",\n" };
                    *out += &format!("{comma}{inner}{name:?}: ");
                    self.write(field(schema, name), &fields[name], depth + 1, out);
                }
                *out += &format!("\n{}}}", "  ".repeat(depth));
            }
            Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                *out += "[\n";
                for (place, item) in items.iter().enumerate() {
                    *out += if place == 0 { "" } else { ",\n" };
                    *out += &inner;
                    self.write(&schema["items"], item, depth + 1, out);
                }
                *out += &format!("\n{}]", "  ".repeat(depth));
            }
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(Value::to_string).collect();
                *out += &format!("[{}]", items.join(", "));
            }
            other => *out += &other.to_string(),
        }
    }

    /// The schema behind references, and of several the first that has all of a value's fields.
    fn resolved(&self, schema: &'a Value, value: &Value) -> &'a Value {
        if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
            return self.resolved(&self.0[name], value);
        }
        let options = schema["anyOf"].as_array().or(schema["oneOf"].as_array());
        let has_all = |option: &&Value| match (value, option["properties"].as_object()) {
            (Value::Object(fields), Some(known)) => fields.keys().all(|name| known.contains_key(name)),
            (Value::Object(_), None) => option["additionalProperties"].is_object(),
            (Value::Array(_), _) => option["items"].is_object(),
            _ => false,
        };
        let resolved = |option: &'a Value| self.resolved(option, value);
        options.into_iter().flatten().map(resolved).find(has_all).unwrap_or(schema)
    }
}

/// Names of a value's fields: the required ones in the order of the schema, which is the server's, then the rest.
pub(super) fn ordered<'v>(schema: &Value, value: &'v Value) -> Vec<&'v str> {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let place = |name: &str| required.iter().position(|one| *one == name).unwrap_or(usize::MAX);
    let mut names: Vec<&str> =
        value.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    names.sort_by_key(|name| place(name));
    names
}

fn field<'s>(schema: &'s Value, name: &str) -> &'s Value {
    schema["properties"].get(name).unwrap_or(&schema["additionalProperties"])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_stand_in_the_order_of_the_schema_at_every_depth() {
        let document = json!({"components": {"schemas": {
            "Fighter": {"properties": {"name": {}, "id": {}, "bouts": {"type": "array", "items": {"$ref": "#/c/Bout"}}},
                "required": ["id", "name", "bouts"]},
            "Bout": {"properties": {"round": {}, "at": {}}, "required": ["round", "at"]},
        }}});
        let schemas = Schemas::of(&document);
        let answer = json!({"anyOf": [{"$ref": "#/c/Bout"}, {"$ref": "#/c/Fighter"}, {"type": "null"}]});
        let value = json!({"bouts": [{"at": "2:28", "round": 2}], "id": "f1", "name": "A", "zone": [1, 2]});
        let value = json!({"bouts": value["bouts"], "id": "f1", "name": "A"});
        assert_eq!(
            schemas.written(&answer, &value),
            "{\n  \"id\": \"f1\",\n  \"name\": \"A\",\n  \"bouts\": [\n    { \"round\": 2, \"at\": \"2:28\" }\n  ]\n}"
        );
        assert_eq!(
            schemas.written(&json!({}), &json!({"b": [], "a": {}})),
            "{\n  \"a\": {},\n  \"b\": []\n}"
        );
    }
}
