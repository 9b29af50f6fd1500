//! Real fight weeks, replayed from captures as they came: bouts added and taken off, opponents replaced on short
//! notice, places and segments changed, starts moved, results.
//!
//! The captures are not part of the repository: without them these tests pass over themselves and say so, and on CI
//! they fail.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use fdna_kit::real_data;
use fdna_ledger::{LedgerEntry, StateField, StateValue, find_faults, from_table};
use fdna_suite::{TestLake, rows};
use uuid::Uuid;

/// Captures of a folder to be replayed: those whose names lie between two texts.
struct Picked {
    source: &'static str,
    folder: &'static str,
    between: [&'static str; 2],
}

impl Picked {
    /// Links them into a folder named after their source, and says how the program takes them in.
    fn into(&self, real: &Path, bench: &TestLake) -> String {
        let target = bench.folder().join(self.source);
        std::fs::create_dir_all(&target).unwrap();
        let [from, to] = self.between;
        let mut found = 0;
        for path in std::fs::read_dir(real.join(self.folder)).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if (from..to).contains(&name.as_str()) {
                std::os::unix::fs::symlink(&path, target.join(name)).unwrap();
                found += 1;
            }
        }
        assert!(found > 0, "no capture of {} between {from} and {to}", self.folder);
        format!("{0}={0}", self.source)
    }
}

/// What a replay of these captures wrote.
struct Replayed {
    bench: TestLake,
    entries: Vec<LedgerEntry>,
    names: BTreeMap<Uuid, String>,
}

fn replay(picked: &[Picked], [from, to]: [&str; 2]) -> Option<Replayed> {
    let real = real_data()?;
    let bench = TestLake::new(env!("CARGO_BIN_EXE_fightdna-under-test"));
    let mut args = vec!["run".to_owned(), "--quiet".to_owned()];
    for picked in picked {
        args.extend(["--captures".to_owned(), picked.into(&real, &bench)]);
    }
    let run = |args: &[&str]| {
        // Years later, so that the first run finds no fight week under way.
        let output = bench.command(args).env("FIGHTDNA_NOW", "2030-01-01T00:00:00Z").output().unwrap();
        // Some captures cannot be read, which a run tells with a code of its own.
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!([Some(0), Some(65)].contains(&output.status.code()), "{said}");
    };
    run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    run(&["ledger", "--quiet", "--replay", "--from", from, "--to", to]);
    let lake = bench.lake();
    let parts = lake.ledger_parts().unwrap();
    let entries: Vec<LedgerEntry> =
        parts.iter().flat_map(|part| from_table(&lake.read_ledger_part(part).unwrap()).unwrap()).collect();
    assert_eq!(find_faults(&entries, Some(&lake.ledger_head().unwrap().unwrap().head)), []);
    let fighters = rows(&bench.tables()["fighters"]);
    let names =
        fighters.iter().map(|row| (row["fighter_id"].parse().unwrap(), row["name"].clone())).collect();
    Some(Replayed { bench, entries, names })
}

/// Fields of a card and its bouts: DNA, ranks and stories are for other tests.
const SHOWN: [StateField; 12] = [
    StateField::StartAt,
    StateField::StartDate,
    StateField::StartStatus,
    StateField::BoutStatus,
    StateField::CardPosition,
    StateField::BoutOrder,
    StateField::WeightClass,
    StateField::ScheduledRounds,
    StateField::ReplacedBout,
    StateField::ShortNotice,
    StateField::ResultStatus,
    StateField::ResultMethod,
];

impl Replayed {
    fn name(&self, id: Uuid) -> String {
        self.names.get(&id).map_or("a bout".to_owned(), |name| name.clone())
    }

    fn pair(&self, entry: &LedgerEntry) -> String {
        let ids = [StateField::FighterA, StateField::FighterB].map(|field| entry.state.get(field).as_id());
        let mut names = ids.map(|id| self.name(id.unwrap_or_default()));
        names.sort();
        names.join(" - ")
    }

    /// The event of this day: each bout with its checkpoints, and what changed when.
    fn card(&self, day: &str) -> String {
        let is_of_day = |entry: &&LedgerEntry| entry.state.get(StateField::StartDate).to_string() == day;
        let events: BTreeSet<Uuid> =
            self.entries.iter().filter(is_of_day).map(|entry| entry.event_id).collect();
        assert_eq!(events.len(), 1, "events of {day}");
        let of_event = self.entries.iter().filter(|entry| events.contains(&entry.event_id));
        let mut bouts: BTreeMap<String, Vec<&LedgerEntry>> = BTreeMap::new();
        of_event.for_each(|entry| bouts.entry(self.pair(entry)).or_default().push(entry));
        bouts.into_iter().map(|(pair, rows)| self.bout(&pair, &rows)).collect()
    }

    fn bout(&self, pair: &str, rows: &[&LedgerEntry]) -> String {
        let mut checkpoints: Vec<String> = rows.iter().map(|row| row.checkpoint.to_string()).collect();
        checkpoints.dedup();
        let mut out = format!("{pair}: {}\n", checkpoints.join(" "));
        for row in rows {
            let at = row.valid_at.format("%m-%d %H:%M");
            if let Some(id) = row.state.get(StateField::ReplacedBout).as_id().filter(|_| row.is_baseline) {
                let old = self.entries.iter().find(|entry| entry.bout_id == id);
                let old = old.map_or("a bout without rows".to_owned(), |old| self.pair(old));
                let days = row.state.get(StateField::ShortNotice);
                let _ = writeln!(out, "  {at} in place of {old}, on {days} days' notice");
            }
            for change in row.diff.iter().filter(|change| SHOWN.contains(&change.path)) {
                let value = |value: &StateValue| value.as_id().map_or(value.to_string(), |id| self.name(id));
                let (from, to) = (value(&change.from), value(&change.to));
                let path =
                    change.path.path().rsplit_once("state/").map_or(change.path.path(), |(_, path)| path);
                let _ = writeln!(out, "  {at} {path}: {from} -> {to}");
            }
        }
        out
    }
}

fn cards(between: [&'static str; 2]) -> Picked {
    Picked { source: "cards", folder: "cards-ics", between }
}

fn statistics(between: [&'static str; 2]) -> Picked {
    Picked { source: "statsdb", folder: "statsdb-csv", between }
}

/// UFC 311: the challenger of the main event fell out a day before, one of another bout took his place, and a bout
/// went up to the main card. The results came with the next capture of the statistics, months later.
#[test]
fn a_main_event_replaced_a_day_before_and_its_results() {
    let picked = [cards(["2025-01-10", "2025-01-20"]), statistics(["2025-11", "2025-12"])];
    let Some(replayed) = replay(&picked, ["2025-01-10", "2025-12-01"]) else { return };
    insta::assert_snapshot!("real_ledger_2025_01_18", replayed.card("2025-01-18"));
}

/// The card of 2025-02-22: one bout taken off and none in its place, others with new opponents.
#[test]
fn a_bout_taken_off_and_opponents_replaced_in_the_week_before() {
    let Some(replayed) = replay(&[cards(["2025-02-12", "2025-02-24"])], ["2025-02-12", "2025-02-24"]) else {
        return;
    };
    insta::assert_snapshot!("real_ledger_2025_02_22", replayed.card("2025-02-22"));
    replayed.bench.ok(&["verify"]);
}

/// A card of the feed, whose lists of bouts come and go from one capture to the next, and which knows no hour.
#[test]
fn a_card_of_the_feed_with_a_day_and_no_hour() {
    let feed =
        Picked { source: "feed-captures", folder: "feed-captures", between: ["2026-05-01", "2026-05-12"] };
    let Some(replayed) = replay(&[feed], ["2026-05-01", "2026-05-12"]) else { return };
    insta::assert_snapshot!("real_ledger_2026_05_09", replayed.card("2026-05-09"));
}

/// Every calendar there is: ten months, every card of them. What must hold of each row, and what came of the bouts.
#[test]
fn ten_months_of_cards_replayed() {
    let Some(replayed) = replay(&[cards(["2024", "2026"])], ["2024-07-01", "2025-05-10"]) else { return };
    let mut of_bout: BTreeMap<Uuid, Vec<&LedgerEntry>> = BTreeMap::new();
    replayed.entries.iter().for_each(|entry| of_bout.entry(entry.bout_id).or_default().push(entry));
    for rows in of_bout.values() {
        assert!(rows[0].is_baseline && rows.iter().skip(1).all(|row| !row.is_baseline));
        assert!(rows.is_sorted_by_key(|row| row.valid_at), "{}", replayed.pair(rows[0]));
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for entry in &replayed.entries {
        *counts.entry(format!("checkpoint {}", entry.checkpoint)).or_default() += 1;
        for change in entry.diff.iter().filter(|change| SHOWN.contains(&change.path)) {
            *counts.entry(format!("{} of {}", change.operation(), change.path.path())).or_default() += 1;
        }
    }
    let is_off = |rows: &&Vec<&LedgerEntry>| {
        rows.last().is_some_and(|row| row.state.get(StateField::BoutStatus).is_word("cancelled"))
    };
    let stands_in =
        |rows: &&Vec<&LedgerEntry>| !rows.last().unwrap().state.get(StateField::ReplacedBout).is_null();
    let mut out = format!("{} bouts\n", of_bout.len());
    let _ = writeln!(out, "{} cancelled in the end", of_bout.values().filter(is_off).count());
    let _ = writeln!(out, "{} in place of another", of_bout.values().filter(stands_in).count());
    counts.iter().for_each(|(what, n)| writeln!(out, "{n} {what}").unwrap());
    insta::assert_snapshot!("real_ledger_ten_months", out);
}
