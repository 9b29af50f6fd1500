//! The published properties for `fightdna leads serve`: read when it starts, and again when a run has published others.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use fdna_lake::{FileStamp, Lake, PROPERTIES_PRODUCT, SnapshotId, SnapshotManifest};
use fdna_leads::{PropertyShelf, ServedProperties, ServedValidity};
use fdna_run::current_snapshot::require_current;
use fdna_run::exit::{ExitCode, error_with_code, exit_code};
use fdna_run::product::Product;
use fdna_run::properties::tables;
use fdna_schemas::{CatalogSource, Column, ColumnType, PROPERTIES, TableReader, property_validity_table};
use serde_json::{Value, json};

/// Between two looks at the lake.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

const VALIDITY: &str = "properties_validity";

/// Reads what a lake publishes, and follows it for the life of the process. A lake that is not there yet, that is damaged or
/// publishes nothing leaves the shelf empty until it is whole: leads are served beside it.
///
/// # Errors
/// It is a lake of another product.
pub(crate) fn follow_lake(folder: &Path) -> anyhow::Result<PropertyShelf> {
    let mut followed = FollowedLake {
        lake: Lake::open(folder),
        shelf: Arc::default(),
        served: None,
        files: None,
        told: String::new(),
    };
    let shelf = Arc::clone(&followed.shelf);
    if let Err(error) = followed.take_published() {
        if exit_code(&error) == ExitCode::Usage {
            return Err(error);
        }
        followed.told = format!("{error:#}");
        let (lake, reason) = (folder.display(), &followed.told);
        tracing::error!(%lake, reason, "no properties are served until the lake is whole");
    }
    let thread = std::thread::Builder::new().name("properties".to_owned());
    thread.spawn(move || followed.watch_lake()).context("cannot start the thread that follows the lake")?;
    Ok(shelf)
}

/// A lake that is followed.
struct FollowedLake {
    lake: Lake,
    shelf: PropertyShelf,
    served: Option<SnapshotId>,
    /// Files of what is served, as they were when they were last found whole; `None` if they were not.
    files: Option<Vec<(String, FileStamp)>>,
    /// The last reported problem.
    told: String,
}

impl FollowedLake {
    /// Puts what is published onto the shelf, unless it is there.
    fn take_published(&mut self) -> anyhow::Result<()> {
        let lake = self.lake.clone();
        let place = lake.root().display();
        anyhow::ensure!(
            lake.is_in_bucket() || lake.root().is_dir(),
            "no folder {place}; `fightdna properties --lake {place} run` makes it"
        );
        let kind = lake.capture_log()?.kind.clone();
        if kind.is_some_and(|kind| kind.product != PROPERTIES_PRODUCT) {
            let message = format!(
                "leads: find properties in {place}: it is a lake of another product; `fightdna properties run` makes one of \
                 properties"
            );
            return Err(error_with_code(ExitCode::Usage, message));
        }
        let manifest = require_current(&lake, Product::Properties)?;
        if self.served.as_ref() == Some(&manifest.id) {
            return self.check_files(&lake, &manifest);
        }
        let served = Arc::new(read_properties(&lake, &manifest)?);
        self.shelf.store(Some(Arc::clone(&served)));
        (self.files, self.served) = (Some(lake.table_stamps(&manifest)?), Some(manifest.id));
        self.prepare_fits(served)
    }

    /// Fits the markets beside what is served, until others are.
    fn prepare_fits(&self, served: Arc<ServedProperties>) -> anyhow::Result<()> {
        let shelf = Arc::clone(&self.shelf);
        let prepare = move || {
            let is_served = || shelf.load().as_ref().is_some_and(|now| Arc::ptr_eq(now, &served));
            served.book.prepare_fits(is_served);
            tracing::debug!(snapshot = served.snapshot_id, "the markets of the newest years are fitted");
        };
        let thread = std::thread::Builder::new().name("fits".to_owned());
        thread.spawn(prepare).map(drop).context("cannot start the thread that fits the markets")
    }

    /// Finds what is damaged of the files that were read, once they are others.
    fn check_files(&mut self, lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<()> {
        let files = lake.table_stamps(manifest)?;
        if self.files.as_ref() != Some(&files) {
            self.files = None;
            for table in &manifest.tables {
                lake.snapshot_table_file(manifest, &table.name)?;
            }
            self.files = Some(files);
        }
        Ok(())
    }

    #[expect(clippy::disallowed_methods, reason = "a thread of its own, that serves nobody")]
    fn watch_lake(&mut self) {
        loop {
            std::thread::sleep(POLL_INTERVAL);
            let reason = self.take_published().err().map(|error| format!("{error:#}")).unwrap_or_default();
            // The same again is not told again.
            if reason == self.told {
                continue;
            }
            match (reason.is_empty(), &self.served) {
                (true, _) => tracing::info!("the lake of properties is whole: its properties are served"),
                (false, None) => tracing::error!(reason, "no properties are served until the lake is whole"),
                (false, Some(_)) => {
                    tracing::error!(
                        reason,
                        "the lake of properties is damaged: what was read of it is served on"
                    );
                }
            }
            self.told = reason;
        }
    }
}

fn read_properties(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<ServedProperties> {
    let book = tables::read_book(|name| Ok(lake.read_snapshot_table(manifest, name)?))?;
    let own = CatalogSource::all().filter(|source| source.sport == PROPERTIES);
    let notices: BTreeMap<String, String> =
        own.filter_map(|source| Some((source.source.clone(), source.notice.clone()?))).collect();
    let validity = match manifest.table(VALIDITY) {
        Some(_) => read_validity(lake, manifest)?,
        None => Vec::new(),
    };
    Ok(ServedProperties { book, validity, notices, snapshot_id: manifest.id.to_string() })
}

/// Rows of what values are worth, by the names of their columns. What an older run did not measure is null.
fn read_validity(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<Vec<ServedValidity>> {
    let rows = lake.read_snapshot_table(manifest, VALIDITY)?;
    let table = TableReader::new(VALIDITY, &rows);
    let mut served = vec![ServedValidity::new(); table.rows()];
    for Column { name, kind, .. } in property_validity_table().columns {
        let cells: Vec<Value> = match kind {
            _ if rows.column_by_name(&name).is_none() => vec![Value::Null; table.rows()],
            ColumnType::Float64 => table.floats(&name)?.into_iter().map(Value::from).collect(),
            ColumnType::Int32 => table.int32s(&name)?.into_iter().map(Value::from).collect(),
            ColumnType::Date => table.dates(&name)?.into_iter().map(|day| json!(day)).collect(),
            _ => table.strings(&name)?.into_iter().map(Value::from).collect(),
        };
        served.iter_mut().zip(cells).for_each(|(row, cell)| drop(row.insert(name.clone(), cell)));
    }
    Ok(served)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::Cli;

    /// What is looked at again is the same of a lake of any product.
    #[test]
    fn a_file_that_is_another_than_was_read_is_found_and_told_until_it_is_back() {
        let folder = std::env::temp_dir().join(format!("fightdna-followed-{}", std::process::id()));
        let args = ["fightdna", "--quiet", "--lake", folder.to_str().unwrap(), "run"];
        Cli::parse_from(args).run("2026-11-24T00:00:00Z".parse().unwrap(), |lake| lake).unwrap();
        let lake = Lake::open(&folder);
        let manifest = require_current(&lake, Product::Properties).unwrap();
        let mut followed = FollowedLake {
            lake: Lake::open(&folder),
            shelf: Arc::default(),
            served: Some(manifest.id.clone()),
            files: None,
            told: String::new(),
        };
        followed.check_files(&lake, &manifest).unwrap();
        let table = folder.join(format!("snapshots/{}/tables/fighters.parquet", manifest.id));
        let whole = std::fs::read(&table).unwrap();
        let mut damaged = whole.clone();
        damaged[200] ^= 1;
        let write = |bytes: &[u8]| {
            std::fs::remove_file(&table).unwrap();
            std::io::Write::write_all(&mut std::fs::File::create(&table).unwrap(), bytes).unwrap();
        };
        write(&damaged);
        for _ in 0..2 {
            let error = followed.check_files(&lake, &manifest).unwrap_err().to_string();
            assert!(error.contains("fighters.parquet"), "{error}");
        }
        write(&whole);
        followed.check_files(&lake, &manifest).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let absent = followed.take_published().unwrap_err().to_string();
        assert!(absent.ends_with("run` makes it"), "{absent}");
    }
}
