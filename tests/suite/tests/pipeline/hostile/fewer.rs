//! Captures that are held for having fewer rows: one line speaks of all of a source, and the hold of a list of what is to
//! come ends by itself when the lists of three later days agree with it.

use std::fmt::Write as _;

use fdna_suite::TestLake;

use crate::hostile::{bench, good, told, write};

/// A calendar of so many events, each with so many bouts.
fn calendar(events: u32, bouts: u32) -> Vec<u8> {
    let mut text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n".to_owned();
    let name = |n: u32| {
        ["Ada", "Béla", "Cem", "Dov", "Eve"][n as usize % 5].to_owned() + &"io".repeat(n as usize / 5)
    };
    for event in 0..events {
        let lines = (0..bouts).map(|bout| {
            let first = 2 * (event * bouts + bout);
            format!("• {} Stone vs. {} Roe @155", name(first), name(first + 1))
        });
        let _ = write!(
            text,
            "BEGIN:VEVENT\r\nUID:https://cards.example/event/night-{event}\r\nSUMMARY:UFC Night {event}\r\n\
             DTSTART:203101{:02}T030000Z\r\nDESCRIPTION:{}\r\nEND:VEVENT\r\n",
            event + 1,
            lines.collect::<Vec<_>>().join("\\n")
        );
    }
    (text + "END:VCALENDAR\r\n").into_bytes()
}

fn take_in(bench: &TestLake, at: &str, calendar: Vec<u8>) -> (Option<i32>, String, String) {
    write(bench, "cards", &[(format!("2025-03-{at}.ics"), calendar)]);
    told(&bench.run(&["run", "--captures", "cards=cards"]))
}

const WHOLE: (u32, u32) = (20, 12);
const SHORT: (u32, u32) = (4, 12);

/// A lake of one whole calendar and of short ones of these times, each of which is held.
fn held(times: &[&str]) -> TestLake {
    let bench = bench();
    let (code, report, message) = take_in(&bench, "01T030000Z", calendar(WHOLE.0, WHOLE.1));
    assert_eq!(code, Some(0), "{report}{message}");
    for time in times {
        let (code, report, message) = take_in(&bench, time, calendar(SHORT.0, SHORT.1));
        assert_eq!(code, Some(76), "{time}: {report}{message}");
    }
    bench
}

fn days(bench: &TestLake) -> Vec<String> {
    bench.snapshot().captures.iter().map(|capture| capture.id[6..11].to_owned()).collect()
}

/// How many held captures `status --check` tells a person to look at.
fn attention(bench: &TestLake) -> usize {
    let (code, told, _) = told(&bench.run(&["status", "--check"]));
    // These captures are of years ago, so that there is something to look at in any case.
    assert_eq!(code, Some(79), "{told}");
    told.matches("ATTENTION held:").count()
}

#[test]
fn a_shorter_list_that_three_later_days_agree_with_is_believed() {
    let bench = held(&["10T030000Z", "10T230000Z", "11T030000Z", "12T030000Z"]);
    let status = bench.ok(&["status"]);
    assert_eq!(status.matches("HELD ").count(), 1, "{status}");
    for part in [
        "HELD 4 captures of cards since 2025-03-10, first cards 20250310T030000Z",
        "`*.ics` has 52 rows, less than 50 % of 260 in capture 20250301T030000Z",
        "; the others follow; it ends by itself once captures of 3 later days agree (now of 2)",
    ] {
        assert!(status.contains(part), "{part}: {status}");
    }
    assert_eq!(attention(&bench), 1);

    // Events without bouts are no fourth day.
    let (code, report, message) = take_in(&bench, "13T030000Z", calendar(SHORT.0, 0));
    assert_eq!(code, Some(76), "{report}{message}");
    assert_eq!(days(&bench), ["01T03"]);

    let (code, report, message) = take_in(&bench, "13T120000Z", calendar(SHORT.0, SHORT.1 + 1));
    assert_eq!(code, Some(0), "{report}{message}");
    assert!(report.contains("the hold of cards since 20250310T030000Z"), "{report}");
    let ended = "5 captures agree, of 2025-03-10, 2025-03-11, 2025-03-12, 2025-03-13";
    assert!(report.contains(ended) && !report.contains("HELD"), "{report}");
    assert_eq!(days(&bench), ["01T03", "10T03", "10T23", "11T03", "12T03", "13T12"]);
    assert!(bench.ok(&["run"]).contains("nothing new"));
    assert_eq!(attention(&bench), 0);
}

#[test]
fn a_list_that_a_person_withdraws_ends_no_hold_by_those_like_it() {
    let bench = held(&["10T030000Z", "11T030000Z"]);
    let status = bench.ok(&["status"]);
    let capture = status.split("--accept cards/").nth(1).unwrap().split(';').next().unwrap();
    bench.ok(&["captures", "withdraw", "cards", capture, "--reason", "a page of the list alone"]);
    std::fs::remove_file(bench.folder().join("cards/2025-03-10T030000Z.ics")).unwrap();
    for time in ["12T030000Z", "13T030000Z", "14T030000Z", "15T030000Z"] {
        let (code, report, message) = take_in(&bench, time, calendar(SHORT.0, SHORT.1));
        assert_eq!(code, Some(76), "{time}: {report}{message}");
        assert!(message.contains("; the others follow") && !message.contains("by itself"), "{message}");
    }
    let (code, report, message) = take_in(&bench, "16T030000Z", calendar(WHOLE.0, WHOLE.1));
    assert_eq!(code, Some(0), "{report}{message}");
    assert_eq!(days(&bench), ["01T03", "16T03"]);
}

#[test]
fn a_history_that_is_short_every_day_stays_held() {
    let bench = bench();
    write(&bench, "statsdb/2025-11-01", &good());
    for day in 2..8 {
        let mut half = good();
        let rounds = half.iter_mut().find(|file| file.0 == "ufc_fight_stats.csv").unwrap();
        let lines: Vec<&[u8]> = rounds.1.split_inclusive(|byte| *byte == b'\n').collect();
        rounds.1 = lines[..lines.len() / 2 + day].concat();
        write(&bench, &format!("statsdb/2025-11-0{day}"), &half);
    }
    let (code, report, message) = told(&bench.run(&["run", "--captures", "statsdb=statsdb"]));
    assert_eq!(code, Some(76), "{report}{message}");
    assert_eq!(message.matches("held ").count(), 1, "{message}");
    assert!(
        message.contains("held 6 captures of statsdb since 2025-11-02, first statsdb 20251102T"),
        "{message}"
    );
    assert!(!message.contains("by itself"), "{message}");
}
