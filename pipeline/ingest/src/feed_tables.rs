//! The feed's history as CSV tables keyed by its ids: events with an hour, bouts, fighters, venues.

mod files;

use bytes::Bytes;

use crate::{IngestError, IngestedCapture, layout};

/// Name of the source in captures and contracts.
pub const SOURCE: &str = "feed-tables";

/// Reads the four files; the counts of strikes in a fifth are not read.
///
/// # Errors
/// A facts table cannot be built.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    let mut capture = files::FeedTablesCapture::default();
    layout::ingest(SOURCE, files, |name, lines| capture.read(name, lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_nothing_is_lost, damaged, shown};
    use expect_test::expect;
    use proptest::prelude::*;

    #[test]
    fn names_venues_and_places_are_joined_and_who_is_to_be_announced_is_nobody() {
        expect![[r#"
            schedule_venues: line=2 venue_source_id=11 venue=Harbour Hall city=Portwick region=NJ country=USA
            schedule_venues: line=3 venue_source_id=12 venue=Kite Field
            schedule_fighters: line=2 fighter_source_id=2000001 name=Ada Stone nickname=The Mason date_of_birth=1990-02-28 height_in=68.0 reach_in=70.5 stance=Orthodox country=Iceland unknown={"fighting_style":"Boxing,Wrestling"}
            schedule_fighters: line=3 fighter_source_id=2000002 name=Béla Król
            schedule_fighters: line=4 fighter_source_id=2000003 name=Cem Aydın date_of_birth=1994-07-01 height_in=71.0 country=Turkey
            schedule_bouts: line=2 event_source_id=600000001 bout_source_id=501 listed_at=1 bout_order=1 card_position=early_prelims first_source_id=2000002 first_name=Béla Król second_source_id=2000003 second_name=Cem Aydın
            schedule_bouts: line=3 event_source_id=600000001 bout_source_id=502 listed_at=2 bout_order=2 card_position=prelims first_source_id=2000001 first_name=Ada Stone second_source_id=2000002 second_name=Béla Król winner=second
            schedule_bouts: line=4 event_source_id=600000001 bout_source_id=503 listed_at=3 bout_order=3 card_position=co_main first_source_id=2000003 first_name=Cem Aydın
            schedule_bouts: line=5 event_source_id=600000001 bout_source_id=504 listed_at=4 bout_order=4 card_position=main_event first_source_id=2000001 first_name=Ada Stone second_source_id=2000003 second_name=Cem Aydın winner=first
            schedule_events: line=2 event_source_id=600000001 event=UFC 901:  Stone vs. Aydın event_date=2031-03-02 start_at=2031-03-02T00:00:00Z venue=Harbour Hall city=Portwick region=NJ country=USA listed_bouts=4
            schedule_events: line=3 event_source_id=600000002 event=UFC 902: Later event_date=2031-04-05 listed_bouts=0
            note unknown_fighter fighters.csv:5: `TBA` stands for nobody
            venues.csv: 2 in, 2 out, 0 set aside
            fighters.csv: 4 in, 3 out, 1 set aside
            bouts.csv: 4 in, 4 out, 0 set aside
            events.csv: 2 in, 2 out, 0 set aside
        "#]].assert_eq(&shown(SOURCE, "opponent-to-be-announced"));
    }

    #[test]
    fn a_winner_who_is_none_of_the_two_and_hours_that_are_none_are_set_aside() {
        expect![[r#"
            schedule_venues: line=2 venue_source_id=11 venue=Harbour Hall city=Portwick region=NJ country=USA
            schedule_venues: line=3 venue_source_id=12 venue=Kite Field
            schedule_fighters: line=2 fighter_source_id=2000001 name=Ada Stone nickname=The Mason date_of_birth=1990-02-28 height_in=68.0 reach_in=70.5 stance=Orthodox country=Iceland unknown={"fighting_style":"Boxing,Wrestling"}
            schedule_fighters: line=3 fighter_source_id=2000002 name=Béla Król
            schedule_fighters: line=4 fighter_source_id=2000003 name=Cem Aydın date_of_birth=1994-07-01 height_in=71.0 country=Turkey
            schedule_bouts: line=3 event_source_id=600000001 bout_source_id=502 listed_at=2 bout_order=2 card_position=main_card first_source_id=2000001 first_name=Ada Stone second_source_id=2000002 second_name=Béla Król winner=first
            schedule_events: line=5 event_source_id=600000004 event=UFC 904 event_date=2031-03-02 start_at=2031-03-02T01:00:00Z listed_bouts=0
            note unknown_fighter fighters.csv:5: `TBA` stands for nobody
            quarantine contradiction bouts.csv:2: `winner_id` is `2000003`, who is none of the two
            note duplicate bouts.csv:4: the same row as line 3
            quarantine duplicate bouts.csv:5: duplicate id `502`: line 3 has different values
            quarantine unreadable_value bouts.csv:6: `card_segment` is `Somewhere`
            quarantine missing_value bouts.csv:7: `bout_order` has no value
            quarantine unreadable_value events.csv:2: `hour_utc` is `24`
            quarantine unreadable_value events.csv:3: `date` is `2031-03-32`
            quarantine unreadable_value events.csv:4: `id` is `x`
            venues.csv: 2 in, 2 out, 0 set aside
            fighters.csv: 4 in, 3 out, 1 set aside
            bouts.csv: 6 in, 1 out, 5 set aside
            events.csv: 4 in, 1 out, 3 set aside
        "#]].assert_eq(&shown(SOURCE, "rows-that-contradict"));
    }

    #[test]
    fn a_card_with_a_gap_has_no_main_event() {
        expect![[r#"
            schedule_venues: line=2 venue_source_id=11 venue=Harbour Hall city=Portwick region=NJ country=USA
            schedule_venues: line=3 venue_source_id=12 venue=Kite Field
            schedule_fighters: line=2 fighter_source_id=2000001 name=Ada Stone nickname=The Mason date_of_birth=1990-02-28 height_in=68.0 reach_in=70.5 stance=Orthodox country=Iceland unknown={"fighting_style":"Boxing,Wrestling"}
            schedule_fighters: line=3 fighter_source_id=2000002 name=Béla Król
            schedule_fighters: line=4 fighter_source_id=2000003 name=Cem Aydın date_of_birth=1994-07-01 height_in=71.0 country=Turkey
            schedule_bouts: line=2 event_source_id=600000001 bout_source_id=501 listed_at=1 bout_order=1 card_position=main_card first_source_id=2000001 first_name=Ada Stone second_source_id=2000002 second_name=Béla Król
            schedule_bouts: line=3 event_source_id=600000001 bout_source_id=503 listed_at=2 bout_order=3 card_position=main_card first_source_id=2000001 first_name=Ada Stone second_source_id=2000003 second_name=Cem Aydın
            schedule_events: line=2 event_source_id=600000001 event=UFC 901 event_date=2031-03-02 start_at=2031-03-02T23:00:00Z venue=Kite Field listed_bouts=2
            note unknown_fighter fighters.csv:5: `TBA` stands for nobody
            venues.csv: 2 in, 2 out, 0 set aside
            fighters.csv: 4 in, 3 out, 1 set aside
            bouts.csv: 2 in, 2 out, 0 set aside
            events.csv: 1 in, 1 out, 0 set aside
        "#]].assert_eq(&shown(SOURCE, "card-with-a-gap"));
    }

    proptest! {
        #[test]
        fn damaged_files_lose_no_row(files in damaged(SOURCE, "opponent-to-be-announced")) {
            check_nothing_is_lost(SOURCE, &files)?;
        }
    }
}
