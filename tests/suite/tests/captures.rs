//! Captures of the statistics source, read and normalised: identity, gates, and what changes over time.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{DateTime, Days, Utc};
use fdna_ingest::IngestError;
use fdna_kit::{BoutRow, CaptureFiles};
use fdna_model::{BoutId, FighterId};
use fdna_normalise::{CaptureFacts, Normalised, normalise, quarantine_table};
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
    let Normalised { tables, counts } = normalise(facts).unwrap();
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

#[test]
fn two_fighters_of_one_name_each_get_their_own_bouts() {
    let capture = start()
        .fighter(3, "Jo Twin", "125", "1990-03-16")
        .fighter(4, "Jo Twin", "185", "1989-07-13")
        .bout(BoutRow { id: 1, bout: "Jo Twin vs. A One", weight: "Flyweight Bout", ..BoutRow::default() })
        .bout(BoutRow { id: 2, bout: "B Two vs. Jo Twin", weight: "Middleweight Bout", ..BoutRow::default() })
        .rounds("Event 1", "Jo Twin vs. A One", [(10, 20), (5, 9)])
        .rounds("Event 1", "B Two vs. Jo Twin", [(1, 2), (3, 4)]);
    let seen = see(&[capture]);
    assert_eq!((seen.fighters_of(1), seen.fighters_of(2)), (pair(3, 1), pair(2, 4)));
    assert_eq!(seen.set_aside(), "");
    let rounds = seen.table("round_stats");
    let of_light = rounds.ids("fighter_id").unwrap().iter().position(|id| *id == fighter(3)).unwrap();
    assert_eq!(rounds.int32s("sig_landed").unwrap()[of_light], Some(10));
}

#[test]
fn namesakes_that_nothing_tells_apart_are_set_aside_with_their_rounds_and_never_guessed() {
    let capture = start()
        .fighter(3, "Jo Twin", "155", "1990-03-16")
        .fighter(4, "Jo Twin", "155", "1989-07-13")
        .bout(BoutRow { bout: "Jo Twin vs. A One", ..BoutRow::default() })
        .rounds("Event 1", "Jo Twin vs. A One", [(10, 20), (5, 9)]);
    let seen = see(&[capture]);
    assert_eq!(seen.fighters_of(1), None);
    insta::assert_snapshot!(seen.set_aside(), @r"
    ufc_fight_details.csv:2 unknown_bout: its result was set aside
    ufc_fight_results.csv:2 unknown_fighter: 2 fighters are named `Jo Twin`, and nothing tells them apart
    ufc_fight_stats.csv:2 unknown_bout: no bout of `Jo Twin` and `A One` at `Event 1` that these rows could only be of
    ufc_fight_stats.csv:3 unknown_bout: no bout of `Jo Twin` and `A One` at `Event 1` that these rows could only be of
    ");
}

#[test]
fn a_former_name_in_the_rounds_is_tied_through_the_opponent_and_then_known() {
    let capture = start()
        .event(2, "Event 2", "2020-03-01")
        .fighter(3, "New Name", "155", "1990-03-16")
        .fighter(4, "Newer Name", "155", "1990-03-16")
        .bout(BoutRow { id: 1, bout: "New Name vs. A One", ..BoutRow::default() })
        .bout(BoutRow { id: 2, event: "Event 2", bout: "New Name vs. Newer Name", ..BoutRow::default() })
        .rounds("Event 1", "Old Name vs. A One", [(10, 20), (5, 9)])
        // Neither is named as in the index: only what bout 1 gave away ties these.
        .rounds("Event 2", "Old Name vs. Older Name", [(7, 8), (1, 2)]);
    let seen = see(&[capture]);
    assert_eq!(seen.set_aside(), "");
    let rounds = seen.table("round_stats");
    let mut rules = rounds.texts("resolved_by").unwrap();
    rules.sort_unstable();
    assert_eq!(rules, ["opponent"; 4]);
    let rows: Vec<_> =
        rounds.ids("fighter_id").unwrap().into_iter().zip(rounds.int32s("sig_landed").unwrap()).collect();
    assert!(rows.contains(&(fighter(3), Some(7))) && rows.contains(&(fighter(4), Some(1))));
}

#[test]
fn two_renames_of_one_night_that_could_be_either_are_set_aside() {
    let capture = start()
        .fighter(3, "New Name", "155", "")
        .fighter(4, "Newer Name", "155", "")
        .bout(BoutRow { id: 1, bout: "New Name vs. A One", ..BoutRow::default() })
        .bout(BoutRow { id: 2, bout: "Newer Name vs. A One", ..BoutRow::default() })
        .rounds("Event 1", "Old Name vs. A One", [(10, 20), (5, 9)]);
    let seen = see(&[capture]);
    assert_eq!(seen.table("round_stats").rows(), 0);
    assert_eq!(seen.set_aside().matches("unknown_bout").count(), 2);
}

#[test]
fn a_pair_that_meets_twice_on_one_night_has_each_bouts_own_rounds() {
    let capture = start()
        .bout(BoutRow { id: 1, time: "3:44", ..BoutRow::default() })
        .bout(BoutRow { id: 2, outcome: "NC/NC", method: "Overturned", time: "1:51", ..BoutRow::default() })
        .rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)])
        .rounds("Event 1", "A One vs. B Two", [(5, 6), (7, 8)]);
    let seen = see(&[capture]);
    let rounds = seen.table("round_stats");
    let rows: Vec<_> =
        rounds.ids("bout_id").unwrap().into_iter().zip(rounds.int32s("sig_landed").unwrap()).collect();
    for (bout, landed) in [(1, 1), (1, 3), (2, 5), (2, 7)] {
        assert!(rows.contains(&(bout_id(bout), Some(landed))), "{bout} {landed}: {rows:?}");
    }
}

#[test]
fn statistics_that_contradict_themselves_go_whole_and_the_bout_stays() {
    let broken = "Event 1,A One vs. B Two,Round 1,A One,0.0,9 of 10,--,9 of 10,0 of 0,---,0.0,0.0,0:00,8 of 10,0 of 0,0 of 0,9 of 10,0 of 0,0 of 0";
    let capture = start().bout(BoutRow::default()).raw_round(broken).round(
        "Event 1",
        "A One vs. B Two",
        1,
        "B Two",
        (1, 2),
        "0:00",
    );
    let seen = see(&[capture]);
    assert_eq!((seen.table("bouts").rows(), seen.table("round_stats").rows()), (1, 0));
    insta::assert_snapshot!(seen.set_aside(), @r"
    ufc_fight_stats.csv:2 contradiction: line 2: targets sum to 8, sig_landed is 9
    ufc_fight_stats.csv:3 contradiction: line 2: targets sum to 8, sig_landed is 9
    ");
}

#[test]
fn a_missing_round_a_round_too_many_and_too_much_control_are_refused() {
    let long = || start().bout(BoutRow { round: 2, ..BoutRow::default() });
    let one = long().rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)]);
    assert!(
        see(&[one]).set_aside().contains("incomplete_rounds: round 2 of 2 is not there for both fighters")
    );
    let short = || start().bout(BoutRow::default()).rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)]);
    let many = short().round("Event 1", "A One vs. B Two", 2, "A One", (0, 0), "--").round(
        "Event 1",
        "A One vs. B Two",
        2,
        "B Two",
        (0, 0),
        "--",
    );
    assert!(see(&[many]).set_aside().contains("round 2 of a bout that ended in 1"));
    let held = start()
        .bout(BoutRow::default())
        .round("Event 1", "A One vs. B Two", 1, "A One", (1, 2), "1:30")
        .round("Event 1", "A One vs. B Two", 1, "B Two", (1, 2), "0:31");
    assert!(see(&[held]).set_aside().contains("121 s of control in 120 s of fight"));
}

#[test]
fn a_clock_outside_the_format_an_unknown_event_and_an_unknown_method_are_refused() {
    for (row, expected) in [
        (BoutRow { time: "5:01", ..BoutRow::default() }, "round 1 at 301 s is not within 3 Rnd (5-5-5)"),
        (BoutRow { event: "Nowhere", ..BoutRow::default() }, "no event is named `Nowhere`"),
        (BoutRow { method: "Magic", ..BoutRow::default() }, "`METHOD` is `Magic`"),
    ] {
        let seen = see(&[start().bout(row)]);
        assert_eq!(seen.table("bouts").rows(), 0);
        assert!(seen.set_aside().contains(expected), "{}", seen.set_aside());
    }
}

#[test]
fn points_land_on_the_loser_first_and_stay_open_where_nobody_lost() {
    let details = "Point Deducted: Low Blow by TwoJudge Una 27 - 30.Judge Dua 28 - 29.Judge Una 28 - 29.";
    let decision =
        BoutRow { method: "Decision - Unanimous", round: 3, time: "5:00", details, ..BoutRow::default() };
    let drawn = BoutRow {
        id: 2,
        outcome: "D/D",
        method: "Decision - Majority",
        details: "Judge Una 28 - 29.Judge Dua 28 - 28.Judge Tri 28 - 28.",
        ..decision
    };
    let seen = see(&[start().bout(decision).bout(drawn)]);
    let cards = seen.table("scorecards");
    let winner_is_a = fighter(1) < fighter(2);
    let columns = ["score_a", "score_b"].map(|c| cards.int32s(c).unwrap());
    let of = |bout: u64| -> Vec<[Option<i32>; 2]> {
        let ids = cards.ids("bout_id").unwrap();
        (0..cards.rows())
            .filter(|i| ids[*i] == bout_id(bout))
            .map(|i| [columns[0][i], columns[1][i]])
            .collect()
    };
    let won = |won, lost| if winner_is_a { [Some(won), Some(lost)] } else { [Some(lost), Some(won)] };
    assert_eq!(of(1), [won(30, 27), won(29, 28), won(29, 28)]);
    assert_eq!(of(2), [[None; 2], [Some(28); 2], [Some(28); 2]]);
    let results = seen.table("results");
    let place = results.ids("bout_id").unwrap().iter().position(|id| *id == bout_id(1)).unwrap();
    assert_eq!(seen.text("results", "method_detail", place), Some("Point Deducted: Low Blow by Two"));
}

#[test]
fn a_win_overturned_later_has_no_winner_and_a_correction() {
    let before = start().bout(BoutRow::default()).rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)]);
    let after = start()
        .bout(BoutRow { outcome: "NC/NC", method: "Overturned", ..BoutRow::default() })
        .rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)]);
    let seen = see(&[before, after]);
    assert_eq!(
        (seen.text("results", "outcome", 0), seen.text("results", "winner_id", 0)),
        (Some("no_contest"), None)
    );
    let winner = fighter(1);
    assert_eq!(
        seen.corrections(),
        [
            "result method changed: ko_tko -> overturned".to_owned(),
            "result outcome changed: win -> no_contest".to_owned(),
            format!("result winner_id changed: {winner} -> null"),
        ]
    );
}

#[test]
fn what_a_later_capture_no_longer_gives_stays_and_is_marked_once() {
    let with =
        |reach: &str| CaptureFiles::default().index_row(1, "A One").tape_row(1, "A One", "155", reach, "");
    let seen = see(&[with("72\""), with("--"), with("--")]);
    assert_eq!(seen.table("fighters").int32s("reach_in").unwrap(), [Some(72)]);
    assert_eq!(seen.corrections(), ["fighter reach_in withdrawn: 72 -> null"]);
    assert_eq!(seen.text("fighters", "last_capture", 0), None);
}

#[test]
fn a_fighter_who_is_gone_from_the_source_stays_with_the_capture_that_last_had_him() {
    let seen = see(&[start(), start(), CaptureFiles::default().fighter(1, "A One", "155", "1990-01-01")]);
    let ids = seen.table("fighters").ids("fighter_id").unwrap();
    let place = |id| ids.iter().position(|i| *i == id).unwrap();
    assert_eq!(seen.text("fighters", "last_capture", place(fighter(1))), None);
    assert_eq!(seen.text("fighters", "last_capture", place(fighter(2))), Some("capture-1"));
    assert_eq!(seen.text("events", "last_capture", 0), Some("capture-1"));
}

#[test]
fn statistics_that_come_later_are_filled_in() {
    let empty = "Event 1,A One vs. B Two,,,,,,,,,,,,,,,,,";
    let before = start().bout(BoutRow::default()).raw_round(empty).raw_round(empty);
    let after = start().bout(BoutRow::default()).rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)]);
    let alone = see(std::slice::from_ref(&before));
    assert_eq!(alone.table("round_stats").rows(), 0);
    assert_eq!(alone.set_aside().matches("no_statistics").count(), 2);
    assert_eq!(see(&[before, after]).table("round_stats").rows(), 2);
}

#[test]
fn rounds_and_cards_of_an_older_capture_that_the_new_result_contradicts_are_taken_out() {
    let cards = "Una 27 - 30.Dua 28 - 29.Tri 28 - 29.";
    let decision = BoutRow {
        method: "Decision - Unanimous",
        round: 2,
        time: "5:00",
        details: cards,
        ..BoutRow::default()
    };
    let before = start()
        .bout(decision)
        .rounds("Event 1", "A One vs. B Two", [(10, 20), (5, 9)])
        .round("Event 1", "A One vs. B Two", 2, "A One", (1, 2), "0:10")
        .round("Event 1", "A One vs. B Two", 2, "B Two", (1, 2), "0:10");
    let after = start().bout(BoutRow { time: "0:30", ..BoutRow::default() });
    let seen = see(&[before.clone(), after]);
    assert_eq!((seen.table("round_stats").rows(), seen.table("scorecards").rows()), (0, 0));
    let rows = seen.corrections().iter().filter(|c| c.ends_with("row withdrawn: present -> null")).count();
    assert_eq!(rows, 4 + 3);
    assert!(seen.set_aside().contains("of a bout that a newer capture ends in 1"), "{}", seen.set_aside());
    // A restated clock leaves the rounds, timed anew.
    let restated = start().bout(BoutRow { time: "4:59", ..decision });
    let seen = see(&[before, restated]);
    let rounds = seen.table("round_stats");
    let secs: Vec<_> =
        rounds.int32s("round").unwrap().into_iter().zip(rounds.int32s("round_secs").unwrap()).collect();
    assert_eq!(
        secs,
        [(Some(1), Some(300)), (Some(1), Some(300)), (Some(2), Some(299)), (Some(2), Some(299))]
    );
}

#[test]
fn a_card_restated_later_is_one_whole_and_not_parts_of_two() {
    let drawn = |details| {
        start().bout(BoutRow {
            outcome: "D/D",
            method: "Decision - Split",
            round: 3,
            time: "5:00",
            details,
            ..BoutRow::default()
        })
    };
    let seen = see(&[drawn("Ron Judge 28 - 29.Sal Judge 29 - 28."), drawn("29 - 29.28 - 28.")]);
    let cards = seen.table("scorecards");
    assert_eq!(cards.strings("judge").unwrap(), [None, None]);
    assert_eq!(cards.int32s("score_a").unwrap(), [Some(29), Some(28)]);
}

#[test]
fn two_events_of_one_name_take_no_bouts() {
    let capture = start().event(2, "Event 1", "2001-01-01").bout(BoutRow::default()).rounds(
        "Event 1",
        "A One vs. B Two",
        [(1, 2), (3, 4)],
    );
    let seen = see(&[capture]);
    assert_eq!(
        (seen.table("events").rows(), seen.table("bouts").rows(), seen.table("round_stats").rows()),
        (2, 0, 0)
    );
    assert!(seen.set_aside().contains("2 events are named `Event 1`"), "{}", seen.set_aside());
}

#[test]
fn rows_of_one_bout_under_two_spellings_are_set_aside_and_none_overwrites_another() {
    let capture = start()
        .bout(BoutRow::default())
        .rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)])
        .rounds("Event 1", "A ONE vs. B TWO", [(5, 6), (7, 8)]);
    let seen = see(&[capture]);
    assert_eq!(seen.table("round_stats").rows(), 0);
    assert_eq!(seen.set_aside().matches("duplicate").count(), 4);
    assert!(seen.corrections().is_empty());
}

#[test]
fn one_set_of_rows_for_two_bouts_of_a_pair_is_set_aside() {
    let capture = start()
        .bout(BoutRow { id: 1, time: "3:44", ..BoutRow::default() })
        .bout(BoutRow { id: 2, time: "1:51", ..BoutRow::default() })
        .rounds("Event 1", "A One vs. B Two", [(1, 2), (3, 4)]);
    let seen = see(&[capture]);
    assert_eq!(seen.table("round_stats").rows(), 0);
    assert_eq!(seen.set_aside().matches("not as many sets of rows").count(), 2);
}

#[test]
fn a_value_that_went_and_came_back_other_was_last_seen_before_it_went() {
    let with =
        |reach: &str| CaptureFiles::default().index_row(1, "A One").tape_row(1, "A One", "155", reach, "");
    let seen = see(&[with("72\""), with("--"), with("74\"")]);
    let corrections = seen.table("corrections");
    let last: Vec<i64> = corrections
        .instants("old_last_seen_at")
        .unwrap()
        .into_iter()
        .flatten()
        .map(|t| t.timestamp() / 86_400)
        .collect();
    assert_eq!(last, [20_000, 20_000]);
    assert_eq!(
        seen.corrections(),
        ["fighter reach_in withdrawn: 72 -> null", "fighter reach_in changed: 72 -> 74"]
    );
}

#[test]
fn a_refused_row_keeps_its_place_on_the_card_and_one_behind_it_leaves_the_places_open() {
    let bout = |id, time| BoutRow { id, time, ..BoutRow::default() };
    let fight = |id: u64, time| (id, bout(id, time));
    let orders = |rows: [(u64, BoutRow<'_>); 3]| {
        let capture = rows.iter().fold(start(), |capture, (_, row)| capture.bout(*row));
        let seen = see(&[capture]);
        let reader = seen.table("bouts");
        let ids = reader.ids("bout_id").unwrap();
        let orders = reader.int32s("bout_order").unwrap();
        rows.map(|(id, _)| ids.iter().position(|i| *i == bout_id(id)).map(|place| orders[place]))
    };
    assert_eq!(
        orders([fight(1, "1:00"), fight(2, "x:00"), fight(3, "1:00")]),
        [Some(Some(3)), None, Some(Some(1))]
    );
    assert_eq!(
        orders([fight(1, "1:00"), fight(2, "1:00"), fight(3, "x:00")]),
        [Some(None), Some(None), None]
    );
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
        let normalised = facts_of(0, files).ok().and_then(|facts| normalise(vec![facts]).ok());
        if let Some(normalised) = normalised {
            prop_assert!(normalised.counts.iter().all(|c| c.rows_in == c.rows_out + c.set_aside));
        }
    }
}
