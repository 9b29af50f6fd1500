//! The feed's history as two CSV tables: events with the time of day, bouts with fighters by name.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_model::FindingKind;
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{ContractRow as _, ScheduleBoutsRow, ScheduleEventsRow};

use crate::layout::{AcceptedRow, FileLines, FileRows};
use crate::parse;
use crate::row::{CsvRow, RowError};
use crate::schedule::{
    self, BoutCorner, CardPosition, EventVenue, FEED, ScheduledBout, ScheduledEvent, Winner,
};
use crate::{IngestError, IngestedCapture, layout};

/// Name of the source in captures and contracts.
pub const SOURCE: &str = "feed-history";

/// Reads both files.
///
/// # Errors
/// A facts table cannot be built.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    let mut capture = FeedHistoryCapture::default();
    layout::ingest(SOURCE, files, |name, lines| match name {
        ScheduleEventsRow::TABLE => capture.read_events(lines),
        ScheduleBoutsRow::TABLE => capture.read_bouts(lines),
        other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
    })
}

/// What the events tell about their bouts.
#[derive(Default)]
struct FeedHistoryCapture {
    /// Bouts of a whole list, by event.
    stated: HashMap<String, i32>,
    /// Bouts listed so far, by event.
    listed: HashMap<String, i32>,
}

fn text(row: &CsvRow<'_>, name: &str) -> Option<String> {
    row.optional(name).map(str::to_owned)
}

fn id(row: &CsvRow<'_>, name: &str) -> Result<String, RowError> {
    row.read(name, |text| parse::feed_id(text).map(str::to_owned))
}

impl FeedHistoryCapture {
    fn read_events(&mut self, lines: &FileLines<'_>) -> FileRows {
        let (rows, refused) = lines.read(|row, seen, at| {
            let id = id(row, "Event Id")?;
            seen.check(&id, at)?;
            event(row, id)
        });
        let batch = lines.table_of(&rows, |to, at, row| schedule::push_event(to, FEED, at, row))?;
        self.stated = rows.into_iter().map(|row| (row.value.source_id, row.value.listed_bouts)).collect();
        Ok((batch, refused))
    }

    fn read_bouts(&mut self, lines: &FileLines<'_>) -> FileRows {
        let (mut rows, refused) = lines.read(|row, seen, at| {
            let event = id(row, "Event Id")?;
            // A bout that is set aside has its place in the list all the same.
            let listed = self.listed.entry(event.clone()).or_default();
            *listed += 1;
            let id = id(row, "Match Id")?;
            seen.check(&id, at)?;
            Ok(ScheduledBout { event, source_id: Some(id), listed_at: *listed, ..bout(row)? })
        });
        Ok((self.placed(lines, &mut rows)?, refused))
    }

    /// Bouts with their places, where the event's list is whole.
    fn placed(
        &self,
        lines: &FileLines<'_>,
        rows: &mut [AcceptedRow<ScheduledBout>],
    ) -> Result<RecordBatch, ColumnError> {
        for (event, mut bouts) in schedule::by_event(rows.iter_mut().map(|row| &mut row.value)) {
            let n = self.listed[&event];
            if self.stated.get(&event) == Some(&n) {
                bouts.iter_mut().for_each(|bout| bout.order = Some(n + 1 - bout.listed_at));
                schedule::name_top_bouts(&mut bouts);
            }
        }
        lines.table_of(rows, |to, at, row| schedule::push_bout(to, FEED, at, row))
    }
}

fn event(row: &CsvRow<'_>, id: String) -> Result<ScheduledEvent, RowError> {
    let start = row.read("Event Date", parse::instant)?;
    Ok(ScheduledEvent {
        source_id: id,
        name: row.required("Event Name")?.to_owned(),
        date: Some(start.date_naive()),
        start_at: Some(start),
        venue: EventVenue {
            name: text(row, "Event Venue Name"),
            city: text(row, "Event Venue City"),
            region: text(row, "Event Venue State"),
            country: text(row, "Event Venue Country"),
            ..EventVenue::default()
        },
        listed_bouts: row.read("# Of Matches", parse::whole)?,
        unknown: row.unknown(),
        ..ScheduledEvent::default()
    })
}

fn bout(row: &CsvRow<'_>) -> Result<ScheduledBout, RowError> {
    let names = [row.required("Red Fighter")?, row.required("Blue Fighter")?];
    let position = row.read_optional("Card Type", CardPosition::of_segment)?;
    let is_main_event = row.read("Is Main Event", parse::truth)?;
    Ok(ScheduledBout {
        position: if is_main_event { Some(CardPosition::MainEvent) } else { position },
        weight_class: text(row, "Division"),
        is_title: Some(row.read("Is Title Fight", parse::truth)?),
        winner: winner(row, names)?,
        corners: names.map(|name| BoutCorner { name: Some(name.to_owned()), ..BoutCorner::default() }),
        unknown: row.unknown(),
        ..ScheduledBout::default()
    })
}

/// The source names the winner, or writes `Draw` or `No Contest`; two results that were overturned stand as
/// `Draw`, which nobody ruled.
fn winner(row: &CsvRow<'_>, names: [&str; 2]) -> Result<Option<Winner>, RowError> {
    let Some(winner) = row.optional("Winner") else { return Ok(None) };
    let overturned = row.optional("Short Method") == Some("Overturned");
    match (winner, names.map(|name| name == winner)) {
        ("Draw", _) if overturned => Ok(Some(Winner::NoContest)),
        ("Draw", _) => Ok(Some(Winner::Draw)),
        ("No Contest", _) => Ok(Some(Winner::NoContest)),
        (_, [true, false]) => Ok(Some(Winner::First)),
        (_, [false, true]) => Ok(Some(Winner::Second)),
        _ => {
            let reason = format!("`Winner` is `{winner}`, who is not one of the two");
            Err(RowError::new(FindingKind::Contradiction, reason))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_nothing_is_lost, damaged, shown};
    use expect_test::expect;
    use proptest::prelude::*;

    #[test]
    fn a_whole_list_is_turned_round_and_results_are_read_by_name() {
        expect![[r#"
            schedule_events: line=2 event_source_id=600000001 event=UFC 901: Stone vs. Aydın event_date=2031-03-02 start_at=2031-03-02T01:30:00Z venue=Harbour Hall city=Portwick region=NJ country=USA listed_bouts=5 unknown={"Event Venue Address":"1 Quay Street"}
            schedule_events: line=3 event_source_id=600000002 event=The Reality Season 40 Semifinal event_date=2031-04-02 start_at=2031-04-02T23:00:00Z listed_bouts=0
            schedule_bouts: line=2 event_source_id=600000001 bout_source_id=504 listed_at=1 bout_order=5 card_position=main_event weight_class_raw=Lightweight is_title=true first_name=Ada Stone second_name=Cem Aydın winner=second unknown={"Score Cards":"48-47 | 48-47 | 48-47","Victory Method":"Unanimous Decision"}
            schedule_bouts: line=3 event_source_id=600000001 bout_source_id=503 listed_at=2 bout_order=4 card_position=co_main weight_class_raw=Catch Weight is_title=false first_name=Béla Król second_name=Dov Hale winner=no_contest unknown={"Victory Method":"Overturned"}
            schedule_bouts: line=4 event_source_id=600000001 bout_source_id=502 listed_at=3 bout_order=3 card_position=prelims weight_class_raw=Women's Flyweight is_title=false first_name=Eve Ito second_name=Fay Noor winner=draw unknown={"Victory Method":"Draw"}
            schedule_bouts: line=5 event_source_id=600000001 bout_source_id=501 listed_at=4 bout_order=2 card_position=prelims is_title=false first_name=Gus Pike second_name=Hal Roe winner=no_contest unknown={"Victory Method":"No Contest"}
            schedule_bouts: line=6 event_source_id=600000001 bout_source_id=500 listed_at=5 bout_order=1 card_position=early_prelims weight_class_raw=Heavyweight is_title=false first_name=Ivo Sand second_name=Jon Teal
            ufc_events.csv: 2 in, 2 out, 0 set aside
            ufc_fights.csv: 5 in, 5 out, 0 set aside
        "#]].assert_eq(&shown(SOURCE, "main-event-first"));
    }

    #[test]
    fn a_list_that_lacks_a_bout_has_no_places_and_strange_winners_are_set_aside() {
        expect![[r#"
            schedule_events: line=2 event_source_id=600000001 event=UFC 901: Stone vs. Aydın event_date=2031-03-02 start_at=2031-03-02T01:30:00Z venue=Harbour Hall city=Portwick region=NJ country=USA listed_bouts=3 unknown={"Event Venue Address":"1 Quay Street"}
            schedule_bouts: line=2 event_source_id=600000001 bout_source_id=504 listed_at=1 card_position=main_event weight_class_raw=Lightweight is_title=false first_name=Ada Stone second_name=Cem Aydın winner=first
            schedule_bouts: line=6 event_source_id=600000001 bout_source_id=500 listed_at=5 card_position=prelims weight_class_raw=Lightweight is_title=false first_name=Gus Pike second_name=Hal Roe
            quarantine unreadable_value ufc_events.csv:3: `Event Date` is `March 2`
            quarantine field_count ufc_fights.csv:7: 4 fields where the header has 51
            quarantine contradiction ufc_fights.csv:3: `Winner` is `Somebody Else`, who is not one of the two
            quarantine contradiction ufc_fights.csv:4: `Winner` is `Ann Lee`, who is not one of the two
            quarantine missing_value ufc_fights.csv:5: `Blue Fighter` has no value
            ufc_events.csv: 2 in, 1 out, 1 set aside
            ufc_fights.csv: 6 in, 2 out, 4 set aside
        "#]].assert_eq(&shown(SOURCE, "bouts-missing"));
    }

    #[test]
    fn odds_are_nowhere() {
        let files = crate::testing::fixture(SOURCE, "bouts-missing");
        let ingested = ingest(&files).unwrap();
        let everything = format!("{:?}", ingested);
        assert!(String::from_utf8_lossy(&files[1].1).contains("7777"), "the fixture has odds");
        assert!(!everything.contains("7777"));
    }

    proptest! {
        #[test]
        fn damaged_files_lose_no_row(files in damaged(SOURCE, "main-event-first")) {
            check_nothing_is_lost(SOURCE, &files)?;
        }
    }
}
