//! What contradicts itself or cannot be is refused, and nothing else with it.

use super::*;

#[test]
fn statistics_that_contradict_themselves_go_whole_and_the_bout_stays() {
    let broken = "Event 1,A One vs. B Two,Round 1,A One,0.0,9 of 10,--,9 of 10,0 of 0,---,0.0,0.0,0:00,8 of 10,0 of 0,0 of 0,9 of 10,0 of 0,0 of 0";
    let capture = start().bout(BoutRow::default()).raw_round(broken).round(
        "Event 1",
        "A One vs. B Two",
        1,
        "B Two",
        (1, 2),
        "0:00",
    );
    let seen = see(&[capture]);
    assert_eq!((seen.table("bouts").rows(), seen.table("round_stats").rows()), (1, 0));
    insta::assert_snapshot!(seen.set_aside(), @r"
    ufc_fight_stats.csv:2 contradiction: line 2: targets sum to 8, sig_landed is 9
    ufc_fight_stats.csv:3 contradiction: line 2: targets sum to 8, sig_landed is 9
    ");
}

#[test]
fn a_missing_round_a_round_too_many_and_too_much_control_are_refused() {
    let long = || start().bout(BoutRow { round: 2, ..BoutRow::default() });
    let one = long().rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)]);
    assert!(
        see(&[one]).set_aside().contains("incomplete_rounds: round 2 of 2 is not there for both fighters")
    );
    let short = || start().bout(BoutRow::default()).rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)]);
    let many = short().round("Event 1", "A One vs. B Two", 2, "A One", (0, 0), "--").round(
        "Event 1",
        "A One vs. B Two",
        2,
        "B Two",
        (0, 0),
        "--",
    );
    assert!(see(&[many]).set_aside().contains("round 2 of a bout that ended in 1"));
    let held = start()
        .bout(BoutRow::default())
        .round("Event 1", "A One vs. B Two", 1, "A One", (1, 2), "1:30")
        .round("Event 1", "A One vs. B Two", 1, "B Two", (1, 2), "0:31");
    assert!(see(&[held]).set_aside().contains("121 s of control in 120 s of fight"));
}

#[test]
fn a_clock_outside_the_format_an_unknown_event_and_an_unknown_method_are_refused() {
    for (row, expected) in [
        (BoutRow { time: "5:01", ..BoutRow::default() }, "round 1 at 301 s is not within 3 Rnd (5-5-5)"),
        (BoutRow { event: "Nowhere", ..BoutRow::default() }, "no event is named `Nowhere`"),
        (BoutRow { method: "Magic", ..BoutRow::default() }, "`METHOD` is `Magic`"),
    ] {
        let seen = see(&[start().bout(row)]);
        assert_eq!(seen.table("bouts").rows(), 0);
        assert!(seen.set_aside().contains(expected), "{}", seen.set_aside());
    }
}

#[test]
fn points_land_on_the_loser_first_and_stay_open_where_nobody_lost() {
    let details = "Point Deducted: Low Blow by TwoJudge Una 27 - 30.Judge Dua 28 - 29.Judge Una 28 - 29.";
    let decision =
        BoutRow { method: "Decision - Unanimous", round: 3, time: "5:00", details, ..BoutRow::default() };
    let drawn = BoutRow {
        id: 2,
        outcome: "D/D",
        method: "Decision - Majority",
        details: "Judge Una 28 - 29.Judge Dua 28 - 28.Judge Tri 28 - 28.",
        ..decision
    };
    let seen = see(&[start().bout(decision).bout(drawn)]);
    let cards = seen.table("scorecards");
    let winner_is_a = fighter(1) < fighter(2);
    let columns = ["score_a", "score_b"].map(|c| cards.int32s(c).unwrap());
    let of = |bout: u64| -> Vec<[Option<i32>; 2]> {
        let ids = cards.ids("bout_id").unwrap();
        (0..cards.rows())
            .filter(|i| ids[*i] == bout_id(bout))
            .map(|i| [columns[0][i], columns[1][i]])
            .collect()
    };
    let won = |won, lost| if winner_is_a { [Some(won), Some(lost)] } else { [Some(lost), Some(won)] };
    assert_eq!(of(1), [won(30, 27), won(29, 28), won(29, 28)]);
    assert_eq!(of(2), [[None; 2], [Some(28); 2], [Some(28); 2]]);
    let results = seen.table("results");
    let place = results.ids("bout_id").unwrap().iter().position(|id| *id == bout_id(1)).unwrap();
    assert_eq!(seen.text("results", "method_detail", place), Some("Point Deducted: Low Blow by Two"));
}

#[test]
fn a_refused_row_keeps_its_place_on_the_card_and_one_behind_it_leaves_the_places_open() {
    let bout = |id, time| BoutRow { id, time, ..BoutRow::default() };
    let fight = |id: u64, time| (id, bout(id, time));
    let orders = |rows: [(u64, BoutRow<'_>); 3]| {
        let capture = rows.iter().fold(start(), |capture, (_, row)| capture.bout(*row));
        let seen = see(&[capture]);
        let reader = seen.table("bouts");
        let ids = reader.ids("bout_id").unwrap();
        let orders = reader.int32s("bout_order").unwrap();
        rows.map(|(id, _)| ids.iter().position(|i| *i == bout_id(id)).map(|place| orders[place]))
    };
    assert_eq!(
        orders([fight(1, "1:00"), fight(2, "x:00"), fight(3, "1:00")]),
        [Some(Some(3)), None, Some(Some(1))]
    );
    assert_eq!(
        orders([fight(1, "1:00"), fight(2, "1:00"), fight(3, "x:00")]),
        [Some(None), Some(None), None]
    );
}
