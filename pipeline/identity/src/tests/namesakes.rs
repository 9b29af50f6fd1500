//! Two fighters of one name, and one of them on a card.

use super::made;
use super::script::Made;

const TWO: &str = "
    event e1 2025-06-01 UFC 890
    bout b1 light=Jo Silva beats Ann Alpha | FLYWEIGHT
    bout b2 heavy=Jo Silva beats Bea Beta | HEAVYWEIGHT
    bout b3 third=Cleo Gamma beats Dora Delta | BANTAMWEIGHT
    bout b4 fourth=Cleo Gamma beats Eva Epsilon | FEATHERWEIGHT
    bout b5 fifth=Gil Open beats Fay Zeta | FLYWEIGHT
    bout b6 sixth=Gil Open beats Hal Eta | -
";

fn card(name: &str, more: &str) -> Made {
    made(
        TWO,
        &format!(
            "capture feed 2025-10-01
                event 401 2025-12-20 UFC 901
                bout 80={name} vs 81=New Comer | id=601 {more}"
        ),
    )
}

fn doubts(made: &Made) -> String {
    made.text("doubtful_links", &["source_id", "reason"])
}

#[test]
fn the_class_of_the_bout_tells_who_is_meant() {
    let made = card("Jo Silva", "lbs=265");
    assert_eq!(made.id("fighter", "feed", "80"), made.id("fighter", "statsdb", "heavy"));
    let made = card("Jo Silva", "lbs=125");
    assert_eq!(made.id("fighter", "feed", "80"), made.id("fighter", "statsdb", "light"));
    assert_eq!(doubts(&made), "");
    let rules = made.text("identities", &["source", "source_id", "rule", "score"]);
    assert!(rules.contains("feed | 80 | name_and_weight | 0.87"), "{rules}");
}

#[test]
fn a_class_that_neither_fought_in_or_none_at_all_leaves_the_doubt() {
    for more in ["lbs=170", ""] {
        let made = card("Jo Silva", more);
        assert_eq!(doubts(&made), "80 | 2 fighters bear this name", "{more}");
    }
}

#[test]
fn namesakes_one_class_apart_are_not_told_apart_by_it() {
    let made = card("Cleo Gamma", "lbs=145");
    assert_eq!(doubts(&made), "80 | 2 fighters bear this name");
}

#[test]
fn a_namesake_whose_class_nobody_states_may_be_meant() {
    let made = card("Gil Open", "lbs=125");
    assert_eq!(doubts(&made), "80 | 2 fighters bear this name");
}
