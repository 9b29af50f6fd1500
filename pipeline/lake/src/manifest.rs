//! What manifests have in common: their entries, how times are written, and the check of the format number.

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::digest::{Parts, sha256};
use crate::error::LakeError;
use crate::store::Store;
use crate::{Lake, MANIFEST_FORMAT};

/// Name of the manifest of a stage output or snapshot.
pub(crate) const MANIFEST: &str = "manifest.json";

/// A file of a capture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Name inside the capture.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the content, 64 hex digits.
    pub sha256: String,
}

/// A table of a stage output or snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableEntry {
    /// Name of the table and of its contract.
    pub name: String,
    /// Number of rows.
    pub rows: u64,
    /// Size of the Parquet file in bytes.
    pub bytes: u64,
    /// SHA-256 of the Parquet file, 64 hex digits.
    pub sha256: String,
    /// Version of the table's contract that it was written under.
    pub contract_version: u32,
}

/// Adds the tables to a digest, whatever their order: names, contents, contract versions.
pub(crate) fn tables_into(parts: Parts, tables: &[TableEntry]) -> Parts {
    let mut tables: Vec<_> = tables.iter().collect();
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    let add = |parts: Parts, t: &TableEntry| parts.part(&t.name).part(&t.sha256).number(t.contract_version);
    tables.into_iter().fold(parts, add)
}

/// Reads a manifest; `None` where there is none, so that what it would describe is not there either.
pub(crate) fn read<T: DeserializeOwned>(store: &Store, key: &str) -> Result<Option<T>, LakeError> {
    store.read(key)?.map(|bytes| parse(store, key, &bytes)).transpose()
}

/// The manifest that these bytes of `key` are.
pub(crate) fn parse<T: DeserializeOwned>(store: &Store, key: &str, bytes: &[u8]) -> Result<T, LakeError> {
    let not_json = |source| LakeError::Json { path: store.path(key), source };
    let value: serde_json::Value = serde_json::from_slice(bytes).map_err(not_json)?;
    // The number comes before the fields: a newer format may have other ones.
    let format = value.get("format").and_then(serde_json::Value::as_u64);
    if let Some(found) = format.filter(|&found| found > u64::from(MANIFEST_FORMAT)) {
        return Err(LakeError::NewerFormat { path: store.path(key), found, known: MANIFEST_FORMAT });
    }
    serde_json::from_value(value).map_err(not_json)
}

/// A manifest as it is kept: JSON for people to read, too.
pub(crate) fn to_bytes<T: Serialize>(store: &Store, key: &str, value: &T) -> Result<Bytes, LakeError> {
    let mut text = serde_json::to_vec_pretty(value)
        .map_err(|source| LakeError::ToJson { path: store.path(key), source })?;
    text.push(b'\n');
    Ok(text.into())
}

impl Lake {
    /// The bytes of a file that a manifest names, if they are those it names.
    pub(crate) fn read_checked(&self, key: &str, expected: &str) -> Result<Bytes, LakeError> {
        let bytes = self.store.read(key)?.ok_or_else(|| LakeError::Gone { path: self.store.path(key) })?;
        let found = sha256(&bytes);
        if found == expected {
            return Ok(bytes);
        }
        Err(LakeError::Corrupt { path: self.store.path(key), expected: expected.to_owned(), found })
    }

    /// Whether each file is what its manifest says: what is not may be written anew.
    pub(crate) fn is_sound(&self, files: &[(String, &str)]) -> Result<bool, LakeError> {
        for (key, expected) in files {
            match self.read_checked(key, expected) {
                Ok(_) => {}
                Err(error @ (LakeError::Corrupt { .. } | LakeError::Gone { .. })) => {
                    tracing::warn!(%error, "found damage, to be replaced by the same content");
                    return Ok(false);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

/// Refuses a name that could leave its folder, hide, or mean something else on another file system.
pub(crate) fn check_name(what: &'static str, name: &str) -> Result<(), LakeError> {
    let is_odd = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
    let why = match name {
        "" => "it is empty",
        _ if name.len() > 150 => "it is longer than 150 bytes",
        _ if name.starts_with('.') => "it begins with a dot",
        _ if name.contains(is_odd) => "it has a separator or control character",
        _ => return Ok(()),
    };
    Err(LakeError::Name { what, name: name.to_owned(), why })
}

/// Instants as RFC 3339 in UTC.
pub(crate) mod instant {
    use chrono::{DateTime, SecondsFormat, Utc};
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(at: &DateTime<Utc>, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&at.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<DateTime<Utc>, D::Error> {
        let text = String::deserialize(d)?;
        let at = DateTime::parse_from_rfc3339(&text).map_err(de::Error::custom)?;
        Ok(at.to_utc())
    }
}

/// Instants as RFC 3339 in UTC, or null.
pub(crate) mod optional_instant {
    use chrono::{DateTime, SecondsFormat, Utc};
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(at: &Option<DateTime<Utc>>, s: S) -> Result<S::Ok, S::Error> {
        at.map(|at| at.to_rfc3339_opts(SecondsFormat::AutoSi, true)).serialize(s)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<DateTime<Utc>>, D::Error> {
        let text = Option::<String>::deserialize(d)?;
        let read = |text: String| DateTime::parse_from_rfc3339(&text).map(|at| at.to_utc());
        text.map(read).transpose().map_err(de::Error::custom)
    }
}

/// Dates as `2024-12-15`.
pub(crate) mod date {
    use chrono::NaiveDate;
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(date: &NaiveDate, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(date)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<NaiveDate, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}

/// Dates as `2024-12-15`, or null.
pub(crate) mod optional_date {
    use chrono::NaiveDate;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(date: &Option<NaiveDate>, s: S) -> Result<S::Ok, S::Error> {
        date.map(|d| d.to_string()).serialize(s)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<NaiveDate>, D::Error> {
        let text = Option::<String>::deserialize(d)?;
        text.map(|t| t.parse().map_err(de::Error::custom)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_leave_the_folder_or_hide_are_refused() {
        let long = "x".repeat(151);
        for name in ["", ".", "..", ".hidden", "../x", "a/b", "a\\b", "c:x", "a\0b", "a\nb", &long] {
            assert!(check_name("a file", name).is_err(), "{name:?}");
        }
        for name in ["ufc_events.csv", "Événements 2024.csv", "a..b"] {
            check_name("a file", name).unwrap();
        }
    }
}
