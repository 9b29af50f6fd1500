//! One bout under names that a source writes now so and now so, and what is no other spelling but another person.

use expect_test::expect;

use super::{HISTORY, check, made};

#[test]
fn two_spellings_of_one_fighter_against_the_same_opponent_are_one_bout_and_no_replacement() {
    for other in ["Bea' Beta", "Bea Maria Beta", "Bea Betta", "Béa Beta"] {
        let made = made(
            HISTORY,
            &format!(
                "capture cards 2025-12-20
                    event card 2026-01-10 UFC 900: Alpha vs Beta
                    bout Ann Alpha vs {other}
                 capture cards 2026-01-02
                    event card 2026-01-10 UFC 900: Alpha vs Beta
                    bout Bea Beta vs Ann Alpha"
            ),
        );
        check(
            &made.bouts(&["status", "replaced_bout_id"]),
            &expect![[r#"
                Ann Alpha - Bea Beta: completed -
                Cleo Gamma - Dora Delta: completed -
                Eva Epsilon - Fay Zeta: completed -"#]],
        );
        assert_eq!(made.rows("fighters"), 6, "{other}");
        assert_eq!(made.text("doubtful_links", &["source_id"]), "", "{other}");
    }
}

#[test]
fn a_newcomer_spelled_otherwise_later_is_one_fighter_in_one_bout() {
    let made = made(
        HISTORY,
        "capture cards 2026-02-01
            event card 2026-03-20 UFC 901
            bout Ann Alpha vs SuYoung Yu
         capture cards 2026-02-02
            event card 2026-03-20 UFC 901
            bout Ann Alpha vs SuYoung You",
    );
    assert!(made.bouts(&["status"]).contains("Ann Alpha - SuYoung Yu: scheduled"));
    assert_eq!(made.rows("fighters"), 7);
    assert_eq!(made.rows("bouts"), 4);
}

#[test]
fn a_relative_who_steps_in_is_another_person() {
    let made = made(
        HISTORY,
        "capture cards 2026-02-01
            event card 2026-03-20 UFC 901
            bout Ann Alpha vs Said Testov
         capture cards 2026-03-10
            event card 2026-03-20 UFC 901
            bout Ann Alpha vs Umar Testov",
    );
    let bouts = made.bouts(&["status", "short_notice_days"]);
    assert!(bouts.contains("Ann Alpha - Said Testov: cancelled -"), "{bouts}");
    assert!(bouts.contains("Ann Alpha - Umar Testov: scheduled 10"), "{bouts}");
}

#[test]
fn the_bouts_tell_which_event_it_is_where_the_fighters_of_a_list_have_no_ids() {
    let made = made(
        HISTORY,
        "capture feed-history 2026-02-01
            event 400 2026-01-10 The Contenders, Week 1
            bout Ann Alpha vs Bea Beta | id=501 status=completed
            bout Cleo Gamma vs Dora Delta | id=502 status=completed",
    );
    assert_eq!(made.id("event", "feed", "400"), made.id("event", "statsdb", "e1"));
    assert_eq!(made.id("bout", "feed", "501"), made.id("bout", "statsdb", "b1"));
    assert_eq!(made.rows("fighters"), 6);
}
