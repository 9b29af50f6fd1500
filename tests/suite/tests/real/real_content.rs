//! The real captures of news and images beside the real history: nothing is lost, what is told is counted, and whom
//! titles mean is looked at one by one.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{NaiveDateTime, Utc};
use fdna_enrich::enrich_tables;
use fdna_kit::real_data;
use fdna_normalise::normalise_captures;
use fdna_rows::{CaptureFacts, TableCount, TableSet, quarantine_table};
use fdna_schemas::TableReader;

struct Real {
    /// Rows in, out and set aside by ingest, over all captures of a source.
    ingested: BTreeMap<&'static str, [usize; 3]>,
    counts: Vec<TableCount>,
    tables: BTreeMap<String, RecordBatch>,
    names: BTreeMap<String, String>,
}

type Files = Vec<(String, Bytes)>;

fn file(path: &std::path::Path) -> (String, Bytes) {
    (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap().into())
}

fn facts(
    source: &'static str,
    name: &str,
    files: &Files,
    totals: &mut BTreeMap<&'static str, [usize; 3]>,
) -> CaptureFacts {
    let time = NaiveDateTime::parse_from_str(&name[..17], "%Y-%m-%dT%H%M%S").unwrap();
    let ingested = fdna_ingest::ingest(source, files).unwrap();
    let total = totals.entry(source).or_default();
    for count in &ingested.counts {
        assert_eq!(count.rows_in, count.rows_out + count.set_aside, "{count:?}");
        for (sum, n) in total.iter_mut().zip([count.rows_in, count.rows_out, count.set_aside]) {
            *sum += n;
        }
    }
    let capture = format!("{source}-{name}");
    let set_aside = ingested.findings.into_iter().map(|f| (capture.clone(), "ingest", f)).collect();
    CaptureFacts {
        source: source.to_owned(),
        captured_at: time.and_local_timezone(Utc).unwrap(),
        tables: ingested.tables.into_iter().collect(),
        set_aside: quarantine_table(set_aside).unwrap(),
        capture,
    }
}

static REAL: LazyLock<Option<Real>> = LazyLock::new(|| {
    let real = real_data()?;
    let mut ingested = BTreeMap::new();
    let list = |folder: &str| {
        let mut paths: Vec<_> =
            std::fs::read_dir(real.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let history: Files = list("statsdb-csv/2025-11-02").iter().map(|path| file(path)).collect();
    let history =
        normalise_captures(vec![facts("statsdb", "2025-11-02T000000", &history, &mut ingested)]).unwrap();
    let history = TableSet(history.tables.into_iter().collect());
    let news = list("news").into_iter().filter(|path| path.extension().is_some_and(|e| e == "json"));
    let mut captures: Vec<CaptureFacts> = news
        .map(|path| {
            let (name, bytes) = file(&path);
            facts("news", &name.clone(), &vec![(name, bytes)], &mut ingested)
        })
        .collect();
    assert_eq!(captures.len(), 44);
    let images: Files = list("images").iter().map(|path| file(path)).collect();
    captures.push(facts("images", "2026-09-07T000000", &images, &mut ingested));
    let mut names = BTreeMap::new();
    for (table, id) in [("fighters", "fighter_id"), ("events", "event_id")] {
        let reader = history.table_reader(table).unwrap();
        let ids = reader.ids(id).unwrap().into_iter().map(|id| id.to_string());
        names.extend(ids.zip(reader.texts("name").unwrap().into_iter().map(str::to_owned)));
    }
    let enriched = enrich_tables(&history, captures).unwrap();
    let tables = enriched.tables.into_iter().collect();
    Some(Real { ingested, counts: enriched.counts, tables, names })
});

impl Real {
    fn read(&self, table: &'static str) -> TableReader<'_> {
        TableReader::new(table, &self.tables[table])
    }

    fn tally(&self, table: &'static str, column: &str) -> BTreeMap<&str, usize> {
        let mut tally = BTreeMap::new();
        for text in self.read(table).strings(column).unwrap() {
            *tally.entry(text.unwrap_or("null")).or_default() += 1;
        }
        tally
    }

    /// `kind name rule` of what an item mentions, bouts as the names of the two.
    fn mentioned(&self, item: &str) -> Vec<String> {
        let mentions = self.read("mentions");
        let (items, kinds) = (mentions.texts("item_id").unwrap(), mentions.texts("entity_kind").unwrap());
        let (ids, rules) = (mentions.ids("entity_id").unwrap(), mentions.texts("rule").unwrap());
        let name = |i: usize| self.names.get(&ids[i].to_string()).map_or("", String::as_str);
        let here = (0..mentions.rows()).filter(|i| items[*i] == item);
        let mut lines: Vec<String> =
            here.map(|i| format!("{} {}: {}", kinds[i], name(i), rules[i])).collect();
        lines.sort();
        lines
    }
}

#[test]
fn every_item_of_the_44_captures_is_a_story_or_a_video() {
    let Some(real) = REAL.as_ref() else { return };
    assert_eq!(real.ingested["news"], [3_281, 3_281, 0]);
    let rows =
        |table: &str| real.counts.iter().filter(|c| c.table == table).map(|c| c.rows_out).sum::<usize>();
    assert_eq!((rows("wire_items"), rows("video_items")), (450, 2_831));
    // Two videos stand in two captures each; no two links are one story.
    assert_eq!((real.read("wire").rows(), real.read("videos").rows()), (450, 2_829));
    assert_eq!(real.tally("wire", "also_in"), BTreeMap::from([("[]", 450)]));
    assert_eq!(
        real.tally("wire", "outlet"),
        BTreeMap::from([("BJPENN", 10), ("Lowkick MMA", 430), ("Sherdog", 10)])
    );
    let links = real.read("wire").texts("link").unwrap();
    assert!(links.iter().all(|link| !link.contains("utm_")), "tracking is left");
}

#[test]
fn the_videos_are_of_these_types() {
    let Some(real) = REAL.as_ref() else { return };
    let expected = [
        ("analysis", 200),
        ("faceoff", 103),
        ("fight_preview", 97),
        ("full_fight", 3),
        ("highlights", 19),
        ("interview", 69),
        ("media_day", 7),
        ("other", 2_169),
        ("post_fight", 35),
        ("press_conference", 19),
        ("weigh_in", 108),
    ];
    assert_eq!(real.tally("videos", "video_type"), BTreeMap::from(expected));
}

#[test]
fn images_without_licence_or_credit_are_listed_and_not_served() {
    let Some(real) = REAL.as_ref() else { return };
    // 43 addresses without a licence, one record with, one search without result.
    assert_eq!(real.ingested["images"], [45, 44, 1]);
    assert_eq!(real.tally("images", "not_served_reason"), BTreeMap::from([("no_licence", 43), ("null", 1)]));
    let images = real.read("images");
    let served = images.bools("is_served").unwrap().iter().position(|served| *served == Some(true)).unwrap();
    let text = |column| images.strings(column).unwrap()[served].unwrap().to_owned();
    assert_eq!(real.names[&text("fighter_id")], "Conor McGregor");
    assert_eq!(text("attribution_text"), "Andrius Petrucenia, CC BY-SA 2.0");
    assert_eq!(images.bools("is_primary").unwrap().iter().filter(|p| **p == Some(true)).count(), 1);
    // All but one are tied to a fighter: the history has Katlyn Chookagian under her later name.
    let tied = images.strings("fighter_id").unwrap().into_iter().flatten().count();
    assert_eq!(tied, 43);
}

#[test]
fn titles_mean_those_whom_they_name() {
    let Some(real) = REAL.as_ref() else { return };
    let videos = real.read("videos");
    let id = |title: &str| {
        let place = videos.texts("title").unwrap().iter().position(|t| *t == title).expect(title);
        videos.texts("video_id").unwrap()[place]
    };
    assert_eq!(
        real.mentioned(id("UFC 321: Tom Aspinall vs Ciryl Gane Highlights")),
        [
            "bout : pair",
            "event UFC 321: Aspinall vs. Gane: event_number",
            "fighter Ciryl Gane: full_name",
            "fighter Tom Aspinall: full_name",
        ]
    );
    assert_eq!(
        real.mentioned(id("Abdul-Kareem Al-Selwady details frustrating road to booking UFC 321 fight")),
        ["event UFC 321: Aspinall vs. Gane: event_number", "fighter Abdul-Kareem Al-Selwady: full_name",]
    );
    // The host of the channel is in every title.
    assert_eq!(
        real.mentioned(id("Chris Weidman RELIVES GRUESOME leg injury at UFC 261 | The Daniel Cormier Show")),
        ["event UFC 261: Usman vs. Masvidal 2: event_number", "fighter Chris Weidman: full_name",]
    );
    assert_eq!(real.mentioned(id("Jake Paul vs Anthony Joshua Highlights")), Vec::<String>::new());
}

/// For a look at a sample by hand: `MENTIONS=120 cargo nextest run --test real mentions_to_look_at --no-capture`.
#[test]
fn mentions_to_look_at() {
    let Some(real) = REAL.as_ref() else { return };
    let mentions = real.read("mentions");
    assert!(mentions.rows() > 2_000, "{}", mentions.rows());
    let Some(n) = std::env::var("MENTIONS").ok().and_then(|n| n.parse::<usize>().ok()) else { return };
    let mut texts = BTreeMap::new();
    for (table, id, text) in [("wire", "wire_id", "headline"), ("videos", "video_id", "title")] {
        let reader = real.read(table);
        let ids = reader.texts(id).unwrap().into_iter();
        let published = reader.instants("published_at").unwrap();
        let text = reader.texts(text).unwrap().into_iter().zip(published);
        texts.extend(ids.zip(text));
    }
    let (items, kinds) = (mentions.texts("item_id").unwrap(), mentions.texts("entity_kind").unwrap());
    let (ids, rules) = (mentions.strings("entity_id").unwrap(), mentions.texts("rule").unwrap());
    eprintln!("{:?}", real.tally("mentions", "rule"));
    // A fixed walk through all of them, in no order of names or dates.
    let rows = mentions.rows();
    for i in (0..n).map(|i| (i * 7_919 + 13) % rows) {
        let (text, published) = texts[items[i]];
        let name = real.names.get(ids[i].unwrap()).map_or("", String::as_str);
        let day = published.map(|t| t.date_naive().to_string()).unwrap_or_default();
        eprintln!("{} {name} | {} | {day} {text}", kinds[i], rules[i]);
    }
}
