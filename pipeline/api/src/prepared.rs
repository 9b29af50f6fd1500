//! Parts of an answer that were written as JSON before it was asked for.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{MapAccess, Visitor};
use serde::ser::{Error as _, SerializeMap as _};
use serde::{Deserializer as _, Serialize, Serializer};
use serde_json::value::RawValue;

/// A `T` as JSON: serialises as it is, and has the schema of `T`. A record is written once, when a snapshot is loaded,
/// and stands in many answers.
pub struct PreparedJson<'a, T: ?Sized> {
    json: Cow<'a, [u8]>,
    of: PhantomData<fn() -> Box<T>>,
}

impl<'a, T: ?Sized> PreparedJson<'a, T> {
    /// JSON that is one of a `T`.
    pub fn new(json: impl Into<Cow<'a, [u8]>>) -> Self {
        Self { json: json.into(), of: PhantomData }
    }
}

impl<T: ?Sized> fmt::Debug for PreparedJson<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.json))
    }
}

impl<T: ?Sized> Serialize for PreparedJson<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_slice(&self.json).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<T: JsonSchema + ?Sized> JsonSchema for PreparedJson<'_, T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// For `#[serde(flatten, serialize_with)]`: the fields of an object, for serde cannot flatten JSON that it has not read.
pub(crate) fn fields<S: Serializer, T: ?Sized>(
    object: &PreparedJson<'_, T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let fields = serde_json::Deserializer::from_slice(&object.json).deserialize_map(FieldVisitor);
    let fields = fields.map_err(S::Error::custom)?;
    let mut map = serializer.serialize_map(Some(fields.len()))?;
    for (name, value) in &fields {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

/// The fields of an object in their order.
struct FieldVisitor;

impl<'de> Visitor<'de> for FieldVisitor {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        std::iter::from_fn(|| map.next_entry().transpose()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct AnswerOfParts<'a> {
        part: PreparedJson<'a, str>,
        #[serde(flatten, serialize_with = "fields")]
        object: PreparedJson<'a, str>,
        last: u8,
    }

    fn whole(part: &str, object: &str) -> serde_json::Result<String> {
        let prepared = |json: &str| PreparedJson::new(json.as_bytes().to_vec());
        serde_json::to_string(&AnswerOfParts { part: prepared(part), object: prepared(object), last: 1 })
    }

    #[test]
    fn parts_stand_as_they_were_written() {
        let answer = whole(r#"[1.0, "ä"]"#, r#"{"z":1e3,"\"a":{"b":null}}"#).unwrap();
        assert_eq!(answer, r#"{"part":[1.0, "ä"],"z":1e3,"\"a":{"b":null},"last":1}"#);
        assert_eq!(whole("null", "{}").unwrap(), r#"{"part":null,"last":1}"#);
    }

    #[test]
    fn what_is_no_json_is_an_error() {
        assert!(whole("[1", "{}").is_err());
        assert!(whole("1", "[1]").is_err());
        assert!(whole("1", "{} {}").is_ok(), "of an object its fields alone are read");
    }
}
