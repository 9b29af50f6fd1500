//! Upcoming cards as calendars: an entry per event, its bouts as lines of the entry's description.

mod bout;
mod clock;
mod description;
mod event;
mod lines;
mod property;
mod revisions;
mod zone;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use fdna_model::{FindingKind, Severity};
use fdna_schemas::SourceContract;
use icalendar::parser::{Component, read_calendar_simple};

use self::description::CalendarCard;
use self::event::CalendarHead;
use self::lines::EntryPlace;
use crate::record_files::{LocatedRows, files_that_end, unreadable_file};
use crate::row::RowError;
use crate::schedule::{self, CardPosition, ScheduleFacts, ScheduledEvent, Status};
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
    let calendar = lines::unfolded(text)?;
    // The parser's other reader panics when it words an error about a long line.
    let roots = read_calendar_simple(&calendar.text).map_err(|error| {
        format!(
            "it is no calendar from byte {} of its unfolded text on",
            calendar.text.len() - error.input.len()
        )
    })?;
    if roots.iter().all(|root| root.name != "VCALENDAR") {
        return Err("it is no calendar: it has no `VCALENDAR`".to_owned());
    }
    let head = CalendarHead::of(&roots);
    let nowhere = EntryPlace::default();
    let places = calendar.places.iter().chain(std::iter::repeat(&nowhere));
    let components = roots.iter().flat_map(|root| &root.components).zip(places);
    let components = components.filter(|(part, _)| part.name == "VEVENT");
    let entries = components.map(|(component, at)| CalendarEntry::read(contract, component, &head, at));
    let (entries, events): (Vec<_>, Vec<_>) = entries.unzip();
    let kept = revisions::newest(&entries);
    for ((at, entry), (event, kept)) in entries.iter().enumerate().zip(events.into_iter().zip(kept)) {
        match kept.filter(|kept| *kept != at) {
            Some(kept) => revisions::set_aside(entry, &entries[kept], records),
            None => entry.take(event, records, into),
        }
    }
    Ok(())
}

/// An entry of a calendar and the lines of its card.
struct CalendarEntry<'a> {
    component: &'a Component<'a>,
    at: &'a EntryPlace,
    text: String,
    card: CalendarCard<'a>,
    /// `None` where it cannot be read as an event.
    listed: Option<ListedEvent>,
}

/// An event by what a calendar says beside its id.
#[derive(PartialEq, Eq, Hash)]
struct ListedEvent {
    name: String,
    start: DateTime<Utc>,
    status: Option<Status>,
}

impl<'a> CalendarEntry<'a> {
    fn read(
        contract: &SourceContract,
        component: &'a Component<'a>,
        head: &CalendarHead,
        at: &'a EntryPlace,
    ) -> (Self, Result<ScheduledEvent, RowError>) {
        let start = event::start(component, &head.zones).ok();
        let description = component.find_prop("DESCRIPTION").map_or("", |property| property.val.as_str());
        let card = CalendarCard::of(description, start);
        let event = event::read(contract, component, head, &card);
        let listed = event.as_ref().ok().zip(start).map(|(event, start)| ListedEvent {
            name: event.name.clone(),
            start,
            status: event.status,
        });
        (Self { component, at, text: event::text(component), card, listed }, event)
    }

    /// The lines of its text that say something of the event.
    fn stated_text(&self) -> impl Iterator<Item = &str> {
        self.text.lines().filter(|line| !line.starts_with("UID"))
    }

    /// Empty where the entry states none.
    fn id(&self) -> &str {
        self.component.find_prop("UID").map_or("", |property| property.val.as_str().trim())
    }

    /// Takes the event and its bouts into the facts.
    fn take(
        &self,
        event: Result<ScheduledEvent, RowError>,
        records: &mut LocatedRows<'_>,
        into: &mut ScheduleFacts,
    ) {
        let (card, at) = (&self.card, self.at);
        let event = records.take_at(at.begin, &self.text, event);
        let id = event.as_ref().map(|event| event.value.source_id.clone());
        let mut bouts = Vec::new();
        for line in &card.lines {
            let read = bout::read(id.as_deref(), line);
            bouts.extend(records.take_at(at.line(line.place), line.text, read));
        }
        for line in &card.unread {
            let reason = format!("it is no bout and no part of a card: `{}`", line.text);
            let refusal = RowError::new(FindingKind::UnreadableLine, reason);
            records.take_at::<()>(at.line(line.place), line.text, Err(refusal));
        }
        for (place, heading) in &card.unread_times {
            let reason = format!("the time of `{heading}` is none that is known");
            records.tell(at.line(*place), RowError::note(FindingKind::UnreadableValue, reason));
        }
        if let (Some(event), true, Some(line)) = (&event, bouts.is_empty(), card.strange_line()) {
            records.tell(at.begin, no_bout(&event.value.name, line));
        }
        if card.is_divided() && bouts.len() == card.lines.len() {
            let mut bouts: Vec<_> = bouts.iter_mut().map(|bout| &mut bout.value).collect();
            // Some calendars begin with the main card and some end with it; within a part the last bout is the first.
            bouts.sort_by_key(|bout| bout.position.map(place_on_card));
            let orders = (1..=i32::try_from(bouts.len()).unwrap_or(i32::MAX)).rev();
            bouts.iter_mut().zip(orders).for_each(|(bout, order)| bout.order = Some(order));
            schedule::name_top_bouts(&mut bouts);
        }
        into.events.extend(event);
        into.bouts.extend(bouts);
    }
}

/// Refuses a calendar whose layout is another than is known: believed, it would be a card without bouts.
fn no_bout(event: &str, line: &str) -> RowError {
    let reason =
        format!("none of the bouts of `{event}` can be read, as in `{line}`: its layout may be a new one");
    RowError { severity: Severity::Fatal, ..RowError::new(FindingKind::UnreadableLine, reason) }
}

/// Of the parts, the one that is fought last first.
fn place_on_card(part: CardPosition) -> usize {
    match part {
        CardPosition::MainEvent | CardPosition::CoMain | CardPosition::MainCard => 0,
        CardPosition::Prelims => 1,
        CardPosition::EarlyPrelims => 2,
    }
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
            quarantine unreadable_value cards.ics:24: unknown mark `#x` of `Ada Stone`: expected `C`, `IC` or `#RANK`
            quarantine unreadable_value cards.ics:25: it names no two fighters: `Eve Ito against Fay Noor @115`
            quarantine unreadable_value cards.ics:32: `DTSTART` is `someday`
            quarantine unknown_event cards.ics:37: its event is set aside: `Ada Stone vs. Cem Aydın @155`
            quarantine unknown_event cards.ics:37: its event is set aside: `Eve Ito vs. Fay Noor @115`
            cards.ics: 12 in, 7 out, 5 set aside
        "#]].assert_eq(&shown(SOURCE, "odd-lines"));
    }

    #[test]
    fn parts_with_their_own_times_and_lines_without_bullets_are_read() {
        expect![[r#"
            schedule_events: line=1 event_source_id=https://cards.example/event/ufc-905 event=UFC 905: Stone vs Aydın event_date=2031-03-09 start_at=2031-03-09T03:00:00Z venue=Harbour Hall city=Portwick country=USA listed_bouts=4 unknown={"notes":["Accurate as of Mar 1, 5:03 AM EST"]}
            schedule_events: line=6 event_source_id=https://cards.example/event/ufc-906 event=UFC 906: Usher vs Vane event_date=2031-03-15 start_at=2031-03-15T20:00:00Z listed_bouts=2
            schedule_events: line=9 event_source_id=https://cards.example/event/ufc-907 event=UFC 907: TBD vs TBD event_date=2031-03-22 listed_bouts=1
            schedule_bouts: line=2 event_source_id=https://cards.example/event/ufc-905 listed_at=1 bout_order=4 card_position=main_event start_at=2031-03-09T03:00:00Z weight_class_raw=@155 weight_lbs=155 is_title=true first_name=Ada Stone first_is_champion=true second_name=Cem Aydın second_rank=1
            schedule_bouts: line=3 event_source_id=https://cards.example/event/ufc-905 listed_at=2 bout_order=3 card_position=co_main start_at=2031-03-09T03:00:00Z weight_class_raw=@115 weight_lbs=115 first_name=Eve Ito first_rank=2 second_name=Fay Noor
            schedule_bouts: line=4 event_source_id=https://cards.example/event/ufc-905 listed_at=3 bout_order=2 card_position=prelims start_at=2031-03-09T01:00:00Z first_name=Gus Pike second_name=Hal Roe
            schedule_bouts: line=5 event_source_id=https://cards.example/event/ufc-905 listed_at=4 bout_order=1 card_position=early_prelims weight_class_raw=@170 weight_lbs=170 first_name=Ivo Sand second_name=Jon Teal
            schedule_bouts: line=7 event_source_id=https://cards.example/event/ufc-906 listed_at=1 bout_order=1 card_position=prelims weight_class_raw=@170 weight_lbs=170 first_name=Gus Pike second_name=Ivo Sand
            schedule_bouts: line=8 event_source_id=https://cards.example/event/ufc-906 listed_at=2 bout_order=2 card_position=main_event start_at=2031-03-15T20:00:00Z weight_class_raw=@170 weight_lbs=170 is_title=true first_name=Kim Usher first_rank=1 second_name=Lou Vane second_rank=3
            schedule_bouts: line=10 event_source_id=https://cards.example/event/ufc-907 listed_at=1 card_position=main_card weight_class_raw=@170 weight_lbs=170 first_name=Pat Oro
            quarantine unreadable_line cards.ics:31: it is no bout and no part of a card: `Tickets from Friday`
            note unreadable_value cards.ics:30: the time of `Main Card — Sat, Mar 22, late` is none that is known
            cards.ics: 11 in, 10 out, 1 set aside
        "#]].assert_eq(&shown(SOURCE, "own-times"));
    }

    #[test]
    fn zones_and_states_of_entries_are_read_in_any_case() {
        expect![[r#"
            schedule_events: line=1 event_source_id=e1@cards.example event=UFC Fight Night: Stone vs. Aydın event_date=2031-03-15 start_at=2031-03-15T00:00:00Z status=cancelled status_raw=Cancelled listed_bouts=0
            schedule_events: line=4 event_source_id=e2@cards.example event=UFC 908 event_date=2031-03-21 start_at=2031-03-21T14:00:00Z status_raw=TENTATIVE listed_bouts=0
            quarantine unreadable_line cards.ics:15: it is no bout and no part of a card: `Where to watch`
            quarantine unreadable_line cards.ics:15: it is no bout and no part of a card: `main card streams at 8:00 PM, PDT.`
            quarantine unreadable_value cards.ics:24: `DTSTART` is `20310328T170000` in the zone `Mars/Base`
            quarantine unknown_event cards.ics:28: its event is set aside: `Ada Stone vs. Cem Aydın @155`
            quarantine unknown_event cards.ics:28: its event is set aside: `Eve Ito vs. Fay Noor @115`
            quarantine unreadable_value cards.ics:30: `DTSTART` is `20310404T170000`
            quarantine unreadable_value cards.ics:35: `DTSTART` is `20310411`
            cards.ics: 9 in, 2 out, 7 set aside
        "#]].assert_eq(&shown(SOURCE, "zones-and-status"));
    }

    #[test]
    fn a_calendar_of_another_layout_is_refused_and_is_no_card_without_bouts() {
        expect![[r#"
            schedule_events: line=1 event_source_id=https://cards.example/event/ufc-912 event=UFC 912: Stone vs Aydın event_date=2031-04-18 start_at=2031-04-18T02:30:00Z listed_bouts=2
            schedule_events: line=4 event_source_id=https://cards.example/event/ufc-913 event=UFC 913: Pike vs Roe event_date=2031-04-25 start_at=2031-04-25T02:30:00Z listed_bouts=0
            schedule_bouts: line=2 event_source_id=https://cards.example/event/ufc-912 listed_at=1 first_name=Ada Stone second_name=Cem Aydın
            schedule_bouts: line=3 event_source_id=https://cards.example/event/ufc-912 listed_at=2 first_name=Eve Ito second_name=Fay Noor
            quarantine unreadable_line cards.ics:12: it is no bout and no part of a card: `Gus Pike / Hal Roe / 170`
            quarantine unreadable_line cards.ics:12: it is no bout and no part of a card: `Ivo Sand / Jon Teal / 170`
            fatal unreadable_line cards.ics:8: none of the bouts of `UFC 913: Pike vs Roe` can be read, as in `Gus Pike / Hal Roe / 170`: its layout may be a new one
            cards.ics: 6 in, 4 out, 2 set aside
        "#]].assert_eq(&shown(SOURCE, "unknown-layout"));
    }

    #[test]
    fn of_entries_of_one_event_the_newest_that_can_be_read_counts() {
        expect![[r#"
            schedule_events: line=1 event_source_id=https://cards.example/event/ufc-914 event=UFC 914: Stone vs Aydin event_date=2031-05-02 start_at=2031-05-02T03:00:00Z listed_bouts=2
            schedule_events: line=9 event_source_id=https://cards.example/event/ufc-915 event=UFC 915: Pike vs Sand event_date=2031-05-09 start_at=2031-05-09T03:00:00Z listed_bouts=2 unknown={"SEQUENCE":"2"}
            schedule_events: line=13 event_source_id=https://cards.example/event/ufc-916 event=UFC 916: Usher vs Vane event_date=2031-05-16 start_at=2031-05-16T03:00:00Z listed_bouts=1
            schedule_events: line=17 event_source_id=https://cards.example/event/ufc-916-of-december event=UFC 916: Usher vs Vane event_date=2031-05-16 start_at=2031-05-16T03:00:00Z status=cancelled status_raw=CANCELLED listed_bouts=0
            schedule_bouts: line=2 event_source_id=https://cards.example/event/ufc-914 listed_at=1 weight_class_raw=@155 weight_lbs=155 first_name=Ada Stone second_name=Cem Aydin
            schedule_bouts: line=3 event_source_id=https://cards.example/event/ufc-914 listed_at=2 weight_class_raw=@115 weight_lbs=115 first_name=Eve Ito second_name=Fay Noor
            schedule_bouts: line=10 event_source_id=https://cards.example/event/ufc-915 listed_at=1 weight_class_raw=@170 weight_lbs=170 first_name=Gus Pike second_name=Ivo Sand
            schedule_bouts: line=11 event_source_id=https://cards.example/event/ufc-915 listed_at=2 weight_class_raw=@170 weight_lbs=170 first_name=Kim Usher second_name=Lou Vane
            schedule_bouts: line=14 event_source_id=https://cards.example/event/ufc-916 listed_at=1 weight_class_raw=@170 weight_lbs=170 first_name=Kim Usher second_name=Lou Vane
            note duplicate cards.ics:11: line 4 lists the same of `https://cards.example/event/ufc-914`
            note duplicate cards.ics:16: line 4 lists the same of `https://cards.example/event/ufc-914`
            quarantine duplicate cards.ics:16: duplicate of `https://cards.example/event/ufc-914`: line 4 has different values
            note duplicate cards.ics:18: an older revision of `https://cards.example/event/ufc-915`: the one of line 25 replaces it
            note duplicate cards.ics:23: an older revision of `https://cards.example/event/ufc-915`: the one of line 25 replaces it
            quarantine unreadable_value cards.ics:32: `DTSTART` is `someday`
            note duplicate cards.ics:44: line 38 lists the same of `https://cards.example/event/ufc-916`
            note duplicate cards.ics:48: line 38 lists the same of `https://cards.example/event/ufc-916`
            cards.ics: 17 in, 9 out, 8 set aside
        "#]].assert_eq(&shown(SOURCE, "listed-twice"));
    }

    #[test]
    fn a_calendar_that_takes_its_entries_back_cancels_them() {
        let entry = "BEGIN:VEVENT\nUID:e\nSUMMARY:E\nDTSTART:20310302T030000Z\nEND:VEVENT\n";
        for (method, cancelled) in [("METHOD:CANCEL\n", 1), ("METHOD:PUBLISH\n", 0), ("", 0)] {
            let text = format!("BEGIN:VCALENDAR\n{method}{entry}END:VCALENDAR\n");
            let read = crate::testing::text(&ingest(&[("a.ics".to_owned(), text.into())]).unwrap());
            assert_eq!(read.matches("status=cancelled").count(), cancelled, "{read}");
        }
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
        fn damaged_files_lose_no_record(files in prop_oneof![
            damaged(SOURCE, "divided-card"), damaged(SOURCE, "own-times"), damaged(SOURCE, "zones-and-status"),
            damaged(SOURCE, "listed-twice"),
        ]) {
            check_nothing_is_lost(SOURCE, &files)?;
        }
    }
}
