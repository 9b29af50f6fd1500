//! The facts of captures in the lake: whole, or as what a capture has that another, its base, has not.
//!
//! A base is always whole, so that two outputs at most make the facts of any capture.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_ingest::{PatchOp, TablePatch};
use fdna_lake::{Capture, Fingerprint, Lake, PipelineStage, SnapshotInput, StageOutput, TableEntry};
use fdna_schemas::{CatalogSource, Tables};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::notes::FactsNotes;

/// A capture that counts, and its facts where they have been made.
pub type WithFacts = (Capture, Option<StageOutput>);

/// A capture, and its facts.
pub type CaptureOutput = (Capture, StageOutput);

/// Raised when the readers of a source change what they make of the same bytes.
pub(crate) const LOGIC: &str = "5";

/// File of an output that is no whole: it has a digest, as tables have.
pub const DIFFERENCE: &str = "difference.json";

/// Patch that restores an output from that of its base.
#[derive(Serialize, Deserialize)]
pub struct FactsDelta {
    pub base: Fingerprint,
    /// By table; a run of three numbers copies (from, rows, lines further down), a run of one takes new rows.
    scripts: BTreeMap<String, Vec<Vec<i64>>>,
}

pub fn facts_fingerprint(capture: &Capture) -> Fingerprint {
    Fingerprint::builder("ingest")
        .with_text("source", &capture.source)
        .with_text("logic", LOGIC)
        .with_text("contract", contract_digest(&capture.source))
        // What was set aside is told by capture, so that the same content at another time has its own facts.
        .with_text("id", &capture.id)
        .with_digest("capture", capture.content_digest())
        .build()
}

/// A declared source's facts depend on its own contract alone.
fn contract_digest(source: &str) -> Cow<'static, str> {
    match CatalogSource::get(source) {
        Some(declared) => declared.digest().into(),
        None => fdna_schemas::contracts_digest().into(),
    }
}

pub fn facts_stage(source: &str) -> PipelineStage {
    PipelineStage::Facts { source: source.to_owned() }
}

/// Captures paired with their facts. A delta whose base is missing counts as missing.
pub fn find_all(lake: &Lake, captures: Vec<Capture>) -> anyhow::Result<Vec<WithFacts>> {
    let find = |capture: Capture| {
        let facts = lake.find_stage(&facts_stage(&capture.source), &facts_fingerprint(&capture))?;
        Ok((capture, facts))
    };
    let mut found = captures.into_par_iter().map(find).collect::<anyhow::Result<Vec<_>>>()?;
    let there: BTreeSet<Fingerprint> =
        found.iter().filter_map(|(_, facts)| Some(facts.as_ref()?.fingerprint.clone())).collect();
    for (capture, facts) in &mut found {
        let Some(base) = facts.as_ref().and_then(base_of) else { continue };
        if !there.contains(&base) && lake.find_stage(&facts_stage(&capture.source), &base)?.is_none() {
            *facts = None;
        }
    }
    Ok(found)
}

/// The output that this one is told apart from; `None` for a whole one.
pub fn base_of(facts: &StageOutput) -> Option<Fingerprint> {
    FactsNotes::from_facts(facts).base
}

/// Other outputs that these facts need: the base of their patch.
pub fn required_inputs(facts: &StageOutput) -> impl Iterator<Item = SnapshotInput> {
    let base = base_of(facts).map(|fingerprint| SnapshotInput { stage: facts.stage.clone(), fingerprint });
    std::iter::once(SnapshotInput::from(facts)).chain(base)
}

impl FactsDelta {
    pub fn new(base: Fingerprint, scripts: &[(String, TablePatch)]) -> Self {
        let int = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let run = |run: &PatchOp| match *run {
            PatchOp::Copy { from, rows, shift } => vec![int(from), int(rows), shift.into()],
            PatchOp::New { rows } => vec![int(rows)],
        };
        let scripts =
            scripts.iter().map(|(table, script)| (table.clone(), script.0.iter().map(run).collect()));
        Self { base, scripts: scripts.collect() }
    }

    pub fn to_file(&self) -> anyhow::Result<(String, Bytes)> {
        Ok((DIFFERENCE.to_owned(), serde_json::to_vec(self).context("cannot write the difference")?.into()))
    }

    fn into_patches(self) -> anyhow::Result<Vec<(String, TablePatch)>> {
        let script = |(table, runs): (String, Vec<Vec<i64>>)| {
            let runs = runs.into_iter().map(|run| read_run(&run)).collect::<Option<Vec<PatchOp>>>();
            Some((table, TablePatch(runs?)))
        };
        let scripts = self.scripts.into_iter().map(script).collect::<Option<Vec<_>>>();
        scripts.context("cannot parse how the rows of a capture are put together")
    }
}

fn read_run(run: &[i64]) -> Option<PatchOp> {
    let size = |n: i64| usize::try_from(n).ok();
    Some(match run {
        [rows] => PatchOp::New { rows: size(*rows)? },
        [from, rows, shift] => {
            PatchOp::Copy { from: size(*from)?, rows: size(*rows)?, shift: i32::try_from(*shift).ok()? }
        }
        _ => return None,
    })
}

/// Tables by name, `quarantine` among them.
pub type FactsTables = BTreeMap<String, RecordBatch>;

/// Reads facts, and keeps the base that was read last, which the next capture has most often too.
pub struct FactsReader<'a> {
    lake: &'a Lake,
    base: Mutex<Option<(Fingerprint, Arc<FactsTables>)>>,
}

impl<'a> FactsReader<'a> {
    pub fn new(lake: &'a Lake) -> Self {
        Self { lake, base: Mutex::default() }
    }

    /// All facts of a capture, whole.
    pub fn read_facts(&self, facts: &StageOutput) -> anyhow::Result<FactsTables> {
        let Some(base) = base_of(facts) else { return Ok((*self.complete_facts(facts)?).clone()) };
        let file = self.lake.read_stage_file(facts, DIFFERENCE)?;
        let difference: FactsDelta =
            serde_json::from_slice(&file).context("cannot parse the difference between two captures")?;
        let base = self.base_facts(facts, &base)?;
        let mut tables = read_tables(self.lake, facts)?;
        for (table, script) in difference.into_patches()? {
            let of_base = base.get(&table).with_context(|| format!("the base has no table {table}"))?;
            let new = match tables.remove(&table) {
                Some(new) => new,
                None => RecordBatch::new_empty(Tables::get().table(&table)?.arrow_schema()),
            };
            let patched =
                script.apply(of_base, &new).with_context(|| format!("cannot put {table} together"))?;
            tables.insert(table, patched);
        }
        Ok(tables)
    }

    fn base_facts(&self, facts: &StageOutput, base: &Fingerprint) -> anyhow::Result<Arc<FactsTables>> {
        if let Some(tables) = self.cached_facts(base) {
            return Ok(tables);
        }
        let output = self.lake.find_stage(&facts.stage, base)?;
        let output = output.with_context(|| format!("no facts {base}, on which later facts are based"))?;
        if base_of(&output).is_some() {
            // It was made anew from another, after damage.
            return Ok(Arc::new(FactsReader::new(self.lake).read_facts(&output)?));
        }
        self.complete_facts(&output)
    }

    fn complete_facts(&self, facts: &StageOutput) -> anyhow::Result<Arc<FactsTables>> {
        if let Some(tables) = self.cached_facts(&facts.fingerprint) {
            return Ok(tables);
        }
        let tables = Arc::new(read_tables(self.lake, facts)?);
        let mut base = self.base.lock().unwrap_or_else(PoisonError::into_inner);
        *base = Some((facts.fingerprint.clone(), Arc::clone(&tables)));
        Ok(tables)
    }

    fn cached_facts(&self, fingerprint: &Fingerprint) -> Option<Arc<FactsTables>> {
        let base = self.base.lock().unwrap_or_else(PoisonError::into_inner);
        base.as_ref().filter(|(kept, _)| kept == fingerprint).map(|(_, tables)| Arc::clone(tables))
    }
}

fn read_tables(lake: &Lake, facts: &StageOutput) -> anyhow::Result<FactsTables> {
    let read = |entry: &TableEntry| {
        // Half of all tables of small captures have no rows, and reading a file takes longer than its rows do.
        let batch = match entry.rows {
            0 => RecordBatch::new_empty(Tables::get().table(&entry.name)?.arrow_schema()),
            _ => lake.read_stage_table(facts, &entry.name)?,
        };
        Ok((entry.name.clone(), batch))
    };
    facts.tables.iter().map(read).collect()
}
