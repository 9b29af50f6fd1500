//! Duplicates are merged by rules that a person would use; ambiguous pairs stay apart and are reported.

use expect_test::expect;

use super::{HISTORY, check, made};

/// Fighters of one name, and what is doubtful.
fn of_name(made: &super::Made, name: &str) -> usize {
    made.text("fighters", &["name"]).lines().filter(|line| *line == name).count()
}

#[test]
fn a_debutant_whose_profile_the_statistics_source_has_is_one_fighter() {
    let made = made(
        &format!("{HISTORY}\n fighter dd 154 Dan Debutant, 1999-09-09\n fighter hh 238 Hal Heavy"),
        "capture cards 2026-01-20
            event card 2026-03-20 UFC 901: Alpha vs Beta
            bout Dan Debutant vs Ann Alpha | lbs=155
            bout Hal Heavy vs Bea Beta | lbs=265",
    );
    assert_eq!(made.id("fighter", "cards", "card#dandebutant"), made.id("fighter", "statsdb", "dd"));
    assert_eq!(made.id("fighter", "cards", "card#halheavy"), made.id("fighter", "statsdb", "hh"));
    check(
        &made
            .text("identities", &["source_id", "rule", "score"])
            .lines()
            .filter(|l| l.contains("card#") && !l.contains('+'))
            .collect::<Vec<_>>()
            .join("\n"),
        &expect![[r#"
            card#annalpha | name | 0.92
            card#beabeta | name | 0.92
            card#dandebutant | name_and_weight | 0.9
            card#halheavy | name_and_weight | 0.9"#]],
    );
    assert_eq!(made.text("doubtful_links", &["name"]), "");
}

#[test]
fn one_who_is_back_after_years_away_is_one_fighter_in_his_class_and_a_doubt_in_another() {
    let history = "
        event e0 2017-01-10 UFC 800: Epsilon vs. Zeta
        bout b0 Kim Return beats Dora Delta
        event e1 2026-01-10 UFC 900: Alpha vs. Beta
        bout b1 Ann Alpha beats Bea Beta";
    let card = |pounds: u32| {
        format!(
            "capture feed-captures 2026-01-20
                event 400 2026-03-20 UFC 901
                bout Kim Return vs Ann Alpha | lbs={pounds}"
        )
    };
    assert_eq!(of_name(&made(history, &card(155)), "Kim Return"), 1);
    let apart = made(history, &card(205));
    assert_eq!(of_name(&apart, "Kim Return"), 2);
    check(
        &apart.text("doubtful_links", &["name", "candidate_name", "reason"]),
        &expect!["Kim Return | Kim Return | nobody of this name fought in the years before"],
    );
}

#[test]
fn a_name_given_up_means_the_one_who_meets_the_same_opponents() {
    let history = "
        event e1 2026-01-10 UFC 900: Alpha vs. Beta
        bout b1 Ann Alpha beats King Green
        bout b2 Cleo Gamma beats Dora Delta
        event e2 2026-02-10 UFC 901: Gamma vs. Green
        bout b3 Cleo Gamma beats King Green";
    let made = made(
        history,
        "capture cards 2026-01-02
            event one 2026-01-10 UFC 900: Alpha vs Green
            bout Ann Alpha vs Bobby Green
            event two 2026-02-10 UFC 901: Gamma vs Green
            bout Cleo Gamma vs Bobby Green",
    );
    check(
        &made.bouts(&["status"]),
        &expect![[r#"
        Ann Alpha - King Green: completed
        Cleo Gamma - Dora Delta: completed
        Cleo Gamma - King Green: completed"#]],
    );
    assert_eq!(made.id("fighter", "cards", "one#bobbygreen"), made.id("fighter", "statsdb", "kinggreen"));
}

#[test]
fn a_brother_who_steps_in_is_somebody_else() {
    let made = made(
        HISTORY,
        "capture cards 2026-01-02
            event card 2026-01-10 UFC 900: Alpha vs Beta
            bout Cleo Gamma vs Rob Delta",
    );
    assert_eq!(of_name(&made, "Rob Delta"), 1, "one bout shows no rename");
}

#[test]
fn a_typing_error_against_the_same_opponent_is_one_fighter() {
    let made = made(
        HISTORY,
        "capture feed-captures 2026-01-02
            event 400 2026-03-20 UFC 901
            bout Rafael Cerquiera vs Ann Alpha
        capture cards 2026-01-03
            event card 2026-03-20 UFC 901: Alpha vs Cerqueira
            bout Ann Alpha vs Rafael Cerqueira",
    );
    check(
        &made.bouts(&["status"]),
        &expect![[r#"
        Ann Alpha - Bea Beta: completed
        Ann Alpha - Rafael Cerquiera: scheduled
        Cleo Gamma - Dora Delta: completed
        Eva Epsilon - Fay Zeta: completed"#]],
    );
}

#[test]
fn an_event_that_names_nobody_is_that_of_its_number_or_of_its_day() {
    let made = made(
        HISTORY,
        "capture cards 2026-01-02
            event number 2025-12-20 UFC 900: TBD vs TBD
            event night 2026-01-11 UFC Fight Night: TBD vs TBD
            event later 2026-06-11 UFC Fight Night: TBD vs TBD",
    );
    for id in ["number", "night"] {
        assert_eq!(made.id("event", "cards", id), made.id("event", "statsdb", "e1"), "{id}");
    }
    check(
        &made.text("events", &["name", "event_date"]),
        &expect![[r#"
            UFC 900: Alpha vs. Beta | 2026-01-10
            UFC Fight Night: TBD vs. TBD | 2026-06-11"#]],
    );
}

#[test]
fn a_later_list_of_another_source_ends_what_contradicts_it() {
    let made = made(
        HISTORY,
        "capture cards 2026-02-02
            event card 2026-03-20 UFC 901: Alpha vs Gamma
            bout Ann Alpha vs Cleo Gamma
            bout Bea Beta vs Dora Delta
            bout Eva Epsilon vs Gil Theta
        capture feed-captures 2026-03-02
            event 400 2026-03-20 UFC 901: Alpha vs Gamma
            bout Ann Alpha vs Cleo Gamma
            bout Bea Beta vs Fay Zeta",
    );
    check(
        &made.bouts(&["status"]),
        &expect![[r#"
        Ann Alpha - Bea Beta: completed
        Ann Alpha - Cleo Gamma: scheduled
        Bea Beta - Dora Delta: cancelled
        Bea Beta - Fay Zeta: scheduled
        Cleo Gamma - Dora Delta: completed
        Eva Epsilon - Fay Zeta: completed
        Eva Epsilon - Gil Theta: scheduled"#]],
    );
}
