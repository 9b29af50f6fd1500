//! State of the stages in a lake: what each would be made of now, and what it made of that. A stage that has made its
//! output of the same inputs does not run again; each fingerprint is computed once in a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_lake::{Fingerprint, FingerprintBuilder, Lake, LakeWriter, StageOutput, StageTables};
use fdna_schemas::{DEFINITION_VERSION, SourceGroup};
use serde_json::{Value, json};

use super::definition::{StageDefinition, StageInput, StageName, StageState};
use super::normalised::NormalisedOutputs;
use crate::captures::facts::{CaptureOutput, LOGIC as FACTS_LOGIC};
use crate::captures::lake_view::{LakeView, of_groups};
use crate::current_snapshot::{current_manifest, is_damaged};
use crate::published_ids::IdRegistry;

/// Key of the notes of an output for its inputs.
const INPUTS: &str = "inputs";
/// Key of the notes of an output for its stage.
const STAGE: &str = "stage";
/// Key of the notes of an output for its inputs besides the published ids.
const KEY: &str = "captures_key";
/// Key of the notes of an output for what made it besides its inputs: logic and contracts.
const MADE_BY: &str = "made_by";
/// Key of the notes of the normalised output for the digest of the facts that derivation reads.
pub(crate) const DERIVATION_FACTS: &str = "derivation_facts";

impl StageState {
    /// Keeps what the stage made of its inputs.
    pub(crate) fn commit_output(
        &self,
        view: &LakeView,
        writer: &LakeWriter,
        tables: &[(&str, RecordBatch)],
        notes: Value,
    ) -> anyhow::Result<()> {
        self.commit_with(view, writer, StageTables { batches: tables, ..StageTables::default() }, notes)
    }

    /// As [`Self::commit_output`], with tables that are encoded already.
    pub(crate) fn commit_with(
        &self,
        view: &LakeView,
        writer: &LakeWriter,
        tables: StageTables<'_>,
        mut notes: Value,
    ) -> anyhow::Result<()> {
        notes[STAGE] = json!(self.definition.name.as_str());
        notes[INPUTS] = json!(self.inputs);
        notes[KEY] = json!(self.key);
        notes[MADE_BY] = json!(made_by(self.definition));
        let output = writer.commit_stage_with(&self.definition.output, &self.fingerprint, tables, notes)?;
        view.add_state(Arc::new(Self { output: Some(output), ..self.clone() }));
        Ok(())
    }
}

/// Digest of what decides besides the inputs what a stage makes of them.
fn made_by(definition: &StageDefinition) -> Fingerprint {
    Fingerprint::builder("made_by")
        .with_text("logic", definition.logic)
        .with_text("readers", FACTS_LOGIC)
        .with_text("contract", fdna_schemas::contracts_digest())
        .build()
}

/// What an output says that it was made of.
#[derive(Debug)]
pub(crate) struct MadeOf {
    pub(crate) stage: &'static StageDefinition,
    /// Digest of each input, by its text.
    pub(crate) inputs: BTreeMap<String, String>,
    /// What made it; `None` where it was another build, which did not say.
    pub(crate) made_by: Option<String>,
}

impl MadeOf {
    /// Of the notes of an output; `None` for one of no stage of Fight DNA.
    pub(crate) fn from_output(output: &StageOutput) -> Option<Self> {
        let name = output.notes[STAGE].as_str()?;
        let stage = StageName::ALL.into_iter().find(|stage| stage.as_str() == name)?.definition();
        let inputs: BTreeMap<String, String> = serde_json::from_value(output.notes[INPUTS].clone()).ok()?;
        let said = output.notes[MADE_BY].as_str().map(str::to_owned);
        let key = key_of(stage, &inputs);
        let made_by = said.or_else(|| (output.notes[KEY] == json!(key)).then(|| made_by(stage).to_string()));
        Some(Self { stage, inputs, made_by })
    }
}

/// Fingerprint of a stage besides the published ids, as this build makes it of these inputs.
fn key_of(definition: &StageDefinition, inputs: &BTreeMap<String, String>) -> Fingerprint {
    let key = Fingerprint::builder(definition.name.as_str())
        .with_text("logic", definition.logic)
        .with_text("contract", fdna_schemas::contracts_digest());
    let known = definition.inputs.iter().map(|input| input.to_text());
    let known = known.filter_map(|input| Some((inputs.get(&input)?, input)));
    known.fold(key, |key, (digest, input)| key.with_digest(&input, digest)).build()
}

/// An input of a stage, and whether it is still what the current snapshot was made of.
#[derive(Debug, Clone, serde::Serialize)]
pub(crate) struct PlannedInput {
    pub(crate) input: String,
    /// Null where an earlier job decides, and for published ids, which alone make no stage run again.
    pub(crate) changed: Option<bool>,
}

/// Inputs of a stage, and which of them changed since the current snapshot; `is_decided` says whether no earlier job has
/// anything to do.
pub(crate) fn planned_inputs(
    view: &LakeView,
    name: StageName,
    is_decided: bool,
) -> anyhow::Result<Vec<PlannedInput>> {
    let definition = name.definition();
    let made_of = published_output(view, definition)?.map(|output| output.notes[INPUTS].clone());
    let made_of = made_of.unwrap_or_default();
    let state = if is_decided { view.stage_state(name)? } else { None };
    let planned = |input: &StageInput| {
        let input = input.to_text();
        let now = state.as_ref().and_then(|state| state.inputs.get(&input));
        let changed = now.map(|now| made_of[&input].as_str() != Some(now));
        PlannedInput { input, changed }
    };
    Ok(definition.inputs.iter().map(planned).collect())
}

impl LakeView {
    /// State of a stage; `None` where a stage before it has not made its output.
    pub(crate) fn stage_state(&self, name: StageName) -> anyhow::Result<Option<Arc<StageState>>> {
        if let Some(state) = self.known_state(name) {
            return Ok(Some(state));
        }
        let state = find_state(self, name)?.map(Arc::new);
        if let Some(state) = &state {
            self.add_state(Arc::clone(state));
        }
        Ok(state)
    }

    /// The output of a stage for the captures that count, where it has been made.
    pub(crate) fn stage_output(&self, name: StageName) -> anyhow::Result<Option<StageOutput>> {
        Ok(self.stage_state(name)?.and_then(|state| state.output.clone()))
    }
}

fn find_state(view: &LakeView, name: StageName) -> anyhow::Result<Option<StageState>> {
    let definition = name.definition();
    let mut inputs = BTreeMap::new();
    let mut with_ids = false;
    for input in definition.inputs {
        let digest = match input {
            StageInput::Captures(groups) => Some(digest_of_captures(view, groups)?),
            StageInput::Tables(stage) => view.stage_output(*stage)?.map(|output| output.content_digest()),
            StageInput::DerivationFacts => digest_of_facts(view)?,
            StageInput::Decisions => Some(view.decisions().digest().unwrap_or_default()),
            StageInput::MetricDefinitions => Some(DEFINITION_VERSION.to_owned()),
            StageInput::PublishedIds => {
                with_ids = true;
                continue;
            }
        };
        let Some(digest) = digest else { return Ok(None) };
        inputs.insert(input.to_text(), digest);
    }
    let key = key_of(definition, &inputs);
    let state =
        |fingerprint, output| Some(StageState { definition, fingerprint, key: key.clone(), inputs, output });
    if !with_ids {
        let output = view.find_stage(&definition.output, &key)?;
        return Ok(state(key.clone(), output));
    }
    // What was known at a time does not rest on what has been published since.
    if view.known_at().is_none()
        && let Some(output) =
            published_output(view, definition)?.filter(|output| output.notes[KEY] == json!(key))
    {
        return Ok(state(output.fingerprint.clone(), Some(output)));
    }
    let registry = IdRegistry::open_registry(view, view.known_at())?;
    let fingerprint = Fingerprint::builder(name.as_str())
        .with_digest("captures", &key)
        .with_digest("published_ids", registry.digest())
        .build();
    let output = view.find_stage(&definition.output, &fingerprint)?;
    Ok(state(fingerprint, output))
}

/// The output of this stage that the current snapshot is made of. A snapshot that is damaged has nothing to say: it is
/// made anew.
fn published_output(lake: &Lake, definition: &StageDefinition) -> anyhow::Result<Option<StageOutput>> {
    let current = match current_manifest(lake) {
        Err(error) if is_damaged(&error) => None,
        current => current?,
    };
    for input in current.iter().flat_map(|current| &current.inputs) {
        if input.stage == definition.output {
            let output = lake.find_stage(&input.stage, &input.fingerprint)?;
            if let Some(output) = output.filter(|output| output.notes[STAGE] == definition.name.as_str()) {
                return Ok(Some(output));
            }
        }
    }
    Ok(None)
}

/// Captures of a stage, in the lake's order.
pub(crate) fn stage_captures(view: &LakeView, name: StageName) -> anyhow::Result<Vec<CaptureOutput>> {
    let groups = name.definition().inputs.iter().find_map(|input| match input {
        StageInput::Captures(groups) => Some(*groups),
        _ => None,
    });
    let usable = view.usable_captures()?;
    Ok(groups.map_or_else(Vec::new, |groups| of_groups(&usable, groups).cloned().collect()))
}

/// Digest of the facts that derivation reads; `None` before they are made.
fn digest_of_facts(view: &LakeView) -> anyhow::Result<Option<String>> {
    let Some(output) = view.stage_output(StageName::Enrich)? else { return Ok(None) };
    let digest = output.notes[DERIVATION_FACTS].as_str();
    Ok(Some(digest.context("no digest of the facts in the output of enrich")?.to_owned()))
}

fn digest_of_captures(view: &LakeView, groups: &[SourceGroup]) -> anyhow::Result<String> {
    let usable = view.usable_captures()?;
    Ok(add_captures(Fingerprint::builder("captures"), of_groups(&usable, groups)).build().to_string())
}

pub(crate) fn add_captures<'c>(
    builder: FingerprintBuilder,
    captures: impl IntoIterator<Item = &'c CaptureOutput>,
) -> FingerprintBuilder {
    let add = |builder: FingerprintBuilder, (capture, facts): &CaptureOutput| {
        builder.with_text("capture", &capture.id).with_digest("facts", &facts.fingerprint)
    };
    captures.into_iter().fold(builder, add)
}

/// The normalised tables of the lake.
///
/// # Errors
/// A stage before has not made its output.
pub(crate) fn normalised_outputs(view: &LakeView) -> anyhow::Result<NormalisedOutputs> {
    let output = |name: StageName| {
        let missing = || format!("no tables of {0}; run `fightdna {0}` first", name.as_str());
        view.stage_output(name)?.with_context(missing)
    };
    Ok(NormalisedOutputs(vec![
        output(StageName::Normalise)?,
        output(StageName::Link)?,
        output(StageName::Enrich)?,
    ]))
}

/// The versions derived from these tables.
///
/// # Errors
/// They have not been made.
pub(crate) fn derived_output(view: &LakeView) -> anyhow::Result<StageOutput> {
    view.stage_output(StageName::Derive)?.context("no DNA versions; run `fightdna derive` first")
}
