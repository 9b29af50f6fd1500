//! Tables of a snapshot, and the gates that it must pass before it is published.

mod gates;

use std::collections::HashSet;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_lake::{CaptureRef, DraftTable, SnapshotDraft, StageOutput};
use fdna_schemas::tables::{BoutsReader, ResultsReader};
use fdna_schemas::{CONTRACT_VERSION, ColumnError, DEFINITION_VERSION};
use uuid::Uuid;

use gates::GatedTables;
pub use gates::{GATED, GateFailure};

/// Tables of a snapshot, by the stage that makes them.
const NORMALISED: [&str; 26] = [
    "aliases",
    "articles",
    "bout_listings",
    "bouts",
    "corrections",
    "deductions",
    "doubtful_links",
    "event_listings",
    "events",
    "fighters",
    "identities",
    "images",
    "judge_cards",
    "mentions",
    "quarantine",
    "rankings",
    "results",
    "round_scorecards",
    "round_stats",
    "scorecards",
    "short_notices",
    "sources",
    "stated_careers",
    "videos",
    "weigh_ins",
    "wire",
];
const DERIVED: [&str; 9] = [
    "baselines",
    "dna_versions",
    "finish_profiles",
    "finish_times",
    "metrics",
    "ratings",
    "round_profiles",
    "splits",
    "validity",
];

/// Names of all tables of a snapshot.
pub fn table_names() -> impl Iterator<Item = &'static str> {
    NORMALISED.into_iter().chain(DERIVED)
}

/// The committed outputs that a snapshot is made of.
#[derive(Debug, Clone, Copy)]
pub struct StageOutputs<'a> {
    /// One after the other: of two tables of one name, the later counts.
    pub normalised: &'a [StageOutput],
    pub derived: &'a StageOutput,
}

impl<'a> StageOutputs<'a> {
    /// The output that this table of a snapshot is taken from.
    ///
    /// # Errors
    /// No table of a snapshot has that name, or the stage did not make it.
    pub fn output_of(self, table: &str) -> Result<&'a StageOutput, PublishError> {
        let has = |output: &&StageOutput| output.table(table).is_some();
        let found = if NORMALISED.contains(&table) {
            self.normalised.iter().rev().find(has)
        } else {
            Some(self.derived).filter(|output| DERIVED.contains(&table) && has(output))
        };
        found.ok_or_else(|| PublishError::MissingTable(table.to_owned()))
    }
}

#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error("no stage made table `{0}`")]
    MissingTable(String),
    #[error("cannot read a table")]
    Column(#[from] ColumnError),
    #[error("closed gates: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Gates(Vec<GateFailure>),
}

/// A snapshot to be, of the tables of these outputs as they are; `gated` are the columns [`GATED`] of them.
///
/// # Errors
/// A table is missing, or the tables contradict each other: then nothing is published, and the error names
/// each contradiction.
pub fn assemble_draft(
    outputs: StageOutputs<'_>,
    gated: &[(&str, RecordBatch)],
    captures: Vec<CaptureRef>,
    synthetic: bool,
) -> Result<SnapshotDraft, PublishError> {
    let gated = GatedTables(gated);
    let tables =
        table_names().map(|name| Ok((name.to_owned(), DraftTable::Stage(outputs.output_of(name)?.clone()))));
    let tables = tables.collect::<Result<Vec<_>, PublishError>>()?;
    let failures = gates::check_gates(gated)?;
    if !failures.is_empty() {
        return Err(PublishError::Gates(failures));
    }
    let facts_until = facts_until(gated.read_table()?, gated.read_table()?)?;
    Ok(SnapshotDraft {
        tables,
        contract_version: CONTRACT_VERSION.to_owned(),
        licences: Vec::new(),
        definition_versions: vec![DEFINITION_VERSION.to_owned()],
        inputs: outputs.normalised.iter().chain([outputs.derived]).map(Into::into).collect(),
        captures,
        synthetic,
        facts_until,
        known_at: None,
    })
}

/// Day of the last bout with a result: bouts to come are no facts.
fn facts_until(
    bouts: BoutsReader<'_>,
    results: ResultsReader<'_>,
) -> Result<Option<NaiveDate>, PublishError> {
    let fought: HashSet<Uuid> = results.bout_id()?.into_iter().collect();
    let days = bouts.bout_id()?.into_iter().zip(bouts.event_date()?);
    Ok(days.filter(|(id, _)| fought.contains(id)).map(|(_, day)| day).max())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fdna_lake::{Fingerprint, PipelineStage, TableEntry};
    use fdna_schemas::Tables;

    fn output(stage: PipelineStage, tables: &[&str]) -> StageOutput {
        let entry = |name: &&str| TableEntry {
            name: (*name).to_owned(),
            rows: 0,
            bytes: 0,
            sha256: String::new(),
            contract_version: 1,
        };
        let fingerprint = Fingerprint::builder("test").build();
        let tables = tables.iter().map(entry).collect();
        StageOutput { format: 1, stage, fingerprint, tables, files: Vec::new(), notes: ().into() }
    }

    /// The columns that the gates look at, as the contracts have them, without rows.
    fn gated() -> Vec<(&'static str, RecordBatch)> {
        let read = |(name, columns): (&'static str, &[&str])| {
            let schema = Tables::get().table(name).unwrap().arrow_schema();
            let at: Vec<_> = columns.iter().map(|column| schema.index_of(column).unwrap()).collect();
            (name, RecordBatch::new_empty(schema).project(&at).unwrap())
        };
        GATED.into_iter().map(read).collect()
    }

    #[test]
    fn the_gates_need_no_other_columns_and_each_table_is_taken_from_its_stage() {
        let history = output(PipelineStage::Normalised, &NORMALISED[..10]);
        let linked = output(PipelineStage::Normalised, &["bouts"]);
        let enriched = output(PipelineStage::Normalised, &NORMALISED[10..]);
        let derived = output(PipelineStage::Derived, &DERIVED);
        let normalised = [history, linked, enriched];
        let outputs = StageOutputs { normalised: &normalised, derived: &derived };
        assert_eq!(outputs.output_of("bouts").unwrap(), &normalised[1], "the later of two");
        let draft = assemble_draft(outputs, &gated(), vec![], false).unwrap();
        assert_eq!((draft.tables.len(), draft.facts_until), (NORMALISED.len() + DERIVED.len(), None));
        assert_eq!(draft.inputs.len(), 4);
        for (name, table) in &draft.tables {
            let DraftTable::Stage(output) = table else { panic!("{name} is not of a stage") };
            assert_eq!(output.stage == PipelineStage::Derived, DERIVED.contains(&name.as_str()), "{name}");
        }
    }

    #[test]
    fn a_table_that_is_in_no_output_or_was_not_read_for_the_gates_is_missing() {
        let without: Vec<&str> = NORMALISED.into_iter().filter(|name| *name != "bouts").collect();
        let (normalised, derived) =
            (output(PipelineStage::Normalised, &without), output(PipelineStage::Derived, &DERIVED));
        let outputs = StageOutputs { normalised: &[normalised], derived: &derived };
        let missing = |outputs, gated: &[_]| match assemble_draft(outputs, gated, vec![], false) {
            Err(PublishError::MissingTable(name)) => name,
            other => panic!("{other:?}"),
        };
        assert_eq!(missing(outputs, &gated()), "bouts");
        let whole = output(PipelineStage::Normalised, &NORMALISED);
        assert_eq!(missing(StageOutputs { normalised: &[whole], ..outputs }, &gated()[1..]), "bouts");
        assert!(matches!(outputs.output_of("no_such"), Err(PublishError::MissingTable(_))));
    }
}
