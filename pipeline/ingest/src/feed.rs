//! The public sports feed's payloads: scoreboard, schedule and fight centre, told apart by their fields.

mod bout;
mod event;
mod fighter;
mod shape;

use bytes::Bytes;
use fdna_model::Finding;
use fdna_schemas::SourceContract;
use fdna_schemas::tables::{ContractRow as _, ScheduleBoutsRow, ScheduleEventsRow, ScheduleFightersRow};
use serde_json::Value;

use crate::record_files::{
    JsonObject, KnownFields, LocatedRow, LocatedRows, document, files_that_end, unreadable_file,
};
use crate::row::SeenIds;
use crate::schedule::{FEED, ScheduleFacts, ScheduledBout, ScheduledEvent, ScheduledFighter};
use crate::{FileCount, IngestError, IngestedCapture};

/// Name of the source in captures and contracts.
pub const SOURCE: &str = "feed";

/// Reads every JSON file of the capture.
///
/// # Errors
/// A facts table cannot be built.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    let contract = SourceContract::get(SOURCE).ok_or_else(|| IngestError::UnknownSource(SOURCE.into()))?;
    let mut ingested = IngestedCapture { tables: Vec::new(), findings: Vec::new(), counts: Vec::new() };
    let mut facts = ScheduleFacts::default();
    for (name, bytes) in files_that_end(files, ".json", &mut ingested) {
        let events = document(bytes, &contract.never_used).and_then(shape::events);
        match events {
            Ok(events) => {
                let count = read_file(contract, name, &events, &mut facts, &mut ingested.findings);
                ingested.counts.push(count);
            }
            Err(reason) => ingested.findings.push(unreadable_file(name, reason)),
        }
    }
    ingested.tables = facts.tables(FEED)?;
    Ok(ingested)
}

fn read_file(
    contract: &SourceContract,
    name: &str,
    events: &[Value],
    into: &mut ScheduleFacts,
    findings: &mut Vec<Finding>,
) -> FileCount {
    let mut file = FeedFile {
        records: LocatedRows::new(name, findings),
        known: [ScheduleEventsRow::TABLE, ScheduleBoutsRow::TABLE, ScheduleFightersRow::TABLE]
            .map(|t| KnownFields::of(contract, t)),
        seen: std::array::from_fn(|_| SeenIds::default()),
    };
    events.iter().for_each(|event| file.event(JsonObject(event), into));
    file.records.finish()
}

/// One payload while it is read: events, bouts and fighters are records, in the order in which they come.
struct FeedFile<'a> {
    records: LocatedRows<'a>,
    known: [KnownFields<'a>; 3],
    seen: [SeenIds; 3],
}

impl FeedFile<'_> {
    fn event(&mut self, json: JsonObject<'_>, into: &mut ScheduleFacts) {
        let text = without(json, &["competitions"]);
        let read = event::read(json, self.known[0].unknown(json));
        let read = read.and_then(|e| self.seen[0].once(&e.source_id.clone(), &text, e));
        let event: Option<LocatedRow<ScheduledEvent>> = self.records.take(&text, read);
        let id = event.as_ref().map(|event| event.value.source_id.clone());
        into.events.extend(event);
        let mut bouts = Vec::new();
        for (place, bout) in (1..).zip(json.list("competitions")) {
            bouts.extend(self.bout(id.as_deref(), place, bout, into));
        }
        bout::place(&mut bouts, json.list("competitions").count());
        into.bouts.extend(bouts);
    }

    fn bout(
        &mut self,
        event: Option<&str>,
        place: i32,
        json: JsonObject<'_>,
        into: &mut ScheduleFacts,
    ) -> Option<LocatedRow<ScheduledBout>> {
        let text = json.0.to_string();
        let read = bout::read(event, place, json, self.known[1].unknown(json));
        let read = read.and_then(|b| {
            let id = b.source_id.clone().unwrap_or_default();
            self.seen[1].once(&id, &text, b)
        });
        let bout = self.records.take(&text, read);
        for competitor in json.list("competitors") {
            self.fighter(competitor, into);
        }
        bout
    }

    fn fighter(&mut self, json: JsonObject<'_>, into: &mut ScheduleFacts) {
        // He may fight twice: his side of a bout is no part of him.
        let text = without(json, &["order", "winner"]);
        let read = fighter::read(json, self.known[2].unknown(json));
        let read = read.and_then(|f| self.seen[2].once(&f.source_id.clone(), &text, f));
        let fighter: Option<LocatedRow<ScheduledFighter>> = self.records.take(&text, read);
        into.fighters.extend(fighter);
    }
}

/// The record as it came, without the records in it.
fn without(json: JsonObject<'_>, parts: &[&str]) -> String {
    let mut record = json.0.clone();
    if let Some(fields) = record.as_object_mut() {
        fields.retain(|name, _| !parts.contains(&name.as_str()));
    }
    record.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_nothing_is_lost, damaged, shown};
    use expect_test::expect;
    use proptest::prelude::*;

    #[test]
    fn a_scoreboard_of_a_night_that_is_over_has_winners_and_an_order_by_time() {
        expect![[r#"
            schedule_events: line=1 event_source_id=600000001 event=UFC 901: Stone vs. Aydın event_date=2031-03-01 start_at=2031-03-01T20:00:00Z venue=Harbour Hall city=Portwick country=Iceland status=completed status_raw=STATUS_FINAL broadcast=Channel One listed_bouts=4 unknown={"season":{"slug":"regular-season","type":2,"year":2031},"shortName":"UFC 901","status":{"clock":0,"displayClock":"-","period":0},"venues":[{"id":"31"}]}
            schedule_events: line=14 event_source_id=600000002 event=UFC 902 event_date=2031-04-05 venue=Harbour Hall city=Portwick country=Iceland status=scheduled status_raw=STATUS_SCHEDULED broadcast=Channel One listed_bouts=1 unknown={"shortName":"UFC 902","status":{"clock":0,"displayClock":"-","period":0}}
            schedule_events: line=18 event_source_id=600000003 event=UFC 903 event_date=2031-05-05 start_at=2031-05-05T04:00:00Z status=postponed status_raw=STATUS_POSTPONED listed_bouts=0 unknown={"shortName":"UFC 903","status":{"clock":0,"displayClock":"-","period":0}}
            schedule_bouts: line=2 event_source_id=600000001 bout_source_id=401000001 listed_at=1 bout_order=1 start_at=2031-03-01T20:00:00Z weight_class_raw=W Strawweight scheduled_rounds=3 status=completed status_raw=STATUS_FINAL first_source_id=2000011 first_name=Eve Ito first_record=7-2-1 second_source_id=2000012 second_name=Fay Noor second_record=7-1-0 winner=first broadcast=Channel One unknown={"neutralSite":false,"recent":false,"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_bouts: line=5 event_source_id=600000001 bout_source_id=401000002 listed_at=2 bout_order=2 start_at=2031-03-01T20:00:00Z weight_class_raw=Heavyweight scheduled_rounds=3 status=completed status_raw=STATUS_FINAL first_source_id=2000013 first_name=Gus Pike first_record=21-5-0 second_source_id=2000014 second_name=Hal Roe second_record=13-2-0 broadcast=Channel One unknown={"neutralSite":false,"recent":false,"someNewField":{"deep":[1]},"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_bouts: line=8 event_source_id=600000001 bout_source_id=401000003 listed_at=3 bout_order=3 start_at=2031-03-01T22:00:00Z weight_class_raw=Lightweight scheduled_rounds=3 status=cancelled status_raw=STATUS_CANCELED first_source_id=2000015 first_name=Ivo Sand second_source_id=2000016 second_name=Jon Teal broadcast=Channel One unknown={"neutralSite":false,"recent":false,"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_bouts: line=11 event_source_id=600000001 bout_source_id=401000004 listed_at=4 bout_order=4 start_at=2031-03-01T22:00:00Z weight_class_raw=Welterweight scheduled_rounds=5 status=completed status_raw=STATUS_FINAL first_source_id=2000001 first_name=Ada Stone second_source_id=2000003 second_name=Cem Aydın winner=second broadcast=Channel One unknown={"neutralSite":false,"recent":false,"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_bouts: line=15 event_source_id=600000002 bout_source_id=401000009 listed_at=1 weight_class_raw=Flyweight scheduled_rounds=3 status=scheduled status_raw=STATUS_SCHEDULED first_source_id=2000013 first_name=Gus Pike first_record=21-5-0 broadcast=Channel One unknown={"neutralSite":false,"recent":false,"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_fighters: line=3 fighter_source_id=2000011 name=Eve Ito country=Iceland record=7-2-1
            schedule_fighters: line=4 fighter_source_id=2000012 name=Fay Noor country=Iceland record=7-1-0
            schedule_fighters: line=6 fighter_source_id=2000013 name=Gus Pike country=Iceland record=21-5-0
            schedule_fighters: line=7 fighter_source_id=2000014 name=Hal Roe country=Iceland record=13-2-0
            schedule_fighters: line=9 fighter_source_id=2000015 name=Ivo Sand country=Iceland
            schedule_fighters: line=10 fighter_source_id=2000016 name=Jon Teal country=Iceland
            schedule_fighters: line=12 fighter_source_id=2000001 name=Ada Stone nickname=The Mason date_of_birth=1990-02-28 country=Iceland
            schedule_fighters: line=13 fighter_source_id=2000003 name=Cem Aydın country=Iceland
            note duplicate any-name.json:16: the same record of `2000013` once more
            note unknown_fighter any-name.json:17: `TBA` stands for nobody
            any-name.json: 18 in, 16 out, 2 set aside
        "#]].assert_eq(&shown(SOURCE, "scoreboard-completed"));
    }

    #[test]
    fn a_fight_centre_is_turned_round_and_opponents_to_be_announced_are_nobody() {
        expect![[r#"
            schedule_events: line=1 event_source_id=600000005 event=UFC 905: Stone vs. Aydın event_date=2031-08-15 start_at=2031-08-15T21:00:00Z venue=Harbour Hall city=Portwick region=NJ country=USA broadcast=Channel One, Channel Two listed_bouts=5 unknown={"meta":{"gameState":"pre"},"season":{"year":2031},"shortName":"UFC 905","venues":[{"displayNameLocation":"Harbour Hall, Portwick, NJ","id":"31","indoor":true}]}
            schedule_events: line=17 event_source_id=600000006 event=UFC Fight Night: Portwick event_date=2031-10-17 start_at=2031-10-17T21:00:00Z broadcast=Channel One, Channel Two listed_bouts=2 unknown={"meta":{"gameState":"pre"}}
            schedule_bouts: line=2 event_source_id=600000005 bout_source_id=401000021 listed_at=1 bout_order=5 card_position=main_event start_at=2031-08-16T01:00:00Z weight_class_raw=Welterweight is_title=true status=scheduled status_raw=STATUS_SCHEDULED first_source_id=2000001 first_name=Ada Stone first_record=17-1-0 second_source_id=2000003 second_name=Cem Aydın second_record=28-1-0 broadcast=Channel One, Channel Two unknown={"recent":false,"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_bouts: line=5 event_source_id=600000005 bout_source_id=401000022 listed_at=2 bout_order=4 card_position=co_main start_at=2031-08-16T01:00:00Z weight_class_raw=Women's Strawweight is_title=true status=scheduled status_raw=STATUS_SCHEDULED first_source_id=2000011 first_name=Eve Ito second_source_id=2000012 second_name=Fay Noor broadcast=Channel One, Channel Two unknown={"recent":false,"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_bouts: line=8 event_source_id=600000005 bout_source_id=401000023 listed_at=3 bout_order=3 card_position=main_card start_at=2031-08-16T01:00:00Z weight_class_raw=Lightweight is_title=false status=scheduled status_raw=STATUS_SCHEDULED first_source_id=2000015 first_name=Ivo Sand broadcast=Channel One, Channel Two unknown={"recent":false,"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_bouts: line=11 event_source_id=600000005 bout_source_id=401000024 listed_at=4 bout_order=2 card_position=prelims start_at=2031-08-15T23:00:00Z status=scheduled status_raw=STATUS_SCHEDULED broadcast=Channel One, Channel Two unknown={"recent":false,"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_bouts: line=14 event_source_id=600000005 bout_source_id=401000025 listed_at=5 bout_order=1 card_position=early_prelims start_at=2031-08-15T21:00:00Z weight_class_raw=Middleweight is_title=false status=scheduled status_raw=STATUS_SCHEDULED first_source_id=2000013 first_name=Gus Pike second_source_id=2000014 second_name=Hal Roe broadcast=Channel One, Channel Two unknown={"recent":false,"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_bouts: line=18 event_source_id=600000006 bout_source_id=401000031 listed_at=1 card_position=main_event start_at=2031-10-18T00:00:00Z is_title=false status=scheduled status_raw=STATUS_SCHEDULED broadcast=Channel One, Channel Two unknown={"recent":false,"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_bouts: line=21 event_source_id=600000006 bout_source_id=401000032 listed_at=2 card_position=main_card start_at=2031-10-18T00:00:00Z weight_class_raw=Flyweight is_title=false status=scheduled status_raw=STATUS_SCHEDULED first_source_id=2000016 first_name=Jon Teal broadcast=Channel One, Channel Two unknown={"recent":false,"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_fighters: line=3 fighter_source_id=2000001 name=Ada Stone height_in=75.0 reach_in=74.5 stance=Orthodox country=Ireland record=17-1-0 unknown={"athlete":{"age":28,"displayWeight":"170 lbs","gender":"MALE","weightClass":{"id":"1","text":"Welterweight"}}}
            schedule_fighters: line=4 fighter_source_id=2000003 name=Cem Aydın country=Iceland record=28-1-0
            schedule_fighters: line=6 fighter_source_id=2000011 name=Eve Ito country=Iceland
            schedule_fighters: line=7 fighter_source_id=2000012 name=Fay Noor country=Iceland
            schedule_fighters: line=9 fighter_source_id=2000015 name=Ivo Sand country=Iceland
            schedule_fighters: line=15 fighter_source_id=2000013 name=Gus Pike country=Iceland
            schedule_fighters: line=16 fighter_source_id=2000014 name=Hal Roe country=Iceland
            schedule_fighters: line=22 fighter_source_id=2000016 name=Jon Teal country=Iceland
            note unknown_fighter scoreboard.json:10: `Opponent TBA` stands for nobody
            note unknown_fighter scoreboard.json:12: `TBA` stands for nobody
            note unknown_fighter scoreboard.json:13: `Opponent TBA` stands for nobody
            note unknown_fighter scoreboard.json:19: `TBA` stands for nobody
            note unknown_fighter scoreboard.json:20: `Opponent TBA` stands for nobody
            note unknown_fighter scoreboard.json:23: `TBA` stands for nobody
            scoreboard.json: 23 in, 17 out, 6 set aside
        "#]].assert_eq(&shown(SOURCE, "fight-centre-opponent-to-be-announced"));
    }

    #[test]
    fn records_that_contradict_are_set_aside_and_a_file_of_no_payload_refuses_the_capture() {
        expect![[r#"
            schedule_events: line=1 event_source_id=600000001 event=UFC 901 event_date=2031-03-01 start_at=2031-03-01T20:00:00Z venue=Harbour Hall city=Portwick country=Iceland broadcast=Channel One listed_bouts=4
            schedule_events: line=20 event_source_id=600000007 event=UFC 907 listed_bouts=1
            schedule_bouts: line=8 event_source_id=600000001 bout_source_id=401000003 listed_at=3 start_at=2031-03-01T20:00:00Z weight_class_raw=Flyweight scheduled_rounds=3 status=completed status_raw=STATUS_FINAL first_name=Ivo Sand second_source_id=2000016 second_name=Jon Teal broadcast=Channel One unknown={"neutralSite":false,"recent":false,"status":{"clock":0,"displayClock":"-","period":0}}
            schedule_fighters: line=3 fighter_source_id=2000011 name=Eve Ito country=Iceland
            schedule_fighters: line=4 fighter_source_id=2000012 name=Fay Noor country=Iceland
            schedule_fighters: line=7 fighter_source_id=2000014 name=Hal Roe country=Iceland
            schedule_fighters: line=10 fighter_source_id=2000016 name=Jon Teal country=Iceland
            schedule_fighters: line=12 fighter_source_id=2000017 name=Kim Usher country=Iceland
            schedule_fighters: line=13 fighter_source_id=2000018 name=Lou Vane country=Iceland
            schedule_fighters: line=17 fighter_source_id=2000019 name=Max West country=Iceland
            schedule_fighters: line=18 fighter_source_id=2000020 name=Ned Yarrow country=Iceland
            schedule_fighters: line=22 fighter_source_id=2000021 name=Oli Zorn country=Iceland
            quarantine contradiction a.json:2: both have won
            quarantine unreadable_value a.json:5: `date` is `yesterday`
            quarantine unreadable_value a.json:6: `athlete.displayHeight` is `tall`
            quarantine unreadable_value a.json:9: `id` is `x-1`
            quarantine duplicate a.json:11: duplicate id `401000003`: an earlier row has different values
            quarantine duplicate a.json:14: duplicate id `600000001`: an earlier row has different values
            quarantine missing_value a.json:15: `id` has no value
            quarantine unknown_event a.json:16: its event is set aside
            quarantine missing_value a.json:19: `id` has no value
            quarantine contradiction a.json:21: it has 1 competitors
            fatal unreadable_value b.json:0: it has neither `events` nor events by id: no payload of the feed
            a.json: 22 in, 12 out, 10 set aside
        "#]].assert_eq(&shown(SOURCE, "records-that-contradict"));
    }

    proptest! {
        #[test]
        fn damaged_scoreboards_lose_no_record(files in damaged(SOURCE, "scoreboard-completed")) {
            check_nothing_is_lost(SOURCE, &files)?;
        }

        #[test]
        fn damaged_fight_centres_lose_no_record(
            files in damaged(SOURCE, "fight-centre-opponent-to-be-announced"),
        ) {
            check_nothing_is_lost(SOURCE, &files)?;
        }
    }
}
