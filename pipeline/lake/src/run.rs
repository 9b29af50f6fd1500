//! Reports of runs: one JSON file each, for `status` and for people.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::manifest::{check_name, read, to_bytes};
use crate::{Lake, LakeError, MANIFEST_FORMAT, Writer};

fn key(id: &str) -> Result<String, LakeError> {
    check_name("a run id", id)?;
    Ok(format!("runs/{id}.json"))
}

impl Lake {
    /// Ids of the runs with a report, sorted as text.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn runs(&self) -> Result<Vec<String>, LakeError> {
        let files = self.store.list("runs", false)?;
        Ok(files.iter().filter_map(|f| f.strip_suffix(".json")).map(str::to_owned).collect())
    }

    /// The report of a run.
    ///
    /// # Errors
    /// [`LakeError::NoRun`], [`LakeError::Corrupt`], or it cannot be read.
    pub fn run(&self, id: &str) -> Result<Value, LakeError> {
        let found = read::<Value>(&self.store, &key(id)?)?;
        let mut report = found.ok_or_else(|| LakeError::NoRun { id: id.to_owned() })?;
        if let Some(fields) = report.as_object_mut() {
            fields.retain(|name, _| !["sha256", "format"].contains(&name.as_str()));
        }
        Ok(report)
    }
}

/// A report as it is kept.
#[derive(Serialize)]
struct Kept<'a> {
    format: u32,
    #[serde(flatten)]
    report: &'a Map<String, Value>,
}

impl Writer {
    /// Keeps the report of a run, over an earlier one of the same id: the fields of an object, and nothing of
    /// any other value.
    ///
    /// # Errors
    /// The id is no file name, or the file cannot be written.
    pub fn write_run(&self, run_id: &str, report: &Value) -> Result<(), LakeError> {
        let key = key(run_id)?;
        let store = &self.lake().store;
        let none = Map::new();
        let kept = Kept { format: MANIFEST_FORMAT, report: report.as_object().unwrap_or(&none) };
        store.put_file("run", &key, &to_bytes(store, &key, &kept)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lake, noon};

    #[test]
    fn a_report_is_read_back_and_an_unknown_or_hostile_id_is_an_error() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        writer.write_run("20241215T120000Z", &serde_json::json!({"done": false})).unwrap();
        writer.write_run("20241215T120000Z", &serde_json::json!({"done": true})).unwrap();
        assert_eq!(lake.runs().unwrap(), ["20241215T120000Z"]);
        assert_eq!(lake.run("20241215T120000Z").unwrap()["done"], true);
        assert!(matches!(lake.run("other"), Err(LakeError::NoRun { .. })));
        assert!(matches!(lake.run("../current"), Err(LakeError::Name { .. })));
    }
}
