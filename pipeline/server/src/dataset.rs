//! One loaded snapshot: rows as finished JSON, and indexes to find them.
//!
//! Everything that does not depend on a request is serialised here, once; answers are slices put
//! together. Metric columns stay Arrow columns and are formatted per request.

pub(crate) mod bouts;
pub(crate) mod catalogue;
pub(crate) mod columns;
pub(crate) mod dna;
pub(crate) mod events;
pub(crate) mod fighters;
pub(crate) mod ids;
pub(crate) mod profiles;
pub(crate) mod results;
pub(crate) mod splits;
pub(crate) mod stats;
mod status;
mod updated;
pub(crate) mod validity;

use arrow::array::RecordBatch;
use chrono::{Months, NaiveDate};
use fdna_schemas::ColumnError;
use serde::Serialize;
use uuid::Uuid;

pub(crate) use status::Status;

/// What the server needs to know of a snapshot beside its tables.
#[derive(Debug, Clone)]
pub struct SnapshotInfo {
    /// Id of the snapshot.
    pub id: String,
    /// Date of the last event with facts in it; `None` if there is none.
    pub facts_until: Option<NaiveDate>,
    /// Whether the data is made up.
    pub synthetic: bool,
}

/// The published tables that are served, under their contract names.
#[derive(Debug, Clone)]
pub struct SnapshotTables {
    pub events: RecordBatch,
    pub bouts: RecordBatch,
    pub fighters: RecordBatch,
    pub results: RecordBatch,
    pub round_stats: RecordBatch,
    pub scorecards: RecordBatch,
    pub identities: RecordBatch,
    pub corrections: RecordBatch,
    pub dna_versions: RecordBatch,
    pub splits: RecordBatch,
    pub round_profiles: RecordBatch,
    pub finish_profiles: RecordBatch,
    pub finish_times: RecordBatch,
    pub validity: RecordBatch,
}

/// Why a snapshot's tables cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// A column is missing or not what the contract says.
    #[error("read a column of the snapshot")]
    Column(#[from] ColumnError),
    /// A row names something that is not there.
    #[error("find the {what} {id} that a row of `{table}` names")]
    Dangling { table: &'static str, what: &'static str, id: Uuid },
    /// A key stands in two rows.
    #[error("load `{table}`: two rows with the id {id}")]
    Twice { table: &'static str, id: Uuid },
    /// A required value is null.
    #[error("read `{table}.{column}`: null where the contract allows none")]
    Null { table: &'static str, column: &'static str },
    /// A row cannot be written as JSON.
    #[error("write a row as json")]
    Json(#[from] serde_json::Error),
}

/// One loaded snapshot, complete and never changed.
#[derive(Debug)]
pub struct Dataset {
    pub(crate) info: SnapshotInfo,
    pub(crate) events: events::Events,
    pub(crate) bouts: bouts::Bouts,
    pub(crate) fighters: fighters::Fighters,
    pub(crate) dna: dna::DnaTable,
    pub(crate) splits: splits::Splits,
    pub(crate) profiles: profiles::Profiles,
    pub(crate) validity: Box<[u8]>,
    pub(crate) catalogue: catalogue::CatalogueJson,
}

impl Dataset {
    /// Indexes and serialises a snapshot's tables.
    ///
    /// # Errors
    /// The tables do not follow their contracts or do not fit together: nothing of them is served then.
    pub fn build(info: SnapshotInfo, tables: &SnapshotTables) -> Result<Self, DatasetError> {
        let updated = updated::Updated::read(&tables.identities, &tables.corrections)?;
        let mut events = events::Events::read(&tables.events, &updated)?;
        let pairings = bouts::Pairings::read(&tables.bouts)?;
        let fighters = fighters::read(&tables.fighters, &pairings, &updated, active_since(&info))?;
        let results = results::read(&tables.results, &tables.scorecards, &pairings)?;
        let stats = stats::read(&tables.round_stats, &info.id, &pairings)?;
        let mut bouts = bouts::Bouts::build(&tables.bouts, &pairings, &events, &fighters, results, stats)?;
        events.take_bouts(&bouts);
        let mut fighters = fighters::Fighters::build(fighters, &bouts)?;
        let dna = dna::DnaTable::read(&tables.dna_versions, &fighters)?;
        let splits = splits::Splits::read(&tables.splits, &fighters)?;
        let profiles = profiles::Profiles::read(tables, &fighters)?;
        let measured = validity::Measured::read(&tables.validity)?;
        let validity = json(&validity::wire(&measured))?;
        let catalogue = catalogue::CatalogueJson::build(&measured)?;
        ids::add_sources(&tables.identities, &mut events.ids, &mut bouts.ids, &mut fighters.ids)?;
        Ok(Self { info, events, bouts, fighters, dna, splits, profiles, validity, catalogue })
    }

    /// Id of the snapshot.
    #[must_use]
    pub fn snapshot_id(&self) -> &str {
        &self.info.id
    }
}

/// First day of the 36 calendar months that make a fighter active.
fn active_since(info: &SnapshotInfo) -> Option<NaiveDate> {
    info.facts_until.and_then(|day| day.checked_sub_months(Months::new(36)))
}

/// A value as JSON.
pub(crate) fn json<T: Serialize>(value: &T) -> Result<Box<[u8]>, serde_json::Error> {
    serde_json::to_vec(value).map(Vec::into_boxed_slice)
}

/// A value of a column that the contract never leaves null.
pub(crate) fn never_null<T>(
    value: Option<T>,
    table: &'static str,
    column: &'static str,
) -> Result<T, DatasetError> {
    value.ok_or(DatasetError::Null { table, column })
}
