//! Columns of a bout for one of its fighters, as the metric definitions name them.

mod decisions;
mod pace;
mod results;

use std::collections::BTreeSet;

use fdna_model::{BoutFact, Count, FactsAsOf, FighterId, Side, Stance};

const COUNTS: usize = Count::ALL.len();

/// Columns beside the counts of both fighters.
const OTHERS: [&str; 25] = [
    "control_secs",
    "o_control_secs",
    "duration_secs",
    "bouts",
    "wins",
    "ko_wins",
    "sub_wins",
    "finish_wins",
    "losses",
    "ko_losses",
    "sub_losses",
    "finished_losses",
    "results",
    "decisions",
    "split_or_majority",
    "card_margin",
    "card_rounds",
    "southpaw_bouts",
    "stance_bouts",
    "r1_sig_attempted",
    "r2_sig_attempted",
    "r3_sig_attempted",
    "r4_5_sig_attempted",
    "whole_r1_sig_attempted",
    "whole_r3_sig_attempted",
];
const SECS: [&str; 4] = ["r1_secs", "r2_secs", "r3_secs", "r4_5_secs"];
const WIDTH: usize = 2 * COUNTS + OTHERS.len() + SECS.len();

/// Place of a column by its name; `o_` before the name of a count means the opponent's.
pub(crate) fn column_place(name: &str) -> Option<usize> {
    let count = |name: &str| Count::ALL.iter().position(|c| c.name() == name);
    let other = OTHERS.iter().chain(&SECS).position(|other| *other == name).map(|place| 2 * COUNTS + place);
    let opponents = || name.strip_prefix("o_").and_then(count).map(|place| COUNTS + place);
    other.or_else(|| count(name)).or_else(opponents)
}

/// Values by place. What a bout does not carry is [`ABSENT`], in half the room of an option; what it carries none of is 0.
struct BoutColumns([i32; WIDTH]);

/// No count, number of seconds or difference of points comes to it.
const ABSENT: i32 = i32::MIN;

impl BoutColumns {
    /// The columns of `side` in an eligible bout.
    fn from_bout(bout: &BoutFact, side: Side, facts: FactsAsOf<'_>) -> Self {
        let mut columns = Self([ABSENT; WIDTH]);
        columns.put_counts(bout, side);
        columns.set_value("duration_secs", bout.total_secs);
        columns.put_all(results::result_columns(bout, side));
        columns.put_all(decisions::decision_columns(bout, side));
        columns.put_all(pace::pace_columns(bout, side));
        columns.put_all(stance_columns(facts.stance_of(bout.fighters[side.other().index()])));
        columns
    }

    fn set_value(&mut self, name: &'static str, value: Option<i32>) {
        if let Some(place) = column_place(name) {
            self.0[place] = value.unwrap_or(ABSENT);
        }
    }

    fn put_all<const N: usize>(&mut self, columns: [(&'static str, Option<i32>); N]) {
        columns.into_iter().for_each(|(name, value)| self.set_value(name, value));
    }

    fn put_counts(&mut self, bout: &BoutFact, side: Side) {
        let mut control = [None; 2];
        for (whose, side) in [side, side.other()].into_iter().enumerate() {
            let rounds = || bout.rounds.iter().map(|round| &round.counts[side.index()]);
            for (place, count) in Count::ALL.into_iter().enumerate() {
                self.0[whose * COUNTS + place] = rounds().map(|counts| counts[count]).sum();
            }
            // One round without control time makes the bout's unknown: a part is no sum.
            control[whose] = rounds().map(|counts| counts.control_secs).sum();
        }
        // Control counts where it is known for both: a bout with one side's says nothing of the other.
        let known = control[0].zip(control[1]);
        self.set_value("control_secs", known.map(|(own, _)| own));
        self.set_value("o_control_secs", known.map(|(_, opponents)| opponents));
    }
}

/// Of the opponent's stance: a bout against one that is not known does not carry the columns.
fn stance_columns(opponents: Option<Stance>) -> [(&'static str, Option<i32>); 2] {
    let southpaw = opponents.map(|stance| i32::from(stance == Stance::Southpaw));
    [("southpaw_bouts", southpaw), ("stance_bouts", opponents.map(|_| 1))]
}

/// Columns of every side, those that are asked for alone: of all of them few metrics need many.
#[derive(Debug)]
pub(crate) struct SideColumns(Vec<Option<Vec<i32>>>);

impl SideColumns {
    /// By row of `sides`; all columns without `names`.
    pub(crate) fn from_sides(
        sides: &[SideRow<'_>],
        facts: FactsAsOf<'_>,
        names: Option<&BTreeSet<&str>>,
    ) -> Self {
        let places: Vec<usize> = match names {
            Some(names) => names.iter().filter_map(|name| column_place(name)).collect(),
            None => (0..WIDTH).collect(),
        };
        let mut columns: Vec<Option<Vec<i32>>> = vec![None; WIDTH];
        places.iter().for_each(|place| columns[*place] = Some(Vec::with_capacity(sides.len())));
        for side in sides {
            let values = BoutColumns::from_bout(side.bout, side.side, facts);
            for (column, value) in columns.iter_mut().zip(values.0) {
                if let Some(column) = column {
                    column.push(value);
                }
            }
        }
        Self(columns)
    }

    /// By row.
    pub(crate) fn column(&self, name: &str) -> Option<Vec<Option<i32>>> {
        let values = self.0.get(column_place(name)?)?.as_ref()?;
        Some(values.iter().map(|value| Some(*value).filter(|value| *value != ABSENT)).collect())
    }
}

/// A fighter in an eligible bout.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SideRow<'a> {
    pub(crate) bout: &'a BoutFact,
    pub(crate) side: Side,
}

impl SideRow<'_> {
    pub(crate) fn fighter(&self) -> FighterId {
        self.bout.fighters[self.side.index()]
    }

    pub(crate) fn opponent(&self) -> FighterId {
        self.bout.fighters[self.side.other().index()]
    }

    pub(crate) fn rounds(&self) -> i32 {
        i32::try_from(self.bout.rounds.len()).unwrap_or(i32::MAX)
    }
}

/// Both sides of every eligible bout, oldest bout first: the opponent of row i is row i ^ 1.
pub(crate) fn eligible_sides(facts: FactsAsOf<'_>) -> Vec<SideRow<'_>> {
    let eligible = facts.bouts().iter().filter(|bout| bout.is_eligible());
    eligible.flat_map(|bout| Side::BOTH.map(|side| SideRow { bout, side })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fdna_schemas::MetricDefinitions;
    use std::collections::BTreeSet;

    fn named() -> BTreeSet<String> {
        let metrics = MetricDefinitions::get().metrics.iter();
        metrics.flat_map(|m| m.numerator.iter().chain(&m.denominator)).map(|t| t.column.clone()).collect()
    }

    #[test]
    fn the_metric_definitions_names_no_column_that_a_bout_cannot_have() {
        let unknown: Vec<String> = named().into_iter().filter(|name| column_place(name).is_none()).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn every_column_beside_the_counts_is_named_by_the_metric_definitions() {
        let named = named();
        let unused: Vec<&&str> = OTHERS.iter().chain(&SECS).filter(|name| !named.contains(**name)).collect();
        assert!(unused.is_empty(), "{unused:?}");
    }

    #[test]
    fn every_place_is_taken_by_one_name() {
        let counts = Count::ALL.iter().flat_map(|c| [c.name().to_owned(), format!("o_{}", c.name())]);
        let names = counts.chain(OTHERS.iter().chain(&SECS).map(|name| (*name).to_owned()));
        let places: BTreeSet<usize> = names.map(|name| column_place(&name).unwrap()).collect();
        assert_eq!(places, (0..WIDTH).collect());
    }
}
