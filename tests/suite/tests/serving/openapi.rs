//! The OpenAPI document: the checked-in one is what the code says, with examples from the sample, and every answer is
//! as it says, field by field.
//!
//! After a change: `UPDATE_EXPECT=1 cargo nextest run --test serving the_checked_in_document`.

mod app;
mod asked;
mod encodings;
mod examples;
mod real;
mod samples;
mod strict;
mod valid;

use std::collections::BTreeSet;

use expect_test::expect_file;
use fdna_api::{Vocabulary, all_operations, document};
use fdna_schemas::MetricDefinitions;
use serde_json::Value;

use app::App;
use strict::Contract;

/// The document without examples.
fn bare() -> Value {
    let metrics = &MetricDefinitions::get().metrics;
    let names: Vec<&str> = metrics.iter().map(|m| m.name.as_str()).collect();
    let mut all: Vec<&str> = metrics.iter().map(|m| m.family.as_str()).collect();
    all.dedup();
    let split: Vec<&str> = metrics.iter().filter(|m| m.split).map(|m| m.name.as_str()).collect();
    let mut families: Vec<&str> = metrics.iter().filter(|m| m.split).map(|m| m.family.as_str()).collect();
    families.dedup();
    document(&Vocabulary {
        metrics: &names,
        families: &all,
        split_metrics: &split,
        split_families: &families,
    })
}

#[test]
fn the_checked_in_document_is_what_the_code_says_with_examples_from_the_sample() {
    let document = examples::added(bare(), &App::of_sample());
    let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
    expect_file!["../../../../schemas/openapi.json"].assert_eq(&text);
}

#[test]
fn every_answer_on_the_sample_is_as_documented() {
    let (app, contract) = (App::of_sample(), Contract::of(bare()));
    let ids = app.ids();
    let (mut answered, mut faults) = (BTreeSet::new(), Vec::new());
    for (operation, path) in asked::paths(&ids) {
        let answer = app.get(&path);
        faults.extend(contract.faults(operation, &path, &answer));
        answered.insert((operation, answer.status));
    }
    assert_eq!(faults, [""; 0]);
    for operation in all_operations() {
        let success = if operation.name == "fighter_position_profile" { 503 } else { 200 };
        let is_answered = operation.name == asked::STREAM || answered.contains(&(operation.name, success));
        assert!(is_answered, "{} was never answered", operation.name);
        assert!(answered.contains(&(operation.name, 400)), "{} was never refused", operation.name);
    }
}

#[test]
fn where_there_is_no_source_the_answer_is_as_documented() {
    let (app, contract) = (App::of_statistics_alone(), Contract::of(bare()));
    let (mut codes, mut faults) = (BTreeSet::new(), Vec::new());
    for (operation, path) in asked::paths(&app.ids()) {
        let answer = app.get(&path);
        faults.extend(contract.faults(operation, &path, &answer));
        codes.extend(answer.body["error"]["code"].as_str().map(str::to_owned));
    }
    assert_eq!(faults, [""; 0]);
    for code in ["rankings_not_available", "wire_not_available", "videos_not_available"] {
        assert!(codes.contains(code), "{code} in {codes:?}");
    }
}

/// Every list as long as the document allows, of its longest word: it fits an address, and the server takes it, but
/// none with one word more.
#[test]
fn the_longest_lists_of_the_document_are_taken() {
    let (app, document) = (App::of_sample(), bare());
    let (ids, mut taken) = (app.ids(), 0);
    for operation in all_operations() {
        let parameters = document["paths"][operation.path]["get"]["parameters"].as_array().unwrap();
        let lists: Vec<(&str, Vec<&str>)> =
            parameters.iter().filter_map(|p| longest_list(p, &document)).collect();
        if lists.is_empty() {
            continue;
        }
        taken += lists.len();
        let needed = match operation.name {
            "search" => "q=a&",
            "dna_query" => "metric=td_accuracy&",
            _ => "",
        };
        let path = &asked::filled(operation.path, &ids)[0];
        let all: Vec<String> =
            lists.iter().map(|(name, words)| format!("{name}={}", words.join(","))).collect();
        let longest = format!("{path}?{needed}{}", all.join("&"));
        assert!(longest.len() < 8192, "{longest}");
        assert_eq!(app.get(&longest).status, 200, "{longest}");
        for (name, words) in &lists {
            // What cannot be left out is in the query with all lists already, as a list.
            let required = lists.iter().find(|(other, _)| operation.name == "fighters_dna" && other != name);
            let required = required.filter(|(other, _)| *other == "ids");
            let required = required.map_or_else(String::new, |(ids, of)| format!("{ids}={}&", of[0]));
            let longer = format!("{path}?{needed}{required}{name}={},{}", words.join(","), words[0]);
            let answer = app.get(&longer);
            assert_eq!(answer.status, 400, "{longer}");
            assert_eq!(answer.body["error"]["details"]["parameter"], *name);
        }
    }
    assert_eq!(taken, 22);
}

/// Name and words of a parameter that is a list.
fn longest_list<'a>(parameter: &'a Value, document: &'a Value) -> Option<(&'a str, Vec<&'a str>)> {
    let (name, schema) = (parameter["name"].as_str()?, &parameter["schema"]);
    let items = schema.get("items")?;
    let named = items["$ref"].as_str().and_then(|name| document.pointer(name.strip_prefix('#')?));
    let words = named.unwrap_or(items)["enum"].as_array();
    let longest = words.map_or("00000000-0000-4000-8000-000000000000", |words| {
        words.iter().filter_map(Value::as_str).max_by_key(|word| word.len()).unwrap()
    });
    let max = usize::try_from(schema["maxItems"].as_u64().expect("a bound")).unwrap();
    Some((name, vec![longest; max]))
}

#[test]
fn an_answer_with_a_field_more_or_less_is_found() {
    let (app, contract) = (App::of_sample(), Contract::of(bare()));
    let mut answer = app.get("/v1/mma/events?limit=1");
    contract.check("events", &answer).unwrap();
    answer.body["data"][0]["colour"] = "red".into();
    assert!(contract.check("events", &answer).unwrap_err().contains("colour"));
    let mut answer = app.get("/v1/mma/events?limit=1");
    answer.body["data"][0].as_object_mut().unwrap().remove("venue");
    assert!(contract.check("events", &answer).unwrap_err().contains("venue"));
    let mut answer = app.get("/v1/mma/events?limit=0");
    answer.body["error"]["code"] = "not_found".into();
    assert!(contract.check("events", &answer).is_err());
}
