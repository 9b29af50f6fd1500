//! The program as its two hosts: `fightdna serve` and, before it, `fightdna gateway`, with keys from `fightdna keys`.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::net::UnixDatagram;
use std::process::Stdio;
use std::time::Duration;

use fdna_suite::TestLake;
use fdna_suite::http::{Answer, Serving};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

struct Hosts {
    bench: TestLake,
    canonical: Serving,
    gateway: Serving,
}

impl Hosts {
    fn start() -> Self {
        let bench = TestLake::shared(env!("CARGO_BIN_EXE_fightdna-under-test"), &[&["run"]]).copy();
        let canonical = Serving::start(&bench);
        let gateway = Self::gateway(&bench, &canonical);
        Self { bench, canonical, gateway }
    }

    /// With every log line in `log`.
    fn gateway(bench: &TestLake, canonical: &Serving) -> Serving {
        bench.ok(&["keys", "--keys", "keys.db", "migrate"]);
        let url = format!("http://{}", canonical.address());
        let listen = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
        // Some tests are refused more often than anybody is.
        let any = ["--max-refusals-per-minute", "0"];
        let mut command = bench.command(&["gateway", "--keys", "keys.db", "--upstream", &url]);
        command.args(any);
        let log = File::options().create(true).append(true).open(bench.folder().join("log")).unwrap();
        command.args(listen).env("RUST_LOG", "trace").stderr(Stdio::from(log));
        Serving::run(command)
    }

    fn keys(&self, args: &[&str]) -> Value {
        keys(&self.bench, args)
    }

    fn issue(&self, account: &str, plan: &str) -> String {
        let issued = self.keys(&["issue", "--account", account, "--plan", plan]);
        issued["key"].as_str().unwrap().to_owned()
    }

    fn get(&self, path: &str, key: &str) -> Answer {
        self.gateway.get_with(path, &[("X-API-Key", key)])
    }

    /// Until a key is known to the gateway.
    fn wait_for(&self, key: &str, status: u16) {
        for _ in 0..100 {
            if self.get("/v1/mma", key).status == status {
                return;
            }
            std::thread::park_timeout(Duration::from_millis(20));
        }
        panic!("not {status} within two seconds");
    }
}

fn keys(bench: &TestLake, args: &[&str]) -> Value {
    let text = bench.ok(&[&["--json", "keys", "--keys", "keys.db"], args].concat());
    serde_json::from_str(&text).unwrap()
}

fn json(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.body).unwrap_or_else(|_| panic!("{}", answer.text()))
}

/// A body without the one thing that differs from request to request.
fn without_id(answer: &Answer) -> String {
    let id = json(answer)["meta"]["request_id"].as_str().unwrap().to_owned();
    answer.text().replace(&id, "ID")
}

#[test]
fn the_file_of_a_table_passes_through_whole_and_in_parts() {
    let hosts = Hosts::start();
    let (key, below) = (hosts.issue("acme", "scale"), hosts.issue("lesser", "ultra"));
    hosts.wait_for(&key, 200);
    hosts.wait_for(&below, 200);
    let list = json(&hosts.get("/v1/mma/snapshots/current/tables", &below));
    let largest =
        list["data"].as_array().unwrap().iter().max_by_key(|table| table["bytes"].as_u64()).unwrap();
    let path = largest["links"]["parquet"].as_str().unwrap();
    let refused = hosts.get(path, &below);
    assert_eq!(
        (refused.status, &json(&refused)["error"]["details"]["required_plan"]),
        (403, &"scale".into())
    );
    let tag = format!("\"{}\"", largest["sha256"].as_str().unwrap());
    for headers in [
        &[][..],
        &[("Range", "bytes=-8")],
        &[("Range", "bytes=10-99999")],
        &[("Range", "bytes=0-9"), ("If-Range", &*tag)],
        &[("Range", "bytes=0-9"), ("If-Range", "\"other\"")],
        &[("If-Match", "\"other\"")],
        &[("If-None-Match", &*tag)],
        &[("Range", "bytes=999999999-")],
    ] {
        let direct = hosts.canonical.get_with(path, headers);
        let keyed: Vec<(&str, &str)> = headers.iter().copied().chain([("X-API-Key", &*key)]).collect();
        let through = hosts.gateway.get_with(path, &keyed);
        assert_eq!(through.status, direct.status, "{headers:?}");
        if direct.status < 400 {
            assert!(through.body == direct.body, "{headers:?}");
        }
        for name in
            ["etag", "content-range", "content-length", "repr-digest", "content-digest", "accept-ranges"]
        {
            // Errors have ids of their own length alone.
            assert_eq!(through.header(name), direct.header(name), "{headers:?} {name}");
        }
        assert_eq!(through.header("content-encoding"), None);
    }
    let kept = hosts.get(path, &key);
    assert_eq!(kept.header("cache-control"), Some("private, max-age=31536000, immutable, no-transform"));
}

#[test]
fn both_hosts_give_the_same_bodies() {
    let hosts = Hosts::start();
    let key = hosts.issue("acme", "ultra");
    hosts.wait_for(&key, 200);
    let fighters = json(&hosts.canonical.get("/v1/mma/fighters?limit=2"));
    let ids: Vec<&str> = (0..2).map(|n| fighters["data"][n]["id"].as_str().unwrap()).collect();
    let (a, b) = (ids[0], ids[1]);
    for path in [
        "/v1/mma".to_owned(),
        "/v1/mma/events?limit=3".to_owned(),
        format!("/v1/mma/fighters/{a}?include=stats,history"),
        format!("/v1/mma/fighters/{a}/dna"),
        format!("/v1/mma/matchups/{a}/{b}/dna"),
        "/v1/mma/dna/metrics".to_owned(),
        "/v1/mma/events?limit=0".to_owned(),
        "/v1/mma/events/nobody".to_owned(),
        "/v1/mma/rankings".to_owned(),
        "/v1/mma/no/such/route".to_owned(),
    ] {
        let (direct, through) = (hosts.canonical.get(&path), hosts.get(&path, &key));
        assert_eq!(through.status, direct.status, "{path}");
        assert_eq!(without_id(&through), without_id(&direct), "{path}");
        assert_eq!(json(&through)["meta"]["request_id"], through.header("x-upstream-request-id").unwrap());
        assert_eq!(through.header("etag"), direct.header("etag"), "{path}");
        assert_eq!(through.header("x-plan"), Some("ultra"), "{path}");
    }
}

/// The canonical host says in every success which plan was asked for: what the gateway lets a developer's key have
/// never says another.
#[test]
fn no_path_or_query_gets_more_than_the_plan_allows() {
    let hosts = Hosts::start();
    let issue = [
        "issue",
        "--account",
        "acme",
        "--plan",
        "developer",
        "--per-minute",
        "1000000",
        "--per-month",
        "1000000",
    ];
    let key = hosts.keys(&issue)["key"].as_str().unwrap().to_owned();
    hosts.wait_for(&key, 200);
    let fighters = json(&hosts.canonical.get("/v1/mma/fighters?limit=2"));
    let ids: Vec<String> = (0..2).map(|n| fighters["data"][n]["id"].as_str().unwrap().to_owned()).collect();
    let events = json(&hosts.canonical.get("/v1/mma/events?limit=1"));
    let event = events["data"][0]["id"].as_str().unwrap().to_owned();
    let (a, b) = (&ids[0], &ids[1]);
    let wanted = vec![
        format!("/v1/mma/fighters/{a}/dna"),
        format!("/v1/mma/fighters/{a}/stats"),
        format!("/v1/mma/fighters/{a}?include=stats"),
        format!("/v1/mma/events/{event}/card?include=media,stats"),
        format!("/v1/mma/matchups/{a}/{b}/dna"),
        "/v1/mma/dna/metrics".to_owned(),
        format!("/v1/mma/events/{event}/intelligence"),
        format!("/v1/mma/fighters/{a}"),
        "/v1/mma/events".to_owned(),
    ];
    // Edits that leave a path's meaning as it is for someone.
    let edit = (0..12usize, any::<prop::sample::Index>());
    let asked =
        (prop::sample::select(wanted), prop::collection::vec(edit, 0..3)).prop_map(|(path, edits)| {
            edits.into_iter().fold(path, |path, (how, at)| {
                let place = at.index(path.len());
                let (before, after) = path.split_at(place);
                let encoded = format!("%{:02x}", after.as_bytes()[0]);
                match how {
                    0 => format!("{before}{encoded}{}", &after[1..]),
                    1 => format!("{before}{}{}", after[..1].to_uppercase(), &after[1..]),
                    2 => format!("{before}/{after}"),
                    3 => format!("{before}./{after}"),
                    4 => format!("{before}../{after}"),
                    5 => format!("{before}%2e%2e/{after}"),
                    6 => format!("{before};{after}"),
                    7 => format!("{path}."),
                    8 => format!("{path}/"),
                    9 => format!("{path}&include=stats"),
                    10 => format!("{path}?include=stats"),
                    _ => format!("{before}{encoded}{}", &after[1..])
                        .to_uppercase()
                        .replace("/V1/MMA", "/v1/mma"),
                }
            })
        });
    let mut runner = TestRunner::new(Config { cases: 400, failure_persistence: None, ..Config::default() });
    let mut allowed = 0;
    let seen = std::cell::Cell::new(0);
    runner
        .run(&asked, |path| {
            let answer = hosts.get(&path, &key);
            prop_assert!(answer.status != 502 && answer.status != 429, "{} {path}", answer.status);
            if answer.status == 200 {
                seen.set(seen.get() + 1);
                prop_assert_eq!(&json(&answer)["meta"]["access_tier"], "developer", "{}", path);
            }
            Ok(())
        })
        .unwrap();
    allowed += seen.get();
    assert!(allowed > 10, "something was allowed: {allowed}");
}

#[test]
fn a_key_is_in_no_log_and_what_it_used_survives_a_kill() {
    let hosts = Hosts::start();
    let key = hosts.issue("acme", "scale");
    hosts.wait_for(&key, 200);
    let mut through = 0;
    for n in 0..150 {
        let answer = hosts.get("/v1/mma", &key);
        through += i64::from(answer.status == 200);
        let remaining: i64 = answer.header("x-quota-remaining").unwrap().parse().unwrap();
        assert!(remaining < 2_000_000 - n, "{remaining}");
    }
    for path in [format!("/v1/mma?key={key}"), format!("/v1/mma/{key}")] {
        assert_eq!(hosts.get(&path, &key).status, 400);
    }
    let other = if key.ends_with('x') { 'y' } else { 'x' };
    let near = format!("{}{other}", &key[..45]);
    assert_eq!(hosts.get("/v1/mma", &near).status, 401);
    assert_eq!(
        hosts.gateway.get_with("/v1/mma", &[("Authorization", &format!("Bearer {near}"))]).status,
        401
    );
    // Killed: no farewell to the store.
    let Hosts { bench, canonical, gateway } = hosts;
    drop(gateway);
    let usage = keys(&bench, &["usage", "acme"]);
    let reserved = usage["reserved"].as_i64().unwrap();
    // A portion is a thousandth of the month.
    assert!(reserved >= through && reserved <= through + 1 + 2000, "{through} {usage}");
    let gateway = Hosts::gateway(&bench, &canonical);
    let answer = gateway.get_with("/v1/mma", &[("X-API-Key", &key)]);
    assert_eq!(answer.status, 200);
    let remaining: i64 = answer.header("x-quota-remaining").unwrap().parse().unwrap();
    assert_eq!(remaining, 2_000_000 - reserved - 1);
    drop(gateway);
    let secret = &key[13..39];
    for name in ["log", "keys.db", "keys.db-wal"] {
        let Ok(bytes) = std::fs::read(bench.folder().join(name)) else { continue };
        assert!(!bytes.windows(secret.len()).any(|w| w == secret.as_bytes()), "{name}");
        assert!(name != "log" || bytes.len() > 1000, "the log is empty");
    }
}

#[test]
fn systemd_is_told_of_readiness_life_and_end() {
    let bench = TestLake::shared(env!("CARGO_BIN_EXE_fightdna-under-test"), &[&["run"]]).copy();
    let canonical = Serving::start(&bench);
    let path = bench.folder().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let heard = || {
        let mut buffer = [0; 4096];
        let n = socket.recv(&mut buffer).expect("a message to systemd");
        String::from_utf8_lossy(&buffer[..n]).into_owned()
    };
    let url = format!("http://{}", canonical.address());
    let listen = ["--listen", "127.0.0.1:0"];
    bench.ok(&["keys", "--keys", "keys.db", "migrate"]);
    let mut command = bench.command(&["gateway", "--keys", "keys.db", "--upstream", &url]);
    command.args(listen).env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", "400000");
    let gateway = Serving::run(command);
    assert_eq!(heard(), "READY=1\nSTATUS=canonical hosts: 1\n");
    assert_eq!((heard(), heard()), ("WATCHDOG=1\n".to_owned(), "WATCHDOG=1\n".to_owned()));
    gateway.signal("TERM");
    while heard() != "STOPPING=1\n" {}
    assert!(gateway.wait().success());
}

#[test]
fn an_operator_issues_lists_rotates_revokes_and_reads_usage() {
    let hosts = Hosts::start();
    let key = hosts.issue("acme", "pro");
    hosts.wait_for(&key, 200);
    let rotated = hosts.keys(&["rotate", "1", "--overlap-hours", "1"]);
    assert_eq!(rotated["replaces"]["id"], 1);
    let new = rotated["key"].as_str().unwrap();
    hosts.wait_for(new, 200);
    let list = hosts.keys(&["list"]);
    let states: Vec<&str> =
        list.as_array().unwrap().iter().map(|row| row["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["expiring", "valid"]);
    assert!(!list.to_string().contains(&key[13..]) && !list.to_string().contains(&new[13..]));
    // By the whole key, from standard input, so that it is in no shell's history.
    let mut command = hosts.bench.command(&["keys", "--keys", "keys.db", "revoke", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(key.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && told.starts_with("key 1 (fdk_live_") && !told.contains(&key),
        "{told}"
    );
    hosts.wait_for(&key, 401);
    assert_eq!(hosts.get("/v1/mma/dna/metrics", new).status, 200);
    hosts.keys(&["plan", "--account", "acme", "--plan", "developer"]);
    for _ in 0..100 {
        if hosts.get("/v1/mma/dna/metrics", new).status == 403 {
            break;
        }
        std::thread::park_timeout(Duration::from_millis(20));
    }
    assert_eq!(hosts.get("/v1/mma/dna/metrics", new).status, 403);
    // Requests are written down every second, and between two looks too.
    let usage_of = |who: &str| hosts.keys(&["usage", who]);
    let is_written = |usage: &Value| usage["requests"].as_i64() >= Some(3) && *usage == usage_of("2");
    let mut usage = usage_of("acme");
    for _ in 0..50 {
        if is_written(&usage) {
            break;
        }
        std::thread::park_timeout(Duration::from_millis(100));
        usage = usage_of("acme");
    }
    assert_eq!((&usage["plan"], &usage["limit"]), (&Value::from("developer"), &Value::from(25_000)));
    assert!(usage["requests"].as_i64().unwrap() >= 3, "{usage}");
    assert_eq!(usage, usage_of("2"));
    assert_eq!(hosts.keys(&["usage", "acme", "--month", "2020-01"])["requests"], 0);
}

#[test]
fn what_an_operator_gets_wrong_is_told_with_its_exit_code() {
    let bench = TestLake::new(env!("CARGO_BIN_EXE_fightdna-under-test"));
    std::io::Write::write_all(&mut File::create(bench.folder().join("plans.toml")).unwrap(), b"[gold]\n")
        .unwrap();
    std::io::Write::write_all(&mut File::create(bench.folder().join("words.txt")).unwrap(), b"not a key\n")
        .unwrap();
    keys(&bench, &["issue", "--account", "acme", "--plan", "pro"]);
    for (args, code, told) in [
        (vec!["revoke", "77"], 2, "no such key"),
        (vec!["revoke", "fdk_live_xxxx"], 2, "no such key"),
        (vec!["usage", "nobody"], 2, "no account and no key `nobody`"),
        (vec!["list", "--account", "nobody"], 2, "no account `nobody`"),
        (
            vec!["issue", "--account", "acme", "--plan", "ultra"],
            2,
            "fightdna keys plan --account acme --plan ultra",
        ),
        (vec!["issue", "--account", "big", "--plan", "enterprise"], 2, "pass --per-minute and --per-month"),
        (vec!["issue", "--account", "acme", "--plan", "pro", "--expires", "soon"], 2, "not YYYY-MM-DD"),
        (vec!["issue", "--account", "acme", "--plan", "pro", "--expires", "2020-01-01"], 2, "never be valid"),
        (vec!["suspend", "nobody"], 2, "no account and no key `nobody`"),
        (vec!["export", "--from", "2026-02-01", "--to", "2026-01-01"], 2, "is before --from"),
        (vec!["issue", "--account", "big", "--plan", "gold"], 2, "not one of developer, pro, ultra"),
        (vec!["issue", "--account", "fdk_live_x", "--plan", "pro"], 2, "an account needs a name"),
        (vec!["--plans", "plans.toml", "issue", "--account", "a", "--plan", "pro"], 65, "plans.toml"),
        (vec!["--plans", "none.toml", "issue", "--account", "a", "--plan", "pro"], 69, "none.toml"),
    ] {
        let output = bench.run(&[&["keys", "--keys", "keys.db"], args.as_slice()].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
        assert!(error.contains(told), "{args:?}: {error}");
    }
    for (args, code) in [
        (vec!["keys", "--keys", "no/such/folder/keys.db", "list"], 69),
        (vec!["gateway", "--keys", "keys.db", "--upstream", "ftp://a"], 2),
        (vec!["gateway", "--keys", "keys.db", "--upstream", "https://a", "--upstream-ca", "none.pem"], 69),
        (vec!["gateway", "--keys", "keys.db", "--upstream", "https://a", "--upstream-ca", "plans.toml"], 65),
        (vec!["gateway", "--keys", "keys.db", "--upstream", "http://a", "--upstream-key-file", "none"], 69),
        (
            vec![
                "gateway",
                "--keys",
                "keys.db",
                "--upstream",
                "http://a",
                "--upstream-key-file",
                "words.txt",
            ],
            65,
        ),
        (vec!["gateway", "--keys", "keys.db"], 2),
        (vec!["gateway", "--keys", "typo.db", "--upstream", "http://a"], 69),
        (vec!["gateway", "--keys", "postgres://user:hidden@127.0.0.1:1/x", "--upstream", "http://a"], 69),
    ] {
        let output = bench.run(&args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
        assert!(!error.contains("hidden"), "{error}");
    }
}

#[test]
fn keys_have_labels_and_ends_are_suspended_and_what_was_done_is_logged() {
    let hosts = Hosts::start();
    let issue = |more: &[&str]| {
        hosts.keys(&[&["--by", "ann", "issue", "--account", "acme", "--plan", "pro"], more].concat())
    };
    let issued = issue(&["--label", "staging, \"blue\"", "--expires", "90d"]);
    let key = issued["key"].as_str().unwrap();
    assert_eq!((&issued["label"], &issued["id"]), (&"staging, \"blue\"".into(), &1.into()));
    hosts.wait_for(key, 200);
    for (who, other) in [("acme", "acme"), ("1", "1")] {
        assert_eq!(hosts.keys(&["--by", "bob", "suspend", who])["changed"], true);
        hosts.wait_for(key, 401);
        assert_eq!(hosts.keys(&["list"])[0]["state"], "suspended");
        assert_eq!(hosts.keys(&["suspend", other])["changed"], false);
        assert_eq!(hosts.keys(&["--by", "bob", "resume", who])["changed"], true);
        hosts.wait_for(key, 200);
    }
    let ends = issued["expires_at"].as_str().unwrap().to_owned();
    let row = hosts.keys(&["list"])[0].clone();
    assert_eq!((&row["state"], row["expires_at"].as_str()), (&"expiring".into(), Some(ends.as_str())));
    let rotated = hosts.keys(&["--by", "cy", "rotate", "1"]);
    assert_eq!(rotated["label"], issued["label"]);
    hosts.keys(&["--by", "cy", "revoke", "2"]);
    let log = hosts.keys(&["log", "--account", "acme"]);
    let told: Vec<(&str, &str, Option<i64>)> = log
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["by"].as_str().unwrap(), row["action"].as_str().unwrap(), row["key_id"].as_i64()))
        .collect();
    let expected = [
        ("ann", "open", None),
        ("ann", "issue", Some(1)),
        ("bob", "suspend", None),
        ("bob", "resume", None),
        ("bob", "suspend", Some(1)),
        ("bob", "resume", Some(1)),
        ("cy", "rotate", Some(2)),
        ("cy", "revoke", Some(2)),
    ];
    assert_eq!(told, expected);
    assert!(!log.to_string().contains(&key[13..]));
    // Without --by it is the system's user who did it, whoever that is.
    issue(&[]);
    hosts.bench.ok(&["keys", "--keys", "keys.db", "issue", "--account", "beta", "--plan", "pro"]);
    let log = hosts.keys(&["log", "--account", "beta"]);
    assert!(log[0]["by"].as_str().is_some_and(|by| !by.is_empty()), "{log}");
}

#[test]
fn usage_is_exported_by_day_key_and_operation() {
    let hosts = Hosts::start();
    let issued = hosts.keys(&["issue", "--account", "Błach, Co", "--plan", "pro", "--label", "=1+1"]);
    let key = issued["key"].as_str().unwrap();
    hosts.wait_for(key, 200);
    let before = hosts.keys(&["list"])[0]["last_used_at"].clone();
    for path in ["/v1/mma/events", "/v1/mma/events?limit=1", "/v1/mma/fighters", "/v1/mma/no/such/route"] {
        hosts.get(path, key);
    }
    let export = |format: &str| {
        let days = ["--from", "2000-01-01", "--to", "2999-12-31", "--format", format];
        hosts.bench.ok(&[&["keys", "--keys", "keys.db", "export"][..], &days].concat())
    };
    let rows = || serde_json::from_str::<Vec<Value>>(&export("json")).unwrap();
    let requests = |operation: &str| -> i64 {
        let of = rows().into_iter().filter(|row| row["operation"] == operation);
        of.map(|row| row["requests"].as_i64().unwrap()).sum()
    };
    for _ in 0..100 {
        if requests("none") == 1 {
            break;
        }
        std::thread::park_timeout(Duration::from_millis(50));
    }
    assert_eq!((requests("events"), requests("fighters"), requests("none")), (2, 1, 1));
    let row = &rows()[0];
    assert_eq!(
        (&row["account"], &row["label"], &row["key_id"]),
        (&"Błach, Co".into(), &"=1+1".into(), &1.into())
    );
    let csv = export("csv");
    assert!(csv.starts_with("day,account,plan,key_id,key,label,operation,requests,bytes\n"), "{csv}");
    // A spreadsheet would calculate it.
    let line = format!(",\"Błach, Co\",pro,1,{},'=1+1,events,2,0\n", &key[..13]);
    assert!(csv.contains(&line), "{csv}");
    // All of it is the month's.
    let month: i64 = rows().iter().map(|row| row["requests"].as_i64().unwrap()).sum();
    assert_eq!(hosts.keys(&["usage", "Błach, Co"])["requests"], month);
    let last = hosts.keys(&["list"])[0]["last_used_at"].clone();
    assert!(last.as_str() >= before.as_str() && last.is_string(), "{before} {last}");
}
