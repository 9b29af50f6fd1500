//! Champions by title bouts and by rankings.

use serde_json::{Value, json};

use crate::common::get;
use crate::content::{Moved, captured};
use crate::snapshot::{bout, event, fighter, sides, table};

/// Title bouts of one class: day, kind, fighters, and whether the first of them won; else it was a draw.
const FOUGHT: &[(&str, &str, &str, &str, bool)] = &[
    ("2019-01-01", "undisputed", "fa", "fb", true),
    ("2019-06-01", "undisputed", "fa", "fc", true),
    ("2019-09-01", "undisputed", "fa", "fd", false),
    ("2020-01-01", "interim", "fb", "fc", true),
    ("2020-03-01", "undisputed", "fa", "fc", true),
    ("2020-06-01", "undisputed", "fb", "fa", true),
];

fn moved() -> Moved {
    Moved::at("2026-01-01T00:00:00Z", |tables| {
        let id = |day: &str| format!("t{day}");
        let events = FOUGHT.iter().map(|(day, ..)| {
            json!({"event_id": event(&id(day)).to_string(), "statsdb_id": id(day), "name": id(day),
                   "event_date": day, "card_status": "completed", "promotion": "UFC"})
        });
        tables.events = table("events", events.collect());
        let bouts = FOUGHT.iter().map(|(day, kind, x, y, _)| {
            let [a, b] = sides(x, y);
            json!({"bout_id": bout(&id(day)).to_string(), "statsdb_id": id(day),
                   "event_id": event(&id(day)).to_string(), "event_date": day, "weight_class": "LIGHTWEIGHT",
                   "is_title": true, "title_kind": kind, "status": "completed", "promotion": "UFC",
                   "fighter_a_id": a.to_string(), "fighter_b_id": b.to_string()})
        });
        tables.bouts = table("bouts", bouts.collect());
        let results = FOUGHT.iter().map(|(day, _, winner, _, is_won)| {
            json!({"bout_id": bout(&id(day)).to_string(), "outcome": if *is_won { "win" } else { "draw" },
                   "winner_id": is_won.then(|| fighter(winner).to_string()), "method": "decision_split"})
        });
        tables.results = table("results", results.collect());
        tables.round_stats = table("round_stats", vec![]);
        tables.scorecards = table("scorecards", vec![]);
        tables.identities = table("identities", vec![]);
        tables.corrections = table("corrections", vec![]);
        tables.sources = captured(&["rankings"]);
        let listed = |day: &str, class: &str, who: Option<&str>| {
            json!({"snapshot_date": day, "division": class, "place": 1, "rank": 0, "label": class,
                   "is_champion": who.is_some(), "fighter_id": who.map(|who| fighter(who).to_string()),
                   "fighter_name": who.map(|who| format!("Name {who}")), "source": "rankings"})
        };
        let rows = vec![
            listed("2019-12-01", "LIGHTWEIGHT", Some("fa")),
            listed("2020-07-01", "LIGHTWEIGHT", Some("fc")),
            listed("2020-07-01", "WOMENS_FLYWEIGHT", None),
        ];
        tables.rankings = table("rankings", rows);
    })
}

/// `class kind: winner, in a row, since, ranked, agree`.
async fn told(query: &str) -> Vec<String> {
    let data = moved().data(&format!("/v1/mma/champions{query}")).await;
    let line = |title: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let (won, ranked) = (&title["title_won"], &title["ranked"]);
        let listed =
            if ranked["is_vacant"] == true { "vacant".into() } else { text(&ranked["fighter_name"]) };
        let (class, kind) = (text(&title["weight_class"]), text(&title["title_kind"]));
        let (winner, since) = (text(&won["fighter"]["statsdb_id"]), text(&won["first_won_on"]));
        format!(
            "{class} {kind}: {winner} {} {since}, {listed}, {}",
            won["won_in_a_row"], title["sources_agree"]
        )
    };
    data.as_array().expect("a list").iter().map(line).collect()
}

#[tokio::test]
async fn a_title_is_its_newest_winners_and_the_rankings_stand_beside_it() {
    assert_eq!(told("?as_of=2019-01-01").await, Vec::<String>::new());
    assert_eq!(told("?as_of=2019-01-02").await, ["LIGHTWEIGHT undisputed: fa 1 2019-01-01, -, null"]);
    let drawn = ["LIGHTWEIGHT undisputed: fa 2 2019-01-01, Name fa, true"];
    assert_eq!(told("?as_of=2020-01-01").await, drawn, "a draw does not end a reign");
    let now = [
        "LIGHTWEIGHT undisputed: fb 1 2020-06-01, Name fc, false",
        "WOMENS_FLYWEIGHT undisputed: - null -, vacant, null",
    ];
    assert_eq!(told("").await, now);
    assert_eq!(told("?weight_class=LIGHTWEIGHT").await, now[..1]);
    assert_eq!(told("?promotion=PRIDE").await, Vec::<String>::new());
}

/// `class kind: status, fighter, since, by, vacated on, is certain`.
async fn verdicts(query: &str) -> Vec<String> {
    let data = moved().data(&format!("/v1/mma/champions{query}")).await;
    let line = |title: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let verdict = &title["champion"];
        let [class, kind] = ["weight_class", "title_kind"].map(|field| text(&title[field]));
        let [status, since, by, vacated] =
            ["status", "since", "by", "vacated_on"].map(|field| text(&verdict[field]));
        let fighter = text(&verdict["fighter"]["statsdb_id"]);
        let is_certain = &verdict["is_certain"];
        format!("{class} {kind}: {status}, {fighter}, {since}, {by}, {vacated}, {is_certain}")
    };
    data.as_array().expect("a list").iter().map(line).collect()
}

#[tokio::test]
async fn the_newer_of_bout_and_rankings_says_who_is_champion() {
    let without_rankings = ["LIGHTWEIGHT undisputed: held, fa, 2019-01-01, title_bout, -, false"];
    assert_eq!(verdicts("?as_of=2019-01-02").await, without_rankings);
    let both = ["LIGHTWEIGHT undisputed: held, fa, 2019-01-01, title_bout, -, true"];
    assert_eq!(verdicts("?as_of=2020-01-01").await, both);
    let bout = ["LIGHTWEIGHT undisputed: held, fb, 2020-06-01, title_bout, -, true"];
    assert_eq!(verdicts("?as_of=2020-06-15").await, bout, "the rankings are older");
    let now = [
        "LIGHTWEIGHT undisputed: held, fc, 2020-07-01, ranking, -, false",
        "WOMENS_FLYWEIGHT undisputed: vacant, -, -, -, 2020-07-01, true",
    ];
    assert_eq!(verdicts("").await, now);
    let later = verdicts("?as_of=2099-01-01").await;
    assert!(later.iter().all(|line| line.ends_with(", false")), "nobody knows what came since: {later:?}");
    let interim = verdicts("?as_of=2020-02-01").await[1].clone();
    assert_eq!(interim, "LIGHTWEIGHT interim: held, fb, 2020-01-01, title_bout, -, true");
    let doubtful = verdicts("?as_of=2020-04-01").await[1].clone();
    assert_eq!(doubtful, "LIGHTWEIGHT interim: held, fb, 2020-01-01, title_bout, -, false");
}

#[tokio::test]
async fn an_interim_title_is_listed_until_it_is_unified() {
    let interim = |day: &'static str| async move {
        let data = moved().data(&format!("/v1/mma/champions?as_of={day}")).await;
        data.as_array().expect("a list").iter().find(|title| title["title_kind"] == "interim").cloned()
    };
    let held = interim("2020-02-01").await.expect("it was won");
    assert_eq!((&held["title_won"]["fighter"]["statsdb_id"], &held["ranked"]), (&json!("fb"), &Value::Null));
    assert_eq!(held["title_won"]["undisputed_bout_since"], Value::Null);
    let doubtful = interim("2020-04-01").await.expect("others fought for the undisputed title");
    assert_eq!(doubtful["title_won"]["undisputed_bout_since"], json!(bout("t2020-03-01").to_string()));
    assert_eq!(interim("2020-06-02").await, None);
}

#[tokio::test]
async fn the_answer_says_where_it_is_from() {
    let data = moved().data("/v1/mma/champions").await;
    let (won, ranked) = (&data[0]["title_won"], &data[0]["ranked"]);
    assert_eq!((&won["source"], &won["date"]), (&json!("statsdb"), &json!("2020-06-01")));
    assert_eq!((&ranked["source"], &ranked["snapshot_date"]), (&json!("rankings"), &json!("2020-07-01")));
    let meta = get(&moved().app, "/v1/mma/champions").await.json()["meta"].clone();
    assert_eq!(
        (&meta["promotion"], &meta["as_of"], &meta["count"]),
        (&json!("UFC"), &Value::Null, &json!(2))
    );
}
