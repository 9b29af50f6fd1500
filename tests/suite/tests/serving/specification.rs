//! The specification, sentence by sentence: `api/SPECIFICATION.md` names for each the test that checks it, the tables
//! beside it are the specification's own, and here they are held against the program.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fdna_api::{OPERATIONS, Operation, Parameter, ParameterKind, Plan};
use fdna_suite::TestLake;
use fdna_suite::http::Serving;
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(name: &str) -> String {
    fs::read_to_string(root().join("tests/suite/api").join(name)).unwrap()
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
}

/// Fields between bars.
fn cells(line: &str) -> Vec<&str> {
    line.split('|').map(str::trim).collect()
}

#[test]
fn every_test_that_a_sentence_names_is_there() {
    let table = text("SPECIFICATION.md");
    let rows: Vec<Vec<&str>> = table.lines().filter(|line| line.starts_with("| ")).map(cells).collect();
    assert!(rows.len() > 60, "{} sentences", rows.len());
    for row in rows.iter().skip(1) {
        let [_, part, sentence, tests, _] = row[..] else { panic!("{row:?}") };
        assert!(!part.is_empty() && !sentence.is_empty());
        for test in tests.split(", ") {
            let (file, function) = test.split_once("::").unwrap_or_else(|| panic!("{sentence}: {test}"));
            let source = fs::read_to_string(root().join(file));
            let source = source.unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(source.contains(&format!("fn {function}(")), "{sentence}: no {function} in {file}");
        }
    }
}

fn plans(operation: &Operation) -> String {
    let takes_stats = operation.parameters().any(|p| {
        p.name == "include" && matches!(p.kind, ParameterKind::Choices { words } if words.contains(&"stats"))
    });
    let (plan, with_stats) = (operation.plan, operation.plan_with(&["stats"]));
    if takes_stats {
        format!("{}, {} with stats", plan.name(), with_stats.name())
    } else {
        plan.name().to_owned()
    }
}

fn parameter(parameter: &Parameter) -> String {
    let default = match parameter.kind {
        ParameterKind::Integer { default, .. } => format!(" ({default})"),
        ParameterKind::Choice { default, .. } => format!(" ({default})"),
        _ => String::new(),
    };
    let required = if parameter.required { ", required" } else { "" };
    format!("{}: {}{default}{required}", parameter.name, parameter.kind.allows())
}

/// What the specification does not have: the snapshot, pages by cursor, filters of lists, and the ledger as it stood at
/// a time.
fn is_ours(operation: &Operation, parameter: &Parameter) -> bool {
    match parameter.name {
        "snapshot" | "cursor" | "from" | "to" | "promotion" | "has_bouts" => true,
        "as_of" | "at" | "known_at" => operation.name == "event_intelligence",
        _ => false,
    }
}

/// Whether every parameter that the specification shows is as it shows it, and, unless it shows no more, the only one.
fn check_parameters(operation: &Operation, shown: &str) {
    let ours: BTreeMap<&str, String> =
        operation.parameters().filter(|p| !is_ours(operation, p)).map(|p| (p.name, parameter(p))).collect();
    let shown: Vec<&str> = shown.split("; ").filter(|cell| !cell.is_empty()).collect();
    for cell in shown.iter().filter(|cell| **cell != "*") {
        let (name, kind) = cell.split_once(": ").unwrap();
        let as_served = ours.get(name).unwrap_or_else(|| panic!("{} takes no {name}", operation.name));
        assert!(kind == "*" || as_served == cell, "{}: {as_served}", operation.name);
    }
    assert!(shown.contains(&"*") || shown.len() == ours.len(), "{} takes {ours:?}", operation.name);
}

#[test]
fn operations_have_the_paths_plans_origins_parameters_bounds_and_defaults_of_the_specification() {
    let table = text("operations.txt");
    let rows: Vec<Vec<&str>> = lines(&table).map(cells).collect();
    assert_eq!(rows.len(), 34);
    assert_eq!(OPERATIONS.len(), 34);
    for row in rows {
        let [name, path, plan, origin, parameters] = row[..] else { panic!("{row:?}") };
        let operation = fdna_api::operation(name).unwrap();
        assert_eq!(operation.path, path);
        assert!(plan == "*" || plans(operation) == plan, "{name}: {}", plans(operation));
        assert!(origin == "*" || operation.origin.name() == origin, "{name}");
        check_parameters(operation, parameters);
    }
}

#[test]
fn plans_are_cumulative_in_the_order_of_the_specification() {
    let plans = [Plan::Developer, Plan::Pro, Plan::Ultra, Plan::Scale, Plan::Enterprise];
    assert!(plans.is_sorted());
    assert_eq!(plans.map(Plan::name), ["developer", "pro", "ultra", "scale", "enterprise"]);
}

#[test]
fn versions_are_those_of_the_specification() {
    assert_eq!(fdna_api::API_VERSION, "2026-09-06.3");
    assert_eq!(fdna_schemas::DEFINITION_VERSION, "1");
    assert!(OPERATIONS.iter().all(|operation| operation.path.starts_with("/v1/mma")));
}

/// Two days before the event that the sample's schedule has to come.
const NOW: &str = "2025-11-20T12:00:00Z";

/// The sample with every source that it has.
fn whole_sample() -> (TestLake, Serving) {
    let bench = TestLake::new(PROGRAM);
    let source = |name: &str| format!("{name}={}/data/sample/{name}/2025-11-01", root().display());
    let sources = ["statsdb", "feed", "images", "rankings", "articles", "videos", "wire"].map(source);
    let args: Vec<&str> = sources.iter().flat_map(|source| ["--source", source]).collect();
    let ran = bench.command(&[&["run"], args.as_slice()].concat()).env("FIGHTDNA_NOW", NOW).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let serving = Serving::start(&bench);
    (bench, serving)
}

fn body(serving: &Serving, path: &str) -> Value {
    let answer = serving.get(path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/json"), "{path}");
    serde_json::from_slice(&answer.body).unwrap()
}

fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    let pointer: String = path.split('.').filter(|s| !s.is_empty()).map(|s| format!("/{s}")).collect();
    value.pointer(&pointer).unwrap_or_else(|| panic!("no `{path}` in {value:#}"))
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Ids of the sample that have what a record is about, by the name that paths have for them.
fn entities(serving: &Serving) -> BTreeMap<&'static str, String> {
    let data = |path: &str| body(serving, path)["data"].take();
    let event = text_of(&data("/v1/mma/events?status=recent&limit=1")[0]["id"]);
    let coming = text_of(&data("/v1/mma/events?status=upcoming&limit=1")[0]["id"]);
    let card = data(&format!("/v1/mma/events/{event}/card"));
    let fighter = text_of(&card["bouts"][0]["fighter_a"]["id"]);
    let fighters = data("/v1/mma/fighters?limit=250");
    let with_image = |f: &&Value| f["primary_image"].is_object();
    let pictured = fighters.as_array().unwrap().iter().find(with_image).expect("a fighter with an image");
    let places = data("/v1/mma/rankings");
    let held = places["positions"].as_array().unwrap().iter().find(|place| place["fighter"].is_object());
    let filmed = data("/v1/mma/videos")
        .as_array()
        .unwrap()
        .iter()
        .find_map(|v| v["event_ids"][0].as_str().map(str::to_owned));
    [
        ("{event}", event),
        ("{coming}", coming),
        ("{fighter}", fighter),
        ("{pictured}", text_of(&pictured["id"])),
        ("{ranked}", text_of(&held.expect("a place that is held")["fighter"]["id"])),
        ("{filmed}", filmed.expect("a video of an event")),
    ]
    .into()
}

fn is(value: &Value, kind: &str) -> bool {
    let text = value.as_str();
    match kind {
        "uuid" => text.is_some_and(|t| t.len() == 36 && uuid::Uuid::parse_str(t).is_ok()),
        "string" => text.is_some_and(|t| !t.is_empty()),
        "upper" => {
            text.is_some_and(|t| t.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_'))
        }
        "date" => text.is_some_and(|t| t.len() == 10 && t.parse::<chrono::NaiveDate>().is_ok()),
        "instant" => text.is_some_and(|t| chrono::DateTime::parse_from_rfc3339(t).is_ok()),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "true" => *value == Value::Bool(true),
        "object" => value.is_object(),
        "list" => value.is_array(),
        "strings" => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
        other => panic!("{other} is no type"),
    }
}

#[test]
fn records_have_every_field_of_the_specification_with_its_type() {
    let (_bench, serving) = whole_sample();
    let entities = entities(&serving);
    let table = text("records.txt");
    let mut record = (String::new(), Value::Null);
    let mut checked = 0;
    for line in lines(&table) {
        if let [name, path, place] = cells(line)[..] {
            let path = entities.iter().fold(path.to_owned(), |path, (name, id)| path.replace(name, id));
            record = (name.to_owned(), at(&body(&serving, &path), place).clone());
            continue;
        }
        let (field, kind) = line.trim().split_once(' ').unwrap();
        let value = at(&record.1, field);
        let fits = match kind.strip_suffix('?') {
            Some(kind) => value.is_null() || is(value, kind),
            None => is(value, kind.trim_end_matches('!')),
        };
        assert!(fits, "{}: {field} is no {kind}: {value}", record.0);
        checked += 1;
    }
    assert!(checked > 150, "{checked}");
}

#[test]
fn what_the_specification_says_of_single_answers_holds_on_the_sample() {
    let (_bench, serving) = whole_sample();
    let entities = entities(&serving);
    includes_that_are_always_on_change_nothing(&serving, &entities["{event}"]);
    what_nobody_knows_is_404(&serving);
    bounds_hold_at_their_ends(&serving);
    every_answer_carries_the_version(&serving);
    the_card_shock_engine_is_not_built(&serving, &entities["{coming}"]);
    no_answer_has_a_field_of_odds_picks_or_probabilities(&serving, &entities);
}

fn includes_that_are_always_on_change_nothing(serving: &Serving, event: &str) {
    let card = |query: &str| body(serving, &format!("/v1/mma/events/{event}/card{query}"))["data"].take();
    assert_eq!(card(""), card("?include=media,results"));
}

fn what_nobody_knows_is_404(serving: &Serving) {
    for route in ["", "/card", "/articles", "/videos", "/intelligence"] {
        let answer = serving.get(&format!("/v1/mma/events/nobody-knows-it{route}"));
        let error: Value = serde_json::from_slice(&answer.body).unwrap();
        assert_eq!((answer.status, &error["error"]["code"]), (404, &Value::from("not_found")), "{route}");
        assert_eq!(error["ok"], false);
    }
}

fn bounds_hold_at_their_ends(serving: &Serving) {
    let ids = |n: u128| (1..=n).map(|i| uuid::Uuid::from_u128(i).to_string()).collect::<Vec<_>>().join(",");
    let q = |n: usize| format!("/v1/mma/fighters?q={}", "a".repeat(n));
    let media = |n| format!("/v1/mma/fighters/media?ids={}", ids(n));
    for (within, beyond) in [
        ("/v1/mma/events?limit=1".to_owned(), "/v1/mma/events?limit=0".to_owned()),
        ("/v1/mma/events?limit=1000".to_owned(), "/v1/mma/events?limit=1001".to_owned()),
        ("/v1/mma/fighters?limit=250".to_owned(), "/v1/mma/fighters?limit=251".to_owned()),
        ("/v1/mma/fighters?offset=0".to_owned(), "/v1/mma/fighters?offset=-1".to_owned()),
        (q(100), q(101)),
        (media(1), "/v1/mma/fighters/media".to_owned()),
        (media(150), media(151)),
    ] {
        assert_eq!(
            (serving.get(&within).status, serving.get(&beyond).status),
            (200, 400),
            "{within} {beyond}"
        );
    }
    let rows = |path: &str| body(serving, path)["data"].as_array().map(Vec::len);
    assert_eq!((rows("/v1/mma/events"), rows("/v1/mma/fighters")), (Some(25), Some(60)));
}

fn every_answer_carries_the_version(serving: &Serving) {
    for path in ["/v1/mma", "/v1/mma/events", "/v1/mma/events/nobody-knows-it", "/v1/mma/nonsense"] {
        let answer = serving.get(path);
        assert_eq!(answer.header("x-api-version"), Some(fdna_api::API_VERSION), "{path}");
        let body: Value = serde_json::from_slice(&answer.body).unwrap();
        assert_eq!(body["meta"]["version"], fdna_api::API_VERSION, "{path}");
    }
}

fn the_card_shock_engine_is_not_built(serving: &Serving, event: &str) {
    let bouts = body(serving, &format!("/v1/mma/events/{event}/intelligence"))["data"].take();
    let bouts = bouts.as_array().unwrap();
    assert!(!bouts.is_empty());
    for bout in bouts {
        assert_eq!(bout["card_shock"]["status"], "not_computed");
        assert_eq!(bout["card_shock"]["reason"], "card_shock_engine_not_built");
    }
}

/// Names of all fields of a value, at any depth.
fn names(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            into.push(name.clone());
            names(value, into);
        }),
        Value::Array(items) => items.iter().for_each(|item| names(item, into)),
        _ => {}
    }
}

fn no_answer_has_a_field_of_odds_picks_or_probabilities(
    serving: &Serving,
    entities: &BTreeMap<&str, String>,
) {
    let (event, coming, fighter) = (&entities["{event}"], &entities["{coming}"], &entities["{fighter}"]);
    for path in [
        format!("/v1/mma/events/{event}/card?include=stats"),
        format!("/v1/mma/events/{coming}/card"),
        format!("/v1/mma/events/{coming}/intelligence"),
        format!("/v1/mma/fighters/{fighter}?include=ranking,next,history,stats"),
        format!("/v1/mma/fighters/{fighter}/dna"),
        format!("/v1/mma/fighters/{fighter}/splits"),
    ] {
        let mut found = Vec::new();
        names(&body(serving, &path)["data"], &mut found);
        let odd = |name: &&String| {
            ["odds", "pick", "probab", "predict", "favour", "favor"].iter().any(|w| name.contains(w))
        };
        assert_eq!(found.iter().find(odd), None, "{path}");
    }
}
