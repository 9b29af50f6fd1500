//! Reports of runs: one JSON file each, for `status` and for people.

use serde_json::Value;

use crate::manifest::{check_name, to_bytes};
use crate::{Lake, LakeError, Writer};

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
    /// [`LakeError::NoRun`], or it cannot be read.
    pub fn run(&self, id: &str) -> Result<Value, LakeError> {
        let key = key(id)?;
        let bytes = self.store.read(&key)?.ok_or_else(|| LakeError::NoRun { id: id.to_owned() })?;
        serde_json::from_slice(&bytes)
            .map_err(|source| LakeError::Json { path: self.store.path(&key), source })
    }
}

impl Writer {
    /// Keeps the report of a run, over an earlier one of the same id.
    ///
    /// # Errors
    /// The id is no file name, or the file cannot be written.
    pub fn write_run(&self, run_id: &str, report: &Value) -> Result<(), LakeError> {
        let key = key(run_id)?;
        let store = &self.lake().store;
        store.put_file("run", &key, &to_bytes(store, &key, report)?)
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
