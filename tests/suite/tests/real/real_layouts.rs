//! The real captures of both layouts in one lake: one bout is one bout, the same fact is no correction, and the
//! career statistics come out as published.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use arrow::array::RecordBatch;
use fdna_kit::real_data;
use fdna_schemas::TableReader;
use fdna_suite::TestLake;
use serde_json::Value;

/// A lake of the capture by ids of 2024-12-14 and the six files of the day after; run once for all tests here.
static LAKE: LazyLock<Option<TestLake>> = LazyLock::new(|| {
    let real = real_data()?;
    let source = |name: &str, folder: &str| format!("{name}={}", real.join(folder).display());
    let ids = source("statsdb-ids", "statsdb-ids/2024-12-14");
    let six = source("statsdb", "statsdb-csv/2024-12-15");
    let program = env!("CARGO_BIN_EXE_fightdna-under-test");
    Some(TestLake::shared(program, &[&["run", "--source", &ids, "--source", &six]]))
});

fn tables() -> Option<BTreeMap<String, RecordBatch>> {
    LAKE.as_ref().map(TestLake::tables)
}

fn read<'a>(tables: &'a BTreeMap<String, RecordBatch>, name: &'static str) -> TableReader<'a> {
    TableReader::new(name, &tables[name])
}

#[test]
fn bouts_of_both_layouts_are_one_and_those_of_one_stay() {
    let Some(tables) = tables() else { return };
    let rows = |name| read(&tables, name).rows();
    assert_eq!((rows("bouts"), rows("results"), rows("events")), (10_483, 10_483, 1_174));
    // 45,812 lines; one bout of two rounds has the rows of one.
    assert_eq!(rows("round_stats"), 45_812 - 2);
    let is_ufc = read(&tables, "events").bools("is_ufc").unwrap();
    assert_eq!(is_ufc.iter().filter(|ufc| **ufc == Some(true)).count(), 716);
    // The six files alone name referees, and one of theirs is not lost to the other layout.
    let referees = read(&tables, "results").strings("referee").unwrap();
    assert_eq!(referees.iter().flatten().count(), 7_901);
    for name in ["bouts", "events", "results", "fighters"] {
        let gone = read(&tables, name).strings("last_capture").unwrap();
        assert_eq!(gone.iter().flatten().count(), 0, "{name}");
    }
}

/// Each of these was looked at: profiles and details that the site restated, four results overturned (the older
/// capture is the fresher one here), judges renamed. None differs by spelling or format of the layout, none is
/// of a round.
#[test]
fn what_both_layouts_state_alike_is_no_correction() {
    let Some(tables) = tables() else { return };
    let corrections = read(&tables, "corrections");
    let (kinds, fields) = (corrections.texts("kind").unwrap(), corrections.texts("field").unwrap());
    let changes = corrections.texts("change").unwrap();
    let mut counts: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for i in 0..corrections.rows() {
        *counts.entry((kinds[i], fields[i], changes[i])).or_default() += 1;
    }
    let expected = [
        (("bout", "is_title", "changed"), 1),
        (("bout", "title_kind", "changed"), 5),
        (("bout", "weight_class_raw", "changed"), 5),
        (("fighter", "date_of_birth", "changed"), 35),
        (("fighter", "height_in", "changed"), 29),
        (("fighter", "reach_in", "changed"), 16),
        (("result", "method", "changed"), 7),
        (("result", "method_detail", "changed"), 47),
        (("result", "outcome", "changed"), 4),
        (("result", "winner_id", "changed"), 4),
        (("scorecard", "judge", "changed"), 27),
        (("scorecard", "raw", "changed"), 9),
        (("scorecard", "score_a", "changed"), 3),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
    let pairs = corrections.strings("old").unwrap().into_iter().zip(corrections.strings("new").unwrap());
    let squeezed = |text: Option<&str>| text.map(|t| t.split_whitespace().collect::<String>());
    let spaces: Vec<_> = pairs.filter(|(old, new)| squeezed(*old) == squeezed(*new)).collect();
    assert!(spaces.is_empty(), "differ by spaces alone: {spaces:?}");
}

/// Shares of fighters of whom a published file and the facts agree, by statistic; `all` for all eight.
fn shares(file: &str, as_of: &str) -> Option<(BTreeMap<String, f64>, Value)> {
    let (bench, real) = (LAKE.as_ref()?, real_data()?);
    let file = real.join(file).display().to_string();
    let json = bench.ok(&["reconcile", "--career", &file, "--as-of", as_of, "--json"]);
    let mut files: Vec<Value> = serde_json::from_str(&json).expect("JSON");
    let report = files.remove(0);
    let statistics = report["statistics"].as_array().expect("a list").iter();
    let mut shares: BTreeMap<String, f64> = statistics
        .map(|s| (s["statistic"].as_str().expect("a name").to_owned(), s["share"].as_f64().expect("a share")))
        .collect();
    shares.insert("all".to_owned(), report["all_eight"]["share"].as_f64().expect("a share"));
    Some((shares, report))
}

#[test]
fn the_career_statistics_come_out_as_published() {
    let Some((shares, report)) = shares("career/fighters_2023-11-16.json", "2023-11-10") else { return };
    assert!(report["compared"].as_u64().is_some_and(|n| n > 3_200), "{}", report["compared"]);
    assert_eq!(shares.len(), 9);
    for (statistic, share) in &shares {
        let goal = if statistic == "all" { 0.974 } else { 0.975 };
        assert!(*share >= goal, "{statistic} {share}");
    }
    assert!(shares["Sub. Avg."] >= 0.988, "{shares:?}");
    let differences = report["differences"].as_array().expect("a list");
    let compared = report["compared"].as_u64().expect("a count");
    let equal = report["all_eight"]["equal"].as_u64().expect("a count");
    assert_eq!(u64::try_from(differences.len()).ok(), compared.checked_sub(equal));
    assert!(report["causes"]["unexplained"].is_null(), "{}", report["causes"]);
}

/// The later file has bouts of other promotions that no capture has: fewer agree, and the reader of its format
/// is right all the same.
#[test]
fn the_second_format_of_published_numbers_is_read_as_well() {
    let Some((shares, _)) = shares("career/raw_fighter_details_2025-07-01.csv", "2024-12-15") else { return };
    assert!(shares["all"] >= 0.74, "{shares:?}");
}

#[test]
fn the_lake_of_both_layouts_is_whole_and_another_run_has_nothing_to_do() {
    let Some(bench) = LAKE.as_ref().map(TestLake::copy) else { return };
    assert!(bench.ok(&["verify"]).contains("0 problems"));
    let before = bench.snapshot().id;
    assert!(bench.ok(&["run"]).contains("nothing new"));
    assert_eq!(bench.snapshot().id, before);
}
