//! The stages between facts and a snapshot: what each takes, where its output is, and how it stands in a lake.

use std::collections::BTreeMap;

use fdna_lake::{Fingerprint, PipelineStage, StageOutput};
use fdna_schemas::SourceGroup;

/// Names a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StageName {
    Normalise,
    Link,
    Enrich,
    Derive,
}

/// Input of a stage. Only a changed input makes a stage run again.
#[derive(Debug, Clone, Copy)]
pub enum StageInput {
    /// Facts of the captures of these groups of sources; of all captures if empty.
    Captures(&'static [SourceGroup]),
    /// Tables of an earlier stage.
    Tables(StageName),
    /// The facts that derivation reads, wherever in the tables they stand: bouts to come are none.
    DerivationFacts,
    /// Decisions of people about identities.
    Decisions,
    /// Every id that was published. Of the outputs that differ in it alone, the published one is up to date.
    PublishedIds,
    /// The version of all metrics.
    MetricDefinitions,
}

/// A stage.
#[derive(Debug)]
pub struct StageDefinition {
    pub name: StageName,
    /// Raised when the stage makes something else of the same inputs.
    pub logic: &'static str,
    pub inputs: &'static [StageInput],
    /// Where its outputs are.
    pub(super) output: PipelineStage,
    /// Description of the output, for a dry run.
    pub about: &'static str,
}

const STAGES: [StageDefinition; 4] = [
    StageDefinition {
        name: StageName::Normalise,
        logic: "2",
        inputs: &[StageInput::Captures(&[SourceGroup::Statistics])],
        output: PipelineStage::Normalised,
        about: "bouts, results and counts of all captures",
    },
    StageDefinition {
        name: StageName::Link,
        logic: "5",
        inputs: &[
            StageInput::Tables(StageName::Normalise),
            StageInput::Captures(&[SourceGroup::Schedule, SourceGroup::Judging, SourceGroup::Notice]),
            StageInput::Decisions,
            StageInput::PublishedIds,
        ],
        output: PipelineStage::Normalised,
        about: "events, bouts and fighters of all sources",
    },
    StageDefinition {
        name: StageName::Enrich,
        logic: "4",
        // All captures count, since its table `sources` tells of each.
        inputs: &[
            StageInput::Tables(StageName::Normalise),
            StageInput::Tables(StageName::Link),
            StageInput::Captures(&[]),
        ],
        output: PipelineStage::Normalised,
        about: "rankings, careers, images, articles, wire, videos and the state of sources",
    },
    StageDefinition {
        name: StageName::Derive,
        logic: "3",
        inputs: &[StageInput::DerivationFacts, StageInput::MetricDefinitions],
        output: PipelineStage::Derived,
        about: "Fight DNA of all fighters",
    },
];

impl StageName {
    /// In the order of their work.
    pub const ALL: [Self; 4] = [Self::Normalise, Self::Link, Self::Enrich, Self::Derive];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normalise => "normalise",
            Self::Link => "link",
            Self::Enrich => "enrich",
            Self::Derive => "derive",
        }
    }

    pub fn definition(self) -> &'static StageDefinition {
        &STAGES[self as usize]
    }
}

impl StageInput {
    /// As a dry run and the notes of an output write it.
    pub fn to_text(self) -> String {
        match self {
            Self::Captures([]) => "captures".to_owned(),
            Self::Captures(groups) => {
                format!("{} captures", groups.iter().map(|group| group.name()).collect::<Vec<_>>().join(", "))
            }
            Self::Tables(stage) => format!("tables of {}", stage.as_str()),
            Self::DerivationFacts => "facts".to_owned(),
            Self::Decisions => "decisions".to_owned(),
            Self::PublishedIds => "published ids".to_owned(),
            Self::MetricDefinitions => "metric definitions".to_owned(),
        }
    }
}

/// A stage of a lake: what it would be made of now, and its output where that has been made.
#[derive(Debug, Clone)]
pub struct StageState {
    pub(super) definition: &'static StageDefinition,
    pub(super) fingerprint: Fingerprint,
    pub(super) key: Fingerprint,
    /// Digest of each input, by its text.
    pub(super) inputs: BTreeMap<String, String>,
    pub output: Option<StageOutput>,
}

impl StageState {
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    pub fn name(&self) -> StageName {
        self.definition.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_stands_where_its_name_says_and_takes_of_earlier_ones_alone() {
        for (place, definition) in STAGES.iter().enumerate() {
            let name = definition.name;
            assert_eq!((name as usize, name.definition().about), (place, definition.about));
            for input in definition.inputs {
                assert!(!matches!(input, StageInput::Tables(earlier) if *earlier >= name), "{name:?}");
            }
        }
    }
}
