//! A fighter's record: as stated and as counted.

use serde_json::{Value, json};

use crate::careers::app_with;
use crate::common::get;
use crate::snapshot::{fighter, table};

fn stated(who: &str, on: &str, wins: Option<i32>, slpm: Option<f64>) -> Value {
    json!({"fighter_id": fighter(who).to_string(), "stated_on": on, "capture": on, "file": "f.json",
        "source": "career", "name": who, "record_w": wins, "record_l": wins.map(|_| 3),
        "record_d": wins.map(|_| 0), "record_nc": null, "career_slpm": slpm, "career_str_acc": slpm.map(|_| 0.5),
        "career_sapm": slpm, "career_str_def": slpm, "career_td_avg": slpm, "career_td_acc": slpm,
        "career_td_def": slpm, "career_sub_avg": slpm})
}

async fn data(path: &str) -> Value {
    let rows = vec![
        stated("fa", "2019-01-01", Some(10), Some(3.0)),
        stated("fa", "2020-03-01", Some(12), None),
        stated("fa", "2020-06-05", None, Some(4.5)),
    ];
    let app = app_with(|tables| tables.stated_careers = table("stated_careers", rows));
    get(&app, path).await.data()
}

#[tokio::test]
async fn the_newest_statement_of_each_kind_is_shown_with_its_day() {
    let fighter = data("/v1/mma/fighters/fa").await;
    let stated = &fighter["record_stated"];
    assert_eq!(
        (&stated["wins"], &stated["date"], &stated["no_contests"]),
        (&json!(12), &json!("2020-03-01"), &Value::Null)
    );
    assert_eq!((&fighter["career_slpm"], &fighter["career_date"]), (&json!(4.5), &json!("2020-06-05")));
    assert_eq!((&fighter["record_source"], &fighter["career_source"]), (&json!("career"), &json!("career")));
    let nobody = data("/v1/mma/fighters/fb").await;
    assert_eq!((&nobody["record_w"], &nobody["record_source"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn as_of_a_day_neither_its_bouts_nor_its_statements_are_known() {
    let on =
        |day: &'static str| async move { data(&format!("/v1/mma/fighters/fa/record?as_of={day}")).await };
    let stated = |record: &Value| record["record_stated"]["wins"].clone();
    assert_eq!(stated(&on("2019-01-01").await), Value::Null);
    assert_eq!((stated(&on("2019-01-02").await), stated(&on("2020-03-02").await)), (json!(10), json!(12)));
    let (before, after) = (on("2020-06-01").await, on("2020-06-02").await);
    let counted = |record: &Value| {
        let counted = &record["record_counted"];
        json!([
            counted["bouts"],
            counted["wins"],
            counted["draws"],
            counted["unknown"],
            counted["streak"]["kind"]
        ])
    };
    assert_eq!(counted(&before), json!([1, 1, 0, 0, "win"]));
    assert_eq!(counted(&after), json!([2, 1, 1, 0, "draw"]));
    assert_eq!(after["career_snapshot"]["career_slpm"], 3.0);
    assert_eq!(
        (&after["as_of"], &after["record_counted"]["scope"]["to"]),
        (&json!("2020-06-02"), &json!("2020-06-01"))
    );
    let latest = &after["record_counted"]["last_five"];
    assert_eq!((&latest[0]["opponent_name"], &latest[0]["outcome"]), (&json!("Cid Draper"), &json!("draw")));
    assert_eq!((&latest[1]["date"], &latest[1]["outcome"]), (&json!("2020-01-10"), &json!("win")));
}

/// He won on 2020-01-10 and drew on 2020-06-01.
#[tokio::test]
async fn the_record_of_a_day_is_the_nearest_stated_one_and_the_bouts_between() {
    let fields = ["wins", "losses", "draws", "no_contests", "stated_on", "bouts_since", "unknown"];
    let of = |record: &Value| fields.map(|field| record[field].clone()).to_vec();
    let on = |day: &'static str| async move {
        of(&data(&format!("/v1/mma/fighters/fa/record?as_of={day}")).await["record"])
    };
    let now = data("/v1/mma/fighters/fa").await;
    assert_eq!(
        ["record_w", "record_l", "record_d", "record_date", "record_bouts_since"].map(|field| &now[field]),
        [&json!(12), &json!(3), &json!(1), &json!("2020-03-01"), &json!(1)]
    );
    assert_eq!(json!(on("2020-06-02").await), json!([12, 3, 1, null, "2020-03-01", 1, 0]));
    assert_eq!(json!(on("2020-06-01").await), json!([12, 3, 0, null, "2020-03-01", 0, 0]));
    // That of 2020-03-01 is the future.
    assert_eq!(json!(on("2020-01-11").await), json!([11, 3, 0, null, "2019-01-01", 1, 0]));
    assert_eq!(json!(on("2020-01-10").await), json!([10, 3, 0, null, "2019-01-01", 0, 0]));
    // Thirteen bouts before the first one held: nothing says how many of them were fought by then.
    assert_eq!(data("/v1/mma/fighters/fa/record?as_of=2018-07-01").await["record"], Value::Null);
    let by_promotion = data("/v1/mma/fighters/fa/record?as_of=2020-06-01").await["by_promotion"].take();
    assert_eq!(by_promotion.as_array().unwrap().len(), 1);
    assert_eq!((&by_promotion[0]["bouts"], &by_promotion[0]["wins"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn history_as_of_a_day_ends_before_it() {
    let dates = |path: &'static str| async move {
        let history = data(path).await;
        let dates = history.as_array().unwrap().iter().map(|item| item["event"]["event_date"].clone());
        dates.collect::<Vec<Value>>()
    };
    let all = dates("/v1/mma/fighters/fa/history").await;
    assert!(all.contains(&json!("2020-06-01")), "{all:?}");
    assert_eq!(dates("/v1/mma/fighters/fa/history?as_of=2020-06-01").await, [json!("2020-01-10")]);
}

#[tokio::test]
async fn who_never_fought_has_an_empty_count() {
    let record = data("/v1/mma/fighters/fd/record").await["record_counted"].clone();
    assert_eq!(
        (&record["bouts"], &record["streak"], &record["last_five"]),
        (&json!(0), &Value::Null, &json!([]))
    );
    assert_eq!(record["scope"], json!({"bouts": "all_held", "from": null, "to": null}));
}
