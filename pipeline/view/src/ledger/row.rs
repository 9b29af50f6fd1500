//! One row of the ledger as the interface says it.

use arrow::array::RecordBatch;
use chrono::DateTime;
use fdna_api::{
    CardShock, Id, IntelligenceBout, LedgerChange, LedgerMoment, LedgerResult, LedgerRow, LedgerSource,
    LedgerStart, LedgerState, Sides,
};
use fdna_schemas::{ColumnError, TableReader};
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::dataset::columns::instant;

/// A row, cut out of its table.
pub(crate) struct LedgerRecord(pub(super) RecordBatch);

/// Why a row cannot be said.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RowError {
    #[error("read a column of the ledger")]
    Column(#[from] ColumnError),
    #[error("read `ledger.{0}`: null where the contract allows none")]
    Null(&'static str),
    #[error("read json in `ledger.{column}`")]
    Json {
        column: &'static str,
        #[source]
        source: serde_json::Error,
    },
}

/// An instant that the ledger holds as text, to the millisecond as the digests have it, in the form of all answers.
/// Anything else stays what it is.
fn restated(text: &str) -> String {
    let at = DateTime::parse_from_rfc3339(text).ok();
    at.map_or_else(|| text.to_owned(), |at| instant(at.to_utc()))
}

/// The same of a cell that holds an instant.
fn restate(cell: &mut Value) {
    if let Value::String(text) = cell {
        *text = restated(text);
    }
}

/// The cells of one row.
struct LedgerCells<'a>(TableReader<'a>);

impl<'a> LedgerCells<'a> {
    fn text(&self, name: &'static str) -> Result<Option<&'a str>, RowError> {
        Ok(self.0.strings(name)?.into_iter().next().flatten())
    }

    fn word(&self, name: &'static str) -> Result<&'a str, RowError> {
        self.text(name)?.ok_or(RowError::Null(name))
    }

    fn int(&self, name: &'static str) -> Result<Option<i32>, RowError> {
        Ok(self.0.int32s(name)?.into_iter().next().flatten())
    }

    fn bool(&self, name: &'static str) -> Result<Option<bool>, RowError> {
        Ok(self.0.bools(name)?.into_iter().next().flatten())
    }

    fn float(&self, name: &'static str) -> Result<Option<f64>, RowError> {
        Ok(self.0.floats(name)?.into_iter().next().flatten())
    }

    fn date(&self, name: &'static str) -> Result<Option<String>, RowError> {
        Ok(self.0.dates(name)?.into_iter().next().flatten().map(|day| day.to_string()))
    }

    fn instant(&self, name: &'static str) -> Result<Option<String>, RowError> {
        Ok(self.0.instants(name)?.into_iter().next().flatten().map(instant))
    }

    fn maybe_id(&self, name: &'static str) -> Result<Option<Uuid>, RowError> {
        Ok(self.0.uuids(name)?.into_iter().next().flatten())
    }

    fn id(&self, name: &'static str) -> Result<Id, RowError> {
        self.maybe_id(name)?.map(Id).ok_or(RowError::Null(name))
    }

    fn json<T: DeserializeOwned>(&self, column: &'static str) -> Result<T, RowError> {
        serde_json::from_str(self.word(column)?).map_err(|source| RowError::Json { column, source })
    }

    fn start(&self) -> Result<LedgerStart<'a>, RowError> {
        let (value, date) = (self.instant("start_at")?, self.date("start_date")?);
        Ok(LedgerStart { value, date, status: self.word("start_status")? })
    }

    fn moment(&self) -> Result<LedgerMoment<'a>, RowError> {
        Ok(LedgerMoment {
            checkpoint: self.word("checkpoint")?,
            sequence: self.int("sequence")?.unwrap_or_default(),
            valid_at: self.instant("valid_at")?.unwrap_or_default(),
            recorded_at: self.instant("recorded_at")?.unwrap_or_default(),
            hours_to_start: self.float("hours_to_start")?,
            scheduled_start: self.start()?,
        })
    }

    /// The row says `pending` of every bout without a result; of one that was called off there will be none.
    fn result_status(&self) -> Result<&'a str, RowError> {
        let is_off = self.word("bout_status")? == "cancelled";
        let status = self.word("result_status")?;
        Ok(if is_off && status == "pending" { "cancelled" } else { status })
    }

    fn state(&self) -> Result<LedgerState<'a>, RowError> {
        let has_dna = |name| Ok::<_, RowError>(self.bool(name)?.unwrap_or_default());
        Ok(LedgerState {
            bout_status: self.word("bout_status")?,
            card_position: self.text("card_position")?,
            bout_order: self.int("bout_order")?,
            weight_class: self.text("weight_class")?,
            scheduled_rounds: self.int("scheduled_rounds")?,
            is_title: self.bool("is_title")?,
            fighter_a_id: self.id("fighter_a_id")?,
            fighter_b_id: self.id("fighter_b_id")?,
            replaced_bout_id: self.maybe_id("replaced_bout_id")?.map(Id),
            short_notice_days: self.int("short_notice_days")?,
            has_dna: Sides { a: has_dna("has_dna_a")?, b: has_dna("has_dna_b")? },
            dna_valid_from: Sides { a: self.date("dna_valid_from_a")?, b: self.date("dna_valid_from_b")? },
            ranking: Sides { a: self.int("ranking_a")?, b: self.int("ranking_b")? },
            wire_count: self.int("wire_count")?,
            article_count: self.int("article_count")?,
            video_count: self.int("video_count")?,
            result: LedgerResult {
                status: self.result_status()?,
                outcome: self.text("result_outcome")?,
                method: self.text("result_method")?,
                winner_id: self.maybe_id("result_winner_id")?.map(Id),
            },
        })
    }
}

impl LedgerRecord {
    fn cells(&self) -> LedgerCells<'_> {
        LedgerCells(TableReader::new("ledger", &self.0))
    }

    pub(crate) fn said(&self) -> Result<LedgerRow<'_>, RowError> {
        let cells = self.cells();
        Ok(LedgerRow {
            ledger_id: cells.id("ledger_id")?,
            bout_id: cells.id("bout_id")?,
            event_id: cells.id("event_id")?,
            moment: cells.moment()?,
            state: cells.state()?,
            sources: self.sources()?,
            state_digest: cells.word("state_digest")?,
            prev_digest: cells.word("prev_digest")?,
            row_digest: cells.word("row_digest")?,
            supersedes: cells.maybe_id("supersedes")?.map(Id),
            diff: self.diff()?,
            baseline: cells.bool("is_baseline")?.unwrap_or_default(),
        })
    }

    /// The row as what is known now, with what changed since an earlier checkpoint.
    pub(crate) fn known(&self, diff: Vec<LedgerChange>) -> Result<IntelligenceBout<'_>, RowError> {
        let cells = self.cells();
        Ok(IntelligenceBout {
            bout_id: cells.id("bout_id")?,
            moment: cells.moment()?,
            state: cells.state()?,
            sources: self.sources()?,
            diff,
            card_shock: CardShock::NOT_COMPUTED,
        })
    }

    pub(crate) fn diff(&self) -> Result<Vec<LedgerChange>, RowError> {
        let mut changes: Vec<LedgerChange> = self.cells().json("diff")?;
        for change in changes.iter_mut().filter(|change| change.path == "/scheduled_start/value") {
            [&mut change.from, &mut change.to].into_iter().for_each(restate);
        }
        Ok(changes)
    }

    pub(crate) fn sources(&self) -> Result<Vec<LedgerSource>, RowError> {
        let mut sources: Vec<LedgerSource> = self.cells().json("sources")?;
        for checked_at in sources.iter_mut().filter_map(|source| source.checked_at.as_mut()) {
            *checked_at = restated(checked_at);
        }
        Ok(sources)
    }

    /// By which bouts of an event are ordered: the main event first, those that are off last.
    pub(crate) fn card_place(&self) -> Result<(bool, i32, usize), RowError> {
        const POSITIONS: [&str; 5] = ["main_event", "co_main", "main_card", "prelims", "early_prelims"];
        let cells = self.cells();
        let position =
            cells.text("card_position")?.and_then(|p| POSITIONS.iter().position(|name| *name == p));
        let order = cells.int("bout_order")?.map_or(i32::MAX, |order| -order);
        Ok((cells.word("bout_status")? == "cancelled", order, position.unwrap_or(POSITIONS.len())))
    }
}
