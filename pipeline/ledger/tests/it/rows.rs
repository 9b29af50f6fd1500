//! Rows of a bout and their content.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use expect_test::{Expect, expect};
use fdna_ledger::{LedgerEntry, LedgerHistory, LedgerState, StateField, StateValue, replay_rows};
use uuid::Uuid;

use crate::script::{Capture, at, bout, fighter, history, parse};

/// Rows as text: checkpoint, sequence, bout, hours, and what changed.
pub(crate) fn text(captures: &[Capture], entries: &[LedgerEntry]) -> String {
    let mut names: Vec<(Uuid, String)> = Vec::new();
    for capture in captures.iter().filter(|capture| capture.source != "wire") {
        let event = capture.event.as_ref().map(|(name, ..)| name.clone()).unwrap_or_default();
        for line in &capture.bouts {
            names.push((bout(&event, &line.fighters), line.fighters.join("-")));
            names.extend(line.fighters.iter().map(|name| (fighter(name), name.clone())));
        }
    }
    let name =
        |id: Uuid| names.iter().find(|(of, _)| *of == id).map_or(id.to_string(), |(_, name)| name.clone());
    let value = |value: &StateValue| value.as_id().map_or(value.to_string(), name);
    let mut out = String::new();
    for e in entries {
        let hours = e.hours_to_start.map_or("no start".to_owned(), |hours| format!("{hours:.1} h"));
        let status = e.state.get(StateField::BoutStatus);
        let (bout, valid) = (name(e.bout_id), e.valid_at.format("%m-%d %H:%M"));
        let _ = write!(out, "{valid} {bout} {} {} {hours} {status}", e.checkpoint, e.sequence);
        if let Some(id) = e.state.get(StateField::ReplacedBout).as_id().filter(|_| e.is_baseline) {
            let _ = write!(
                out,
                ", in place of {}, {} days before",
                name(id),
                e.state.get(StateField::ShortNotice)
            );
        }
        out.push('\n');
        for c in &e.diff {
            let source = c.source.as_deref().unwrap_or("nobody");
            let (from, to) = (value(&c.from), value(&c.to));
            let _ = writeln!(
                out,
                "    {} {}: {from} -> {to} ({}, {source})",
                c.operation(),
                c.path.path(),
                c.cause
            );
        }
    }
    out
}

pub(crate) fn replayed(captures: &[Capture], from: &str, to: &str) -> (LedgerHistory, Vec<LedgerEntry>) {
    let history = history(captures);
    let recorded_at: DateTime<Utc> = at("12-31 00:00");
    let rows = replay_rows(&mut LedgerState::default(), &history, [at(from), at(to)], recorded_at);
    (history, rows.entries)
}

fn check(script: &str, expected: &Expect) {
    let captures = parse(script);
    let (_, entries) = replayed(&captures, "01-01 00:00", "03-31 00:00");
    expected.assert_eq(&text(&captures, &entries));
    assert_eq!(fdna_ledger::find_faults(&entries, None), []);
}

#[test]
fn a_fight_week_has_a_row_at_every_checkpoint() {
    check(
        "01-01 00:00 cards fight 01-18 23:00: A-B 1 main_event
         01-20 06:00 stats fight: A-B win A ko_tko",
        &expect![[r#"
            01-01 00:00 A-B ANNOUNCED 1 431.0 h scheduled
            01-11 23:00 A-B T-7D 1 168.0 h scheduled
            01-12 23:00 A-B T-6D 1 144.0 h scheduled
            01-13 23:00 A-B T-5D 1 120.0 h scheduled
            01-14 23:00 A-B T-4D 1 96.0 h scheduled
            01-15 23:00 A-B T-3D 1 72.0 h scheduled
            01-16 23:00 A-B T-2D 1 48.0 h scheduled
            01-17 23:00 A-B T-1D 1 24.0 h scheduled
            01-18 11:00 A-B T-0 1 12.0 h scheduled
            01-20 06:00 A-B RESULT 1 -31.0 h completed
                replace /state/bout_status: scheduled -> completed (source_change, statistics)
                replace /state/result/status: pending -> official (source_change, statistics)
                add /state/result/outcome: unknown -> win (source_change, statistics)
                add /state/result/method: unknown -> ko_tko (source_change, statistics)
                add /state/result/winner_id: unknown -> A (source_change, statistics)
            01-21 06:00 A-B RESULT+24H 1 -55.0 h completed
        "#]],
    );
}

#[test]
fn an_opponent_replaced_is_a_new_bout_and_the_old_one_is_cancelled() {
    check(
        "01-10 00:00 cards fight 01-18 23:00: A-B 2, C-D 1
         01-15 00:00 cards fight 01-18 23:00: A-E 2, C-D 1",
        &expect![[r#"
            01-10 00:00 C-D ANNOUNCED 1 215.0 h scheduled
            01-10 00:00 A-B ANNOUNCED 1 215.0 h scheduled
            01-11 23:00 C-D T-7D 1 168.0 h scheduled
            01-11 23:00 A-B T-7D 1 168.0 h scheduled
            01-12 23:00 C-D T-6D 1 144.0 h scheduled
            01-12 23:00 A-B T-6D 1 144.0 h scheduled
            01-13 23:00 C-D T-5D 1 120.0 h scheduled
            01-13 23:00 A-B T-5D 1 120.0 h scheduled
            01-14 23:00 C-D T-4D 1 96.0 h scheduled
            01-14 23:00 A-B T-4D 1 96.0 h scheduled
            01-15 00:00 A-E T-4D 1 95.0 h scheduled, in place of A-B, 3 days before
            01-15 00:00 A-B T-4D 2 95.0 h cancelled
                replace /state/bout_status: scheduled -> cancelled (source_change, cards)
            01-15 23:00 A-E T-3D 1 72.0 h scheduled
            01-15 23:00 C-D T-3D 1 72.0 h scheduled
            01-16 23:00 A-E T-2D 1 48.0 h scheduled
            01-16 23:00 C-D T-2D 1 48.0 h scheduled
            01-17 23:00 A-E T-1D 1 24.0 h scheduled
            01-17 23:00 C-D T-1D 1 24.0 h scheduled
            01-18 11:00 A-E T-0 1 12.0 h scheduled
            01-18 11:00 C-D T-0 1 12.0 h scheduled
        "#]],
    );
}

#[test]
fn an_empty_list_cancels_nothing_and_a_bout_that_is_back_is_on_again() {
    check(
        "01-17 00:00 cards fight 01-18 23:00: A-B 2, C-D 1
         01-17 01:00 cards fight 01-18 23:00:
         01-17 02:00 cards fight 01-18 23:00: C-D 1
         01-17 03:00 cards fight 01-18 23:00: A-B 2, C-D 1",
        &expect![[r#"
            01-17 00:00 C-D T-2D 1 47.0 h scheduled
            01-17 00:00 A-B T-2D 1 47.0 h scheduled
            01-17 02:00 A-B T-2D 2 45.0 h cancelled
                replace /state/bout_status: scheduled -> cancelled (source_change, cards)
            01-17 03:00 A-B T-2D 3 44.0 h scheduled
                replace /state/bout_status: cancelled -> scheduled (source_change, cards)
            01-17 23:00 C-D T-1D 1 24.0 h scheduled
            01-17 23:00 A-B T-1D 1 24.0 h scheduled
            01-18 11:00 C-D T-0 1 12.0 h scheduled
            01-18 11:00 A-B T-0 1 12.0 h scheduled
        "#]],
    );
}

#[test]
fn a_result_that_is_overturned_later_is_a_correction() {
    check(
        "01-18 12:00 feed fight 01-18 23:00: A-B
         01-19 04:00 feed fight 01-18 23:00: A-B completed
         01-20 06:00 stats fight: A-B win A ko_tko
         02-02 06:00 stats fight: A-B no_contest overturned
         03-20 06:00 stats fight: A-B win A ko_tko",
        &expect![[r#"
            01-18 12:00 A-B T-0 1 11.0 h scheduled
            01-19 04:00 A-B T-0 2 -5.0 h completed
                replace /state/bout_status: scheduled -> completed (source_change, feed)
                replace /state/result/status: pending -> reported (source_change, feed)
            01-20 06:00 A-B RESULT 1 -31.0 h completed
                replace /state/result/status: reported -> official (source_change, statistics)
                add /state/result/outcome: unknown -> win (source_change, statistics)
                add /state/result/method: unknown -> ko_tko (source_change, statistics)
                add /state/result/winner_id: unknown -> A (source_change, statistics)
            01-21 06:00 A-B RESULT+24H 1 -55.0 h completed
            02-02 06:00 A-B CORRECTION 1 -343.0 h completed
                replace /state/result/status: official -> overturned (correction, statistics)
                replace /state/result/outcome: win -> no_contest (correction, statistics)
                replace /state/result/method: ko_tko -> overturned (correction, statistics)
                remove /state/result/winner_id: A -> unknown (correction, statistics)
        "#]],
    );
}

#[test]
fn where_only_the_day_is_known_hours_count_from_its_midnight() {
    check(
        "01-17 00:00 feed-captures fight 01-18: A-B
         01-17 20:00 feed fight 01-18 23:00: A-B",
        &expect![[r#"
            01-17 00:00 A-B T-1D 1 24.0 h scheduled
            01-17 12:00 A-B T-0 1 12.0 h scheduled
            01-17 20:00 A-B T-2D 1 27.0 h scheduled
                add /scheduled_start/value: unknown -> 2025-01-18T23:00:00Z (source_change, feed)
                replace /scheduled_start/status: date_only -> known (source_change, feed)
            01-17 23:00 A-B T-1D 2 24.0 h scheduled
            01-18 11:00 A-B T-0 2 12.0 h scheduled
        "#]],
    );
}

#[test]
fn what_is_written_about_a_fighter_is_counted_once_it_is_captured() {
    check(
        "01-17 00:00 wire A
         01-18 12:00 cards fight 01-18 23:00: A-B
         01-18 13:00 wire B",
        &expect![[r#"
            01-18 12:00 A-B T-0 1 11.0 h scheduled
            01-18 13:00 A-B T-0 2 10.0 h scheduled
                replace /state/wire_count: 1 -> 2 (source_change, wire)
        "#]],
    );
}

#[test]
fn nobody_who_was_not_asked_around_the_fight_knows_that_nothing_was_written() {
    let counted = |script: &str| {
        let (_, entries) = replayed(&parse(script), "01-01 00:00", "03-31 00:00");
        entries.last().unwrap().state.get(StateField::WireCount).clone()
    };
    let fight = "01-18 12:00 cards fight 01-18 23:00: A-B";
    assert_eq!(counted(fight), StateValue::Null);
    let result = "03-02 00:00 stats fight: A-B draw";
    assert_eq!(counted(&format!("{fight}\n03-01 00:00 wire A\n{result}")), StateValue::Null);
    assert_eq!(counted(&format!("{fight}\n01-18 13:00 wire C\n{result}")), StateValue::Int(0));
}

#[test]
fn a_bout_that_no_result_names_was_not_fought() {
    check(
        "01-18 12:00 feed fight 01-18 23:00: A-B, C-D
         01-20 06:00 stats fight: A-B draw",
        &expect![[r#"
            01-18 12:00 C-D T-0 1 11.0 h scheduled
            01-18 12:00 A-B T-0 1 11.0 h scheduled
            01-20 06:00 C-D T-0 2 -31.0 h cancelled
                replace /state/bout_status: scheduled -> cancelled (source_change, statistics)
            01-20 06:00 A-B RESULT 1 -31.0 h completed
                replace /state/bout_status: scheduled -> completed (source_change, statistics)
                replace /state/result/status: pending -> official (source_change, statistics)
                add /state/result/outcome: unknown -> draw (source_change, statistics)
            01-21 06:00 A-B RESULT+24H 1 -55.0 h completed
        "#]],
    );
}

#[test]
fn of_two_bouts_that_fall_through_at_once_the_new_one_stands_for_the_one_whose_place_it_takes() {
    for (first, second) in [("A-B", "C-D"), ("C-D", "A-B")] {
        let other = if first == "A-B" { "A-D" } else { "C-B" };
        check_replaced(first, second, other);
    }
}

/// The second bout's place changes before: it was listed as long as the first all the same.
fn check_replaced(first: &str, second: &str, new: &str) {
    let script = format!(
        "01-17 00:00 cards fight 01-18 23:00: {first} 9 main_event, {second} 5 main_card, E-F 1
         01-17 12:00 cards fight 01-18 23:00: {first} 9 main_event, {second} 4 main_card, E-F 1
         01-18 12:00 cards fight 01-18 23:00: {new} 8 main_event, E-F 1"
    );
    let captures = parse(&script);
    let (_, entries) = replayed(&captures, "01-01 00:00", "01-19 00:00");
    let told = text(&captures, &entries);
    assert!(told.contains(&format!("in place of {first}, ")), "{told}");
}
