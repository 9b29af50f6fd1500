//! What lies in a folder of captures beside captures: pipes, devices, names, dates, files without end. Each is named,
//! and the rest is taken in and published.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fdna_suite::TestLake;

use crate::hostile::{bench, good, published, told, write};

/// A good capture, of which a test adds neighbours.
fn with_good() -> TestLake {
    let bench = bench();
    write(&bench, "captures/2025-11-01", &good());
    bench
}

const RUN: [&str; 3] = ["run", "--captures", "statsdb=captures"];

fn pipe(bench: &TestLake, name: &str) {
    let path = bench.folder().join(name);
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn pipes_devices_sockets_and_files_without_end_are_named_and_not_read() {
    let bench = with_good();
    let captures = bench.folder().join("captures");
    pipe(&bench, "captures/2025-10-01.csv");
    symlink("/dev/zero", captures.join("2025-10-02.csv")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(captures.join("2025-10-03")).unwrap();
    symlink("nowhere", captures.join("2025-10-04")).unwrap();
    std::fs::create_dir(captures.join("2025-10-05")).unwrap();
    File::create(captures.join("2025-10-06.csv")).unwrap().set_len(3 << 30).unwrap();
    let begun = Instant::now();
    let mut command = bench.command(&RUN);
    let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while run.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(120), "it hangs");
        std::thread::yield_now();
    }
    let (code, report, message) = told(&run.wait_with_output().unwrap());
    assert_eq!(code, Some(69), "{report}{message}");
    for (name, why) in [
        ("2025-10-01.csv", "a pipe"),
        ("2025-10-02.csv", "a device"),
        ("2025-10-03", "a socket"),
        ("2025-10-04", "No such file"),
        ("2025-10-05", "no files in source folder"),
        ("2025-10-06.csv", "bytes"),
    ] {
        let line = report.lines().find(|line| line.contains("NOT TAKEN IN") && line.contains(name));
        assert!(line.is_some_and(|line| line.contains(why)), "{name}: {report}");
        assert!(message.contains(name), "{message}");
    }
    assert_eq!(published(&bench), ["statsdb"]);
    let lake = bench.lake();
    assert_eq!(lake.captures("statsdb").unwrap().len(), 1);
}

#[test]
fn names_that_the_lake_cannot_keep_cost_their_captures_alone() {
    let bench = with_good();
    for (n, name) in [&b"a\nb.csv"[..], b"a:b.csv", &b"x".repeat(151)[..], b"\xff.csv"].iter().enumerate() {
        let folder = bench.folder().join(format!("captures/2025-10-{:02}", n + 1));
        std::fs::create_dir(&folder).unwrap();
        File::create(folder.join(OsStr::from_bytes(name))).unwrap();
    }
    let (code, report, message) = told(&bench.run(&RUN));
    assert_eq!(code, Some(65), "{report}{message}");
    for told in
        ["2025-10-01", "2025-10-02", "2025-10-03", "2025-10-04", "a\\nb.csv", "a:b.csv", "xxx", "no UTF-8"]
    {
        assert!(report.contains(told), "{told}: {report}");
    }
    assert_eq!(published(&bench), ["statsdb"]);
}

#[test]
fn what_is_no_file_within_a_capture_is_left_alone_and_told() {
    let bench = with_good();
    std::fs::create_dir(bench.folder().join("captures/2025-11-01/older")).unwrap();
    pipe(&bench, "captures/2025-11-01/pipe");
    let report = bench.ok(&RUN);
    assert!(report.contains("since they are no files"), "{report}");
    assert!(report.contains("older\", a folder") && report.contains("pipe\", a pipe"), "{report}");
}

#[test]
fn a_date_that_cannot_be_is_believed_only_when_it_is_given() {
    let bench = with_good();
    for day in ["-001-01-01", "1993-11-11", "2026-03-03", "9999-12-31"] {
        write(&bench, &format!("captures/{day}"), &good());
    }
    let run = |args: &[&str]| {
        let mut command = bench.command(args);
        told(&command.env("FIGHTDNA_NOW", "2026-03-01T12:00:00Z").output().unwrap())
    };
    let (code, report, message) = run(&RUN);
    assert_eq!(code, Some(65), "{report}{message}");
    for day in ["-001-01-01", "1993-11-11", "2026-03-03", "9999-12-31"] {
        assert!(message.contains(&format!("the date of \"{day}\" cannot be right")), "{message}");
    }
    assert_eq!(bench.lake().captures("statsdb").unwrap().len(), 1);
    let later = ["run", "--source", "statsdb=captures/2026-03-03"];
    assert_eq!(run(&later).0, Some(65));
    let given = [&later[..], &["--captured-at", "2026-03-03T00:00:00Z"]].concat();
    let (code, report, message) = run(&given);
    assert_eq!(code, Some(0), "{report}{message}");
    let (code, _, message) =
        run(&[&later[..2], &["statsdb=captures", "--captured-at", "+12000-01-01T00:00:00Z"]].concat());
    assert_eq!(code, Some(2), "{message}");
}

#[test]
fn a_source_that_is_not_there_stops_no_other() {
    let bench = with_good();
    let args =
        ["run", "--source", "cards=nowhere", "--captures", "feed=nowhere", "--captures", "statsdb=captures"];
    let (code, report, message) = told(&bench.run(&args));
    assert_eq!(code, Some(69), "{report}{message}");
    assert!(message.contains("cards from nowhere") && message.contains("feed from nowhere"), "{message}");
    assert_eq!(published(&bench), ["statsdb"]);
    let status = bench.ok(&["status"]);
    assert!(status.contains(": refused: did not import"), "{status}");
}
