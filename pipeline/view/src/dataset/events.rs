//! Events, newest first.

use arrow::array::{RecordBatch, StringArray, TimestampMillisecondArray};
use chrono::NaiveDate;
use fdna_api::{Event, EventCompact, PROMOTIONS, PreparedJson};
use fdna_schemas::tables::{ContractReader as _, EventsReader, EventsRow};
use uuid::Uuid;

use super::bouts::BoutTable;
use super::columns::with_later;
use super::ids::IdIndex;
use super::last_modified::LastModified;
use super::scheduled_start::scheduled_start;
use super::{DatasetError, Status, json};

/// An event, ready to be sent.
#[derive(Debug)]
pub(crate) struct EventRow {
    pub(crate) id: Uuid,
    pub(crate) date: NaiveDate,
    pub(crate) status: Status,
    pub(crate) promotion: Option<&'static str>,
    pub(crate) name: Box<str>,
    pub(crate) json: Box<[u8]>,
    pub(crate) compact: Box<[u8]>,
    /// Rows of its bouts, main event first.
    pub(crate) bouts: Vec<usize>,
}

impl EventRow {
    pub(crate) fn json(&self) -> PreparedJson<'_, Event<'_>> {
        PreparedJson::new(&*self.json)
    }
}

/// All events, newest first, ties by id.
#[derive(Debug)]
pub(crate) struct EventTable {
    pub(crate) rows: Vec<EventRow>,
    pub(crate) ids: IdIndex,
}

impl EventTable {
    pub(crate) fn read(batch: &RecordBatch, updated: &LastModified) -> Result<Self, DatasetError> {
        let batch = with_later(batch, EventsRow::START_AT, TimestampMillisecondArray::new_null)?;
        let date_only = |rows| StringArray::from(vec!["date_only"; rows]);
        let batch = with_later(&batch, EventsRow::START_STATUS, date_only)?;
        let rows = EventsReader::of(&batch).all_rows()?.into_iter();
        let mut events: Vec<_> = rows.map(|row| (row.event_date, wire(row, updated))).collect();
        events.sort_by(|(a_day, a), (b_day, b)| b_day.cmp(a_day).then(a.id.cmp(&b.id)));
        let mut ids = IdIndex::of_rows("events", events.iter().map(|(_, e)| e.id.0))?;
        let names: [fn(&Event<'_>) -> Option<String>; 2] =
            [|e| e.statsdb_id.map(str::to_owned), |e| e.feed_event_id.map(str::to_owned)];
        for name in names {
            for (row, (_, event)) in events.iter().enumerate() {
                name(event).iter().for_each(|text| ids.add_text(text, row));
            }
        }
        let rows = events.iter().map(|(date, event)| row(*date, event)).collect::<Result<_, _>>()?;
        Ok(Self { rows, ids })
    }

    /// Hangs the bouts on their events: highest place on the card first, unknown places last, and after them
    /// what was called off, for its old place may be another's.
    pub(crate) fn take_bouts(&mut self, bouts: &BoutTable) {
        for (row, bout) in bouts.rows.iter().enumerate() {
            self.rows[bout.event].bouts.push(row);
        }
        for event in &mut self.rows {
            event.bouts.sort_by_key(|&row| {
                let bout = &bouts.rows[row];
                (bout.status == Status::Off, std::cmp::Reverse(bout.order), bout.id)
            });
        }
    }
}

fn row(date: NaiveDate, event: &Event<'_>) -> Result<EventRow, DatasetError> {
    let compact = EventCompact {
        id: event.id,
        statsdb_id: event.statsdb_id,
        feed_event_id: event.feed_event_id,
        name: event.name,
        promotion: event.promotion,
        event_date: event.event_date.clone(),
        card_status: event.card_status,
        scheduled_start: event.scheduled_start.clone(),
    };
    Ok(EventRow {
        id: event.id.0,
        date,
        status: Status::of(event.card_status),
        promotion: event.promotion.and_then(known_promotion),
        name: event.name.into(),
        json: json(event)?,
        compact: json(&compact)?,
        bouts: Vec::new(),
    })
}

fn known_promotion(code: &str) -> Option<&'static str> {
    PROMOTIONS.iter().find(|word| **word == code).copied()
}

fn wire<'a>(row: EventsRow<'a>, updated: &LastModified) -> Event<'a> {
    Event {
        id: row.event_id.into(),
        statsdb_id: row.statsdb_id,
        feed_event_id: row.feed_event_id,
        name: row.name,
        promotion: row.promotion,
        event_date: row.event_date.to_string(),
        event_date_rule: row.event_date_rule,
        venue: row.venue,
        city: row.city,
        region: row.region,
        country: row.country,
        commission: row.commission,
        is_ppv: row.is_ppv,
        card_status: row.card_status,
        updated_at: updated.of(row.event_id),
        scheduled_start: scheduled_start(row.start_at, Some(row.start_status)),
    }
}
