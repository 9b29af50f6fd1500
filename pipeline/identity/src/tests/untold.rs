//! Announced bouts that no source has mentioned since.

use expect_test::expect;

use super::{HISTORY, check, made};

/// A card that is listed in February, and a list of the same source from that day on.
fn later_list(on: &str) -> String {
    format!(
        "capture cards 2026-02-01
            event stub 2026-03-20 UFC Fight Night: TBD vs TBD
            event card 2026-03-20 UFC Fight Night: New vs Fresh
            bout Nora New vs Flo Fresh
         capture feed {on}
            event 999 2026-09-01 UFC 999"
    )
}

#[test]
fn on_its_day_an_event_is_still_to_come() {
    // Midnight UTC is the evening before where the day is counted.
    let made = made(HISTORY, &later_list("2026-03-21"));
    check(
        &made.text("events", &["name", "card_status"]),
        &expect![[r#"
            UFC 900: Alpha vs. Beta | completed
            UFC 999 | scheduled
            UFC Fight Night: New vs. Fresh | scheduled"#]],
    );
}

#[test]
fn what_nobody_told_of_is_neither_to_come_nor_over_nor_off() {
    let made = made(HISTORY, &later_list("2026-03-22"));
    check(
        &made.text("events", &["name", "card_status"]),
        &expect![[r#"
            UFC 900: Alpha vs. Beta | completed
            UFC 999 | scheduled
            UFC Fight Night: New vs. Fresh | -"#]],
    );
    assert!(made.bouts(&["status"]).contains("Flo Fresh - Nora New: -"));
}

#[test]
fn a_newer_result_of_another_event_shows_that_the_day_is_over() {
    let history = format!("{HISTORY}\n event e2 2026-04-01 UFC 902\n bout b9 Ann Alpha beats Dora Delta");
    let made = made(
        &history,
        "capture cards 2026-02-01
            event card 2026-03-20 UFC Fight Night: New vs Fresh
            bout Nora New vs Flo Fresh
            event next 2026-04-01 UFC 902
            bout Ann Alpha vs Dora Delta",
    );
    check(
        &made.text("events", &["name", "card_status"]),
        &expect![[r#"
            UFC 900: Alpha vs. Beta | completed
            UFC 902 | completed
            UFC Fight Night: New vs. Fresh | -"#]],
    );
}

#[test]
fn what_was_called_off_or_moved_before_its_day_stays_so() {
    let made = made(
        HISTORY,
        "capture feed 2026-02-01
            event 401 2026-03-20 UFC 901
            bout 70=Ann Alpha vs 81=Nora New | id=601 status=postponed
            bout 71=Bea Beta vs 82=Flo Fresh | id=602
         capture feed 2026-03-01
            event 401 2026-03-20 UFC 901
            bout 70=Ann Alpha vs 81=Nora New | id=601 status=postponed
         capture feed 2026-04-01
            event 402 2026-05-20 UFC 903",
    );
    let bouts = made.bouts(&["status"]);
    assert!(bouts.contains("Ann Alpha - Nora New: postponed"), "{bouts}");
    assert!(bouts.contains("Bea Beta - Flo Fresh: cancelled"), "{bouts}");
}

#[test]
fn an_event_is_off_while_its_source_says_so() {
    let capture = |on: &str, status: &str| {
        format!(
            " capture cards {on}
                event card 2026-03-20 UFC Fight Night: New vs Fresh{status}
                bout Nora New vs Flo Fresh
                event next 2026-04-20 UFC 902"
        )
    };
    let on = capture("2026-02-01", "");
    let off = format!("{on}{}", capture("2026-02-02", " | status=cancelled"));
    let back = format!("{off}{}", capture("2026-02-03", ""));
    for (schedule, status) in [(on, "scheduled"), (off, "cancelled"), (back, "scheduled")] {
        let made = made(HISTORY, &schedule);
        let events = made.text("events", &["name", "card_status"]);
        assert!(events.contains(&format!("UFC Fight Night: New vs. Fresh | {status}")), "{events}");
        assert!(events.contains("UFC 902 | scheduled"), "{events}");
        assert!(made.bouts(&["status"]).contains(&format!("Flo Fresh - Nora New: {status}")));
    }
}
