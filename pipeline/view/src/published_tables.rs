//! Tables of a snapshot with their contracts, for who reads the files.

use fdna_api::operations::snapshots::{CSV_SUFFIX, SUFFIX};
use fdna_api::{PublishedTable, SnapshotManifest, SnapshotTable, TableColumn, TableLinks};
use fdna_schemas::{Column, Table, Tables};

use crate::table_csv::MAX_CSV_CELLS;

/// The tables of a snapshot, by name. `snapshots` is the path under which a product has its snapshots.
#[must_use]
pub fn published_tables(manifest: SnapshotManifest, snapshots: &str) -> Vec<PublishedTable> {
    let (id, contracts) = (manifest.snapshot.id, Tables::get());
    let published = |table: SnapshotTable| {
        let contract = contracts.table(&table.name).ok();
        // Of a table that was written under another version nobody here knows what its columns meant.
        let contract = contract.filter(|contract| contract.version == table.contract_version);
        PublishedTable {
            grain: contract.map(|contract| contract.grain.as_str()),
            meaning: contract.map(|contract| contract.meaning.as_str()),
            key: contract.map(|contract| contract.key.as_slice()),
            columns: contract.map(columns),
            links: TableLinks {
                parquet: table_path(snapshots, &id, &table.name, SUFFIX),
                csv: has_csv(&table).then(|| table_path(snapshots, &id, &table.name, CSV_SUFFIX)),
            },
            table,
        }
    };
    manifest.tables.into_iter().map(published).collect()
}

/// Path of a table's file with this suffix.
#[must_use]
pub fn table_path(snapshots: &str, snapshot_id: &str, table: &str, suffix: &str) -> String {
    format!("{snapshots}/{snapshot_id}/tables/{table}{suffix}")
}

/// Whether a table is small enough to be written as CSV. Its columns are counted by its contract; one of an unknown
/// contract is not written.
#[must_use]
pub fn has_csv(table: &SnapshotTable) -> bool {
    let contract = Tables::get().table(&table.name).ok();
    let columns = contract.filter(|contract| contract.version == table.contract_version);
    let columns = columns.map(|contract| contract.columns.len() as u64);
    columns.is_some_and(|columns| columns.saturating_mul(table.rows) <= MAX_CSV_CELLS)
}

fn columns(contract: &'static Table) -> Vec<TableColumn> {
    let column = |column: &'static Column| TableColumn {
        name: &column.name,
        kind: column.kind.name(),
        unit: column.unit.as_deref(),
        meaning: &column.meaning,
        null_means: column.null_means.as_deref(),
    };
    contract.columns.iter().map(column).collect()
}
