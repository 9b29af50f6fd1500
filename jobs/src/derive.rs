//! Derives every DNA version that the facts support.

mod shards;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use arrow::array::RecordBatch;
use chrono::{Days, NaiveDate};
use fdna_derive::{DnaDerivation, TableSink};
use fdna_lake::{ColumnEncoder, EncodedTable, Lake, LakeWriter, SnapshotManifest, StageTables};
use fdna_model::{Facts, FactsAsOf};
use fdna_normalise::{FACTS_TABLES, facts_columns};
use fdna_schemas::{Catalogue, DEFINITION_VERSION};
use serde_json::json;

use crate::context::{Context, PipelineJob as _, StageJob};
use crate::current_snapshot::current;
use crate::exit::{ExitCode, coded};
use crate::normalised::{NormalisedOutputs, read_each};
use crate::report::JobReport;
use crate::stage_graph::{self, StageName, StageState};

pub(crate) use shards::{ShardArgs, write as write_shard};

pub(crate) struct DeriveDna {
    /// Folder of shards that were derived elsewhere, to be put together instead.
    pub(crate) shards: Option<PathBuf>,
}

impl StageJob for DeriveDna {
    const STAGE: StageName = StageName::Derive;
    const UNCHANGED: &'static str = "no new bouts, results or statistics";

    fn make(&self, ctx: &Context, state: &StageState) -> anyhow::Result<JobReport> {
        ctx.progress.say("derive Fight DNA");
        let facts = load_facts(&ctx.lake, &stage_graph::normalised(&ctx.lake)?)?;
        let catalogue = Catalogue::get();
        let cut = FactsAsOf::cut(&facts, after_all(&facts));
        let derivation = DnaDerivation::new(cut, catalogue);
        let versions = derivation.versions().len();
        let fighters = derivation.versions().iter().filter(|v| v.version == 1).count();
        let given =
            self.shards.as_ref().map(|folder| shards::read(folder, state.fingerprint())).transpose()?;
        let encoded = EncodedTables { writer: &ctx.writer, tables: Mutex::default() };
        derivation.write(given, &encoded)?;
        let tables = StageTables { encoded: encoded.finish()?, ..StageTables::default() };
        let notes = json!({ "versions": versions, "fighters": fighters });
        state.commit_with(&ctx.lake, &ctx.writer, tables, notes)?;
        let metrics = catalogue.metrics.len();
        let line = format!(
            "{} versions of {fighters} fighters, {metrics} metrics each, definition {DEFINITION_VERSION}",
            versions
        );
        Ok(JobReport::changed(self.name(), vec![line]))
    }
}

/// Tables as they will be written: compressed, they need a fifth of the room.
struct EncodedTables<'a> {
    writer: &'a LakeWriter,
    tables: Mutex<BTreeMap<&'static str, Arc<ColumnEncoder>>>,
}

impl TableSink for EncodedTables<'_> {
    type Error = anyhow::Error;

    fn put(&self, table: &'static str, columns: RecordBatch) -> anyhow::Result<()> {
        let encoder = match self.lock().entry(table) {
            Entry::Occupied(there) => Arc::clone(there.get()),
            Entry::Vacant(new) => {
                Arc::clone(new.insert(Arc::new(self.writer.column_encoder(table, columns.num_rows())?)))
            }
        };
        Ok(encoder.add(&columns)?)
    }
}

impl EncodedTables<'_> {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<&'static str, Arc<ColumnEncoder>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(self) -> anyhow::Result<Vec<EncodedTable>> {
        let encoders = std::mem::take(&mut *self.lock());
        let finish = |encoder: Arc<ColumnEncoder>| {
            Arc::into_inner(encoder).context("a table is still being written")?.finish().map_err(Into::into)
        };
        encoders.into_values().map(finish).collect()
    }
}

/// The facts that derivation reads of these tables.
pub(crate) fn load_facts(lake: &Lake, normalised: &NormalisedOutputs) -> anyhow::Result<Facts> {
    facts_of(|name| {
        let output = normalised.output(name).with_context(|| format!("find normalised table {name}"))?;
        Ok(lake.read_stage_columns(output, name, &facts_columns(name))?)
    })
}

/// The facts that the current snapshot rests on.
///
/// # Errors
/// There is none, or it cannot be read.
pub(crate) fn published_facts(lake: &Lake) -> anyhow::Result<(SnapshotManifest, Facts)> {
    let none = || coded(ExitCode::Unavailable, "find a current snapshot: fightdna run makes one");
    let snapshot = current(lake)?.ok_or_else(none)?;
    let facts = facts_of(|name| Ok(lake.read_snapshot_table(&snapshot, name)?))?;
    Ok((snapshot, facts))
}

fn facts_of(read: impl Fn(&str) -> anyhow::Result<RecordBatch> + Sync) -> anyhow::Result<Facts> {
    let tables = read_each(FACTS_TABLES, |name| Ok((name, read(name)?)))?;
    let find = |name: &str| tables.iter().find(|(n, _)| *n == name).map(|(_, batch)| batch);
    fdna_normalise::facts(find).context("read the facts")
}

/// The first day on which every bout is past.
pub(crate) fn after_all(facts: &Facts) -> NaiveDate {
    let last = facts.bouts().last().map_or(NaiveDate::MIN, |bout| bout.date);
    last.checked_add_days(Days::new(1)).unwrap_or(NaiveDate::MAX)
}
