//! Real captures, picked by the times in their names, linked; and what came of it as text, with names for ids.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use fdna_identity::{EntityResolution, LinkDecisions, PublishedIds, link_sources};
use fdna_kit::real_data;
use fdna_normalise::normalise_captures;
use fdna_rows::{CaptureFacts, TableSet, quarantine_table};
use fdna_suite::{Row, rows};

type Files = Vec<(String, Bytes)>;

fn facts(source: &str, name: &str, files: &Files) -> CaptureFacts {
    let ingested = fdna_ingest::ingest(source, files).unwrap();
    let set_aside = ingested.findings.into_iter().map(|f| (name.to_owned(), "ingest", f)).collect();
    CaptureFacts {
        source: source.to_owned(),
        capture: name.to_owned(),
        captured_at: instant(name),
        tables: ingested.tables.into_iter().collect(),
        set_aside: quarantine_table(set_aside).unwrap(),
    }
}

/// `2024-12-15` or `2025-01-17T201504Z`.
fn instant(name: &str) -> DateTime<Utc> {
    let time = name.strip_suffix('Z').map(|time| NaiveDateTime::parse_from_str(time, "%Y-%m-%dT%H%M%S"));
    let day = || name.parse::<NaiveDate>().unwrap().and_time(NaiveTime::MIN);
    time.map_or_else(day, Result::unwrap).and_utc()
}

fn file(path: &Path) -> (String, Bytes) {
    (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap().into())
}

fn entries(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The statistics source's captures of these days, merged; none of them is an empty history. `None` where there are
/// no real captures.
pub(crate) fn history(days: &[&str]) -> Option<TableSet> {
    let real = real_data()?;
    let capture = |day: &&str| {
        let files = entries(&real.join("statsdb-csv").join(day));
        facts("statsdb", day, &files.iter().map(|path| file(path)).collect())
    };
    let history = normalise_captures(days.iter().map(capture).collect()).unwrap();
    Some(TableSet(history.tables.into_iter().collect()))
}

/// A schedule source's captures, the files whose names begin with these times.
pub(crate) fn captures(source: &str, folder: &str, times: &[&str]) -> Vec<CaptureFacts> {
    let all = entries(&real_data().unwrap().join(folder));
    let capture = |time: &&str| {
        let begins = |path: &&std::path::PathBuf| file_name(path).starts_with(time);
        let found: Vec<_> = all.iter().filter(begins).collect();
        assert_eq!(found.len(), 1, "captures of {time} in {folder}");
        facts(source, time, &vec![file(found[0])])
    };
    times.iter().map(capture).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// The linked tables.
pub(crate) struct Linked {
    tables: BTreeMap<String, RecordBatch>,
    /// Of fighters, by id.
    names: BTreeMap<String, String>,
}

impl Linked {
    pub(crate) fn of(history: &TableSet, captures: Vec<CaptureFacts>) -> Self {
        let decisions = LinkDecisions::default();
        let linked = link_sources(EntityResolution {
            history,
            captures,
            published: PublishedIds::default(),
            decisions,
        })
        .unwrap();
        let tables: BTreeMap<String, RecordBatch> = linked.tables.into_iter().collect();
        let fighters = rows(&tables["fighters"]);
        let name = |row: Row| (row["fighter_id"].clone(), row["name"].clone());
        Self { names: fighters.into_iter().map(name).collect(), tables }
    }

    pub(crate) fn rows(&self, table: &str) -> Vec<Row> {
        rows(&self.tables[table])
    }

    pub(crate) fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.names.get(id).map_or(id, String::as_str)
    }

    /// The one fighter of that name: his id, and those of his bouts.
    pub(crate) fn fighter(&self, name: &str) -> (String, BTreeSet<String>) {
        let mut ids = self.names.iter().filter(|(_, found)| *found == name).map(|(id, _)| id);
        let (Some(id), None) = (ids.next(), ids.next()) else { panic!("not one fighter called {name}") };
        let is_his = |row: &Row| ["fighter_a_id", "fighter_b_id"].iter().any(|column| row[*column] == *id);
        let bouts = self.rows("bouts").into_iter().filter(is_his).map(|row| row["bout_id"].clone());
        (id.clone(), bouts.collect())
    }

    /// The bouts of these two, in the order of their days.
    pub(crate) fn bouts(&self, pair: [&str; 2]) -> Vec<Row> {
        let is_pair = |row: &Row| {
            let found = [&row["fighter_a_id"], &row["fighter_b_id"]].map(|id| self.name(id));
            found == pair || found == [pair[1], pair[0]]
        };
        let mut bouts: Vec<Row> = self.rows("bouts").into_iter().filter(is_pair).collect();
        bouts.sort_by_key(|row| row["event_date"].clone());
        bouts
    }

    /// The one bout of these two.
    pub(crate) fn bout(&self, pair: [&str; 2]) -> Row {
        let mut bouts = self.bouts(pair);
        assert_eq!(bouts.len(), 1, "bouts of {pair:?}");
        bouts.remove(0)
    }

    pub(crate) fn event(&self, name: &str) -> Row {
        let mut found: Vec<Row> = self.rows("events").into_iter().filter(|row| row["name"] == name).collect();
        assert_eq!(found.len(), 1, "events called {name}");
        found.remove(0)
    }

    /// What changed of an event or bout, a line each.
    pub(crate) fn corrections(&self, id: &str) -> String {
        let of_it = self.rows("corrections").into_iter().filter(|row| row["entity_id"] == id);
        let cell = |row: &Row, column: &str| {
            let text = row.get(column).map_or("-", String::as_str);
            self.name(text).to_owned()
        };
        let line = |row: Row| {
            let [by, kind, part, field, change, old, new] =
                ["replaced_by", "kind", "part", "field", "change", "old", "new"].map(|c| cell(&row, c));
            let part = if part.is_empty() { part } else { format!(" of {part}") };
            format!("{by} {kind} {field} {change}{part}: {old} -> {new}")
        };
        let mut lines: Vec<String> = of_it.map(line).collect();
        lines.sort();
        lines.join("\n")
    }

    /// The same of some fields only.
    pub(crate) fn corrections_of(&self, id: &str, fields: &[&str]) -> String {
        let all = self.corrections(id);
        let is_wanted = |line: &&str| fields.contains(&line.split(' ').nth(2).unwrap_or_default());
        all.lines().filter(is_wanted).collect::<Vec<_>>().join("\n")
    }

    /// From which capture to which each source listed a bout, or listed the others of its card without it.
    pub(crate) fn spans(&self, bout: &Row) -> String {
        let mut spans: Vec<Row> = self.rows("bout_listings");
        spans.retain(|row| row["bout_id"] == bout["bout_id"]);
        spans.sort_by_key(|row| row["from_at"].clone());
        let on = |row: &Row| if row["is_listed"] == "true" { "on" } else { "off" };
        let line = |row: &Row| {
            let until = row.get("until_at").map_or("open", String::as_str);
            format!("{} {} {} until {until}", row["source"], row["from_capture"], on(row))
        };
        spans.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
