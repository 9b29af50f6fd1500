//! The real captures through the stages up to the tables, once.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use fdna_enrich::enrich_tables;
use fdna_identity::{EntityResolution, LinkDecisions, PublishedIds, link_sources};
use fdna_kit::real_data;
use fdna_normalise::normalise_captures;
use fdna_rows::{CaptureFacts, TableCount, TableSet, quarantine_table};
use fdna_schemas::TableReader;

pub(crate) struct Real {
    pub(crate) tables: BTreeMap<String, RecordBatch>,
    pub(crate) counts: Vec<TableCount>,
}

/// Everything, made once; `None` where there are no real captures.
pub(crate) fn real() -> Option<&'static Real> {
    static REAL: OnceLock<Option<Real>> = OnceLock::new();
    REAL.get_or_init(|| real_data().map(|folder| Real::of(&folder))).as_ref()
}

impl Real {
    fn of(folder: &Path) -> Self {
        let capture = |source: &str, path: &str, day: &str| facts(source, &folder.join(path), day);
        let history = normalise_captures(vec![
            capture("statsdb-ids", "statsdb-ids/2024-12-14", "2024-12-14"),
            capture("statsdb", "statsdb-csv/2025-11-02", "2025-11-02"),
        ]);
        let mut tables = TableSet(history.expect("the history").tables.into_iter().collect());
        let captures = vec![
            capture("scorecards", "scorecards/2024-12-14", "2024-12-14"),
            capture("late-notice", "late-notice/2024-12-14", "2024-12-14"),
        ];
        let linking = EntityResolution {
            history: &tables,
            captures,
            published: PublishedIds::default(),
            decisions: LinkDecisions::default(),
        };
        let linked = link_sources(linking).expect("the links");
        let mut counts = linked.counts;
        tables.0.extend(linked.tables);
        let told = enrich_tables(&tables, vec![capture("rankings", "rankings", "2026-03-18")])
            .expect("the rankings");
        counts.extend(told.counts);
        tables.0.extend(told.tables);
        Self { tables: tables.0, counts }
    }

    pub(crate) fn reader<'a>(&'a self, table: &'a str) -> TableReader<'a> {
        TableReader::new(table, &self.tables[table])
    }
}

fn facts(source: &str, folder: &Path, day: &str) -> CaptureFacts {
    let entries = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").path());
    let file = |path: std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, Bytes::from(std::fs::read(&path).expect("the file")))
    };
    let ingested = fdna_ingest::ingest(source, &entries.map(file).collect::<Vec<_>>()).expect("facts");
    for count in &ingested.counts {
        assert_eq!(count.rows_in, count.rows_out + count.set_aside, "{count:?}");
    }
    let id = format!("{source}-{day}");
    let set_aside = ingested.findings.into_iter().map(|f| (id.clone(), "ingest", f)).collect();
    let captured_at: DateTime<Utc> = format!("{day}T00:00:00Z").parse().expect("a day");
    CaptureFacts {
        source: source.to_owned(),
        capture: id,
        captured_at,
        tables: ingested.tables.into_iter().collect(),
        set_aside: quarantine_table(set_aside).expect("findings"),
    }
}
