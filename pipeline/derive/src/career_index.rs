//! The frame that all metrics share: eligible bouts in order, versions, windows and pools.

use std::collections::BTreeMap;

use chrono::{Days, Months, NaiveDate};
use fdna_model::{BoutFact, FactsAsOf, FighterId, Side, WeightClass};

use crate::columns::{SideRow, eligible_sides};

/// The window of a prior is [t − 5 calendar years, t); 29 February counts as the 28th.
const WINDOW: Months = Months::new(60);
/// A pool holds fighters with a bout in [t − 36 calendar months, t).
pub(crate) const ACTIVE: Months = Months::new(36);
/// Fewer fighters than this are no pool.
pub(crate) const MIN_POOL: usize = 30;

/// A fighter's state after his n-th date with eligible bouts, without the metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DnaVersion {
    pub fighter: FighterId,
    /// From 1.
    pub version: i32,
    /// Day after the last bout in it.
    pub valid_from: NaiveDate,
    /// Class of the latest eligible bout that has one.
    pub class: Option<WeightClass>,
    pub eligible_bouts: i32,
    pub eligible_rounds: i32,
    pub first_bout: NaiveDate,
    pub last_bout: NaiveDate,
}

/// Eligible bouts before a date, as places in the list of dates: from the first in the window to the first after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CareerWindow {
    pub(crate) begin: usize,
    pub(crate) end: usize,
}

/// One fighter: his sides, oldest first, and his versions.
pub(crate) struct FighterCareer {
    /// Rows of [`CareerIndex::sides`].
    pub(crate) sides: Vec<usize>,
    /// Versions by place, each with how many sides it rests on.
    pub(crate) versions: Vec<(usize, usize)>,
}

/// The active fighters of a class on a day on which one of them has a new version.
pub(crate) struct ClassPool {
    pub(crate) date: NaiveDate,
    pub(crate) window: CareerWindow,
    pub(crate) class: WeightClass,
    /// Versions that begin on that day.
    pub(crate) begun: Vec<usize>,
    /// The versions in force on it, those included.
    pub(crate) members: Vec<usize>,
}

pub(crate) struct CareerIndex<'a> {
    pub(crate) facts: FactsAsOf<'a>,
    /// Both sides of every eligible bout, oldest first.
    pub(crate) sides: Vec<SideRow<'a>>,
    /// Days with eligible bouts.
    pub(crate) dates: Vec<NaiveDate>,
    /// By fighter id.
    pub(crate) careers: Vec<FighterCareer>,
    /// By fighter and version.
    pub(crate) versions: Vec<DnaVersion>,
    /// Window at the first day of each version.
    pub(crate) windows: Vec<CareerWindow>,
    /// Window before the day of each side.
    pub(crate) side_windows: Vec<CareerWindow>,
    /// By side: the version that the fighter had before that day.
    pub(crate) before: Vec<Option<usize>>,
    pub(crate) pools: Vec<ClassPool>,
    /// Every bout of a fighter, eligible or not, oldest first, with his side of it.
    fought: BTreeMap<FighterId, Vec<(&'a BoutFact, Side)>>,
}

impl<'a> CareerIndex<'a> {
    pub(crate) fn of(facts: FactsAsOf<'a>) -> Self {
        let sides = eligible_sides(facts);
        let mut dates: Vec<NaiveDate> = sides.iter().map(|side| side.bout.date).collect();
        dates.dedup();
        let mut league = Self {
            facts,
            before: vec![None; sides.len()],
            sides,
            dates,
            careers: Vec::new(),
            versions: Vec::new(),
            windows: Vec::new(),
            side_windows: Vec::new(),
            pools: Vec::new(),
            fought: BTreeMap::new(),
        };
        for (bout, side) in facts.bouts().iter().flat_map(|bout| Side::BOTH.map(|side| (bout, side))) {
            league.fought.entry(bout.fighters[side.index()]).or_default().push((bout, side));
        }
        let mut by_fighter: BTreeMap<FighterId, Vec<usize>> = BTreeMap::new();
        for (row, side) in league.sides.iter().enumerate() {
            by_fighter.entry(side.fighter()).or_default().push(row);
        }
        by_fighter.into_values().for_each(|sides| league.add_career(sides));
        league.windows = league.versions.iter().map(|v| league.window(v.valid_from)).collect();
        league.side_windows = league.sides.iter().map(|side| league.window(side.bout.date)).collect();
        league.pools = pools(&league.versions, &league.windows);
        league
    }

    fn add_career(&mut self, sides: Vec<usize>) {
        let mut career = FighterCareer { versions: Vec::new(), sides };
        let (mut class, mut rounds) = (None, 0);
        let Some(first_bout) = career.sides.first().map(|row| self.sides[*row].bout.date) else { return };
        for (i, &row) in career.sides.iter().enumerate() {
            let side = &self.sides[row];
            let date = side.bout.date;
            rounds += side.rounds();
            class = side.bout.class.or(class);
            self.before[row] = career.versions.last().map(|(version, _)| *version);
            // Several bouts on one date make one version, after all of them.
            let is_last = career.sides.get(i + 1).is_none_or(|next| self.sides[*next].bout.date != date);
            let Some(valid_from) = date.checked_add_days(Days::new(1)).filter(|_| is_last) else { continue };
            career.versions.push((self.versions.len(), i + 1));
            self.versions.push(DnaVersion {
                fighter: side.fighter(),
                version: whole(career.versions.len()),
                valid_from,
                class,
                eligible_bouts: whole(i + 1),
                eligible_rounds: rounds,
                first_bout,
                last_bout: date,
            });
        }
        self.careers.push(career);
    }

    /// Something about each version, from it and the sides that it rests on, oldest first.
    pub(crate) fn each_version<T>(&self, of: impl Fn(&DnaVersion, &[&SideRow<'a>]) -> T) -> Vec<T> {
        let mut all = Vec::with_capacity(self.versions.len());
        for career in &self.careers {
            let sides: Vec<&SideRow<'a>> = career.sides.iter().map(|row| &self.sides[*row]).collect();
            all.extend(career.versions.iter().map(|(v, until)| of(&self.versions[*v], &sides[..*until])));
        }
        all
    }

    /// Every bout of a fighter before a date, eligible or not, oldest first, with his side of it.
    pub(crate) fn fought_before(&self, fighter: FighterId, date: NaiveDate) -> &[(&'a BoutFact, Side)] {
        let all = self.fought.get(&fighter).map_or(&[][..], Vec::as_slice);
        &all[..all.partition_point(|(bout, _)| bout.date < date)]
    }

    /// Eligible bouts in the five years before `t`.
    fn window(&self, t: NaiveDate) -> CareerWindow {
        let passed = |t: NaiveDate| self.dates.partition_point(|date| *date < t);
        CareerWindow { begin: t.checked_sub_months(WINDOW).map_or(0, passed), end: passed(t) }
    }
}

/// A count that fits the tables' 32 bits.
pub(crate) fn whole(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// One pool for each class and first day of a version of that class.
fn pools(versions: &[DnaVersion], windows: &[CareerWindow]) -> Vec<ClassPool> {
    let mut order: Vec<usize> = (0..versions.len()).collect();
    order.sort_by_key(|&v| (versions[v].valid_from, v));
    let mut now = ClassHistory::default();
    let mut pools = Vec::new();
    for begun in order.chunk_by(|&a, &b| versions[a].valid_from == versions[b].valid_from) {
        let mut by_class: BTreeMap<WeightClass, Vec<usize>> = BTreeMap::new();
        for &v in begun {
            if let Some(class) = versions[v].class {
                now.enter(versions[v].fighter, class, v);
                by_class.entry(class).or_default().push(v);
            }
        }
        let t = versions[begun[0]].valid_from;
        let since = t.checked_sub_months(ACTIVE).unwrap_or(NaiveDate::MIN);
        pools.extend(by_class.into_iter().map(|(class, begun)| {
            let is_active = |m: &usize| versions[*m].last_bout >= since;
            let members = now.of(class).filter(is_active).collect();
            ClassPool { date: t, window: windows[begun[0]], class, begun, members }
        }));
    }
    pools
}

/// The version in force of every fighter so far, by class.
#[derive(Default)]
struct ClassHistory {
    now: BTreeMap<WeightClass, BTreeMap<FighterId, usize>>,
    class_of: BTreeMap<FighterId, WeightClass>,
}

impl ClassHistory {
    /// One who changes class leaves the old one.
    fn enter(&mut self, fighter: FighterId, class: WeightClass, version: usize) {
        if let Some(old) = self.class_of.insert(fighter, class).filter(|old| *old != class) {
            self.now.entry(old).or_default().remove(&fighter);
        }
        self.now.entry(class).or_default().insert(fighter, version);
    }

    fn of(&self, class: WeightClass) -> impl Iterator<Item = usize> + '_ {
        self.now.get(&class).into_iter().flat_map(|fighters| fighters.values().copied())
    }
}
