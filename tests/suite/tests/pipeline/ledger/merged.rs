//! Bouts that turn out to be one: their rows stay, and are found by every id that the bout ever had.

use fdna_ledger::{Checkpoint, LedgerEntry};
use fdna_suite::http::Serving;
use fdna_suite::rows;
use serde_json::Value as Json;
use uuid::Uuid;

use crate::ledger::week::{ANNOUNCED, Week};

fn rows_of(week: &Week, ids: &[Uuid]) -> Vec<LedgerEntry> {
    week.rows().into_iter().filter(|row| ids.contains(&row.bout_id)).collect()
}

/// Ids of the rows that a bout's ledger has over HTTP.
fn served(serving: &Serving, id: &str) -> Vec<String> {
    let answer = serving.get(&format!("/v1/mma/bouts/{id}/ledger?limit=1000"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    let body: Json = serde_json::from_slice(&answer.body).unwrap();
    let rows = body["data"].as_array().unwrap().iter();
    rows.map(|row| row["ledger_id"].as_str().unwrap().to_owned()).collect()
}

fn ids(rows: &[LedgerEntry]) -> Vec<String> {
    rows.iter().map(|row| row.ledger_id.to_string()).collect()
}

/// Cards have it first and give no ids; the statistics have its result.
#[test]
fn a_bout_known_from_a_card_keeps_its_id_and_its_rows_when_its_result_comes() {
    let week = Week::new();
    week.card("2025-03-20T000000Z", &ANNOUNCED);
    week.run("2025-03-20T01:00:00Z");
    week.run("2025-03-29T20:00:00Z");
    let bout = week.bout(ANNOUNCED[0]);
    week.results("2025-03-31T060000Z", &ANNOUNCED.map(|bout| (bout, "W/L", "Submission")));
    week.run("2025-03-31T07:00:00Z");
    let of_bout = rows_of(&week, &[bout]);
    let checkpoints: Vec<String> = of_bout.iter().map(|row| row.checkpoint.to_string()).collect();
    assert_eq!(checkpoints, ["ANNOUNCED", "T-0", "RESULT"]);
    assert_eq!(week.rows().iter().filter(|row| row.is_baseline).count(), 3);
    let serving = Serving::start(&week.bench);
    for id in [bout.to_string(), format!("{:016x}", 70)] {
        assert_eq!(served(&serving, &id), ids(&of_bout), "{id}");
    }
}

/// The card has the fighter under a name that no rule ties to the statistics': two bouts, until a person says so.
#[test]
fn rows_of_two_bouts_that_a_decision_makes_one_are_found_by_both_ids_and_nothing_begins_anew() {
    let week = Week::new();
    let [_, second, third] = ANNOUNCED;
    let listed = "Quite Unheard vs. Ekkdrim Glornork";
    week.card("2025-03-20T000000Z", &[listed, second, third]);
    week.run("2025-03-20T01:00:00Z");
    week.results("2025-03-31T060000Z", &ANNOUNCED.map(|bout| (bout, "W/L", "Submission")));
    week.run("2025-03-31T07:00:00Z");
    let both = [week.bout(listed), week.bout(ANNOUNCED[0])];
    let before = rows_of(&week, &both);
    assert_eq!(before.iter().filter(|row| row.is_baseline).count(), 2);
    let hoxquo = 100 + "Hoxquo Vorbnork".bytes().map(u64::from).sum::<u64>();
    let decision = format!(
        "[[same]]\nkind = \"fighter\"\nsource = \"cards\"\n\
         source_id = \"https://cards.example/event/night-7#quiteunheard\"\nas = \"statsdb:{hoxquo:016x}\"\n\
         reason = \"seen on both pages\"\nby = \"A. Person\"\non = 2025-04-01\n"
    );
    week.write("who/decided.toml", decision.as_bytes());
    let args = ["run", "--aliases", "who", "--captures", "cards=cards", "--captures", "statsdb=stats"];
    for now in ["2025-03-31T12:00:00Z", "2025-04-01T12:00:00Z", "2025-04-05T12:00:00Z"] {
        week.ok(now, &args);
    }
    let aliases = rows(&week.bench.tables()["aliases"]);
    let of_bout = aliases.iter().find(|row| row["kind"] == "bout").expect("one id leads to the other");
    let (alias, survivor) = (&of_bout["alias_id"], &of_bout["entity_id"]);
    assert!(both.iter().all(|id| [alias, survivor].contains(&&id.to_string())));
    let after = rows_of(&week, &both);
    assert!(after.starts_with(&before), "what was written stays as it was");
    let new = &after[before.len()..];
    assert!(
        !new.is_empty() && new.iter().all(|row| !row.is_baseline && row.bout_id.to_string() == *survivor)
    );
    assert_eq!(new.iter().filter(|row| row.checkpoint == Checkpoint::ResultDay).count(), 1);
    let serving = Serving::start(&week.bench);
    let found = served(&serving, survivor);
    assert_eq!(found.len(), after.len());
    assert_eq!(served(&serving, alias), found);
    week.verifies();
}
