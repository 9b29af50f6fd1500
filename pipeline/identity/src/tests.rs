//! Linking on made-up histories and schedules: each shows one thing.

mod duplicates;
mod namesakes;
mod script;
mod spellings;
mod untold;

use arrow::array::RecordBatch;
use expect_test::{Expect, expect};
use fdna_schemas::tables::{BoutsReader, ContractReader as _, ResultsReader};
use script::{Made, history, linked, schedule};

use super::PublishedIds;

const HISTORY: &str = "
    event e1 2026-01-10 UFC 900: Alpha vs. Beta
    bout b1 Ann Alpha, 1990-01-01 beats Bea Beta, 1991-02-02
    bout b2 Cleo Gamma beats Dora Delta
    bout b3 Eva Epsilon beats Fay Zeta
";

fn made(history_text: &str, schedule_text: &str) -> Made {
    linked(&history(history_text), schedule(schedule_text), None, "").unwrap()
}

fn check(found: &str, expected: &Expect) {
    expected.assert_eq(found);
}

#[test]
fn the_feeds_next_utc_day_accents_and_order_of_names_are_one_event_with_the_same_bouts() {
    let made = made(
        HISTORY,
        "capture feed-tables 2026-01-12
            event 400 2026-01-11 UFC 900: Alpha vs Beta
            bout 71=Bea Béta vs 70=Ann Alpha | id=501 winner=second
            bout 72=Gamma Cleo vs 73=Dora Delta | id=502 winner=first",
    );
    assert_eq!(made.id("event", "feed", "400"), made.id("event", "statsdb", "e1"));
    assert_eq!(made.id("bout", "feed", "501"), made.id("bout", "statsdb", "b1"));
    assert_eq!(made.id("fighter", "feed", "72"), made.id("fighter", "statsdb", "cleogamma"));
    check(
        &made.text("events", &["name", "statsdb_id", "feed_event_id", "card_status"]),
        &expect!["UFC 900: Alpha vs. Beta | e1 | 400 | completed"],
    );
}

#[test]
fn a_fighter_renamed_is_told_by_the_opponent_of_that_day() {
    let made = made(
        HISTORY,
        "capture feed-tables 2026-01-12
            event 400 2026-01-10 UFC 900: Alpha vs Beta
            bout 70=Ann Alpha vs 71=Bea Beta | id=501 winner=first
            bout 72=Cleo Gamma vs 73=Dora Married | id=502 winner=first
            bout 74=Eva Epsilon vs 75=Quite Another | id=503 winner=first",
    );
    assert_eq!(made.id("fighter", "feed", "73"), made.id("fighter", "statsdb", "doradelta"));
    assert_eq!(made.id("fighter", "feed", "75"), made.id("fighter", "statsdb", "fayzeta"));
}

#[test]
fn an_announced_opponent_is_not_the_one_who_came() {
    let made = made(
        HISTORY,
        "capture cards 2026-01-02
            event card 2026-01-10 UFC 900: Alpha vs Beta
            bout Ann Alpha vs Bea Beta
            bout Cleo Gamma vs Someone Else",
    );
    check(
        &made.bouts(&["status", "short_notice_days"]),
        &expect![[r#"
            Ann Alpha - Bea Beta: completed -
            Cleo Gamma - Dora Delta: completed -
            Cleo Gamma - Someone Else: cancelled -
            Eva Epsilon - Fay Zeta: completed -"#]],
    );
    let replaced = made.text("bouts", &["replaced_bout_id"]);
    let off = made.id("bout", "cards", "card#cleogamma+someoneelse");
    assert_eq!(replaced.lines().filter(|line| *line == off.to_string()).count(), 1);
}

#[test]
fn an_opponent_replaced_leaves_the_bout_cancelled_and_says_how_late() {
    let card = "event card 2026-03-20 UFC 901: Alpha vs Gamma
            bout Ann Alpha vs Cleo Gamma";
    let made = made(
        HISTORY,
        &format!(
            "capture cards 2026-02-01
                {card}
                bout Bea Beta vs Dora Delta | lbs=155
            capture cards 2026-03-10
                {card}
                bout Bea Beta vs Eva Epsilon | lbs=155"
        ),
    );
    check(
        &made.bouts(&["status", "short_notice_days", "weight_class", "is_womens"]),
        &expect![[r#"
            Ann Alpha - Bea Beta: completed - LIGHTWEIGHT -
            Ann Alpha - Cleo Gamma: scheduled - - false
            Bea Beta - Dora Delta: cancelled - LIGHTWEIGHT false
            Bea Beta - Eva Epsilon: scheduled 10 LIGHTWEIGHT false
            Cleo Gamma - Dora Delta: completed - LIGHTWEIGHT -
            Eva Epsilon - Fay Zeta: completed - LIGHTWEIGHT -"#]],
    );
    check(
        &made.text("corrections", &["kind", "field", "change", "replaced_by"]),
        &expect![[r#"
            bout | is_listed | changed | cards-2026-03-10
            bout | opponent | changed | cards-2026-03-10"#]],
    );
    check(
        &made.text("bout_listings", &["from_capture", "is_listed", "until_at"]),
        &expect![[r#"
            cards-2026-02-01 | true | -
            cards-2026-02-01 | true | 2026-03-10T00:00:00+00:00
            cards-2026-03-10 | false | -
            cards-2026-03-10 | true | -"#]],
    );
}

#[test]
fn one_name_and_another_day_of_birth_is_another_fighter_until_a_person_says_otherwise() {
    let upcoming = "capture feed 2026-02-01
        event 401 2026-03-20 UFC 901
        bout 80=Ann Alpha, 1970-05-05 vs 81=New Comer | id=601";
    let history = history(HISTORY);
    let made = linked(&history, schedule(upcoming), None, "").unwrap();
    assert_ne!(made.id("fighter", "feed", "80"), made.id("fighter", "statsdb", "annalpha"));
    check(
        &made.text("doubtful_links", &["kind", "source_id", "candidate_name", "rule", "reason"]),
        &expect!["fighter | 80 | Ann Alpha | name | born on another day"],
    );
    let decision = decision("same", "80", "statsdb:annalpha");
    let decided = linked(&history, schedule(upcoming), Some(&made), &decision).unwrap();
    assert_eq!(decided.id("fighter", "feed", "80"), decided.id("fighter", "statsdb", "annalpha"));
    assert_eq!(decided.text("doubtful_links", &["source_id"]), "");
    // Both ids were published: that of the statistics source survives, the other one still resolves.
    let given_up = made.id("fighter", "feed", "80");
    let kept = made.id("fighter", "statsdb", "annalpha");
    assert_eq!(decided.text("aliases", &["alias_id", "entity_id"]), format!("{given_up} | {kept}"));
    let later = linked(&history, schedule(upcoming), Some(&decided), &decision).unwrap();
    assert_eq!(later.text("aliases", &["alias_id", "entity_id"]), format!("{given_up} | {kept}"));
}

fn decision(what: &str, id: &str, other: &str) -> String {
    format!(
        "[[{what}]]\nkind = \"fighter\"\nsource = \"feed\"\nsource_id = \"{id}\"\nas = \"{other}\"\n\
         reason = \"seen\"\nby = \"A. Person\"\non = 2026-11-21\n"
    )
}

#[test]
fn a_person_undoes_a_link_that_a_rule_made_and_published() {
    let upcoming = "capture feed 2026-02-01
        event 401 2026-03-20 UFC 901
        bout 80=Ann Alpha vs 81=New Comer | id=601";
    let history = history(HISTORY);
    let made = linked(&history, schedule(upcoming), None, "").unwrap();
    assert_eq!(made.id("fighter", "feed", "80"), made.id("fighter", "statsdb", "annalpha"));
    let decision = decision("different", "80", "statsdb:annalpha");
    let decided = linked(&history, schedule(upcoming), Some(&made), &decision).unwrap();
    assert_ne!(decided.id("fighter", "feed", "80"), decided.id("fighter", "statsdb", "annalpha"));
    assert_eq!(decided.id("fighter", "statsdb", "annalpha"), made.id("fighter", "statsdb", "annalpha"));
}

#[test]
fn decisions_that_cannot_be_followed_name_the_file_and_the_entry() {
    let upcoming = "capture feed 2026-02-01
        event 401 2026-03-20 UFC 901
        bout 80=Ann Alpha vs 81=New Comer | id=601";
    let history = history(HISTORY);
    let error = |decisions: &str| {
        let error = linked(&history, schedule(upcoming), None, decisions).err().map(anyhow_text);
        error.unwrap_or_default()
    };
    check(
        &error(&decision("same", "99", "statsdb:annalpha")),
        &expect!["decisions.toml:1, entry same 1: no capture has fighter `99` of feed"],
    );
    let both = decision("same", "80", "statsdb:annalpha") + &decision("different", "80", "statsdb:annalpha");
    check(
        &error(&both),
        &expect!["decisions.toml:9, entry different 1: another entry says that these are the same"],
    );
    let two = decision("same", "80", "statsdb:annalpha") + &decision("same", "81", "statsdb:annalpha");
    check(
        &error(&two),
        &expect!["decisions.toml:9, entry same 2: it makes two ids of one source the same: feed 81 and 80"],
    );
    assert!(error("[[same]]\nkind = 3").starts_with("decisions.toml:2, entry file: "));
}

fn anyhow_text(error: crate::IdentityError) -> String {
    match error {
        crate::IdentityError::Decision(error) => error.to_string(),
        other => other.to_string(),
    }
}

/// First on a card, then in the feed, then fought: the id that was published first stays, in all tables.
#[test]
fn an_id_once_given_stays_when_better_sources_come() {
    let cards = "capture cards 2025-12-01
        event card 2026-01-10 UFC 900: Alpha vs Beta
        bout Ann Alpha vs Bea Beta
        ";
    let none = history("");
    let first = linked(&none, schedule(cards), None, "").unwrap();
    let bout = first.id("bout", "cards", "card#annalpha+beabeta");
    let feed = format!(
        "{cards}
        capture feed 2025-12-20
            event 400 2026-01-10 UFC 900: Alpha vs. Beta
            bout 70=Ann Alpha vs 71=Bea Beta | id=501"
    );
    let second = linked(&none, schedule(&feed), Some(&first), "").unwrap();
    assert_eq!(second.id("bout", "feed", "501"), bout);
    let history = history(HISTORY);
    let third = linked(&history, schedule(&feed), Some(&second), "").unwrap();
    assert_eq!(third.id("bout", "statsdb", "b1"), bout);
    assert_eq!(third.text("aliases", &["kind"]), "", "nothing was given up");
    let ann = first.id("fighter", "cards", "card#annalpha");
    assert_eq!(third.id("fighter", "statsdb", "annalpha"), ann);
    for (table, column) in [("bouts", "bout_id"), ("results", "bout_id")] {
        assert!(third.text(table, &[column]).contains(&bout.to_string()), "{table}");
    }
    assert!(third.text("results", &["winner_id"]).contains(&ann.to_string()));
    for row in third.text("bouts", &["fighter_a_id", "fighter_b_id"]).lines() {
        let (a, b) = row.split_once(" | ").unwrap();
        assert!(a < b, "the lower id is a");
    }
    // The same once more changes nothing.
    let again = linked(&history, schedule(&feed), Some(&third), "").unwrap();
    assert!(again.0.0 == third.0.0);
}

#[test]
fn two_published_entities_that_turn_out_to_be_one_leave_an_alias() {
    let both = "capture cards 2025-12-01
        event card 2026-01-10 UFC 900: Alpha vs Beta
        bout Ann Alpha vs Bea Beta
        bout Cleo Gamma vs Dora Delta
        ";
    let first = linked(&history(""), schedule(both), None, "").unwrap();
    let known = linked(&history(HISTORY), Vec::new(), Some(&first), "").unwrap();
    let merged = linked(&history(HISTORY), schedule(both), Some(&joined(&first, &known)), "").unwrap();
    let (kept, given_up) = (known.id("event", "statsdb", "e1"), first.id("event", "cards", "card"));
    assert_ne!(kept, given_up);
    assert_eq!(merged.id("event", "cards", "card"), kept);
    let aliases = merged.text("aliases", &["kind", "alias_id", "entity_id"]);
    assert!(aliases.contains(&format!("event | {given_up} | {kept}")), "{aliases}");
}

/// What two snapshots published, as one.
fn joined(a: &Made, b: &Made) -> Made {
    let table = fdna_schemas::Tables::get().table("identities").unwrap();
    let batches = [a, b].map(|made| made.0.0["identities"].clone());
    let mut all = a.0.clone();
    all.0.insert("identities".to_owned(), fdna_schemas::batches_to_one(table, &batches).unwrap());
    Made(all)
}

#[test]
fn two_who_met_twice_on_one_night_are_told_apart_by_order() {
    let twice = "
        event e1 1997-12-21 UFC Japan
        bout b1 Ann Alpha beats Bea Beta
        bout b2 Bea Beta beats Ann Alpha
    ";
    let text = "capture feed-tables 2026-01-12
        event 400 1997-12-21 UFC Japan
        bout 70=Ann Alpha vs 71=Bea Beta | id=501 order=1 winner=first
        bout 70=Ann Alpha vs 71=Bea Beta | id=502 order=2 winner=second";
    // Without an order at the statistics source nothing tells them apart, and neither is guessed.
    let made = made(twice, text);
    assert_ne!(made.id("bout", "feed", "501"), made.id("bout", "statsdb", "b1"));
    assert_ne!(made.id("bout", "feed", "501"), made.id("bout", "feed", "502"));
    assert!(made.text("doubtful_links", &["kind", "reason"]).contains("bout | two bouts are as near"));
}

#[test]
fn a_result_that_comes_after_the_listing_completes_the_bout() {
    let card = "capture cards 2026-01-02
        event card 2026-01-10 UFC 900: Alpha vs Beta
        bout Ann Alpha vs Bea Beta | position=main_event";
    let none = history("");
    let before = linked(&none, schedule(card), None, "").unwrap();
    check(
        &before.bouts(&["status", "card_position"]),
        &expect!["Ann Alpha - Bea Beta: scheduled main_event"],
    );
    let after = linked(&history(HISTORY), schedule(card), Some(&before), "").unwrap();
    assert!(
        after.bouts(&["status", "card_position"]).starts_with("Ann Alpha - Bea Beta: completed main_event")
    );
}

#[test]
fn a_table_that_is_renamed_on_its_own_has_the_ids_of_the_linked_bouts() {
    let card = "capture cards 2026-01-02
        event card 2026-01-10 UFC 900: Alpha vs Beta
        bout Ann Alpha vs Bea Beta | position=main_event";
    let before = linked(&history(""), schedule(card), None, "").unwrap();
    let history = history(HISTORY);
    let linking = crate::EntityResolution {
        history: &history,
        captures: schedule(card),
        published: before.published().unwrap(),
        decisions: crate::LinkDecisions::default(),
    };
    let linked = crate::link_sources(linking).unwrap();
    let ids = |results: &RecordBatch| ResultsReader::of(results).bout_id().unwrap();
    let own = history.table_batch("results").unwrap();
    let renamed = linked.ids.remap_table("results", own).unwrap();
    let (_, bouts) = linked.tables.iter().find(|(name, _)| name == "bouts").unwrap();
    let bouts = BoutsReader::of(bouts).bout_id().unwrap();
    assert!(linked.ids.is_any() && ids(&renamed).iter().all(|id| bouts.contains(id)));
    assert!(!ids(own).iter().all(|id| bouts.contains(id)), "the card's bout had its id first");
}

#[test]
fn a_bout_with_an_opponent_to_be_announced_is_counted_and_noted() {
    let history = history(HISTORY);
    let captures = schedule(
        "capture cards 2026-02-01
        event card 2026-03-20 UFC 901
        bout Ann Alpha vs TBA",
    );
    let linked = crate::link_sources(crate::EntityResolution {
        history: &history,
        captures,
        published: PublishedIds::default(),
        decisions: crate::LinkDecisions::default(),
    })
    .unwrap();
    let count = linked.counts.iter().find(|c| c.table == "schedule_bouts").unwrap();
    assert_eq!((count.rows_in, count.rows_out, count.set_aside), (1, 0, 1));
}

#[test]
fn a_claim_of_two_bouts_is_the_event_that_had_both_and_not_the_rematch_of_one() {
    let rematch = "
        event e1 2026-01-10 UFC Fight Night
        bout b1 Ann Alpha beats Bea Beta
        bout b2 Cleo Gamma beats Dora Delta
        event e2 2026-01-11 UFC on Tour
        bout b3 Ann Alpha beats Bea Beta
        bout b4 Eva Epsilon beats Fay Zeta
    ";
    let made = made(
        rematch,
        "capture feed-tables 2026-01-20
            event 400 2026-01-10 The Night
            bout 70=Ann Alpha vs 71=Bea Beta | id=501 winner=first
            bout 72=Cleo Gamma vs 73=Dora Delta | id=502 winner=first",
    );
    assert_eq!(made.id("event", "feed", "400"), made.id("event", "statsdb", "e1"));
    assert_eq!(made.text("doubtful_links", &["kind", "reason"]), "");
}
