//! The commits of a table, replayed as the protocol says, are the tables of each version.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use fdna_export::{ExportedSchema, ExportedTable, ExportedVersion, VersionHistory, delta_commit};
use fdna_lake::PublicationKind;
use proptest::prelude::*;
use serde_json::Value;

/// The contents and the columns of tables that a version has, by name: a letter and a number for each.
type Contents = BTreeMap<&'static str, (u8, u8)>;

const TABLES: [&str; 3] = ["bouts", "events", "fighters"];

fn contents() -> impl Strategy<Value = Contents> {
    proptest::collection::btree_map(proptest::sample::select(&TABLES[..]), (0..3_u8, 0..2_u8), 0..3)
}

fn sha256(content: u8) -> String {
    format!("{content:064x}")
}

fn schema(columns: u8) -> ExportedSchema {
    serde_json::from_value(serde_json::json!({
        "meaning": "m", "grain": "g", "key": ["id"],
        "columns": (0..=columns).map(|n| serde_json::json!({
            "name": format!("c{n}"), "type": "int32", "nullable": n > 0, "meaning": "m",
        })).collect::<Vec<_>>(),
    }))
    .unwrap()
}

/// A history as `ExportFolder` writes it down: what a table is stands where it changes.
fn history(versions: &[Contents]) -> VersionHistory {
    let mut history = VersionHistory::default();
    let mut known: BTreeMap<&str, u8> = BTreeMap::new();
    for (version, contents) in versions.iter().enumerate() {
        let tables = contents.iter().map(|(name, (content, columns))| {
            let is_new = known.insert(name, *columns) != Some(*columns);
            ExportedTable {
                name: (*name).to_owned(),
                rows: u64::from(*content),
                bytes: 4,
                sha256: sha256(*content),
                schema: is_new.then(|| schema(*columns)),
            }
        });
        let tables = tables.collect();
        history.push(ExportedVersion {
            format: 1,
            version: version as u64,
            snapshot: format!("{version:032x}").parse().unwrap(),
            published_at: DateTime::<Utc>::from_timestamp(i64::try_from(version).unwrap(), 0).unwrap(),
            kind: PublicationKind::Publish,
            synthetic: true,
            facts_until: None,
            licences: Vec::new(),
            sources: Vec::new(),
            tables,
        });
    }
    history
}

/// What a reader knows after some commits: its files, and the columns.
#[derive(Debug, Default, PartialEq)]
struct Replayed {
    files: BTreeMap<String, u64>,
    columns: usize,
    protocols: usize,
}

impl Replayed {
    fn apply(&mut self, commit: &str) {
        for (line, action) in commit.lines().enumerate() {
            let action: Value = serde_json::from_str(action).unwrap();
            assert_eq!(action.get("commitInfo").is_some(), line == 0);
            if let Some(add) = action.get("add") {
                let stats: Value = serde_json::from_str(add["stats"].as_str().unwrap()).unwrap();
                let rows = stats["numRecords"].as_u64().unwrap();
                assert_eq!(self.files.insert(add["path"].as_str().unwrap().to_owned(), rows), None);
            }
            if let Some(remove) = action.get("remove") {
                assert!(self.files.remove(remove["path"].as_str().unwrap()).is_some());
            }
            if let Some(metadata) = action.get("metaData") {
                let schema: Value = serde_json::from_str(metadata["schemaString"].as_str().unwrap()).unwrap();
                self.columns = schema["fields"].as_array().unwrap().len();
            }
            self.protocols += usize::from(action.get("protocol").is_some());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_version_has_the_file_and_the_columns_of_its_table(
        versions in proptest::collection::vec(contents(), 1..7)
    ) {
        let history = history(&versions);
        for table in TABLES {
            let mut replayed = Replayed::default();
            for (version, contents) in versions.iter().enumerate() {
                let commit = delta_commit(&history, table, version);
                prop_assert_eq!(commit.is_some(), history.table_names().contains(table));
                let Some(commit) = commit else { continue };
                replayed.apply(&commit);
                let expected = contents.get(table).map(|(content, _)| (format!("{}.parquet", sha256(*content)), u64::from(*content)));
                prop_assert_eq!(&replayed.files, &expected.into_iter().collect());
                if let Some((_, columns)) = contents.get(table) {
                    prop_assert_eq!(replayed.columns, usize::from(*columns) + 1);
                }
                prop_assert!(replayed.protocols == 1 && replayed.columns > 0);
            }
        }
    }

    #[test]
    fn a_commit_is_the_same_whatever_came_after_it(
        versions in proptest::collection::vec(contents(), 1..7), until in 1_usize..7
    ) {
        let until = until.min(versions.len());
        let (whole, begun) = (history(&versions), history(&versions[..until]));
        for table in begun.table_names() {
            for version in 0..until {
                prop_assert_eq!(delta_commit(&whole, table, version), delta_commit(&begun, table, version));
            }
        }
    }
}

#[test]
fn a_table_that_did_not_change_has_a_commit_without_files() {
    let same: Contents = [("bouts", (1, 0))].into();
    let history = history(&[same.clone(), same]);
    let commit = delta_commit(&history, "bouts", 1).unwrap();
    assert_eq!(commit.lines().count(), 1);
    assert!(commit.contains("\"hasTable\":\"true\""));
    assert_eq!(delta_commit(&history, "bouts", 2), None);
}

#[test]
fn a_table_before_it_came_and_after_it_went_has_no_file_and_says_so() {
    let history = history(&[Contents::new(), [("bouts", (1, 0))].into(), Contents::new()]);
    let commits = [0, 1, 2].map(|version| delta_commit(&history, "bouts", version).unwrap());
    assert!(commits[0].contains("metaData") && !commits[0].contains("\"add\""));
    assert!(commits[1].contains("\"add\"") && !commits[1].contains("metaData"));
    assert!(commits[2].contains("\"remove\"") && commits[2].contains("\"hasTable\":\"false\""));
}
