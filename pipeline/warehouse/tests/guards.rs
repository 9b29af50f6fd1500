//! Guards of a lake of the catalog, from outside: captures that look cut, gates, what is set aside, corrections,
//! licences, damage. As for Fight DNA: what it has there, it has here.

#![expect(
    clippy::disallowed_methods,
    reason = "tests play the disk that damages a file behind the lake's back"
)]

#[expect(dead_code, reason = "of what tests share, these make their own lakes")]
#[path = "oracle/lake.rs"]
mod lake;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use fdna_lake::Lake;

const HEADER: &str = "date,home_team,away_team,home_score,away_score,tournament,city,country,neutral\n";
const SOURCE: &str = "soccer-internationals";

/// A lake of the catalog, and both programs beside each other.
struct Bench {
    folder: tempfile::TempDir,
}

/// How a command ended: its code, what it printed, and the error.
struct Told {
    code: Option<i32>,
    out: String,
    error: String,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(lake::fightdna(), folder.path().join("fightdna")).unwrap();
        std::fs::copy(env!("CARGO_BIN_EXE_fightdna-sql"), folder.path().join("fightdna-sql")).unwrap();
        Self { folder }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("lake")
    }

    fn lake(&self) -> Lake {
        Lake::open(self.root())
    }

    fn run(&self, args: &[&str]) -> Told {
        let mut command = Command::new(self.folder.path().join("fightdna"));
        command.current_dir(self.folder.path()).args(args).env("FIGHTDNA_LAKE", self.root());
        let output = command.env("RUST_LOG", "error").output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Told { code: output.status.code(), out: text(output.stdout), error: text(output.stderr) }
    }

    fn ok(&self, args: &[&str]) -> String {
        let told = self.run(args);
        assert_eq!(told.code, Some(0), "{args:?}: {}{}", told.out, told.error);
        told.out
    }

    /// Takes in a capture of this day with these files.
    fn take_in(&self, day: &str, files: &[(&str, &str)]) -> Told {
        let folder = self.folder.path().join("captures").join(day);
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in files {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let source = format!("{SOURCE}={}", folder.display());
        self.run(&["catalog", "run", "--source", &source])
    }

    fn first(results: &str) -> Self {
        let bench = Self::new();
        let told = bench.take_in("2025-04-01", &[("results.csv", results)]);
        assert_eq!(told.code, Some(0), "{}{}", told.out, told.error);
        bench
    }

    fn sql(&self, query: &str) -> String {
        self.ok(&["sql", "query", "--format", "csv", query])
    }

    fn matches(&self) -> usize {
        let rows = self.sql("SELECT count(*) AS n FROM soccer_matches");
        rows.lines().nth(1).unwrap().parse().unwrap()
    }

    fn snapshot(&self) -> String {
        self.lake().current_snapshot().unwrap().unwrap().to_string()
    }
}

/// So many matches of made-up countries, one a day.
fn results(n: usize) -> String {
    let mut text = HEADER.to_owned();
    let day = |at: usize| chrono::NaiveDate::from_ymd_opt(2010, 3, 1).unwrap() + chrono::Days::new(at as u64);
    for at in 0..n {
        let (home, away) = (["Aland", "Carpania", "Elbonia"][at % 3], ["Borduria", "Drevland"][at % 2]);
        writeln!(text, "{},{home},{away},{},{},Friendly,Portwick,Aland,FALSE", day(at), at % 4, at % 3)
            .unwrap();
    }
    text
}

/// The words of the command that a message says to believe a capture with.
fn accept(message: &str) -> Vec<String> {
    let command = message.split("if it is right: fightdna ").nth(1).unwrap();
    let words = command.split_whitespace().take(6).map(|word| word.trim_end_matches(';').to_owned());
    words.collect()
}

#[test]
fn a_file_that_lost_half_its_rows_is_held_until_a_person_believes_it() {
    let bench = Bench::first(&results(480));
    let before = bench.snapshot();
    let told = bench.take_in("2025-05-01", &[("results.csv", &results(240))]);
    assert_eq!(told.code, Some(76), "{}{}", told.out, told.error);
    assert!(told.error.contains("`results.csv` has 240 rows, less than 95 % of 480"), "{}", told.error);
    assert_eq!((bench.snapshot(), bench.matches()), (before, 480));
    let listed = bench.ok(&["captures", "list"]);
    assert_eq!(listed.matches("held: `results.csv` has 240 rows").count(), 1, "{listed}");
    assert!(bench.ok(&["status"]).contains("HELD capture soccer-internationals 20250501T"));

    // Those that follow wait for it, and are told by one line.
    for (day, n) in [("2025-05-02", 241), ("2025-05-03", 242)] {
        assert_eq!(bench.take_in(day, &[("results.csv", &results(n))]).code, Some(76));
    }
    let told = bench.run(&["catalog", "run"]);
    assert_eq!(told.error.matches("held ").count(), 1, "{}", told.error);
    let together =
        "held 3 captures of soccer-internationals since 2025-05-01, first soccer-internationals 20250501T";
    assert!(told.error.contains(together), "{}", told.error);
    // A file that lost rows is no shorter for good because it is so for days.
    assert!(told.error.ends_with("; the others follow\n"), "{}", told.error);

    let accept = accept(&told.error);
    assert_eq!(accept[..2], ["catalog", "run"]);
    // That the tables made of it shrink is said with it.
    bench.ok(&accept.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(bench.matches(), 242);
    assert!(bench.ok(&["catalog", "run"]).contains("nothing new"));
    assert!(!bench.ok(&["status"]).contains("HELD"));
    assert_eq!(bench.run(&["catalog", "run", "--accept", "nosource/x"]).code, Some(2));
}

#[test]
fn a_file_that_lost_a_few_rows_is_published_and_the_run_says_how_many() {
    let bench = Bench::first(&results(480));
    let told = bench.take_in("2025-05-01", &[("results.csv", &results(465))]);
    assert_eq!(told.code, Some(0), "{}{}", told.out, told.error);
    assert!(told.out.contains("`results.csv`: 15 of 480 rows of capture 20250401T"), "{}", told.out);
    assert_eq!(bench.matches(), 465);
    // Each of their values is withdrawn, with the value that it had.
    let gone = bench.sql(
        "SELECT count(DISTINCT row_key) AS n, count(new) AS new FROM soccer_corrections WHERE column_name = 'home_score'",
    );
    assert_eq!(gone, "n,new\n15,0\n");
}

#[test]
fn a_last_row_with_all_its_fields_is_no_cut_and_one_that_lacks_some_is() {
    let bench = Bench::new();
    let shootouts = "date,home_team,away_team,winner,first_shooter\n2010-03-01,Aland,Borduria,Aland,Aland";
    let files = [("results.csv", &*results(60)), ("shootouts.csv", shootouts)];
    let told = bench.take_in("2025-04-01", &files);
    assert_eq!(told.code, Some(0), "{}{}", told.out, told.error);
    assert_eq!(bench.matches(), 60);
    let cut = results(70).trim_end().trim_end_matches(",Aland,FALSE").to_owned();
    let told = bench.take_in("2025-04-02", &[("results.csv", &cut)]);
    assert_eq!(told.code, Some(76), "{}{}", told.out, told.error);
    assert!(told.error.contains("`results.csv` ends within a row"), "{}", told.error);
    // With all fields, but fewer rows than before: it was cut within the last one, or behind it.
    let told = bench.take_in("2025-04-03", &[("results.csv", results(58).trim_end())]);
    assert_eq!(told.code, Some(76), "{}{}", told.out, told.error);
    assert!(told.error.contains("no line end behind its last row"), "{}", told.error);
    assert_eq!(bench.matches(), 60);
}

#[test]
fn what_is_set_aside_is_told_by_line_and_reason_and_a_file_of_which_all_is_set_aside_is_held() {
    let odd = results(60) + "2010-13-45,Aland,Borduria,1,0,Friendly,Portwick,Aland,FALSE\n";
    let bench = Bench::new();
    let told = bench.take_in("2025-04-01", &[("results.csv", &odd)]);
    assert_eq!(told.code, Some(0), "{}{}", told.out, told.error);
    assert!(
        told.out.contains("results.csv: 1 of 61 rows set aside: line 62: `date` is `2010-13-45`"),
        "{}",
        told.out
    );
    let query = "SELECT source, capture[:8] AS day, file, line, kind, reason, raw LIKE '%Borduria%' AS row FROM quarantine";
    let expected =
        "soccer-internationals,20250401,results.csv,62,unreadable_value,`date` is `2010-13-45`,true\n";
    assert_eq!(bench.sql(query), format!("source,day,file,line,kind,reason,row\n{expected}"));
    assert!(bench.ok(&["status"]).contains("soccer unreadable_value"));

    let foreign = results(30).replace("2010-", "year 2010-");
    let told = bench.take_in("2025-05-01", &[("results.csv", &foreign)]);
    assert_eq!(told.code, Some(76), "{}{}", told.out, told.error);
    assert!(told.error.contains("`results.csv` has 30 rows, all of which are set aside"), "{}", told.error);
    assert_eq!(bench.matches(), 60);
}

#[test]
fn a_corrected_score_counts_and_stands_with_the_one_before_it() {
    let first = results(60);
    let bench = Bench::first(&first);
    let corrected = first.replacen("Aland,Borduria,0,0,", "Aland,Borduria,1,2,", 1);
    assert_ne!(first, corrected);
    let told = bench.take_in("2025-05-01", &[("results.csv", &corrected)]);
    assert_eq!(told.code, Some(0), "{}{}", told.out, told.error);
    let rows = bench.sql(
        "SELECT facts_table, row_key, column_name, old, new, replaced_at::DATE AS on FROM soccer_corrections ORDER BY 3",
    );
    let row = |column: &str, new: &str| {
        format!("soccer_internationals_results,2010-03-01 / Aland / Borduria,{column},0,{new},2025-05-01\n")
    };
    let expected = [row("away_score", "2"), row("home_score", "1")].concat();
    assert_eq!(rows, format!("facts_table,row_key,column_name,old,new,on\n{expected}"));
}

#[test]
fn a_capture_that_is_withdrawn_takes_no_source_back_and_no_rows_without_a_word() {
    let bench = Bench::first(&results(60));
    assert_eq!(bench.take_in("2025-05-01", &[("results.csv", &results(480))]).code, Some(0));
    let (id, before) = (bench.lake().captures(SOURCE).unwrap().pop().unwrap().id, bench.snapshot());
    bench.ok(&["captures", "withdraw", SOURCE, &id, "--reason", "a test"]);
    let told = bench.run(&["catalog", "run"]);
    assert_eq!(told.code, Some(76), "{}{}", told.out, told.error);
    let volume =
        "gate volume:soccer_matches: soccer_matches has 60 rows, and 480 in the snapshot that is served";
    assert!(told.error.contains(volume), "{}", told.error);
    assert!(told.error.contains("gate freshness:soccer-internationals"), "{}", told.error);
    assert_eq!((bench.snapshot(), bench.matches()), (before, 480));
    let gates = told.error.split("to publish it: ").nth(1).unwrap().split_whitespace();
    let gates: Vec<&str> = gates.map(|word| word.trim_end_matches(';')).collect();
    bench.ok(&[&["catalog", "run"][..], &gates].concat());
    assert_eq!(bench.matches(), 60);
}

#[test]
fn licences_stand_in_the_lake_until_a_person_chooses_others() {
    let bench = Bench::first(&results(60));
    let licences =
        || bench.lake().capture_log().unwrap().licences.clone().unwrap().into_iter().collect::<Vec<_>>();
    assert_eq!(licences(), ["A", "B"]);
    let told = bench.ok(&["catalog", "run", "--licences", "A,T"]);
    assert!(told.contains("sources of licences A, T count from now on, where A, B did before"), "{told}");
    let told = bench.ok(&["catalog", "run"]);
    assert!(told.contains("nothing new") && !told.contains("licences"), "{told}");
    assert_eq!(licences(), ["A", "T"]);
    assert!(bench.ok(&["status"]).contains("licences whose sources count: A, T"));
    bench.ok(&["catalog", "check", "--models"]);
    // Of sources that count no more nothing stays, and no gate keeps it.
    let told = bench.ok(&["catalog", "run", "--licences", "NC"]);
    assert!(told.contains("licences NC count from now on"), "{told}");
    assert_eq!(bench.lake().snapshot(&bench.lake().current_snapshot().unwrap().unwrap()).unwrap().tables, []);
}

fn damage(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_snapshot_that_is_damaged_or_gone_is_made_anew_under_its_id() {
    let bench = Bench::first(&results(60));
    let id = bench.snapshot();
    let folder = bench.root().join("snapshots").join(&id);
    let remove = |path: &Path| std::fs::remove_dir_all(path).unwrap();
    let damages: [(&str, &dyn Fn()); 6] = [
        ("one byte of a table", &|| damage(&folder.join("tables/soccer_matches.parquet"))),
        ("a table is gone", &|| std::fs::remove_file(folder.join("tables/soccer_matches.parquet")).unwrap()),
        ("its folder is gone", &|| remove(&folder)),
        ("its manifest is damaged", &|| damage(&folder.join("manifest.json"))),
        ("what a backup may lack", &|| {
            remove(&bench.root().join("snapshots"));
            std::fs::remove_file(bench.root().join("current.json")).unwrap();
        }),
        ("stages that a backup may lack, too", &|| {
            remove(&bench.root().join("snapshots"));
            remove(&bench.root().join("facts"));
            remove(&bench.root().join("catalog"));
            std::fs::remove_file(bench.root().join("current.json")).unwrap();
        }),
    ];
    for (what, damage) in damages {
        damage();
        let told = bench.run(&["catalog", "run"]);
        assert_eq!(told.code, Some(0), "{what}: {}{}", told.out, told.error);
        bench.ok(&["verify"]);
        assert_eq!((bench.snapshot(), bench.matches()), (id.clone(), 60), "{what}");
        assert!(bench.ok(&["catalog", "run"]).contains("nothing new"), "{what}");
    }
}

/// Of the tables of before some stay, as they would be made again.
#[test]
fn tables_of_one_more_capture_are_those_of_a_run_from_nothing() {
    let bench = Bench::first(&results(60));
    let of_first = bench.snapshot();
    for (day, rows) in [("2025-05-02", 61), ("2025-05-03", 75)] {
        let told = bench.take_in(day, &[("results.csv", &results(rows))]);
        assert_eq!(told.code, Some(0), "{}{}", told.out, told.error);
        assert_eq!(bench.matches(), rows);
    }
    let grown = bench.snapshot();
    assert_ne!(grown, of_first);
    std::fs::remove_dir_all(bench.root().join("catalog")).unwrap();
    bench.ok(&["catalog", "run"]);
    bench.ok(&["verify"]);
    assert_eq!((bench.snapshot(), bench.matches()), (grown, 75));
}

#[test]
fn a_run_of_a_clock_that_is_ahead_is_told_whatever_ran_since() {
    let bench = Bench::first(&results(60));
    assert!(!bench.run(&["status", "--check"]).out.contains("clock"));
    let ids = bench.lake().list_runs().unwrap();
    let runs = bench.root().join("runs");
    std::fs::copy(runs.join(format!("{}.json", ids[0])), runs.join("000000-29990101T000000000Z.json"))
        .unwrap();
    let told = bench.run(&["status", "--check"]);
    assert_eq!(told.code, Some(79));
    assert!(
        told.out.contains("ATTENTION clock: run 000000-29990101T000000000Z is of 2999-01-01"),
        "{}",
        told.out
    );
    assert!(!bench.ok(&["status"]).contains("facts until"));
}
