//! One reader per file: what a row must have, and what it becomes.

use std::collections::{HashMap, HashSet};

use chrono::NaiveTime;
use fdna_model::FindingKind;
use fdna_schemas::{ColumnError, Table};

use crate::layout::{Kept, Lines, Read};
use crate::parse;
use crate::row::{Refusal, Row};
use crate::schedule::{self, Bout, CardPosition, Corner, Event, FEED, Fighter, Venue, Winner};

/// What the files read so far tell about the next ones: events name venues, bouts name fighters, and an event's
/// bouts are counted.
#[derive(Default)]
pub(super) struct Capture {
    venues: HashMap<String, Venue>,
    fighters: HashMap<String, String>,
    /// Ids that stand for a fighter who is not known yet.
    nobody: HashSet<String>,
    listed: HashMap<String, i32>,
}

/// What the feed calls a fighter who is not known yet; it has an id, which is nobody's.
const TO_BE_ANNOUNCED: &str = "TBA";

fn values<T>(rows: &[Kept<T>]) -> Vec<&T> {
    rows.iter().map(|row| &row.value).collect()
}

fn text(row: &Row<'_>, name: &str) -> Option<String> {
    row.optional(name).map(str::to_owned)
}

fn id(row: &Row<'_>, name: &str) -> Result<String, Refusal> {
    row.read(name, |text| parse::feed_id(text).map(str::to_owned))
}

impl Capture {
    /// Reads the rows of the file that feeds `table`.
    pub(super) fn read(&mut self, name: &str, table: &Table, lines: &Lines<'_>) -> Read {
        match name {
            "schedule_venues" => self.venues(table, lines),
            "schedule_fighters" => self.fighters(table, lines),
            "schedule_bouts" => self.bouts(table, lines),
            "schedule_events" => self.events(table, lines),
            other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
        }
    }

    fn venues(&mut self, table: &Table, lines: &Lines<'_>) -> Read {
        let (rows, refused) = lines.read(|row, seen, line, digest| {
            let id = id(row, "id")?;
            seen.check(&id, line, digest)?;
            venue(row, id)
        });
        let batch = schedule::venues(lines.writer(table, &rows), FEED, &values(&rows))?;
        let by_id = |row: Kept<Venue>| Some((row.value.source_id.clone()?, row.value));
        self.venues = rows.into_iter().filter_map(by_id).collect();
        Ok((batch, refused))
    }

    fn fighters(&mut self, table: &Table, lines: &Lines<'_>) -> Read {
        let (rows, refused) = lines.read(|row, seen, line, digest| {
            let id = id(row, "id")?;
            seen.check(&id, line, digest)?;
            if row.optional("name") == Some(TO_BE_ANNOUNCED) {
                self.nobody.insert(id);
                let reason = format!("`{TO_BE_ANNOUNCED}` stands for nobody");
                return Err(Refusal::note(FindingKind::UnknownFighter, reason));
            }
            fighter(row, id)
        });
        let batch = schedule::fighters(lines.writer(table, &rows), FEED, &values(&rows))?;
        self.fighters = rows.into_iter().map(|row| (row.value.source_id, row.value.name)).collect();
        Ok((batch, refused))
    }

    fn bouts(&mut self, table: &Table, lines: &Lines<'_>) -> Read {
        let (mut rows, refused) = lines.read(|row, seen, line, digest| {
            let id = id(row, "id")?;
            seen.check(&id, line, digest)?;
            self.bout(row, id)
        });
        for bouts in schedule::by_event(rows.iter_mut().map(|row| &mut row.value)).values_mut() {
            schedule::name_top_bouts(bouts);
        }
        Ok((schedule::bouts(lines.writer(table, &rows), FEED, &values(&rows))?, refused))
    }

    fn bout(&mut self, row: &Row<'_>, id_of_bout: String) -> Result<Bout, Refusal> {
        let ids = [id(row, "fighter_1_id")?, id(row, "fighter_2_id")?];
        let winner = winner(row, &ids)?;
        let order = row.read("bout_order", parse::whole)?;
        let position = row.read_optional("card_segment", CardPosition::of_segment)?;
        let event = id(row, "event_id")?;
        let listed = self.listed.entry(event.clone()).or_default();
        *listed += 1;
        Ok(Bout {
            event,
            source_id: Some(id_of_bout),
            listed_at: *listed,
            order: Some(order),
            position,
            corners: ids.map(|id| self.corner(id)),
            winner,
            unknown: row.unknown(),
            ..Bout::default()
        })
    }

    fn corner(&self, id: String) -> Corner {
        if self.nobody.contains(&id) {
            return Corner::default();
        }
        Corner { name: self.fighters.get(&id).cloned(), source_id: Some(id), ..Corner::default() }
    }

    fn events(&mut self, table: &Table, lines: &Lines<'_>) -> Read {
        let (rows, refused) = lines.read(|row, seen, line, digest| {
            let id = id(row, "id")?;
            seen.check(&id, line, digest)?;
            self.event(row, id)
        });
        Ok((schedule::events(lines.writer(table, &rows), FEED, &values(&rows))?, refused))
    }

    fn event(&self, row: &Row<'_>, id_of_event: String) -> Result<Event, Refusal> {
        let date = row.read("date", parse::iso_date)?;
        let hour = row.read_optional("hour_utc", hour)?;
        let venue = row.read_optional("venue_id", |id| parse::feed_id(id).map(str::to_owned))?;
        Ok(Event {
            name: row.required("name")?.to_owned(),
            date: Some(date),
            start_at: hour.map(|hour| date.and_time(hour).and_utc()),
            venue: venue.and_then(|id| self.venues.get(&id)).cloned().unwrap_or_default(),
            listed_bouts: self.listed.get(&id_of_event).copied().unwrap_or(0),
            unknown: row.unknown(),
            source_id: id_of_event,
            ..Event::default()
        })
    }
}

fn hour(text: &str) -> Option<NaiveTime> {
    NaiveTime::from_hms_opt(u32::try_from(parse::whole(text)?).ok()?, 0, 0)
}

fn venue(row: &Row<'_>, id: String) -> Result<Venue, Refusal> {
    Ok(Venue {
        source_id: Some(id),
        name: Some(row.required("name")?.to_owned()),
        city: text(row, "city"),
        region: text(row, "state"),
        country: text(row, "country"),
        unknown: row.unknown(),
    })
}

fn fighter(row: &Row<'_>, id: String) -> Result<Fighter, Refusal> {
    Ok(Fighter {
        source_id: id,
        name: row.required("name")?.to_owned(),
        nickname: text(row, "nickname"),
        date_of_birth: row.read_optional("date_of_birth", parse::iso_date)?,
        height_in: row.read_optional("height_inches", parse::height_inches)?,
        reach_in: row.read_optional("reach_inches", parse::reach_inches)?,
        stance: text(row, "stance"),
        country: text(row, "nationality"),
        unknown: row.unknown(),
        ..Fighter::default()
    })
}

/// No winner is no statement: it may be a draw, a no contest, or a result that is not there yet.
fn winner(row: &Row<'_>, ids: &[String; 2]) -> Result<Option<Winner>, Refusal> {
    let Some(winner) = row.optional("winner_id") else { return Ok(None) };
    match ids.iter().position(|id| id == winner) {
        Some(0) => Ok(Some(Winner::First)),
        Some(_) => Ok(Some(Winner::Second)),
        None => {
            let reason = format!("`winner_id` is `{winner}`, who is none of the two");
            Err(Refusal::new(FindingKind::Contradiction, reason))
        }
    }
}
