//! Panels of what was known, against those of a lake that has no more than the captures of that time.

use arrow::array::{Array as _, AsArray as _, RecordBatch};
use arrow::datatypes::TimestampMillisecondType;
use fdna_lake::PanelSet;
use serde_json::Value;

use super::*;

/// The tables of a panel.
fn read_tables(bench: &TestLake, set: PanelSet, as_of: NaiveDate) -> Vec<RecordBatch> {
    let panel = bench.lake().whole_panel(set, as_of).unwrap().unwrap();
    set.tables().iter().map(|name| bench.lake().read_panel_table(&panel, name).unwrap()).collect()
}

fn backfill_vintage(bench: &TestLake, dates: &[NaiveDate]) -> (Value, Option<i32>) {
    let dates: Vec<String> = dates.iter().map(ToString::to_string).collect();
    let asked = dates.iter().flat_map(|date| ["--as-of", date.as_str()]);
    let args: Vec<&str> = ["backfill", "--json", "--vintage"].into_iter().chain(asked).collect();
    let output = bench.run(&args);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}")), output.status.code())
}

#[test]
fn a_vintage_panel_is_that_of_a_lake_of_the_captures_up_to_its_date() {
    let weeks = weeks(4);
    let (full, _) = at_once(&weeks);
    let current = std::fs::read(full.folder().join("lake/current.json")).unwrap();
    let of_capture = |n: usize| weeks[n].0;
    let dates = [
        of_capture(0) - TimeDelta::days(1),
        of_capture(1),
        of_capture(1) + TimeDelta::days(3),
        of_capture(4),
    ];
    let (report, code) = backfill_vintage(&full, &dates);
    assert_eq!(code, Some(0), "{report}");
    let states: Vec<&str> =
        report["dates"].as_array().unwrap().iter().map(|date| date["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["before_first", "made", "made", "made"], "{report}");
    assert_eq!(report["dates"][0]["snapshot_id"], Value::Null);
    assert_eq!(report["dates"][1]["snapshot_id"], report["dates"][2]["snapshot_id"]);
    for (place, (as_of, upto)) in [(dates[1], 2), (dates[2], 2), (dates[3], 5)].into_iter().enumerate() {
        let (then, _) = at_once(&weeks[..upto]);
        then.ok(&["backfill", "--as-of", &as_of.to_string()]);
        let known = read_tables(&full, PanelSet::Vintage, as_of);
        for (known, of_then) in known.iter().zip(read_tables(&then, PanelSet::Metrics, as_of)) {
            let until = known.column_by_name("known_until").unwrap();
            let until = until.as_primitive::<TimestampMillisecondType>();
            let expected = of_capture(upto - 1).and_hms_opt(0, 0, 0).unwrap().and_utc().timestamp_millis();
            assert!(until.values().iter().all(|at| *at == expected) && until.null_count() == 0);
            let mut rest = known.clone();
            rest.remove_column(1);
            assert!(rest.num_rows() > 0 && rest.columns() == of_then.columns(), "{as_of}");
        }
        let moved = &report["dates"][place + 1]["moved"];
        assert_eq!(moved["values_changed"] == 0, upto == 5, "{report}");
    }
    assert_eq!(std::fs::read(full.folder().join("lake/current.json")).unwrap(), current);
    let (again, code) = backfill_vintage(&full, &dates);
    assert_eq!((code, &again["outcome"]), (Some(0), &Value::from("nothing_to_do")), "{again}");
    assert_eq!(again["dates"][1]["moved"], report["dates"][1]["moved"]);
}
