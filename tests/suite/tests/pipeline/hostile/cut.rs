//! Captures that look cut are kept, named and not believed, until a person says that they are right.

use fdna_suite::TestLake;

use crate::hostile::{bench, files_of, good, repository, told, write};

type Files = Vec<(String, Vec<u8>)>;

const PROFILES: &str = "ufc_fighter_tott.csv";

/// The good capture with one of its files changed.
fn with(name: &str, change: impl Fn(&[u8]) -> Vec<u8>) -> Files {
    let mut files = good();
    let file = files.iter_mut().find(|file| file.0 == name).unwrap();
    file.1 = change(&file.1);
    files
}

fn header(bytes: &[u8]) -> Vec<u8> {
    bytes.split_inclusive(|byte| *byte == b'\n').next().unwrap().to_vec()
}

fn later() -> Files {
    files_of(&repository().join("data/sample/statsdb-later/2025-12-01"))
}

fn take_in(bench: &TestLake, day: &str, files: &Files) -> (Option<i32>, String, String) {
    write(bench, &format!("statsdb/{day}"), files);
    told(&bench.run(&["run", "--source", &format!("statsdb=statsdb/{day}")]))
}

/// The command that a message says to believe a capture with, as arguments.
fn accept(message: &str) -> Vec<String> {
    let command = message.split("if it is right: fightdna ").nth(1).unwrap();
    let words = command.split_whitespace().map(|word| word.trim_end_matches(';').to_owned());
    // `--lake` is what the bench gives.
    words.take(5).enumerate().filter(|(at, _)| ![1, 2].contains(at)).map(|(_, word)| word).collect()
}

#[test]
fn a_table_of_its_header_alone_withdraws_nobody() {
    let bench = bench();
    bench.ok(&{
        write(&bench, "statsdb/2025-11-01", &good());
        ["run", "--source", "statsdb=statsdb/2025-11-01"]
    });
    let before = bench.snapshot().id;
    let (code, report, message) = take_in(&bench, "2025-11-08", &with(PROFILES, header));
    assert_eq!(code, Some(76), "{report}{message}");
    assert!(report.contains("HELD capture statsdb 20251108T"), "{report}");
    assert!(message.contains(&format!("`{PROFILES}` holds its header alone")), "{message}");
    assert_eq!(bench.snapshot().id, before);
    let status = bench.ok(&["status"]);
    assert!(
        status.contains("HELD capture statsdb 20251108T") && status.contains(": held_capture: held"),
        "{status}"
    );
    // As long as nobody decides, and nothing newer came, every run says so.
    assert_eq!(bench.run(&["run"]).status.code(), Some(76));
    let (code, report, message) = take_in(&bench, "2025-12-01", &later());
    assert_eq!(code, Some(0), "{report}{message}");
    assert!(!report.contains("HELD"), "{report}");
    assert!(bench.ok(&["status"]).contains("HELD capture statsdb 20251108T"));
    let captures = bench.snapshot().captures;
    assert_eq!(captures.iter().map(|c| &c.id[..8]).collect::<Vec<_>>(), ["20251101", "20251201"]);
    bench.ok(&["verify"]);
}

#[test]
fn a_capture_that_was_accepted_is_believed_for_ever() {
    let bench = bench();
    take_in(&bench, "2025-11-01", &good());
    let before = bench.snapshot().id;
    let (code, _, message) = take_in(&bench, "2025-11-08", &with(PROFILES, header));
    assert_eq!(code, Some(76), "{message}");
    let accept = accept(&message);
    let accept: Vec<&str> = accept.iter().map(String::as_str).collect();
    assert_eq!(accept[..2], ["run", "--accept"]);
    bench.ok(&accept);
    assert_ne!(bench.snapshot().id, before);
    let after = bench.snapshot().id;
    let again = bench.ok(&["run"]);
    assert!(again.contains("nothing new") && !again.contains("HELD"), "{again}");
    assert!(!bench.ok(&["status"]).contains("HELD"));
    assert_eq!(bench.snapshot().id, after);
    let (code, _, message) = told(&bench.run(&["run", "--accept", "statsdb/nobody"]));
    assert_eq!(code, Some(2), "{message}");
    assert_eq!(bench.run(&["run", "--accept", "nosource/x"]).status.code(), Some(2));
    let (code, _, message) = told(&bench.run(&["run", "--accept", "volume:boutz"]));
    assert!(code == Some(2) && message.contains("no gate `volume:boutz`"), "{message}");
}

#[test]
fn the_last_row_of_a_file_that_was_cut_becomes_no_fighter_and_no_bout() {
    for name in ["ufc_fight_details.csv", "ufc_fighter_details.csv"] {
        for lost in [1, 20] {
            let bench = bench();
            take_in(&bench, "2025-11-01", &good());
            let before = bench.tables()["fighters"].num_rows();
            let cut = with(name, |bytes| bytes[..bytes.len() - lost].to_vec());
            let (code, report, message) = take_in(&bench, "2025-11-08", &cut);
            assert_eq!(code, Some(76), "{name} without {lost}: {report}{message}");
            assert!(message.contains(&format!("`{name}`")), "{message}");
            assert_eq!(bench.tables()["fighters"].num_rows(), before);
        }
    }
}

#[test]
fn files_that_never_had_a_line_end_are_not_taken_for_cut() {
    let bench = bench();
    let mut files = good();
    files.iter_mut().for_each(|(_, bytes)| bytes.truncate(bytes.trim_ascii_end().len()));
    let (code, report, message) = take_in(&bench, "2025-11-01", &files);
    assert_eq!(code, Some(0), "{report}{message}");
    // One that had one is.
    take_in(&bench, "2025-11-02", &good());
    let (code, _, message) = take_in(&bench, "2025-11-03", &files);
    assert_eq!(code, Some(76), "{message}");
}

#[test]
fn what_is_held_does_not_hang_on_the_order_of_taking_in() {
    let half = with("ufc_fight_stats.csv", |bytes| {
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        lines[..lines.len() / 2].concat()
    });
    let (early, late) = (bench(), bench());
    take_in(&early, "2025-11-01", &good());
    assert_eq!(take_in(&early, "2025-11-08", &half).0, Some(76));
    // Alone, nothing shows that it is half of something.
    assert_eq!(take_in(&late, "2025-11-08", &half).0, Some(0));
    let (code, report, message) = take_in(&late, "2025-11-01", &good());
    assert_eq!(code, Some(76), "{report}{message}");
    let tables = |bench: &TestLake| {
        let snapshot = bench.snapshot();
        // The ids that were given meanwhile stay given.
        let tables =
            snapshot.tables.into_iter().filter(|table| !["identities", "aliases"].contains(&&table.name[..]));
        (snapshot.captures, tables.map(|table| (table.name, table.sha256)).collect::<Vec<_>>())
    };
    // That the newest capture is not believed any more is for a person to accept.
    let gates =
        report.lines().filter_map(|line| line.trim().strip_prefix("HELD by gate ")?.split(": ").next());
    let accept = gates.flat_map(|gate| ["--accept", gate]);
    let (code, report, _) = told(&late.run(&["run"].into_iter().chain(accept).collect::<Vec<_>>()));
    assert!(code == Some(76) && !report.contains("HELD by gate"), "{report}");
    assert_eq!(tables(&early), tables(&late));
    assert!(message.contains("less than 95 % of"), "{message}");
}

#[test]
fn half_a_document_is_refused_whatever_its_format() {
    let bench = bench();
    take_in(&bench, "2025-11-01", &good());
    let mut args = vec!["run".to_owned()];
    for (source, case) in [
        ("feed-captures", "lists-both-ways-and-empty"),
        ("cards", "divided-card"),
        ("wire", "rss-2"),
        ("news", "outlets-and-channels"),
    ] {
        let mut files = files_of(&repository().join("tests/fixtures").join(source).join(case));
        files.iter_mut().for_each(|(_, bytes)| bytes.truncate(bytes.len() * 2 / 3));
        write(&bench, &format!("{source}/2025-11-08"), &files);
        args.extend(["--source".to_owned(), format!("{source}={source}/2025-11-08")]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (code, report, message) = told(&bench.run(&args));
    assert_eq!(code, Some(65), "{report}{message}");
    assert_eq!(report.matches("REFUSED capture").count(), 4, "{report}");
    let list = bench.ok(&["captures", "list"]);
    assert_eq!(list.matches(" refused: ").count(), 4, "{list}");
    // Nothing of it could count, whoever believes it.
    let cards = list.lines().find(|line| line.starts_with("cards")).unwrap();
    let capture = format!("cards/{}", cards.split_whitespace().nth(1).unwrap());
    let (code, _, message) = told(&bench.run(&["run", "--accept", &capture]));
    assert!(code == Some(2) && message.contains("it cannot be read"), "{message}");
}
