//! A capture as its difference from another: put together again, it is what reading it whole gives.

use std::path::Path;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_ingest::{BaseCapture, CaptureDelta, IngestedCapture, ingest};
use fdna_schemas::Tables;
use proptest::prelude::*;

type Files = Vec<(String, Bytes)>;

fn sample(folder: &str) -> Files {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(folder);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let csv = entries.filter(|path| path.extension().is_some_and(|e| e == "csv"));
    let read = |path: std::path::PathBuf| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap().into())
    };
    csv.map(read).collect()
}

fn base(files: &Files) -> BaseCapture {
    let whole = ingest("statsdb", files).unwrap();
    BaseCapture::new("statsdb", files.clone(), &whole.tables).unwrap().unwrap()
}

fn put_together(base: &IngestedCapture, difference: &CaptureDelta) -> Vec<(String, RecordBatch)> {
    let table = |name: &str| base.tables.iter().find(|(n, _)| n == name).map(|(_, batch)| batch).unwrap();
    let apply = |(name, new, script): &(String, RecordBatch, fdna_ingest::TablePatch)| {
        assert_eq!(new.schema(), Tables::get().table(name).unwrap().arrow_schema());
        (name.clone(), script.apply(table(name), new).unwrap())
    };
    difference.tables.iter().map(apply).collect()
}

/// Checks the difference of `newer` from `older`, if there is one; says whether there is.
fn check(older: &Files, newer: &Files) -> bool {
    let (of_older, of_newer) = (ingest("statsdb", older).unwrap(), ingest("statsdb", newer).unwrap());
    let Some(difference) = base(older).difference(newer).unwrap() else { return false };
    assert_eq!(put_together(&of_older, &difference), of_newer.tables);
    assert_eq!(difference.findings, of_newer.findings);
    assert_eq!(difference.counts, of_newer.counts);
    true
}

fn rows_that_are_new(difference: &CaptureDelta) -> usize {
    difference.tables.iter().map(|(_, new, _)| new.num_rows()).sum()
}

#[test]
fn the_same_files_have_no_new_rows() {
    let files = sample("statsdb/2025-11-01");
    assert!(check(&files, &files));
    assert_eq!(rows_that_are_new(&base(&files).difference(&files).unwrap().unwrap()), 0);
}

#[test]
fn a_later_capture_is_read_only_where_it_differs_and_an_earlier_one_as_well() {
    let (older, newer) = (sample("statsdb/2025-11-01"), sample("statsdb-later/2025-12-01"));
    assert!(check(&older, &newer));
    assert!(check(&newer, &older));
    let difference = base(&older).difference(&newer).unwrap().unwrap();
    let new = rows_that_are_new(&difference);
    assert!((50..200).contains(&new), "{new}");
}

#[test]
fn a_file_more_or_less_and_another_header_are_not_told_apart() {
    let files = sample("statsdb/2025-11-01");
    let mut fewer = files.clone();
    fewer.pop();
    assert!(base(&files).difference(&fewer).unwrap().is_none());
    let mut other = files.clone();
    let text = String::from_utf8(other[0].1.to_vec()).unwrap().replacen("LOCATION", "PLACE", 1);
    other[0].1 = text.into();
    assert!(base(&files).difference(&other).unwrap().is_none());
}

#[test]
fn a_row_that_now_stands_behind_one_of_its_id_is_read_whole() {
    let files = sample("statsdb/2025-11-01");
    let mut doubled = files.clone();
    let file = doubled.iter_mut().find(|(name, _)| name == "ufc_fight_results.csv").unwrap();
    let text = String::from_utf8(file.1.to_vec()).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let other = lines[40].replacen("W/L", "L/W", 1).replacen("L/W", "D/D", 1);
    lines.insert(2, other);
    file.1 = (lines.join("\n") + "\n").into();
    assert!(base(&files).difference(&doubled).unwrap().is_none());
}

/// What may happen to a line.
#[derive(Debug, Clone)]
enum Edit {
    Drop(usize),
    Double(usize, usize),
    Move(usize, usize),
    Cut(usize, usize),
    Insert(usize, String),
}

fn edit() -> impl Strategy<Value = (usize, Edit)> {
    let odd = prop_oneof![
        Just("\"".to_owned()),
        Just("\r".to_owned()),
        Just(String::new()),
        Just("\"a\nb\",c".to_owned()),
        Just("x,\"y".to_owned()),
        Just(",,,".to_owned()),
    ];
    let edit = prop_oneof![
        (0..2000usize).prop_map(Edit::Drop),
        (0..2000usize, 0..2000usize).prop_map(|(a, b)| Edit::Double(a, b)),
        (0..2000usize, 0..2000usize).prop_map(|(a, b)| Edit::Move(a, b)),
        (0..2000usize, 0..200usize).prop_map(|(a, b)| Edit::Cut(a, b)),
        (0..2000usize, odd).prop_map(|(a, text)| Edit::Insert(a, text)),
    ];
    (0..6usize, edit)
}

/// Edits lines; `end` is what they end with.
fn edited(files: &Files, edits: &[(usize, Edit)], end: &str) -> Files {
    let mut files = files.clone();
    for (file, edit) in edits {
        let bytes = &mut files[*file].1;
        let text = String::from_utf8_lossy(bytes).into_owned();
        let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        let at = |n: usize, lines: &[String]| 1 + n % (lines.len() - 1).max(1);
        match edit {
            Edit::Drop(n) if lines.len() > 3 => drop(lines.remove(at(*n, &lines))),
            Edit::Drop(_) => {}
            Edit::Double(n, to) => lines.insert(at(*to, &lines), lines[at(*n, &lines)].clone()),
            Edit::Move(n, to) => {
                let line = lines.remove(at(*n, &lines));
                lines.insert(at(*to, &lines).min(lines.len()), line);
            }
            Edit::Cut(n, to) => {
                let line = at(*n, &lines);
                let to = (0..=(*to).min(lines[line].len())).rev().find(|i| lines[line].is_char_boundary(*i));
                lines[line].truncate(to.unwrap_or(0));
            }
            Edit::Insert(n, text) => lines.insert(at(*n, &lines), text.clone()),
        }
        *bytes = lines.join("\n").into();
    }
    if end == "\r\n" {
        for (_, bytes) in &mut files {
            *bytes = String::from_utf8_lossy(bytes).replace('\n', "\r\n").into();
        }
    }
    files
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_difference_put_together_is_what_reading_whole_gives(
        of_base in proptest::collection::vec(edit(), 0..4),
        edits in proptest::collection::vec(edit(), 1..8),
        end in prop_oneof![Just("\n"), Just("\r\n")],
    ) {
        let base = edited(&sample("statsdb/2025-11-01"), &of_base, end);
        let newer = edited(&base, &edits, "\n");
        check(&base, &newer);
    }
}
