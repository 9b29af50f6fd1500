//! Whether JSON is what a schema of the document says, strictly: an object has no field that its schema does not name.
//!
//! Only the keywords that the document uses; any other is a panic, so that none is passed over. Patterns are left to
//! what reads the document from outside.

use serde_json::{Map, Value};

/// What is wrong, each with its place; the first few.
pub(crate) fn problems(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    Check { document, found: &mut found }.check(schema, value, "");
    found.truncate(5);
    found
}

struct Check<'a> {
    document: &'a Value,
    found: &'a mut Vec<String>,
}

impl Check<'_> {
    fn check(&mut self, schema: &Value, value: &Value, at: &str) {
        if *schema == Value::Bool(true) {
            return;
        }
        let Some(keywords) = schema.as_object() else { panic!("no schema at {at}: {schema}") };
        for (keyword, says) in keywords {
            if let Err(problem) = self.keyword(keyword, says, keywords, value, at) {
                let shown: String = value.to_string().chars().take(100).collect();
                self.found.push(format!("{at}: {problem}: {shown}"));
            }
        }
    }

    fn keyword(
        &mut self,
        keyword: &str,
        says: &Value,
        keywords: &Map<String, Value>,
        value: &Value,
        at: &str,
    ) -> Result<(), String> {
        let ok = |is: bool| if is { Ok(()) } else { Err(format!("is not {keyword} {says:.200}")) };
        match keyword {
            "$ref" => {
                let pointer = says.as_str().and_then(|r| r.strip_prefix('#')).unwrap();
                let document = self.document;
                let target = document.pointer(pointer).unwrap_or_else(|| panic!("{says} leads nowhere"));
                self.check(target, value, at);
                Ok(())
            }
            "type" => ok(is_of_type(says, value)),
            "const" => ok(says == value),
            "enum" => ok(says.as_array().unwrap().contains(value)),
            "anyOf" | "oneOf" => self.one_of(keyword, says.as_array().unwrap(), value),
            "properties" => {
                self.properties(says, keywords, value, at);
                Ok(())
            }
            "required" => {
                let missing =
                    says.as_array().unwrap().iter().find(|name| value.get(name.as_str().unwrap()).is_none());
                missing.filter(|_| value.is_object()).map_or(Ok(()), |name| Err(format!("lacks {name}")))
            }
            "items" | "prefixItems" => {
                self.items(says, value, at);
                Ok(())
            }
            "format" => ok(value.as_str().is_none_or(|text| is_of_format(says.as_str().unwrap(), text))),
            "minimum" => ok(value.as_f64().is_none_or(|n| n >= says.as_f64().unwrap())),
            "maximum" => ok(value.as_f64().is_none_or(|n| n <= says.as_f64().unwrap())),
            "minItems" => {
                ok(value.as_array().is_none_or(|items| items.len() as u64 >= says.as_u64().unwrap()))
            }
            "maxItems" => {
                ok(value.as_array().is_none_or(|items| items.len() as u64 <= says.as_u64().unwrap()))
            }
            // Looked at with `properties`.
            "additionalProperties" if keywords.contains_key("properties") => Ok(()),
            "additionalProperties" => {
                for (name, field) in value.as_object().into_iter().flatten() {
                    self.check(says, field, &format!("{at}/{name}"));
                }
                Ok(())
            }
            "description" | "title" | "pattern" | "discriminator" | "default" | "examples" => Ok(()),
            other => panic!("nobody looks at `{other}`"),
        }
    }

    /// `anyOf` wants one or more, `oneOf` exactly one.
    fn one_of(&mut self, keyword: &str, options: &[Value], value: &Value) -> Result<(), String> {
        let tried: Vec<_> = options.iter().map(|option| problems(self.document, option, value)).collect();
        match tried.iter().filter(|found| found.is_empty()).count() {
            1 => Ok(()),
            n if n > 1 && keyword == "anyOf" => Ok(()),
            0 => Err(format!("fits none: {}", tried.concat().join("; "))),
            n => Err(format!("fits {n}")),
        }
    }

    fn properties(&mut self, says: &Value, keywords: &Map<String, Value>, value: &Value, at: &str) {
        let is_open = keywords.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false));
        for (name, field) in value.as_object().into_iter().flatten() {
            match says.get(name) {
                Some(schema) => self.check(schema, field, &format!("{at}/{name}")),
                None if is_open => {}
                None => self.found.push(format!("{at}: `{name}` is not documented")),
            }
        }
    }

    fn items(&mut self, says: &Value, value: &Value, at: &str) {
        for (n, item) in value.as_array().into_iter().flatten().enumerate() {
            let schema = if says.is_array() { &says[n] } else { says };
            self.check(schema, item, &format!("{at}/{n}"));
        }
    }
}

fn is_of_type(says: &Value, value: &Value) -> bool {
    match says {
        Value::Array(types) => types.iter().any(|one| is_of_type(one, value)),
        name => match name.as_str().unwrap() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("no such type: {other}"),
        },
    }
}

fn is_of_format(format: &str, text: &str) -> bool {
    match format {
        "uuid" => text.len() == 36 && uuid::Uuid::try_parse(text).is_ok(),
        "date" => text.len() == 10 && text.parse::<chrono::NaiveDate>().is_ok(),
        "date-time" => chrono::DateTime::parse_from_rfc3339(text).is_ok() && text.ends_with("+00:00"),
        "uri" => text.is_ascii() && text.starts_with("http"),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::problems;
    use serde_json::{Value, json};

    #[test]
    fn what_is_missing_more_or_of_another_type_is_found() {
        let schema = json!({
            "type": "object",
            "properties": {
                "a": {"type": ["integer", "null"], "minimum": 1},
                "b": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "null"}]},
                "c": {"type": "array", "items": {"type": "string", "format": "date"}},
            },
            "required": ["a"],
        });
        let of = |value: Value| problems(&Value::Null, &schema, &value).len();
        for good in
            [json!({"a": 1}), json!({"a": null, "b": "x", "c": ["2024-02-29"]}), json!({"a": 2, "b": null})]
        {
            assert_eq!(of(good.clone()), 0, "{good}");
        }
        for bad in [
            json!({}),
            json!({"a": 0}),
            json!({"a": 1.5}),
            json!({"a": "1"}),
            json!({"a": 1, "d": 1}),
            json!({"a": 1, "b": "y"}),
            json!({"a": 1, "c": ["2023-02-29"]}),
            json!([]),
        ] {
            assert!(of(bad.clone()) > 0, "{bad}");
        }
    }
}
