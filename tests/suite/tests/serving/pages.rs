//! Pages of the statistics source in a lake with its other layouts: a capture of some pages adds what it has, and
//! what it lacks says nothing.

use std::collections::BTreeMap;
use std::path::Path;

use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{DateTime, Days, Utc};
use fdna_model::{BoutId, FighterId};
use fdna_normalise::normalise_captures;
use fdna_rows::{CaptureFacts, Normalised, quarantine_table};
use fdna_schemas::TableReader;

type Files = Vec<(String, Bytes)>;

fn fixture(case: &str) -> Files {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/statsdb-html");
    std::fs::read_dir(Path::new(folder).join(case))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into(), std::fs::read(&path).unwrap().into())
        })
        .collect()
}

const EVENT: &str = "event-e0000000000000e1.html";
const BOUT: &str = "fight-b000000000000001.html";

/// These pages of the whole card.
fn some_of_the_card(names: &[&str]) -> Files {
    let pages: Files =
        fixture("a-whole-card").into_iter().filter(|(name, _)| names.contains(&name.as_str())).collect();
    assert_eq!(pages.len(), names.len());
    pages
}

fn facts(n: u64, files: &Files) -> CaptureFacts {
    let ingested = fdna_ingest::ingest("statsdb-html", files).unwrap();
    let capture = format!("capture-{n}");
    let set_aside = ingested.findings.into_iter().map(|f| (capture.clone(), "ingest", f)).collect();
    CaptureFacts {
        source: "statsdb-html".to_owned(),
        capture,
        captured_at: DateTime::<Utc>::UNIX_EPOCH + Days::new(21_000 + n),
        tables: ingested.tables.into_iter().collect(),
        set_aside: quarantine_table(set_aside).unwrap(),
    }
}

struct Seen(BTreeMap<String, RecordBatch>);

fn see(captures: &[Files]) -> Seen {
    let facts = (0..).zip(captures).map(|(n, files)| facts(n, files)).collect();
    let Normalised { tables, counts } = normalise_captures(facts).unwrap();
    assert!(counts.iter().all(|c| c.rows_in == c.rows_out + c.set_aside));
    Seen(tables.into_iter().collect())
}

impl Seen {
    fn table(&self, name: &'static str) -> TableReader<'_> {
        TableReader::new(name, &self.0[name])
    }

    fn rows<const N: usize>(&self, names: [&'static str; N]) -> [usize; N] {
        names.map(|name| self.table(name).rows())
    }

    /// File, kind and reason of what normalisation set aside or noted.
    fn found(&self) -> Vec<String> {
        let reader = self.table("quarantine");
        let text = |column| reader.texts(column).unwrap();
        let (stages, files, kinds, reasons) = (text("stage"), text("file"), text("kind"), text("reason"));
        let of_normalise = (0..reader.rows()).filter(|i| stages[*i] == "normalise");
        of_normalise.map(|i| format!("{} {}: {}", files[i], kinds[i], reasons[i])).collect()
    }
}

#[test]
fn a_whole_card_is_bouts_results_rounds_and_scorecards_in_their_places() {
    let seen = see(&[fixture("a-whole-card")]);
    assert_eq!(seen.found(), Vec::<String>::new());
    assert_eq!(
        seen.rows(["events", "fighters", "bouts", "results", "scorecards", "round_stats"]),
        [2, 4, 2, 2, 3, 8]
    );
    let bouts = seen.table("bouts");
    let places: BTreeMap<&str, i32> =
        bouts.texts("statsdb_id").unwrap().into_iter().zip(bouts.counts("bout_order").unwrap()).collect();
    assert_eq!(places, BTreeMap::from([("b000000000000001", 2), ("b000000000000002", 1)]));
    let results = seen.table("results");
    let details = results.ids("bout_id").unwrap().into_iter().zip(results.strings("method_detail").unwrap());
    let details: BTreeMap<_, _> = details.collect();
    let of = |id: &str| details[&BoutId::of("statsdb", id).0];
    assert_eq!((of("b000000000000001"), of("b000000000000002")), (None, Some("Punch to Head At Distance")));
    let cards = seen.table("scorecards");
    assert_eq!(cards.strings("judge").unwrap(), [Some("Jo Judge"), Some("Al Arbiter"), Some("Em Umpire")]);
    // The list of events is the UFC's; the other event's name and date are known from it alone.
    assert_eq!(seen.table("events").bools("is_ufc").unwrap(), [Some(true), Some(true)]);
}

#[test]
fn a_bout_without_its_event_is_set_aside_and_a_card_without_its_bouts_too() {
    let alone = see(&[some_of_the_card(&[BOUT])]);
    assert_eq!(alone.rows(["events", "bouts", "results", "round_stats"]), [0, 0, 0, 0]);
    let found = alone.found();
    assert!(
        found[0].contains("unknown_event: no event is named `Example Night 7: Quill vs. Stone`"),
        "{found:?}"
    );
    let card = see(&[some_of_the_card(&[EVENT])]);
    assert_eq!(card.rows(["events", "bouts"]), [1, 0]);
    assert!(card.found().iter().all(|line| line.contains("no_result")), "{:?}", card.found());
    assert_eq!(
        card.table("events").bools("is_ufc").unwrap(),
        [None],
        "a page alone does not say whose it is"
    );
}

/// The bout's page has the fighters' ids. By name alone, the only page of that name would be taken for hers.
#[test]
fn a_namesake_s_page_does_not_take_the_bout() {
    let seen = see(&[[fixture("a-namesake-s-page"), some_of_the_card(&[BOUT])].concat()]);
    let bouts = seen.table("bouts");
    let mut fighters = [bouts.ids("fighter_a_id").unwrap()[0], bouts.ids("fighter_b_id").unwrap()[0]];
    let mut expected = ["00000000000000a1", "00000000000000b2"].map(|id| FighterId::of("statsdb", id).0);
    fighters.sort_unstable();
    expected.sort_unstable();
    assert_eq!(fighters, expected);
    assert_eq!(bouts.texts("fighter_a_rule").unwrap(), ["source_id"]);
    assert_eq!(seen.rows(["round_stats"]), [6]);
}

/// The second capture names two of the fighters without their tapes, and has neither the other bout nor the list.
#[test]
fn what_a_later_capture_of_pages_lacks_is_neither_gone_nor_withdrawn() {
    let whole = fixture("a-whole-card");
    let later = some_of_the_card(&[EVENT, BOUT]);
    let (once, twice) = (see(std::slice::from_ref(&whole)), see(&[whole, later]));
    assert_eq!(twice.table("corrections").rows(), 0);
    for table in ["events", "fighters", "bouts", "results", "round_stats", "scorecards"] {
        assert_eq!(once.0[table], twice.0[table], "{table}");
    }
}

#[test]
fn a_page_that_says_otherwise_later_is_a_correction() {
    let whole = fixture("a-whole-card");
    let mut later = whole.clone();
    for (name, bytes) in &mut later {
        if name == "fight-b000000000000002.html" {
            *bytes = String::from_utf8(bytes.to_vec()).unwrap().replace("Ref Two", "Ref Three").into();
        }
    }
    let seen = see(&[whole, later]);
    let corrections = seen.table("corrections");
    let told: Vec<_> = (0..corrections.rows())
        .map(|i| ["kind", "field", "old", "new"].map(|c| corrections.strings(c).unwrap()[i]))
        .collect();
    assert_eq!(told, [[Some("result"), Some("referee"), Some("Ref Two"), Some("Ref Three")]]);
}
