//! Images, articles, the wire and videos, from files as received to what is told: rights, stories, types and whom a
//! text is about.

mod about;
mod articles;
mod careers;
mod images;
mod stories;

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use fdna_enrich::enrich_tables;
use fdna_kit::{BoutRow, CaptureFiles};
use fdna_normalise::normalise_captures;
use fdna_rows::{CaptureFacts, TableSet, quarantine_table};
use fdna_schemas::TableReader;
use serde_json::json;

fn at(text: &str) -> DateTime<Utc> {
    let text = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    DateTime::parse_from_rfc3339(&text).unwrap().to_utc()
}

fn facts(source: &str, captured_at: &str, files: &[(&str, &str)]) -> CaptureFacts {
    let files: Vec<(String, Bytes)> = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), Bytes::copy_from_slice(text.as_bytes())))
        .collect();
    let ingested = fdna_ingest::ingest(source, &files).unwrap();
    let id = format!("{source}-{captured_at}");
    let set_aside = ingested.findings.into_iter().map(|f| (id.clone(), "ingest", f)).collect();
    CaptureFacts {
        source: source.to_owned(),
        capture: id,
        captured_at: at(captured_at),
        tables: ingested.tables.into_iter().collect(),
        set_aside: quarantine_table(set_aside).unwrap(),
    }
}

/// Two cards of early 2026, one of 2009, and two fighters of one name.
fn history() -> TableSet {
    let bout = |id, event, bout| BoutRow { id, event, bout, ..BoutRow::default() };
    let fighters = [
        "Zorvik Quandle",
        "Mirela Tand",
        "Abel Quoss",
        "Iain St. Rell",
        "Lio Varga",
        "Pia Ostrom",
        "Bruno Vex",
        "Bruno Vex",
        "Ezra Olds",
        "Juno Past",
        "Kora Hill",
        "Waldo Cort-Asta",
    ];
    let files = (1..).zip(fighters).fold(CaptureFiles::default(), |files, (id, name)| {
        files.fighter(id, name, if id == 8 { "265" } else { "155" }, "1990-01-01")
    });
    let (now, night, then) =
        ("UFC 326: Quandle vs. Tand", "UFC Fight Night: Varga vs. Ostrom", "UFC 101: Olds vs. Past");
    let files = files
        .event(1, now, "2026-03-07")
        .event(2, night, "2026-02-14")
        .event(3, then, "2009-08-08")
        .bout(bout(1, now, "Zorvik Quandle vs. Mirela Tand"))
        .bout(bout(2, now, "Abel Quoss vs. Iain St. Rell"))
        .bout(BoutRow { weight: "Lightweight Bout", ..bout(3, now, "Bruno Vex vs. Kora Hill") })
        .bout(bout(4, night, "Lio Varga vs. Pia Ostrom"))
        .bout(bout(5, then, "Ezra Olds vs. Juno Past"))
        .bout(BoutRow { weight: "Heavyweight Bout", ..bout(6, then, "Bruno Vex vs. Waldo Cort-Asta") })
        .files();
    let files: Vec<(&str, String)> = files
        .iter()
        .map(|(name, bytes)| (name.as_str(), String::from_utf8(bytes.clone()).unwrap()))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let normalised = normalise_captures(vec![facts("statsdb", "2026-03-20", &files)]).unwrap();
    TableSet(normalised.tables.into_iter().collect())
}

/// Tables by name, with the names of fighters and events for their ids.
struct Told {
    tables: BTreeMap<String, RecordBatch>,
    names: BTreeMap<String, String>,
}

fn told(captures: Vec<CaptureFacts>) -> Told {
    let history = history();
    let mut names = BTreeMap::new();
    for (table, id) in [("fighters", "fighter_id"), ("events", "event_id")] {
        let reader = history.table_reader(table).unwrap();
        let ids = reader.ids(id).unwrap().into_iter().map(|id| id.to_string());
        names.extend(ids.zip(reader.texts("name").unwrap().into_iter().map(str::to_owned)));
    }
    let enriched = enrich_tables(&history, captures).unwrap();
    assert!(enriched.counts.iter().all(|c| c.rows_in == c.rows_out + c.set_aside));
    Told { tables: enriched.tables.into_iter().collect(), names }
}

impl Told {
    fn read(&self, table: &'static str) -> TableReader<'_> {
        TableReader::new(table, &self.tables[table])
    }

    /// Rows with these columns, null as `-`.
    fn rows(&self, table: &'static str, columns: &[&str]) -> Vec<String> {
        let batch = &self.tables[table];
        let options = FormatOptions::default().with_null("-");
        let formats: Vec<ArrayFormatter<'_>> = columns
            .iter()
            .map(|name| ArrayFormatter::try_new(batch.column_by_name(name).unwrap(), &options).unwrap())
            .collect();
        let name = |text: String| self.names.get(&text).cloned().unwrap_or(text);
        (0..batch.num_rows())
            .map(|i| formats.iter().map(|f| name(f.value(i).to_string())).collect::<Vec<_>>().join(" | "))
            .collect()
    }

    /// What is mentioned and why, bouts without their id.
    fn mentions(&self) -> Vec<String> {
        let reader = self.read("mentions");
        let (kinds, rules) = (reader.texts("entity_kind").unwrap(), reader.texts("rule").unwrap());
        let ids = reader.ids("entity_id").unwrap();
        let name = |i: usize| self.names.get(&ids[i].to_string()).map_or("", String::as_str);
        let mut lines: Vec<String> = (0..reader.rows())
            .map(|i| format!("{} {}: {}", kinds[i], name(i), rules[i]).replace(" :", ":"))
            .collect();
        lines.sort();
        lines
    }
}

fn news(items: &[(&str, &str, &str, &str)]) -> String {
    let items: Vec<_> = items
        .iter()
        .map(|(title, link, source, date)| json!({"title": title, "link": link, "source": source, "pubDate": date}))
        .collect();
    json!({ "articles": items }).to_string()
}
