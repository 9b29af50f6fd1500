//! Histories and schedules written as text, and what becomes of them as text.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_model::{BoutId, EventId, FighterId, fold_name};
use fdna_rows::{CaptureFacts, CellValue, TableRow, TableSet, quarantine_table, to_batch};
use fdna_schemas::{TableReader, Tables};
use uuid::Uuid;

use crate::{EntityResolution, IdentityError, LinkDecisions, PublishedIds, link};

type Cell<'a> = (&'a str, CellValue);

fn table(name: &str, mut rows: Vec<Vec<Cell<'_>>>) -> RecordBatch {
    let table = Tables::get().table(name).unwrap();
    let row = |cells: &mut Vec<Cell<'_>>| -> TableRow {
        let mut row = vec![CellValue::Null; table.columns.len()];
        for (column, value) in cells.drain(..) {
            row[table.place(column).unwrap_or_else(|| panic!("{name}.{column}"))] = value;
        }
        row
    };
    let mut rows: Vec<TableRow> = rows.iter_mut().map(row).collect();
    fdna_rows::sort_by_key(table, &mut rows);
    to_batch(table, &rows).unwrap()
}

fn day(text: &str) -> CellValue {
    text.parse::<chrono::NaiveDate>().unwrap().into()
}

fn at(text: &str) -> DateTime<Utc> {
    format!("{text}T00:00:00Z").parse().unwrap()
}

/// A name, and after a comma the date of birth.
fn person(text: &str) -> (&str, Option<&str>) {
    text.split_once(',').map_or((text.trim(), None), |(name, born)| (name.trim(), Some(born.trim())))
}

/// Lines `event ID DAY NAME` and below them `bout ID FIGHTER beats FIGHTER`, after `|` its class if it is not
/// lightweight, `-` for none; a fighter's id is the folded name, or what stands before `=`. `fighter ID POUNDS NAME` is
/// one without a bout.
pub(super) fn history(script: &str) -> TableSet {
    let (mut events, mut bouts, mut results, mut identities) = (vec![], vec![], vec![], vec![]);
    let mut fighters: BTreeMap<String, Vec<Cell<'_>>> = BTreeMap::new();
    let mut event = (Uuid::nil(), CellValue::Null);
    let mut identity = |kind: &str, id: Uuid, source_id: &str| {
        identities.push(vec![
            ("kind", kind.into()),
            ("entity_id", id.into()),
            ("source", "statsdb".into()),
            ("source_id", source_id.into()),
            ("rule", "source_id".into()),
            ("first_seen_capture", "statsdb-1".into()),
            ("first_seen_at", at("2026-01-01").into()),
            ("score", 1.0.into()),
        ]);
    };
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let [what, id, rest] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        if what == "event" {
            let (on, name) = rest.split_once(' ').unwrap();
            event = (EventId::of("statsdb", id).0, day(on));
            identity("event", event.0, id);
            events.push(vec![
                ("event_id", event.0.into()),
                ("statsdb_id", id.into()),
                ("name", name.into()),
                ("event_date", day(on)),
                ("card_status", "completed".into()),
                ("start_status", "date_only".into()),
                ("event_date_rule", "source".into()),
            ]);
            continue;
        }
        if what == "fighter" {
            let (weight, text) = rest.split_once(' ').unwrap();
            let (name, born) = person(text);
            let fighter = FighterId::of("statsdb", id).0;
            identity("fighter", fighter, id);
            let cells = vec![
                ("fighter_id", fighter.into()),
                ("statsdb_id", id.into()),
                ("name", name.into()),
                ("date_of_birth", born.map_or(CellValue::Null, day)),
                ("weight_lbs", CellValue::Int(weight.parse().unwrap())),
            ];
            fighters.insert(id.to_owned(), cells);
            continue;
        }
        let bout = BoutId::of("statsdb", id).0;
        identity("bout", bout, id);
        let (rest, class) = rest.split_once(" | ").unwrap_or((rest, "LIGHTWEIGHT"));
        let (winner, loser) = rest.split_once(" beats ").unwrap();
        let ids = [winner, loser].map(|text| {
            let (own, text) = text.split_once('=').map_or((None, text), |(id, text)| (Some(id.trim()), text));
            let (name, born) = person(text);
            let source_id = own.map_or_else(|| fold_name(name), str::to_owned);
            let id = FighterId::of("statsdb", &source_id).0;
            fighters.entry(source_id).or_insert_with_key(|source_id| {
                identity("fighter", id, source_id);
                vec![
                    ("fighter_id", id.into()),
                    ("statsdb_id", CellValue::text(source_id)),
                    ("name", name.into()),
                    ("date_of_birth", born.map_or(CellValue::Null, day)),
                ]
            });
            id
        });
        bouts.push(vec![
            ("bout_id", bout.into()),
            ("statsdb_id", id.into()),
            ("event_id", event.0.into()),
            ("event_date", event.1.clone()),
            ("status", "completed".into()),
            ("weight_class", Some(class).filter(|class| *class != "-").into()),
            ("fighter_a_id", ids[0].min(ids[1]).into()),
            ("fighter_b_id", ids[0].max(ids[1]).into()),
            ("fighter_a_rule", "name".into()),
            ("fighter_b_rule", "name".into()),
        ]);
        results.push(result(bout, ids[0]));
    }
    let mut tables = TableSet::default();
    for (name, rows) in [
        ("events", events),
        ("bouts", bouts),
        ("results", results),
        ("identities", identities),
        ("fighters", fighters.into_values().collect()),
    ] {
        tables.0.insert(name.to_owned(), table(name, rows));
    }
    for name in ["scorecards", "round_stats", "corrections", "quarantine"] {
        tables.0.insert(name.to_owned(), table(name, Vec::new()));
    }
    tables
}

fn result(bout: Uuid, winner: Uuid) -> Vec<Cell<'static>> {
    let mut cells: Vec<Cell<'static>> = vec![("bout_id", bout.into()), ("winner_id", winner.into())];
    let contract = Tables::get().table("results").unwrap();
    for column in contract.columns.iter().filter(|c| !c.is_nullable() && c.name != "bout_id") {
        let value = match column.kind {
            fdna_schemas::ColumnType::String => CellValue::from("x"),
            fdna_schemas::ColumnType::Int32 => CellValue::Int(1),
            fdna_schemas::ColumnType::Bool => CellValue::Bool(false),
            _ => panic!("{}", column.name),
        };
        cells.push((Box::leak(column.name.clone().into_boxed_str()), value));
    }
    cells
}

/// Lines `capture SOURCE DAY`, below them `event ID DAY NAME`, below that `bout FIGHTER vs FIGHTER`; after `|` the
/// bout's `id=`, `order=`, `status=`, `winner=`, `lbs=`. A fighter of the feed is `id=FoldedName, born`.
pub(super) fn schedule(script: &str) -> Vec<CaptureFacts> {
    let mut captures = Vec::new();
    let chunks = script.split("capture ").map(str::trim).filter(|chunk| !chunk.is_empty());
    for chunk in chunks {
        let (head, lines) = chunk.split_once('\n').unwrap_or((chunk, ""));
        let (source, on) = head.trim().split_once(' ').unwrap();
        captures.push(capture(source, on, lines));
    }
    captures
}

fn capture(source: &str, on: &str, script: &str) -> CaptureFacts {
    let space = if source == "cards" { "cards" } else { "feed" };
    let (mut events, mut bouts, mut fighters) = (vec![], vec![], BTreeMap::new());
    let mut event = "";
    let head = |line: usize| {
        let line = i32::try_from(line).unwrap();
        vec![
            ("file", "f".into()),
            ("line", line.into()),
            ("row_digest", "d".into()),
            ("id_space", space.into()),
        ]
    };
    for (n, line) in script.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate() {
        let (what, rest) = line.split_once(' ').unwrap();
        if what == "event" {
            let [id, on, name] = rest.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
            event = id;
            let mut cells = head(n);
            cells.extend([
                ("event_source_id", id.into()),
                ("event", name.into()),
                ("event_date", day(on)),
                ("listed_bouts", CellValue::Int(0)),
            ]);
            events.push(cells);
            continue;
        }
        let (pair, more) = rest.split_once('|').unwrap_or((rest, ""));
        let mut cells = head(n);
        cells.extend([("event_source_id", event.into()), ("listed_at", CellValue::Int(1))]);
        for (side, text) in ["first", "second"].into_iter().zip(pair.split(" vs ")) {
            let (id, text) = text.split_once('=').map_or((None, text), |(id, text)| (Some(id.trim()), text));
            let (name, born) = person(text);
            let column = |what: &str| -> &str { Box::leak(format!("{side}_{what}").into_boxed_str()) };
            cells.push((column("name"), if name == "TBA" { CellValue::Null } else { name.into() }));
            if let Some(id) = id {
                cells.push((column("source_id"), id.into()));
                let mut told = head(fighters.len());
                told.extend([("fighter_source_id", id.into()), ("name", name.into())]);
                told.push(("date_of_birth", born.map_or(CellValue::Null, day)));
                fighters.insert(id, told);
            }
        }
        for (key, value) in more.split_whitespace().filter_map(|word| word.split_once('=')) {
            cells.push(match key {
                "id" => ("bout_source_id", value.into()),
                "order" => ("bout_order", CellValue::Int(value.parse().unwrap())),
                "lbs" => ("weight_lbs", CellValue::Int(value.parse().unwrap())),
                "position" => ("card_position", value.into()),
                "status" => ("status", value.into()),
                "winner" => ("winner", value.into()),
                _ => panic!("{line}"),
            });
        }
        bouts.push(cells);
    }
    let tables = [
        ("schedule_events", table("schedule_events", events)),
        ("schedule_bouts", table("schedule_bouts", bouts)),
        ("schedule_fighters", table("schedule_fighters", fighters.into_values().collect())),
    ];
    CaptureFacts {
        source: source.to_owned(),
        capture: format!("{source}-{on}"),
        captured_at: at(on),
        tables: tables.into_iter().map(|(name, batch)| (name.to_owned(), batch)).collect(),
        set_aside: quarantine_table(Vec::new()).unwrap(),
    }
}

/// What linking made.
pub(super) struct Made(pub(super) TableSet);

/// Links a history and a schedule, after what was published and with what people decided.
pub(super) fn linked(
    history: &TableSet,
    schedule: Vec<CaptureFacts>,
    published: Option<&Made>,
    decisions: &str,
) -> Result<Made, IdentityError> {
    let decisions = LinkDecisions::parse(&[("decisions.toml".to_owned(), decisions.to_owned())])?;
    let ids_of = |made: &Made| PublishedIds::of_tables(&made.0.0["identities"], Some(&made.0.0["aliases"]));
    let published = published.map(ids_of).transpose()?.unwrap_or_default();
    let made = link(EntityResolution { history, captures: schedule, published, decisions })?;
    Ok(Made(TableSet(made.tables.into_iter().collect())))
}

impl Made {
    pub(super) fn reader<'a>(&'a self, name: &'a str) -> TableReader<'a> {
        self.0.reader(name).unwrap()
    }

    pub(super) fn id(&self, kind: &str, source: &str, source_id: &str) -> Uuid {
        let r = self.reader("identities");
        let keys = r.texts("kind").unwrap().into_iter().zip(r.texts("source").unwrap());
        let keys = keys.zip(r.texts("source_id").unwrap());
        let found = keys
            .zip(r.ids("entity_id").unwrap())
            .find(|(((k, s), i), _)| (*k, *s, *i) == (kind, source, source_id));
        found
            .unwrap_or_else(|| {
                panic!(
                    "no {kind} {source} {source_id} in {}",
                    self.text("identities", &["kind", "source", "source_id"])
                )
            })
            .1
    }

    /// These columns of a table, a row a line, sorted.
    pub(super) fn text(&self, name: &str, columns: &[&str]) -> String {
        let table = Tables::get().table(name).unwrap();
        let rows = fdna_rows::from_batch(table, &self.0.0[name]).unwrap();
        let line = |row: &TableRow| {
            let cells = columns.iter().map(|column| row[table.place(column).unwrap()].display());
            cells.map(|cell| cell.unwrap_or_else(|| "-".to_owned())).collect::<Vec<_>>().join(" | ")
        };
        let mut lines: Vec<String> = rows.iter().map(line).collect();
        lines.sort();
        lines.join("\n")
    }

    /// Each bout: who against whom in alphabetical order, and these columns.
    pub(super) fn bouts(&self, columns: &[&str]) -> String {
        let fighters = self.reader("fighters");
        let names: BTreeMap<Uuid, &str> =
            fighters.ids("fighter_id").unwrap().into_iter().zip(fighters.texts("name").unwrap()).collect();
        let columns: Vec<&str> =
            ["fighter_a_id", "fighter_b_id"].into_iter().chain(columns.iter().copied()).collect();
        let lines = self.text("bouts", &columns);
        let line = |line: &str| {
            let mut cells = line.split(" | ");
            let mut pair = [0, 1].map(|_| names[&cells.next().unwrap().parse().unwrap()]);
            pair.sort_unstable();
            let rest: Vec<&str> = cells.collect();
            format!("{} - {}: {}", pair[0], pair[1], rest.join(" "))
        };
        let mut lines: Vec<String> = lines.lines().map(line).collect();
        lines.sort();
        lines.join("\n")
    }
}
