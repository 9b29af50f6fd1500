//! All lines of the source's files at once.

use super::*;

/// `wc -l` less the header, and `grep -c` of the four outcomes in `ufc_fight_results.csv`: 5,348 `W/L`, 2,931
/// `L/W`, 60 `D/D`, 89 `NC/NC`; 11,673 points of the form `n - m.` on its lines.
#[test]
fn every_line_of_events_results_and_points_has_its_row() {
    let Some(history) = history() else { return };
    let rows = |table: &str| history.tables[table].num_rows();
    assert_eq!(["events", "bouts", "results", "scorecards"].map(rows), [752, 8_428, 8_428, 11_673]);
    assert_eq!(rows("fighters"), 4_447);
    assert_eq!(rows("corrections"), 0);
    let outcomes = |outcome: &str| history.bouts.values().filter(|b| b.result.outcome == outcome).count();
    assert_eq!(["win", "draw", "no_contest"].map(outcomes), [5_348 + 2_931, 60, 89]);
}

/// Who won is compared by name for every line, in whichever order it lists the two.
#[test]
fn the_winner_of_every_line_is_the_winner_here() {
    let Some(history) = history() else { return };
    let index = csv(&history.capture.join("ufc_fighter_tott.csv"));
    let names: HashMap<&str, &str> = index.iter().map(|row| (id_of(&row[6]), row[0].trim())).collect();
    let mut wrong = Vec::new();
    for row in csv(&history.capture.join("ufc_fight_results.csv")) {
        let bout = &history.bouts[id_of(&row[10])];
        let (first, second) = row[1].split_once(" vs. ").expect("two names");
        let winner = match row[2].as_str() {
            "W/L" => Some(first.trim()),
            "L/W" => Some(second.trim()),
            _ => None,
        };
        let folded = |name: &str| name.trim_end_matches(" Jr.").to_lowercase().replace([' ', '-'], "");
        let ours = bout.result.winner.map(|id| [history.name(id), names[history.source_id(id)]].map(folded));
        let is_same = match (winner, &ours) {
            (Some(winner), Some(ours)) => ours.contains(&folded(winner)),
            (None, None) => true,
            _ => false,
        };
        if !is_same {
            wrong.push(format!("{} {}: {ours:?}", row[1], row[2]));
        }
    }
    fail_with(&wrong);
}

/// The rest of every line of `ufc_fight_results.csv`, as written there.
#[test]
fn every_line_ends_where_and_how_the_file_says() {
    let Some(history) = history() else { return };
    let methods = HashMap::from([
        ("KO/TKO", "ko_tko"),
        ("TKO - Doctor's Stoppage", "doctor_stoppage"),
        ("Submission", "submission"),
        ("Decision - Unanimous", "decision_unanimous"),
        ("Decision - Split", "decision_split"),
        ("Decision - Majority", "decision_majority"),
        ("DQ", "disqualification"),
        ("Could Not Continue", "could_not_continue"),
        ("Overturned", "overturned"),
        ("Other", "other"),
    ]);
    let mut wrong = Vec::new();
    for row in csv(&history.capture.join("ufc_fight_results.csv")) {
        let bout = &history.bouts[id_of(&row[10])];
        let (minutes, secs) = row[6].split_once(':').expect("a clock");
        let clock: i32 =
            minutes.parse::<i32>().expect("minutes") * 60 + secs.parse::<i32>().expect("seconds");
        let name = event_name(&row[0]);
        let theirs = [&name, row[3].trim(), methods[row[4].trim()], &row[5], row[7].trim(), row[8].trim()];
        let (end, event) = (&bout.result, history.events[&bout.event].as_str());
        let referee = end.referee.as_deref().unwrap_or_default();
        let ours = [event, &bout.class_raw, &end.method, &end.round.to_string(), &end.format, referee];
        if ours != theirs || end.clock != clock {
            wrong.push(format!("{}: {ours:?} at {} s", row.join(","), end.clock));
        }
    }
    fail_with(&wrong);
}

/// Label and points of each card of a details text: `Mike Bell 48 - 47.`.
fn cards_of(details: &str) -> Vec<(&str, i32, i32)> {
    let is_points = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let card = |text| -> Option<(&str, i32, i32)> {
        let (head, second): (&str, &str) = str::rsplit_once(text, " - ")?;
        let label = head.trim_end_matches(|c: char| c.is_ascii_digit());
        let first = &head[label.len()..];
        let points = |text: &str| text.parse().expect("points");
        (is_points(first) && is_points(second)).then(|| (label.trim(), points(first), points(second)))
    };
    // The full stop of `Jr.` ends no card: what lies between two cards is put before the second.
    let mut start = 0;
    let mut cards = Vec::new();
    for (stop, _) in details.match_indices('.') {
        if let Some(card) = card(&details[start..stop]) {
            cards.push(card);
            start = stop + 1;
        }
    }
    cards
}

/// The source writes the loser's points first, but for one bout, `ufc_fight_results.csv:5724`, where this
/// would give the winner one card of three. A judge other than the first is written alone.
#[test]
fn the_points_of_every_line_are_on_the_right_side() {
    let Some(history) = history() else { return };
    let (mut seen, mut wrong) = (0, Vec::new());
    for row in csv(&history.capture.join("ufc_fight_results.csv")) {
        let bout = &history.bouts[id_of(&row[10])];
        let winner = bout.result.winner.filter(|_| id_of(&row[10]) != "7d947be4c15ebe36");
        let theirs = cards_of(&row[9]);
        seen += theirs.len();
        let scores = theirs.iter().map(|(_, first, second)| match winner {
            Some(winner) if winner == bout.a => [Some(*second), Some(*first)],
            Some(_) => [Some(*first), Some(*second)],
            None if first == second => [Some(*first); 2],
            None => [None; 2],
        });
        let ours: Vec<[Option<i32>; 2]> =
            bout.cards.iter().map(|card| [card.score_a, card.score_b]).collect();
        let judges = theirs
            .iter()
            .zip(&bout.cards)
            .skip(1)
            .all(|((label, _, _), card)| same_name(card.judge.as_deref().unwrap_or_default(), label));
        let raw = theirs.iter().zip(&bout.cards).all(|((_, x, y), card)| card.raw == format!("{x} - {y}"));
        if scores.collect::<Vec<_>>() != ours || !judges || !raw {
            wrong.push(format!("{}: {ours:?}", row.join(",")));
        }
    }
    assert_eq!(seen, 11_673);
    fail_with(&wrong);
}

/// Spaces aside: the file glues `MichaelTate`.
fn same_name(ours: &str, theirs: &str) -> bool {
    ours.split_whitespace().collect::<String>() == theirs.split_whitespace().collect::<String>()
}

/// The id at the end of an address.
fn id_of(address: &str) -> &str {
    address.rsplit('/').next().unwrap_or_default()
}

/// As the tables write it: the file has `vs` beside `vs.`.
fn event_name(written: &str) -> String {
    written.trim().replace(" vs ", " vs. ")
}

/// Event, round, control time and counts of a line; `None` for one that is empty behind the names.
fn line_of_statistics(row: &[String]) -> Option<Row> {
    let round = row[2].strip_prefix("Round ")?.parse().expect("a round");
    let count = |text: &str| -> i32 { text.strip_suffix(".0").unwrap_or(text).parse().expect("a count") };
    let pair = |text: &String| -> [i32; 2] {
        let (landed, attempted) = text.split_once(" of ").expect("a pair");
        [count(landed), count(attempted)]
    };
    let control = row[12].split_once(':').map(|(minutes, secs)| count(minutes) * 60 + count(secs));
    let [sig, total, td] = [5, 7, 8].map(|column| pair(&row[column]));
    let mut counts = vec![count(&row[4])];
    counts.extend([sig, total, td].concat());
    counts.extend([count(&row[10]), count(&row[11])]);
    counts.extend(row[13..19].iter().flat_map(pair));
    Some((event_name(&row[0]), round, control, counts.try_into().expect("21 counts")))
}

/// Compared as a multiset: the names of fighters in this file may be older than in the others.
#[test]
fn every_round_row_of_the_file_is_published_or_set_aside() {
    let Some(history) = history() else { return };
    let file = csv(&history.capture.join("ufc_fight_stats.csv"));
    let of_file: Vec<Row> = file.iter().filter_map(|row| line_of_statistics(row)).collect();
    assert_eq!(of_file.len(), 39_448);
    assert_eq!(file.len() - of_file.len(), 42, "two empty lines for each of 21 bouts");
    assert_eq!(of_file.iter().filter(|row| row.2.is_none()).count(), 2_620, "control time is `--`");
    let mut left: BTreeMap<Row, i64> = BTreeMap::new();
    of_file.into_iter().for_each(|row| *left.entry(row).or_default() += 1);
    for (_, bout, round) in rounds(history) {
        let row = (history.events[&bout.event].clone(), round.round, round.control, round.counts);
        *left.entry(row).or_default() -= 1;
    }
    left.retain(|_, n| *n != 0);
    assert!(
        left.values().all(|n| *n > 0),
        "rows that the file does not have: {:?}",
        left.iter().find(|(_, n)| **n < 0)
    );
    let quarantine = history.reader("quarantine");
    let (files, severities) = (quarantine.texts("file").unwrap(), quarantine.texts("severity").unwrap());
    let set_aside =
        |(file, severity): &(&&str, &&str)| **file == "ufc_fight_stats.csv" && **severity != "note";
    let set_aside = files.iter().zip(&severities).filter(set_aside).count();
    assert_eq!(
        left.values().sum::<i64>(),
        i64::try_from(set_aside).unwrap(),
        "neither published nor set aside: {left:?}"
    );
    assert_eq!(set_aside, 0, "no row of this capture contradicts itself or is of no bout");
}

/// 21 bouts of the nineties have two empty lines each, and three events have none at all: UFC 294, UFC 308
/// and Holloway vs. The Korean Zombie, 13 bouts each.
#[test]
fn the_bouts_without_statistics_are_those_of_which_the_file_has_none() {
    let Some(history) = history() else { return };
    let mut found: BTreeMap<bool, usize> = BTreeMap::new();
    let without = history.bouts.values().filter(|bout| bout.rounds.is_empty());
    without.for_each(|bout| *found.entry(bout.date < day("2000-01-01")).or_default() += 1);
    assert_eq!(found, BTreeMap::from([(true, 21), (false, 39)]));
    let late = history.bouts.values().filter(|bout| bout.date > day("2024-12-14"));
    assert!(late.into_iter().all(|bout| bout.rounds.iter().all(|r| r.control.is_none())));
}
