//! Every payload of Fight DNA on the sample, from outside, for fighters of every kind: a long career, a
//! debut, none but early bouts, and two of one name.

use std::fmt::Write as _;

use fdna_suite::TestLake;
use fdna_suite::http::Serving;
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

/// Two fighters of the sample have it.
const SHARED_NAME: &str = "Jubdak Urkwump";

fn get(serving: &Serving, path: &str) -> (u16, Value) {
    let answer = serving.get(&format!("/v1/mma/{path}"));
    (answer.status, serde_json::from_slice(&answer.body).unwrap())
}

fn fighters(serving: &Serving, query: &str) -> Vec<Value> {
    let (status, body) = get(serving, &format!("fighters?limit=250&{query}"));
    assert_eq!(status, 200);
    body["data"].as_array().unwrap().clone()
}

fn id(fighter: &Value) -> String {
    fighter["id"].as_str().unwrap().to_owned()
}

/// Who is who, by what the interface says of him.
fn cast(serving: &Serving) -> Vec<(&'static str, String)> {
    let all: Vec<(String, u16, Value)> = fighters(serving, "")
        .iter()
        .map(|fighter| {
            let (status, body) = get(serving, &format!("fighters/{}/dna", id(fighter)));
            (id(fighter), status, body)
        })
        .collect();
    let bouts = |body: &Value| body["data"]["eligible_bouts"].as_i64();
    let longest = all.iter().max_by_key(|(id, _, body)| (bouts(body), id.clone())).unwrap();
    let debut = all.iter().filter(|(.., body)| bouts(body) == Some(1)).min_by_key(|(id, ..)| id).unwrap();
    let fought = |fighter: &str| {
        let (_, body) = get(serving, &format!("fighters/{fighter}?include=history"));
        body["data"]["history"].as_array().is_some_and(|history| !history.is_empty())
    };
    let early = all.iter().filter(|(id, status, _)| *status == 404 && fought(id)).min_by_key(|(id, ..)| id);
    // A third is on a card to come, and may be either of the two.
    let named = fighters(serving, &format!("q={}", SHARED_NAME.replace(' ', "+")));
    let mut shared: Vec<String> = named.iter().filter(|f| f["statsdb_id"].is_string()).map(id).collect();
    shared.sort();
    assert_eq!(shared.len(), 2, "{shared:?}");
    let [first, second] = [shared[0].clone(), shared[1].clone()];
    vec![
        ("long_career", longest.0.clone()),
        ("debut", debut.0.clone()),
        ("early_bouts_only", early.unwrap().0.clone()),
        ("shared_name_1", first),
        ("shared_name_2", second),
    ]
}

/// A `MetricObject` on one line, so that 80 of them can be read.
fn brief(metric: &Value) -> String {
    let number = |value: &Value| value.as_f64().map_or("null".to_owned(), |n| format!("{n:.5}"));
    let mut line = format!(
        "{} {} {} raw {}",
        metric["metric"].as_str().unwrap(),
        metric["status"].as_str().unwrap(),
        number(&metric["value"]),
        number(&metric["raw_value"])
    );
    if let Some(interval) = metric["interval"].as_object() {
        let [low, high] = ["low", "high"].map(|end| number(&interval[end]));
        let _ = write!(line, " {low}..{high} {}", interval["method"]);
    }
    let sample = &metric["sample"];
    let _ = write!(line, " | {}/{} in {} bouts", sample["numerator"], sample["denominator"], sample["bouts"]);
    if let Some(weight) = metric["shrinkage"]["weight"].as_f64() {
        let _ = write!(line, " weight {weight:.3}");
    }
    let _ = write!(line, " | {} {}", metric["confidence"], metric["confidence_reasons"]);
    if let Some(percentile) = metric["percentile"]["value"].as_f64() {
        let _ = write!(line, " | percentile {percentile:.1} of {}", metric["percentile"]["pool_size"]);
    }
    line
}

/// Widest value that stands on one line.
const WIDTH: usize = 200;

/// JSON with everything on one line that fits: a snapshot is for reading.
fn pretty(value: &Value, indent: usize) -> String {
    let compact = value.to_string();
    let pad = " ".repeat(indent + 1);
    let lines: Vec<String> = match value {
        _ if compact.len() <= WIDTH => return compact,
        Value::Array(items) => {
            items.iter().map(|item| format!("{pad}{}", pretty(item, indent + 1))).collect()
        }
        Value::Object(fields) => {
            fields.iter().map(|(key, item)| format!("{pad}{key:?}: {}", pretty(item, indent + 1))).collect()
        }
        _ => return compact,
    };
    let [open, close] = if value.is_array() { ["[", "]"] } else { ["{", "}"] };
    format!("{open}\n{}\n{}{close}", lines.join(",\n"), " ".repeat(indent))
}

/// Whole metric objects become lines; numbers lose what no reader looks at; long lists say how long they were.
fn readable(value: &mut Value) {
    if value.get("definition_version").is_some() && value.get("sample").is_some() {
        *value = Value::from(brief(value));
    }
    match value {
        Value::Array(items) => {
            let n = items.len();
            items.iter_mut().for_each(readable);
            if n > 90 {
                items.truncate(3);
                items.push(Value::from(format!("… {n} in all")));
            }
        }
        Value::Object(fields) => fields.values_mut().for_each(readable),
        Value::Number(number) if number.is_f64() => {
            let rounded = number.as_f64().map(|n| (n * 1e5).round() / 1e5);
            *value = rounded.and_then(serde_json::Number::from_f64).map_or(Value::Null, Value::Number);
        }
        _ => {}
    }
}

fn show(serving: &Serving, path: &str) -> String {
    let (status, mut body) = get(serving, path);
    body["meta"]["request_id"] = Value::from("[REQUEST]");
    readable(&mut body);
    format!("{status}\n{}", pretty(&body, 0))
}

#[test]
fn every_payload_of_every_kind_of_fighter() {
    let bench = TestLake::shared(PROGRAM, &[&["run"]]).copy();
    let serving = Serving::start(&bench);
    let cast = cast(&serving);
    for (kind, id) in &cast {
        for operation in ["dna", "splits", "round-profile", "finish-profile", "position-profile"] {
            // A split of all metrics would be thousands of lines.
            let query = if operation == "splits" { "?metric=sig_landed_per_min,td_defense" } else { "" };
            let seen = show(&serving, &format!("fighters/{id}/{operation}{query}"));
            insta::assert_snapshot!(format!("{}_{kind}", operation.replace('-', "_")), seen);
        }
        let provenance = show_provenance(&serving, id);
        insta::assert_snapshot!(format!("provenance_{kind}"), provenance);
    }
    let [long, _, early, one, other] = [0, 1, 2, 3, 4].map(|i: usize| &cast[i].1);
    for (name, path) in [
        ("matchup_namesakes", format!("matchups/{one}/{other}/dna")),
        ("matchup_with_early_bouts_only", format!("matchups/{long}/{early}/dna")),
        ("matchup_as_of", format!("matchups/{long}/{other}/dna?as_of=2024-06-01")),
        ("dna_as_of", format!("fighters/{long}/dna?as_of=2020-06-01")),
        ("dna_query", "dna/query?metric=sig_landed_per_min&min=3&limit=5".to_owned()),
        ("dna_query_percentile", "dna/query?metric=td_defense&on=percentile&sort=-interval_low".to_owned()),
        ("dna_metrics", "dna/metrics".to_owned()),
        ("dna_validity", "dna/validity".to_owned()),
    ] {
        insta::assert_snapshot!(name, show(&serving, &path));
    }
}

/// Bouts of one metric that needs control time, and what was left out of it.
fn show_provenance(serving: &Serving, id: &str) -> String {
    let (status, body) = get(serving, &format!("fighters/{id}/dna?include=provenance"));
    let metrics = body["data"]["metrics"].as_array().cloned().unwrap_or_default();
    let control = metrics.iter().find(|m| m["metric"] == "control_share");
    format!("{status}\n{}", serde_json::to_string_pretty(&control.map(|m| &m["provenance"])).unwrap())
}
