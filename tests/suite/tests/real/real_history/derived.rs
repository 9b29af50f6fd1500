//! Metrics of a fighter's versions, computed by hand from the lines of his bouts.

use super::*;

/// One fighter's expected metric at one version.
struct Metric {
    version: i32,
    metric: &'static str,
    bouts: i32,
    rounds: i32,
    numerator: i64,
    denominator: i64,
    /// Of numerator and denominator; `None` without a denominator.
    raw: Option<f64>,
}

const fn metric(
    (version, metric): (i32, &'static str),
    (bouts, rounds): (i32, i32),
    (numerator, denominator): (i64, i64),
    raw: Option<f64>,
) -> Metric {
    Metric { version, metric, bouts, rounds, numerator, denominator, raw }
}

const SIG: &str = "sig_landed_per_min";

const TD: &str = "td_accuracy";

const NEUTRAL: &str = "td_attempted_per_neutral_15";

fn check_versions(source_id: &str, valid_from: &[&str], expected: &[Metric]) {
    let Some(history) = history() else { return };
    let t = history.reader("dna_versions");
    let (fighters, versions) = (t.ids("fighter_id").unwrap(), t.int32s("version").unwrap());
    let days = t.dates("valid_from").unwrap();
    let fighter = history.fighter(source_id);
    let rows: Vec<usize> = (0..fighters.len()).filter(|i| fighters[*i] == fighter).collect();
    let found: Vec<Option<NaiveDate>> = rows.iter().map(|i| days[*i]).collect();
    assert_eq!(found, valid_from.iter().map(|text| Some(day(text))).collect::<Vec<_>>());
    for want in expected {
        let row = *rows.iter().find(|i| versions[**i] == Some(want.version)).expect("the version");
        let column = |suffix: &str| format!("{}__{suffix}", want.metric);
        let int64 = |suffix| t.int64s(&column(suffix)).unwrap()[row];
        let int32 = |suffix| t.int32s(&column(suffix)).unwrap()[row];
        let what = format!("{} of version {}", want.metric, want.version);
        assert_eq!((int32("bouts"), int32("rounds")), (Some(want.bouts), Some(want.rounds)), "{what}");
        let sums = (int64("numerator"), int64("denominator"));
        assert_eq!(sums, (Some(want.numerator), Some(want.denominator)), "{what}");
        match (t.floats(&column("raw_value")).unwrap()[row], want.raw) {
            (Some(found), Some(raw)) => assert!((found - raw).abs() < 1e-9, "{what}: {found}, not {raw}"),
            (found, raw) => assert_eq!(found, raw, "{what}"),
        }
    }
}

/// Mike Jackson, `ufc_fighter_tott.csv:1818`, all of `ufc_fight_results.csv` and `ufc_fight_stats.csv`:
/// 2016-02-06 results:4869 45 s, stats:23691 3 significant strikes, 0 of 0 takedowns; 2018-06-09
/// results:3764 overturned to no contest, 900 s, stats:18315-18317 18 + 24 + 22, 0/0 + 1/1 + 0/0; 2022-04-23
/// results:1855 232 s, stats:8899 18, 0/1; 2022-10-15 results:1601 93 s, stats:7682 10, 0/1.
#[test]
fn a_no_contest_counts_for_rates_and_no_attempts_make_no_share() {
    let days = ["2016-02-07", "2018-06-10", "2022-04-24", "2022-10-16"];
    check_versions(
        "0641c21bec209472",
        &days,
        &[
            metric((1, SIG), (1, 1), (3, 45), Some(3.0 / 0.75)),
            metric((1, TD), (1, 1), (0, 0), None),
            metric((2, SIG), (2, 4), (67, 945), Some(67.0 / 15.75)),
            metric((2, TD), (2, 4), (1, 1), Some(1.0)),
            metric((3, SIG), (3, 5), (85, 1177), Some(85.0 * 60.0 / 1177.0)),
            metric((3, TD), (3, 5), (1, 2), Some(0.5)),
            metric((4, SIG), (4, 6), (95, 1270), Some(95.0 * 60.0 / 1270.0)),
            metric((4, TD), (4, 6), (1, 3), Some(1.0 / 3.0)),
        ],
    );
}

/// Viktoriia Dudakova, `ufc_fighter_tott.csv:1027`: 2023-07-15 results:1207 34 s, stats:5770 3 significant
/// strikes, takedowns 1/1, control 6 and 0 s (5771); 2023-10-21 results:1056 has no rows of statistics;
/// 2024-08-03 results:659 900 s, stats:3188-3190 25 + 25 + 11, 1/3 + 1/5 + 1/2, control 84 + 83 + 111 and
/// 33 + 31 + 70 s (3191-3193); 2025-01-11 results:454 567 s, stats:56-57 1 + 0, 2/4 + 0/2, control unknown.
#[test]
fn a_bout_without_statistics_or_control_time_is_left_out_of_what_needs_them() {
    let days = ["2023-07-16", "2024-08-04", "2025-01-12"];
    check_versions(
        "6c9b66b43663f2f7",
        &days,
        &[
            metric((1, SIG), (1, 1), (3, 34), Some(3.0 * 60.0 / 34.0)),
            metric((1, TD), (1, 1), (1, 1), Some(1.0)),
            metric((1, NEUTRAL), (1, 1), (1, 28), Some(900.0 / 28.0)),
            metric((2, SIG), (2, 4), (64, 934), Some(64.0 * 60.0 / 934.0)),
            metric((2, TD), (2, 4), (4, 11), Some(4.0 / 11.0)),
            // 934 s less 6 + 278 and 0 + 134 s of control.
            metric((2, NEUTRAL), (2, 4), (11, 516), Some(11.0 * 900.0 / 516.0)),
            metric((3, SIG), (3, 6), (65, 1501), Some(65.0 * 60.0 / 1501.0)),
            metric((3, TD), (3, 6), (6, 17), Some(6.0 / 17.0)),
            metric((3, NEUTRAL), (2, 4), (11, 516), Some(11.0 * 900.0 / 516.0)),
        ],
    );
}

/// Tra Telligman, `ufc_fighter_tott.csv:3980`: bouts of 1997 and 1999 at results:8310, 8281 and 8230, then
/// 2003-06-06 results:8053 564 s, stats:38246-38247 27 + 7 significant strikes, and 2005-08-20 results:7941
/// 299 s, stats:37831 13; no takedown attempts in either.
#[test]
fn bouts_before_the_first_day_of_the_definition_do_not_count() {
    check_versions(
        "1dab0d1d81dd06db",
        &["2003-06-07", "2005-08-21"],
        &[
            metric((1, SIG), (1, 2), (34, 564), Some(34.0 * 60.0 / 564.0)),
            metric((1, TD), (1, 2), (0, 0), None),
            metric((2, SIG), (2, 3), (47, 863), Some(47.0 * 60.0 / 863.0)),
            metric((2, TD), (2, 3), (0, 0), None),
        ],
    );
}
