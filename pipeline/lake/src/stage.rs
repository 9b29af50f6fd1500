//! Outputs of the stages, each in a folder named by the fingerprint of what went in.

use std::fmt;
use std::str::FromStr;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_schemas::Table;
use serde::{Deserialize, Serialize};

use crate::digest::{DigestParts, sha256};
use crate::error::LakeError;
use crate::file_content::FileContent;
use crate::manifest::{self, FileEntry, MANIFEST, TableEntry, check_name, tables_into};
use crate::parquet_io::{EncodedTable, count_rows, encode_all, encode_facts, encode_table};
use crate::store::FolderDraft;
use crate::table_file::TableFile;
use crate::{Fingerprint, Lake, LakeWriter, MANIFEST_FORMAT, contract};

/// A stage of the pipeline; as text, the folder of its outputs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PipelineStage {
    /// Rows of a source's files: `facts/<source>`.
    Facts {
        /// Name of the source.
        source: String,
    },
    /// Entities and facts of all sources together: `normalised`.
    Normalised,
    /// State of the merging of captures, so that the next capture is merged without the ones before:
    /// `merging`.
    Merging,
    /// Versions of Fight DNA: `derived/v1`.
    Derived,
    /// Input of engines outside that make panels: `observations`.
    Observations,
    /// Tables of a sport of the multi-sport catalog: `catalog/<sport>`.
    Catalog {
        /// First segment of its routes.
        sport: String,
    },
}

impl fmt::Display for PipelineStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Facts { source } => write!(f, "facts/{source}"),
            Self::Normalised => f.write_str("normalised"),
            Self::Merging => f.write_str("merging"),
            Self::Derived => f.write_str("derived/v1"),
            Self::Observations => f.write_str("observations"),
            Self::Catalog { sport } => write!(f, "catalog/{sport}"),
        }
    }
}

impl FromStr for PipelineStage {
    type Err = LakeError;

    fn from_str(text: &str) -> Result<Self, LakeError> {
        match (text, text.strip_prefix("facts/")) {
            ("normalised", _) => Ok(Self::Normalised),
            ("merging", _) => Ok(Self::Merging),
            ("derived/v1", _) => Ok(Self::Derived),
            ("observations", _) => Ok(Self::Observations),
            (_, None) if let Some(sport) = text.strip_prefix("catalog/") => {
                check_name("a sport", sport)?;
                Ok(Self::Catalog { sport: sport.to_owned() })
            }
            (_, Some(source)) => {
                check_name("a source", source)?;
                Ok(Self::Facts { source: source.to_owned() })
            }
            _ => {
                Err(LakeError::Name { what: "a stage", name: text.to_owned(), why: "there is no such stage" })
            }
        }
    }
}

impl TryFrom<String> for PipelineStage {
    type Error = LakeError;

    fn try_from(text: String) -> Result<Self, LakeError> {
        text.parse()
    }
}

impl From<PipelineStage> for String {
    fn from(stage: PipelineStage) -> Self {
        stage.to_string()
    }
}

/// Output of a stage for one set of inputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageOutput {
    /// Format number of the manifest.
    pub format: u32,
    /// The stage.
    pub stage: PipelineStage,
    /// Fingerprint of the inputs.
    pub fingerprint: Fingerprint,
    /// The tables, by name.
    pub tables: Vec<TableEntry>,
    /// Files that are no tables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileEntry>,
    /// Notes of the stage: counts, findings.
    pub notes: serde_json::Value,
}

impl StageOutput {
    /// SHA-256 over names, contents and contract versions of the tables, 64 hex digits. As input of a later
    /// stage it spares that stage the work where other inputs came to the same tables.
    #[must_use]
    pub fn content_digest(&self) -> String {
        tables_into(DigestParts::default().add_part("tables"), &self.tables).finish()
    }

    /// The table of this name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&TableEntry> {
        self.tables.iter().find(|t| t.name == name)
    }

    pub(crate) fn folder(&self) -> String {
        stage_folder(&self.stage, &self.fingerprint)
    }

    pub(crate) fn expected_files(&self) -> Vec<(String, &str)> {
        let folder = self.folder();
        let tables = self.tables.iter().map(|t| (format!("{folder}/{}.parquet", t.name), t.sha256.as_str()));
        tables.chain(self.files.iter().map(|f| (format!("{folder}/{}", f.name), f.sha256.as_str()))).collect()
    }
}

/// Tables of a stage to be committed.
#[derive(Default)]
pub struct StageTables<'a> {
    /// Tables by name.
    pub batches: &'a [(&'a str, RecordBatch)],
    /// Tables that a [`crate::ColumnEncoder`] made.
    pub encoded: Vec<EncodedTable>,
    /// Files that are no tables, by name.
    pub files: Vec<(String, Bytes)>,
}

fn stage_folder(stage: &PipelineStage, fingerprint: &Fingerprint) -> String {
    format!("{stage}/{fingerprint}")
}

fn check_stage_name(stage: &PipelineStage) -> Result<(), LakeError> {
    stage.to_string().parse::<PipelineStage>().map(|_| ())
}

impl Lake {
    /// The output of the stage for these inputs, if it exists: then the stage need not run.
    ///
    /// # Errors
    /// The manifest cannot be read, is of a newer format, or does not fit its folder.
    pub fn find_stage(
        &self,
        stage: &PipelineStage,
        fingerprint: &Fingerprint,
    ) -> Result<Option<StageOutput>, LakeError> {
        check_stage_name(stage)?;
        let key = format!("{}/{MANIFEST}", stage_folder(stage, fingerprint));
        let Some(output) = manifest::read_manifest::<StageOutput>(&self.store, &key)? else {
            return Ok(None);
        };
        if output.stage == *stage && output.fingerprint == *fingerprint {
            return Ok(Some(output));
        }
        let (expected, found) = (stage_folder(stage, fingerprint), output.folder());
        Err(LakeError::Corrupt { path: self.store.path(&key), expected, found })
    }

    /// Every row of a table of a stage, checked against its digest and against the contract of this build.
    ///
    /// # Errors
    /// [`LakeError::NoEntry`], [`LakeError::Gone`], [`LakeError::Corrupt`], [`LakeError::Contract`], or it
    /// cannot be read.
    pub fn read_stage_table(&self, output: &StageOutput, table: &str) -> Result<RecordBatch, LakeError> {
        let contract = contract::find_contract(table)?;
        let batch = self.stage_file(output, contract)?.decode()?;
        contract::conform_to_contract(contract, &batch)
            .map_err(|source| contract::contract_error(table, source))
    }

    /// A file of a stage that is no table, whole and checked.
    ///
    /// # Errors
    /// [`LakeError::NoEntry`], [`LakeError::Gone`], [`LakeError::Corrupt`], or it cannot be read.
    pub fn read_stage_file(&self, output: &StageOutput, name: &str) -> Result<Bytes, LakeError> {
        let entry = output.files.iter().find(|f| f.name == name).ok_or_else(|| LakeError::NoEntry {
            name: name.to_owned(),
            folder: self.store.path(&output.folder()),
        })?;
        self.read_checked(&format!("{}/{name}", output.folder()), &entry.sha256)
    }

    /// These columns of a table of a stage, in this order, and every row of them. The digest is that of the
    /// whole file, which is checked all the same.
    ///
    /// # Errors
    /// As for [`Self::read_stage_table`]; a column that is not in the contract is [`crate::ContractError::Missing`].
    pub fn read_stage_columns(
        &self,
        output: &StageOutput,
        table: &str,
        columns: &[&str],
    ) -> Result<RecordBatch, LakeError> {
        self.table_columns(&output.folder(), "", table, output.table(table), columns)
    }

    /// A table of a stage as it would be encoded again: since the same rows make the same bytes, it is not.
    pub(crate) fn stage_encoded(
        &self,
        output: &StageOutput,
        table: &Table,
    ) -> Result<EncodedTable, LakeError> {
        let there = output.table(&table.name);
        contract::check_version(table, there)?;
        let (path, file) = self.open_table_file(&output.folder(), "", &table.name, there)?;
        let same_as = Some(format!("{}/{}.parquet", output.folder(), table.name));
        // A manifest of before seals may be damaged unseen: what can be told from the file is not taken from there.
        let bytes = file.bytes();
        let rows = count_rows(&file).map_err(|source| LakeError::Decode { path, source })?;
        let sha256 = there.map(|entry| entry.sha256.clone()).unwrap_or_default();
        let entry =
            TableEntry { name: table.name.clone(), rows, bytes, sha256, contract_version: table.version };
        Ok(EncodedTable { entry, content: FileContent::File(file.file()), same_as })
    }

    /// The file of a table of a stage, if it was written under the contract of this build.
    fn stage_file(&self, output: &StageOutput, contract: &Table) -> Result<TableFile, LakeError> {
        let entry = output.table(&contract.name);
        contract::check_version(contract, entry)?;
        self.table_file(&output.folder(), "", &contract.name, entry)
    }
}

fn file_entry(name: &str, bytes: &Bytes) -> Result<FileEntry, LakeError> {
    check_name("a file of a stage", name)?;
    Ok(FileEntry { name: name.to_owned(), bytes: bytes.len() as u64, sha256: sha256(bytes) })
}

impl LakeWriter {
    /// Keeps what a stage made. If its output for these inputs is there and whole, that one stays and is
    /// returned; if it is there and damaged, it is replaced.
    ///
    /// # Errors
    /// [`LakeError::Contract`] if a table does not follow its contract, or the lake cannot be read or written.
    pub fn commit_stage(
        &self,
        stage: &PipelineStage,
        fingerprint: &Fingerprint,
        tables: &[(&str, RecordBatch)],
        notes: serde_json::Value,
    ) -> Result<StageOutput, LakeError> {
        self.commit_stage_with(
            stage,
            fingerprint,
            StageTables { batches: tables, ..StageTables::default() },
            notes,
        )
    }

    /// As [`Self::commit_stage`], with tables that are encoded already, and files that are no tables.
    ///
    /// # Errors
    /// As for [`Self::commit_stage`], or a name cannot be that of a file.
    pub fn commit_stage_with(
        &self,
        stage: &PipelineStage,
        fingerprint: &Fingerprint,
        tables: StageTables<'_>,
        notes: serde_json::Value,
    ) -> Result<StageOutput, LakeError> {
        let StageTables { batches, encoded: before, files } = tables;
        check_stage_name(stage)?;
        let encode = if matches!(stage, PipelineStage::Facts { .. }) { encode_facts } else { encode_table };
        let mut encoded = encode_all(batches, encode)?;
        encoded.extend(before);
        encoded.sort_by(|a, b| a.entry.name.cmp(&b.entry.name));
        let output = StageOutput {
            format: MANIFEST_FORMAT,
            stage: stage.clone(),
            fingerprint: fingerprint.clone(),
            tables: encoded.iter().map(|e| e.entry.clone()).collect(),
            files: files.iter().map(|(name, bytes)| file_entry(name, bytes)).collect::<Result<_, _>>()?,
            notes,
        };
        if let Some(there) = self.whole_stage(&output)? {
            return Ok(there);
        }
        let (store, target) = (&self.lake().store, output.folder());
        let links = self.lake().find_links(&encoded, "", None);
        let tables = encoded.into_iter().map(|e| (format!("{}.parquet", e.entry.name), e.content));
        let files = tables.chain(files.into_iter().map(|(name, bytes)| (name, bytes.into()))).collect();
        let manifest = (MANIFEST, manifest::to_bytes(store, &target, &output)?);
        store.put_folder_with(&FolderDraft { kind: "stage", target, files, manifest }, &links)?;
        Ok(output)
    }

    /// A table of another output of a stage, for one in which it is the same.
    ///
    /// # Errors
    /// As for [`Lake::read_stage_table`].
    pub fn unchanged_table(&self, output: &StageOutput, table: &str) -> Result<EncodedTable, LakeError> {
        self.lake().stage_encoded(output, contract::find_contract(table)?)
    }

    /// The output with the fingerprint of `new`, unless it is missing or damaged.
    fn whole_stage(&self, new: &StageOutput) -> Result<Option<StageOutput>, LakeError> {
        let there = match self.lake().find_stage(&new.stage, &new.fingerprint) {
            Err(error) if error.is_damage() => None,
            there => there?,
        };
        let Some(there) = there else { return Ok(None) };
        if there.content_digest() != new.content_digest() {
            // The inputs were the same, the tables are not: the stage is no pure function, or its fingerprint
            // leaves something out.
            tracing::warn!(stage = %new.stage, fingerprint = %new.fingerprint, "found another output for the same inputs, and keep the first");
        }
        Ok(if self.lake().is_sound(&there.expected_files())? { Some(there) } else { None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ContractError;
    use crate::testing::{empty, events, fingerprint, lake, noon, normalised};
    use serde_json::json;

    #[test]
    fn a_stage_is_there_once_committed_and_only_under_its_fingerprint() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        assert_eq!(lake.find_stage(&normalised(), &fingerprint("1")).unwrap(), None);
        let tables = [("statsdb_events", events(&["a", "b"])), ("fighters", empty("fighters"))];
        let made =
            writer.commit_stage(&normalised(), &fingerprint("1"), &tables, json!({"rows_in": 2})).unwrap();
        let there = lake.find_stage(&normalised(), &fingerprint("1")).unwrap().unwrap();
        assert_eq!(there, made);
        assert_eq!(there.notes["rows_in"], 2);
        assert_eq!(there.table("statsdb_events").unwrap().rows, 2);
        assert_eq!(lake.read_stage_table(&there, "statsdb_events").unwrap(), tables[0].1);
        assert_eq!(lake.read_stage_table(&there, "fighters").unwrap(), tables[1].1);
        assert!(matches!(lake.read_stage_table(&there, "bouts"), Err(LakeError::NoEntry { .. })));
        assert_eq!(lake.find_stage(&normalised(), &fingerprint("2")).unwrap(), None);
        assert_eq!(lake.find_stage(&PipelineStage::Derived, &fingerprint("1")).unwrap(), None);
    }

    #[test]
    fn a_second_commit_of_the_same_inputs_keeps_the_first_and_mends_damage() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let commit = |notes| {
            let tables = [("statsdb_events", events(&["a"]))];
            writer.commit_stage(&PipelineStage::Normalised, &fingerprint("1"), &tables, notes).unwrap()
        };
        let first = commit(json!(1));
        assert_eq!(commit(json!(2)), first);

        let table = lake.root().join(first.folder()).join("statsdb_events.parquet");
        std::fs::remove_file(&table).unwrap();
        assert!(matches!(lake.read_stage_table(&first, "statsdb_events"), Err(LakeError::Gone { .. })));
        assert_eq!(commit(json!(3)).notes, 3);
        lake.read_stage_table(&first, "statsdb_events").unwrap();

        std::fs::remove_file(lake.root().join(first.folder()).join(MANIFEST)).unwrap();
        assert_eq!(lake.find_stage(&PipelineStage::Normalised, &fingerprint("1")).unwrap(), None);
        assert_eq!(commit(json!(4)).notes, 4);
    }

    #[test]
    fn a_table_without_contract_or_given_twice_or_against_its_contract_is_refused() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let refused = |tables: &[(&str, RecordBatch)]| match writer.commit_stage(
            &PipelineStage::Derived,
            &fingerprint("1"),
            tables,
            json!({}),
        ) {
            Err(LakeError::Contract { source, .. }) => source,
            other => panic!("{other:?}"),
        };
        let events = events(&["a"]);
        assert!(matches!(refused(&[("no_such", events.clone())]), ContractError::Unknown));
        assert!(matches!(refused(&[("bouts", events.clone())]), ContractError::Extra { .. }));
        let twice = [("statsdb_events", events.clone()), ("statsdb_events", events)];
        assert!(matches!(refused(&twice), ContractError::Twice));
        assert!(!lake.root().join("derived").exists());
    }

    #[test]
    fn a_table_of_another_contract_version_is_refused() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let tables = [("statsdb_events", events(&["a"]))];
        let mut made = writer.commit_stage(&normalised(), &fingerprint("1"), &tables, json!({})).unwrap();
        made.tables[0].contract_version += 1;
        let read = lake.read_stage_table(&made, "statsdb_events");
        assert!(matches!(read, Err(LakeError::Contract { source: ContractError::Version { .. }, .. })));
    }

    #[test]
    fn some_columns_come_in_the_order_asked_for_and_only_of_a_whole_file() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let rows = events(&["a", "b"]);
        let tables = [("statsdb_events", rows.clone())];
        let made = writer.commit_stage(&normalised(), &fingerprint("1"), &tables, json!({})).unwrap();
        let read = |columns: &[&str]| lake.read_stage_columns(&made, "statsdb_events", columns);
        let at = ["location", "line"].map(|name| rows.schema().index_of(name).unwrap());
        assert_eq!(read(&["location", "line"]).unwrap(), rows.project(&at).unwrap());
        assert_eq!((read(&[]).unwrap().num_rows(), read(&[]).unwrap().num_columns()), (2, 0));
        let missing = read(&["line", "no_such"]);
        let Err(LakeError::Contract { source: ContractError::Missing { column }, .. }) = missing else {
            panic!("{missing:?}")
        };
        assert_eq!(column, "no_such");
        assert!(matches!(lake.read_stage_columns(&made, "bouts", &[]), Err(LakeError::NoEntry { .. })));

        // A flipped bit in what another column says.
        let path = lake.root().join(made.folder()).join("statsdb_events.parquet");
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[4] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(read(&["line"]), Err(LakeError::Corrupt { .. })));
    }

    #[test]
    fn stages_are_named_by_their_folders() {
        let facts = PipelineStage::Facts { source: "statsdb".to_owned() };
        let sport = PipelineStage::Catalog { sport: "nhl".to_owned() };
        for stage in [facts, sport, PipelineStage::Normalised, PipelineStage::Merging, PipelineStage::Derived]
        {
            assert_eq!(stage.to_string().parse::<PipelineStage>().unwrap(), stage);
        }
        for text in ["facts", "facts/", "facts/../x", "catalog/", "catalog/../x", "derived", "raw/x"] {
            assert!(text.parse::<PipelineStage>().is_err(), "{text}");
        }
        let (_folder, lake) = lake();
        let hostile = PipelineStage::Facts { source: "../../x".to_owned() };
        assert!(lake.find_stage(&hostile, &fingerprint("1")).is_err());
    }
}
