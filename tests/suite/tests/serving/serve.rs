//! The serving program from an operator's side: how it starts, what it tells, how it ends.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use fdna_suite::TestLake;
use fdna_suite::http::Serving;
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

fn sample() -> TestLake {
    TestLake::shared(PROGRAM, &[&["run"]]).copy()
}

/// What a program that must not serve says, and its exit code.
fn refused(bench: &TestLake, args: &[&str]) -> (i32, String) {
    let output = bench.run(&[&["serve", "--listen", "127.0.0.1:0"], args].concat());
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Flips a bit in the middle of a file.
fn damage(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let mut writing = fs::OpenOptions::new().write(true).open(path).unwrap();
    writing.write_all(&bytes).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "plays the operator, or a hand that moves the lake's pointer")]
fn put(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

fn table(bench: &TestLake, id: &str, name: &str) -> std::path::PathBuf {
    bench.folder().join("lake/snapshots").join(id).join("tables").join(format!("{name}.parquet"))
}

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..400 {
        if let Some(seen) = look() {
            return seen;
        }
        std::thread::park_timeout(Duration::from_millis(25));
    }
    panic!("never: {what}");
}

#[test]
fn a_damaged_snapshot_at_the_start_is_named_and_nothing_is_served() {
    let bench = sample();
    let id = bench.snapshot().id.to_string();
    damage(&table(&bench, &id, "fighters"));
    let (code, told) = refused(&bench, &[]);
    assert_eq!(code, 65, "{told}");
    for part in [id.as_str(), "fighters", "fightdna verify --lake lake", "fightdna rollback"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    fs::remove_file(table(&bench, &id, "fighters")).unwrap();
    let (code, told) = refused(&bench, &[]);
    assert!(
        [65, 69].contains(&code) && told.contains("fighters") && told.contains("verify"),
        "{code}: {told}"
    );
}

/// A server answers before it has read Fight DNA: what is damaged there still ends it.
#[test]
fn damage_that_shows_after_the_first_answers_is_named_too() {
    let bench = sample();
    let id = bench.snapshot().id.to_string();
    damage(&table(&bench, &id, "dna_versions"));
    let (code, told) = refused(&bench, &[]);
    assert_eq!(code, 65, "{told}");
    assert!(told.contains(&id) && told.contains("dna_versions"), "{told}");
}

#[test]
fn a_lake_without_a_snapshot_is_69() {
    let (code, told) = refused(&TestLake::new(PROGRAM), &[]);
    assert_eq!(code, 69, "{told}");
    assert!(told.contains("no current snapshot in lake; run \"fightdna run\" to make one"), "{told}");
}

#[test]
fn a_damaged_snapshot_at_a_swap_leaves_the_old_one_and_readyz_says_why() {
    let bench = sample();
    let old = bench.snapshot().id.to_string();
    let later = format!("statsdb={}/../../data/sample/statsdb-later/2025-12-01", env!("CARGO_MANIFEST_DIR"));
    bench.ok(&["run", "--source", &later]);
    let new = bench.snapshot().id.to_string();
    bench.ok(&["rollback", "--to", &old]);
    damage(&table(&bench, &new, "bouts"));
    let serving = Serving::start(&bench);
    // `rollback` would look first, and refuse.
    let pointer = bench.folder().join("lake/current.json");
    // Of the first format, which needs no digest of itself.
    put(&pointer, &format!(r#"{{"format":1,"snapshot_id":"{new}","moved_at":"2026-11-21T00:00:00Z"}}"#));
    let ready = wait_for("the problem is told", || {
        let ready: Value = serde_json::from_slice(&serving.get("/readyz").body).unwrap();
        (ready["status"] == "degraded").then_some(ready)
    });
    let problem = ready["problem"].as_str().unwrap();
    assert!(problem.contains(&new) && problem.contains("bouts"), "{problem}");
    assert_eq!(ready["snapshot_id"], old);
    let answer = serving.get("/v1/mma/events");
    assert_eq!((answer.status, answer.header("x-snapshot-id")), (200, Some(old.as_str())));
    let metrics = serving.get("/metrics").text();
    assert!(
        metrics.contains("fightdna_degraded 1") && metrics.contains("fightdna_load_failures_total 1"),
        "{metrics}"
    );
}

#[test]
fn what_cannot_be_served_with_is_said_with_its_exit_code() {
    let bench = sample();
    put(&bench.folder().join("empty.pem"), "");
    for (args, code, part) in [
        (&["--tls-cert", "nowhere.pem", "--tls-key", "empty.pem"][..], 69, "read nowhere.pem"),
        (&["--tls-cert", "empty.pem", "--tls-key", "empty.pem"], 65, "certificate in PEM in empty.pem"),
        (&["--tls-cert", "empty.pem"], 2, "--tls-key"),
        (&["--access-log", "no/such/folder/log"], 73, "no/such/folder/log"),
        (&["--max-connections", "4000000000"], 2, "ulimit -n"),
        (&["--max-connections", "0"], 2, "--max-connections"),
        (&["--key-file", "nowhere.key"], 69, "read nowhere.key"),
        (&["--key-file", "empty.pem"], 65, "empty.pem: it is empty"),
        (&["--pinned", "many"], 2, "--pinned"),
    ] {
        let (got, told) = refused(&bench, args);
        assert_eq!(got, code, "{args:?}: {told}");
        assert!(told.contains(part), "{args:?}: {told}");
    }
}

/// What systemd would hear, message by message.
fn heard(socket: &UnixDatagram) -> String {
    let mut buffer = [0; 4096];
    let n = socket.recv(&mut buffer).expect("a message to systemd");
    String::from_utf8_lossy(&buffer[..n]).into_owned()
}

#[test]
fn systemd_is_told_of_readiness_snapshot_life_and_end() {
    let bench = sample();
    let path = bench.folder().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let serving = Serving::start_with(&bench, |command| {
        command.env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", "400000");
    });
    let mut told = String::new();
    while !told.contains("READY=1") {
        told += &heard(&socket);
    }
    assert!(told.contains(&format!("STATUS=serving snapshot {}", bench.snapshot().id)), "{told}");
    assert!(heard(&socket).contains("WATCHDOG=1"));
    serving.signal("TERM");
    while !told.contains("STOPPING=1") {
        told += &heard(&socket);
    }
    assert!(serving.wait().success());
}

#[test]
fn a_socket_that_systemd_listens_on_is_taken() {
    let bench = sample();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let inner = bench.command(&["serve", "--quiet"]);
    // The variable must name the process that takes the socket, which has its number only when it runs.
    let script = "exec 3<&0; LISTEN_FDS=1 LISTEN_PID=$$ exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]).arg(inner.get_program()).args(inner.get_args());
    command.current_dir(bench.folder()).stdin(Stdio::from(OwnedFd::from(listener)));
    let mut child = command.spawn().unwrap();
    // It is answered, although nobody took it yet when it was asked.
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

#[test]
fn every_request_is_counted_and_logged_under_the_id_that_the_client_got() {
    let bench = sample();
    let serving = Serving::start_with(&bench, |command| {
        command.args(["--access-log", "access.log"]);
    });
    let (path, moved) = (bench.folder().join("access.log"), bench.folder().join("access.log.1"));
    let answer = serving.get_with(
        "/v1/mma/events?limit=1",
        &[("User-Agent", "suite/1"), ("Authorization", "Bearer fdk_live_sesame")],
    );
    let refused = serving.get("/v1/mma/events?api_key=sesame");
    assert_eq!((answer.status, refused.status), (200, 400));
    let lines = |path: &Path| -> Vec<Value> {
        let text = fs::read_to_string(path).unwrap_or_default();
        assert!(!text.contains("sesame"), "{text}");
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    let of = |id: &str, lines: &[Value]| lines.iter().find(|line| line["request_id"] == id).cloned();
    let id = answer.header("x-request-id").unwrap();
    let line = wait_for("a line", || of(id, &lines(&path)));
    assert_eq!((&line["operation"], &line["status"]), (&"events".into(), &200.into()));
    assert_eq!((&line["bytes"], &line["user_agent"]), (&answer.body.len().into(), &"suite/1".into()));
    assert!(line["time"].as_str().unwrap().ends_with('Z') && line["micros"].as_u64().unwrap() > 0);
    let id = refused.header("x-request-id").unwrap();
    let line = wait_for("the refusal's line", || of(id, &lines(&path)));
    assert_eq!((&line["status"], &line["query"]), (&400.into(), &"api_key=***".into()));

    fs::rename(&path, &moved).unwrap();
    serving.signal("HUP");
    wait_for("the log is opened anew", || path.exists().then_some(()));
    let later = serving.get("/healthz");
    wait_for("a line in the new log", || of(later.header("x-request-id").unwrap(), &lines(&path)));

    let metrics = serving.get("/metrics");
    assert!(metrics.header("content-type").unwrap().starts_with("application/openmetrics-text"));
    let text = metrics.text();
    for line in [
        r#"fightdna_requests_total{operation="events",status="2xx"} 1"#,
        r#"fightdna_requests_total{operation="events",status="4xx"} 1"#,
        r#"fightdna_request_duration_seconds_count{operation="events"} 2"#,
        "fightdna_requests_in_flight 1",
        "fightdna_snapshot_swaps_total 1",
        "fightdna_access_log_dropped_total 0",
        "fightdna_degraded 0",
        &format!(r#"fightdna_snapshot_info{{id="{}",synthetic="true"}} 1"#, bench.snapshot().id),
        "# EOF",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let memory = text.lines().find_map(|line| line.strip_prefix("fightdna_process_resident_memory_bytes "));
    assert!(memory.unwrap().parse::<u64>().unwrap() > 1 << 20);
    assert_eq!(serving.get("/v1/mma/events?limit=1").status, 200);
    serving.signal("TERM");
    assert!(serving.wait().success());
}

/// A server that answers anything, ready or not.
fn begun(bench: &TestLake, args: &[&str], path: &Path) -> Serving {
    let mut command = bench.command(&[&["serve", "--listen", "127.0.0.1:0"], args].concat());
    command.env("NOTIFY_SOCKET", path);
    Serving::begin(command)
}

#[test]
fn a_server_that_waits_says_so_and_serves_the_first_snapshot_when_there_is_one() {
    let bench = TestLake::new(PROGRAM);
    let path = bench.folder().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let serving = begun(&bench, &["--wait"], &path);
    let mut told = String::new();
    while !told.contains("READY=1") {
        told += &heard(&socket);
    }
    assert!(told.contains("STATUS=waiting for the first snapshot"), "{told}");
    assert_eq!((serving.get("/healthz").status, serving.get("/readyz").status), (200, 503));
    let answer = serving.get("/v1/mma/events");
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("5")));
    bench.ok(&["run"]);
    wait_for("it is served", || (serving.get("/readyz").status == 200).then_some(()));
    assert_eq!(serving.get("/v1/mma/events").status, 200);
}

#[test]
fn a_key_that_was_replaced_is_refused_after_a_hangup() {
    let bench = sample();
    let (old, new) = ("the-older-key-of-ours", "the-newer-key-of-ours");
    put(&bench.folder().join("key"), &format!("{old}\n"));
    let serving = Serving::start_with(&bench, |command| {
        command.args(["--key-file", "key", "--admin-listen", "127.0.0.1:0"]);
    });
    let status =
        |key: &str| serving.get_with("/v1/mma/events", &[("Authorization", &format!("Bearer {key}"))]).status;
    assert_eq!((serving.get("/v1/mma/events").status, status(old), status(new)), (401, 200, 401));
    assert_eq!(serving.get("/readyz").text(), r#"{"status":"ready"}"#);
    put(&bench.folder().join("key"), new);
    serving.signal("HUP");
    wait_for("the newer key is taken", || (status(new) == 200).then_some(()));
    assert_eq!((status(old), serving.get("/metrics").status), (401, 401));
}
