//! Derives every DNA version that the facts support.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_derive::{DnaDerivation, GivenMetrics, TableSink};
use fdna_lake::{ColumnEncoder, EncodedTable, LakeWriter, StageTables};
use fdna_model::FactsAsOf;
use fdna_schemas::{DEFINITION_VERSION, Metric, MetricDefinitions};
use serde_json::json;

use super::definition::{StageName, StageState};
use super::derivation_facts::{after_all, load_derivation_facts};
use super::graph;
use super::shards::ShardSource;
use crate::context::{Context, PipelineJob as _, StageJob};
use crate::report::JobReport;

pub(crate) struct DeriveDna {
    /// Shards that are derived elsewhere, to be put together instead.
    pub(crate) shards: Option<ShardSource>,
}

impl StageJob for DeriveDna {
    const STAGE: StageName = StageName::Derive;
    const UNCHANGED: &'static str = "no new bouts, results or statistics";

    fn make(&self, ctx: &Context, state: &StageState) -> anyhow::Result<JobReport> {
        ctx.progress.show_message("derive Fight DNA");
        let facts = load_derivation_facts(&ctx.lake, &graph::normalised_outputs(&ctx.lake)?)?;
        let definitions = MetricDefinitions::get();
        let cut = FactsAsOf::cut_at(&facts, after_all(&facts));
        let derivation = DnaDerivation::new(cut, definitions);
        let versions = derivation.versions().len();
        let fighters = derivation.versions().iter().filter(|v| v.version == 1).count();
        let given = self.shards.as_ref().map(|source| source.find_shards(state.fingerprint(), &ctx.progress));
        let given = given.transpose()?;
        let read = given.as_ref().map(|given| |metric: &Metric| given.read_metric(metric));
        let encoded = EncodedTables { writer: &ctx.writer, tables: Mutex::default() };
        derivation.write_tables(read.as_ref().map(|read| read as &GivenMetrics<'_, _>), &encoded)?;
        let tables = StageTables { encoded: encoded.finish_tables()?, ..StageTables::default() };
        let notes = json!({ "versions": versions, "fighters": fighters });
        state.commit_with(&ctx.lake, &ctx.writer, tables, notes)?;
        let metrics = definitions.metrics.len();
        let line = format!(
            "{} versions of {fighters} fighters, {metrics} metrics each, definition {DEFINITION_VERSION}",
            versions
        );
        let by_engine = given.and_then(|given| given.report).map(|report| report.to_string());
        Ok(JobReport::changed(self.name(), [line].into_iter().chain(by_engine).collect()))
    }
}

/// Tables as they will be written: compressed, they need a fifth of the room.
struct EncodedTables<'a> {
    writer: &'a LakeWriter,
    tables: Mutex<BTreeMap<&'static str, Arc<ColumnEncoder>>>,
}

impl TableSink for EncodedTables<'_> {
    type Error = anyhow::Error;

    fn put_columns(&self, table: &'static str, columns: RecordBatch) -> anyhow::Result<()> {
        let encoder = match self.lock_encoders().entry(table) {
            Entry::Occupied(there) => Arc::clone(there.get()),
            Entry::Vacant(new) => {
                Arc::clone(new.insert(Arc::new(self.writer.column_encoder(table, columns.num_rows())?)))
            }
        };
        Ok(encoder.encode_columns(&columns)?)
    }
}

impl EncodedTables<'_> {
    fn lock_encoders(&self) -> MutexGuard<'_, BTreeMap<&'static str, Arc<ColumnEncoder>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish_tables(self) -> anyhow::Result<Vec<EncodedTable>> {
        let encoders = std::mem::take(&mut *self.lock_encoders());
        let finish = |encoder: Arc<ColumnEncoder>| {
            Arc::into_inner(encoder).context("a table is still being written")?.finish().map_err(Into::into)
        };
        encoders.into_values().map(finish).collect()
    }
}
