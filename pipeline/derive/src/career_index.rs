//! Eligible bouts as the engine's observations, and every bout of a fighter beside them.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use fdna_dna::{
    Observation, ObservationColumns, PoolId, SubjectHistory, SubjectId, SubjectVersion, Timeline,
};
use fdna_model::{BoutFact, FactsAsOf, FighterId, Side, WeightClass};
use fdna_schemas::EngineSettings;

use crate::columns::{SideColumns, SideRow, eligible_sides};

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

pub(crate) struct CareerIndex<'a> {
    pub(crate) facts: FactsAsOf<'a>,
    /// Subjects of the engine, sorted.
    fighters: Vec<FighterId>,
    /// Both sides of every eligible bout, oldest first: row by row what the timeline has.
    pub(crate) sides: Vec<SideRow<'a>>,
    columns: SideColumns,
    pub(crate) timeline: Timeline,
    /// By fighter and version.
    pub(crate) versions: Vec<DnaVersion>,
    /// By subject: every bout, eligible or not, oldest first, with the fighter's side of it.
    fought: Vec<Vec<(&'a BoutFact, Side)>>,
    /// By subject: the days of all bouts, eligible or not.
    days: Vec<Vec<NaiveDate>>,
}

impl<'a> CareerIndex<'a> {
    /// With the columns of these names; with all of them without.
    pub(crate) fn from_facts(
        facts: FactsAsOf<'a>,
        settings: &EngineSettings,
        names: Option<&BTreeSet<&str>>,
    ) -> Self {
        let mut fought: BTreeMap<FighterId, Vec<(&'a BoutFact, Side)>> = BTreeMap::new();
        for (bout, side) in facts.bouts().iter().flat_map(|bout| Side::BOTH.map(|side| (bout, side))) {
            fought.entry(bout.fighters[side.index()]).or_default().push((bout, side));
        }
        let (fighters, fought): (Vec<FighterId>, Vec<_>) = fought.into_iter().unzip();
        let sides = eligible_sides(facts);
        let rows = sides.iter().enumerate().map(|(row, side)| Observation {
            subject: find_subject(&fighters, side.fighter()),
            opponent: Some(row ^ 1),
            date: side.bout.date,
            pool: side.bout.class.map(pool_of_class),
            periods: side.rounds(),
        });
        let timeline = Timeline::new(rows.collect(), WeightClass::ALL.len(), settings);
        let versions = timeline.versions.iter().map(|version| dna_version(version, &fighters)).collect();
        let days = fought.iter().map(|fought| fought.iter().map(|(bout, _)| bout.date).collect());
        let columns = SideColumns::from_sides(&sides, facts, names);
        Self { days: days.collect(), facts, fighters, sides, columns, timeline, versions, fought }
    }

    /// Days of a fighter's bouts, eligible or not, oldest first.
    pub(crate) fn bout_days(&self, fighter: SubjectId) -> &[NaiveDate] {
        &self.days[fighter.0 as usize]
    }

    /// Careers of those with eligible bouts, by fighter.
    pub(crate) fn careers(&self) -> &[SubjectHistory] {
        &self.timeline.histories
    }

    /// By subject.
    pub(crate) fn fighters(&self) -> &[FighterId] {
        &self.fighters
    }

    pub(crate) fn fighter_of(&self, subject: SubjectId) -> FighterId {
        self.fighters[subject.0 as usize]
    }

    pub(crate) fn subject_of(&self, fighter: FighterId) -> SubjectId {
        find_subject(&self.fighters, fighter)
    }

    /// Something about each version, from it and the sides that it rests on, oldest first.
    pub(crate) fn each_version<T>(&self, value_of: impl Fn(&DnaVersion, &[&SideRow<'a>]) -> T) -> Vec<T> {
        self.timeline.each_version(|version, rows| {
            let sides: Vec<&SideRow<'a>> = rows.iter().map(|row| &self.sides[*row]).collect();
            value_of(&self.versions[version], &sides)
        })
    }

    /// Every bout of a fighter before a date, eligible or not, oldest first, with the fighter's side of it.
    pub(crate) fn fought_before(&self, fighter: SubjectId, date: NaiveDate) -> &[(&'a BoutFact, Side)] {
        let all = &self.fought[fighter.0 as usize];
        &all[..all.partition_point(|(bout, _)| bout.date < date)]
    }
}

impl ObservationColumns for CareerIndex<'_> {
    fn column(&self, name: &str) -> Option<Vec<Option<i32>>> {
        self.columns.column(name)
    }
}

fn find_subject(fighters: &[FighterId], fighter: FighterId) -> SubjectId {
    let place = fighters.partition_point(|other| *other < fighter);
    SubjectId(u32::try_from(place).unwrap_or(u32::MAX))
}

fn pool_of_class(class: WeightClass) -> PoolId {
    PoolId(class as u16)
}

/// The class of a pool.
pub(crate) fn class_of(pool: PoolId) -> Option<WeightClass> {
    WeightClass::ALL.get(usize::from(pool.0)).copied()
}

fn dna_version(version: &SubjectVersion, fighters: &[FighterId]) -> DnaVersion {
    DnaVersion {
        fighter: fighters[version.subject.0 as usize],
        version: version.version,
        valid_from: version.valid_from,
        class: version.pool.and_then(class_of),
        eligible_bouts: version.observations,
        eligible_rounds: version.periods,
        first_bout: version.first,
        last_bout: version.last,
    }
}
