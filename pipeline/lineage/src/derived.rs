//! Causes of derived values. Derivation is a pure function of facts before a cut and of the definitions: a value moves
//! only with facts of bouts before its day, the fighter's own or those that make the means of the class, or with a
//! definition.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use arrow::array::{AsArray as _, RecordBatch};
use arrow::datatypes::Int32Type;
use fdna_schemas::tables::ContractRow as _;
use fdna_schemas::tables::{BoutsRow, DnaVersionsRow, MetricsRow, ResultsRow, RoundStatsRow};

use crate::cause::{Cause, SomeBouts};
use crate::cell::{cell_day, text_if, text_of};
use crate::compare::ColumnPair;
use crate::evidence::Evidence;
use crate::find_cause::ComparedTable;

/// A bout with facts that differ.
#[derive(Debug, Default)]
struct BoutFacts {
    day: i32,
    causes: BTreeSet<Cause>,
}

/// Facts that derivation reads and that differ, by bout and by fighter.
#[derive(Debug, Default)]
pub(crate) struct ChangedFacts {
    /// Day and fighters of every bout of either snapshot.
    bouts: BTreeMap<String, (i32, [String; 2])>,
    changed: BTreeMap<String, BoutFacts>,
    /// By fighter: bouts that differ.
    of_fighter: BTreeMap<String, Vec<String>>,
    /// Facts of fighters themselves.
    fighters: BTreeMap<String, BTreeSet<Cause>>,
    /// Day of each version of a fighter.
    versions: BTreeMap<String, BTreeMap<i32, i32>>,
    /// Bouts that differ, by day.
    in_order: Vec<(i32, String)>,
    /// What they come to for all fighters, by how many of them are before a day.
    of_pool: RefCell<BTreeMap<usize, Vec<Cause>>>,
}

impl ChangedFacts {
    /// Columns of `bouts` that [`Self::add_bouts`] reads.
    pub(crate) const BOUT_COLUMNS: [&'static str; 4] = [
        BoutsRow::BOUT_ID.name,
        BoutsRow::EVENT_DATE.name,
        BoutsRow::FIGHTER_A_ID.name,
        BoutsRow::FIGHTER_B_ID.name,
    ];

    /// Columns of `dna_versions` that [`Self::add_versions`] reads.
    pub(crate) const VERSION_COLUMNS: [&'static str; 3] =
        [DnaVersionsRow::FIGHTER_ID.name, DnaVersionsRow::VERSION.name, DnaVersionsRow::VALID_FROM.name];

    /// Adds the bouts of a snapshot: the newer one last.
    pub(crate) fn add_bouts(&mut self, rows: &RecordBatch) {
        let [id, date, a, b] = Self::BOUT_COLUMNS;
        for row in 0..rows.num_rows() {
            let day = cell_day(rows, date, row).unwrap_or_default();
            let fighters = [a, b].map(|column| text_of(rows, column, row).to_owned());
            self.bouts.insert(text_of(rows, id, row).to_owned(), (day, fighters));
        }
    }

    /// Adds the versions of a snapshot: the newer one last.
    pub(crate) fn add_versions(&mut self, rows: &RecordBatch) {
        let [fighter, version, valid_from] = Self::VERSION_COLUMNS;
        for row in 0..rows.num_rows() {
            let Some(number) = number_of(rows, version, row) else { continue };
            let day = cell_day(rows, valid_from, row).unwrap_or_default();
            let of_fighter = self.versions.entry(text_of(rows, fighter, row).to_owned()).or_default();
            of_fighter.insert(number, day);
        }
    }

    /// Adds a row of facts that differs, with its causes.
    pub(crate) fn add_row(&mut self, table: &str, rows: &RecordBatch, row: usize, causes: &[Cause]) {
        if table == "fighters" {
            let fighter = text_of(rows, "fighter_id", row).to_owned();
            self.fighters.entry(fighter).or_default().extend(causes.iter().cloned());
            return;
        }
        let Some(bout) = text_if(rows, "bout_id", row) else { return };
        let Some((day, fighters)) = self.bouts.get(bout) else { return };
        let there = self.changed.entry(bout.to_owned()).or_insert_with(|| {
            for fighter in fighters {
                self.of_fighter.entry(fighter.clone()).or_default().push(bout.to_owned());
            }
            self.in_order.push((*day, bout.to_owned()));
            BoutFacts { day: *day, causes: BTreeSet::new() }
        });
        there.causes.extend(causes.iter().cloned());
    }

    /// Orders what was added: causes are found by day.
    pub(crate) fn sort_bouts(&mut self) {
        self.in_order.sort();
    }

    /// Causes of a derived row: of all its values, but for those of a metric that is defined otherwise.
    #[must_use]
    pub(crate) fn causes_of_row(
        &self,
        compared: ComparedTable<'_>,
        evidence: &Evidence,
        rows: &RecordBatch,
        row: usize,
    ) -> Vec<Cause> {
        let table = compared.table.name.as_str();
        let is_defined = |metric: &&str| table == MetricsRow::TABLE || evidence.metrics.contains(*metric);
        if let Some(metric) = text_if(rows, "metric", row).filter(is_defined) {
            return vec![defined(metric, evidence)];
        }
        let day = self.day_of(rows, row);
        let fighter = text_if(rows, "fighter_id", row);
        if let Some(cause) = fighter.and_then(|fighter| evidence.merge_of(fighter)) {
            return vec![cause.clone()];
        }
        let own = fighter.map_or_else(Vec::new, |fighter| self.own_causes(fighter, day));
        let found = if own.is_empty() { self.pool_causes(day) } else { own };
        if found.is_empty() { evidence.only_causes(table) } else { found }
    }

    /// The cause of a column that is of a metric defined otherwise, or that the contract is new by.
    #[must_use]
    pub(crate) fn cause_of_column(column: &ColumnPair, evidence: &Evidence) -> Option<Cause> {
        let is_of = |metric: &&String| {
            column
                .name
                .strip_prefix(metric.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("__"))
        };
        evidence.metrics.iter().find(is_of).map(|metric| defined(metric, evidence))
    }

    /// The day before which the facts of a row lie; none where it rests on all of them.
    fn day_of(&self, rows: &RecordBatch, row: usize) -> Option<i32> {
        let of_version = || {
            let version = number_of(rows, "version", row)?;
            self.versions.get(text_if(rows, "fighter_id", row)?)?.get(&version).copied()
        };
        let of_bout = || cell_day(rows, "event_date", row).map(|day| day + 1);
        cell_day(rows, "valid_from", row).or_else(of_version).or_else(of_bout)
    }

    fn own_causes(&self, fighter: &str, day: Option<i32>) -> Vec<Cause> {
        let bouts = self.of_fighter.get(fighter).into_iter().flatten();
        let bouts = bouts.filter(|bout| day.is_none_or(|day| self.changed[*bout].day < day));
        let of_bouts = self.sum_up(bouts.map(String::as_str), false);
        let of_fighter = self.fighters.get(fighter).into_iter().flatten().cloned();
        of_bouts.into_iter().chain(of_fighter).collect()
    }

    fn pool_causes(&self, day: Option<i32>) -> Vec<Cause> {
        let before =
            day.map_or(self.in_order.len(), |day| self.in_order.partition_point(|(at, _)| *at < day));
        let mut of_pool = self.of_pool.borrow_mut();
        let bouts = self.in_order[..before].iter().map(|(_, bout)| bout.as_str());
        of_pool.entry(before).or_insert_with(|| self.sum_up(bouts, true)).clone()
    }

    /// New bouts and results together, and each other cause once.
    fn sum_up<'a>(&self, bouts: impl Iterator<Item = &'a str>, of_others: bool) -> Vec<Cause> {
        let none = || SomeBouts { of_others, ..SomeBouts::default() };
        let (mut new_bouts, mut new_results, mut others) = (none(), none(), BTreeSet::new());
        for bout in bouts {
            let causes = &self.changed[bout].causes;
            let is_new = causes.iter().any(|cause| matches!(cause, Cause::NewBout { .. }));
            let has_result = causes.iter().any(|cause| matches!(cause, Cause::NewResult { .. }));
            match (is_new, has_result) {
                (true, _) => new_bouts.add(bout),
                (_, true) => new_results.add(bout),
                _ => others.extend(causes.iter().cloned().map(|cause| without_entity(cause, of_others))),
            }
        }
        let new_bouts = (new_bouts.count > 0).then_some(Cause::NewBout { bouts: new_bouts });
        let new_results = (new_results.count > 0).then_some(Cause::NewResult { bouts: new_results });
        new_bouts.into_iter().chain(new_results).chain(others).collect()
    }
}

/// A correction of another fighter's facts stands for all of its capture.
fn without_entity(cause: Cause, of_others: bool) -> Cause {
    match cause {
        Cause::Correction { capture, .. } if of_others => {
            let of = "facts of other fighters".to_owned();
            Cause::Correction { capture, of, entity_id: String::new() }
        }
        other => other,
    }
}

fn defined(metric: &str, evidence: &Evidence) -> Cause {
    let [from, to] = evidence.pair.definition_versions.clone();
    Cause::Definition { of: format!("metric {metric}"), from, to }
}

fn number_of(rows: &RecordBatch, column: &str, row: usize) -> Option<i32> {
    Some(rows.column_by_name(column)?.as_primitive_opt::<Int32Type>()?.value(row))
}

impl SomeBouts {
    fn add(&mut self, bout: &str) {
        self.count += 1;
        if self.first.len() < 3 {
            self.first.push(bout.to_owned());
        }
    }
}

/// Causes of the rows of a chunk of facts: a result or statistics of a bout that is there already are new, not the bout.
#[must_use]
pub(crate) fn as_new_result(table: &str, rows: &RecordBatch, row: usize, causes: Vec<Cause>) -> Vec<Cause> {
    let is_of_bout = matches!(table, ResultsRow::TABLE | RoundStatsRow::TABLE);
    let is_stated = causes.iter().any(|cause| matches!(cause, Cause::Capture { .. }));
    match text_if(rows, "bout_id", row).filter(|_| is_of_bout && is_stated) {
        Some(bout) => vec![Cause::NewResult { bouts: SomeBouts::one(bout) }],
        None => causes,
    }
}
