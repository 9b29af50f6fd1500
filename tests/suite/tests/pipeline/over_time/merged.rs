//! Captures merged one after the other by what changed, against merging them whole.

use super::*;

/// Facts of the n-th capture.
fn facts(n: i64, files: &Files) -> CaptureFacts {
    let bytes: Vec<(String, Bytes)> =
        files.iter().map(|(name, text)| (name.clone(), Bytes::from(text.clone()))).collect();
    let ingested = fdna_ingest::ingest("statsdb", &bytes).unwrap();
    let captured_at: DateTime<Utc> = DateTime::UNIX_EPOCH + TimeDelta::weeks(2600 + n);
    let capture = format!("{}-{n:08}", captured_at.format("%Y%m%dT%H%M%SZ"));
    let set_aside = ingested.findings.into_iter().map(|f| (capture.clone(), "ingest", f)).collect();
    CaptureFacts {
        source: "statsdb".to_owned(),
        set_aside: quarantine_table(set_aside).unwrap(),
        capture,
        captured_at,
        tables: ingested.tables.into_iter().collect(),
    }
}

fn assert_same(a: Normalised, b: Normalised) {
    assert_eq!(a.counts, b.counts);
    for ((name, a), (_, b)) in a.tables.iter().zip(&b.tables) {
        assert!(a == b, "{name}");
    }
    assert_eq!(a.tables.len(), b.tables.len());
}

/// Merges the captures as they come, and again resolving each whole; kept and read again after the first `kept`.
fn merged_both_ways(captures: &[Files], kept: usize) {
    let (mut again, mut whole) = (CaptureMerger::new().unwrap(), CaptureMerger::new().unwrap());
    for (n, files) in captures.iter().enumerate() {
        let prepare = || PreparedUnit::new(facts(i64::try_from(n).unwrap(), files)).unwrap();
        again.add_capture(prepare()).unwrap();
        whole.add_complete(prepare()).unwrap();
        if n == kept {
            again = CaptureMerger::from_bytes(&again.write_checkpoint(Vec::new()).unwrap()).unwrap();
        }
    }
    assert_same(again.finish().unwrap(), whole.finish().unwrap());
}

#[test]
fn weekly_captures_merged_by_what_changed_are_what_merging_them_whole_gives() {
    let weeks: Vec<Files> = weeks(8).into_iter().map(|(_, files)| files).collect();
    merged_both_ways(&weeks, 4);
}

fn real_files(folder: &Path) -> Files {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    entries.map(read).collect()
}

#[test]
fn the_real_captures_merged_by_what_changed_are_what_merging_them_whole_gives() {
    let Some(data) = real_data() else { return };
    let day = |day: &str| real_files(&data.join("statsdb-csv").join(day));
    merged_both_ways(&["2024-12-15", "2025-01-12", "2025-11-02"].map(day), 1);
}

#[test]
fn the_real_captures_put_together_from_their_differences_are_what_reading_them_whole_gives() {
    let Some(data) = real_data() else { return };
    let read = |day: &str| {
        let files = real_files(&data.join("statsdb-csv").join(day));
        files.into_iter().map(|(name, text)| (name, Bytes::from(text))).collect::<Vec<_>>()
    };
    let base = read("2024-12-15");
    let whole = fdna_ingest::ingest("statsdb", &base).unwrap();
    let known = fdna_ingest::BaseCapture::new("statsdb", base, &whole.tables).unwrap().unwrap();
    for day in ["2024-12-15", "2025-01-12", "2025-11-02"] {
        let files = read(day);
        let of_day = fdna_ingest::ingest("statsdb", &files).unwrap();
        // By November much is new: then there may be no difference to put together.
        let Some(difference) = known.difference(&files).unwrap() else {
            assert_eq!(day, "2025-11-02");
            continue;
        };
        assert_eq!(difference.findings, of_day.findings, "{day}");
        assert_eq!(difference.counts, of_day.counts, "{day}");
        for ((name, new, script), (_, expected)) in difference.tables.iter().zip(&of_day.tables) {
            let (_, base) = whole.tables.iter().find(|(n, _)| n == name).unwrap();
            assert!(script.apply(base, new).unwrap() == *expected, "{day} {name}");
        }
    }
}

/// What may happen to a capture between two weeks.
#[derive(Debug, Clone)]
enum Edit {
    Drop(usize, usize),
    Swap(usize, usize, usize),
    /// One name for another in one file: a rename, or a namesake.
    Rename(usize, usize, usize),
    /// One text for another on one line.
    Restate(usize, usize, &'static str, &'static str),
}

fn edit() -> impl Strategy<Value = Edit> {
    let texts = prop_oneof![
        Just(("W/L", "NC/NC")),
        Just(("W/L", "L/W")),
        Just(("KO/TKO", "Overturned")),
        Just(("Decision - Unanimous", "Decision - Split")),
        Just((" - 28", " - 27")),
        Just(("3 Rnd (5-5-5)", "5 Rnd (5-5-5-5-5)")),
        Just(("Round 1", "Round 2")),
        Just((",1,", ",2,")),
    ];
    prop_oneof![
        (0..6usize, 0..2000usize).prop_map(|(f, n)| Edit::Drop(f, n)),
        (0..6usize, 0..2000usize, 0..2000usize).prop_map(|(f, a, b)| Edit::Swap(f, a, b)),
        (0..6usize, 0..300usize, 0..300usize).prop_map(|(f, a, b)| Edit::Rename(f, a, b)),
        (0..6usize, 0..2000usize, texts).prop_map(|(f, n, (from, to))| Edit::Restate(f, n, from, to)),
    ]
}

fn edited(files: &Files, edits: &[Edit]) -> Files {
    let mut files = files.clone();
    files.retain(|(name, _)| name.ends_with(".csv"));
    let tape = files.iter().find(|(name, _)| name == "ufc_fighter_tott.csv").unwrap().1.clone();
    let names: Vec<&str> = tape.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    for edit in edits {
        let (Edit::Drop(file, ..) | Edit::Swap(file, ..) | Edit::Rename(file, ..) | Edit::Restate(file, ..)) =
            edit;
        let text = &mut files[*file].1;
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let rows = lines.len() - 1;
        let at = |n: usize| 1 + n % rows;
        match edit {
            Edit::Drop(_, n) => drop(lines.remove(at(*n))),
            Edit::Swap(_, a, b) => lines.swap(at(*a), at(*b)),
            Edit::Rename(_, a, b) => {
                let (from, to) = (names[a % names.len()], names[b % names.len()]);
                lines.iter_mut().for_each(|line| *line = line.replace(from, to));
            }
            Edit::Restate(_, n, from, to) => {
                let line = at(*n);
                lines[line] = lines[line].replacen(from, to, 1);
            }
        }
        *text = lines.join("\n") + "\n";
    }
    files
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn captures_merged_by_what_changed_are_what_merging_them_whole_gives(
        weeks in proptest::collection::vec(proptest::collection::vec(edit(), 0..12), 2..6),
        kept in 0..6usize,
        carries_on in any::<bool>(),
    ) {
        let start = sample("statsdb/2025-11-01");
        let mut captures = vec![edited(&start, &[])];
        for edits in &weeks {
            let from = if carries_on { captures.last().unwrap().clone() } else { captures[0].clone() };
            captures.push(edited(&from, edits));
        }
        merged_both_ways(&captures, kept);
    }

    #[test]
    fn bytes_that_are_no_state_are_refused_without_harm(cut in 0..100_000usize, flip in 0..100_000usize) {
        let mut merging = CaptureMerger::new().unwrap();
        let files = without(&sample("statsdb/2025-11-01"), &BTreeSet::new());
        merging.add_capture(PreparedUnit::new(facts(0, &files)).unwrap()).unwrap();
        let mut bytes = merging.write_checkpoint(Vec::new()).unwrap();
        let at = flip % bytes.len();
        bytes[at] ^= 0x15;
        bytes.truncate(cut % bytes.len() + 1);
        if let Some(merging) = CaptureMerger::from_bytes(&bytes) {
            let _ = merging.finish();
        }
    }
}
