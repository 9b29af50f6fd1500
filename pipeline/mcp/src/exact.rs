//! JSON with numbers as they are written: the parser of `serde_json` alone may change the last digit of one.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Error, Number, Value};

/// Parses JSON; each number becomes the nearest double, which is written as it was.
///
/// # Errors
/// It is no JSON.
pub fn parse_exact(json: &[u8]) -> Result<Value, Error> {
    to_value(serde_json::from_slice(json)?)
}

fn to_value(raw: &RawValue) -> Result<Value, Error> {
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'{') => {
            let fields: BTreeMap<String, &RawValue> = serde_json::from_str(text)?;
            fields.into_iter().map(|(name, field)| Ok((name, to_value(field)?))).collect()
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            items.into_iter().map(to_value).collect()
        }
        Some(b'-' | b'0'..=b'9') if text.contains(['.', 'e', 'E']) => {
            let number = text.parse().ok().and_then(Number::from_f64);
            number.map_or_else(|| serde_json::from_str(text), |number| Ok(Value::Number(number)))
        }
        _ => serde_json::from_str(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_every_digit() {
        let json = r#"{"a":[45.812380952380956,3.8095798035777277,109.26666666666667],"b":{"c":-1e-7,"d":12,"e":null},"f":"x\"y"}"#;
        assert_eq!(parse_exact(json.as_bytes()).unwrap().to_string(), json);
        assert!(parse_exact(b"{\"a\":}").is_err());
    }
}
