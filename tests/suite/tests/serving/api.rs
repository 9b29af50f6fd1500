//! Every served route on the sample, from outside: the program serves, a socket asks.

use fdna_suite::TestLake;
use fdna_suite::http::{Answer, Serving};
use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

fn sample() -> (TestLake, Serving) {
    let bench = TestLake::shared(PROGRAM, &[&["run"]]).copy();
    let serving = Serving::start(&bench);
    (bench, serving)
}

/// Status, the headers that matter, and the body with what differs from request to request replaced.
fn show(answer: &Answer) -> String {
    let mut out = format!("{}\n", answer.status);
    for name in
        ["content-type", "cache-control", "etag", "x-snapshot-id", "x-api-version", "allow", "retry-after"]
    {
        if let Some(value) = answer.header(name) {
            out += &format!("{name}: {value}\n");
        }
    }
    let mut body: Value = serde_json::from_slice(&answer.body).unwrap();
    if let Some(id) = body.pointer_mut("/meta/request_id") {
        *id = Value::from("[REQUEST]");
    }
    shorten(&mut body);
    out + "\n" + &serde_json::to_string_pretty(&body).unwrap()
}

/// Lists keep three entries and say how many there were: a snapshot is for reading.
fn shorten(value: &mut Value) {
    match value {
        Value::Array(items) => {
            let n = items.len();
            if n > 4 && items[0].is_object() {
                items.truncate(3);
                items.push(Value::from(format!("… {n} in all")));
            }
            items.iter_mut().for_each(shorten);
        }
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}

fn data(serving: &Serving, path: &str) -> Value {
    let answer = serving.get(path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    serde_json::from_slice::<Value>(&answer.body).unwrap()["data"].take()
}

fn id(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

#[test]
fn every_served_route_answers_as_it_did() {
    let (_bench, serving) = sample();
    let event = id(&data(&serving, "/v1/mma/events?limit=1")[0]);
    let card = data(&serving, &format!("/v1/mma/events/{event}/card"));
    let bout = id(&card["bouts"][0]);
    let fighter = id(&card["bouts"][0]["fighter_a"]);
    let routes = [
        ("index", "/v1/mma".to_owned()),
        ("events", "/v1/mma/events?limit=2".to_owned()),
        ("events_of_a_day", "/v1/mma/events?status=recent&date=2025-10-25".to_owned()),
        ("event", format!("/v1/mma/events/{event}")),
        ("card", format!("/v1/mma/events/{event}/card")),
        ("card_with_stats", format!("/v1/mma/events/{event}/card?include=stats")),
        ("fighters", "/v1/mma/fighters?limit=2".to_owned()),
        ("fighters_named", "/v1/mma/fighters?q=urkwump&active=true".to_owned()),
        ("fighter", format!("/v1/mma/fighters/{fighter}")),
        (
            "fighter_composite",
            format!("/v1/mma/fighters/{fighter}?include=ranking,next,history,stats&history_limit=2"),
        ),
        ("bout", format!("/v1/mma/bouts/{bout}")),
        ("bout_stats", format!("/v1/mma/bouts/{bout}/stats")),
        ("fighter_dna", format!("/v1/mma/fighters/{fighter}/dna")),
        ("fighter_dna_as_of", format!("/v1/mma/fighters/{fighter}/dna?as_of=2024-01-01")),
        ("fighter_dna_too_early", format!("/v1/mma/fighters/{fighter}/dna?as_of=1990-01-01")),
        ("unknown_event", "/v1/mma/events/nothing".to_owned()),
        ("bad_limit", "/v1/mma/events?limit=1001".to_owned()),
        ("unknown_parameter", "/v1/mma/fighters?colour=red".to_owned()),
        ("fighters_media", format!("/v1/mma/fighters/media?ids={fighter}")),
        ("not_captured", "/v1/mma/rankings".to_owned()),
        ("fighter_history", format!("/v1/mma/fighters/{fighter}/history?limit=2")),
        ("fighter_stats", format!("/v1/mma/fighters/{fighter}/stats")),
        ("results", "/v1/mma/results?method=submission&limit=2".to_owned()),
        ("counts", "/v1/mma/counts".to_owned()),
        ("coverage", "/v1/mma/coverage".to_owned()),
        ("search", "/v1/mma/search?q=urkwunp&limit=4".to_owned()),
        ("changes", "/v1/mma/changes?since=2025-11-01&limit=2".to_owned()),
        ("snapshots", "/v1/mma/snapshots".to_owned()),
        ("unknown_snapshot", "/v1/mma/events?snapshot=0123456789abcdef0123456789abcdef".to_owned()),
        ("no_such_route", "/v1/mma/nonsense".to_owned()),
    ];
    for (name, path) in routes {
        insta::assert_snapshot!(format!("api_{name}"), show(&serving.get(&path)));
    }
}

#[test]
fn news_alone_makes_the_wire_and_the_videos_available_however_old_it_is() {
    let bench = TestLake::new(PROGRAM);
    let capture = bench.folder().join("2026-02-07");
    std::fs::create_dir(&capture).unwrap();
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    for (from, name) in [
        ("fixtures/news/outlets-and-channels/mma-news.json", "mma-news.json"),
        ("../data/sample/wire/2025-11-01/SYNTHETIC.txt", "SYNTHETIC.txt"),
    ] {
        std::fs::copy(format!("{tests}/{from}"), capture.join(name)).unwrap();
    }
    let statsdb = format!("statsdb={tests}/../data/sample/statsdb/2025-11-01");
    bench.ok(&["run", "--source", &statsdb, "--source", "news=2026-02-07"]);
    let status: Value = serde_json::from_str(&bench.ok(&["status", "--json"])).unwrap();
    let source = |name: &str| {
        status["sources"].as_array().unwrap().iter().find(|source| source["source"] == name).unwrap()
    };
    let news = source("news");
    assert_eq!((&news["feeds"], &news["state"]), (&json!(["wire", "videos"]), &json!("overdue")));
    assert_eq!(source("videos")["state"], "never_captured");
    let serving = Serving::start(&bench);
    assert_eq!(data(&serving, "/v1/mma/videos").as_array().unwrap().len(), 2);
    assert_eq!(data(&serving, "/v1/mma/wire").as_array().unwrap().len(), 2);
    assert_eq!(serving.get("/v1/mma/news").status, 503);
}

#[test]
fn an_unchanged_answer_is_304_and_a_new_snapshot_is_served_without_a_restart() {
    let (bench, serving) = sample();
    let first = serving.get("/v1/mma/events?limit=1");
    let etag = first.header("etag").unwrap().to_owned();
    assert_eq!(serving.get_with("/v1/mma/events?limit=1", &[("If-None-Match", &etag)]).status, 304);
    let later = format!("statsdb={}/../../data/sample/statsdb-later/2025-12-01", env!("CARGO_MANIFEST_DIR"));
    bench.ok(&["run", "--source", &later]);
    let wanted = bench.snapshot().id.to_string();
    for _ in 0..200 {
        let answer = serving.get("/v1/mma/events?limit=1");
        assert_eq!(answer.status, 200);
        if answer.header("x-snapshot-id") == Some(&wanted) {
            assert_eq!(serving.get_with("/v1/mma/events?limit=1", &[("If-None-Match", &etag)]).status, 200);
            return;
        }
        std::thread::park_timeout(std::time::Duration::from_millis(50));
    }
    panic!("the new snapshot was not served");
}

/// A named snapshot goes on answering what it did when a newer one is current, and is described as it was.
#[test]
fn a_named_snapshot_answers_as_before_when_another_is_current() {
    let (bench, serving) = sample();
    let old = bench.snapshot().id.to_string();
    let event = id(&data(&serving, "/v1/mma/events?status=recent&limit=1")[0]);
    let fighter = id(&data(&serving, &format!("/v1/mma/events/{event}/card"))["bouts"][0]["fighter_a"]);
    let dna = format!("/v1/mma/fighters/{fighter}/dna?as_of=2025-10-25");
    let (before, counts) = (data(&serving, &dna), data(&serving, "/v1/mma/counts"));
    let later = format!("statsdb={}/../../data/sample/statsdb-later/2025-12-01", env!("CARGO_MANIFEST_DIR"));
    bench.ok(&["run", "--source", &later]);
    let new = bench.snapshot().id.to_string();
    let again = Serving::start(&bench);
    let named = |path: &str| {
        // Until it is loaded the answer is 503.
        let asked = || Some(again.get(path)).filter(|answer| answer.status != 503);
        (0..50).find_map(|_| asked()).expect("it is loaded")
    };
    let pinned = named(&format!("{dna}&snapshot={old}"));
    assert_eq!(pinned.header("cache-control"), Some("max-age=31536000, immutable"));
    assert_eq!(pinned.header("x-snapshot-id"), Some(old.as_str()));
    assert_eq!(serde_json::from_slice::<Value>(&pinned.body).unwrap()["data"], before);
    assert_eq!(data(&again, &format!("/v1/mma/counts?snapshot={old}")), counts);
    assert_eq!(again.get(&dna).header("x-snapshot-id"), Some(new.as_str()));
    let listed = data(&again, "/v1/mma/snapshots");
    let ids: Vec<String> = listed.as_array().unwrap().iter().map(id).collect();
    assert_eq!(ids, [new.clone(), old]);
    let manifest = data(&again, &format!("/v1/mma/snapshots/{new}"));
    assert_eq!(
        (&manifest["is_current"], manifest["tables"].as_array().unwrap().len() > 20),
        (&json!(true), true)
    );
}

/// DNA as of a date is what it was before later bouts were known: asked over HTTP, before and after a
/// capture with another event.
#[test]
fn dna_as_of_a_past_date_does_not_change_when_a_later_event_arrives() {
    let (bench, serving) = sample();
    let fighters = data(&serving, "/v1/mma/fighters?limit=250");
    // Whom the feed alone names may turn out to be one of the others, whose DNA is his then.
    let known: Vec<&Value> =
        fighters.as_array().unwrap().iter().filter(|fighter| fighter["statsdb_id"].is_string()).collect();
    let ask = |serving: &Serving| -> Vec<Value> {
        let ids = known.iter().map(|fighter| id(fighter));
        let answers = ids.map(|id| serving.get(&format!("/v1/mma/fighters/{id}/dna?as_of=2022-06-30")));
        answers.map(|answer| serde_json::from_slice::<Value>(&answer.body).unwrap()).map(comparable).collect()
    };
    let before = ask(&serving);
    assert!(before.iter().filter(|dna| dna["version"].is_number()).count() > 100);
    let later = format!("statsdb={}/../../data/sample/statsdb-later/2025-12-01", env!("CARGO_MANIFEST_DIR"));
    bench.ok(&["run", "--source", &later]);
    let again = Serving::start(&bench);
    for (before, after) in before.into_iter().zip(ask(&again)) {
        if before["fighter"]["name"] != RENAMED {
            assert_eq!(before, after);
        }
    }
}

/// The later capture has another name for this one, and the answer gives the name.
const RENAMED: &str = "Plonax Jorpfuzz";

/// Without what speaks of the snapshot, the request, the next bout, or who else he is found to be.
fn comparable(mut answer: Value) -> Value {
    let mut data = answer["data"].take();
    for metric in data["metrics"].as_array_mut().into_iter().flatten() {
        metric["provenance"]["snapshot_id"].take();
    }
    for field in ["valid_to", "facts_until"] {
        data[field].take();
    }
    data["fighter"]["feed_athlete_id"].take();
    data
}
