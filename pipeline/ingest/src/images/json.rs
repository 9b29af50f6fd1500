//! The shapes in which records of images come.

use std::fmt;

use fdna_model::FindingKind;
use serde::Deserialize;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::record::FactRecord;
use crate::record_rows::FactItem;
use crate::row::RowError;

/// A file: a list, or an object whose entries keep their order.
enum JsonShape {
    List(Vec<Value>),
    Entries(Vec<(String, Value)>),
}

/// The records of a file; one that is none says why.
pub(super) fn parse_records(
    _: &str,
    bytes: &[u8],
) -> Result<Vec<FactItem<Result<FactRecord, String>>>, RowError> {
    let shape: JsonShape = serde_json::from_slice(bytes)
        .map_err(|e| RowError::new(FindingKind::UnreadableValue, format!("no JSON list or object: {e}")))?;
    let records = match shape {
        JsonShape::List(records) => records.into_iter().map(record).collect(),
        JsonShape::Entries(entries) => entries
            .into_iter()
            .filter(|(key, _)| !key.starts_with('_'))
            .flat_map(|(key, value)| match value {
                Value::Array(records) if key == "images" => records.into_iter().map(record).collect(),
                Value::String(address) => vec![of_name(key, address)],
                other => vec![record(other)],
            })
            .collect(),
    };
    Ok(records)
}

fn record(value: Value) -> FactItem<Result<FactRecord, String>> {
    let text = value.to_string();
    match value {
        Value::Object(fields) => FactItem::new(Ok(FactRecord(fields)), text),
        _ => FactItem::new(Err("the record is no object".to_owned()), text),
    }
}

/// An entry of an object from names to addresses.
fn of_name(name: String, address: String) -> FactItem<Result<FactRecord, String>> {
    let fields = [("subject_name", name), ("image_url", address)];
    record(Value::Object(Map::from_iter(fields.map(|(name, text)| (name.to_owned(), Value::String(text))))))
}

impl<'de> Deserialize<'de> for JsonShape {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WholeNumber;

        impl<'de> Visitor<'de> for WholeNumber {
            type Value = JsonShape;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list or an object")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<JsonShape, A::Error> {
                let mut records = Vec::new();
                while let Some(record) = seq.next_element()? {
                    records.push(record);
                }
                Ok(JsonShape::List(records))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonShape, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(JsonShape::Entries(entries))
            }
        }
        deserializer.deserialize_any(WholeNumber)
    }
}
