//! JSON that says one thing: an object with a key twice, of which a lenient reader takes the last, is none, nor is one
//! that nests deeper than any source does.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Objects and lists within one another, at most.
const MAX_DEPTH: usize = 64;

/// Reads a whole document.
pub(super) fn read(text: &[u8]) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = StrictValue { depth: 0 }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// A value within so many others.
#[derive(Clone, Copy)]
struct StrictValue {
    depth: usize,
}

impl StrictValue {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        if self.depth < MAX_DEPTH {
            Ok(Self { depth: self.depth + 1 })
        } else {
            Err(E::custom(format_args!("it nests deeper than {MAX_DEPTH}")))
        }
    }
}

impl<'de> DeserializeSeed<'de> for StrictValue {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StrictValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, is: bool) -> Result<Value, E> {
        Ok(Value::Bool(is))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let (seed, mut list) = (self.deeper()?, Vec::new());
        while let Some(item) = items.next_element_seed(seed)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let (seed, mut object) = (self.deeper()?, Map::new());
        while let Some(key) = fields.next_key::<String>()? {
            let value = fields.next_value_seed(seed)?;
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key `{key}` is there twice")));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_key_that_is_there_twice_is_refused_wherever_it_stands() {
        assert!(error(r#"{"a": 1, "a": 1}"#).starts_with("the key `a` is there twice"));
        assert!(error(r#"[{"b": {"a": 1, "c": 2, "\u0061": 3}}]"#).starts_with("the key `a` is there twice"));
        assert!(read(br#"[{"a": 1}, {"a": {"a": 2}}]"#).is_ok());
    }

    #[test]
    fn what_nests_too_deep_or_has_more_behind_it_is_refused() {
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(nested(64).as_bytes()).is_ok());
        assert!(error(&nested(65)).starts_with("it nests deeper than 64"));
        assert!(error(&nested(100_000)).starts_with("it nests deeper than 64"));
        assert!(error("1 2").starts_with("trailing characters"));
        assert!(error(r#"{"a": [1, "#).starts_with("EOF"));
    }

    proptest! {
        #[test]
        fn a_number_is_the_nearest_to_what_is_written(number in proptest::num::f64::NORMAL) {
            prop_assert_eq!(read(format!("{number:?}").as_bytes()).unwrap(), Value::from(number));
        }

        #[test]
        fn it_reads_what_others_read(text in "[\\[\\]{}:,\"ab0-9.e\\-truefalsn ]{0,24}") {
            if let Ok(value) = read(text.as_bytes()) {
                prop_assert_eq!(Some(value), serde_json::from_str::<Value>(&text).ok());
            }
        }
    }
}
