//! One row of the ledger as the interface says it.

use arrow::array::RecordBatch;
use chrono::DateTime;
use fdna_api::{
    CardShock, Id, IntelligenceBout, LedgerChange, LedgerMoment, LedgerResult, LedgerRow, LedgerSource,
    LedgerStart, LedgerState, Sides,
};
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{ContractReader as _, LedgerReader, LedgerRow as LedgerCells};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::dataset::columns::instant;

/// A row, cut out of its table.
pub(crate) struct LedgerRecord(pub(super) RecordBatch);

/// Why a row cannot be said.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RowError {
    #[error("cannot read a column of the ledger")]
    Column(#[from] ColumnError),
    #[error("the row is not in the ledger")]
    Gone,
    #[error("cannot read json in `ledger.{column}`")]
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

fn json<T: DeserializeOwned>(text: &str, column: &'static str) -> Result<T, RowError> {
    serde_json::from_str(text).map_err(|source| RowError::Json { column, source })
}

fn moment<'a>(cells: &LedgerCells<'a>) -> LedgerMoment<'a> {
    LedgerMoment {
        checkpoint: cells.checkpoint,
        sequence: cells.sequence,
        valid_at: instant(cells.valid_at),
        recorded_at: instant(cells.recorded_at),
        hours_to_start: cells.hours_to_start,
        scheduled_start: LedgerStart {
            value: cells.start_at.map(instant),
            date: cells.start_date.map(|day| day.to_string()),
            status: cells.start_status,
        },
    }
}

/// The row says `pending` of every bout without a result; of one that was called off there will be none.
fn result_status<'a>(cells: &LedgerCells<'a>) -> &'a str {
    let is_off = cells.bout_status == "cancelled";
    if is_off && cells.result_status == "pending" { "cancelled" } else { cells.result_status }
}

fn state<'a>(cells: &LedgerCells<'a>) -> LedgerState<'a> {
    LedgerState {
        bout_status: cells.bout_status,
        card_position: cells.card_position,
        bout_order: cells.bout_order,
        weight_class: cells.weight_class,
        scheduled_rounds: cells.scheduled_rounds,
        is_title: cells.is_title,
        fighter_a_id: Id(cells.fighter_a_id),
        fighter_b_id: Id(cells.fighter_b_id),
        replaced_bout_id: cells.replaced_bout_id.map(Id),
        short_notice_days: cells.short_notice_days,
        has_dna: Sides { a: cells.has_dna_a, b: cells.has_dna_b },
        dna_valid_from: Sides {
            a: cells.dna_valid_from_a.map(|day| day.to_string()),
            b: cells.dna_valid_from_b.map(|day| day.to_string()),
        },
        ranking: Sides { a: cells.ranking_a, b: cells.ranking_b },
        wire_count: cells.wire_count,
        article_count: cells.article_count,
        video_count: cells.video_count,
        result: LedgerResult {
            status: result_status(cells),
            outcome: cells.result_outcome,
            method: cells.result_method,
            winner_id: cells.result_winner_id.map(Id),
        },
    }
}

impl LedgerRecord {
    fn cells(&self) -> Result<LedgerCells<'_>, RowError> {
        LedgerReader::of(&self.0).all_rows()?.pop().ok_or(RowError::Gone)
    }

    pub(crate) fn said(&self) -> Result<LedgerRow<'_>, RowError> {
        let cells = self.cells()?;
        Ok(LedgerRow {
            ledger_id: Id(cells.ledger_id),
            bout_id: Id(cells.bout_id),
            event_id: Id(cells.event_id),
            moment: moment(&cells),
            state: state(&cells),
            sources: self.sources()?,
            state_digest: cells.state_digest,
            prev_digest: cells.prev_digest,
            row_digest: cells.row_digest,
            supersedes: cells.supersedes.map(Id),
            diff: self.diff()?,
            baseline: cells.is_baseline,
        })
    }

    /// The row as what is known now, with what changed since an earlier checkpoint.
    pub(crate) fn known(&self, diff: Vec<LedgerChange>) -> Result<IntelligenceBout<'_>, RowError> {
        let cells = self.cells()?;
        Ok(IntelligenceBout {
            bout_id: Id(cells.bout_id),
            moment: moment(&cells),
            state: state(&cells),
            sources: self.sources()?,
            diff,
            card_shock: CardShock::NOT_COMPUTED,
        })
    }

    pub(crate) fn diff(&self) -> Result<Vec<LedgerChange>, RowError> {
        let diff = LedgerReader::of(&self.0).diff()?.pop().ok_or(RowError::Gone)?;
        let mut changes: Vec<LedgerChange> = json(diff, LedgerCells::DIFF.name)?;
        for change in changes.iter_mut().filter(|change| change.path == "/scheduled_start/value") {
            [&mut change.from, &mut change.to].into_iter().for_each(restate);
        }
        Ok(changes)
    }

    pub(crate) fn sources(&self) -> Result<Vec<LedgerSource>, RowError> {
        let sources = LedgerReader::of(&self.0).sources()?.pop().ok_or(RowError::Gone)?;
        let mut sources: Vec<LedgerSource> = json(sources, LedgerCells::SOURCES.name)?;
        for checked_at in sources.iter_mut().filter_map(|source| source.checked_at.as_mut()) {
            *checked_at = restated(checked_at);
        }
        Ok(sources)
    }

    /// By which bouts of an event are ordered: the main event first, those that are off last.
    pub(crate) fn card_place(&self) -> Result<(bool, i32, usize), RowError> {
        const POSITIONS: [&str; 5] = ["main_event", "co_main", "main_card", "prelims", "early_prelims"];
        let cells = self.cells()?;
        let position = cells.card_position.and_then(|p| POSITIONS.iter().position(|name| *name == p));
        let order = cells.bout_order.map_or(i32::MAX, |order| -order);
        Ok((cells.bout_status == "cancelled", order, position.unwrap_or(POSITIONS.len())))
    }
}
