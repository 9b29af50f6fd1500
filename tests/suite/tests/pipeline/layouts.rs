//! Two layouts of the statistics source in one lake: the same ids, other columns, other populations.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{DateTime, Days, Utc};
use fdna_kit::{BoutRow, CaptureFiles, IdsBout, IdsFiles};
use fdna_model::BoutId;
use fdna_normalise::normalise_captures;
use fdna_rows::{CaptureFacts, Normalised, quarantine_table};
use fdna_schemas::TableReader;
use fdna_suite::TestLake;
use proptest::prelude::*;

/// Files of a capture, by the layout's name.
type Files = (&'static str, Vec<(String, Vec<u8>)>);

fn six(capture: &CaptureFiles) -> Files {
    ("statsdb", capture.files())
}

fn ids(capture: &IdsFiles) -> Files {
    ("statsdb-ids", capture.files())
}

fn facts(n: usize, (source, files): Files) -> CaptureFacts {
    let files: Vec<(String, Bytes)> = files.into_iter().map(|(name, bytes)| (name, bytes.into())).collect();
    let ingested = fdna_ingest::ingest(source, &files).unwrap();
    for count in &ingested.counts {
        assert_eq!(count.rows_in, count.rows_out + count.set_aside, "{count:?}");
    }
    let id = format!("capture-{n}");
    let set_aside = ingested.findings.into_iter().map(|f| (id.clone(), "ingest", f)).collect();
    CaptureFacts {
        source: source.to_owned(),
        capture: id,
        captured_at: DateTime::<Utc>::UNIX_EPOCH + Days::new(20_000 + n as u64),
        tables: ingested.tables.into_iter().collect(),
        set_aside: quarantine_table(set_aside).unwrap(),
    }
}

fn write(path: &std::path::Path, bytes: &[u8]) {
    std::fs::File::create(path).unwrap().write_all(bytes).unwrap();
}

struct Seen(BTreeMap<String, RecordBatch>);

fn see(captures: impl IntoIterator<Item = Files>) -> Seen {
    let facts = captures.into_iter().enumerate().map(|(n, files)| facts(n, files)).collect();
    let Normalised { tables, counts } = normalise_captures(facts).unwrap();
    assert!(counts.iter().all(|c| c.rows_in == c.rows_out + c.set_aside));
    Seen(tables.into_iter().collect())
}

impl Seen {
    fn table(&self, name: &'static str) -> TableReader<'_> {
        TableReader::new(name, &self.0[name])
    }

    fn set_aside(&self) -> String {
        let reader = self.table("quarantine");
        let (files, lines) = (reader.texts("file").unwrap(), reader.int32s("line").unwrap());
        let (kinds, reasons) = (reader.texts("kind").unwrap(), reader.texts("reason").unwrap());
        (0..reader.rows()).fold(String::new(), |mut out, i| {
            let _ = writeln!(out, "{}:{} {}: {}", files[i], lines[i].unwrap(), kinds[i], reasons[i]);
            out
        })
    }

    /// `kind field change: old (capture) -> new (capture)`.
    fn corrections(&self) -> Vec<String> {
        let reader = self.table("corrections");
        let text = |column| reader.strings(column).unwrap();
        let (kinds, fields, changes) = (text("kind"), text("field"), text("change"));
        let (olds, news) = (text("old"), text("new"));
        let (befores, afters) = (text("old_last_seen_in"), text("replaced_by"));
        let show = |value: Option<&str>| value.unwrap_or("null").to_owned();
        let line = |i: usize| {
            let [kind, field, change, old, before, new, after] =
                [kinds[i], fields[i], changes[i], olds[i], befores[i], news[i], afters[i]].map(show);
            format!("{kind} {field} {change}: {old} ({before}) -> {new} ({after})")
        };
        (0..reader.rows()).map(line).collect()
    }
}

/// One bout of two fighters, in six files.
fn six_files() -> CaptureFiles {
    CaptureFiles::default()
        .event(1, "Event 1", "2020-02-01")
        .fighter(1, "A One", "155", "1990-01-01")
        .fighter(2, "B Two", "155", "1991-01-01")
        .bout(BoutRow::default())
        .rounds("Event 1", "A One vs. B Two", [(10, 20), (5, 9)])
}

/// The same bout by ids, listed the other way round, and one of another promotion.
fn by_ids() -> IdsFiles {
    IdsFiles::default()
        .event(1, "Event 1", "2020-02-01", true)
        .event(2, "Other 1", "2020-03-01", false)
        .fighter(1, "A  One", "", "", "1990-01-01")
        .fighter(2, "B Two", "", "", "1991-01-01")
        .bout(IdsBout { red: 2, blue: 1, outcomes: "L,W", ..IdsBout::default() })
        .bout(IdsBout { id: 2, event: 2, ..IdsBout::default() })
        .round((1, 1, 1), 120, (10, 20), "10")
        .round((1, 1, 2), 120, (5, 9), "0")
}

#[test]
fn a_bout_in_both_layouts_is_one_bout_and_the_same_facts_are_no_correction() {
    let seen = see([six(&six_files()), ids(&by_ids()), six(&six_files())]);
    assert_eq!(seen.set_aside(), "");
    assert_eq!(seen.corrections(), [""; 0]);
    assert_eq!((seen.table("bouts").rows(), seen.table("results").rows()), (2, 2));
    assert_eq!(seen.table("round_stats").rows(), 2);
    // The six files know them, and what they know stays.
    let referees = seen.table("results").strings("referee").unwrap();
    assert_eq!(referees.iter().flatten().collect::<Vec<_>>(), [&"Ref Eree"]);
    assert_eq!(seen.table("fighters").int32s("weight_lbs").unwrap(), [Some(155), Some(155)]);
}

#[test]
fn a_layout_of_one_promotion_withdraws_nothing_of_the_others() {
    for order in [[ids(&by_ids()), six(&six_files())], [six(&six_files()), ids(&by_ids())]] {
        let seen = see(order);
        for table in ["events", "fighters", "bouts", "results"] {
            let gone = seen.table(table).strings("last_capture").unwrap();
            assert!(gone.iter().all(Option::is_none), "{table}: {gone:?}");
        }
        let mut is_ufc = seen.table("events").bools("is_ufc").unwrap();
        is_ufc.sort_unstable();
        assert_eq!(is_ufc, [Some(false), Some(true)]);
    }
}

#[test]
fn a_bout_that_a_newer_capture_of_its_own_layout_lacks_keeps_the_capture_that_last_had_it() {
    let emptied = CaptureFiles::default().event(1, "Event 1", "2020-02-01");
    let seen = see([six(&six_files()), ids(&by_ids()), six(&emptied)]);
    let bouts = seen.table("bouts");
    let gone: BTreeMap<_, _> =
        bouts.ids("bout_id").unwrap().into_iter().zip(bouts.strings("last_capture").unwrap()).collect();
    let id = |n: u64| BoutId::of("statsdb", &format!("{n:016x}")).0;
    assert_eq!((gone[&id(1)], gone[&id(2)]), (Some("capture-1"), None));
}

#[test]
fn values_that_differ_between_layouts_are_corrected_with_both_captures_named() {
    let overturned = IdsBout { outcomes: "NC,NC", method: "Overturned", ..IdsBout::default() };
    let newer = IdsFiles::default()
        .event(1, "Event 1", "2020-02-01", true)
        .fighter(1, "A One", "70", "", "1990-01-01")
        .fighter(2, "B Two", "", "", "1991-01-02")
        .bout(overturned);
    let seen = see([six(&six_files()), ids(&newer)]);
    let mut corrections = seen.corrections();
    corrections.retain(|c| !c.contains("winner_id"));
    assert_eq!(
        corrections,
        [
            "fighter date_of_birth changed: 1991-01-01 (capture-0) -> 1991-01-02 (capture-1)",
            "result method changed: ko_tko (capture-0) -> overturned (capture-1)",
            "result outcome changed: win (capture-0) -> no_contest (capture-1)",
        ]
    );
}

#[test]
fn a_value_that_the_other_layout_cannot_give_was_last_seen_where_it_was_given() {
    let reach = |text| CaptureFiles::default().index_row(1, "A One").tape_row(1, "A One", "155", text, "");
    let heavier = CaptureFiles::default().index_row(1, "A One").tape_row(1, "A One", "170", "72\"", "");
    let between = IdsFiles::default().fighter(1, "A One", "", "", "");
    let seen = see([six(&reach("72\"")), ids(&between), six(&heavier), six(&reach("--"))]);
    assert_eq!(
        seen.corrections(),
        [
            "fighter reach_in withdrawn: 72 (capture-2) -> null (capture-3)",
            "fighter weight_lbs changed: 155 (capture-0) -> 170 (capture-2)",
            "fighter weight_lbs changed: 170 (capture-2) -> 155 (capture-3)",
        ]
    );
    assert_eq!(seen.table("fighters").int32s("reach_in").unwrap(), [Some(72)]);
}

#[test]
fn judges_and_details_are_the_same_however_the_layout_glues_them() {
    let decision = |id, details| BoutRow {
        id,
        method: "Decision - Unanimous",
        round: 3,
        time: "5:00",
        details,
        ..BoutRow::default()
    };
    let by_ids = |id, method, details, round, clock_secs, total_secs| IdsBout {
        id,
        method,
        details,
        round,
        clock_secs,
        total_secs,
        order: i32::try_from(3 - id).unwrap(),
        ..IdsBout::default()
    };
    let old = CaptureFiles::default()
        .event(1, "Event 1", "2020-02-01")
        .fighter(1, "A One", "155", "1990-01-01")
        .fighter(2, "B Two", "155", "1991-01-01")
        .bout(decision(1, "UnaFirst 27 - 30.Dua Second 28 - 29.Tri Third 28 - 29."))
        .bout(BoutRow { id: 2, details: "Kick to Head At DistanceWheel Kick", ..BoutRow::default() });
    let new = IdsFiles::default()
        .event(1, "Event 1", "2020-02-01", true)
        .fighter(1, "A One", "", "", "")
        .fighter(2, "B Two", "", "", "")
        .bout(by_ids(
            1,
            "Decision - Unanimous",
            "Una First 27 - 30. Dua Second 28 - 29. Tri Third 28 - 29.",
            3,
            300,
            900,
        ))
        .bout(by_ids(2, "KO/TKO", "Kick to Head At Distance Wheel Kick", 1, 120, 120));
    let seen = see([six(&old), ids(&new)]);
    assert_eq!(seen.corrections(), [""; 0]);
    assert_eq!(seen.table("scorecards").rows(), 3);
}

#[test]
fn rows_that_contradict_the_capture_are_set_aside_with_file_line_and_reason() {
    let capture = by_ids()
        .bout(IdsBout { id: 3, total_secs: 121, ..IdsBout::default() })
        .bout(IdsBout { id: 4, red: 9, ..IdsBout::default() })
        .bout(IdsBout { id: 5, event: 9, ..IdsBout::default() })
        .bout(IdsBout { id: 6, clock_secs: 301, total_secs: 301, ..IdsBout::default() })
        .history(9, 1, 2, 1)
        .round((2, 1, 1), 119, (1, 2), "")
        .round((2, 1, 2), 120, (1, 2), "")
        .round((7, 1, 1), 120, (1, 2), "");
    let seen = see([ids(&capture)]);
    assert_eq!(seen.table("bouts").rows(), 2);
    let set_aside: Vec<String> = seen.set_aside().lines().map(str::to_owned).collect();
    for expected in [
        "bouts.csv:4 contradiction: 121 s stated, 120 s by round, clock and format",
        "bouts.csv:5 unknown_fighter: no fighter has id 0000000000000009",
        "bouts.csv:6 unknown_event: no event has id 0000000000000009",
        "bouts.csv:7 contradiction: round 1 at 301 s is not within 3 Rnd (5-5-5)",
        "round_stats.csv:4 contradiction: line 4: 119 s of a round that the result gives 120 s",
        "round_stats.csv:6 unknown_bout: no bout has this id",
        "fighter_histories.csv:6 unknown_bout: no bout has this id",
        "fighter_histories.csv:14 contradiction: the bout is not of 0000000000000009 and 0000000000000001",
    ] {
        assert!(set_aside.iter().any(|line| line == expected), "{expected}\nnot in {set_aside:#?}");
    }
}

#[test]
fn a_round_without_control_time_has_none_and_counts_that_contradict_themselves_go() {
    let without = by_ids().round((2, 1, 1), 120, (1, 2), "").round((2, 1, 2), 120, (3, 4), "");
    let seen = see([ids(&without)]);
    let control = seen.table("round_stats").int32s("control_secs").unwrap();
    assert_eq!(control.iter().filter(|secs| secs.is_none()).count(), 2);
    let broken = by_ids().round((2, 1, 1), 120, (3, 2), "").round((2, 1, 2), 120, (3, 4), "");
    let seen = see([ids(&broken)]);
    assert_eq!(seen.table("round_stats").rows(), 2);
    assert!(
        seen.set_aside().contains("round_stats.csv:4 contradiction: line 4: sig_landed 3 of sig_attempted 2")
    );
}

proptest! {
    #[test]
    fn no_damage_to_a_file_loses_a_row_in_silence(
        file in 0..5usize, at in 0..4000usize, bytes in proptest::collection::vec(any::<u8>(), 0..6)
    ) {
        let mut files = by_ids().files();
        let content = &mut files[file].1;
        let at = at % content.len();
        let end = (at + bytes.len()).min(content.len());
        content.splice(at..end, bytes);
        // A file that is no text at all is an error, and not silence.
        let named: Vec<(String, Bytes)> =
            files.into_iter().map(|(name, bytes)| (name, bytes.into())).collect();
        if let Ok(ingested) = fdna_ingest::ingest("statsdb-ids", &named) {
            for count in &ingested.counts {
                prop_assert_eq!(count.rows_in, count.rows_out + count.set_aside);
            }
        }
    }
}

#[test]
fn a_capture_of_either_layout_is_refused_by_a_lake_of_the_sample() {
    let bench = TestLake::shared(env!("CARGO_BIN_EXE_fightdna-under-test"), &[&["run"]]).copy();
    let folder = bench.folder().join("2024-12-14");
    std::fs::create_dir(&folder).unwrap();
    for (name, bytes) in by_ids().files() {
        write(&folder.join(name), &bytes);
    }
    let refused = bench.run(&["run", "--source", "statsdb-ids=2024-12-14"]);
    assert_eq!(refused.status.code(), Some(65));
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("cannot import a real capture: the lake"), "{message}");
}

#[test]
fn reconcile_says_what_is_missing() {
    let bench = TestLake::new(env!("CARGO_BIN_EXE_fightdna-under-test"));
    let career = bench.folder().join("career.json");
    write(&career, br#"[{"name": {"lastName": "One"}, "careerStats": {"slpm": 1}}]"#);
    let args = ["reconcile", "--career", "career.json", "--as-of", "2024-01-01"];
    let empty = bench.run(&args);
    assert_eq!(empty.status.code(), Some(69), "{}", String::from_utf8_lossy(&empty.stderr));
    bench.ok(&["run"]);
    let absent = bench.run(&["reconcile", "--career", "none.json", "--as-of", "2024-01-01"]);
    assert_eq!(absent.status.code(), Some(69), "{}", String::from_utf8_lossy(&absent.stderr));
    let broken = bench.run(&args);
    assert_eq!(broken.status.code(), Some(65));
    let message = String::from_utf8_lossy(&broken.stderr).into_owned();
    assert!(message.contains("read `career.json`: cannot read entry 1: no `strAcc`"), "{message}");
}
