//! Takes back stage outputs that are damaged. All of them can be made again, and are, once they are gone.

use crate::gc::stage_folders;
use crate::keys::join_keys;
use crate::manifest::MANIFEST;
use crate::{Fingerprint, Lake, LakeError, LakeWriter, PipelineStage};

impl LakeWriter {
    /// Takes back an output that its stage cannot use any more: the stage makes it anew.
    ///
    /// # Errors
    /// Its manifest cannot be removed.
    pub fn retract_stage(&self, stage: &PipelineStage, fingerprint: &Fingerprint) -> Result<(), LakeError> {
        let folder = format!("{stage}/{fingerprint}");
        self.lake().store.retract_manifest("stage", &folder, &join_keys(&folder, MANIFEST))
    }

    /// Removes the manifest of every stage output whose files are not what it says, or which itself cannot be
    /// read: then the output is not there, and its stage makes it anew. Says which, from the root. One in a
    /// newer format is left alone, as it may be whole.
    ///
    /// # Errors
    /// Something cannot be read, or not be removed.
    pub fn retract_damaged(&self) -> Result<Vec<String>, LakeError> {
        let store = &self.lake().store;
        let mut retracted = Vec::new();
        for stage in stage_folders(store)? {
            for name in store.list_names(&stage, true)? {
                let folder = join_keys(&stage, &name);
                if is_damaged(self.lake(), &stage, &name)? {
                    store.retract_manifest("stage", &folder, &join_keys(&folder, MANIFEST))?;
                    retracted.push(folder);
                }
            }
        }
        Ok(retracted)
    }
}

fn is_damaged(lake: &Lake, stage: &str, name: &str) -> Result<bool, LakeError> {
    let (Ok(stage), Ok(fingerprint)) = (stage.parse(), name.parse()) else { return Ok(false) };
    match lake.find_stage(&stage, &fingerprint) {
        Ok(Some(output)) => Ok(!lake.is_sound(&output.expected_files())?),
        Ok(None) | Err(LakeError::NewerFormat { .. }) => Ok(false),
        Err(error) if error.is_damage() => Ok(true),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::PipelineStage;
    use crate::testing::{events, fingerprint, lake, noon, normalised};

    #[test]
    fn damaged_outputs_are_taken_back_and_whole_ones_and_those_of_a_newer_build_stay() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        assert!(writer.retract_damaged().unwrap().is_empty());
        let commit = |stage, text| {
            let tables = [("statsdb_events", events(&["a"]))];
            writer.commit_stage(&stage, &fingerprint(text), &tables, json!({})).unwrap().folder()
        };
        let facts = || PipelineStage::Facts { source: "statsdb".to_owned() };
        let table = commit(facts(), "table");
        let gone = commit(PipelineStage::Normalised, "gone");
        let manifest = commit(PipelineStage::Derived, "manifest");
        let folder = commit(PipelineStage::Merging, "folder");
        let (whole, newer) = (commit(normalised(), "whole"), commit(normalised(), "newer"));
        assert!(writer.retract_damaged().unwrap().is_empty());

        let write = |folder: &str, name: &str, text: &str| {
            std::fs::write(lake.root().join(folder).join(name), text).unwrap();
        };
        write(&table, "statsdb_events.parquet", "x");
        std::fs::remove_file(lake.root().join(&gone).join("statsdb_events.parquet")).unwrap();
        let inside = lake.root().join(&folder).join(MANIFEST);
        std::fs::remove_file(&inside).unwrap();
        std::fs::create_dir(&inside).unwrap();
        write(&manifest, MANIFEST, "{");
        write(&newer, MANIFEST, r#"{"format": 3}"#);
        assert_eq!(writer.retract_damaged().unwrap(), [table, gone, folder, manifest]);
        assert!(writer.retract_damaged().unwrap().is_empty());
        assert!(lake.find_stage(&normalised(), &fingerprint("whole")).unwrap().is_some(), "{whole}");
        assert_eq!(lake.find_stage(&facts(), &fingerprint("table")).unwrap(), None);
    }
}
