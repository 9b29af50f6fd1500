//! Corrections: what the two captures differ in, one by one.

use super::*;

/// Counted with a script of a few lines that joins the two captures' files by address, and explained:
/// - results: 4 outcomes with their winners, 8 methods, 8 referees filled in; 82 details changed, 44 of them
///   texts without points, 5 texts glued to a judge, and 34 judges;
/// - judges: 27 spelt otherwise (`David Tirelli`, `Gregory Jackson`, `Salleem Haniff`), 6 now left out
///   (lines 1293, 1752 and 1759 twice each, 2402 of the newer file), 1 filled in (1317);
/// - points: 11 cards of four bouts: 5 points restated at lines 1759 and 3017, and 6 cards of lines 1084 and
///   1693, overturned since, whose 12 points have no sides any more; a card whose points changed is another
///   card, so that the 2 judges left out at line 1759 went with it;
/// - bouts: 10 weight class texts, each a tournament final found or, once, an interim title taken away;
/// - fighters: 3 full names (7 changes of first or last name, 4 of them only move the space between), 12
///   nicknames; the tale of the tape 445 heights, 520 reaches, 502 stances, 230 weights, 143 dates of birth;
/// - round statistics: no line changed; 606 lines of 121 bouts have a name that the newer capture's two lists
///   of fighters no longer have, so that they are tied by another rule, which is no correction.
#[test]
fn corrections_are_what_the_two_files_differ_in() {
    let Some(Real { both, .. }) = real() else { return };
    let mut tally = both.tally();
    // Which of the two is fighter a hangs on our ids, so their points are counted together.
    let of = |field| ["scorecard", field, "changed"];
    let points: usize = ["score_a", "score_b"].iter().filter_map(|field| tally.remove(&of(*field))).sum();
    tally.insert(of("points"), points);
    let expected = [
        (["bout", "is_title", "changed"], 1),
        (["bout", "title_kind", "changed"], 10),
        (["bout", "weight_class_raw", "changed"], 10),
        (["fighter", "date_of_birth", "changed"], 37),
        (["fighter", "date_of_birth", "filled"], 106),
        (["fighter", "height_in", "changed"], 32),
        (["fighter", "height_in", "filled"], 413),
        (["fighter", "name", "changed"], 3),
        (["fighter", "nickname", "changed"], 7),
        (["fighter", "nickname", "filled"], 4),
        (["fighter", "nickname", "withdrawn"], 1),
        (["fighter", "reach_in", "changed"], 17),
        (["fighter", "reach_in", "filled"], 503),
        (["fighter", "stance", "changed"], 1),
        (["fighter", "stance", "filled"], 501),
        (["fighter", "weight_lbs", "changed"], 217),
        (["fighter", "weight_lbs", "filled"], 13),
        (["result", "method", "changed"], 8),
        (["result", "method_detail", "changed"], 44 + 5),
        (["result", "outcome", "changed"], 4),
        (["result", "referee", "filled"], 8),
        (["result", "winner_id", "changed"], 4),
        (["scorecard", "judge", "changed"], 27 + 2),
        (["scorecard", "judge", "filled"], 1),
        (["scorecard", "judge", "withdrawn"], 4),
        (["scorecard", "points", "changed"], 5 + 12),
        (["scorecard", "raw", "changed"], 11),
    ];
    assert_eq!(tally, BTreeMap::from(expected));
}

/// Lines of `ufc_fight_results.csv` in the older and the newer capture.
#[test]
fn overturned_results_and_restated_methods_are_corrections_one_by_one() {
    let Some(Real { both, .. }) = real() else { return };
    // 604 and 1084, 707 and 1200, 1200 and 1693, 1749 and 2242.
    let outcomes = ["b78545b32a97ac44", "73370221b3fa3676", "5a2b86570110191b", "7d0874323bd1f768"];
    assert_eq!(changes(both, "result", "outcome"), owned(outcomes.map(|bout| [bout, "win", "no_contest"])));
    let methods = owned([
        ["b78545b32a97ac44", "decision_unanimous", "overturned"],
        ["73370221b3fa3676", "submission", "overturned"],
        ["5a2b86570110191b", "decision_split", "overturned"],
        ["7d0874323bd1f768", "ko_tko", "overturned"],
        // 1635 and 2128: a no contest before and after.
        ["ce151e053721fe69", "other", "overturned"],
        // 1150 and 1643, 3336 and 3829, 4557 and 5050.
        ["398db40015b3c81c", "decision_unanimous", "decision_majority"],
        ["a017d5806eaa6018", "ko_tko", "submission"],
        ["2c01f4df404ff6ee", "decision_unanimous", "decision_split"],
    ]);
    assert_eq!(changes(both, "result", "method"), methods);
    // 3409 and 3902.
    assert_eq!(changes(both, "bout", "is_title"), owned([["9444cfe0c7c0f6a7", "true", "false"]]));
    // Line 1918 of the older file has no referee, line 2411 of the newer one has.
    let referees = changes(both, "result", "referee");
    assert!(referees.iter().all(|[_, old, _]| old == "-"), "{referees:?}");
    let new: Vec<&str> = referees.iter().map(|[_, _, new]| new.as_str()).collect();
    let count = |name| new.iter().filter(|n| **n == name).count();
    assert_eq!(["Mark Smith", "Jason Herzog", "Herb Dean", "Keith Peterson"].map(count), [3, 2, 2, 1]);
}

#[test]
fn corrections_say_which_captures_had_the_old_and_the_new_value() {
    let Some(Real { both, .. }) = real() else { return };
    let sheet = &both.sheets["corrections"];
    for row in &sheet.rows {
        let text = |column| sheet.get(row, column).expect("never null");
        assert!(text("replaced_by").starts_with("20251102T"), "{}", text("replaced_by"));
        assert!(text("replaced_at").starts_with("2025-11-02"), "{}", text("replaced_at"));
        for column in ["old_first_seen_at", "old_last_seen_at"] {
            assert!(text(column).starts_with("2024-12-15"), "{column} {}", text(column));
        }
    }
}
