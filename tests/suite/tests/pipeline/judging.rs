//! The judging, the late notices and the rankings, tied to a history that a test writes: whom they mean, what they
//! contradict, and what a later capture changes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use arrow::array::{Array as _, RecordBatch};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use bytes::Bytes;
use chrono::{DateTime, Days, Utc};
use fdna_enrich::enrich_tables;
use fdna_identity::{EntityResolution, LinkDecisions, PublishedIds, link_sources};
use fdna_kit::{IdsBout, IdsFiles};
use fdna_model::{BoutId, FighterId};
use fdna_normalise::normalise_captures;
use fdna_rows::{CaptureFacts, TableSet, quarantine_table};
use fdna_schemas::TableReader;
use insta::assert_snapshot;

type Files = Vec<(String, Bytes)>;

fn fixture(source: &str, case: &str) -> Files {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(source).join(case);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    entries.map(|path| (name(&path), std::fs::read(&path).unwrap().into())).collect()
}

fn facts(n: u64, source: &str, files: &Files) -> CaptureFacts {
    let ingested = fdna_ingest::ingest(source, files).unwrap();
    let id = format!("{source}-{n}");
    let set_aside = ingested.findings.into_iter().map(|f| (id.clone(), "ingest", f)).collect();
    CaptureFacts {
        source: source.to_owned(),
        capture: id,
        captured_at: DateTime::<Utc>::UNIX_EPOCH + Days::new(20_000 + n),
        tables: ingested.tables.into_iter().collect(),
        set_aside: quarantine_table(set_aside).unwrap(),
    }
}

/// Six men and two women of `A One` to `W Two`, who met as the fixtures tell, and a namesake of `C Three`.
fn history() -> TableSet {
    let names =
        ["A One", "B Two", "C Three", "D Four", "E Five", "F Six", "W One", "W Two", "C Three", "L Heavy"];
    let born = |n: u64| if n <= 4 { format!("{}-01-01", 1989 + n) } else { String::new() };
    let mut files = IdsFiles::default().event(1, "SFL 1: One vs Two", "2020-02-01", true).event(
        2,
        "SFL 2",
        "2020-06-06",
        true,
    );
    for (n, name) in (1..).zip(names) {
        files = files.fighter(n, name, "", "", &born(n));
    }
    let decision = IdsBout {
        method: "Decision - Unanimous",
        details: "Jo First 27 - 29.Jo Second 28 - 29.Jo Third 28 - 29.",
        round: 3,
        clock_secs: 300,
        total_secs: 900,
        ..IdsBout::default()
    };
    let womens =
        IdsBout { class: "Women's Strawweight", weight: "Women's Strawweight Bout", ..IdsBout::default() };
    let heavy = IdsBout { class: "Heavyweight", weight: "Heavyweight Bout", ..IdsBout::default() };
    let bouts = [
        decision,
        IdsBout { id: 2, order: 2, red: 3, blue: 4, details: "", ..decision },
        IdsBout { id: 3, order: 3, red: 7, blue: 8, ..womens },
        IdsBout { id: 4, order: 4, red: 9, blue: 10, ..heavy },
        IdsBout { id: 5, event: 2, ..IdsBout::default() },
        IdsBout { id: 6, event: 2, order: 2, red: 5, blue: 6, ..IdsBout::default() },
        IdsBout { id: 7, event: 2, order: 3, red: 3, blue: 6, ..IdsBout::default() },
    ];
    let files = bouts.into_iter().fold(files, IdsFiles::bout).files();
    let files = files.into_iter().map(|(name, bytes)| (name, bytes.into())).collect();
    let history = normalise_captures(vec![facts(0, "statsdb-ids", &files)]).unwrap();
    TableSet(history.tables.into_iter().collect())
}

/// Our ids as `bout 1`, `fighter 1`.
fn called() -> BTreeMap<String, String> {
    let source_id = |n: u64| format!("{n:016x}");
    let bouts = (1..10).map(|n| (BoutId::of("statsdb", &source_id(n)).to_string(), format!("bout {n}")));
    let fighters =
        (1..12).map(|n| (FighterId::of("statsdb", &source_id(n)).to_string(), format!("fighter {n}")));
    bouts.chain(fighters).collect()
}

struct Seen(BTreeMap<String, RecordBatch>);

fn linked(captures: &[(&str, Files)]) -> Seen {
    let history = history();
    let captures = (1..).zip(captures).map(|(n, (source, files))| facts(n, source, files)).collect();
    let linking = EntityResolution {
        history: &history,
        captures,
        published: PublishedIds::default(),
        decisions: LinkDecisions::default(),
    };
    let linked = link_sources(linking).unwrap();
    assert!(linked.counts.iter().all(|c| c.rows_in == c.rows_out + c.set_aside), "{:?}", linked.counts);
    Seen(linked.tables.into_iter().collect())
}

fn ranked(captures: &[Files]) -> Seen {
    let tables = linked(&[]).0;
    let captures = (1..).zip(captures).map(|(n, files)| facts(n, "rankings", files)).collect();
    let told = enrich_tables(&TableSet(tables), captures).unwrap();
    assert!(told.counts.iter().all(|c| c.rows_in == c.rows_out + c.set_aside), "{:?}", told.counts);
    Seen(told.tables.into_iter().collect())
}

impl Seen {
    /// Rows of tables, a line each, nulls left out.
    fn show(&self, tables: &[(&str, &[&str])]) -> String {
        let called = called();
        let mut out = String::new();
        for (table, hidden) in tables {
            let batch = &self.0[*table];
            for row in 0..batch.num_rows() {
                let schema = batch.schema();
                let columns = schema.fields().iter().zip(batch.columns());
                let cells = columns.filter(|(f, a)| !hidden.contains(&f.name().as_str()) && a.is_valid(row));
                let cells = cells.map(|(field, array)| {
                    let text = ArrayFormatter::try_new(array, &FormatOptions::default())
                        .unwrap()
                        .value(row)
                        .to_string();
                    format!("{}={}", field.name(), called.get(&text).unwrap_or(&text))
                });
                let _ = writeln!(out, "{table}: {}", cells.collect::<Vec<_>>().join(" "));
            }
        }
        out
    }

    fn notices(&self, table: &str) -> String {
        self.show(&[
            (table, &["source", "captured_at", "is_womens", "is_p4p"]),
            ("quarantine", &["raw", "key"]),
        ])
    }
}

const JUDGED: [(&str, &[&str]); 5] = [
    ("round_scorecards", &["source"]),
    ("deductions", &["source"]),
    ("weigh_ins", &[]),
    ("doubtful_links", &["first_seen_capture"]),
    ("quarantine", &["raw"]),
];

#[test]
fn scores_deductions_and_weights_stand_under_our_ids_and_contradictions_are_told() {
    let seen = linked(&[("scorecards", fixture("scorecards", "judged-every-way"))]);
    assert_snapshot!("judging_every_way", seen.show(&JUDGED));
}

#[test]
fn rows_of_no_bout_event_or_fighter_of_the_capture_are_set_aside() {
    let seen = linked(&[("scorecards", fixture("scorecards", "rows-that-contradict"))]);
    assert_snapshot!("judging_rows_that_contradict", seen.show(&JUDGED));
}

#[test]
fn a_later_capture_of_a_bout_holds_whole_and_the_difference_is_noted() {
    let first = fixture("scorecards", "judged-every-way");
    let mut second = first.clone();
    for (_, bytes) in second.iter_mut().filter(|(name, _)| name == "judge_scores.csv") {
        *bytes = std::str::from_utf8(bytes).unwrap().replace("11,1,1,1,9,10", "11,1,1,1,10,10").into();
    }
    let rows = |seen: &Seen| seen.show(&[("round_scorecards", &[])]);
    let both = linked(&[("scorecards", first.clone()), ("scorecards", second.clone())]);
    assert_eq!(rows(&both), rows(&linked(&[("scorecards", second)])));
    assert_ne!(rows(&both), rows(&linked(&[("scorecards", first)])));
    let found = both.show(&[("quarantine", &["raw", "key"])]);
    assert!(found.contains("the scores of bout 11 differ from capture scorecards-1"), "{found}");
}

#[test]
fn a_pair_that_met_twice_is_told_apart_by_the_other_bouts_of_the_event() {
    let seen = linked(&[("late-notice", fixture("late-notice", "met-twice"))]);
    let tables: [(&str, &[&str]); 4] = [
        ("short_notices", &[]),
        ("weigh_ins", &[]),
        ("doubtful_links", &["first_seen_capture"]),
        ("quarantine", &["raw"]),
    ];
    assert_snapshot!("notice_met_twice", seen.show(&tables));
    let days: Vec<&str> = vec!["bout_id", "short_notice_days"];
    let hidden: Vec<String> = seen.0["bouts"].schema().fields().iter().map(|f| f.name().clone()).collect();
    let hidden: Vec<&str> = hidden.iter().map(String::as_str).filter(|name| !days.contains(name)).collect();
    let bouts = seen.show(&[("bouts", &hidden)]);
    assert!(bouts.contains("bout_id=bout 1 short_notice_days=4"), "{bouts}");
    assert_eq!(bouts.matches("short_notice_days").count(), 1, "{bouts}");
}

#[test]
fn figures_of_strangers_are_set_aside_and_a_shared_id_is_nobodys() {
    let seen = linked(&[("late-notice", fixture("late-notice", "rows-that-contradict"))]);
    let tables: [(&str, &[&str]); 3] = [("short_notices", &[]), ("weigh_ins", &[]), ("quarantine", &["raw"])];
    assert_snapshot!("notice_rows_that_contradict", seen.show(&tables));
}

#[test]
fn a_vacant_title_has_no_champion_and_shared_ranks_share_a_change() {
    let seen = ranked(&[fixture("rankings", "vacant-title-and-shared-ranks")]);
    assert_snapshot!("rankings_vacant", seen.notices("rankings"));
}

#[test]
fn who_stands_twice_or_in_a_list_with_a_gap_is_told_and_nobody_is_called_new_after_it() {
    let seen = ranked(&[fixture("rankings", "rows-that-contradict")]);
    assert_snapshot!("rankings_rows_that_contradict", seen.notices("rankings"));
}

#[test]
fn of_a_list_in_two_files_the_last_holds() {
    let seen = ranked(&[fixture("rankings", "one-list-in-two-files")]);
    assert_snapshot!("rankings_two_files", seen.notices("rankings"));
}

/// The newest capture's list of a day wins whole; a day that it lacks stays.
#[test]
fn a_second_capture_that_says_otherwise_of_an_old_day_wins_and_is_noted() {
    let first = fixture("rankings", "vacant-title-and-shared-ranks");
    let second =
        "date,weightclass,fighter,rank\n2020-01-06,Lightweight,B Two,0\n2020-01-06,Lightweight,A One,1\n";
    let second = vec![("rankings.csv".to_owned(), Bytes::from(second))];
    assert_snapshot!("rankings_second_capture", ranked(&[first, second]).notices("rankings"));
}

/// The lightweights of a day, one after the other.
fn lightweights(day: &str, names: &[&str]) -> Files {
    let rows: String =
        (0..).zip(names).map(|(rank, name)| format!("{day},Lightweight,{name},{rank}\n")).collect();
    vec![("rankings.csv".to_owned(), Bytes::from(format!("date,weightclass,fighter,rank\n{rows}")))]
}

const DAY: &str = "2020-01-06";

/// The captures of these tests are a day apart, the first of 2024-10-05.
fn known_since(captures: &[Files]) -> Vec<String> {
    let ranked = ranked(captures);
    let reader = TableReader::new("rankings", &ranked.0["rankings"]);
    let (names, at) = (reader.texts("fighter_name").unwrap(), reader.instants("captured_at").unwrap());
    names.iter().zip(at).map(|(name, at)| format!("{name} {}", at.unwrap().date_naive())).collect()
}

#[test]
fn a_list_is_known_since_the_first_capture_that_had_it_as_it_stands() {
    let (one, other) = (lightweights(DAY, &["A One", "B Two"]), lightweights(DAY, &["B Two", "A One"]));
    let later = lightweights("2020-02-03", &["A One"]);
    let captures = [one.clone(), one.clone(), later, one.clone()];
    assert_eq!(known_since(&captures), ["A One 2024-10-05", "B Two 2024-10-05", "A One 2024-10-07"]);
    let restated = [one.clone(), other.clone(), other.clone()];
    assert_eq!(known_since(&restated), ["B Two 2024-10-06", "A One 2024-10-06"]);
    let restored = [one.clone(), other, one];
    assert_eq!(known_since(&restored), ["A One 2024-10-07", "B Two 2024-10-07"]);
}

#[test]
fn a_list_that_a_later_capture_restates_leaves_a_correction() {
    let (one, other) = (lightweights(DAY, &["A One", "B Two"]), lightweights(DAY, &["B Two", "A One"]));
    let ranked = |captures: &[Files]| ranked(captures).0.remove("corrections");
    assert!(ranked(&[one.clone(), one.clone()]).is_none(), "the linked ones stand");
    let seen =
        Seen(BTreeMap::from([("corrections".to_owned(), ranked(&[one.clone(), one, other]).unwrap())]));
    assert_snapshot!("rankings_corrections", seen.show(&[("corrections", &["entity_id"])]));
}

#[test]
fn a_list_carries_the_page_that_its_source_states() {
    let seen = ranked(&[fixture("rankings", "page-stated")]);
    let reader = TableReader::new("rankings", &seen.0["rankings"]);
    let page = Some("https://league.example/rankings");
    assert_eq!(reader.strings("source_url").unwrap(), [page, page, None]);
}

/// `C Three` is a lightweight and a heavyweight; `Ann W One` has a word more than the one strawweight.
#[test]
fn a_shared_name_is_the_one_of_the_class_and_a_longer_one_the_one_with_its_words() {
    let rows = "date,weightclass,fighter,rank\n2020-01-06,Lightweight,C Three,1\n2020-01-06,Heavyweight,C Three,1\n\
                2020-01-06,Pound-for-Pound,C Three,1\n2020-01-06,Women's Strawweight,Ann W One,1\n\
                2020-01-06,Women's Strawweight,A One,2\n2020-01-06,Heavyweight,Nobody Known,2\n\
                2040-01-06,Welterweight,A One,1\n";
    let files = vec![("rankings.csv".to_owned(), Bytes::from(rows))];
    assert_snapshot!("rankings_who", ranked(&[files]).notices("rankings"));
}
