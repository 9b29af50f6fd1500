//! Captures of the statistics source, read and normalised: identity, gates, and what changes over time.

mod changes;
mod gates;
mod identity;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{DateTime, Days, Utc};
use fdna_ingest::IngestError;
use fdna_kit::{BoutRow, CaptureFiles};
use fdna_model::{BoutId, FighterId};
use fdna_normalise::normalise_captures;
use fdna_rows::{CaptureFacts, Normalised, quarantine_table};
use fdna_schemas::TableReader;
use proptest::prelude::*;
use uuid::Uuid;

fn facts(n: usize, capture: &CaptureFiles) -> CaptureFacts {
    facts_of(n, capture.files()).unwrap()
}

fn facts_of(n: usize, files: Vec<(String, Vec<u8>)>) -> Result<CaptureFacts, IngestError> {
    let files: Vec<(String, Bytes)> = files.into_iter().map(|(n, b)| (n, b.into())).collect();
    let ingested = fdna_ingest::ingest("statsdb", &files)?;
    for count in &ingested.counts {
        assert_eq!(count.rows_in, count.rows_out + count.set_aside, "{count:?}");
    }
    let id = format!("capture-{n}");
    let set_aside = ingested.findings.into_iter().map(|f| (id.clone(), "ingest", f)).collect();
    Ok(CaptureFacts {
        source: "statsdb".to_owned(),
        capture: id,
        captured_at: DateTime::<Utc>::UNIX_EPOCH + Days::new(20_000 + n as u64),
        tables: ingested.tables.into_iter().collect(),
        set_aside: quarantine_table(set_aside).unwrap(),
    })
}

struct Seen(BTreeMap<String, RecordBatch>);

fn see(captures: &[CaptureFiles]) -> Seen {
    let facts = captures.iter().enumerate().map(|(n, capture)| facts(n, capture)).collect();
    let Normalised { tables, counts } = normalise_captures(facts).unwrap();
    assert!(counts.iter().all(|c| c.rows_in == c.rows_out + c.set_aside));
    if let [_] = captures {
        for (facts, table) in [("statsdb_results", "bouts"), ("statsdb_round_stats", "round_stats")] {
            let out = counts.iter().find(|c| c.table == facts).unwrap().rows_out;
            let rows = tables.iter().find(|(name, _)| name == table).unwrap().1.num_rows();
            assert_eq!(out, rows, "{table}");
        }
    }
    Seen(tables.into_iter().collect())
}

impl Seen {
    fn table(&self, name: &'static str) -> TableReader<'_> {
        TableReader::new(name, &self.0[name])
    }

    /// Bouts as `listed id: a-names-rule b-names-rule`, with source ids of the fighters in the order given.
    fn fighters_of(&self, bout: u64) -> Option<[Uuid; 2]> {
        let reader = self.table("bouts");
        let place = reader.ids("bout_id").unwrap().iter().position(|id| *id == bout_id(bout))?;
        Some([reader.ids("fighter_a_id").unwrap()[place], reader.ids("fighter_b_id").unwrap()[place]])
    }

    fn text(&self, table: &'static str, column: &str, row: usize) -> Option<&str> {
        self.table(table).strings(column).unwrap()[row]
    }

    /// `kind: reason` of everything that was set aside, with its line.
    fn set_aside(&self) -> String {
        let reader = self.table("quarantine");
        let (files, lines) = (reader.texts("file").unwrap(), reader.int32s("line").unwrap());
        let (kinds, reasons) = (reader.texts("kind").unwrap(), reader.texts("reason").unwrap());
        (0..reader.rows()).fold(String::new(), |mut out, i| {
            let _ = writeln!(out, "{}:{} {}: {}", files[i], lines[i].unwrap(), kinds[i], reasons[i]);
            out
        })
    }

    /// `kind part field change: old -> new`.
    fn corrections(&self) -> Vec<String> {
        let reader = self.table("corrections");
        let text = |column| reader.strings(column).unwrap();
        let (kinds, fields, changes) = (text("kind"), text("field"), text("change"));
        let (olds, news) = (text("old"), text("new"));
        let show = |value: Option<&str>| value.unwrap_or("null").to_owned();
        (0..reader.rows())
            .map(|i| {
                let (kind, field, change) = (kinds[i].unwrap(), fields[i].unwrap(), changes[i].unwrap());
                format!("{kind} {field} {change}: {} -> {}", show(olds[i]), show(news[i]))
            })
            .collect()
    }
}

fn bout_id(id: u64) -> Uuid {
    BoutId::of("statsdb", &format!("{id:016x}")).0
}

fn fighter(id: u64) -> Uuid {
    FighterId::of("statsdb", &format!("{id:016x}")).0
}

fn pair(a: u64, b: u64) -> Option<[Uuid; 2]> {
    let mut pair = [fighter(a), fighter(b)];
    pair.sort();
    Some(pair)
}

/// Two fighters and an event.
fn start() -> CaptureFiles {
    CaptureFiles::default()
        .event(1, "Event 1", "2020-02-01")
        .fighter(1, "A One", "155", "1990-01-01")
        .fighter(2, "B Two", "155", "1991-01-01")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever values a fighter's reach takes over time: the newest known one stands, and the corrections
    /// tell every change between known ones.
    #[test]
    fn the_newest_known_value_stands(reaches in proptest::collection::vec(proptest::option::of(60..64i32), 1..7)) {
        let text = |reach: &Option<i32>| reach.map_or("--".to_owned(), |r| format!("{r}\""));
        let captures: Vec<CaptureFiles> = reaches
            .iter()
            .map(|r| CaptureFiles::default().index_row(1, "A One").tape_row(1, "A One", "155", &text(r), ""))
            .collect();
        let seen = see(&captures);
        let newest = reaches.iter().rev().find_map(|r| *r);
        prop_assert_eq!(seen.table("fighters").int32s("reach_in").unwrap(), [newest]);
        let known: Vec<i32> = reaches.iter().flatten().copied().collect();
        let changes = known.windows(2).filter(|w| w[0] != w[1]).count();
        let changed = seen.corrections().iter().filter(|c| c.contains("changed")).count();
        prop_assert_eq!(changed, changes);
    }

    /// Whatever happens to the bytes of a capture: no panic, and every row is in a table or set aside.
    #[test]
    fn damaged_files_lose_no_row(
        file in 0..6usize,
        edits in proptest::collection::vec((any::<u16>(), prop_oneof![any::<u8>(), Just(b'"'), Just(b','), Just(b'\n')]), 1..6),
        cut in proptest::option::of(any::<u16>()),
    ) {
        let whole = start()
            .bout(BoutRow::default())
            .bout(BoutRow { id: 2, outcome: "D/D", method: "Decision - Split", details: "Una 28 - 29.Dua 29 - 28.Tri 28 - 28.", ..BoutRow::default() })
            .rounds("Event 1", "A One vs. B Two", [(10, 20), (5, 9)])
            .rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)]);
        let mut files = whole.files();
        let bytes = &mut files[file].1;
        for (place, byte) in edits {
            let place = usize::from(place) % bytes.len();
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(usize::from(cut) % bytes.len());
        }
        // A header that is gone is a fatal finding, and then a table is missing: nothing to normalise.
        let normalised = facts_of(0, files).ok().and_then(|facts| normalise_captures(vec![facts]).ok());
        if let Some(normalised) = normalised {
            prop_assert!(normalised.counts.iter().all(|c| c.rows_in == c.rows_out + c.set_aside));
        }
    }
}
