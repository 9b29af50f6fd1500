//! Rows as the table `ledger` of its contract, and back.

use std::str::FromStr;

use arrow::array::RecordBatch;
use chrono::{DateTime, NaiveDate, Utc};
use fdna_schemas::tables::{ContractReader as _, ContractRow as _, LedgerReader, LedgerRow};
use fdna_schemas::{ColumnError, ColumnType, TableError, TableWriter, Tables};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::entry::{LedgerEntry, to_json};
use crate::{BoutState, ChangeCause, SourceStatus, StateChange, StateField, StateValue};

/// Why rows could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TableFault {
    #[error("no contract for the ledger")]
    Contract(#[from] TableError),
    #[error("cannot read or build the ledger")]
    Column(#[from] ColumnError),
    #[error("column `{column}` of the ledger's row {row} cannot be `{text}`")]
    Cell { row: usize, column: &'static str, text: String },
}

/// The rows as a table; `first` is the place of the first of them, from 1.
///
/// # Errors
/// The contract is another than that of this code.
pub fn to_table(entries: &[LedgerEntry], first: i64) -> Result<RecordBatch, TableFault> {
    let each = || entries.iter();
    let ids = |of: fn(&LedgerEntry) -> Uuid| each().map(move |entry| Some(of(entry)));
    let writer = TableWriter::new(Tables::get().table(LedgerRow::TABLE)?)
        .int64s(LedgerRow::PLACE.name, (first..).take(entries.len()).map(Some))
        .uuids(LedgerRow::LEDGER_ID.name, ids(|e| e.ledger_id))
        .uuids(LedgerRow::BOUT_ID.name, ids(|e| e.bout_id))
        .uuids(LedgerRow::EVENT_ID.name, ids(|e| e.event_id))
        .texts(LedgerRow::CHECKPOINT.name, each().map(|e| e.checkpoint.to_string()))
        .int32s(LedgerRow::SEQUENCE.name, each().map(|e| Some(e.sequence)))
        .instants(LedgerRow::VALID_AT.name, each().map(|e| Some(e.valid_at)))
        .instants(LedgerRow::RECORDED_AT.name, each().map(|e| Some(e.recorded_at)))
        .floats(LedgerRow::HOURS_TO_START.name, each().map(|e| e.hours_to_start))
        .texts(LedgerRow::SOURCES.name, each().map(|e| to_json(&e.sources)))
        .texts(LedgerRow::DIFF.name, each().map(|e| to_json(&e.diff)))
        .bools(LedgerRow::IS_BASELINE.name, each().map(|e| Some(e.is_baseline)))
        .uuids(LedgerRow::SUPERSEDES.name, each().map(|e| e.supersedes))
        .texts(LedgerRow::STATE_DIGEST.name, each().map(|e| &e.state_digest))
        .texts(LedgerRow::PREV_DIGEST.name, each().map(|e| &e.prev_digest))
        .texts(LedgerRow::ROW_DIGEST.name, each().map(|e| &e.row_digest));
    Ok(StateField::ALL
        .into_iter()
        .fold(writer, |writer, field| write_field(writer, field, entries))
        .finish()?)
}

impl StateField {
    /// Type of its column.
    fn column_type(self) -> Option<ColumnType> {
        let table = Tables::get().table(LedgerRow::TABLE).ok()?;
        table.columns.get(self.place_in_row().place).map(|column| column.kind)
    }

    /// A value as text, as the ledger and `corrections` write it; `None` if it does not belong to this field.
    pub(crate) fn parse_value(self, text: &str) -> Option<StateValue> {
        Some(match self.column_type()? {
            ColumnType::Bool => text.parse::<bool>().ok()?.into(),
            ColumnType::Int32 => text.parse::<i32>().ok()?.into(),
            ColumnType::Date => text.parse::<NaiveDate>().ok()?.into(),
            ColumnType::Instant => text.parse::<DateTime<Utc>>().ok()?.into(),
            ColumnType::Uuid => text.parse::<Uuid>().ok()?.into(),
            _ => text.into(),
        })
    }
}

fn write_field<'a>(writer: TableWriter<'a>, field: StateField, entries: &[LedgerEntry]) -> TableWriter<'a> {
    let (name, values) = (field.column_name(), || entries.iter().map(|entry| entry.state.get(field)));
    match field.column_type() {
        Some(ColumnType::Uuid) => writer.uuids(name, values().map(StateValue::as_id)),
        Some(ColumnType::Date) => writer.dates(name, values().map(StateValue::as_date)),
        Some(ColumnType::Instant) => writer.instants(name, values().map(StateValue::as_instant)),
        Some(ColumnType::Int32) => writer
            .int32s(name, values().map(|value| if let StateValue::Int(n) = value { Some(*n) } else { None })),
        Some(ColumnType::Bool) => writer.bools(
            name,
            values().map(|value| if let StateValue::Bool(is) = value { Some(*is) } else { None }),
        ),
        _ => writer.strings(name, values().map(StateValue::as_text)),
    }
}

/// The rows of a table, in its order.
///
/// # Errors
/// It is not of this contract, or a cell holds what the ledger never writes.
pub fn from_table(batch: &RecordBatch) -> Result<Vec<LedgerEntry>, TableFault> {
    LedgerReader::of(batch).all_rows()?.iter().enumerate().map(parse_entry).collect()
}

fn parse_entry((place, row): (usize, &LedgerRow<'_>)) -> Result<LedgerEntry, TableFault> {
    let bad = |column, text: &str| TableFault::Cell { row: place + 1, column, text: text.to_owned() };
    Ok(LedgerEntry {
        ledger_id: row.ledger_id,
        bout_id: row.bout_id,
        event_id: row.event_id,
        checkpoint: row.checkpoint.parse().map_err(|_| bad("checkpoint", row.checkpoint))?,
        sequence: row.sequence,
        valid_at: row.valid_at,
        recorded_at: row.recorded_at,
        hours_to_start: row.hours_to_start,
        state: parse_state(row),
        sources: read_sources(row.sources).ok_or_else(|| bad("sources", row.sources))?,
        diff: read_diff(row.diff).ok_or_else(|| bad("diff", row.diff))?,
        is_baseline: row.is_baseline,
        supersedes: row.supersedes,
        state_digest: row.state_digest.to_owned(),
        prev_digest: row.prev_digest.to_owned(),
        row_digest: row.row_digest.to_owned(),
    })
}

fn parse_state(row: &LedgerRow<'_>) -> BoutState {
    let (mut state, values) = (BoutState::default(), row.values());
    for field in StateField::ALL {
        state.set(field, values[field.place_in_row().place]);
    }
    state
}

fn read_sources(text: &str) -> Option<Vec<SourceStatus>> {
    let Json::Array(list) = serde_json::from_str(text).ok()? else { return None };
    let text = |object: &Json, name: &str| Some(object.get(name)?.as_str()?.to_owned());
    let source = |object: Json| {
        Some(SourceStatus {
            name: text(&object, "name")?,
            status: text(&object, "status")?,
            reason: text(&object, "reason"),
            checked_at: object.get("checked_at").and_then(Json::as_str).map(str::parse).transpose().ok()?,
        })
    };
    list.into_iter().map(source).collect()
}

fn read_diff(text: &str) -> Option<Vec<StateChange>> {
    let Json::Array(list) = serde_json::from_str(text).ok()? else { return None };
    let change = |object: Json| {
        let path = StateField::of_path(object.get("path")?.as_str()?)?;
        Some(StateChange {
            path,
            from: read_value(path, object.get("from")?)?,
            to: read_value(path, object.get("to")?)?,
            cause: ChangeCause::from_str(object.get("cause")?.as_str()?).ok()?,
            source: object.get("source").and_then(Json::as_str).map(str::to_owned),
        })
    };
    list.into_iter().map(change).collect()
}

/// A value of a field as JSON has it: numbers and truth by themselves, everything else as text.
fn read_value(field: StateField, value: &Json) -> Option<StateValue> {
    match (field.column_type()?, value) {
        (_, Json::Null) => Some(StateValue::Null),
        (ColumnType::Bool, Json::Bool(is)) => Some((*is).into()),
        (ColumnType::Int32, Json::Number(n)) => Some(i32::try_from(n.as_i64()?).ok()?.into()),
        (ColumnType::Bool | ColumnType::Int32, _) => None,
        (_, text) => field.parse_value(text.as_str()?),
    }
}
