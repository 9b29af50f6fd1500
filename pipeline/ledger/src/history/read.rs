//! The history as the normalised tables and the DNA versions have it.

mod around;
mod results;
mod schedule;

use arrow::array::RecordBatch;
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{
    AliasesRow, ArticlesRow, BoutListingsRow, BoutsRow, ContractReader, ContractRow as _, CorrectionsRow,
    DnaVersionsRow, EventListingsRow, EventsRow, IdentitiesRow, MentionsRow, RankingsRow, ResultsRow,
    VideosRow, WireRow,
};

use super::{CaptureHistory, CaptureTime, IdAliases, LedgerHistory};
use crate::{StateField, StateValue};

/// Why a history could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("no table `{0}`")]
    Missing(&'static str),
    #[error("cannot read the history of a bout")]
    Column(#[from] ColumnError),
}

/// A table with the columns of it that are needed.
macro_rules! needed {
    ($row:ident: $($column:ident)*) => { ($row::TABLE, &[$($row::$column.name),*]) };
}

/// Tables that a history is made of, with the columns that it needs; all of them where none is named.
const READ: [(&str, &[&str]); 14] = [
    (AliasesRow::TABLE, &IdAliases::COLUMNS),
    needed!(ArticlesRow: SLUG STATUS PUBLISHED_AT FIRST_SEEN_AT),
    needed!(BoutListingsRow:),
    needed!(BoutsRow:),
    needed!(CorrectionsRow: KIND ENTITY_ID PART FIELD CHANGE OLD REPLACED_AT),
    needed!(DnaVersionsRow: FIGHTER_ID VALID_FROM LAST_BOUT_DATE),
    needed!(EventListingsRow:),
    needed!(EventsRow: EVENT_ID EVENT_DATE),
    needed!(IdentitiesRow: KIND ENTITY_ID SOURCE FIRST_SEEN_AT),
    needed!(MentionsRow: ITEM_KIND ITEM_ID ENTITY_KIND ENTITY_ID),
    needed!(RankingsRow: SNAPSHOT_DATE DIVISION RANK FIGHTER_ID CAPTURED_AT),
    needed!(ResultsRow: BOUT_ID OUTCOME WINNER_ID METHOD),
    needed!(VideosRow: VIDEO_ID PUBLISHED_AT FIRST_SEEN_AT),
    needed!(WireRow: WIRE_ID PUBLISHED_AT FIRST_SEEN_AT),
];

impl LedgerHistory {
    /// Tables to be given to [`Self::read_history`], by name, with the columns that are looked at; all, where none is named.
    pub fn required_tables() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
        READ.into_iter()
    }

    /// The history that these tables tell.
    ///
    /// # Errors
    /// A table or a column is missing.
    pub fn read_history<'a>(
        find: impl Fn(&str) -> Option<&'a RecordBatch>,
        taken: &[CaptureTime],
    ) -> Result<Self, ReadError> {
        let find = &find;
        let mut history = Self { captures: CaptureHistory::new(taken), ..Self::default() };
        history.aliases = IdAliases::read_aliases(read_table(find)?)?;
        history.read_events(read_table(find)?)?;
        history.read_bouts(read_table(find)?)?;
        let since = results::first_captured(read_table(find)?)?;
        let bouts = results::read_bouts(read_table(find)?)?;
        let read = results::ResultReader {
            bouts: &bouts,
            since: &since,
            results: read_table(find)?,
            corrections: read_table(find)?,
        };
        history.read_results(&read, read_table(find)?)?;
        history.read_dna(read_table(find)?, &bouts, &since)?;
        history.read_rankings(read_table(find)?)?;
        history.read_items(read_table(find)?, read_table(find)?, read_table(find)?, read_table(find)?)?;
        Ok(history.index_events())
    }
}

/// The table that `R` reads.
fn read_table<'a, R: ContractReader<'a>>(
    find: &impl Fn(&str) -> Option<&'a RecordBatch>,
) -> Result<R, ReadError> {
    find(R::TABLE).map(R::of).ok_or(ReadError::Missing(R::TABLE))
}

/// The fields that these values state: none where one is null.
fn stated_fields<const N: usize>(values: [(StateField, StateValue); N]) -> Vec<(StateField, StateValue)> {
    values.into_iter().filter(|(_, value)| !value.is_null()).collect()
}
