//! Rounds on scorecards, deductions, weights and late replacements.

use serde_json::{Value, json};

use crate::content::{Moved, bout, fighter};
use crate::snapshot::table;

fn moved() -> Moved {
    let score = |judge: i32, name: &str, round: i32, a: i32, b: i32| {
        json!({"bout_id": bout("b1"), "judge_order": judge, "judge": name, "round": round, "score_a": a,
            "score_b": b, "source": "scorecards"})
    };
    let of = |id: &str, who: &str, more: Value| {
        let mut row = json!({"bout_id": bout(id), "fighter_id": fighter(who), "source": "s"});
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        row
    };
    Moved::at("2026-01-01T00:00:00Z", |tables| {
        tables.round_scorecards = table(
            "round_scorecards",
            vec![
                score(1, "judge 1", 2, 10, 10),
                score(1, "judge 1", 1, 10, 9),
                score(2, "Somebody Else", 1, 10, 9),
            ],
        );
        let card = |order: i32, judge: &str, total: Option<[i32; 2]>, rounds: Option<i32>| {
            let [a, b] = total.map_or([None, None], |[a, b]| [Some(a), Some(b)]);
            json!({"bout_id": bout("b1"), "card_order": order, "judge": judge, "score_a": a, "score_b": b,
                "round_order": rounds})
        };
        tables.judge_cards = table(
            "judge_cards",
            vec![
                card(1, "Judge 1", Some([30, 29]), Some(1)),
                card(2, "Judge 2", None, None),
                card(3, "Somebody Else", None, Some(2)),
            ],
        );
        tables.deductions = table(
            "deductions",
            vec![
                of("b1", "fa", json!({"round": 2, "ordinal": 1, "points": 1, "reason": "fence"})),
                of("b2", "fc", json!({"round": 1, "ordinal": 1, "points": 2})),
            ],
        );
        tables.weigh_ins =
            table("weigh_ins", vec![of("b2", "fa", json!({"weight_lbs": 156.5, "is_missed": true}))]);
        tables.short_notices = table("short_notices", vec![of("b2", "fc", json!({"notice_days": 4}))]);
    })
}

#[tokio::test]
async fn a_card_of_totals_gains_its_rounds_and_a_judge_without_totals_stands_by_himself() {
    let cards = moved().data("/v1/mma/bouts/b1").await["result"]["scorecards"].clone();
    assert_eq!(
        cards,
        json!([
            {"judge": "Judge 1", "score_a": 30, "score_b": 29, "rounds": [
                {"round": 1, "score_a": 10, "score_b": 9}, {"round": 2, "score_a": 10, "score_b": 10}]},
            {"judge": "Judge 2", "score_a": null, "score_b": null, "rounds": null},
            {"judge": "Somebody Else", "score_a": null, "score_b": null, "rounds": [{"round": 1, "score_a": 10, "score_b": 9}]},
        ])
    );
}

#[tokio::test]
async fn circumstances_are_told_on_the_bout_and_its_statistics_and_null_is_unknown() {
    let moved = moved();
    for path in ["/v1/mma/bouts/b2", "/v1/mma/bouts/b2/stats"] {
        let body = moved.data(path).await;
        assert_eq!(
            body["deductions"],
            json!([{"fighter_id": fighter("fc"), "round": 1, "points": 2, "reason": null, "source": "s"}])
        );
        assert_eq!(
            body["weigh_ins"],
            json!([{"fighter_id": fighter("fa"), "weight_lbs": 156.5, "is_missed": true, "source": "s"}])
        );
        assert_eq!(
            body["short_notices"],
            json!([{"fighter_id": fighter("fc"), "notice_days": 4, "source": "s"}])
        );
    }
    let judged = moved.data("/v1/mma/bouts/b1").await;
    assert_eq!((&judged["deductions"][0]["reason"], &judged["weigh_ins"]), (&json!("fence"), &Value::Null));
    let silent = moved.data("/v1/mma/bouts/b4").await;
    for name in ["deductions", "weigh_ins", "short_notices"] {
        assert_eq!(silent[name], Value::Null, "{name}");
    }
    assert!(moved.data("/v1/mma/events/e1/card").await["bouts"][0].get("weigh_ins").is_none());
}

#[tokio::test]
async fn a_judged_bout_without_deductions_had_none() {
    let moved = Moved::at("2026-01-01T00:00:00Z", |tables| {
        let score = json!({"bout_id": bout("b1"), "judge_order": 1, "round": 1, "score_a": 10, "score_b": 9});
        tables.round_scorecards = table("round_scorecards", vec![score]);
    });
    let judged = moved.data("/v1/mma/bouts/b1").await;
    assert_eq!((&judged["deductions"], &judged["short_notices"]), (&json!([]), &Value::Null));
}
