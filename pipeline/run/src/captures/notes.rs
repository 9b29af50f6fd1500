//! Notes of a capture beside the tables of its facts: how its files were read, and whether it can be used.

use std::collections::BTreeMap;

use fdna_ingest::FileEnd;
use fdna_lake::{Fingerprint, StageOutput};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::ingest::attempts::ReadAttempts;
use crate::report::RowCounts;

/// The notes of an output of facts, as its manifest in the lake has them.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FactsNotes {
    /// Id of the capture.
    pub capture: String,
    /// Rows of each file, as they were counted when it was read; `None` for a capture that cannot be used.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "or_default")]
    pub rows: Option<Vec<RowCounts>>,
    /// Why the capture cannot be used, file by file; nothing for one that can.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "or_default")]
    pub refused: Vec<String>,
    /// Attempts to read it that failed for what may be the machine's sake; `None` for a capture that was read, or surely
    /// refused.
    #[serde(
        rename = "again",
        skip_serializing_if = "Option::is_none",
        deserialize_with = "deserialize_attempts"
    )]
    pub attempts: Option<ReadAttempts>,
    /// Files whose last row may be cut.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "or_default")]
    pub ends: BTreeMap<String, FileEnd>,
    /// The output that this one is told apart from; `None` for a whole one.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "or_default")]
    pub base: Option<Fingerprint>,
}

impl FactsNotes {
    pub fn from_facts(facts: &StageOutput) -> Self {
        Self::deserialize(&facts.notes).unwrap_or_default()
    }

    /// Whether a snapshot can rest on the capture.
    pub fn is_usable(&self) -> bool {
        self.refused.is_empty()
    }

    /// How many rows of all files are facts.
    pub fn n_rows(&self) -> u64 {
        self.rows.iter().flatten().map(|rows| rows.rows_out as u64).sum()
    }

    /// How many rows of all files are not.
    pub fn n_set_aside(&self) -> u64 {
        self.rows.iter().flatten().map(|rows| rows.set_aside as u64).sum()
    }
}

/// Skips a note in the format of another build, and reads the others.
fn or_default<'de, D: Deserializer<'de>, T: Default + serde::de::DeserializeOwned>(
    notes: D,
) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(notes)?).unwrap_or_default())
}

/// Earlier builds wrote that there was an attempt, and not by whom.
fn deserialize_attempts<'de, D: Deserializer<'de>>(notes: D) -> Result<Option<ReadAttempts>, D::Error> {
    let attempts = Option::<Value>::deserialize(notes)?;
    Ok(attempts.map(|attempts| serde_json::from_value(attempts).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn notes_are_written_as_earlier_builds_read_them() {
        let rows = RowCounts {
            capture: "c".to_owned(),
            name: "a.csv".to_owned(),
            rows_in: 3,
            rows_out: 2,
            set_aside: 1,
            reasons: Vec::new(),
        };
        let read = FactsNotes { capture: "c".to_owned(), rows: Some(vec![rows]), ..FactsNotes::default() };
        let row = json!({ "capture": "c", "name": "a.csv", "rows_in": 3, "rows_out": 2, "set_aside": 1 });
        assert_eq!(json!(read), json!({ "capture": "c", "rows": [row] }));
        assert_eq!((read.n_rows(), read.n_set_aside()), (2, 1));
        let refused = FactsNotes {
            capture: "c".to_owned(),
            refused: vec!["`a.csv`: odd".to_owned()],
            attempts: Some(ReadAttempts::one_more(None, "a, 120 s")),
            ends: BTreeMap::from([("a.csv".to_owned(), FileEnd::CutRow)]),
            ..FactsNotes::default()
        };
        let text = json!(refused).to_string();
        assert!(
            text.starts_with(r#"{"again":{"n":1,"reader":"a, 120 s"},"capture":"c","ends":{"a.csv":"#),
            "{text}"
        );
        assert!(text.ends_with(r#""refused":["`a.csv`: odd"]}"#), "{text}");
        assert_eq!(FactsNotes::deserialize(&json!(refused)).unwrap(), refused);
    }

    #[test]
    fn what_another_build_wrote_otherwise_hides_nothing_else() {
        let notes =
            json!({ "again": true, "base": "no digest", "rows": 3, "refused": ["odd"], "ends": null });
        let read = FactsNotes::deserialize(&notes).unwrap();
        assert_eq!(read.refused, ["odd"]);
        assert_eq!((read.attempts, read.base), (Some(ReadAttempts::default()), None));
        assert!(read.rows.is_none() && read.ends.is_empty());
        assert_eq!(FactsNotes::deserialize(&json!({ "again": null })).unwrap(), FactsNotes::default());
    }
}
