//! The published properties for `fightdna leads serve`: read when it starts, and again when a run has published others.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use fdna_lake::{Lake, PROPERTIES_PRODUCT, SnapshotId, SnapshotManifest};
use fdna_leads::{PropertyShelf, ServedProperties, ServedValidity};
use fdna_schemas::{CatalogSource, PROPERTIES, TableReader};

use super::tables;
use crate::current_snapshot::current;
use crate::exit::{ExitCode, coded, exit_code};

/// Between two looks at the lake.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

const VALIDITY: &str = "properties_validity";

/// Reads what a lake publishes, and follows it for the life of the process. A lake that is not there yet, that is damaged or
/// publishes nothing leaves the shelf empty until it is whole: leads are served beside it.
///
/// # Errors
/// It is a lake of another product.
pub(crate) fn follow(folder: &Path) -> anyhow::Result<PropertyShelf> {
    let shelf = PropertyShelf::default();
    let mut served = None;
    let first = take(folder, &shelf, &mut served);
    if let Err(error) = &first
        && exit_code(error) == ExitCode::Usage
    {
        return first.map(|()| shelf);
    }
    if served.is_none() {
        let reason =
            first.err().map_or_else(|| "nothing is published yet".to_owned(), |error| format!("{error:#}"));
        tracing::error!(lake = %folder.display(), reason, "no properties are served until the lake is whole");
    }
    let (folder, following) = (folder.to_owned(), Arc::clone(&shelf));
    let thread = std::thread::Builder::new().name("properties".to_owned());
    thread
        .spawn(move || watch(&folder, &following, served))
        .context("start the thread that follows the lake")?;
    Ok(shelf)
}

/// Puts what is published onto the shelf, unless it is there.
fn take(folder: &Path, shelf: &PropertyShelf, served: &mut Option<SnapshotId>) -> anyhow::Result<()> {
    let lake = Lake::open(folder);
    let kind = lake.capture_log()?.kind.clone();
    if kind.is_some_and(|kind| kind.product != PROPERTIES_PRODUCT) {
        let message = format!(
            "leads: find properties in {}: it is a lake of another product; `fightdna properties run` makes one of properties",
            folder.display()
        );
        return Err(coded(ExitCode::Usage, message));
    }
    let newer = current(&lake)?.filter(|manifest| served.as_ref() != Some(&manifest.id));
    if let Some(manifest) = newer {
        shelf.store(Some(Arc::new(read(&lake, &manifest)?)));
        *served = Some(manifest.id);
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a thread of its own, that serves nobody")]
fn watch(folder: &Path, shelf: &PropertyShelf, mut served: Option<SnapshotId>) {
    let mut told = String::new();
    loop {
        std::thread::sleep(POLL_INTERVAL);
        match take(folder, shelf, &mut served) {
            Ok(()) => told.clear(),
            // What is served stays. The same again is not told again.
            Err(error) => {
                let reason = format!("{error:#}");
                if reason != told {
                    tracing::error!(error = reason, "newer properties cannot be read");
                    told = reason;
                }
            }
        }
    }
}

fn read(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<ServedProperties> {
    let book = tables::book(|name| Ok(lake.read_snapshot_table(manifest, name)?))?;
    let own = CatalogSource::all().filter(|source| source.sport == PROPERTIES);
    let notices: BTreeMap<String, String> =
        own.filter_map(|source| Some((source.source.clone(), source.notice.clone()?))).collect();
    let validity = match manifest.table(VALIDITY) {
        Some(_) => validity(lake, manifest)?,
        None => Vec::new(),
    };
    Ok(ServedProperties { book, validity, notices, snapshot_id: manifest.id.to_string() })
}

fn validity(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<Vec<ServedValidity>> {
    let rows = lake.read_snapshot_table(manifest, VALIDITY)?;
    let table = TableReader::new(VALIDITY, &rows);
    let (markets, slices, versions) =
        (table.texts("market")?, table.texts("slice")?, table.texts("definition_version")?);
    let (first, until) = (table.days("first_cut")?, table.days("until")?);
    let (asked, valued) = (table.counts("asked")?, table.counts("valued")?);
    let floats = |name| table.floats(name);
    let (coverage, error, within, bias) =
        (floats("coverage")?, floats("median_error")?, floats("within_20")?, floats("bias")?);
    let (level, held, width) =
        (table.numbers("interval_level")?, floats("interval_coverage")?, floats("interval_width")?);
    let (area, area_within) = (floats("area_median_error")?, floats("area_median_within_20")?);
    let (plain, plain_within) = (floats("comparable_median_error")?, floats("comparable_median_within_20")?);
    let of = |row: usize| ServedValidity {
        market: markets[row].to_owned(),
        slice: slices[row].to_owned(),
        first_cut: first[row],
        until: until[row],
        asked: asked[row],
        valued: valued[row],
        coverage: coverage[row],
        median_error: error[row],
        within_20: within[row],
        bias: bias[row],
        interval_level: level[row],
        interval_coverage: held[row],
        interval_width: width[row],
        area_median_error: area[row],
        area_median_within_20: area_within[row],
        comparable_median_error: plain[row],
        comparable_median_within_20: plain_within[row],
        definition_version: versions[row].to_owned(),
    };
    Ok((0..table.rows()).map(of).collect())
}
