//! Rows as the table `ledger` of its contract, and back.

use std::str::FromStr;

use arrow::array::RecordBatch;
use chrono::{DateTime, NaiveDate, Utc};
use fdna_schemas::{ColumnError, ColumnType, TableError, TableReader, TableWriter, Tables};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::entry::{LedgerEntry, json};
use crate::{BoutState, ChangeCause, SourceStatus, StateChange, StateField, StateValue};

const LEDGER: &str = "ledger";

/// Why rows could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TableFault {
    #[error("find the contract of the ledger")]
    Contract(#[from] TableError),
    #[error("read or build the ledger")]
    Column(#[from] ColumnError),
    #[error("read column `{column}` of the ledger's row {row}: `{text}`")]
    Cell { row: usize, column: &'static str, text: String },
}

/// The rows as a table; `first` is the place of the first of them, from 1.
///
/// # Errors
/// The contract is another than that of this code.
pub fn to_table(entries: &[LedgerEntry], first: i64) -> Result<RecordBatch, TableFault> {
    let each = || entries.iter();
    let ids = |of: fn(&LedgerEntry) -> Uuid| each().map(move |entry| Some(of(entry)));
    let writer = TableWriter::new(Tables::get().table(LEDGER)?)
        .int64s("place", (first..).take(entries.len()).map(Some))
        .uuids("ledger_id", ids(|e| e.ledger_id))
        .uuids("bout_id", ids(|e| e.bout_id))
        .uuids("event_id", ids(|e| e.event_id))
        .texts("checkpoint", each().map(|e| e.checkpoint.to_string()))
        .int32s("sequence", each().map(|e| Some(e.sequence)))
        .instants("valid_at", each().map(|e| Some(e.valid_at)))
        .instants("recorded_at", each().map(|e| Some(e.recorded_at)))
        .floats("hours_to_start", each().map(|e| e.hours_to_start))
        .texts("sources", each().map(|e| json(&e.sources)))
        .texts("diff", each().map(|e| json(&e.diff)))
        .bools("is_baseline", each().map(|e| Some(e.is_baseline)))
        .uuids("supersedes", each().map(|e| e.supersedes))
        .texts("state_digest", each().map(|e| &e.state_digest))
        .texts("prev_digest", each().map(|e| &e.prev_digest))
        .texts("row_digest", each().map(|e| &e.row_digest));
    Ok(StateField::ALL
        .into_iter()
        .fold(writer, |writer, field| write_field(writer, field, entries))
        .finish()?)
}

impl StateField {
    /// Type of its column.
    fn kind(self) -> Option<ColumnType> {
        let table = Tables::get().table(LEDGER).ok()?;
        table.place(self.column()).map(|place| table.columns[place].kind)
    }

    /// A value as text, as the ledger and `corrections` write it; `None` for what is none of this field.
    pub(crate) fn parse(self, text: &str) -> Option<StateValue> {
        Some(match self.kind()? {
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
    let (name, values) = (field.column(), || entries.iter().map(|entry| entry.state.get(field)));
    match field.kind() {
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
    let r = TableReader::new(LEDGER, batch);
    let states = states(&r)?;
    let (ids, bouts, events) = (r.ids("ledger_id")?, r.ids("bout_id")?, r.ids("event_id")?);
    let (checkpoints, sequences) = (r.texts("checkpoint")?, r.counts("sequence")?);
    let (valid, recorded) = (r.instants("valid_at")?, r.instants("recorded_at")?);
    let (hours, baselines) = (r.floats("hours_to_start")?, r.bools("is_baseline")?);
    let (sources, diffs) = (r.texts("sources")?, r.texts("diff")?);
    let supersedes = r.uuids("supersedes")?;
    let digests = ["state_digest", "prev_digest", "row_digest"].map(|name| r.texts(name));
    let [of_state, prev, of_row] = digests;
    let (of_state, prev, of_row) = (of_state?, prev?, of_row?);
    let entry = |(row, state): (usize, BoutState)| {
        let bad = |column, text: &str| TableFault::Cell { row: row + 1, column, text: text.to_owned() };
        Ok(LedgerEntry {
            ledger_id: ids[row],
            bout_id: bouts[row],
            event_id: events[row],
            checkpoint: checkpoints[row].parse().map_err(|_| bad("checkpoint", checkpoints[row]))?,
            sequence: sequences[row],
            valid_at: valid[row].ok_or_else(|| bad("valid_at", "null"))?,
            recorded_at: recorded[row].ok_or_else(|| bad("recorded_at", "null"))?,
            hours_to_start: hours[row],
            state,
            sources: read_sources(sources[row]).ok_or_else(|| bad("sources", sources[row]))?,
            diff: read_diff(diffs[row]).ok_or_else(|| bad("diff", diffs[row]))?,
            is_baseline: baselines[row].ok_or_else(|| bad("is_baseline", "null"))?,
            supersedes: supersedes[row],
            state_digest: of_state[row].to_owned(),
            prev_digest: prev[row].to_owned(),
            row_digest: of_row[row].to_owned(),
        })
    };
    states.into_iter().enumerate().map(entry).collect()
}

fn states(r: &TableReader<'_>) -> Result<Vec<BoutState>, TableFault> {
    let mut states = vec![BoutState::default(); r.rows()];
    for field in StateField::ALL {
        for (state, value) in states.iter_mut().zip(cells(r, field)?) {
            state.set(field, value);
        }
    }
    Ok(states)
}

/// A field's values of every row.
fn cells(r: &TableReader<'_>, field: StateField) -> Result<Vec<StateValue>, ColumnError> {
    fn values<T: Into<StateValue>>(cells: Vec<Option<T>>) -> Vec<StateValue> {
        cells.into_iter().map(StateValue::from).collect()
    }
    let name = field.column();
    Ok(match field.kind() {
        Some(ColumnType::Uuid) => values(r.uuids(name)?),
        Some(ColumnType::Date) => values(r.dates(name)?),
        Some(ColumnType::Instant) => values(r.instants(name)?),
        Some(ColumnType::Int32) => values(r.int32s(name)?),
        Some(ColumnType::Bool) => values(r.bools(name)?),
        _ => values(r.strings(name)?),
    })
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
    match (field.kind()?, value) {
        (_, Json::Null) => Some(StateValue::Null),
        (ColumnType::Bool, Json::Bool(is)) => Some((*is).into()),
        (ColumnType::Int32, Json::Number(n)) => Some(i32::try_from(n.as_i64()?).ok()?.into()),
        (ColumnType::Bool | ColumnType::Int32, _) => None,
        (_, text) => field.parse(text.as_str()?),
    }
}
