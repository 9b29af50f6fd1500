//! The normalised tables, which three jobs make one after the other.

use arrow::array::RecordBatch;
use fdna_lake::{Lake, SnapshotInput, StageOutput};
use fdna_rows::TableSet;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

/// Outputs of `normalise`, `link` and `enrich`, as far as they are made: a table is the latest that has it.
pub(crate) struct NormalisedOutputs(pub(crate) Vec<StageOutput>);

impl NormalisedOutputs {
    /// The output that this table is taken from.
    pub(crate) fn output_of(&self, table: &str) -> Option<&StageOutput> {
        self.0.iter().rev().find(|output| output.table(table).is_some())
    }

    pub(crate) fn snapshot_inputs(&self) -> impl Iterator<Item = SnapshotInput> {
        self.0.iter().map(SnapshotInput::from)
    }

    /// Reads those of these tables that there are.
    pub(crate) fn read_tables(&self, lake: &Lake, tables: &[&str]) -> anyhow::Result<TableSet> {
        let found = tables.iter().filter_map(|table| Some((*table, self.output_of(table)?)));
        let read = |(table, output): (&str, &StageOutput)| {
            Ok((table.to_owned(), lake.read_stage_table(output, table)?))
        };
        Ok(TableSet(read_each(found, read)?.into_iter().collect()))
    }
}

/// Reads each, on as many threads as there are. Which error is told does not depend on them: that of the first.
pub(crate) fn read_each<T: Send, R: Send>(
    all: impl IntoIterator<Item = T>,
    read: impl Fn(T) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let all: Vec<T> = all.into_iter().collect();
    let read: Vec<_> = all.into_par_iter().map(&read).collect();
    read.into_iter().collect()
}

/// Row counts of tables, for a report.
pub(crate) fn describe_counts(tables: &[(String, RecordBatch)]) -> String {
    let counts = tables.iter().map(|(name, batch)| format!("{name} {}", batch.num_rows()));
    counts.collect::<Vec<_>>().join(", ")
}
