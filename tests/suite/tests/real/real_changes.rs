//! What real captures show to have changed from one to the next, each case by name, read by hand from the files:
//! bouts taken off a card, opponents replaced, starts and segments moved, results overturned, statistics that came
//! late, fighters renamed.
//!
//! The captures are not part of the repository: without them these tests pass over themselves and say so, and on CI
//! they fail.

mod read;

use fdna_suite::{Row, cells};
use insta::assert_snapshot;
use read::{Linked, captures, history};

/// Calendars of these times, linked to no other source.
fn cards(times: &[&str]) -> Option<Linked> {
    Some(Linked::of(&history(&[])?, captures("cards", "cards-ics", times)))
}

/// The same of captures of the feed.
fn feed(times: &[&str]) -> Option<Linked> {
    Some(Linked::of(&history(&[])?, captures("feed-captures", "feed-captures", times)))
}

const STATUS: [&str; 3] = ["status", "card_position", "short_notice_days"];

/// UFC 311: on the day before, the challenger fell out, and one of another bout took his place.
#[test]
fn a_real_opponent_is_replaced_on_a_days_notice_and_the_bout_he_leaves_is_off() {
    let Some(linked) = cards(&["2025-01-17T010747Z", "2025-01-17T201504Z"]) else { return };
    let new = linked.bout(["Islam Makhachev", "Renato Moicano"]);
    let old = linked.bout(["Islam Makhachev", "Arman Tsarukyan"]);
    let left = linked.bout(["Beneil Dariush", "Renato Moicano"]);
    assert_eq!(cells(&new, &STATUS), "scheduled main_event 1");
    assert_eq!(new["replaced_bout_id"], old["bout_id"], "the main event stands for the main event");
    assert_eq!(
        [cells(&old, &STATUS), cells(&left, &STATUS)].map(|s| s.split(' ').next().unwrap().to_owned()),
        ["cancelled"; 2]
    );
    assert_snapshot!(linked.corrections(&new["bout_id"]), @"2025-01-17T201504Z bout opponent changed of Islam Makhachev: Arman Tsarukyan -> Renato Moicano");
    assert_snapshot!(linked.corrections(&left["bout_id"]), @"2025-01-17T201504Z bout is_listed changed of cards: true -> false");
    assert_snapshot!(linked.spans(&old), @r"
    cards 2025-01-17T010747Z on until 2025-01-17T20:15:04Z
    cards 2025-01-17T201504Z off until open
    ");
}

/// Almeida and Spivac went up to the main card that day.
#[test]
fn a_real_bout_moves_to_another_part_of_the_card_and_starts_later() {
    let Some(linked) = cards(&["2025-01-17T010747Z", "2025-01-17T201504Z"]) else { return };
    let bout = linked.bout(["Jailton Almeida", "Serghei Spivac"]);
    assert_eq!(cells(&bout, &["card_position", "start_at"]), "main_card 2025-01-19T03:00:00Z");
    assert_snapshot!(linked.corrections_of(&bout["bout_id"], &["card_position", "start_at"]), @r"
    2025-01-17T201504Z bout card_position changed of cards: prelims -> main_card
    2025-01-17T201504Z bout start_at changed of cards: 2025-01-19T01:00:00+00:00 -> 2025-01-19T03:00:00+00:00
    ");
}

/// Barboza and Garcia: on the card of 2025-02-22 until the capture of 2025-02-18, and nobody in their place.
#[test]
fn a_real_bout_taken_off_a_card_is_cancelled_and_replaced_by_none() {
    let Some(linked) = cards(&["2025-02-17T011224Z", "2025-02-17T161827Z", "2025-02-18T201616Z"]) else {
        return;
    };
    let bout = linked.bout(["Edson Barboza", "Steve Garcia"]);
    assert_eq!(cells(&bout, &STATUS[..1]), "cancelled");
    assert_snapshot!(linked.spans(&bout), @r"
    cards 2025-02-17T011224Z on until 2025-02-18T20:16:16Z
    cards 2025-02-18T201616Z off until open
    ");
    let replaced =
        linked.rows("bouts").into_iter().filter(|row| row.get("replaced_bout_id") == Some(&bout["bout_id"]));
    assert_eq!(replaced.count(), 0);
    // Matsumoto came for Cruz five days before.
    let new = linked.bout(["Rob Font", "Jean Matsumoto"]);
    let old = linked.bout(["Rob Font", "Dominick Cruz"]);
    assert_eq!(
        (&new["replaced_bout_id"], cells(&new, &STATUS)),
        (&old["bout_id"], "scheduled main_card 5".to_owned())
    );
}

#[test]
fn a_real_start_that_is_moved_is_a_correction_of_the_event() {
    let Some(linked) = cards(&["2024-10-30T201616Z", "2024-10-31T011106Z"]) else { return };
    let event = linked.event("UFC 312: TBD vs. TBD");
    assert_eq!(cells(&event, &["event_date", "start_at"]), "2025-02-08 2025-02-09T03:00:00Z");
    assert_snapshot!(linked.corrections(&event["event_id"]), @r"
    2024-10-31T011106Z event event_date changed of cards: 2025-02-09 -> 2025-02-08
    2024-10-31T011106Z event start_at changed of cards: 2025-02-10T03:00:00+00:00 -> 2025-02-09T03:00:00+00:00
    ");
}

/// `Ode Osbourne`, `Ode' Osbourne` and `Ode Osbourne` again, on the card of 2024-09-14.
#[test]
fn a_name_written_otherwise_takes_nobody_off_a_real_card() {
    let Some(linked) = cards(&["2024-09-11T010545Z", "2024-09-12T161705Z", "2024-09-14T010514Z"]) else {
        return;
    };
    let bouts: Vec<_> = ["Ode Osbourne", "Ode' Osbourne"]
        .into_iter()
        .flat_map(|name| linked.bouts(["Ronaldo Rodriguez", name]))
        .collect();
    assert_eq!(bouts.len(), 1);
    assert_eq!(bouts[0]["status"], "scheduled");
    assert_snapshot!(linked.corrections(&bouts[0]["bout_id"]), @"");
}

/// Every list of past and next cards was empty in the capture of 2024-10-24T16:16:55, and whole nine hours later.
#[test]
fn a_calendar_whose_lists_are_empty_for_once_takes_nobody_off() {
    let Some(linked) = cards(&["2024-10-23T201644Z", "2024-10-24T161655Z", "2024-10-25T011019Z"]) else {
        return;
    };
    let bout = linked.bout(["Ilia Topuria", "Max Holloway"]);
    assert_eq!(bout["status"], "scheduled");
    assert_snapshot!(linked.corrections(&bout["bout_id"]), @"");
}

/// UFC 328 without Guskov and Blachowicz; Sutherland for Sharaf on the card of 2026-05-02.
#[test]
fn the_feed_shows_a_real_bout_cancelled_and_a_real_opponent_replaced() {
    let Some(linked) = feed(&["2026-04-25T101417Z", "2026-04-26T110724Z"]) else { return };
    let off = linked.bout(["Bogdan Guskov", "Jan Blachowicz"]);
    assert_eq!(cells(&off, &STATUS[..1]), "cancelled");
    assert_snapshot!(linked.corrections(&off["bout_id"]), @"2026-04-26T110724Z bout is_listed changed of feed-captures: true -> false");
    let new = linked.bout(["Louie Sutherland", "Tai Tuivasa"]);
    let old = linked.bout(["Sean Sharaf", "Tai Tuivasa"]);
    assert_eq!(cells(&new, &["status", "short_notice_days"]), "scheduled 6");
    assert_eq!((&new["replaced_bout_id"], &*old["status"]), (&old["bout_id"], "cancelled"));
    assert_snapshot!(linked.corrections(&new["bout_id"]), @"2026-04-26T110724Z bout opponent changed of Tai Tuivasa: Sean Sharaf -> Louie Sutherland");
}

/// UFC 329's list: 11 bouts, none, 11, none.
#[test]
fn a_real_list_that_flaps_between_empty_and_full_cancels_nothing() {
    let times = ["2026-05-24T104414Z", "2026-05-24T142611Z", "2026-05-26T100344Z", "2026-05-27T155512Z"];
    let Some(linked) = feed(&times) else { return };
    let event = linked.event("UFC 329: McGregor vs. Holloway 2");
    let bout = linked.bout(["Conor McGregor", "Max Holloway"]);
    assert_eq!((&*bout["status"], &*event["card_status"]), ("scheduled", "scheduled"));
    assert_snapshot!(linked.spans(&bout), @"feed-captures 2026-05-24T104414Z on until open");
    assert_snapshot!(linked.corrections_of(&event["event_id"], &["listed_bouts", "is_listed"]), @"");
    let mut of_event = linked.rows("bouts");
    of_event.retain(|row| row["event_id"] == event["event_id"]);
    assert_eq!(of_event.len(), 11);
    assert!(of_event.iter().all(|row| row["status"] == "scheduled"));
}

/// Lines 604, 707, 1200 and 1749 of the older `ufc_fight_results.csv`, 1084, 1200, 1693 and 2242 of the newer.
#[test]
fn four_real_results_are_overturned_and_the_winners_won_nothing() {
    let Some(history) = history(&["2024-12-15", "2025-11-02"]) else { return };
    let linked = Linked::of(&history, Vec::new());
    let bouts = [
        ["Dan Argueta", "Miles Johns"],
        ["Holly Holm", "Mayra Bueno Silva"],
        ["Don'Tale Mayes", "Hamdy Abdelwahab"],
        ["Alan Baudot", "Rodrigo Nascimento"],
    ];
    let results = linked.rows("results");
    for pair in bouts {
        let bout = linked.bout(pair);
        let result = results.iter().find(|row| row["bout_id"] == bout["bout_id"]).unwrap();
        assert_eq!(cells(result, &["outcome", "method", "winner_id"]), "no_contest overturned -");
        let winner = linked.corrections_of(&bout["bout_id"], &["winner_id"]);
        assert_eq!(winner, format!("2025-11-02 result winner_id changed: {} -> -", pair[1]));
    }
    let argueta = linked.bout(bouts[0]);
    assert_snapshot!(linked.corrections_of(&argueta["bout_id"], &["outcome", "method"]), @r"
    2025-11-02 result method changed: decision_unanimous -> overturned
    2025-11-02 result outcome changed: win -> no_contest
    ");
}

#[test]
fn a_real_fighter_renamed_keeps_id_and_bouts() {
    let (Some(older), Some(both)) = (history(&["2024-12-15"]), history(&["2024-12-15", "2025-11-02"])) else {
        return;
    };
    let [before, after] = [&older, &both].map(|history| Linked::of(history, Vec::new()));
    let ((id, old_bouts), (same, bouts)) =
        (before.fighter("Montserrat Rendon"), after.fighter("Montse Rendon"));
    assert_eq!((&id, old_bouts.len()), (&same, 2));
    assert!(old_bouts.is_subset(&bouts), "{old_bouts:?} {bouts:?}");
    let said = after.corrections_of(&id, &["name"]);
    assert_eq!(said, "2025-11-02 fighter name changed: Montserrat Rendon -> Montse Rendon");
    // The index has Green's new name in both captures, and the rounds of both have the old one.
    let (_, bouts) = after.fighter("King Green");
    let mut rounds = after.rows("round_stats");
    rounds.retain(|row| bouts.contains(&row["bout_id"]) && after.name(&row["fighter_id"]) == "King Green");
    assert!(rounds.len() > 40, "{}", rounds.len());
}

/// The capture of 2025-01-12 has the results of the day before, and no line of their rounds; those of Dern and Ribas are
/// lines 2 to 7 of the `ufc_fight_stats.csv` of 2025-11-02.
#[test]
fn real_statistics_that_come_late_are_filled_in_and_change_no_result() {
    let (Some(early), Some(late)) =
        (history(&["2024-12-15", "2025-01-12"]), history(&["2024-12-15", "2025-01-12", "2025-11-02"]))
    else {
        return;
    };
    let [before, after] = [&early, &late].map(|history| Linked::of(history, Vec::new()));
    let pair = ["Amanda Ribas", "Mackenzie Dern"];
    let rounds = |linked: &Linked| {
        let bout = linked.bouts(pair).pop().unwrap();
        assert_eq!(bout["event_date"], "2025-01-11");
        let mut rounds = linked.rows("round_stats");
        rounds.retain(|row| row["bout_id"] == bout["bout_id"]);
        let line = |row: &Row| {
            format!(
                "{} {}",
                linked.name(&row["fighter_id"]),
                cells(row, &["round", "sig_landed", "sig_attempted", "control_secs"])
            )
        };
        let mut lines: Vec<String> = rounds.iter().map(line).collect();
        lines.sort();
        (bout, lines.join("\n"))
    };
    let ((there, none), (bout, six)) = (rounds(&before), rounds(&after));
    assert_eq!((none.as_str(), &there["bout_id"]), ("", &bout["bout_id"]));
    assert_snapshot!(six, @r"
    Amanda Ribas 1 10 33 -
    Amanda Ribas 2 3 6 -
    Amanda Ribas 3 4 17 -
    Mackenzie Dern 1 12 25 -
    Mackenzie Dern 2 3 3 -
    Mackenzie Dern 3 12 18 -
    ");
    assert_snapshot!(after.corrections(&bout["bout_id"]), @"");
}
