//! Round and finish profiles, by fighter and version.

use arrow::array::{Float64Array, Int32Array, RecordBatch, StringArray};
use fdna_compare::profile::{FinishEnding, RoundActions, RoundSums};
use fdna_schemas::tables::{
    ContractReader as _, FinishProfilesReader, FinishProfilesRow, FinishTimesReader, FinishTimesRow,
    RoundProfilesReader, RoundProfilesRow,
};

use super::columns::{VersionRows, column};
use super::fighters::FighterTable;
use super::packed_columns::CountColumn;
use super::{DatasetError, SnapshotTables};

const ROUNDS: &str = "round_profiles";
const FINISHES: &str = "finish_profiles";
const TIMES: &str = "finish_times";

/// The tables of both profiles. Every version has all of its rows.
#[derive(Debug)]
pub(crate) struct ProfileTable {
    rounds: ProfileRounds,
    finishes: ProfileFinishes,
    times: FinishTimes,
}

/// When finishes came, in seconds of fought time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FinishTime {
    pub(crate) bouts: i32,
    pub(crate) q1_secs: f64,
    pub(crate) median_secs: f64,
    pub(crate) q3_secs: f64,
}

impl ProfileTable {
    pub(crate) fn read(tables: &SnapshotTables, fighters: &FighterTable) -> Result<Self, DatasetError> {
        Ok(Self {
            rounds: ProfileRounds::read(&tables.round_profiles, fighters)?,
            finishes: ProfileFinishes::read(&tables.finish_profiles, fighters)?,
            times: FinishTimes::read(&tables.finish_times, fighters)?,
        })
    }

    /// Sums by round of a scope, `all` or `comparable`.
    pub(crate) fn rounds(&self, fighter: usize, version: i32, scope: &str) -> Vec<RoundSums> {
        let table = &self.rounds;
        let rows = table.rows.of(fighter, version).filter(|&row| table.scope.value(row) == scope);
        rows.map(|row| table.sums(row)).collect()
    }

    /// How the bouts up to a version ended.
    pub(crate) fn endings(&self, fighter: usize, version: i32) -> Vec<FinishEnding<'_>> {
        self.finishes.rows.of(fighter, version).map(|row| self.finishes.ending(row)).collect()
    }

    /// When wins, or losses, were finished; `None` without a finish.
    pub(crate) fn finish_time(&self, fighter: usize, version: i32, result: &str) -> Option<FinishTime> {
        let table = &self.times;
        let row = table.rows.of(fighter, version).find(|&row| table.result.value(row) == result)?;
        Some(FinishTime {
            bouts: table.bouts.value(row),
            q1_secs: table.q1.value(row),
            median_secs: table.median.value(row),
            q3_secs: table.q3.value(row),
        })
    }
}

#[derive(Debug)]
struct ProfileRounds {
    rows: VersionRows,
    scope: StringArray,
    round: Int32Array,
    bouts: Int32Array,
    secs: CountColumn,
    control_known_secs: CountColumn,
    own: ActionColumns,
    opponent: ActionColumns,
}

impl ProfileRounds {
    fn read(batch: &RecordBatch, fighters: &FighterTable) -> Result<Self, DatasetError> {
        let table = RoundProfilesReader::of(batch);
        Ok(Self {
            rows: VersionRows::of_rows(ROUNDS, (table.fighter_id()?, table.version()?), fighters)?,
            scope: column(batch, ROUNDS, RoundProfilesRow::SCOPE.name)?,
            round: column(batch, ROUNDS, RoundProfilesRow::ROUND.name)?,
            bouts: column(batch, ROUNDS, RoundProfilesRow::BOUTS.name)?,
            secs: CountColumn::read(batch, ROUNDS, RoundProfilesRow::SECS.name)?,
            control_known_secs: CountColumn::read(batch, ROUNDS, RoundProfilesRow::CONTROL_KNOWN_SECS.name)?,
            own: ActionColumns::read(batch, "")?,
            opponent: ActionColumns::read(batch, "o_")?,
        })
    }

    fn sums(&self, row: usize) -> RoundSums {
        RoundSums {
            round: self.round.value(row),
            bouts: self.bouts.value(row),
            secs: self.secs.value(row),
            control_known_secs: self.control_known_secs.value(row),
            own: self.own.actions(row),
            opponent: self.opponent.actions(row),
        }
    }
}

macro_rules! action_columns {
    ($($name:ident),+ $(,)?) => {
        /// What one side did; the opponents' columns have a prefix.
        #[derive(Debug)]
        struct ActionColumns { $($name: CountColumn),+ }

        impl ActionColumns {
            fn read(batch: &RecordBatch, prefix: &str) -> Result<Self, DatasetError> {
                Ok(Self { $($name: CountColumn::read(batch, ROUNDS, &format!("{prefix}{}", stringify!($name)))?),+ })
            }

            fn actions(&self, row: usize) -> RoundActions {
                RoundActions { $($name: self.$name.value(row)),+ }
            }
        }
    };
}

action_columns! {
    knockdowns, sig_landed, sig_attempted, total_landed, td_landed, td_attempted, sub_attempts, control_secs,
}

#[derive(Debug)]
struct ProfileFinishes {
    rows: VersionRows,
    result: StringArray,
    method: StringArray,
    round: Int32Array,
    detail: StringArray,
    bouts: Int32Array,
}

impl ProfileFinishes {
    fn read(batch: &RecordBatch, fighters: &FighterTable) -> Result<Self, DatasetError> {
        let table = FinishProfilesReader::of(batch);
        Ok(Self {
            rows: VersionRows::of_rows(FINISHES, (table.fighter_id()?, table.version()?), fighters)?,
            result: column(batch, FINISHES, FinishProfilesRow::RESULT.name)?,
            method: column(batch, FINISHES, FinishProfilesRow::METHOD.name)?,
            round: column(batch, FINISHES, FinishProfilesRow::ROUND.name)?,
            detail: column(batch, FINISHES, FinishProfilesRow::DETAIL.name)?,
            bouts: column(batch, FINISHES, FinishProfilesRow::BOUTS.name)?,
        })
    }

    fn ending(&self, row: usize) -> FinishEnding<'_> {
        FinishEnding {
            result: self.result.value(row),
            method: self.method.value(row),
            round: self.round.value(row),
            detail: self.detail.value(row),
            bouts: self.bouts.value(row),
        }
    }
}

#[derive(Debug)]
struct FinishTimes {
    rows: VersionRows,
    result: StringArray,
    bouts: Int32Array,
    q1: Float64Array,
    median: Float64Array,
    q3: Float64Array,
}

impl FinishTimes {
    fn read(batch: &RecordBatch, fighters: &FighterTable) -> Result<Self, DatasetError> {
        let table = FinishTimesReader::of(batch);
        Ok(Self {
            rows: VersionRows::of_rows(TIMES, (table.fighter_id()?, table.version()?), fighters)?,
            result: column(batch, TIMES, FinishTimesRow::RESULT.name)?,
            bouts: column(batch, TIMES, FinishTimesRow::BOUTS.name)?,
            q1: column(batch, TIMES, FinishTimesRow::Q1_SECS.name)?,
            median: column(batch, TIMES, FinishTimesRow::MEDIAN_SECS.name)?,
            q3: column(batch, TIMES, FinishTimesRow::Q3_SECS.name)?,
        })
    }
}
