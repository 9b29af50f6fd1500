//! The published tables of one run on the newest real capture, by the source's own ids, and the CSV files
//! beside them, read with a reader of its own.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_kit::real_data;
use fdna_schemas::TableReader;
use fdna_suite::TestLake;
use uuid::Uuid;

pub(crate) type Tables = BTreeMap<String, RecordBatch>;

/// Counts of a round row, in the order of [`Round::counts`].
pub(crate) const COUNTS: [&str; 21] = [
    "knockdowns",
    "sig_landed",
    "sig_attempted",
    "total_landed",
    "total_attempted",
    "td_landed",
    "td_attempted",
    "sub_attempts",
    "reversals",
    "head_landed",
    "head_attempted",
    "body_landed",
    "body_attempted",
    "leg_landed",
    "leg_attempted",
    "distance_landed",
    "distance_attempted",
    "clinch_landed",
    "clinch_attempted",
    "ground_landed",
    "ground_attempted",
];

pub(crate) struct Round {
    pub(crate) fighter: Uuid,
    pub(crate) round: i32,
    pub(crate) secs: Option<i32>,
    pub(crate) control: Option<i32>,
    pub(crate) counts: [i32; 21],
    pub(crate) resolved_by: String,
}

impl Round {
    pub(crate) fn of(&self, count: &str) -> i32 {
        self.counts[COUNTS.iter().position(|c| *c == count).expect("a count")]
    }

    pub(crate) fn pair(&self, stem: &str) -> [i32; 2] {
        ["landed", "attempted"].map(|end| self.of(&format!("{stem}_{end}")))
    }
}

pub(crate) struct Card {
    pub(crate) judge: Option<String>,
    pub(crate) score_a: Option<i32>,
    pub(crate) score_b: Option<i32>,
    pub(crate) raw: String,
}

pub(crate) struct Bout {
    pub(crate) date: NaiveDate,
    pub(crate) event: Uuid,
    pub(crate) a: Uuid,
    pub(crate) b: Uuid,
    pub(crate) class: Option<String>,
    pub(crate) class_raw: String,
    pub(crate) title: Option<String>,
    pub(crate) is_title: bool,
    pub(crate) scheduled: Option<i32>,
    pub(crate) result: Ending,
    pub(crate) cards: Vec<Card>,
    pub(crate) rounds: Vec<Round>,
}

pub(crate) struct Ending {
    pub(crate) outcome: String,
    pub(crate) winner: Option<Uuid>,
    pub(crate) method: String,
    pub(crate) detail: Option<String>,
    pub(crate) round: i32,
    pub(crate) clock: i32,
    pub(crate) format: String,
    pub(crate) total: Option<i32>,
    pub(crate) referee: Option<String>,
}

pub(crate) struct Fighter {
    pub(crate) source_id: String,
    pub(crate) name: String,
}

pub(crate) struct History {
    pub(crate) capture: PathBuf,
    /// The same source, keyed by its ids.
    pub(crate) second_layout: PathBuf,
    pub(crate) tables: Tables,
    pub(crate) fighters: HashMap<Uuid, Fighter>,
    /// Names by id.
    pub(crate) events: HashMap<Uuid, String>,
    /// By the source's id.
    pub(crate) bouts: BTreeMap<String, Bout>,
}

/// The history, made once; `None` where there are no real captures.
pub(crate) fn history() -> Option<&'static History> {
    static HISTORY: OnceLock<Option<History>> = OnceLock::new();
    HISTORY.get_or_init(|| real_data().map(|real| History::of(&real))).as_ref()
}

impl History {
    fn of(real: &Path) -> Self {
        let capture = real.join("statsdb-csv/2025-11-02");
        let source = format!("statsdb={}", capture.display());
        let program = env!("CARGO_BIN_EXE_fightdna-under-test");
        let bench = TestLake::shared(program, &[&["run", "--quiet", "--source", &source]]);
        let tables = bench.tables();
        Self {
            capture,
            second_layout: real.join("statsdb-ids/2024-12-14"),
            fighters: fighters(&tables),
            events: events(&tables),
            bouts: bouts(&tables),
            tables,
        }
    }

    pub(crate) fn reader(&self, table: &'static str) -> TableReader<'_> {
        TableReader::new(table, &self.tables[table])
    }

    pub(crate) fn name(&self, id: Uuid) -> &str {
        &self.fighters[&id].name
    }

    pub(crate) fn source_id(&self, id: Uuid) -> &str {
        &self.fighters[&id].source_id
    }

    /// Our id of the fighter whom the source calls `source_id`.
    pub(crate) fn fighter(&self, source_id: &str) -> Uuid {
        let found = self.fighters.iter().find(|(_, f)| f.source_id == source_id);
        *found.unwrap_or_else(|| panic!("no fighter {source_id}")).0
    }

    /// A bout as text, the two fighters in the order of their names, so that our order of a and b shows in
    /// nothing.
    pub(crate) fn bout_text(&self, bout: &Bout) -> String {
        let mut sides = [bout.a, bout.b];
        sides.sort_by_key(|id| self.name(*id));
        let [first, second] = sides.map(|id| format!("{} {}", self.name(id), self.source_id(id)));
        let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let scheduled = bout.scheduled.map_or("no limit".to_owned(), |n| format!("{n} scheduled"));
        let belt = if bout.is_title { "a belt" } else { "no belt" };
        let mut text = format!("{} {}: {first} and {second}\n", bout.date, bout.class_raw);
        let _ =
            writeln!(text, "{}, title {}, {belt}, {scheduled}", or_dash(&bout.class), or_dash(&bout.title));
        let end = &bout.result;
        let whose = end.winner.map_or(String::new(), |id| format!(" of {}", self.name(id)));
        let total = end.total.map_or("?".to_owned(), |t| t.to_string());
        let _ = writeln!(
            text,
            "{}{whose} by {}, round {} at {} s of {}, {total} s in all, referee {}",
            end.outcome,
            end.method,
            end.round,
            end.clock,
            end.format,
            or_dash(&end.referee)
        );
        let _ = writeln!(text, "detail: {}", or_dash(&end.detail));
        for card in &bout.cards {
            let judge = card.judge.as_deref().unwrap_or("-");
            let of = |id: Uuid| if id == bout.a { card.score_a } else { card.score_b };
            let _ = match sides.map(of) {
                [Some(x), Some(y)] => writeln!(
                    text,
                    "{judge}: {first} {x}, {second} {y}",
                    first = self.name(sides[0]),
                    second = self.name(sides[1])
                ),
                [None, None] => writeln!(text, "{judge}: {} of unknown sides", card.raw),
                half => writeln!(text, "{judge}: half known {half:?}"),
            };
        }
        text
    }

    /// Round rows as text, by name and round.
    pub(crate) fn rounds_text(&self, bout: &Bout) -> String {
        let mut rounds: Vec<&Round> = bout.rounds.iter().collect();
        rounds.sort_by_key(|r| (self.name(r.fighter), r.round));
        let or_dash = |n: Option<i32>| n.map_or("-".to_owned(), |n| n.to_string());
        let mut text = String::new();
        for r in rounds {
            let pair = |stem| {
                let [landed, attempted] = r.pair(stem);
                format!("{landed}/{attempted}")
            };
            let _ = writeln!(
                text,
                "{} {}: {} s, kd {}, sig {}, all {}, td {}, sub {}, rev {}, control {}, head {}, body {}, \
                 leg {}, distance {}, clinch {}, ground {}",
                self.name(r.fighter),
                r.round,
                or_dash(r.secs),
                r.of("knockdowns"),
                pair("sig"),
                pair("total"),
                pair("td"),
                r.of("sub_attempts"),
                r.of("reversals"),
                or_dash(r.control),
                pair("head"),
                pair("body"),
                pair("leg"),
                pair("distance"),
                pair("clinch"),
                pair("ground"),
            );
        }
        text
    }
}

fn fighters(tables: &Tables) -> HashMap<Uuid, Fighter> {
    let t = TableReader::new("fighters", &tables["fighters"]);
    let (ids, names) = (t.ids("fighter_id").unwrap(), t.texts("name").unwrap());
    let source_ids = t.texts("statsdb_id").unwrap();
    let fighter = |i: usize| Fighter { source_id: source_ids[i].to_owned(), name: names[i].to_owned() };
    ids.iter().enumerate().map(|(i, id)| (*id, fighter(i))).collect()
}

fn events(tables: &Tables) -> HashMap<Uuid, String> {
    let t = TableReader::new("events", &tables["events"]);
    let names = t.texts("name").unwrap().into_iter().map(str::to_owned);
    t.ids("event_id").unwrap().into_iter().zip(names).collect()
}

fn bouts(tables: &Tables) -> BTreeMap<String, Bout> {
    let t = TableReader::new("bouts", &tables["bouts"]);
    let (ids, source_ids) = (t.ids("bout_id").unwrap(), t.texts("statsdb_id").unwrap());
    let (events, dates) = (t.ids("event_id").unwrap(), t.dates("event_date").unwrap());
    let (a, b) = (t.ids("fighter_a_id").unwrap(), t.ids("fighter_b_id").unwrap());
    let (class, class_raw) = (t.strings("weight_class").unwrap(), t.texts("weight_class_raw").unwrap());
    let (title, is_title) = (t.strings("title_kind").unwrap(), t.bools("is_title").unwrap());
    let scheduled = t.int32s("scheduled_rounds").unwrap();
    let (mut endings, mut cards, mut rounds) = (endings(tables), cards(tables), rounds(tables));
    let bout = |i: usize| Bout {
        date: dates[i].expect("a date"),
        event: events[i],
        a: a[i],
        b: b[i],
        class: class[i].map(str::to_owned),
        class_raw: class_raw[i].to_owned(),
        title: title[i].map(str::to_owned),
        is_title: is_title[i].expect("known"),
        scheduled: scheduled[i],
        result: endings.remove(&ids[i]).expect("every bout of this source is fought"),
        cards: cards.remove(&ids[i]).unwrap_or_default(),
        rounds: rounds.remove(&ids[i]).unwrap_or_default(),
    };
    let mut bout = bout;
    let bouts = (0..ids.len()).map(|i| (source_ids[i].to_owned(), bout(i))).collect();
    assert!(endings.is_empty() && cards.is_empty() && rounds.is_empty(), "rows of no bout");
    bouts
}

fn endings(tables: &Tables) -> HashMap<Uuid, Ending> {
    let t = TableReader::new("results", &tables["results"]);
    let (ids, winners) = (t.ids("bout_id").unwrap(), t.uuids("winner_id").unwrap());
    let (outcomes, methods) = (t.texts("outcome").unwrap(), t.texts("method").unwrap());
    let (details, referees) = (t.strings("method_detail").unwrap(), t.strings("referee").unwrap());
    let (rounds, clocks) = (t.int32s("round").unwrap(), t.int32s("clock_secs").unwrap());
    let (formats, totals) = (t.texts("time_format").unwrap(), t.int32s("total_secs").unwrap());
    let ending = |i: usize| Ending {
        outcome: outcomes[i].to_owned(),
        winner: winners[i],
        method: methods[i].to_owned(),
        detail: details[i].map(str::to_owned),
        round: rounds[i].expect("a round"),
        clock: clocks[i].expect("a clock"),
        format: formats[i].to_owned(),
        total: totals[i],
        referee: referees[i].map(str::to_owned),
    };
    ids.iter().enumerate().map(|(i, id)| (*id, ending(i))).collect()
}

/// Rows come in the order of the key: by bout and judge.
fn cards(tables: &Tables) -> HashMap<Uuid, Vec<Card>> {
    let t = TableReader::new("scorecards", &tables["scorecards"]);
    let (ids, judges) = (t.ids("bout_id").unwrap(), t.strings("judge").unwrap());
    let (a, b) = (t.int32s("score_a").unwrap(), t.int32s("score_b").unwrap());
    let raw = t.texts("raw").unwrap();
    let mut cards: HashMap<Uuid, Vec<Card>> = HashMap::new();
    for i in 0..ids.len() {
        let judge = judges[i].map(str::to_owned);
        let card = Card { judge, score_a: a[i], score_b: b[i], raw: raw[i].to_owned() };
        cards.entry(ids[i]).or_default().push(card);
    }
    cards
}

fn rounds(tables: &Tables) -> HashMap<Uuid, Vec<Round>> {
    let t = TableReader::new("round_stats", &tables["round_stats"]);
    let (ids, fighters) = (t.ids("bout_id").unwrap(), t.ids("fighter_id").unwrap());
    let (numbers, secs) = (t.int32s("round").unwrap(), t.int32s("round_secs").unwrap());
    let (control, rules) = (t.int32s("control_secs").unwrap(), t.texts("resolved_by").unwrap());
    let counts = COUNTS.map(|count| t.int32s(count).unwrap());
    let mut rounds: HashMap<Uuid, Vec<Round>> = HashMap::new();
    for i in 0..ids.len() {
        rounds.entry(ids[i]).or_default().push(Round {
            fighter: fighters[i],
            round: numbers[i].expect("a round"),
            secs: secs[i],
            control: control[i],
            counts: std::array::from_fn(|c| counts[c][i].expect("counts are never null")),
            resolved_by: rules[i].to_owned(),
        });
    }
    rounds
}

/// Rows of a CSV file without its header. Its fields hold no line ends, and quotes only around a field.
pub(crate) fn csv(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().skip(1).map(fields).collect()
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    for c in line.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            c => fields.last_mut().expect("one at least").push(c),
        }
    }
    fields
}
