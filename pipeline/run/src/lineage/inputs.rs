//! Inputs of each stage that differ between two snapshots. Where one kind alone does, and the same code made both,
//! it is the cause of every difference in the tables of the stage: nothing else goes in.

use std::collections::{BTreeMap, BTreeSet};

use fdna_lake::{CaptureRef, Lake, PipelineStage, SnapshotManifest, StageOutput};
use fdna_lineage::{CaptureName, Cause, SnapshotPair};
use fdna_schemas::{CatalogSource, SourceContract};

use super::capture_name;
use crate::stages::definition::{StageInput, StageName};
use crate::stages::graph::MadeOf;

/// Kind of an input that no stage makes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ChangedInput {
    Capture(CaptureName),
    /// A capture of the older snapshot alone.
    NoCapture(CaptureName),
    Decisions,
    Metrics,
    /// Logic or contracts.
    Build,
    /// No output says.
    NotKnown,
}

/// By table the causes that any difference must have; a table of which several kinds of input differ is not in it.
pub(super) fn only_causes(
    lake: &Lake,
    both: [&SnapshotManifest; 2],
    pair: &SnapshotPair,
) -> anyhow::Result<BTreeMap<String, Vec<Cause>>> {
    let outputs = [outputs_of(lake, both[0])?, outputs_of(lake, both[1])?];
    let made_of = outputs.each_ref().map(|outputs| outputs.iter().filter_map(MadeOf::from_output).collect());
    let stages = StagePair { both, made_of };
    let mut causes = BTreeMap::new();
    for name in StageName::ALL {
        let changed = stages.changed_inputs(name);
        let only = causes_of(&changed, pair);
        let of_stage =
            |output: &&StageOutput| MadeOf::from_output(output).is_some_and(|made| made.stage.name == name);
        let tables = outputs.iter().flatten().filter(of_stage).flat_map(|output| &output.tables);
        causes.extend(tables.map(|table| (table.name.clone(), only.clone())));
    }
    causes.extend(sport_causes(&outputs, pair));
    Ok(causes)
}

/// Digest of the decisions that a snapshot follows; `None` for none.
pub(super) fn decisions_digest(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<Option<String>> {
    let input = StageInput::Decisions.to_text();
    let outputs = outputs_of(lake, manifest)?;
    let mut digests = outputs
        .iter()
        .filter_map(MadeOf::from_output)
        .filter_map(|made| made.inputs.get(&input).filter(|digest| !digest.is_empty()).cloned());
    Ok(digests.next())
}

/// The outputs that a snapshot was made of and that are still there.
fn outputs_of(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<Vec<StageOutput>> {
    let mut outputs = Vec::new();
    for input in &manifest.inputs {
        outputs.extend(lake.find_stage(&input.stage, &input.fingerprint)?);
    }
    Ok(outputs)
}

struct StagePair<'a> {
    both: [&'a SnapshotManifest; 2],
    made_of: [Vec<MadeOf>; 2],
}

impl StagePair<'_> {
    fn changed_inputs(&self, name: StageName) -> BTreeSet<ChangedInput> {
        let [Some(old), Some(new)] =
            self.made_of.each_ref().map(|made| made.iter().find(|made| made.stage.name == name))
        else {
            return [ChangedInput::NotKnown].into();
        };
        let mut changed = BTreeSet::new();
        match (&old.made_by, &new.made_by) {
            (Some(old), Some(new)) if old == new => {}
            (Some(_), Some(_)) => drop(changed.insert(ChangedInput::Build)),
            _ => drop(changed.insert(ChangedInput::NotKnown)),
        }
        for input in name.definition().inputs {
            let text = input.to_text();
            if old.inputs.get(&text) != new.inputs.get(&text) {
                changed.extend(self.changed_by(*input));
            }
        }
        changed
    }

    fn changed_by(&self, input: StageInput) -> BTreeSet<ChangedInput> {
        match input {
            StageInput::Captures(groups) => {
                let is_of = |capture: &&CaptureRef| {
                    let feeds =
                        SourceContract::get(&capture.source).map(SourceContract::feeds).unwrap_or_default();
                    groups.is_empty() || groups.iter().any(|group| feeds.contains(group))
                };
                let [old, new] = self.both.map(|manifest| {
                    manifest.captures.iter().filter(is_of).map(capture_name).collect::<BTreeSet<_>>()
                });
                let added = new.difference(&old).cloned().map(ChangedInput::Capture);
                let removed = old.difference(&new).cloned().map(ChangedInput::NoCapture);
                let changed: BTreeSet<_> = added.chain(removed).collect();
                // The same captures, read otherwise.
                if changed.is_empty() { [ChangedInput::Build].into() } else { changed }
            }
            StageInput::Tables(stage) => self.changed_inputs(stage),
            StageInput::DerivationFacts => self.changed_inputs(StageName::Enrich),
            StageInput::Decisions => [ChangedInput::Decisions].into(),
            StageInput::MetricDefinitions => [ChangedInput::Metrics].into(),
            StageInput::PublishedIds => BTreeSet::new(),
        }
    }
}

fn causes_of(changed: &BTreeSet<ChangedInput>, pair: &SnapshotPair) -> Vec<Cause> {
    use ChangedInput::{Build, Capture, Decisions, Metrics, NoCapture};
    let all = |is: fn(&ChangedInput) -> bool| !changed.is_empty() && changed.iter().all(is);
    if all(|input| matches!(input, Capture(_) | NoCapture(_))) {
        return of_captures(changed, pair);
    }
    if all(|input| *input == Decisions) {
        return of_decisions(pair);
    }
    let defined = |of: &str, [from, to]: &[String; 2]| {
        vec![Cause::Definition { of: of.to_owned(), from: from.clone(), to: to.clone() }]
    };
    match changed.first() {
        Some(Metrics) if changed.len() == 1 => defined("the metrics", &pair.definition_versions),
        Some(Build) if changed.len() == 1 => {
            defined("the tables or the code that makes them", &pair.contract_versions)
        }
        None => pair.registry.clone().into_iter().collect(),
        _ => Vec::new(),
    }
}

fn of_captures(changed: &BTreeSet<ChangedInput>, pair: &SnapshotPair) -> Vec<Cause> {
    let (mut added, mut causes) = (Vec::new(), Vec::new());
    for input in changed {
        match input {
            ChangedInput::Capture(capture) => added.push(capture.clone()),
            ChangedInput::NoCapture(capture) => causes.push(Cause::Withdrawal {
                capture: capture.clone(),
                word: pair.withdrawn.get(capture).cloned(),
            }),
            _ => {}
        }
    }
    if !added.is_empty() {
        causes.insert(0, Cause::of_captures(&added));
    }
    causes
}

fn of_decisions(pair: &SnapshotPair) -> Vec<Cause> {
    let [old, new] = &pair.decisions;
    let only = old.iter().filter(|one| !new.contains(one)).chain(new.iter().filter(|one| !old.contains(one)));
    only.map(|decision| Cause::Decision { decision: decision.clone() }).collect()
}

/// The same of the sports of the multi-sport catalog, whose outputs say which models and captures they are made of.
fn sport_causes(outputs: &[Vec<StageOutput>; 2], pair: &SnapshotPair) -> BTreeMap<String, Vec<Cause>> {
    let mut causes = BTreeMap::new();
    let is_of_sport = |output: &&StageOutput| matches!(output.stage, PipelineStage::Catalog { .. });
    for new in outputs[1].iter().filter(is_of_sport) {
        let Some(old) = outputs[0].iter().find(|old| old.stage == new.stage) else { continue };
        let made_by = |output: &StageOutput| output.notes["made_by"].as_str().map(str::to_owned);
        let (Some(was), Some(is)) = (made_by(old), made_by(new)) else { continue };
        let [before, after] = [old, new].map(|output| {
            serde_json::from_value::<BTreeSet<CaptureName>>(output.notes["captures"].clone())
                .unwrap_or_default()
        });
        let added = after.difference(&before).cloned().map(ChangedInput::Capture);
        let removed = before.difference(&after).cloned().map(ChangedInput::NoCapture);
        let mut changed: BTreeSet<ChangedInput> = added.chain(removed).filter(is_of_catalog).collect();
        if was != is {
            changed.insert(ChangedInput::Build);
        }
        let only = causes_of(&changed, pair);
        causes.extend(new.tables.iter().map(|table| (table.name.clone(), only.clone())));
    }
    causes
}

fn is_of_catalog(input: &ChangedInput) -> bool {
    match input {
        ChangedInput::Capture(capture) | ChangedInput::NoCapture(capture) => {
            CatalogSource::get(&capture.source).is_some()
        }
        _ => true,
    }
}
