//! The explorer on the sample, from outside: every page beside what the API answers.

use std::collections::BTreeSet;

use fdna_suite::TestLake;
use fdna_suite::http::{Answer, Serving};
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

/// Compressed bytes of a page at most, and half of them where no picture is large.
const MOST_BYTES: usize = 60 * 1024;

fn sample() -> (TestLake, Serving) {
    let bench = TestLake::shared(PROGRAM, &[&["run"]]).copy();
    let serving = Serving::start_with(&bench, |command| {
        command.args(["--explorer", "127.0.0.1:0"]);
    });
    (bench, serving)
}

fn page(serving: &Serving, path: &str) -> Answer {
    serving.page_with("GET", path, &[])
}

fn data(serving: &Serving, address: &str) -> Value {
    let answer = serving.get(&format!("/v1/mma/{address}"));
    assert_eq!(answer.status, 200, "{address}: {}", answer.text());
    serde_json::from_slice::<Value>(&answer.body).unwrap()["data"].take()
}

/// Every number anywhere in a value.
fn numbers(value: &Value, found: &mut BTreeSet<u64>) {
    match value {
        Value::Number(number) => {
            found.insert(number.as_f64().unwrap().to_bits());
        }
        Value::Array(items) => items.iter().for_each(|item| numbers(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| numbers(field, found)),
        _ => {}
    }
}

/// Numbers of a page as the API gives them, each with the text that is shown.
fn shown(html: &str) -> Vec<(f64, String)> {
    let marks = html.split("<data value=\"").skip(1);
    marks
        .map(|rest| {
            let (value, rest) = rest.split_once("\">").unwrap();
            let text = rest.split("</data>").next().unwrap();
            (value.parse().unwrap(), text.rsplit('>').next().unwrap_or(text).to_owned())
        })
        .collect()
}

/// Every page, and the answers of the API that it is made of.
fn pages(serving: &Serving) -> Vec<(String, Vec<String>)> {
    let found = data(serving, "dna/query?metric=bouts_with_stats&limit=2");
    let slug = |place: usize| found[place]["fighter"]["slug_id"].as_str().unwrap().to_owned();
    let (a, b) = (slug(0), slug(1));
    let fighter = data(serving, &format!("fighters/{a}?include=history"));
    let bout = fighter["history"][0]["bout"]["id"].as_str().unwrap().to_owned();
    let event = data(serving, "events?status=upcoming&limit=1")[0].clone();
    let (event, date) = (event["id"].as_str().unwrap(), event["event_date"].as_str().unwrap());
    let card = data(serving, &format!("events/{event}/card"));
    let sides = card["bouts"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|bout| [&bout["fighter_a"]["id"], &bout["fighter_b"]["id"]]);
    let ids: Vec<&str> = sides.map(|id| id.as_str().unwrap()).collect();
    let mut of_event = vec![format!("events/{event}/card")];
    of_event.extend(ids.chunks(25).map(|ids| format!("fighters/dna?ids={}&as_of={date}", ids.join(","))));
    let points = data(serving, &format!("fighters/{a}/dna/series?metric=house_rating"))["points"].clone();
    let points = points.as_array().unwrap();
    let first = points[points.len() / 2]["valid_from"].as_str().unwrap();
    let one =
        |page: &str, asked: &[&str]| (page.to_owned(), asked.iter().map(|one| (*one).to_owned()).collect());
    vec![
        one(
            "/",
            &[
                "dna/query?metric=house_rating&min_confidence=medium&limit=10",
                "dna/query?metric=rating_change_365d&min_confidence=medium&sort=value&limit=6",
                "dna/query?metric=rating_change_365d&min_confidence=medium&sort=-value&limit=6",
            ],
        ),
        one("/events", &[]),
        (format!("/events/{event}"), of_event),
        one("/fighters", &[]),
        one(
            "/fighters?weight_class=LIGHTWEIGHT&confidence=low",
            &["dna/query?metric=sig_landed_per_min&weight_class=LIGHTWEIGHT&active=all&limit=250"],
        ),
        one(&format!("/fighters/{a}"), &[&format!("fighters/{a}/dna")]),
        one(
            &format!("/fighters/{a}?as_of=2024-06-01&why=sig_accuracy"),
            &[&format!("fighters/{a}/dna?as_of=2024-06-01")],
        ),
        one(
            &format!("/fighters/{a}/form?metric=sig_accuracy"),
            &[
                &format!("fighters/{a}/dna/series?metric=sig_accuracy"),
                &format!("fighters/{a}/dna?as_of={first}"),
                &format!("fighters/{a}/dna"),
            ],
        ),
        one(
            &format!("/fighters/{a}/rounds"),
            &[
                &format!("fighters/{a}/round-profile"),
                &format!("fighters/{a}/splits"),
                &format!("fighters/{a}/dna"),
            ],
        ),
        one(&format!("/matchups/{a}/{b}"), &[&format!("matchups/{a}/{b}/dna")]),
        one(&format!("/bouts/{bout}"), &[]),
        one("/leaders?metric=td_defense", &["dna/query?metric=td_defense&min_confidence=medium&limit=30"]),
        one("/metrics", &["dna/metrics"]),
        one(
            "/metrics/td_defense",
            &["dna/metrics", "dna/query?metric=td_defense&weight_class=LIGHTWEIGHT&limit=250"],
        ),
        one("/data", &[]),
    ]
}

#[test]
fn a_page_shows_the_numbers_of_the_api_and_its_pictures_those_of_its_tables() {
    let (_bench, serving) = sample();
    let mut compared = 0;
    for (path, asked) in pages(&serving) {
        let answer = page(&serving, &path);
        let html = answer.text();
        assert_eq!(answer.status, 200, "{path}: {html}");
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; style-src 'self'; script-src 'self'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        let mut given = BTreeSet::new();
        for address in asked {
            numbers(&data(&serving, &address), &mut given);
        }
        for (value, text) in shown(&html) {
            assert!(given.contains(&value.to_bits()), "{path}: {text} ({value}) is in no answer of the API");
            compared += 1;
        }
        let pictures = html.matches("<svg class=\"picture\"").count();
        assert!(pictures == 0 || html.contains("<table>"), "{path}");
        let outside: String =
            html.split("<svg").map(|part| part.split("</svg>").last().unwrap_or_default()).collect();
        for number in html.split("<text class=\"number\"").skip(1) {
            let text = number.split_once('>').unwrap().1.split("</text>").next().unwrap();
            // The value is the first word; a picture without room for a value is not drawn that narrow.
            let value: String = text
                .chars()
                .take_while(|letter| letter.is_ascii_digit() || matches!(letter, '.' | '-'))
                .collect();
            assert!(outside.contains(&value), "{path}: `{text}` of a picture is in no table");
        }
    }
    assert!(compared > 500, "{compared} numbers");
}

#[test]
fn pages_load_nothing_from_elsewhere_and_are_small() {
    let (_bench, serving) = sample();
    for (path, _) in pages(&serving) {
        let html = page(&serving, &path).text();
        assert!(
            !html.contains("style=\"") && !html.contains("<script>") && !html.contains("<style"),
            "{path}"
        );
        for mark in ["src=\"", "<link rel=\"stylesheet\" href=\"", "<link rel=\"icon\" href=\""] {
            for rest in html.split(mark).skip(1) {
                assert!(rest.starts_with("/assets/"), "{path}: {}", &rest[..40.min(rest.len())]);
            }
        }
        let sent = serving.page_with("GET", &path, &[("Accept-Encoding", "br")]);
        assert_eq!(sent.header("content-encoding"), Some("br"), "{path}");
        assert!(sent.body.len() <= MOST_BYTES, "{path}: {} bytes", sent.body.len());
        for picture in html.split("<svg class=\"picture\"").skip(1) {
            let bytes = picture.split("</svg>").next().unwrap().len();
            assert!(bytes <= 200 * 1024, "{path}: a picture of {bytes} bytes before compression");
        }
    }
}

#[test]
fn what_is_not_there_is_told_as_the_api_tells_it() {
    let (_bench, serving) = sample();
    for (path, asked, status) in [
        ("/fighters/nobody", "fighters/nobody", 404),
        ("/events/00000000-0000-4000-8000-000000000000", "events/00000000-0000-4000-8000-000000000000", 404),
        ("/leaders?metric=luck", "dna/query?metric=luck", 400),
        ("/leaders?as_of=tomorrow", "dna/query?metric=sig_landed_per_min&as_of=tomorrow", 400),
    ] {
        let (shown, told) = (page(&serving, path), serving.get(&format!("/v1/mma/{asked}")));
        assert_eq!((shown.status, told.status), (status, status), "{path}");
        let told: Value = serde_json::from_slice(&told.body).unwrap();
        let code = told["error"]["code"].as_str().unwrap();
        assert!(shown.text().contains(&format!("Code: {code}")), "{path}: {}", shown.text());
        assert_eq!(shown.header("cache-control"), Some("no-store"));
    }
    let hostile = page(&serving, "/leaders?metric=%3Cscript%3Ealert(1)%3C/script%3E");
    assert_eq!(hostile.status, 400);
    assert!(!hostile.text().contains("<script>alert"));
    for path in ["/nothing", "/fighters/a%20b", "/metrics/none", "/assets/style.css"] {
        assert_eq!(page(&serving, path).status, 404, "{path}");
    }
    assert_eq!(page(&serving, "/fighters/..%2f..%2fx").status, 400);
    let posted = serving.page_with("POST", "/", &[("Content-Length", "0")]);
    assert_eq!((posted.status, posted.header("allow").is_some()), (405, true));
}

#[test]
fn a_fighter_before_his_first_bout_is_a_page_that_says_why_there_is_no_dna() {
    let (_bench, serving) = sample();
    let found = data(&serving, "dna/query?metric=bouts_with_stats&limit=1");
    let slug = found[0]["fighter"]["slug_id"].as_str().unwrap();
    let answer = page(&serving, &format!("/fighters/{slug}?as_of=2001-01-01"));
    assert_eq!(answer.status, 200);
    assert!(answer.text().contains("No Fight DNA") && !answer.text().contains("<svg class=\"picture\""));
}

#[test]
fn pages_and_assets_are_validated_and_kept() {
    let (_bench, serving) = sample();
    let first = page(&serving, "/metrics");
    let tag = first.header("etag").unwrap();
    let again = serving.page_with("GET", "/metrics", &[("If-None-Match", tag)]);
    assert_eq!((again.status, again.body.len()), (304, 0));
    let html = first.text();
    let style = html.split("rel=\"stylesheet\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    let style = page(&serving, style);
    assert_eq!(style.status, 200);
    assert_eq!(style.header("cache-control"), Some("max-age=31536000, immutable"));
    let head = serving.page_with("HEAD", "/metrics", &[]);
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[test]
fn a_table_is_downloaded_as_the_lake_has_it_and_known_by_its_digest() {
    let (bench, serving) = sample();
    let lake = bench.lake();
    let snapshot = lake.snapshot(&lake.current_snapshot().unwrap().unwrap()).unwrap();
    for entry in &snapshot.tables {
        let path = format!("/data/{}.parquet", entry.name);
        let (got, head) = (page(&serving, &path), serving.page_with("HEAD", &path, &[]));
        let file = lake.snapshot_table_file(&snapshot, &entry.name).unwrap();
        assert!(got.body == file.read_range(0..entry.bytes).unwrap(), "{path}");
        let (bytes, tag) = (entry.bytes.to_string(), format!("\"{}\"", entry.sha256));
        for (answer, body) in [(&got, got.body.len()), (&head, 0)] {
            assert_eq!((answer.status, answer.body.len()), (200, body), "{path}");
            assert_eq!(answer.header("content-length"), Some(&*bytes), "{path}");
            assert_eq!(answer.header("etag"), Some(&*tag));
            assert_eq!(answer.header("x-snapshot-id"), Some(snapshot.id.as_str()));
            let disposition = format!("attachment; filename=\"{}.parquet\"", entry.name);
            assert_eq!(answer.header("content-disposition"), Some(&*disposition));
        }
        let again = serving.page_with("GET", &path, &[("If-None-Match", &tag)]);
        assert_eq!((again.status, again.body.len()), (304, 0));
        let part = serving.page_with("GET", &path, &[("Range", "bytes=-4")]);
        assert_eq!((part.status, &*part.body), (206, &b"PAR1"[..]), "{path}");
    }
    for path in ["/data/nothing.parquet", "/data/events", "/data/..%2fevents.parquet"] {
        assert!(matches!(page(&serving, path).status, 400 | 404), "{path}");
    }
}

#[test]
fn names_are_suggested_while_one_types() {
    let (_bench, serving) = sample();
    let name = data(&serving, "fighters?limit=1")[0]["name"].as_str().unwrap().to_owned();
    let answer = page(&serving, &format!("/suggest?q={}", &name[..5]));
    let found: Value = serde_json::from_slice(&answer.body).unwrap();
    assert!(found.as_array().unwrap().iter().any(|one| one["text"] == name.as_str()), "{found}");
    let href = found[0]["href"].as_str().unwrap();
    assert_eq!(page(&serving, href).status, 200);
}

#[test]
fn the_same_profile_is_told_on_a_terminal() {
    let (bench, serving) = sample();
    let found = data(&serving, "dna/query?metric=sig_landed_per_min&limit=2");
    let (fighter, value) = (&found[0]["fighter"], found[0]["metric"]["value"].as_f64().unwrap());
    let told = bench.run(&["fighter", fighter["slug_id"].as_str().unwrap()]);
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    assert!(text.contains(fighter["name"].as_str().unwrap()), "{text}");
    assert!(text.contains(&format!("{value:.2}/min")), "{text}");
    assert!(!text.contains('█') && !text.contains('·'), "no terminal: plain\n{text}");
    let other = found[1]["fighter"]["slug_id"].as_str().unwrap();
    let told = bench.run(&["matchup", fighter["slug_id"].as_str().unwrap(), other]);
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.status.success() && text.contains("withheld"), "{text}");
    let nobody = bench.run(&["fighter", "Nobody", "Atall"]);
    assert_eq!(nobody.status.code(), Some(2), "{}", String::from_utf8_lossy(&nobody.stderr));
}
