//! What a later capture says otherwise, no longer, or for the first time.

use super::*;

#[test]
fn a_win_overturned_later_has_no_winner_and_a_correction() {
    let before = start().bout(BoutRow::default()).rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)]);
    let after = start()
        .bout(BoutRow { outcome: "NC/NC", method: "Overturned", ..BoutRow::default() })
        .rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)]);
    let seen = see(&[before, after]);
    assert_eq!(
        (seen.text("results", "outcome", 0), seen.text("results", "winner_id", 0)),
        (Some("no_contest"), None)
    );
    let winner = fighter(1);
    assert_eq!(
        seen.corrections(),
        [
            "result method changed: ko_tko -> overturned".to_owned(),
            "result outcome changed: win -> no_contest".to_owned(),
            format!("result winner_id changed: {winner} -> null"),
        ]
    );
}

#[test]
fn what_a_later_capture_no_longer_gives_stays_and_is_marked_once() {
    let with =
        |reach: &str| CaptureFiles::default().index_row(1, "A One").tape_row(1, "A One", "155", reach, "");
    let seen = see(&[with("72\""), with("--"), with("--")]);
    assert_eq!(seen.table("fighters").int32s("reach_in").unwrap(), [Some(72)]);
    assert_eq!(seen.corrections(), ["fighter reach_in withdrawn: 72 -> null"]);
    assert_eq!(seen.text("fighters", "last_capture", 0), None);
}

#[test]
fn a_fighter_who_is_gone_from_the_source_stays_with_the_capture_that_last_had_him() {
    let seen = see(&[start(), start(), CaptureFiles::default().fighter(1, "A One", "155", "1990-01-01")]);
    let ids = seen.table("fighters").ids("fighter_id").unwrap();
    let place = |id| ids.iter().position(|i| *i == id).unwrap();
    assert_eq!(seen.text("fighters", "last_capture", place(fighter(1))), None);
    assert_eq!(seen.text("fighters", "last_capture", place(fighter(2))), Some("capture-1"));
    assert_eq!(seen.text("events", "last_capture", 0), Some("capture-1"));
}

#[test]
fn statistics_that_come_later_are_filled_in() {
    let empty = "Event 1,A One vs. B Two,,,,,,,,,,,,,,,,,";
    let before = start().bout(BoutRow::default()).raw_round(empty).raw_round(empty);
    let after = start().bout(BoutRow::default()).rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)]);
    let alone = see(std::slice::from_ref(&before));
    assert_eq!(alone.table("round_stats").rows(), 0);
    assert_eq!(alone.set_aside().matches("no_statistics").count(), 2);
    assert_eq!(see(&[before, after]).table("round_stats").rows(), 2);
}

#[test]
fn rounds_and_cards_of_an_older_capture_that_the_new_result_contradicts_are_taken_out() {
    let cards = "Una 27 - 30.Dua 28 - 29.Tri 28 - 29.";
    let decision = BoutRow {
        method: "Decision - Unanimous",
        round: 2,
        time: "5:00",
        details: cards,
        ..BoutRow::default()
    };
    let before = start()
        .bout(decision)
        .rounds("Event 1", "A One vs. B Two", [(10, 20), (5, 9)])
        .round("Event 1", "A One vs. B Two", 2, "A One", (1, 2), "0:10")
        .round("Event 1", "A One vs. B Two", 2, "B Two", (1, 2), "0:10");
    let after = start().bout(BoutRow { time: "0:30", ..BoutRow::default() });
    let seen = see(&[before.clone(), after]);
    assert_eq!((seen.table("round_stats").rows(), seen.table("scorecards").rows()), (0, 0));
    let rows = seen.corrections().iter().filter(|c| c.ends_with("row withdrawn: present -> null")).count();
    assert_eq!(rows, 4 + 3);
    assert!(seen.set_aside().contains("of a bout that a newer capture ends in 1"), "{}", seen.set_aside());
    // A restated clock leaves the rounds, timed anew.
    let restated = start().bout(BoutRow { time: "4:59", ..decision });
    let seen = see(&[before, restated]);
    let rounds = seen.table("round_stats");
    let secs: Vec<_> =
        rounds.int32s("round").unwrap().into_iter().zip(rounds.int32s("round_secs").unwrap()).collect();
    assert_eq!(
        secs,
        [(Some(1), Some(300)), (Some(1), Some(300)), (Some(2), Some(299)), (Some(2), Some(299))]
    );
}

#[test]
fn a_card_restated_later_is_one_whole_and_not_parts_of_two() {
    let drawn = |details| {
        start().bout(BoutRow {
            outcome: "D/D",
            method: "Decision - Split",
            round: 3,
            time: "5:00",
            details,
            ..BoutRow::default()
        })
    };
    let seen = see(&[drawn("Ron Judge 28 - 29.Sal Judge 29 - 28."), drawn("29 - 29.28 - 28.")]);
    let cards = seen.table("scorecards");
    assert_eq!(cards.strings("judge").unwrap(), [None, None]);
    assert_eq!(cards.int32s("score_a").unwrap(), [Some(29), Some(28)]);
}

#[test]
fn a_value_that_went_and_came_back_other_was_last_seen_before_it_went() {
    let with =
        |reach: &str| CaptureFiles::default().index_row(1, "A One").tape_row(1, "A One", "155", reach, "");
    let seen = see(&[with("72\""), with("--"), with("74\"")]);
    let corrections = seen.table("corrections");
    let last: Vec<i64> = corrections
        .instants("old_last_seen_at")
        .unwrap()
        .into_iter()
        .flatten()
        .map(|t| t.timestamp() / 86_400)
        .collect();
    assert_eq!(last, [20_000, 20_000]);
    assert_eq!(
        seen.corrections(),
        ["fighter reach_in withdrawn: 72 -> null", "fighter reach_in changed: 72 -> 74"]
    );
}
