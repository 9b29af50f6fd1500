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
use crate::exit::{ExitCode, coded};

/// Between two looks at the lake.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

const VALIDITY: &str = "properties_validity";

/// Opens the lake, reads what it publishes, and follows it for the life of the process.
///
/// # Errors
/// It is no lake of properties, or what it publishes cannot be read. A lake that publishes nothing yet is none.
pub(crate) fn follow(folder: &Path) -> anyhow::Result<PropertyShelf> {
    let lake = Lake::open(folder);
    let kind = lake.capture_log()?.kind.clone();
    if kind.is_none_or(|kind| kind.product != PROPERTIES_PRODUCT) {
        let message = format!(
            "leads: find properties in {}: `fightdna properties run` makes such a lake",
            folder.display()
        );
        return Err(coded(ExitCode::Unavailable, message));
    }
    let shelf = PropertyShelf::default();
    let first = current(&lake)?;
    if let Some(manifest) = &first {
        shelf.store(Some(Arc::new(read(&lake, manifest)?)));
    }
    let following = Arc::clone(&shelf);
    let served = first.map(|manifest| manifest.id);
    let thread = std::thread::Builder::new().name("properties".to_owned());
    thread
        .spawn(move || watch(&lake, &following, served))
        .context("start the thread that follows the lake")?;
    Ok(shelf)
}

#[expect(clippy::disallowed_methods, reason = "a thread of its own, that serves nobody")]
fn watch(lake: &Lake, shelf: &PropertyShelf, mut served: Option<SnapshotId>) {
    loop {
        std::thread::sleep(POLL_INTERVAL);
        let newer = || -> anyhow::Result<Option<(ServedProperties, SnapshotId)>> {
            let manifest = current(lake)?.filter(|manifest| served.as_ref() != Some(&manifest.id));
            manifest.map(|manifest| Ok((read(lake, &manifest)?, manifest.id))).transpose()
        };
        match newer() {
            Ok(None) => {}
            Ok(Some((properties, id))) => {
                shelf.store(Some(Arc::new(properties)));
                served = Some(id);
            }
            // What is served stays.
            Err(error) => tracing::error!(error = format!("{error:#}"), "newer properties cannot be read"),
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
