//! JSON documents: fields by path, what the contract does not name, and what is never read.

use std::collections::BTreeSet;

use fdna_schemas::{SourceContract, SourceFile};
use serde_json::{Map, Value};

/// Reads a document without the fields that are never used: nothing after it can see them.
///
/// A field is never used if its name has one of these words in it, whatever its case.
pub(crate) fn document(bytes: &[u8], never_used: &[String]) -> Result<Value, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut document: Value =
        serde_json::from_slice(bytes).map_err(|error| format!("it is no JSON: {error}"))?;
    drop_fields(&mut document, never_used);
    Ok(document)
}

fn has_word(text: &str, words: &[String]) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| text.contains(&word.to_lowercase()))
}

pub(crate) fn drop_fields(value: &mut Value, never_used: &[String]) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !has_word(name, never_used));
            fields.values_mut().for_each(|field| drop_fields(field, never_used));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| drop_fields(item, never_used)),
        _ => {}
    }
}

/// One record of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsonObject<'v>(pub(crate) &'v Value);

impl<'v> JsonObject<'v> {
    /// The value at the end of a path such as `status.type.name`, unless it is null.
    pub(crate) fn at(self, path: &str) -> Option<&'v Value> {
        let found = path.split('.').try_fold(self.0, |value, name| value.get(name))?;
        (!found.is_null()).then_some(found)
    }

    /// Text at a path, outer spaces removed; an empty text and a lone `--` state nothing.
    pub(crate) fn text(self, path: &str) -> Option<&'v str> {
        let text = self.at(path)?.as_str()?.trim();
        (!text.is_empty() && text != "--").then_some(text)
    }

    pub(crate) fn string(self, path: &str) -> Option<String> {
        self.text(path).map(str::to_owned)
    }

    pub(crate) fn int(self, path: &str) -> Option<i32> {
        i32::try_from(self.at(path)?.as_i64()?).ok()
    }

    pub(crate) fn truth(self, path: &str) -> Option<bool> {
        self.at(path)?.as_bool()
    }

    /// Items of the list at a path; nothing where there is none.
    pub(crate) fn list(self, path: &str) -> impl Iterator<Item = JsonObject<'v>> + use<'v> {
        self.at(path).and_then(Value::as_array).into_iter().flatten().map(JsonObject)
    }
}

/// Texts joined, each once, in their order; `None` if there is none.
pub(crate) fn text_of<'v>(texts: impl Iterator<Item = &'v str>) -> Option<String> {
    let mut seen: Vec<&str> = Vec::new();
    for text in texts.filter(|text| !text.is_empty()) {
        if !seen.contains(&text) {
            seen.push(text);
        }
    }
    (!seen.is_empty()).then(|| seen.join(", "))
}

/// The fields of a record that its contract names, by path; `[]` stands for the items of a list.
pub(crate) struct KnownFields<'c> {
    paths: BTreeSet<&'c str>,
    never_used: &'c [String],
}

/// What the contract does not name is kept up to this size: it comes from outside.
const UNKNOWN_CHARS: usize = 4000;

impl<'c> KnownFields<'c> {
    pub(crate) fn of(contract: &'c SourceContract, table: &str) -> Self {
        let of_table = |file: &&SourceFile| file.table == table;
        let columns = contract.files.iter().filter(of_table).flat_map(|file| &file.columns);
        Self { paths: columns.map(|c| c.name.as_str()).collect(), never_used: &contract.never_used }
    }

    /// The record without the fields of the contract, nulls and empty parts, as a JSON object. Texts that speak
    /// of what is never used are left out, and the last fields where they are too many.
    pub(crate) fn unknown(&self, record: JsonObject<'_>) -> Option<String> {
        let Some(Value::Object(mut left)) = self.left(record.0, "") else { return None };
        while Value::Object(left.clone()).to_string().chars().count() > UNKNOWN_CHARS {
            let longest =
                left.iter().max_by_key(|(_, value)| value.to_string().len()).map(|(k, _)| k.clone());
            left.remove(&longest?);
        }
        (!left.is_empty()).then(|| Value::Object(left).to_string())
    }

    fn left(&self, value: &Value, path: &str) -> Option<Value> {
        if self.paths.contains(path) {
            return None;
        }
        match value {
            Value::Null => None,
            Value::String(text) if text.is_empty() || has_word(text, self.never_used) => None,
            Value::Object(fields) => {
                let below =
                    |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
                let left =
                    fields.iter().filter_map(|(name, v)| Some((name.clone(), self.left(v, &below(name))?)));
                let left: Map<String, Value> = left.collect();
                (!left.is_empty()).then_some(Value::Object(left))
            }
            Value::Array(items) => {
                let path = format!("{path}[]");
                let left: Vec<Value> = items.iter().filter_map(|item| self.left(item, &path)).collect();
                (!left.is_empty()).then_some(Value::Array(left))
            }
            other => Some(other.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn fields_that_are_never_used_are_gone_at_any_depth() {
        let text = br#"{"a":[{"bettingOdds":1,"b":{"oddsProvider":{"x":2},"c":3}}]}"#;
        assert_eq!(document(text, &words(&["odds"])).unwrap().to_string(), r#"{"a":[{"b":{"c":3}}]}"#);
    }

    #[test]
    fn deep_nesting_is_refused_not_followed() {
        let deep = "[".repeat(1_000_000);
        assert!(document(deep.as_bytes(), &[]).unwrap_err().starts_with("it is no JSON"));
    }

    #[test]
    fn unknown_fields_are_what_no_path_of_the_contract_names() {
        let record = document(
            br#"{"id":"1","a":{"b":1,"c":null,"d":{}},"l":[{"href":"x","n":2},{"href":"y"}],"t":"the odds"}"#,
            &[],
        );
        let never_used = words(&["odds"]);
        let known = KnownFields { paths: ["id", "l[].href"].into(), never_used: &never_used };
        let unknown = known.unknown(JsonObject(&record.unwrap()));
        assert_eq!(unknown.as_deref(), Some(r#"{"a":{"b":1},"l":[{"n":2}]}"#));
    }

    #[test]
    fn what_is_kept_of_unknown_fields_is_bounded() {
        let record = serde_json::json!({ "long": "x".repeat(5000), "short": 1 });
        let known = KnownFields { paths: BTreeSet::new(), never_used: &[] };
        assert_eq!(known.unknown(JsonObject(&record)).as_deref(), Some(r#"{"short":1}"#));
    }

    #[test]
    fn texts_that_state_nothing_are_none() {
        let record = serde_json::json!({ "a": "", "b": "--", "c": " x ", "d": 4, "e": null });
        let record = JsonObject(&record);
        assert_eq!((record.text("a"), record.text("b"), record.text("c")), (None, None, Some("x")));
        assert_eq!((record.text("d"), record.text("e.f"), record.int("d")), (None, None, Some(4)));
    }
}
