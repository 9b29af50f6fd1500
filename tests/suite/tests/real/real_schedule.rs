//! All real captures of the schedule sources: how much each gives, what is set aside and why, and what must
//! never be among it.
//!
//! The captures are not part of the repository: without them these tests pass over themselves and say so,
//! and on CI they fail.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_ingest::IngestedCapture;
use fdna_schemas::TableReader;

type Files = Vec<(String, Bytes)>;

fn files(folder: &Path) -> Files {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Files = entries
        .filter(|path| path.is_file())
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap().into())
        })
        .collect();
    files.sort();
    files
}

/// What captures of one source gave together.
#[derive(Default)]
struct Tally {
    captures: usize,
    refused: usize,
    rows: BTreeMap<String, usize>,
    findings: BTreeMap<String, usize>,
    /// Values of the columns that are words, and nulls of the others.
    columns: BTreeMap<String, usize>,
}

/// Columns of few words: all of them are counted.
const WORDS: [&str; 7] =
    ["card_position", "status", "winner", "is_title", "scheduled_rounds", "first_is_champion", "weight_lbs"];

impl Tally {
    fn of(source: &str, captures: Vec<Files>) -> Self {
        let mut tally = Self::default();
        for files in captures {
            let ingested = fdna_ingest::ingest(source, &files).unwrap();
            check(source, &ingested);
            tally.add(&ingested);
        }
        tally
    }

    fn add(&mut self, ingested: &IngestedCapture) {
        self.captures += 1;
        self.refused += usize::from(ingested.findings.iter().any(|f| f.severity.name() == "fatal"));
        for f in &ingested.findings {
            // Words in quotes are the source's: one kind of finding whatever they say.
            let reason: Vec<&str> = f.reason.split('`').step_by(2).collect();
            let what = format!("{} {}: {}", f.severity.name(), f.kind.name(), reason.join("…"));
            *self.findings.entry(what).or_default() += 1;
        }
        for (name, batch) in &ingested.tables {
            *self.rows.entry(name.clone()).or_default() += batch.num_rows();
            self.count_columns(name, batch);
        }
    }

    fn count_columns(&mut self, table: &str, batch: &RecordBatch) {
        let schema = batch.schema();
        for (field, column) in schema.fields().iter().zip(batch.columns()) {
            let name = format!("{table}.{}", field.name());
            if WORDS.contains(&field.name().as_str()) {
                let text =
                    arrow::util::display::ArrayFormatter::try_new(column, &Default::default()).unwrap();
                for row in (0..batch.num_rows()).filter(|row| column.is_valid(*row)) {
                    *self.columns.entry(format!("{name} {}", text.value(row))).or_default() += 1;
                }
            }
            if field.is_nullable() {
                *self.columns.entry(name).or_default() += column.null_count();
            }
        }
    }

    fn text(&self) -> String {
        let mut out = format!("{} captures, {} refused\n", self.captures, self.refused);
        for (what, n) in self.rows.iter().chain(&self.findings) {
            let _ = writeln!(out, "{n} {what}");
        }
        for (name, n) in &self.columns {
            let what = if name.contains(' ') { "" } else { " null" };
            let _ = writeln!(out, "{n} {name}{what}");
        }
        out
    }
}

/// What holds for every capture of every source.
fn check(source: &str, ingested: &IngestedCapture) {
    for count in &ingested.counts {
        assert_eq!(count.rows_in, count.rows_out + count.set_aside, "{source} {}", count.file);
    }
    for (name, batch) in &ingested.tables {
        let reader = TableReader::new(name, batch);
        for text in reader.strings("unknown").unwrap().into_iter().flatten() {
            no_odds(source, text);
        }
    }
    for raw in ingested.findings.iter().filter_map(|finding| finding.raw.as_deref()) {
        no_odds(source, raw);
    }
}

fn no_odds(source: &str, text: &str) {
    let text = text.to_lowercase();
    for word in ["odds", "moneyline", "spread", "overunder", "provider", "betting"] {
        assert!(!text.contains(word), "{source}: {word} in {text}");
    }
}

#[test]
fn the_feeds_history_with_ids_is_whole() {
    let Some(data) = fdna_kit::real_data() else { return };
    let tally = Tally::of("feed-tables", vec![files(&data.join("feed-tables/2024-12-14"))]);
    insta::assert_snapshot!("real_feed_tables", tally.text());
}

#[test]
fn the_feeds_history_with_times_of_day_is_whole() {
    let Some(data) = fdna_kit::real_data() else { return };
    let tally = Tally::of("feed-history", vec![files(&data.join("feed-tables/2025-08-23"))]);
    insta::assert_snapshot!("real_feed_history", tally.text());
}

/// The capture that each file of a folder is.
fn one_each(folder: &Path) -> Vec<Files> {
    files(folder).into_iter().map(|file| vec![file]).collect()
}

#[test]
fn payloads_of_the_feed_are_told_apart_by_their_fields() {
    let Some(data) = fdna_kit::real_data() else { return };
    // Under other names: what a file is called says nothing.
    let renamed = |(place, (_, bytes))| (format!("{place}.json"), bytes);
    let payloads: Files = files(&data.join("feed-json")).into_iter().enumerate().map(renamed).collect();
    let tally = Tally::of("feed", vec![payloads]);
    insta::assert_snapshot!("real_feed", tally.text());
}

#[test]
fn captures_of_the_feed_are_whole_and_the_invented_event_is_none() {
    let Some(data) = fdna_kit::real_data() else { return };
    let tally = Tally::of("feed-captures", one_each(&data.join("feed-captures")));
    insta::assert_snapshot!("real_feed_captures", tally.text());
}

#[test]
fn every_calendar_of_cards_parses() {
    let Some(data) = fdna_kit::real_data() else { return };
    let tally = Tally::of("cards", one_each(&data.join("cards-ics")));
    insta::assert_snapshot!("real_cards", tally.text());
}
