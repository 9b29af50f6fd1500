//! Round and finish profiles, by fighter and version.

use fdna_compare::profile::{FinishEnding, RoundActions, RoundSums};
use fdna_schemas::tables::{
    ContractReader as _, FinishProfilesReader, FinishProfilesRow, FinishTimesReader, FinishTimesRow,
    RoundProfilesReader, RoundProfilesRow,
};
use serde::{Deserialize, Serialize};

use super::fighter_records::FighterRecords;
use super::fighters::FighterTable;
use super::{DatasetError, SnapshotTables};

/// The tables of both profiles. Every version has all of its rows.
#[derive(Debug)]
pub(crate) struct ProfileTable {
    rounds: FighterRecords<ProfileRound>,
    endings: FighterRecords<ProfileEnding>,
    times: FighterRecords<FinishTime>,
}

/// What the tables say of a version.
#[derive(Debug)]
pub(crate) struct VersionProfiles {
    rounds: Vec<ProfileRound>,
    endings: Vec<ProfileEnding>,
    times: Vec<FinishTime>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct ProfileRound {
    version: i32,
    scope: Box<str>,
    sums: RoundSums,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct ProfileEnding {
    version: i32,
    result: Box<str>,
    method: Box<str>,
    round: i32,
    detail: Box<str>,
    bouts: i32,
}

/// When finishes came, in seconds of fought time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FinishTime {
    version: i32,
    result: Box<str>,
    pub(crate) bouts: i32,
    pub(crate) q1_secs: f64,
    pub(crate) median_secs: f64,
    pub(crate) q3_secs: f64,
}

impl ProfileTable {
    pub(crate) fn read(tables: &SnapshotTables, fighters: &FighterTable) -> Result<Self, DatasetError> {
        let [rounds, endings, times] =
            [RoundProfilesReader::TABLE, FinishProfilesReader::TABLE, FinishTimesReader::TABLE];
        Ok(Self {
            rounds: FighterRecords::read(rounds, &tables.round_profiles, fighters, |batch| {
                Ok(RoundProfilesReader::of(batch).all_rows()?.iter().map(ProfileRound::of).collect())
            })?,
            endings: FighterRecords::read(endings, &tables.finish_profiles, fighters, |batch| {
                Ok(FinishProfilesReader::of(batch).all_rows()?.iter().map(ProfileEnding::of).collect())
            })?,
            times: FighterRecords::read(times, &tables.finish_times, fighters, |batch| {
                Ok(FinishTimesReader::of(batch).all_rows()?.iter().map(FinishTime::of).collect())
            })?,
        })
    }

    pub(crate) fn pack(&self) -> Result<(), DatasetError> {
        self.rounds.pack()?;
        self.endings.pack()?;
        self.times.pack()
    }

    /// Those of one version of the fighter, in the order of the tables.
    pub(crate) fn of(&self, fighter: usize, version: i32) -> Result<VersionProfiles, DatasetError> {
        let (mut rounds, mut endings, mut times) =
            (self.rounds.of(fighter)?, self.endings.of(fighter)?, self.times.of(fighter)?);
        rounds.retain(|row| row.version == version);
        endings.retain(|row| row.version == version);
        times.retain(|row| row.version == version);
        Ok(VersionProfiles { rounds, endings, times })
    }
}

impl VersionProfiles {
    /// Sums by round of a scope, `all` or `comparable`.
    pub(crate) fn rounds(&self, scope: &str) -> Vec<RoundSums> {
        self.rounds.iter().filter(|row| &*row.scope == scope).map(|row| row.sums).collect()
    }

    /// How the bouts ended.
    pub(crate) fn endings(&self) -> Vec<FinishEnding<'_>> {
        self.endings.iter().map(ProfileEnding::ending).collect()
    }

    /// When wins, or losses, were finished; `None` without a finish.
    pub(crate) fn finish_time(&self, result: &str) -> Option<&FinishTime> {
        self.times.iter().find(|row| &*row.result == result)
    }
}

impl ProfileRound {
    fn of(row: &RoundProfilesRow<'_>) -> Self {
        Self { version: row.version, scope: row.scope.into(), sums: sums(row) }
    }
}

impl FinishTime {
    fn of(row: &FinishTimesRow<'_>) -> Self {
        let FinishTimesRow { version, result, bouts, q1_secs, median_secs, q3_secs, .. } = *row;
        Self { version, result: result.into(), bouts, q1_secs, median_secs, q3_secs }
    }
}

impl ProfileEnding {
    fn of(row: &FinishProfilesRow<'_>) -> Self {
        Self {
            version: row.version,
            result: row.result.into(),
            method: row.method.into(),
            round: row.round,
            detail: row.detail.into(),
            bouts: row.bouts,
        }
    }

    fn ending(&self) -> FinishEnding<'_> {
        FinishEnding {
            result: &self.result,
            method: &self.method,
            round: self.round,
            detail: &self.detail,
            bouts: self.bouts,
        }
    }
}

fn sums(row: &RoundProfilesRow<'_>) -> RoundSums {
    RoundSums {
        round: row.round,
        bouts: row.bouts,
        secs: row.secs,
        control_known_secs: row.control_known_secs,
        own: RoundActions {
            knockdowns: row.knockdowns,
            sig_landed: row.sig_landed,
            sig_attempted: row.sig_attempted,
            total_landed: row.total_landed,
            td_landed: row.td_landed,
            td_attempted: row.td_attempted,
            sub_attempts: row.sub_attempts,
            control_secs: row.control_secs,
        },
        opponent: RoundActions {
            knockdowns: row.o_knockdowns,
            sig_landed: row.o_sig_landed,
            sig_attempted: row.o_sig_attempted,
            total_landed: row.o_total_landed,
            td_landed: row.o_td_landed,
            td_attempted: row.o_td_attempted,
            sub_attempts: row.o_sub_attempts,
            control_secs: row.o_control_secs,
        },
    }
}
