//! Histories and schedules written as text, and what becomes of them as text.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use fdna_model::{BoutId, EventId, FighterId, fold_name};
use fdna_rows::{CaptureFacts, CellValue, TableRow, TableSet, quarantine_table, row_cells, sorted_batch};
use fdna_schemas::Tables;
use fdna_schemas::tables::{
    BoutsRow, ColumnPlace, ContractRow as _, EventsRow, FightersReader, FightersRow, IdentitiesReader,
    IdentitiesRow, ResultsRow, ScheduleBoutsRow, ScheduleEventsRow, ScheduleFightersRow,
};
use uuid::Uuid;

use crate::{EntityResolution, IdentityError, LinkDecisions, PublishedIds, link_sources};

type Cell = (ColumnPlace, CellValue);

/// A row of which these columns are known.
fn row(table: &str, known: impl IntoIterator<Item = Cell>) -> TableRow {
    let mut row = vec![CellValue::Null; Tables::get().table(table).unwrap().columns.len()];
    known.into_iter().for_each(|(column, value)| row[column.place] = value);
    row
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
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
    let mut fighters: BTreeMap<String, TableRow> = BTreeMap::new();
    let mut event = (Uuid::nil(), NaiveDate::default());
    let mut identity = |kind: &str, id: Uuid, source_id: &str| {
        identities.push(row_cells(&IdentitiesRow {
            kind,
            entity_id: id,
            source: "statsdb",
            source_id,
            rule: "source_id",
            first_seen_capture: "statsdb-1",
            first_seen_at: at("2026-01-01"),
            name: None,
            score: 1.0,
        }));
    };
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let [what, id, rest] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        if what == "event" {
            let (on, name) = rest.split_once(' ').unwrap();
            event = (EventId::of("statsdb", id).0, day(on));
            identity("event", event.0, id);
            let known = [
                (EventsRow::EVENT_ID, event.0.into()),
                (EventsRow::STATSDB_ID, id.into()),
                (EventsRow::NAME, name.into()),
                (EventsRow::EVENT_DATE, event.1.into()),
                (EventsRow::CARD_STATUS, "completed".into()),
                (EventsRow::START_STATUS, "date_only".into()),
                (EventsRow::EVENT_DATE_RULE, "source".into()),
            ];
            events.push(row(EventsRow::TABLE, known));
            continue;
        }
        if what == "fighter" {
            let (weight, text) = rest.split_once(' ').unwrap();
            identity("fighter", FighterId::of("statsdb", id).0, id);
            fighters.insert(id.to_owned(), fighter(id, person(text), Some(weight.parse().unwrap())));
            continue;
        }
        let bout = BoutId::of("statsdb", id).0;
        identity("bout", bout, id);
        let (rest, class) = rest.split_once(" | ").unwrap_or((rest, "LIGHTWEIGHT"));
        let (winner, loser) = rest.split_once(" beats ").unwrap();
        let ids = [winner, loser].map(|text| {
            let (own, text) = text.split_once('=').map_or((None, text), |(id, text)| (Some(id.trim()), text));
            let person = person(text);
            let source_id = own.map_or_else(|| fold_name(person.0), str::to_owned);
            let id = FighterId::of("statsdb", &source_id).0;
            fighters.entry(source_id).or_insert_with_key(|source_id| {
                identity("fighter", id, source_id);
                fighter(source_id, person, None)
            });
            id
        });
        let known = [
            (BoutsRow::BOUT_ID, bout.into()),
            (BoutsRow::STATSDB_ID, id.into()),
            (BoutsRow::EVENT_ID, event.0.into()),
            (BoutsRow::EVENT_DATE, event.1.into()),
            (BoutsRow::STATUS, "completed".into()),
            (BoutsRow::WEIGHT_CLASS, Some(class).filter(|class| *class != "-").into()),
            (BoutsRow::FIGHTER_A_ID, ids[0].min(ids[1]).into()),
            (BoutsRow::FIGHTER_B_ID, ids[0].max(ids[1]).into()),
            (BoutsRow::FIGHTER_A_RULE, "name".into()),
            (BoutsRow::FIGHTER_B_RULE, "name".into()),
        ];
        bouts.push(row(BoutsRow::TABLE, known));
        results.push(result(bout, ids[0]));
    }
    let tables = [
        ("events", events),
        ("bouts", bouts),
        ("results", results),
        ("identities", identities),
        ("fighters", fighters.into_values().collect()),
        ("scorecards", Vec::new()),
        ("round_stats", Vec::new()),
        ("corrections", Vec::new()),
        ("quarantine", Vec::new()),
    ];
    TableSet(tables.into_iter().map(|(name, rows)| sorted_batch(name, rows).unwrap()).collect())
}

fn fighter(source_id: &str, (name, born): (&str, Option<&str>), weight_lbs: Option<i32>) -> TableRow {
    let known = [
        (FightersRow::FIGHTER_ID, FighterId::of("statsdb", source_id).0.into()),
        (FightersRow::STATSDB_ID, source_id.into()),
        (FightersRow::NAME, name.into()),
        (FightersRow::DATE_OF_BIRTH, born.map(day).into()),
        (FightersRow::WEIGHT_LBS, weight_lbs.into()),
    ];
    row(FightersRow::TABLE, known)
}

fn result(bout: Uuid, winner: Uuid) -> TableRow {
    row_cells(&ResultsRow {
        bout_id: bout,
        outcome: "x",
        winner_id: Some(winner),
        method: "x",
        method_detail: None,
        round: 1,
        clock_secs: 1,
        time_format: "x",
        total_secs: None,
        referee: None,
        last_capture: None,
    })
}

/// Lines `capture SOURCE DAY`, below them `event ID DAY NAME`, after `|` its `status=`, below that `bout FIGHTER vs FIGHTER`; after `|` the
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
    let line_of = |n: usize| i32::try_from(n).unwrap();
    for (n, line) in script.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate() {
        let (what, rest) = line.split_once(' ').unwrap();
        if what == "event" {
            let (rest, status) =
                rest.split_once(" | status=").map_or((rest, None), |(rest, status)| (rest, Some(status)));
            let [id, on, name] = rest.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
            event = id;
            let known = [
                (ScheduleEventsRow::FILE, "f".into()),
                (ScheduleEventsRow::LINE, line_of(n).into()),
                (ScheduleEventsRow::ROW_DIGEST, "d".into()),
                (ScheduleEventsRow::ID_SPACE, space.into()),
                (ScheduleEventsRow::EVENT_SOURCE_ID, id.into()),
                (ScheduleEventsRow::EVENT, name.into()),
                (ScheduleEventsRow::EVENT_DATE, day(on).into()),
                (ScheduleEventsRow::STATUS, status.into()),
                (ScheduleEventsRow::LISTED_BOUTS, 0.into()),
            ];
            events.push(row(ScheduleEventsRow::TABLE, known));
            continue;
        }
        let (pair, more) = rest.split_once('|').unwrap_or((rest, ""));
        let mut known: Vec<Cell> = vec![
            (ScheduleBoutsRow::FILE, "f".into()),
            (ScheduleBoutsRow::LINE, line_of(n).into()),
            (ScheduleBoutsRow::ROW_DIGEST, "d".into()),
            (ScheduleBoutsRow::ID_SPACE, space.into()),
            (ScheduleBoutsRow::EVENT_SOURCE_ID, event.into()),
            (ScheduleBoutsRow::LISTED_AT, 1.into()),
        ];
        let sides = [
            (ScheduleBoutsRow::FIRST_NAME, ScheduleBoutsRow::FIRST_SOURCE_ID),
            (ScheduleBoutsRow::SECOND_NAME, ScheduleBoutsRow::SECOND_SOURCE_ID),
        ];
        for ((of_name, of_id), text) in sides.into_iter().zip(pair.split(" vs ")) {
            let (id, text) = text.split_once('=').map_or((None, text), |(id, text)| (Some(id.trim()), text));
            let (name, born) = person(text);
            known.push((of_name, Some(name).filter(|name| *name != "TBA").into()));
            if let Some(id) = id {
                known.push((of_id, id.into()));
                let told = [
                    (ScheduleFightersRow::FILE, "f".into()),
                    (ScheduleFightersRow::LINE, line_of(fighters.len()).into()),
                    (ScheduleFightersRow::ROW_DIGEST, "d".into()),
                    (ScheduleFightersRow::ID_SPACE, space.into()),
                    (ScheduleFightersRow::FIGHTER_SOURCE_ID, id.into()),
                    (ScheduleFightersRow::NAME, name.into()),
                    (ScheduleFightersRow::DATE_OF_BIRTH, born.map(day).into()),
                ];
                fighters.insert(id, row(ScheduleFightersRow::TABLE, told));
            }
        }
        for (key, value) in more.split_whitespace().filter_map(|word| word.split_once('=')) {
            known.push(match key {
                "id" => (ScheduleBoutsRow::BOUT_SOURCE_ID, value.into()),
                "order" => (ScheduleBoutsRow::BOUT_ORDER, CellValue::Int(value.parse().unwrap())),
                "lbs" => (ScheduleBoutsRow::WEIGHT_LBS, CellValue::Int(value.parse().unwrap())),
                "position" => (ScheduleBoutsRow::CARD_POSITION, value.into()),
                "status" => (ScheduleBoutsRow::STATUS, value.into()),
                "winner" => (ScheduleBoutsRow::WINNER, value.into()),
                _ => panic!("{line}"),
            });
        }
        bouts.push(row(ScheduleBoutsRow::TABLE, known));
    }
    let tables = [
        (ScheduleEventsRow::TABLE, events),
        (ScheduleBoutsRow::TABLE, bouts),
        (ScheduleFightersRow::TABLE, fighters.into_values().collect()),
    ];
    CaptureFacts {
        source: source.to_owned(),
        capture: format!("{source}-{on}"),
        captured_at: at(on),
        tables: tables.into_iter().map(|(name, rows)| sorted_batch(name, rows).unwrap()).collect(),
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
    let published = published.map(Made::published).transpose()?.unwrap_or_default();
    let made = link_sources(EntityResolution { history, captures: schedule, published, decisions })?;
    Ok(Made(TableSet(made.tables.into_iter().collect())))
}

impl Made {
    /// The ids that publishing it gives for good.
    pub(super) fn published(&self) -> Result<PublishedIds, IdentityError> {
        Ok(PublishedIds::of_tables(&self.0.0["identities"], Some(&self.0.0["aliases"]))?)
    }

    /// How many rows a table has.
    pub(super) fn rows(&self, table: &str) -> usize {
        self.0.0[table].num_rows()
    }

    pub(super) fn id(&self, kind: &str, source: &str, source_id: &str) -> Uuid {
        let rows = self.0.read_table::<IdentitiesReader<'_>>().unwrap().all_rows().unwrap();
        let key = (kind, source, source_id);
        let found = rows.into_iter().find(|row| (row.kind, row.source, row.source_id) == key);
        let there = || self.text("identities", &["kind", "source", "source_id"]);
        found.unwrap_or_else(|| panic!("no {kind} {source} {source_id} in {}", there())).entity_id
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
        let fighters: FightersReader<'_> = self.0.read_table().unwrap();
        let names: BTreeMap<Uuid, &str> =
            fighters.fighter_id().unwrap().into_iter().zip(fighters.name().unwrap()).collect();
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
