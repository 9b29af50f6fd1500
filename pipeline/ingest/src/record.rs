//! One JSON object, field by field: absent, null and empty are unknown, another type than asked is unreadable.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use fdna_model::FindingKind;
use fdna_schemas::{SourceContract, SourceFile};
use serde_json::{Map, Value};

use crate::row::{self, RowError};
use crate::{address, instant};

/// Fields of one record.
pub(crate) struct FactRecord(pub(crate) Map<String, Value>);

impl FactRecord {
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// Text without outer spaces.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, RowError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let text = value.as_str().ok_or_else(|| unreadable(name, value))?.trim();
        Ok((!text.is_empty()).then(|| text.to_owned()))
    }

    pub(crate) fn required(&self, name: &str) -> Result<String, RowError> {
        self.text(name)?.ok_or_else(|| missing(name))
    }

    pub(crate) fn instant(&self, name: &str) -> Result<Option<DateTime<Utc>>, RowError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        instant::any(&text).map(Some).ok_or_else(|| unreadable(name, &Value::String(text)))
    }

    /// An address on the web, as written.
    pub(crate) fn address(&self, name: &str) -> Result<Option<String>, RowError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        if address::web(&text).is_none() {
            let reason = format!("`{name}` is no address on the web: `{text}`");
            return Err(RowError::new(FindingKind::UnreadableValue, reason));
        }
        Ok(Some(text))
    }

    /// A positive whole number.
    pub(crate) fn whole(&self, name: &str) -> Result<Option<i32>, RowError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let number = value.as_i64().and_then(|n| i32::try_from(n).ok()).filter(|n| *n > 0);
        number.map(Some).ok_or_else(|| unreadable(name, value))
    }

    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, RowError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| unreadable(name, value))
    }

    /// Texts of a list; a single text is a list of one.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>, RowError> {
        let Some(value) = self.value(name) else { return Ok(Vec::new()) };
        let one = std::slice::from_ref(value);
        let all = value.as_array().map_or(one, Vec::as_slice);
        let text = |value: &Value| Some(value.as_str()?.trim().to_owned());
        all.iter().map(|value| text(value).ok_or_else(|| unreadable(name, value))).collect()
    }

    /// The fields that the contract of the source does not name, as JSON; `None` if there are none.
    pub(crate) fn unknown(&self, source: &str) -> Option<String> {
        let files = SourceContract::get(source).into_iter().flat_map(|contract| &contract.files);
        let known: BTreeSet<&str> = files.flat_map(SourceFile::header).map(|(name, _)| name).collect();
        let others: BTreeMap<&String, &Value> =
            self.0.iter().filter(|(name, _)| !known.contains(name.as_str())).collect();
        (!others.is_empty()).then(|| serde_json::to_string(&others).unwrap_or_default())
    }
}

pub(crate) fn missing(name: &str) -> RowError {
    row::missing_value(&[name])
}

fn unreadable(name: &str, value: &Value) -> RowError {
    let text: String = value.to_string().chars().take(200).collect();
    RowError::new(FindingKind::UnreadableValue, format!("`{name}` is `{text}`"))
}
