//! Panels: the DNA of all fighters as it stood on a date, a partition for each date.
//!
//! ```text
//! panels/wide/as_of=2020-01-01/part.parquet      rows of `panel_wide`
//! panels/long/as_of=2020-01-01/part.parquet      rows of `panel_long`
//! panels/manifests/2020-01-01.json               both, or neither: without it they are not there
//! panels/ratios/as_of=2020-01-01/part.parquet    rows of `panel_ratios`
//! panels/manifests/ratios/2020-01-01.json        the same of it
//! panels/vintage_wide/as_of=2020-01-01/…         rows of `panel_vintage_wide`, and so of `panel_vintage_long`
//! panels/manifests/vintage/2020-01-01.json       the same of both
//! panels/wnba_player_dna/as_of=2020-01-01/…      rows of `panel_wnba_player_dna`, and so of each kind of DNA of the catalog
//! ```
//!
//! Every table has a tree of its own with nothing in it but Parquet, partitioned as Hive does it, so that any
//! engine reads a folder or a pattern of it: `read_parquet('panels/wide/*/*.parquet')`. A partition is put in
//! place file by file, each of them whole; its manifest comes last and goes first.

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_schemas::CatalogDna;
use serde::{Deserialize, Serialize};

use crate::keys::join_keys;
use crate::manifest::{self, TableEntry, date};
use crate::parquet_io::{encode_all, encode_table};
use crate::store::{FilesDraft, LakeStore};
use crate::{Fingerprint, Lake, LakeError, LakeWriter, MANIFEST_FORMAT, SnapshotId, contract};

const MANIFESTS: &str = "panels/manifests";
const PART: &str = "part.parquet";

/// Tables that are made, kept and replaced together for a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelSet {
    /// Every metric of a fighter: `panel_wide` and `panel_long`.
    Metrics,
    /// The sums that ratios are made of: `panel_ratios`.
    Ratios,
    /// Every metric of a fighter as it was known on the date: `panel_vintage_wide` and `panel_vintage_long`.
    Vintage,
    /// DNA of a kind of subject of the multi-sport catalog, in the table of this name: `panel_wnba_player_dna`.
    Catalog(&'static str),
}

impl PanelSet {
    /// Every set.
    pub fn all() -> impl Iterator<Item = Self> {
        let catalog = CatalogDna::all().map(|dna| Self::Catalog(dna.panel));
        [Self::Metrics, Self::Ratios, Self::Vintage].into_iter().chain(catalog)
    }

    /// Names of its tables.
    #[must_use]
    pub fn tables(&self) -> &[&'static str] {
        match self {
            Self::Metrics => &["panel_wide", "panel_long"],
            Self::Ratios => &["panel_ratios"],
            Self::Vintage => &["panel_vintage_wide", "panel_vintage_long"],
            Self::Catalog(table) => std::slice::from_ref(table),
        }
    }

    fn manifest_folder(self) -> String {
        match self {
            Self::Metrics => MANIFESTS.to_owned(),
            Self::Vintage => join_keys(MANIFESTS, "vintage"),
            Self::Ratios | Self::Catalog(_) => {
                self.tables().iter().map(|table| join_keys(MANIFESTS, short_name(table))).collect()
            }
        }
    }

    /// The set whose manifests name the partitions of a tree.
    fn of_tree(folder: &str) -> Self {
        let has = |set: &Self| set.tables().iter().any(|table| partition_tree(table) == folder);
        Self::all().find(has).unwrap_or(Self::Metrics)
    }
}

/// A panel to be committed.
#[derive(Clone, Debug)]
pub struct PanelDraft<'a> {
    /// The set of tables.
    pub set: PanelSet,
    /// The date.
    pub as_of: NaiveDate,
    /// Fingerprint of its inputs.
    pub fingerprint: Fingerprint,
    /// The snapshot whose versions it is made of.
    pub snapshot_id: SnapshotId,
    /// The tables, by name.
    pub tables: &'a [(&'a str, RecordBatch)],
}

/// The panel of a date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PanelManifest {
    /// Format number of the manifest.
    pub format: u32,
    /// The date.
    #[serde(with = "date")]
    pub as_of: NaiveDate,
    /// Fingerprint of its inputs.
    pub fingerprint: Fingerprint,
    /// The snapshot that it was first made of; a later one with the same versions makes the same panel.
    pub snapshot_id: SnapshotId,
    /// The tables, by name.
    pub tables: Vec<TableEntry>,
}

impl PanelManifest {
    /// The table of this name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&TableEntry> {
        self.tables.iter().find(|t| t.name == name)
    }

    pub(crate) fn expected_files(&self) -> Vec<(String, &str)> {
        let key = |t: &TableEntry| join_keys(&partition_folder(&t.name, self.as_of), PART);
        self.tables.iter().map(|t| (key(t), t.sha256.as_str())).collect()
    }

    /// The folders of its tables.
    pub(crate) fn table_folders(&self) -> Vec<String> {
        self.tables.iter().map(|t| partition_folder(&t.name, self.as_of)).collect()
    }
}

/// `wide` for `panel_wide`.
fn short_name(table: &str) -> &str {
    table.strip_prefix("panel_").unwrap_or(table)
}

/// The tree of a table's partitions: `panels/wide` for `panel_wide`.
fn partition_tree(table: &str) -> String {
    join_keys("panels", short_name(table))
}

fn partition_folder(table: &str, as_of: NaiveDate) -> String {
    format!("{}/as_of={as_of}", partition_tree(table))
}

pub(crate) fn manifest_key(set: PanelSet, as_of: NaiveDate) -> String {
    format!("{}/{as_of}.json", set.manifest_folder())
}

/// The trees of all tables, whatever tables there are.
pub(crate) fn list_trees(store: &LakeStore) -> Result<Vec<String>, LakeError> {
    let folders = store.list_names("panels", true)?.into_iter().map(|name| join_keys("panels", &name));
    Ok(folders.filter(|folder| folder != MANIFESTS).collect())
}

/// Folders that hold files under way, besides the partitions themselves.
pub(crate) fn list_parents(store: &LakeStore) -> Result<Vec<String>, LakeError> {
    Ok(list_trees(store)?.into_iter().chain(PanelSet::all().map(PanelSet::manifest_folder)).collect())
}

/// Partitions that are in no manifest, or whose date has none: a commit of them broke off.
pub(crate) fn list_unfinished(store: &LakeStore) -> Result<Vec<String>, LakeError> {
    let mut found = Vec::new();
    for tree in list_trees(store)? {
        let set = PanelSet::of_tree(&tree);
        for name in store.list_names(&tree, true)? {
            let as_of = name.strip_prefix("as_of=").and_then(|text| text.parse::<NaiveDate>().ok());
            if !as_of.is_some_and(|as_of| store.is_there(&manifest_key(set, as_of))) {
                found.push(join_keys(&tree, &name));
            }
        }
    }
    Ok(found)
}

impl Lake {
    /// The panel of a date, if there is one.
    ///
    /// # Errors
    /// Its manifest cannot be read, is of a newer format, or is that of another date.
    pub fn find_panel(&self, set: PanelSet, as_of: NaiveDate) -> Result<Option<PanelManifest>, LakeError> {
        let key = manifest_key(set, as_of);
        let Some(panel) = manifest::read_manifest::<PanelManifest>(&self.store, &key)? else {
            return Ok(None);
        };
        if panel.as_of == as_of {
            return Ok(Some(panel));
        }
        let (expected, found) = (as_of.to_string(), panel.as_of.to_string());
        Err(LakeError::Corrupt { path: self.store.path(&key), expected, found })
    }

    /// The panel of a date, if its manifest and every byte that it names are what they should be.
    ///
    /// # Errors
    /// Something is there and cannot be read, or the manifest is of a newer format.
    pub fn whole_panel(&self, set: PanelSet, as_of: NaiveDate) -> Result<Option<PanelManifest>, LakeError> {
        let there = match self.find_panel(set, as_of) {
            Err(error) if error.is_damage() => None,
            there => there?,
        };
        let Some(there) = there else { return Ok(None) };
        Ok(if self.is_sound(&there.expected_files())? { Some(there) } else { None })
    }

    /// Dates that have a panel, the oldest first. Whether it can be read, [`Self::find_panel`] tells.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn panel_dates(&self, set: PanelSet) -> Result<Vec<NaiveDate>, LakeError> {
        let names = self.store.list_names(&set.manifest_folder(), false)?;
        let dates = names.iter().filter_map(|name| name.strip_suffix(".json")?.parse().ok());
        let mut dates: Vec<_> = dates.collect();
        dates.sort_unstable();
        Ok(dates)
    }

    /// Every row of a table of a panel, checked against its digest and against the contract of this build.
    ///
    /// # Errors
    /// [`LakeError::NoEntry`], [`LakeError::Gone`], [`LakeError::Corrupt`], [`LakeError::Contract`], or it
    /// cannot be read.
    pub fn read_panel_table(&self, panel: &PanelManifest, table: &str) -> Result<RecordBatch, LakeError> {
        let contract = contract::find_contract(table)?;
        let entry = panel.table(table);
        contract::check_version(contract, entry)?;
        let file = self.checked_file(&partition_folder(table, panel.as_of), PART, table, entry)?;
        contract::conform_to_contract(contract, &file.decode()?)
            .map_err(|source| contract::contract_error(table, source))
    }
}

impl LakeWriter {
    /// Keeps the panel of a date, in the place of any other of that date. If it is there, of the same inputs
    /// and whole, that one stays and is returned. Panels of several dates may be kept at once.
    ///
    /// # Errors
    /// [`LakeError::Contract`] if a table does not follow its contract, or the lake cannot be read or written.
    pub fn commit_panel(&self, draft: &PanelDraft<'_>) -> Result<PanelManifest, LakeError> {
        let (lake, as_of) = (self.lake(), draft.as_of);
        let there =
            lake.whole_panel(draft.set, as_of)?.filter(|there| there.fingerprint == draft.fingerprint);
        if let Some(there) = there {
            return Ok(there);
        }
        let encoded = encode_all(draft.tables, encode_table)?;
        let panel = PanelManifest {
            format: MANIFEST_FORMAT,
            as_of,
            fingerprint: draft.fingerprint.clone(),
            snapshot_id: draft.snapshot_id.clone(),
            tables: encoded.iter().map(|e| e.entry.clone()).collect(),
        };
        let key = manifest_key(draft.set, as_of);
        let text = manifest::to_bytes(&lake.store, &key, &panel)?;
        let files = encoded
            .into_iter()
            .map(|e| (join_keys(&partition_folder(&e.entry.name, as_of), PART), e.content));
        let files = files.collect();
        lake.store.put_files(&FilesDraft { kind: "panel", files, manifest: (key, text) })?;
        Ok(panel)
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::ContractError;
    use crate::testing::{empty, events, fingerprint, lake, noon};

    const SET: PanelSet = PanelSet::Metrics;

    fn day(n: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2020, 1, n).unwrap()
    }

    /// A panel of this content, made of the inputs of that name.
    fn keep(writer: &LakeWriter, on: u32, ids: &[&str], input: &str) -> PanelManifest {
        let tables = [("panel_wide", empty("panel_wide")), ("statsdb_events", events(ids))];
        let draft = PanelDraft {
            set: SET,
            as_of: day(on),
            fingerprint: fingerprint(input),
            snapshot_id: "0".repeat(32).parse().unwrap(),
            tables: &tables,
        };
        writer.commit_panel(&draft).unwrap()
    }

    #[test]
    fn a_panel_is_read_back_kept_for_the_same_inputs_and_replaced_for_others() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        assert_eq!((lake.find_panel(SET, day(1)).unwrap(), lake.panel_dates(SET).unwrap()), (None, vec![]));
        let (second, first) = (keep(&writer, 2, &["b"], "1"), keep(&writer, 1, &["a"], "1"));
        assert_eq!(lake.panel_dates(SET).unwrap(), [day(1), day(2)]);
        assert_eq!(lake.find_panel(SET, day(1)).unwrap().as_ref(), Some(&first));
        assert_eq!(lake.read_panel_table(&first, "statsdb_events").unwrap(), events(&["a"]));
        assert!(lake.root().join("panels/wide/as_of=2020-01-01/part.parquet").is_file());
        assert!(matches!(lake.read_panel_table(&first, "bouts"), Err(LakeError::NoEntry { .. })));

        assert_eq!(keep(&writer, 1, &["c"], "1"), first);
        let other = keep(&writer, 1, &["c"], "2");
        assert_eq!(lake.find_panel(SET, day(1)).unwrap().as_ref(), Some(&other));
        assert_eq!(lake.read_panel_table(&other, "statsdb_events").unwrap(), events(&["c"]));
        assert_eq!(lake.find_panel(SET, day(2)).unwrap(), Some(second));
        assert_eq!(lake.verify().unwrap().problems, []);
    }

    #[test]
    fn a_table_against_its_contract_or_of_another_version_of_it_is_refused() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let mut made = keep(&writer, 1, &["a"], "1");
        let draft = PanelDraft {
            set: SET,
            as_of: day(2),
            fingerprint: fingerprint("1"),
            snapshot_id: made.snapshot_id.clone(),
            tables: &[("panel_wide", events(&["a"]))],
        };
        assert!(matches!(writer.commit_panel(&draft), Err(LakeError::Contract { .. })));
        assert_eq!(lake.panel_dates(SET).unwrap(), [day(1)]);
        made.tables[0].contract_version += 1;
        let read = lake.read_panel_table(&made, &made.tables[0].name);
        assert!(matches!(read, Err(LakeError::Contract { source: ContractError::Version { .. }, .. })));
    }

    #[test]
    fn damage_is_told_and_mended_when_the_date_is_asked_again() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let made = keep(&writer, 1, &["a"], "1");
        let [manifest, table, extra] = [
            manifest_key(SET, day(1)),
            made.expected_files()[1].0.clone(),
            join_keys(&made.table_folders()[0], "x.parquet"),
        ]
        .map(|key| lake.root().join(key));
        for (path, text) in [(&table, "x"), (&manifest, "{"), (&manifest, &made_for(&made, day(2)))] {
            std::fs::write(path, text).unwrap();
            assert_eq!(lake.verify().unwrap().problems.len(), 1, "{text}");
            assert_eq!(lake.whole_panel(SET, day(1)).unwrap(), None, "{text}");
            assert_eq!(keep(&writer, 1, &["a"], "1"), made, "{text}");
            assert_eq!(lake.verify().unwrap().problems, [], "{text}");
        }
        std::fs::write(&extra, "").unwrap();
        let problems = lake.verify().unwrap().problems;
        assert_eq!((problems.len(), &problems[0].path), (1, &extra));
        std::fs::write(&manifest, r#"{"format": 3}"#).unwrap();
        assert!(matches!(lake.whole_panel(SET, day(1)), Err(LakeError::NewerFormat { .. })));
    }

    /// The manifest as it would be under another date.
    fn made_for(made: &PanelManifest, as_of: NaiveDate) -> String {
        serde_json::to_string(&PanelManifest { as_of, ..made.clone() }).unwrap()
    }

    #[test]
    fn finished_panels_outlive_gc_and_partitions_without_a_manifest_do_not() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let kept = keep(&writer, 1, &["a"], "1");
        keep(&writer, 2, &["a"], "1");
        std::fs::remove_file(lake.root().join(manifest_key(SET, day(2)))).unwrap();
        std::fs::create_dir(lake.root().join("panels/wide/no-date")).unwrap();
        for leftover in ["panels/wide/as_of=2020-01-01/.tmp-part.parquet-1", "panels/manifests/.tmp-x.json-1"]
        {
            std::fs::write(lake.root().join(leftover), "x").unwrap();
        }
        let swept = writer.gc(0).unwrap();
        let gone = ["statsdb_events/as_of=2020-01-02", "wide/as_of=2020-01-02", "wide/no-date"];
        assert_eq!(
            (swept.leftovers, swept.unfinished),
            (2, gone.map(|name| join_keys("panels", name)).to_vec())
        );
        assert_eq!(lake.whole_panel(SET, day(1)).unwrap(), Some(kept));
        assert_eq!(writer.gc(0).unwrap(), crate::SweptFiles::default());
    }

    #[test]
    fn a_replacement_broken_off_at_any_step_leaves_one_panel_or_none_and_is_finished_by_the_next() {
        for broken in 0.. {
            let (_folder, lake) = lake();
            let old = keep(&lake.writer("test", noon()).unwrap(), 1, &["a"], "1");
            let step = AtomicUsize::new(0);
            let at = move |_: &str| assert_ne!(step.fetch_add(1, Ordering::Relaxed), broken, "broken off");
            let watched = lake.clone().with_step_hook(Arc::new(at));
            let run = || keep(&watched.writer("test", noon()).unwrap(), 1, &["b"], "2");
            let run = catch_unwind(AssertUnwindSafe(run));
            let there = lake.whole_panel(SET, day(1)).unwrap();
            if let Ok(new) = run {
                assert_eq!((there, broken), (Some(new), 13));
                break;
            }
            // The manifest goes first and comes last.
            let expected = match broken {
                0 => Some("1"),
                11.. => Some("2"),
                _ => None,
            };
            assert_eq!(there.map(|panel| panel.fingerprint), expected.map(fingerprint), "step {broken}");
            assert_eq!(lake.verify().unwrap().problems, [], "step {broken}");
            let new = keep(&lake.writer("next", noon()).unwrap(), 1, &["b"], "2");
            assert_eq!(lake.whole_panel(SET, day(1)).unwrap(), Some(new.clone()), "step {broken}");
            assert_eq!((new.as_of, new.tables.len()), (old.as_of, old.tables.len()));
        }
    }

    #[test]
    fn the_panels_of_a_date_of_two_sets_do_not_touch_each_other() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let metrics = keep(&writer, 1, &["a"], "1");
        let tables = [("panel_ratios", empty("panel_ratios"))];
        let draft = |on| PanelDraft {
            set: PanelSet::Ratios,
            as_of: day(on),
            fingerprint: fingerprint("2"),
            snapshot_id: metrics.snapshot_id.clone(),
            tables: &tables,
        };
        let ratios = writer.commit_panel(&draft(1)).unwrap();
        writer.commit_panel(&draft(2)).unwrap();
        let sets = [PanelSet::Metrics, PanelSet::Ratios];
        let there = sets.map(|set| lake.whole_panel(set, day(1)).unwrap());
        assert_eq!(there, [Some(metrics), Some(ratios.clone())]);
        assert_eq!(sets.map(|set| lake.panel_dates(set).unwrap().len()), [1, 2]);
        std::fs::remove_file(lake.root().join(manifest_key(PanelSet::Ratios, day(2)))).unwrap();
        assert_eq!(writer.gc(0).unwrap().unfinished, ["panels/ratios/as_of=2020-01-02"]);
        assert_eq!(lake.whole_panel(PanelSet::Ratios, day(1)).unwrap(), Some(ratios.clone()));
        std::fs::write(lake.root().join(&ratios.expected_files()[0].0), "x").unwrap();
        assert_eq!(lake.verify().unwrap().problems.len(), 1);
        assert_eq!(lake.whole_panel(PanelSet::Ratios, day(1)).unwrap(), None);
    }
}
