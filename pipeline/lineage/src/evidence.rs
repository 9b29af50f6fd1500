//! Evidence of causes in two snapshots and the logs of their lake: captures, corrections, links, merges, decisions.

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;
use fdna_schemas::tables::{AliasesRow, ContractRow as _, CorrectionsRow, IdentitiesRow, MetricsRow};

use crate::cause::{CaptureName, Cause, Decision, Word};
use crate::cell::text_of;
use crate::compare::TableChunk;

/// Two snapshots of one lake, and what its logs say about what they were made of.
#[derive(Clone, Debug, Default)]
pub struct SnapshotPair {
    /// Captures of the older one and of the newer one.
    pub captures: [Vec<CaptureName>; 2],
    /// What people said about captures that no longer count.
    pub withdrawn: BTreeMap<CaptureName, Word>,
    /// Decisions about who is who that each follows.
    pub decisions: [Vec<Decision>; 2],
    /// By table what must be the cause of any difference, since nothing else that the table is made of differs.
    pub only_causes: BTreeMap<String, Vec<Cause>>,
    /// Tables that derivation reads, and which of their columns.
    pub facts: BTreeMap<String, Vec<&'static str>>,
    /// Set where the registry of ids was begun anew between the two.
    pub registry: Option<Cause>,
    /// Version of all contracts, of each.
    pub contract_versions: [String; 2],
    /// Versions of the definition of the metrics, of each.
    pub definition_versions: [String; 2],
}

/// Columns of `metrics` on which no value depends.
const WORDS: [&str; 4] = [
    MetricsRow::MEANING.name,
    MetricsRow::CAVEATS.name,
    MetricsRow::FAMILY.name,
    MetricsRow::INTRODUCED_IN.name,
];

/// A row of `corrections` that only one of the two has.
#[derive(Clone, Debug)]
pub(crate) struct SeenCorrection {
    pub(crate) part: String,
    pub(crate) new: String,
    pub(crate) capture: CaptureName,
}

/// Evidence as it is gathered, from the tables that hold it.
#[derive(Debug, Default)]
pub struct Evidence {
    pub(crate) pair: SnapshotPair,
    added: BTreeMap<String, CaptureName>,
    removed: BTreeMap<String, CaptureName>,
    sources: BTreeMap<String, CaptureName>,
    /// By kind, entity and field; of the newer snapshot alone.
    corrections: BTreeMap<[String; 3], Vec<SeenCorrection>>,
    /// The same of the older one alone.
    reverted: BTreeMap<[String; 3], Vec<SeenCorrection>>,
    /// By alias; merges that only one of the two has.
    merged: BTreeMap<String, Cause>,
    targets: BTreeMap<String, Cause>,
    /// Captures that first had an entity, of links that only one of the two has.
    first_seen: BTreeMap<String, BTreeSet<String>>,
    last_links: BTreeMap<String, BTreeSet<String>>,
    /// By entity: decisions about ids that were tied to it, or are.
    decided: BTreeMap<String, Cause>,
    pub(crate) new_bouts: BTreeSet<String>,
    pub(crate) metrics: BTreeSet<String>,
}

impl Evidence {
    /// Of what the manifests and the logs say.
    #[must_use]
    pub fn new(pair: SnapshotPair) -> Self {
        let [old, new] = &pair.captures;
        let only = |of: &[CaptureName], other: &[CaptureName]| -> BTreeMap<String, CaptureName> {
            let other: BTreeSet<&CaptureName> = other.iter().collect();
            let only = of.iter().filter(|capture| !other.contains(capture));
            only.map(|capture| (capture.id.clone(), capture.clone())).collect()
        };
        let sources = old.iter().chain(new).map(|capture| (capture.id.clone(), capture.clone())).collect();
        Self { added: only(new, old), removed: only(old, new), sources, pair, ..Self::default() }
    }

    /// Captures of the newer snapshot alone.
    pub fn added_captures(&self) -> impl Iterator<Item = &CaptureName> {
        self.added.values()
    }

    /// Captures of the older snapshot alone.
    pub fn removed_captures(&self) -> impl Iterator<Item = &CaptureName> {
        self.removed.values()
    }

    /// Tables that hold evidence, in the order in which it is to be gathered.
    pub const TABLES: [&'static str; 4] =
        [IdentitiesRow::TABLE, AliasesRow::TABLE, CorrectionsRow::TABLE, MetricsRow::TABLE];

    /// Gathers what some rows of one of [`Self::TABLES`] show.
    pub fn gather(&mut self, table: &str, chunk: &TableChunk) {
        let changed = chunk.changed_rows();
        let rows = |rows: &RecordBatch| 0..rows.num_rows();
        match table {
            CorrectionsRow::TABLE => {
                rows(&chunk.appeared).for_each(|row| self.add_correction(&chunk.appeared, row, true));
                rows(&chunk.gone).for_each(|row| self.add_correction(&chunk.gone, row, false));
            }
            IdentitiesRow::TABLE => {
                rows(&chunk.appeared).for_each(|row| self.add_link(&chunk.appeared, row, true));
                rows(&chunk.gone).for_each(|row| self.add_link(&chunk.gone, row, false));
                for row in changed {
                    self.add_link(&chunk.old, row, false);
                    self.add_link(&chunk.new, row, true);
                }
            }
            AliasesRow::TABLE => {
                rows(&chunk.appeared).for_each(|row| self.add_merge(&chunk.appeared, row));
                rows(&chunk.gone).for_each(|row| self.add_merge(&chunk.gone, row));
                changed.into_iter().for_each(|row| self.add_merge(&chunk.new, row));
            }
            MetricsRow::TABLE => {
                let name = |rows: &RecordBatch, row| text_of(rows, MetricsRow::METRIC.name, row).to_owned();
                self.metrics.extend(rows(&chunk.appeared).map(|row| name(&chunk.appeared, row)));
                let columns = chunk.columns.iter().filter(|column| !WORDS.contains(&column.name.as_str()));
                let places = columns.flat_map(|column| column.changed.set_indices());
                self.metrics.extend(places.map(|row| name(&chunk.new, row)));
            }
            _ => {}
        }
    }

    fn add_correction(&mut self, rows: &RecordBatch, row: usize, is_new: bool) {
        let text = |column: &str| text_of(rows, column, row).to_owned();
        let key = [
            text(CorrectionsRow::KIND.name),
            text(CorrectionsRow::ENTITY_ID.name),
            text(CorrectionsRow::FIELD.name),
        ];
        let capture = self.name_capture(text_of(rows, CorrectionsRow::REPLACED_BY.name, row));
        let (part, new) = (text(CorrectionsRow::PART.name), text(CorrectionsRow::NEW.name));
        let into = if is_new { &mut self.corrections } else { &mut self.reverted };
        into.entry(key).or_default().push(SeenCorrection { part, new, capture });
    }

    fn add_link(&mut self, rows: &RecordBatch, row: usize, is_new: bool) {
        let text = |column: &str| text_of(rows, column, row).to_owned();
        let entity = text(IdentitiesRow::ENTITY_ID.name);
        let capture = text(IdentitiesRow::FIRST_SEEN_CAPTURE.name);
        let links = if is_new { &mut self.first_seen } else { &mut self.last_links };
        links.entry(entity.clone()).or_default().insert(capture);
        let (source, id) = (text(IdentitiesRow::SOURCE.name), text(IdentitiesRow::SOURCE_ID.name));
        if let Some(decision) = self.find_decision(&format!("{source}:{id}")) {
            self.decided.insert(entity, Cause::Decision { decision });
        }
    }

    /// A decision about an id of a source that only one of the two snapshots follows.
    fn find_decision(&self, id: &str) -> Option<Decision> {
        let [old, new] = &self.pair.decisions;
        let only = |of: &'_ [Decision], other: &[Decision]| {
            of.iter().find(|one| one.ids.iter().any(|named| named == id) && !other.contains(one)).cloned()
        };
        only(new, old).or_else(|| only(old, new))
    }

    fn add_merge(&mut self, rows: &RecordBatch, row: usize) {
        let text = |column: &str| text_of(rows, column, row).to_owned();
        let (alias, entity) = (text(AliasesRow::ALIAS_ID.name), text(AliasesRow::ENTITY_ID.name));
        let decided = self.decided.get(&alias).or_else(|| self.decided.get(&entity)).cloned();
        let cause = decided.unwrap_or_else(|| Cause::Merge {
            entity: text(AliasesRow::KIND.name),
            alias_id: alias.clone(),
            entity_id: entity.clone(),
            rule: text(AliasesRow::RULE.name),
            since: self.name_capture(text_of(rows, AliasesRow::SINCE_CAPTURE.name, row)),
        });
        self.targets.insert(entity, cause.clone());
        self.merged.insert(alias, cause);
    }

    pub(crate) fn name_capture(&self, id: &str) -> CaptureName {
        let unknown = || CaptureName { source: String::new(), id: id.to_owned() };
        self.sources.get(id).cloned().unwrap_or_else(unknown)
    }

    /// The cause where only one of the two snapshots was made of this capture.
    pub(crate) fn of_capture(&self, id: &str) -> Option<Cause> {
        let added = self.added.get(id).map(Cause::of_capture);
        added.or_else(|| self.removed.get(id).map(|capture| self.withdrawal(capture)))
    }

    pub(crate) fn withdrawal(&self, capture: &CaptureName) -> Cause {
        Cause::Withdrawal { capture: capture.clone(), word: self.pair.withdrawn.get(capture).cloned() }
    }

    /// Captures of a source that only one of the two snapshots was made of.
    pub(crate) fn of_source(&self, source: &str) -> Vec<Cause> {
        let is_of = |capture: &&CaptureName| capture.source == source;
        let added: Vec<CaptureName> = self.added.values().filter(is_of).cloned().collect();
        let mut causes: Vec<Cause> =
            self.removed.values().filter(is_of).map(|capture| self.withdrawal(capture)).collect();
        if !added.is_empty() {
            causes.push(Cause::of_captures(&added));
        }
        causes
    }

    /// Corrections of a field of an entity that only the newer snapshot has, or only the older one.
    pub(crate) fn corrections_of(&self, key: &[&str; 3], is_new: bool) -> &[SeenCorrection] {
        let of = if is_new { &self.corrections } else { &self.reverted };
        of.get(&key.map(str::to_owned)).map_or(&[], Vec::as_slice)
    }

    /// The merge or decision by which this id is another entity's, or was.
    pub(crate) fn merge_of(&self, id: &str) -> Option<&Cause> {
        self.merged.get(id).or_else(|| self.targets.get(id)).or_else(|| self.decided.get(id))
    }

    /// The capture that first had an entity in a link that is new, or that is no more.
    pub(crate) fn link_of(&self, entity: &str, is_new: bool) -> Option<Cause> {
        let links = if is_new { &self.first_seen } else { &self.last_links };
        links.get(entity)?.iter().find_map(|capture| self.of_capture(capture))
    }

    /// Causes of any difference in a table, where one alone is possible.
    pub(crate) fn only_causes(&self, table: &str) -> Vec<Cause> {
        let only = self.pair.only_causes.get(table).filter(|causes| !causes.is_empty());
        only.cloned().unwrap_or_else(|| vec![Cause::Unknown])
    }
}
