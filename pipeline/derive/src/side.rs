//! One fighter's side of one eligible bout, as columns that the catalogue names.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_model::{BoutFact, Count, FactsAsOf, FighterId, Side, WeightClass};

const COUNTS: usize = Count::ALL.len();
/// Own counts and control, the opponent's, and the duration of the bout.
const WIDTH: usize = 2 * (COUNTS + 1) + 1;
const CONTROL: usize = COUNTS;
const DURATION: usize = WIDTH - 1;

/// Place of a column by its name in the catalogue; `o_` before a name means the opponent's.
pub(crate) fn column(name: &str) -> Option<usize> {
    if name == "duration_secs" {
        return Some(DURATION);
    }
    let (offset, name) = match name.strip_prefix("o_") {
        Some(name) => (COUNTS + 1, name),
        None => (0, name),
    };
    let own =
        if name == "control_secs" { Some(CONTROL) } else { Count::ALL.iter().position(|c| c.name() == name) };
    own.map(|place| offset + place)
}

/// A fighter in an eligible bout.
#[derive(Debug, Clone)]
pub(crate) struct SideRow {
    pub(crate) fighter: FighterId,
    pub(crate) date: NaiveDate,
    pub(crate) class: Option<WeightClass>,
    pub(crate) rounds: i32,
    /// Sums over the rounds; `None` where a round's value was not recorded.
    columns: [Option<i64>; WIDTH],
}

impl SideRow {
    pub(crate) fn get(&self, column: usize) -> Option<i64> {
        self.columns[column]
    }

    fn of(bout: &BoutFact, side: Side) -> Self {
        let mut columns = [Some(0); WIDTH];
        for (offset, side) in [(0, side), (COUNTS + 1, side.other())] {
            let rounds = || bout.rounds.iter().map(|round| &round.counts[side.index()]);
            for (place, count) in Count::ALL.into_iter().enumerate() {
                columns[offset + place] = Some(rounds().map(|counts| i64::from(counts[count])).sum());
            }
            // One round without control time makes the bout's unknown: a part is no sum.
            columns[offset + CONTROL] = rounds().map(|counts| counts.control_secs.map(i64::from)).sum();
        }
        columns[DURATION] = bout.total_secs.map(i64::from);
        Self {
            fighter: bout.fighters[side.index()],
            date: bout.date,
            class: bout.class,
            rounds: i32::try_from(bout.rounds.len()).unwrap_or(i32::MAX),
            columns,
        }
    }
}

/// Both sides of every eligible bout, oldest first.
pub(crate) fn eligible_sides(facts: FactsAsOf<'_>) -> Vec<SideRow> {
    let eligible = facts.bouts().iter().filter(|bout| bout.is_eligible());
    eligible.flat_map(|bout| Side::BOTH.map(|side| SideRow::of(bout, side))).collect()
}

/// Careers by fighter id, each oldest first.
pub(crate) fn by_fighter(sides: &[SideRow]) -> Vec<Vec<&SideRow>> {
    let mut careers: BTreeMap<FighterId, Vec<&SideRow>> = BTreeMap::new();
    sides.iter().for_each(|side| careers.entry(side.fighter).or_default().push(side));
    careers.into_values().collect()
}
