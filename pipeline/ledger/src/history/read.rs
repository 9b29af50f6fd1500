//! The history as the normalised tables and the DNA versions have it.

mod around;
mod results;
mod schedule;

use arrow::array::RecordBatch;
use fdna_schemas::{ColumnError, TableReader};

use super::{CaptureHistory, CaptureTime, IdAliases, LedgerHistory};
use crate::{StateField, StateValue};

/// Why a history could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("find table `{0}`")]
    Missing(&'static str),
    #[error("read what was told of a bout")]
    Column(#[from] ColumnError),
}

/// Tables that a history is made of, with the columns that it needs; all of them where none is named.
const READ: [(&str, &[&str]); 14] = [
    ("aliases", &IdAliases::COLUMNS),
    ("articles", &["slug", "status", "published_at", "first_seen_at"]),
    ("bout_listings", &[]),
    ("bouts", &[]),
    ("corrections", &["kind", "entity_id", "part", "field", "change", "old", "replaced_at"]),
    ("dna_versions", &["fighter_id", "valid_from", "last_bout_date"]),
    ("event_listings", &[]),
    ("events", &["event_id", "event_date"]),
    ("identities", &["kind", "entity_id", "source", "first_seen_at"]),
    ("mentions", &["item_kind", "item_id", "entity_kind", "entity_id"]),
    ("rankings", &["snapshot_date", "division", "rank", "fighter_id", "captured_at"]),
    ("results", &["bout_id", "outcome", "winner_id", "method"]),
    ("videos", &["video_id", "published_at", "first_seen_at"]),
    ("wire", &["wire_id", "published_at", "first_seen_at"]),
];

impl LedgerHistory {
    /// Tables to be given to [`Self::read`], by name, with the columns that are looked at; all, where none is named.
    pub fn tables() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
        READ.into_iter()
    }

    /// The history that these tables tell.
    ///
    /// # Errors
    /// A table or a column is missing.
    pub fn read<'a>(
        find: impl Fn(&str) -> Option<&'a RecordBatch>,
        taken: &[CaptureTime],
    ) -> Result<Self, ReadError> {
        let table = |name: &'static str| {
            find(name).map(|batch| TableReader::new(name, batch)).ok_or(ReadError::Missing(name))
        };
        let mut history = Self { captures: CaptureHistory::new(taken), ..Self::default() };
        history.aliases = IdAliases::read(&table("aliases")?)?;
        history.read_schedule(&table("event_listings")?, &table("bout_listings")?)?;
        let since = results::since(&table("identities")?)?;
        let bouts = results::bouts(&table("bouts")?)?;
        history.read_results(
            &results::ResultReader {
                bouts: &bouts,
                since: &since,
                results: &table("results")?,
                corrections: &table("corrections")?,
            },
            &table("events")?,
        )?;
        history.read_dna(&table("dna_versions")?, &bouts, &since)?;
        history.read_rankings(&table("rankings")?)?;
        history.read_items([&table("wire")?, &table("articles")?, &table("videos")?], &table("mentions")?)?;
        Ok(history.indexed())
    }
}

/// The values of these columns, row by row, as what is said of fields.
fn said<const N: usize>(
    columns: [(StateField, Vec<StateValue>); N],
    rows: usize,
) -> Vec<Vec<(StateField, StateValue)>> {
    let mut all = vec![Vec::new(); rows];
    for (field, values) in columns {
        for (said, value) in all.iter_mut().zip(values).filter(|(_, value)| !value.is_null()) {
            said.push((field, value));
        }
    }
    all
}

fn values<T: Into<StateValue>>(cells: Vec<Option<T>>) -> Vec<StateValue> {
    cells.into_iter().map(StateValue::from).collect()
}
