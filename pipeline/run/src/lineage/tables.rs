//! The tables of two snapshots of a lake, read some rows at a time.

use fdna_lake::{Lake, LakeError, SnapshotManifest};
use fdna_lineage::{RowBatches, Side, SnapshotTables, TableState};

/// Cells that are decoded at a time: a wide table has few rows in that many.
const CELLS_AT_ONCE: usize = 1 << 19;

/// Two snapshots of one lake.
#[derive(Debug)]
pub struct LakePair<'l> {
    pub lake: &'l Lake,
    pub old: SnapshotManifest,
    pub new: SnapshotManifest,
}

impl LakePair<'_> {
    fn manifest(&self, side: Side) -> &SnapshotManifest {
        match side {
            Side::Old => &self.old,
            Side::New => &self.new,
        }
    }
}

impl SnapshotTables for LakePair<'_> {
    type Error = LakeError;

    fn names(&self, side: Side) -> Vec<String> {
        self.manifest(side).tables.iter().map(|table| table.name.clone()).collect()
    }

    fn state(&self, side: Side, table: &str) -> Option<TableState> {
        let entry = self.manifest(side).table(table)?;
        let sha256 = entry.sha256.clone();
        Some(TableState { rows: entry.rows, contract_version: entry.contract_version, sha256 })
    }

    fn rows(
        &self,
        side: Side,
        table: &str,
        columns: Option<&[&str]>,
    ) -> Result<RowBatches<LakeError>, LakeError> {
        let table = self.lake.open_snapshot_table(self.manifest(side), table)?;
        let width = columns.map_or_else(|| table.n_columns(), <[&str]>::len).max(1);
        let rows = (CELLS_AT_ONCE / width).clamp(512, 16 << 10);
        Ok(Box::new(table.row_batches(columns, rows)?))
    }
}
