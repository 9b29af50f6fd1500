//! Bodies as they are read before any rule: an object of texts, numbers, nulls, objects and lists. A repeated name is an
//! error here, where most readers would take the last. No error has a value of the body.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use crate::refusal::{Code, Refusal};

/// A name of a field, as much of it as a message may repeat.
const MAX_TOLD: usize = 64;

/// A value of a body.
pub(crate) enum JsonValue {
    Null,
    Text(String),
    Number(f64),
    Object(JsonObject),
    List(Vec<JsonValue>),
    /// A value that no field accepts.
    Other,
}

/// Fields in their order.
pub(crate) struct JsonObject(pub(crate) Vec<(String, JsonValue)>);

/// Reads a body.
///
/// # Errors
/// 400: it is no JSON object, or repeats a name.
pub(crate) fn parse_object(body: &[u8]) -> Result<JsonObject, Refusal> {
    let value = serde_json::from_slice::<JsonValue>(body).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = match error.to_string().strip_prefix(REPEATED) {
            Some(rest) => format!("{REPEATED}{}", rest.split(" at line ").next().unwrap_or_default()),
            None => format!("The body is not valid JSON in UTF-8: see line {line}, column {column}"),
        };
        Refusal::new(Code::InvalidBody, message)
    })?;
    match value {
        JsonValue::Object(object) => Ok(object),
        _ => Err(Refusal::new(Code::InvalidBody, "The body must be a JSON object")),
    }
}

const REPEATED: &str = "The body repeats the field ";

/// A name for a message: cut, and without what could be read as anything else.
pub(crate) fn printable_name(name: &str) -> String {
    let printable = |c: char| if c.is_ascii_graphic() && c != '`' { c } else { '?' };
    format!("`{}`", name.chars().take(MAX_TOLD).map(printable).collect::<String>())
}

impl<'de> Deserialize<'de> for JsonValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = JsonValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<JsonValue, E> {
        Ok(JsonValue::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<JsonValue, E> {
        Ok(JsonValue::Other)
    }

    #[expect(clippy::cast_precision_loss, reason = "fields that are numbers have bounds far below that")]
    fn visit_i64<E>(self, number: i64) -> Result<JsonValue, E> {
        Ok(JsonValue::Number(number as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "fields that are numbers have bounds far below that")]
    fn visit_u64<E>(self, number: u64) -> Result<JsonValue, E> {
        Ok(JsonValue::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<JsonValue, E> {
        Ok(JsonValue::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<JsonValue, E> {
        Ok(JsonValue::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<JsonValue, A::Error> {
        let mut all = Vec::new();
        while let Some(value) = seq.next_element()? {
            all.push(value);
        }
        Ok(JsonValue::List(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonValue, A::Error> {
        let (mut fields, mut names) = (Vec::new(), std::collections::HashSet::new());
        while let Some(name) = map.next_key::<String>()? {
            if !names.insert(name.clone()) {
                return Err(A::Error::custom(format_args!("{REPEATED}{}", printable_name(&name))));
            }
            fields.push((name, map.next_value()?));
        }
        Ok(JsonValue::Object(JsonObject(fields)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(body: &[u8]) -> String {
        parse_object(body).err().unwrap().message
    }

    #[test]
    fn a_repeated_name_is_refused_at_every_level() {
        assert_eq!(refused(br#"{"name":"a","name":"b"}"#), "The body repeats the field `name`");
        assert_eq!(refused(br#"{"metadata":{"a b":"1","a b":"2"}}"#), "The body repeats the field `a?b`");
        assert!(parse_object(br#"{"name":"a","metadata":{"name":"b"}}"#).is_ok());
    }

    #[test]
    fn what_is_no_object_is_refused_without_a_word_of_it() {
        let deep = "[".repeat(100_000);
        for body in [
            "",
            "secret",
            "\"secret\"",
            "[1]",
            "null",
            "{\"secret\":",
            "{}secret",
            "{\"a\":\"\u{1}\"}",
            &deep,
        ] {
            let message = refused(body.as_bytes());
            assert!(!message.contains("secret") && message.len() < 100, "{message}");
        }
        assert!(refused(b"{\"a\":\"\xff\"}").contains("line 1"));
        assert!(refused(br#"{"a":"\ud800"}"#).contains("line 1"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_judged(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse_object(&bytes);
        }
    }
}
