//! Records to the columns of the facts tables. The writer comes with the place of every row.

use arrow::array::RecordBatch;
use fdna_schemas::{ColumnError, TableWriter};

use super::{
    BoutCorner, CardPosition, EventVenue, ScheduledBout, ScheduledEvent, ScheduledFighter, Status, Winner,
};

type WrittenTables = Result<RecordBatch, ColumnError>;

/// A writer of facts of one id space, with the rows that it takes.
struct ScheduleRows<'r, T>(&'r [&'r T]);

impl<'r, T> ScheduleRows<'r, T> {
    fn each<V>(&self, value: impl Fn(&'r T) -> V) -> Vec<V> {
        self.0.iter().copied().map(value).collect()
    }
}

pub(crate) fn events(writer: TableWriter<'_>, id_space: &str, rows: &[&ScheduledEvent]) -> WrittenTables {
    let rows = ScheduleRows(rows);
    writer
        .texts("id_space", rows.each(|_| id_space))
        .texts("event_source_id", rows.each(|e| &e.source_id))
        .texts("event", rows.each(|e| &e.name))
        .dates("event_date", rows.each(|e| e.date))
        .instants("start_at", rows.each(|e| e.start_at))
        .strings("venue", rows.each(|e| e.venue.name.as_deref()))
        .strings("city", rows.each(|e| e.venue.city.as_deref()))
        .strings("region", rows.each(|e| e.venue.region.as_deref()))
        .strings("country", rows.each(|e| e.venue.country.as_deref()))
        .strings("status", rows.each(|e| e.status.map(Status::name)))
        .strings("status_raw", rows.each(|e| e.status_raw.as_deref()))
        .strings("broadcast", rows.each(|e| e.broadcast.as_deref()))
        .int32s("listed_bouts", rows.each(|e| Some(e.listed_bouts)))
        .strings("unknown", rows.each(|e| e.unknown.as_deref()))
        .finish()
}

pub(crate) fn bouts(writer: TableWriter<'_>, id_space: &str, rows: &[&ScheduledBout]) -> WrittenTables {
    let rows = ScheduleRows(rows);
    let writer = writer
        .texts("id_space", rows.each(|_| id_space))
        .texts("event_source_id", rows.each(|b| &b.event))
        .strings("bout_source_id", rows.each(|b| b.source_id.as_deref()))
        .int32s("listed_at", rows.each(|b| Some(b.listed_at)))
        .int32s("bout_order", rows.each(|b| b.order))
        .strings("card_position", rows.each(|b| b.position.map(CardPosition::name)))
        .instants("start_at", rows.each(|b| b.start_at))
        .strings("weight_class_raw", rows.each(|b| b.weight_class.as_deref()))
        .int32s("weight_lbs", rows.each(|b| b.weight_lbs))
        .bools("is_title", rows.each(|b| b.is_title))
        .int32s("scheduled_rounds", rows.each(|b| b.rounds))
        .strings("status", rows.each(|b| b.status.map(Status::name)))
        .strings("status_raw", rows.each(|b| b.status_raw.as_deref()))
        .strings("winner", rows.each(|b| b.winner.map(Winner::name)))
        .strings("broadcast", rows.each(|b| b.broadcast.as_deref()))
        .strings("unknown", rows.each(|b| b.unknown.as_deref()));
    let writer = corner(writer, "first", &rows.each(|b| &b.corners[0]));
    corner(writer, "second", &rows.each(|b| &b.corners[1])).finish()
}

fn corner<'t>(writer: TableWriter<'t>, which: &str, rows: &[&BoutCorner]) -> TableWriter<'t> {
    let column = |name: &str| format!("{which}_{name}");
    let rows = ScheduleRows(rows);
    writer
        .strings(&column("source_id"), rows.each(|c| c.source_id.as_deref()))
        .strings(&column("name"), rows.each(|c| c.name.as_deref()))
        .int32s(&column("rank"), rows.each(|c| c.rank))
        .bools(&column("is_champion"), rows.each(|c| c.is_champion))
        .strings(&column("record"), rows.each(|c| c.record.as_deref()))
}

pub(crate) fn fighters(writer: TableWriter<'_>, id_space: &str, rows: &[&ScheduledFighter]) -> WrittenTables {
    let rows = ScheduleRows(rows);
    writer
        .texts("id_space", rows.each(|_| id_space))
        .texts("fighter_source_id", rows.each(|f| &f.source_id))
        .texts("name", rows.each(|f| &f.name))
        .strings("nickname", rows.each(|f| f.nickname.as_deref()))
        .dates("date_of_birth", rows.each(|f| f.date_of_birth))
        .floats("height_in", rows.each(|f| f.height_in))
        .floats("reach_in", rows.each(|f| f.reach_in))
        .strings("stance", rows.each(|f| f.stance.as_deref()))
        .strings("country", rows.each(|f| f.country.as_deref()))
        .strings("record", rows.each(|f| f.record.as_deref()))
        .strings("unknown", rows.each(|f| f.unknown.as_deref()))
        .finish()
}

pub(crate) fn venues(writer: TableWriter<'_>, id_space: &str, rows: &[&EventVenue]) -> WrittenTables {
    let rows = ScheduleRows(rows);
    writer
        .texts("id_space", rows.each(|_| id_space))
        .strings("venue_source_id", rows.each(|v| v.source_id.as_deref()))
        .strings("venue", rows.each(|v| v.name.as_deref()))
        .strings("city", rows.each(|v| v.city.as_deref()))
        .strings("region", rows.each(|v| v.region.as_deref()))
        .strings("country", rows.each(|v| v.country.as_deref()))
        .strings("unknown", rows.each(|v| v.unknown.as_deref()))
        .finish()
}
