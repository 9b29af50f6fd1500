//! Real captures of the statistics source and of the schedule, linked: what the links are worth against an external
//! crosswalk, and what the schedule's captures show over time.
//!
//! The captures are not part of the repository: without them these tests pass over themselves and say so, and on CI
//! they fail.

#[path = "../../../bench/src/crosswalk/measure.rs"]
mod measure;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_identity::{EntityResolution, LinkDecisions, PublishedIds, link_sources};
use fdna_kit::real_data;
use fdna_normalise::normalise_captures;
use fdna_rows::{CaptureFacts, TableSet, quarantine_table};
use fdna_schemas::TableReader;

type Files = Vec<(String, Bytes)>;

fn facts(source: &str, at: &str, files: &Files) -> CaptureFacts {
    let ingested = fdna_ingest::ingest(source, files).unwrap();
    let capture = format!("{source}-{at}");
    let set_aside = ingested.findings.into_iter().map(|f| (capture.clone(), "ingest", f)).collect();
    CaptureFacts {
        source: source.to_owned(),
        captured_at: at.parse().unwrap(),
        tables: ingested.tables.into_iter().collect(),
        set_aside: quarantine_table(set_aside).unwrap(),
        capture,
    }
}

fn folder(path: &Path) -> Files {
    let mut files: Files = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap().into())
        })
        .collect();
    files.sort();
    files
}

struct Linked {
    history: TableSet,
    tables: BTreeMap<String, RecordBatch>,
    seconds: f64,
}

fn captures(real: &Path) -> Vec<CaptureFacts> {
    let at = |source: &str, path: &str| {
        facts(source, &format!("{}T12:00:00Z", &path[path.len() - 10..]), &folder(&real.join(path)))
    };
    vec![at("feed-tables", "feed-tables/2024-12-14")]
}

static LINKED: LazyLock<Option<Linked>> = LazyLock::new(|| {
    let real = real_data()?;
    let statsdb = |source: &str, path: &str| {
        facts(source, &format!("{}T00:00:00Z", &path[path.len() - 10..]), &folder(&real.join(path)))
    };
    let history = normalise_captures(vec![
        statsdb("statsdb-ids", "statsdb-ids/2024-12-14"),
        statsdb("statsdb", "statsdb-csv/2025-11-02"),
    ])
    .unwrap();
    let history = TableSet(history.tables.into_iter().collect());
    let captures = captures(&real);
    let begun = std::time::Instant::now();
    let linked = link_sources(EntityResolution {
        history: &history,
        captures,
        published: PublishedIds::default(),
        decisions: LinkDecisions::default(),
    });
    let seconds = begun.elapsed().as_secs_f64();
    let tables = linked.unwrap().tables.into_iter().collect();
    Some(Linked { history, tables, seconds })
});

fn reader<'a>(tables: &'a BTreeMap<String, RecordBatch>, name: &'static str) -> TableReader<'a> {
    TableReader::new(name, &tables[name])
}

/// The goals, on the half that no rule was written with in view.
#[test]
fn links_agree_with_the_crosswalk() {
    let Some(linked) = LINKED.as_ref() else { return };
    let Some(real) = real_data() else { return };
    let rows = reader(&linked.tables, "identities");
    let keys = rows.texts("kind").unwrap().into_iter().zip(rows.texts("source").unwrap());
    let keys = keys.zip(rows.texts("source_id").unwrap()).zip(rows.ids("entity_id").unwrap());
    let identities = keys.map(|(((kind, source), id), entity)| {
        ((kind.to_owned(), source.to_owned(), id.to_owned()), entity.to_string())
    });
    let measured = measure::measure(&real.join("crosswalk"), &identities.collect()).unwrap();
    for measured in &measured {
        eprint!("{}", measured.text());
    }
    eprintln!("linked in {:.2} s", linked.seconds);
    for measured in measured.iter().filter(|m| m.source == "feed") {
        assert!(measured.precision() >= 0.995, "{}", measured.text());
        assert!(measured.recall() >= 0.97, "{}", measured.text());
    }
    let kinds: Vec<_> =
        measured.iter().filter(|m| m.source == "feed" && !m.is_seen).map(|m| m.kind).collect();
    assert_eq!(kinds, ["event", "bout", "fighter"], "all kinds were measured");
}

/// Linking again, from what was published, gives the same: no second run finds anything new.
#[test]
fn what_was_published_is_linked_again_as_it_was() {
    let (Some(linked), Some(real)) = (LINKED.as_ref(), real_data()) else { return };
    let published =
        PublishedIds::of_tables(&linked.tables["identities"], Some(&linked.tables["aliases"])).unwrap();
    let captures = captures(&real);
    let again = link_sources(EntityResolution {
        history: &linked.history,
        captures,
        published,
        decisions: LinkDecisions::default(),
    })
    .unwrap();
    for (name, table) in again.tables {
        assert!(table == linked.tables[&name], "{name} is another one");
    }
}
