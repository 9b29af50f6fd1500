//! `fightdna leads` and `fightdna keys` as an operator uses them: a store that is not there, that is damaged, that is cleaned.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Output;

use fdna_suite::TestLake;
use fdna_suite::http::Serving;
use serde_json::Value;

const STORE: [&str; 2] = ["leads", "--store"];

fn bench() -> TestLake {
    TestLake::new(env!("CARGO_BIN_EXE_fightdna-under-test"))
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn leads(bench: &TestLake, args: &[&str]) -> Output {
    bench.run(&[&STORE[..], &["leads.db"], args].concat())
}

fn issue(bench: &TestLake, more: &[&str]) -> String {
    let issue = [
        "--json",
        "keys",
        "--keys",
        "keys.db",
        "issue",
        "--product",
        "leads",
        "--account",
        "crm",
        "--plan",
        "developer",
    ];
    let issued: Value = serde_json::from_str(&bench.ok(&[&issue[..], more].concat())).unwrap();
    issued["key"].as_str().unwrap().to_owned()
}

fn serve(bench: &TestLake, more: &[&str]) -> Serving {
    let serve = ["leads", "--store", "leads.db", "serve", "--keys", "keys.db", "--listen", "127.0.0.1:0"];
    Serving::run(bench.command(&[&serve[..], more].concat()))
}

/// The status of an answer, and its body.
fn post(serving: &Serving, key: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(serving.address()).unwrap();
    let request = format!(
        "POST /v1/leads HTTP/1.1\r\nhost: leads\r\nconnection: close\r\nx-api-key: {key}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    (answer[9..12].parse().unwrap(), answer.split("\r\n\r\n").nth(1).unwrap_or_default().to_owned())
}

#[test]
fn a_mistyped_store_is_an_error_and_makes_no_file() {
    let bench = bench();
    for args in [
        vec!["leads", "--store", "typo.db", "erase", "--email", "a@b.example"],
        vec!["leads", "--store", "typo.db", "erase", "--phone", "+14155552671"],
        vec!["leads", "--store", "typo.db", "export"],
        vec!["leads", "--store", "typo.db", "retention", "--days", "30"],
        vec!["leads", "--store", "typo.db", "verify"],
        vec!["keys", "--keys", "typo.db", "list"],
        vec!["keys", "--keys", "typo.db", "log"],
        vec!["keys", "--keys", "typo.db", "usage", "acme"],
        vec!["keys", "--keys", "typo.db", "revoke", "1"],
        vec!["keys", "--keys", "typo.db", "rotate", "1"],
        vec!["keys", "--keys", "typo.db", "export", "--from", "2026-11-01", "--to", "2026-11-02"],
        vec!["keys", "--keys", "typo.db", "verify"],
    ] {
        let output = bench.run(&args);
        assert_eq!(code(&output), 69, "{args:?}: {}", text(&output));
        assert!(text(&output).contains("typo.db"), "{args:?}: {}", text(&output));
        assert!(!bench.folder().join("typo.db").exists(), "{args:?}");
    }
    issue(&bench, &[]);
    drop(serve(&bench, &[]));
    // The store of another product is none either, and is left as it is.
    let issue = ["issue", "--product", "leads", "--account", "a", "--plan", "developer"];
    let made = text(&bench.run(&[&["keys", "--keys", "other.db"][..], &issue].concat()));
    assert!(made.contains("made a new key store at other.db"), "{made}");
    for (args, wanted) in [
        (vec!["leads", "--store", "keys.db", "erase", "--email", "a@b.example"], "keys, not of leads"),
        (vec!["leads", "--store", "keys.db", "verify"], "keys, not of leads"),
        (vec!["leads", "--store", "keys.db", "serve", "--keys", "keys.db"], "keys, not of leads"),
        ([&["keys", "--keys", "leads.db"][..], &issue].concat(), "leads, not of keys"),
        (vec!["leads", "--store", "new.db", "serve", "--keys", "typo.db"], "fightdna keys --keys … issue"),
        (vec!["leads", "--store", ".", "verify"], "it is a folder"),
    ] {
        let output = bench.run(&args);
        assert!(code(&output) == 69 && text(&output).contains(wanted), "{args:?}: {}", text(&output));
    }
    assert!(!["new.db", "typo.db"].iter().any(|name| bench.folder().join(name).exists()));
    assert_eq!(code(&bench.run(&["keys", "--keys", "keys.db", "verify"])), 0);
    assert_eq!(code(&leads(&bench, &["verify"])), 0);
}

/// The program where no file may grow, as on a full disk.
fn without_room(bench: &TestLake, args: &[&str]) -> Output {
    let program = bench.command(args);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""]);
    command.arg(program.get_program()).args(program.get_args());
    if let Some(folder) = program.get_current_dir() {
        command.current_dir(folder);
    }
    let given = program.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
    command.envs(given.collect::<Vec<_>>()).output().unwrap()
}

#[test]
fn on_a_full_disk_no_store_is_begun_and_leads_are_exported() {
    let bench = bench();
    let files = || std::fs::read_dir(bench.folder()).unwrap().count();
    let before = files();
    let issue_new =
        ["keys", "--keys", "new.db", "--by", "ann", "issue", "--account", "acme", "--plan", "pro"];
    let full = without_room(&bench, &issue_new);
    assert_eq!(code(&full), 73, "{}", text(&full));
    assert!(text(&full).contains("make room"), "{}", text(&full));
    assert_eq!(files(), before, "nothing is left");
    let key = issue(&bench, &[]);
    let serving = serve(&bench, &[]);
    assert_eq!(post(&serving, &key, r#"{"name":"A","email":"a@b.example"}"#).0, 201);
    serving.signal("TERM");
    assert!(serving.wait().success());
    let exported = without_room(&bench, &["leads", "--store", "leads.db", "export"]);
    assert_eq!(code(&exported), 0, "{}", text(&exported));
    let lead: Value = serde_json::from_slice(&exported.stdout).unwrap();
    let at = |value: &Value| value.as_str().is_some_and(|at| at.len() == 27 && at.ends_with('Z'));
    assert!(at(&lead["created_at"]) && at(&lead["history"][0]["at"]), "{lead}");
    let erased = without_room(&bench, &["leads", "--store", "leads.db", "erase", "--email", "a@b.example"]);
    assert_eq!(code(&erased), 73, "{}", text(&erased));
    assert_eq!(code(&leads(&bench, &["verify"])), 0);
    assert!(text(&leads(&bench, &["export"])).contains("a@b.example"));
}

/// One byte of the type of a column, in every page that has it: SQLite leaves copies where it split a page.
#[test]
fn a_damaged_schema_is_told_by_every_command() {
    let bench = bench();
    let key = issue(&bench, &[]);
    let serving = serve(&bench, &[]);
    assert_eq!(post(&serving, &key, r#"{"name":"A","email":"a@b.example"}"#).0, 201);
    serving.signal("TERM");
    assert!(serving.wait().success());
    for (name, column) in [("leads.db", "metadata TEXT"), ("keys.db", "shown TEXT")] {
        let path = bench.folder().join(name);
        let mut bytes = std::fs::read(&path).unwrap();
        let starts = 0..=bytes.len() - column.len();
        let found: Vec<_> = starts.filter(|&at| bytes[at..].starts_with(column.as_bytes())).collect();
        assert!(!found.is_empty(), "{name} has no {column}");
        for at in found {
            bytes[at + column.len() - 2] ^= 0x80;
        }
        std::fs::File::create(&path).unwrap().write_all(&bytes).unwrap();
    }
    for args in [
        vec!["leads", "--store", "leads.db", "export"],
        vec!["leads", "--store", "leads.db", "verify"],
        vec!["leads", "--store", "leads.db", "erase", "--email", "a@b.example"],
        vec!["leads", "--store", "leads.db", "serve", "--keys", "keys.db"],
        vec!["keys", "--keys", "keys.db", "revoke", "1"],
        vec!["keys", "--keys", "keys.db", "usage", "crm"],
        vec!["keys", "--keys", "keys.db", "verify"],
        vec!["gateway", "--keys", "keys.db", "--upstream", "http://127.0.0.1:1"],
    ] {
        let output = bench.run(&args);
        assert_eq!(code(&output), 65, "{args:?}: {}", text(&output));
    }
}

#[test]
fn a_store_is_verified_and_what_is_damaged_is_told() {
    let bench = bench();
    let key = issue(&bench, &[]);
    let serving = serve(&bench, &[]);
    for n in 0..40 {
        let body =
            format!(r#"{{"name":"Hidden {n}","email":"hidden{n}@example.com","phone":"+14155552671"}}"#);
        assert_eq!(post(&serving, &key, &body).0, 201);
    }
    let whole = leads(&bench, &["verify"]);
    assert_eq!(code(&whole), 0, "{}", text(&whole));
    serving.signal("TERM");
    assert!(serving.wait().success());
    for name in ["leads.db", "keys.db"] {
        let path = bench.folder().join(name);
        let before = std::fs::read(&path).unwrap();
        let mut told = 0;
        for page in 1..before.len() / 4096 {
            let mut damaged = before.clone();
            damaged[page * 4096..page * 4096 + 16].fill(0xff);
            for log in ["-wal", "-shm"] {
                let _ = std::fs::remove_file(bench.folder().join(format!("{name}{log}")));
            }
            std::fs::File::create(&path).unwrap().write_all(&damaged).unwrap();
            let verified = match name {
                "leads.db" => leads(&bench, &["verify"]),
                _ => bench.run(&["keys", "--keys", "keys.db", "verify"]),
            };
            assert!([0, 65].contains(&code(&verified)), "{name} {page}: {}", text(&verified));
            assert!(!text(&verified).contains("hidden"), "{}", text(&verified));
            told += usize::from(code(&verified) == 65);
        }
        assert!(told * 2 > before.len() / 4096, "{name}: {told} of {}", before.len() / 4096);
        std::fs::File::create(&path).unwrap().write_all(&before).unwrap();
    }
    std::fs::File::create(bench.folder().join("leads.db")).unwrap().write_all(&[7; 9000]).unwrap();
    assert_eq!(code(&leads(&bench, &["verify"])), 65);
}

#[test]
fn old_leads_are_counted_before_they_are_erased() {
    let bench = bench();
    let key = issue(&bench, &["--scope", "create"]);
    let serving = serve(&bench, &[]);
    assert_eq!(post(&serving, &key, r#"{"name":"A","email":"a@b.example","phone":"(415) 555-2671"}"#).0, 201);
    assert_eq!(post(&serving, &key, r#"{"name":"B","email":"b@b.example"}"#).0, 201);
    drop(serving);
    let counted = leads(&bench, &["retention", "--days", "30", "--dry-run"]);
    assert!(code(&counted) == 0 && text(&counted).starts_with("0 of 2 leads"), "{}", text(&counted));
    let none = leads(&bench, &["retention", "--days", "30"]);
    assert!(
        text(&none).contains("0 of 2 leads") && text(&none).contains("0 leads erased"),
        "{}",
        text(&none)
    );
    let exported = text(&leads(&bench, &["export", "--phone", "415-555-2671"]));
    let lead: Value = serde_json::from_str(&exported).unwrap();
    assert_eq!((&lead["name"], &lead["account"]), (&"A".into(), &"crm".into()));
    let erased = leads(&bench, &["erase", "--phone", "+1 415 555 2671"]);
    assert!(text(&erased).contains("1 leads erased"), "{}", text(&erased));
    assert_eq!(code(&leads(&bench, &["erase"])), 2);
    assert_eq!(code(&leads(&bench, &["erase", "--phone", "call me"])), 2);
    assert_eq!(text(&leads(&bench, &["export"])).lines().count(), 1);
    let at = |now: &str, more: &[&str]| {
        let args = [&["leads", "--store", "leads.db", "retention", "--days", "730"][..], more].concat();
        bench.command(&args).env("FIGHTDNA_NOW", now).output().unwrap()
    };
    for now in ["2999-01-01T00:00:00Z", "2001-01-01T00:00:00Z"] {
        for more in [&[][..], &["--dry-run"]] {
            let held = at(now, more);
            assert!(code(&held) == 76 && text(&held).contains("--clock-is-right"), "{now}: {}", text(&held));
        }
    }
    assert_eq!(text(&leads(&bench, &["export"])).lines().count(), 1);
    let erased = at("2999-01-01T00:00:00Z", &["--clock-is-right"]);
    assert!(
        text(&erased).contains("1 of 1 leads") && text(&erased).contains("1 leads erased"),
        "{}",
        text(&erased)
    );
    assert!(text(&leads(&bench, &["export"])).is_empty());
}

#[test]
fn leads_are_served_without_their_properties() {
    let bench = bench();
    let key = issue(&bench, &[]);
    let lakes = bench.folder().join("damaged/log");
    std::fs::create_dir_all(&lakes).unwrap();
    std::fs::File::create(lakes.join("captures.jsonl")).unwrap().write_all(b"what\n").unwrap();
    for lake in ["nowhere", "damaged"] {
        let serving = serve(&bench, &["--properties-lake", lake]);
        assert_eq!(post(&serving, &key, r#"{"name":"A","email":"a@b.example"}"#).0, 201, "{lake}");
        let properties = serving.get_with("/v1/properties", &[("X-API-Key", key.as_str())]);
        assert_eq!(properties.status, 503, "{lake}");
        assert!(properties.text().contains("properties_not_available"), "{}", properties.text());
    }
    assert!(!bench.folder().join("nowhere").exists());
}
