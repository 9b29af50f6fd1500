//! Upcoming cards as calendars: an entry per event, its bouts as lines of the entry's description.

mod bout;
mod event;
mod lines;

use bytes::Bytes;
use fdna_schemas::SourceContract;
use icalendar::parser::{Component, read_calendar_simple};

use crate::record_files::{LocatedRows, files_that_end, unreadable_file};
use crate::row::SeenIds;
use crate::schedule::{self, ScheduleFacts};
use crate::{IngestError, IngestedCapture};

/// Name of the source in captures and contracts, and of its ids.
pub const SOURCE: &str = "cards";

/// Reads every calendar of the capture.
///
/// # Errors
/// A facts table cannot be built.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    let contract = SourceContract::get(SOURCE).ok_or_else(|| IngestError::UnknownSource(SOURCE.into()))?;
    let mut ingested = IngestedCapture { tables: Vec::new(), findings: Vec::new(), counts: Vec::new() };
    let mut facts = ScheduleFacts::default();
    for (name, bytes) in files_that_end(files, ".ics", &mut ingested) {
        let mut records = LocatedRows::new(name, &mut ingested.findings);
        let read = read_file(contract, bytes, &mut records, &mut facts);
        let count = records.finish();
        match read {
            Ok(()) => ingested.counts.push(count),
            Err(reason) => ingested.findings.push(unreadable_file(name, reason)),
        }
    }
    ingested.tables = facts.tables(SOURCE)?;
    Ok(ingested)
}

fn read_file(
    contract: &SourceContract,
    bytes: &[u8],
    records: &mut LocatedRows<'_>,
    into: &mut ScheduleFacts,
) -> Result<(), String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it is no UTF-8: {error}"))?;
    let text = lines::unfolded(text)?;
    // The parser's other reader panics when it words an error about a long line.
    let roots = read_calendar_simple(&text).map_err(|error| {
        format!("it is no calendar from byte {} of its unfolded text on", text.len() - error.input.len())
    })?;
    if roots.iter().all(|root| root.name != "VCALENDAR") {
        return Err("it is no calendar: it has no `VCALENDAR`".to_owned());
    }
    let mut seen = SeenIds::default();
    let entries = roots.iter().flat_map(|root| &root.components);
    for entry in entries.filter(|component| component.name == "VEVENT") {
        read_entry(contract, entry, &mut seen, records, into);
    }
    Ok(())
}

fn read_entry(
    contract: &SourceContract,
    entry: &Component<'_>,
    seen: &mut SeenIds,
    records: &mut LocatedRows<'_>,
    into: &mut ScheduleFacts,
) {
    let text = event::text(entry);
    let card = bout::CalendarCard::of(entry);
    let read = event::read(contract, entry, &card);
    let read = read.and_then(|e| seen.once(&e.source_id.clone(), &text, e));
    let event = records.take(&text, read);
    let id = event.as_ref().map(|event| event.value.source_id.clone());
    into.events.extend(event);
    let mut bouts = Vec::new();
    for line in &card.lines {
        bouts.extend(records.take(line.text, bout::read(id.as_deref(), line)));
    }
    let is_divided = card.lines.iter().all(|line| line.position.is_some());
    if is_divided && bouts.len() == card.lines.len() {
        let n = i32::try_from(bouts.len()).unwrap_or(i32::MAX);
        let mut bouts: Vec<_> = bouts.iter_mut().map(|bout| &mut bout.value).collect();
        bouts.iter_mut().for_each(|bout| bout.order = Some(n + 1 - bout.listed_at));
        schedule::name_top_bouts(&mut bouts);
    }
    into.bouts.extend(bouts);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_nothing_is_lost, damaged, shown};
    use expect_test::expect;
    use proptest::prelude::*;

    #[test]
    fn folded_lines_escapes_segments_ranks_champions_and_limits_are_read() {
        expect![[r#"
            schedule_events: line=1 event_source_id=https://cards.example/event/ufc-901 event=UFC 901: Stone vs Aydın, again event_date=2031-03-02 start_at=2031-03-02T03:00:00Z venue=Harbour Hall city=Portwick country=USA listed_bouts=5 unknown={"CATEGORIES":"MMA","notes":["Accurate as of Jan 1, 9:15 PM EST"]}
            schedule_bouts: line=2 event_source_id=https://cards.example/event/ufc-901 listed_at=1 bout_order=5 card_position=main_event start_at=2031-03-02T03:00:00Z weight_class_raw=@155 weight_lbs=155 first_name=Ada Stone first_is_champion=true second_name=Cem Aydın second_rank=2
            schedule_bouts: line=3 event_source_id=https://cards.example/event/ufc-901 listed_at=2 bout_order=4 card_position=co_main start_at=2031-03-02T03:00:00Z weight_class_raw=@CW first_name=Béla Król first_is_champion=true second_name=Dov Hale, Jr.
            schedule_bouts: line=4 event_source_id=https://cards.example/event/ufc-901 listed_at=3 bout_order=3 card_position=prelims start_at=2031-03-02T01:00:00Z weight_class_raw=@125 weight_lbs=125 first_name=Eve Ito first_rank=10
            schedule_bouts: line=5 event_source_id=https://cards.example/event/ufc-901 listed_at=4 bout_order=2 card_position=prelims start_at=2031-03-02T01:00:00Z weight_class_raw=@265 weight_lbs=265 second_name=Hal Roe
            schedule_bouts: line=6 event_source_id=https://cards.example/event/ufc-901 listed_at=5 bout_order=1 card_position=early_prelims start_at=2031-03-01T23:15:00Z first_name=Ivo Sand second_name=Jon Teal
            cards.ics: 6 in, 6 out, 0 set aside
        "#]].assert_eq(&shown(SOURCE, "divided-card"));
    }

    #[test]
    fn a_card_without_parts_has_no_order_and_odd_lines_are_set_aside() {
        expect![[r#"
            schedule_events: line=1 event_source_id=https://cards.example/event/ufc-902 event=UFC 902: Stone vs Aydın event_date=2031-03-09 start_at=2031-03-09T03:00:00Z venue=Galaxy Hall country=Macau listed_bouts=2 unknown={"notes":["Accurate as of Jan 1, 9:15 PM EST"]}
            schedule_events: line=4 event_source_id=https://cards.example/event/ufc-903 event=UFC 903: TBD vs TBD event_date=2031-03-16 start_at=2031-03-16T03:00:00Z listed_bouts=5 unknown={"notes":["Accurate as of Jan 1, 9:15 PM EST"]}
            schedule_bouts: line=2 event_source_id=https://cards.example/event/ufc-902 listed_at=1 weight_class_raw=@155 weight_lbs=155 first_name=Ada Stone second_name=Cem Aydın
            schedule_bouts: line=3 event_source_id=https://cards.example/event/ufc-902 listed_at=2 weight_class_raw=@115 weight_lbs=115 first_name=Eve Ito second_name=Fay Noor
            schedule_bouts: line=7 event_source_id=https://cards.example/event/ufc-903 listed_at=3 card_position=main_card start_at=2031-03-16T03:00:00Z weight_class_raw=@9999 first_name=Gus Pike second_name=Hal Roe
            schedule_bouts: line=8 event_source_id=https://cards.example/event/ufc-903 listed_at=4 card_position=prelims weight_class_raw=@170 weight_lbs=170 first_name=Ivo Sand second_name=Jon Teal
            schedule_bouts: line=9 event_source_id=https://cards.example/event/ufc-903 listed_at=5 card_position=prelims weight_class_raw=@170 weight_lbs=170 first_name=Kim Usher second_name=Lou Vane
            quarantine unreadable_value cards.ics:5: unknown mark `#x`: expected `C`, `IC` or `#RANK`
            quarantine unreadable_value cards.ics:6: it names no two fighters
            quarantine unreadable_value cards.ics:10: `DTSTART` is `someday`
            quarantine unknown_event cards.ics:11: its event is set aside
            quarantine unknown_event cards.ics:12: its event is set aside
            cards.ics: 12 in, 7 out, 5 set aside
        "#]].assert_eq(&shown(SOURCE, "odd-lines"));
    }

    #[test]
    fn a_calendar_that_ends_too_early_or_never_ends_nesting_is_refused() {
        let read = |text: &str| ingest(&[("a.ics".to_owned(), Bytes::from(text.to_owned()))]).unwrap();
        let reasons = |text: &str| read(text).findings.iter().map(|f| f.reason.clone()).collect::<String>();
        assert!(reasons("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:x\r\n").contains("the file was cut"));
        assert!(reasons(&"BEGIN:VEVENT\r\n".repeat(100_000)).contains("nested"));
        assert!(reasons("").starts_with("it is no calendar"));
        let long = format!("BEGIN:VCALENDAR\r\n{}!\r\nEND:VCALENDAR\r\n", "x".repeat(100_000));
        assert!(reasons(&long).starts_with("it is no calendar"));
    }

    #[test]
    fn line_ends_of_any_kind_and_mixed_lose_no_entry() {
        let fixture = crate::testing::fixture(SOURCE, "divided-card");
        let whole = String::from_utf8(fixture[0].1.to_vec()).unwrap();
        let read = |text: String| {
            crate::testing::text(&crate::ingest(SOURCE, &[("cards.ics".to_owned(), text.into())]).unwrap())
        };
        let expected = read(whole.clone());
        let lines: Vec<&str> = whole.lines().collect();
        let ends: [fn(usize) -> &'static str; 5] = [
            |_| "\n",
            |_| "\r",
            |line| if line == 1 { "\r\n" } else { "\n" },
            |line| if line % 2 == 0 { "\r\n" } else { "\n" },
            |line| ["\r", "\n", "\r\n"][line % 3],
        ];
        for (kind, end) in ends.iter().enumerate() {
            let text = lines.iter().enumerate().map(|(at, line)| format!("{line}{}", end(at))).collect();
            assert_eq!(read(text), expected, "kind {kind}");
        }
    }

    #[test]
    fn a_calendar_of_line_feeds_alone_takes_time_by_its_length_and_not_its_square() {
        let entry = |n: usize| {
            format!("BEGIN:VEVENT\nUID:{n}\nDTSTART:20310302T030000Z\nSUMMARY:E {n}\nEND:VEVENT\n")
        };
        let text = format!("BEGIN:VCALENDAR\n{}END:VCALENDAR\n", (0..40_000).map(entry).collect::<String>());
        let ingested = crate::ingest(SOURCE, &[("cards.ics".to_owned(), text.into())]).unwrap();
        assert_eq!(ingested.counts[0].rows_out, 40_000);
    }

    proptest! {
        #[test]
        fn damaged_files_lose_no_record(files in damaged(SOURCE, "divided-card")) {
            check_nothing_is_lost(SOURCE, &files)?;
        }
    }
}
