//! Tables of snapshots copied out of the lake.

use std::path::Path;

use arrow::datatypes::SchemaRef;

use crate::Lake;
use crate::error::LakeError;
use crate::file_content::FileContent;
use crate::files::put_file_content;
use crate::open_table::read_schema;
use crate::snapshot::SnapshotManifest;

impl Lake {
    /// Copies the file of a snapshot's table to a place outside of the lake: whole or not at all, and durable. It is no
    /// further name of the lake's file, since others may write there. A file of that name and size is left as it is.
    /// Returns the schema of the table; its metadata is that of the file.
    ///
    /// # Errors
    /// [`LakeError::NoEntry`], [`LakeError::Gone`], [`LakeError::Corrupt`], [`LakeError::Decode`], or the file cannot be
    /// read or written.
    pub fn export_table(
        &self,
        manifest: &SnapshotManifest,
        table: &str,
        to: &Path,
    ) -> Result<SchemaRef, LakeError> {
        let (path, file) =
            self.open_table_file(&manifest.folder(), "tables/", table, manifest.table(table))?;
        let schema = read_schema(&file).map_err(|source| LakeError::Decode { path, source })?;
        let is_there = std::fs::metadata(to).is_ok_and(|found| found.len() == file.bytes());
        if !is_there {
            put_file_content(to, &FileContent::File(file.file()))?;
        }
        Ok(schema)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{draft, lake, noon};

    #[test]
    fn a_copy_is_whole_and_what_becomes_of_it_leaves_the_lake_as_it_is() {
        let (_folder, lake) = lake();
        let made = lake.writer("test", noon()).unwrap().commit_snapshot(draft(&["a", "b"], "1", 15)).unwrap();
        let outside = tempfile::tempdir().unwrap();
        let to = outside.path().join("events/x.parquet");
        let schema = lake.export_table(&made, "statsdb_events", &to).unwrap();
        assert!(schema.field_with_name("event_date").unwrap().metadata().contains_key("meaning"));
        assert_eq!(schema.metadata()["fightdna.table"], "statsdb_events");
        let bytes = std::fs::read(&to).unwrap();
        std::fs::write(&to, "cut short").unwrap();
        lake.export_table(&made, "statsdb_events", &to).unwrap();
        assert_eq!(std::fs::read(&to).unwrap(), bytes);
        assert_eq!(std::fs::read_dir(to.parent().unwrap()).unwrap().count(), 1, "nothing beside it");
        assert_eq!(lake.verify().unwrap().problems, []);
    }

    #[test]
    fn of_a_damaged_table_there_is_no_copy() {
        let (_folder, lake) = lake();
        let made = lake.writer("test", noon()).unwrap().commit_snapshot(draft(&["a"], "1", 15)).unwrap();
        let inside = lake.root().join(made.folder()).join("tables/statsdb_events.parquet");
        std::fs::write(inside, "damaged").unwrap();
        let outside = tempfile::tempdir().unwrap();
        let copied = lake.export_table(&made, "statsdb_events", &outside.path().join("x.parquet"));
        assert!(matches!(copied, Err(LakeError::Corrupt { .. })), "{copied:?}");
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
