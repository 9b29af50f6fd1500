//! Dated captures of upcoming events of the feed, flattened by a collector.

mod event;
mod fight;

use bytes::Bytes;
use fdna_schemas::SourceContract;
use fdna_schemas::tables::{ContractRow as _, ScheduleBoutsRow, ScheduleEventsRow};
use serde_json::Value;

use crate::record_files::{JsonObject, KnownFields, LocatedRows, document, files_that_end, unreadable_file};
use crate::row::{RowError, SeenIds};
use crate::schedule::{FEED, ScheduleFacts};
use crate::{IngestError, IngestedCapture};

/// Name of the source in captures and contracts.
pub const SOURCE: &str = "feed-captures";

/// Reads every JSON file of the capture.
///
/// # Errors
/// A facts table cannot be built.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    let contract = SourceContract::get(SOURCE).ok_or_else(|| IngestError::UnknownSource(SOURCE.into()))?;
    let mut ingested = IngestedCapture { tables: Vec::new(), findings: Vec::new(), counts: Vec::new() };
    let mut facts = ScheduleFacts::default();
    for (name, bytes) in files_that_end(files, ".json", &mut ingested) {
        match document(bytes, &contract.never_used).and_then(events) {
            Ok(events) => {
                let mut records = LocatedRows::new(name, &mut ingested.findings);
                read_events(contract, &events, &mut records, &mut facts);
                ingested.counts.push(records.finish());
            }
            Err(reason) => ingested.findings.push(unreadable_file(name, reason)),
        }
    }
    ingested.tables = facts.tables(FEED)?;
    Ok(ingested)
}

fn events(mut document: Value) -> Result<Vec<Value>, String> {
    match document.get_mut("events").map(Value::take) {
        Some(Value::Array(events)) => Ok(events),
        _ => Err("it has no list of `events`".to_owned()),
    }
}

fn read_events(
    contract: &SourceContract,
    events: &[Value],
    records: &mut LocatedRows<'_>,
    into: &mut ScheduleFacts,
) {
    let known =
        [ScheduleEventsRow::TABLE, ScheduleBoutsRow::TABLE].map(|table| KnownFields::of(contract, table));
    let mut seen = SeenIds::default();
    for json in events.iter().map(JsonObject) {
        let text = event::text(json);
        let read = event::read(json, known[0].unknown(json));
        let read = read.and_then(|e| seen.once(&e.source_id.clone(), &text, e));
        let event = records.take(&text, read);
        let id = event.as_ref().map(|event| event.value.source_id.clone());
        into.events.extend(event);
        let mut bouts = Vec::new();
        for (place, json) in (1..).zip(json.list("fights")) {
            let read: Result<_, RowError> = fight::read(id.as_deref(), place, json, known[1].unknown(json));
            bouts.extend(records.take(&json.0.to_string(), read));
        }
        fight::place(&mut bouts, json);
        into.bouts.extend(bouts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_nothing_is_lost, damaged, shown};
    use expect_test::expect;
    use proptest::prelude::*;

    #[test]
    fn an_invented_event_is_set_aside_with_its_fights() {
        expect![[r#"
            quarantine missing_value events.json:1: no event id of the feed (`source.event_id` with provider `espn`): the event may be invented
            quarantine unknown_event events.json:2: its event is set aside
            events.json: 2 in, 0 out, 2 set aside
        "#]]
        .assert_eq(&shown(SOURCE, "invented-event"));
    }

    #[test]
    fn lists_of_both_forms_are_put_in_one_order_and_an_empty_list_says_nothing() {
        expect![[r#"
            schedule_events: line=1 event_source_id=600000001 event=UFC 901: Stone vs. Aydın event_date=2031-03-01 venue=Harbour Hall city=Portwick region=NJ country=USA status_raw=upcoming listed_bouts=3
            schedule_events: line=5 event_source_id=600000002 event=UFC Fight Night: Pike vs. Roe event_date=2031-03-09 status_raw=upcoming listed_bouts=2
            schedule_events: line=8 event_source_id=600000003 event=UFC 903 event_date=2031-04-01 venue=Galaxy Hall city=Cotai country=Macau status_raw=upcoming listed_bouts=0
            schedule_events: line=9 event_source_id=600000004 event=UFC 904 event_date=2031-05-01 venue=Somewhere status_raw=upcoming listed_bouts=2
            schedule_events: line=12 event_source_id=600000005 event=UFC 905 event_date=2031-06-01 venue=Hall city=Town region=NV status_raw=upcoming listed_bouts=2
            schedule_events: line=15 event_source_id=600000006 event=UFC 906 event_date=2031-06-02 status_raw=upcoming listed_bouts=1
            schedule_bouts: line=2 event_source_id=600000001 listed_at=1 bout_order=3 card_position=main_event weight_class_raw=Lightweight is_title=true status=completed status_raw=completed first_source_id=2000001 first_name=Ada Stone second_source_id=2000003 second_name=Cem Aydın unknown={"someNewField":1}
            schedule_bouts: line=3 event_source_id=600000001 listed_at=2 bout_order=2 weight_class_raw=Women's Flyweight is_title=false status=scheduled status_raw=scheduled first_name=Eve Ito second_name=Fay Noor
            schedule_bouts: line=4 event_source_id=600000001 listed_at=3 bout_order=1 is_title=false status=scheduled status_raw=scheduled
            schedule_bouts: line=6 event_source_id=600000002 bout_source_id=401000041 listed_at=1 bout_order=1 weight_class_raw=W Strawweight status=scheduled status_raw=scheduled first_source_id=2000015 first_name=Ivo Sand second_source_id=2000016 second_name=Jon Teal
            schedule_bouts: line=7 event_source_id=600000002 bout_source_id=401000042 listed_at=2 bout_order=2 weight_class_raw=Catchweight status=scheduled status_raw=scheduled first_source_id=2000013 first_name=Gus Pike second_source_id=2000014 second_name=Hal Roe
            schedule_bouts: line=10 event_source_id=600000004 listed_at=1 weight_class_raw=Flyweight is_title=false status=scheduled status_raw=scheduled first_name=Ann Lee second_name=Bea Moss
            schedule_bouts: line=11 event_source_id=600000004 listed_at=2 card_position=main_event weight_class_raw=Flyweight is_title=false status=scheduled status_raw=scheduled first_name=Cat Nye second_name=Dee Orr
            schedule_bouts: line=13 event_source_id=600000005 listed_at=1 card_position=main_event weight_class_raw=Flyweight is_title=false status=scheduled status_raw=scheduled first_name=Ann Lee second_name=Bea Moss
            schedule_bouts: line=14 event_source_id=600000005 listed_at=2 weight_class_raw=Flyweight is_title=false status=scheduled status_raw=scheduled first_name=Cat Nye second_name=Dee Orr
            quarantine unreadable_value events.json:16: `status` is `odd`
            events.json: 16 in, 15 out, 1 set aside
        "#]].assert_eq(&shown(SOURCE, "lists-both-ways-and-empty"));
    }

    #[test]
    fn a_file_that_does_not_parse_refuses_the_capture() {
        expect![[r#"
            fatal unreadable_value events.json:0: it is no JSON: EOF while parsing a value at line 31 column 14
        "#]].assert_eq(&shown(SOURCE, "half-written"));
    }

    proptest! {
        #[test]
        fn damaged_files_lose_no_record(files in damaged(SOURCE, "lists-both-ways-and-empty")) {
            check_nothing_is_lost(SOURCE, &files)?;
        }
    }
}
