//! The real pages of the statistics source against its CSV captures: the same bout, fighter and event, field by
//! field.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use arrow::array::RecordBatch;
use arrow::util::display::array_value_to_string;
use bytes::Bytes;
use fdna_kit::real_data;

const BOUT: &str = "f53573316a4f349f";
const FIGHTER: &str = "e1147d3d2dabe1ce";
const EVENT: &str = "221b2a3070c7ce3e";

/// Rows of a facts table, by column; where a row stood and what the other layout cannot have left out.
type Rows = BTreeSet<BTreeMap<String, String>>;

struct Facts(BTreeMap<String, RecordBatch>);

impl Facts {
    fn of(source: &str, files: &[(String, Bytes)]) -> Self {
        let ingested = fdna_ingest::ingest(source, files).expect("pages or files");
        Self(ingested.tables.into_iter().collect())
    }

    /// The rows of which these columns have these values.
    fn rows(&self, table: &str, with: &[(&str, &str)]) -> Rows {
        let batch = &self.0[table];
        let left_out = ["file", "line", "row_digest", "first_source_id", "second_source_id"];
        let names: Vec<String> = batch.schema().fields().iter().map(|f| f.name().clone()).collect();
        let row = |at: usize| -> BTreeMap<String, String> {
            let cells = names.iter().enumerate().filter(|(_, name)| !left_out.contains(&name.as_str()));
            cells
                .map(|(i, name)| (name.clone(), array_value_to_string(batch.column(i), at).expect("a value")))
                .collect()
        };
        let fits = |row: &BTreeMap<String, String>| with.iter().all(|(name, value)| row[*name] == *value);
        (0..batch.num_rows()).map(row).filter(fits).collect()
    }
}

/// The three pages, under the names that a fetch would give them.
fn pages(real: &Path) -> Facts {
    let page = |kind: &str, name: String| {
        let bytes = std::fs::read(real.join("statsdb-html").join(format!("{kind}_response_valid.html")));
        (name, Bytes::from(bytes.expect("a page")))
    };
    let files = [
        page("event", format!("event-{EVENT}.html")),
        page("fight", format!("fight-{BOUT}.html")),
        page("fighter", format!("fighter-{FIGHTER}.html")),
    ];
    let ingested = fdna_ingest::ingest("statsdb-html", &files).expect("pages");
    assert_eq!(ingested.findings, [], "nothing is odd about them");
    assert_eq!(ingested.counts.iter().map(|c| c.rows_out).collect::<Vec<_>>(), [14, 13, 2]);
    Facts::of("statsdb-html", &files)
}

fn csv(real: &Path, capture: &str) -> Facts {
    let folder = real.join("statsdb-csv").join(capture);
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, Bytes::from(std::fs::read(&path).expect("its bytes")))
    };
    let files: Vec<_> = std::fs::read_dir(folder).expect("a capture").map(file).collect();
    Facts::of("statsdb", &files)
}

#[test]
fn the_real_bout_has_the_result_and_the_rounds_of_the_csv_captures() {
    let Some(real) = real_data() else { return };
    let (pages, csv) = (pages(&real), csv(&real, "2024-12-15"));
    let result = pages.rows("statsdb_results", &[("bout_source_id", BOUT)]);
    assert_eq!(result.len(), 1);
    assert_eq!(result, csv.rows("statsdb_results", &[("bout_source_id", BOUT)]));
    let row = result.first().expect("one");
    let of_bout = ["event", "first_name", "second_name"].map(|column| (column, row[column].as_str()));
    let rounds = pages.rows("statsdb_round_stats", &of_bout);
    assert_eq!(rounds.len(), 10);
    assert_eq!(rounds, csv.rows("statsdb_round_stats", &of_bout));
}

#[test]
fn the_real_fighter_has_the_tape_and_the_name_of_the_csv_captures() {
    let Some(real) = real_data() else { return };
    let pages = pages(&real);
    for capture in ["2024-12-15", "2025-11-02"] {
        let csv = csv(&real, capture);
        for table in ["statsdb_fighter_profiles", "statsdb_fighters"] {
            let rows = pages.rows(table, &[("fighter_source_id", FIGHTER)]);
            assert_eq!(rows.len(), 1, "{table}");
            assert_eq!(rows, csv.rows(table, &[("fighter_source_id", FIGHTER)]), "{table} of {capture}");
        }
    }
}

#[test]
fn the_fighters_of_the_real_bout_are_those_of_the_index() {
    let Some(real) = real_data() else { return };
    let (pages, csv) = (pages(&real), csv(&real, "2024-12-15"));
    let batch = &pages.0["statsdb_results"];
    for column in ["first_source_id", "second_source_id"] {
        let id = array_value_to_string(batch.column_by_name(column).expect("the column"), 0).expect("an id");
        let rows = pages.rows("statsdb_fighters", &[("fighter_source_id", &id)]);
        assert_eq!(rows.len(), 1, "{id}");
        assert_eq!(rows, csv.rows("statsdb_fighters", &[("fighter_source_id", &id)]));
    }
}

#[test]
fn the_real_event_is_the_row_and_the_card_of_the_csv_captures() {
    let Some(real) = real_data() else { return };
    let (pages, csv) = (pages(&real), csv(&real, "2025-11-02"));
    let event = pages.rows("statsdb_events", &[("event_source_id", EVENT)]);
    assert_eq!(event, csv.rows("statsdb_events", &[("event_source_id", EVENT)]));
    let name = event.first().expect("one")["event"].clone();
    let card = pages.rows("statsdb_bout_details", &[("event", &name)]);
    assert_eq!(card.len(), 13);
    assert_eq!(card, csv.rows("statsdb_bout_details", &[("event", &name)]));
}
