//! Common parts of manifests: their entries, the format of times, and the check of the format number.

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Deserialize, Serialize};

use crate::MANIFEST_FORMAT;
use crate::digest::DigestParts;
use crate::error::LakeError;
use crate::seal::{self, FileSeal, SEALED_SINCE};
use crate::store::LakeStore;

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
pub(crate) fn tables_into(parts: DigestParts, tables: &[TableEntry]) -> DigestParts {
    let mut tables: Vec<_> = tables.iter().collect();
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    let add = |parts: DigestParts, t: &TableEntry| {
        parts.add_part(&t.name).add_part(&t.sha256).add_number(t.contract_version)
    };
    tables.into_iter().fold(parts, add)
}

/// Reads a manifest; `None` where there is none, so that what it would describe is not there either.
pub(crate) fn read_manifest<T: DeserializeOwned>(
    store: &LakeStore,
    key: &str,
) -> Result<Option<T>, LakeError> {
    store.read_file(key)?.map(|bytes| parse_manifest(store, key, &bytes)).transpose()
}

/// The manifest that these bytes of `key` are. One of format 1 has no digest of itself; from format 2 on, what
/// does not fit its digest is [`LakeError::Corrupt`], also where the damage makes it say a newer format.
pub(crate) fn parse_manifest<T: DeserializeOwned>(
    store: &LakeStore,
    key: &str,
    bytes: &[u8],
) -> Result<T, LakeError> {
    let path = || store.path(key);
    let not_json = |source| LakeError::Json { path: path(), source };
    let seal = seal::check_seal(bytes);
    if let FileSeal::Broken { expected, found } = seal {
        return Err(LakeError::Corrupt { path: path(), expected, found });
    }
    let value: serde_json::Value = serde_json::from_slice(bytes).map_err(not_json)?;
    // The number comes before the fields: a newer format may have other ones.
    let format = value.get("format").and_then(serde_json::Value::as_u64).unwrap_or_default();
    if format > u64::from(MANIFEST_FORMAT) {
        return Err(LakeError::NewerFormat { path: path(), found: format, known: MANIFEST_FORMAT });
    }
    if matches!(seal, FileSeal::Absent) && format >= SEALED_SINCE {
        let expected = format!("a digest of itself, as every file of format {SEALED_SINCE} has");
        return Err(LakeError::Corrupt { path: path(), expected, found: "none".to_owned() });
    }
    serde_json::from_value(value).map_err(not_json)
}

/// A manifest as it is kept: JSON for people to read, too, with a digest of itself. `value` is an object that says
/// its format, [`MANIFEST_FORMAT`], first.
pub(crate) fn to_bytes<T: Serialize>(store: &LakeStore, key: &str, value: &T) -> Result<Bytes, LakeError> {
    let failed = |source| LakeError::ToJson { path: store.path(key), source };
    let mut text = serde_json::to_vec_pretty(value).map_err(failed)?;
    text.push(b'\n');
    seal::seal_json(&text).ok_or_else(|| failed(serde_json::Error::custom("it is no object with fields")))
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
    use std::collections::BTreeMap;

    use super::*;
    use crate::digest::sha256;
    use crate::keys::join_keys;
    use crate::testing::{capture, draft, empty, events, fingerprint, lake, noon, normalised};
    use crate::{FetchState, Lake, PanelDraft, PanelSet};

    /// A lake with a JSON file of every kind, and the text of each by its key.
    fn one_of_each() -> (tempfile::TempDir, Lake, BTreeMap<&'static str, Vec<u8>>) {
        let (folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let capture = writer.add_capture(capture(noon(), "a")).unwrap().into_inner();
        let tables = [("statsdb_events", events(&["a"]))];
        let notes = serde_json::json!({ "rows": [1, 2], "told": "so" });
        let output = writer.commit_stage(&normalised(), &fingerprint("1"), &tables, notes).unwrap();
        let snapshot = writer.commit_snapshot(draft(&["a"], "1", 15)).unwrap();
        writer.set_current(&snapshot.id, noon()).unwrap();
        writer.append_ledger(&empty("ledger"), "a", noon()).unwrap();
        let (as_of, fingerprint) = (noon().date_naive(), fingerprint("1"));
        let tables = [("panel_wide", empty("panel_wide"))];
        let (set, snapshot_id) = (PanelSet::Metrics, snapshot.id.clone());
        let panel = PanelDraft { set, as_of, fingerprint, snapshot_id, tables: &tables };
        writer.commit_panel(&panel).unwrap();
        writer.write_run("r", &serde_json::json!({ "outcome": "done", "rows": 12 })).unwrap();
        writer.write_fetch_state("wire", &FetchState::new(noon(), BTreeMap::new())).unwrap();
        let files = [
            ("capture", join_keys(&capture.folder(), crate::capture::CAPTURE)),
            ("stage", join_keys(&output.folder(), MANIFEST)),
            ("snapshot", join_keys(&snapshot.folder(), MANIFEST)),
            ("pointer", "current.json".to_owned()),
            ("part", "ledger/00000001/manifest.json".to_owned()),
            ("head", "ledger/head.json".to_owned()),
            ("panel", crate::panel::manifest_key(set, as_of)),
            ("run", "runs/r.json".to_owned()),
            ("fetch", "fetch/wire.json".to_owned()),
        ];
        let text = |key: String| lake.store.read_file(&key).unwrap().unwrap().to_vec();
        let files = files.map(|(kind, key)| (kind, text(key))).into();
        (folder, lake, files)
    }

    #[test]
    fn no_single_flipped_bit_of_any_kind_of_json_file_is_read() {
        let (_folder, lake, files) = one_of_each();
        for (kind, whole) in files {
            parse_manifest::<serde_json::Value>(&lake.store, kind, &whole).unwrap();
            for bit in 0..whole.len() * 8 {
                let mut flipped = whole.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let read = parse_manifest::<serde_json::Value>(&lake.store, kind, &flipped);
                let text = || String::from_utf8_lossy(&flipped).into_owned();
                assert!(
                    matches!(read, Err(LakeError::Corrupt { .. } | LakeError::Json { .. })),
                    "{kind}, bit {bit}: {read:?}\n{}",
                    text()
                );
            }
        }
    }

    #[test]
    fn a_json_file_that_was_cut_or_added_to_is_not_read() {
        let (_folder, lake, files) = one_of_each();
        for (kind, whole) in files {
            let longer = [whole.as_slice(), b"\n"].concat();
            let cut = (0..whole.len()).map(|length| &whole[..length]).chain([longer.as_slice()]);
            for other in cut {
                let read = parse_manifest::<serde_json::Value>(&lake.store, kind, other);
                assert!(read.is_err(), "{kind}, {} of {} bytes", other.len(), whole.len());
            }
        }
    }

    #[test]
    fn the_fields_stay_where_jq_finds_them_and_a_report_comes_back_as_it_was_given() {
        let (_folder, lake, files) = one_of_each();
        let pointer: serde_json::Value = serde_json::from_slice(&files["pointer"]).unwrap();
        let current = lake.current_snapshot().unwrap().unwrap();
        assert_eq!(pointer["snapshot_id"], current.as_str());
        let text = String::from_utf8(files["pointer"].clone()).unwrap();
        let (first, rest) = text.split_at(text.find("  \"format\"").unwrap());
        assert_eq!(first, format!("{{\n  \"sha256\": \"{}\",\n", sha256(rest.as_bytes())));
        assert_eq!(lake.read_run("r").unwrap(), serde_json::json!({ "outcome": "done", "rows": 12 }));
    }

    #[test]
    fn only_format_1_does_without_a_digest_and_a_newer_one_may_have_another() {
        let (_folder, lake) = lake();
        let read = |text: &str| parse_manifest::<serde_json::Value>(&lake.store, "x", text.as_bytes());
        assert_eq!(read(r#"{"format": 1, "a": 2}"#).unwrap()["a"], 2);
        assert_eq!(read(r#"{"a": 2}"#).unwrap()["a"], 2, "as reports of runs were");
        assert!(matches!(read(r#"{"format": 2, "a": 2}"#), Err(LakeError::Corrupt { .. })));
        let newer = read(r#"{"seal": "crc32 0", "format": 3}"#);
        assert!(matches!(newer, Err(LakeError::NewerFormat { found: 3, known: 2, .. })), "{newer:?}");
        // Sealed as now and damaged: that its number says 3 says nothing.
        let sealed = seal::seal_json(b"{\n  \"format\": 2\n}\n").unwrap();
        let damaged = String::from_utf8(sealed.to_vec()).unwrap().replace(": 2", ": 3");
        assert!(matches!(read(&damaged), Err(LakeError::Corrupt { .. })));
    }

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
