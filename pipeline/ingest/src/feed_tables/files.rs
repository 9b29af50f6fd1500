//! One reader per file: what a row must have, and what it becomes.

use std::collections::{HashMap, HashSet};

use chrono::NaiveTime;
use fdna_model::FindingKind;
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{
    ContractRow as _, ScheduleBoutsRow, ScheduleEventsRow, ScheduleFightersRow, ScheduleVenuesRow,
};

use crate::layout::{AcceptedRow, FileLines, FileRows};
use crate::parse;
use crate::row::{CsvRow, RowError};
use crate::schedule::{
    self, BoutCorner, CardPosition, EventVenue, FEED, ScheduledBout, ScheduledEvent, ScheduledFighter, Winner,
};

/// What the files read so far tell about the next ones: events name venues, bouts name fighters, and an event's
/// bouts are counted.
#[derive(Default)]
pub(super) struct FeedTablesCapture {
    venues: HashMap<String, EventVenue>,
    fighters: HashMap<String, String>,
    /// Ids that stand for a fighter who is not known yet.
    nobody: HashSet<String>,
    listed: HashMap<String, i32>,
}

fn text(row: &CsvRow<'_>, name: &str) -> Option<String> {
    row.optional(name).map(str::to_owned)
}

fn id(row: &CsvRow<'_>, name: &str) -> Result<String, RowError> {
    row.read(name, |text| parse::feed_id(text).map(str::to_owned))
}

impl FeedTablesCapture {
    /// Reads the rows of the file that feeds `table`.
    pub(super) fn read(&mut self, name: &str, lines: &FileLines<'_>) -> FileRows {
        match name {
            ScheduleVenuesRow::TABLE => self.read_venues(lines),
            ScheduleFightersRow::TABLE => self.read_fighters(lines),
            ScheduleBoutsRow::TABLE => self.read_bouts(lines),
            ScheduleEventsRow::TABLE => self.read_events(lines),
            other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
        }
    }

    fn read_venues(&mut self, lines: &FileLines<'_>) -> FileRows {
        let (rows, refused) = lines.read(|row, seen, at| {
            let id = id(row, "id")?;
            seen.check(&id, at)?;
            venue(row, id)
        });
        let batch = lines.table_of(&rows, |to, at, row| schedule::push_venue(to, FEED, at, row))?;
        let by_id = |row: AcceptedRow<EventVenue>| Some((row.value.source_id.clone()?, row.value));
        self.venues = rows.into_iter().filter_map(by_id).collect();
        Ok((batch, refused))
    }

    fn read_fighters(&mut self, lines: &FileLines<'_>) -> FileRows {
        let (rows, refused) = lines.read(|row, seen, at| {
            let id = id(row, "id")?;
            seen.check(&id, at)?;
            if let Some(name) = row.optional("name").filter(|name| schedule::stands_for_nobody(name)) {
                self.nobody.insert(id);
                let reason = format!("`{name}` stands for nobody");
                return Err(RowError::note(FindingKind::UnknownFighter, reason));
            }
            fighter(row, id)
        });
        let batch = lines.table_of(&rows, |to, at, row| schedule::push_fighter(to, FEED, at, row))?;
        self.fighters = rows.into_iter().map(|row| (row.value.source_id, row.value.name)).collect();
        Ok((batch, refused))
    }

    fn read_bouts(&mut self, lines: &FileLines<'_>) -> FileRows {
        let (mut rows, refused) = lines.read(|row, seen, at| {
            let event = id(row, "event_id")?;
            // A bout that is set aside has its place in the list all the same.
            let listed = self.listed.entry(event.clone()).or_default();
            *listed += 1;
            let listed_at = *listed;
            let id = id(row, "id")?;
            seen.check(&id, at)?;
            Ok(ScheduledBout { event, source_id: Some(id), listed_at, ..self.bout(row)? })
        });
        for bouts in schedule::by_event(rows.iter_mut().map(|row| &mut row.value)).values_mut() {
            schedule::name_top_bouts(bouts);
        }
        Ok((lines.table_of(&rows, |to, at, row| schedule::push_bout(to, FEED, at, row))?, refused))
    }

    fn bout(&self, row: &CsvRow<'_>) -> Result<ScheduledBout, RowError> {
        let ids = [id(row, "fighter_1_id")?, id(row, "fighter_2_id")?];
        let winner = winner(row, &ids)?;
        let order = row.read("bout_order", parse::whole)?;
        let position = row.read_optional("card_segment", CardPosition::of_segment)?;
        Ok(ScheduledBout {
            order: Some(order),
            position,
            corners: ids.map(|id| self.corner(id)),
            winner,
            unknown: row.unknown(),
            ..ScheduledBout::default()
        })
    }

    fn corner(&self, id: String) -> BoutCorner {
        if self.nobody.contains(&id) {
            return BoutCorner::default();
        }
        BoutCorner { name: self.fighters.get(&id).cloned(), source_id: Some(id), ..BoutCorner::default() }
    }

    fn read_events(&mut self, lines: &FileLines<'_>) -> FileRows {
        let (rows, refused) = lines.read(|row, seen, at| {
            let id = id(row, "id")?;
            seen.check(&id, at)?;
            self.event(row, id)
        });
        Ok((lines.table_of(&rows, |to, at, row| schedule::push_event(to, FEED, at, row))?, refused))
    }

    fn event(&self, row: &CsvRow<'_>, id_of_event: String) -> Result<ScheduledEvent, RowError> {
        let date = row.read("date", parse::iso_date)?;
        let hour = row.read_optional("hour_utc", hour)?;
        let venue = row.read_optional("venue_id", |id| parse::feed_id(id).map(str::to_owned))?;
        Ok(ScheduledEvent {
            name: row.required("name")?.to_owned(),
            date: Some(date),
            start_at: hour.map(|hour| date.and_time(hour).and_utc()),
            venue: venue.and_then(|id| self.venues.get(&id)).cloned().unwrap_or_default(),
            listed_bouts: self.listed.get(&id_of_event).copied().unwrap_or(0),
            unknown: row.unknown(),
            source_id: id_of_event,
            ..ScheduledEvent::default()
        })
    }
}

fn hour(text: &str) -> Option<NaiveTime> {
    NaiveTime::from_hms_opt(u32::try_from(parse::whole(text)?).ok()?, 0, 0)
}

fn venue(row: &CsvRow<'_>, id: String) -> Result<EventVenue, RowError> {
    Ok(EventVenue {
        source_id: Some(id),
        name: Some(row.required("name")?.to_owned()),
        city: text(row, "city"),
        region: text(row, "state"),
        country: text(row, "country"),
        unknown: row.unknown(),
    })
}

fn fighter(row: &CsvRow<'_>, id: String) -> Result<ScheduledFighter, RowError> {
    Ok(ScheduledFighter {
        source_id: id,
        name: row.required("name")?.to_owned(),
        nickname: text(row, "nickname"),
        date_of_birth: row.read_optional("date_of_birth", parse::iso_date)?,
        height_in: row.read_optional("height_inches", parse::height_inches)?,
        reach_in: row.read_optional("reach_inches", parse::reach_inches)?,
        stance: text(row, "stance"),
        country: text(row, "nationality"),
        unknown: row.unknown(),
        ..ScheduledFighter::default()
    })
}

/// No winner is no statement: it may be a draw, a no contest, or a result that is not there yet.
fn winner(row: &CsvRow<'_>, ids: &[String; 2]) -> Result<Option<Winner>, RowError> {
    let Some(winner) = row.optional("winner_id") else { return Ok(None) };
    match ids.iter().position(|id| id == winner) {
        Some(0) => Ok(Some(Winner::First)),
        Some(_) => Ok(Some(Winner::Second)),
        None => {
            let reason = format!("`winner_id` is `{winner}`, who is none of the two");
            Err(RowError::new(FindingKind::Contradiction, reason))
        }
    }
}
