//! Versions from the outside: facts as text in, numbers out.

use std::fmt::Write as _;

use arrow::array::RecordBatch;
use chrono::{Days, NaiveDate};
use expect_test::{Expect, expect};
use fdna_derive::{DerivedTables, DnaVersion, MetricState, to_tables};
use fdna_kit::{facts, fighter, league, rows_until};
use fdna_model::{Facts, FactsAsOf};
use fdna_schemas::MetricDefinitions;
use proptest::prelude::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn derive(facts: &Facts, as_of: NaiveDate) -> DerivedTables {
    fdna_derive::derive_tables(FactsAsOf::cut_at(facts, as_of), MetricDefinitions::get()).unwrap()
}

fn place(metric: &str) -> usize {
    MetricDefinitions::get().metrics.iter().position(|m| m.name == metric).unwrap()
}

/// Every version with its state of a metric.
fn states(derived: &DerivedTables, metric: usize) -> impl Iterator<Item = (&DnaVersion, &MetricState)> {
    derived.versions.iter().zip(&derived.metrics[metric].states)
}

/// One line per fighter named in `expected` order A, B, C …: his newest version's sums and values.
fn check_metric(metric: &str, as_of: &str, script: &str, expected: &Expect) {
    let derived = derive(&facts(script), day(as_of));
    let mut seen = String::new();
    for name in ["A", "B", "C"] {
        let newest = states(&derived, place(metric)).filter(|(v, _)| v.fighter == fighter(name)).last();
        let Some((version, m)) = newest else { continue };
        let (numerator, denominator) = m.sums.unwrap();
        let raw = m.raw_value.map_or("null".to_owned(), |raw| format!("{raw:.4}"));
        let _ = writeln!(
            seen,
            "{name} v{} from {} raw {raw} = {numerator}/{denominator} in {} bouts of {}: {}",
            version.version,
            version.valid_from,
            m.observations,
            version.eligible_bouts,
            m.status.name()
        );
    }
    expected.assert_eq(&seen);
}

#[test]
fn a_bout_on_the_cut_day_is_the_future() {
    check_metric(
        "sig_landed_per_min",
        "2020-06-01",
        "
        2020-01-10  A beats B   900s  A 60/120  B 30/90
        2020-06-01  A beats C   900s  A 90/100  C  1/50
    ",
        &expect![[r#"
        A v1 from 2020-01-11 raw 4.0000 = 60/900 in 1 bouts of 1: insufficient_sample
        B v1 from 2020-01-11 raw 2.0000 = 30/900 in 1 bouts of 1: insufficient_sample
    "#]],
    );
}

#[test]
fn two_bouts_on_one_night_make_one_version() {
    check_metric(
        "sig_accuracy",
        "2021-01-01",
        "
        2020-01-10  A beats B   900s  A 60/120  B 30/90
        2020-01-10  A beats C   300s  A 20/40  C 5/10
    ",
        &expect![[r#"
        A v1 from 2020-01-11 raw 0.5000 = 80/160 in 2 bouts of 2: insufficient_sample
        B v1 from 2020-01-11 raw 0.3333 = 30/90 in 1 bouts of 1: insufficient_sample
        C v1 from 2020-01-11 raw 0.5000 = 5/10 in 1 bouts of 1: insufficient_sample
    "#]],
    );
}

#[test]
fn a_denominator_of_zero_has_no_value() {
    check_metric(
        "td_accuracy",
        "2021-01-01",
        "
        2020-01-10  A beats B   900s  A 60/120  B 30/90 td 0/3
    ",
        &expect![[r#"
        A v1 from 2020-01-11 raw null = 0/0 in 1 bouts of 1: not_applicable
        B v1 from 2020-01-11 raw 0.0000 = 0/3 in 1 bouts of 1: insufficient_sample
    "#]],
    );
}

#[test]
fn control_that_was_not_recorded_is_no_zero() {
    check_metric(
        "td_attempted_per_neutral_15",
        "2021-01-01",
        "
        2020-01-10  A beats B   900s  A 60/120 td 1/2 ctrl 100  B 30/90
        2020-02-10  A beats C   900s  A 60/120 td 1/3 ctrl 100  C 30/90 ctrl 0
    ",
        &expect![[r#"
        A v2 from 2020-02-11 raw 3.3750 = 3/800 in 1 bouts of 2: insufficient_sample
        B v1 from 2020-01-11 raw null = 0/0 in 0 bouts of 1: not_recorded
        C v1 from 2020-02-11 raw 0.0000 = 0/800 in 1 bouts of 1: insufficient_sample
    "#]],
    );
}

#[test]
fn bouts_without_statistics_or_before_the_first_eligible_day_make_no_version() {
    check_metric(
        "sig_landed_per_min",
        "2021-01-01",
        "
        2000-11-16  A beats B   900s  A 60/120  B 30/90
        2020-01-10  A beats B   900s
        2000-11-17  B draws C   900s  B 45/120  C 30/90
    ",
        &expect![[r#"
        B v1 from 2000-11-18 raw 3.0000 = 45/900 in 1 bouts of 1: insufficient_sample
        C v1 from 2000-11-18 raw 2.0000 = 30/900 in 1 bouts of 1: insufficient_sample
    "#]],
    );
}

#[test]
fn no_contests_and_draws_count_for_rates() {
    check_metric(
        "sig_landed_per_min",
        "2021-01-01",
        "
        2020-01-10  A nc B      900s  A 60/120  B 30/90
        2020-02-10  A draws B   900s  A 30/120  B 30/90
    ",
        &expect![[r#"
        A v2 from 2020-02-11 raw 3.0000 = 90/1800 in 2 bouts of 2: insufficient_sample
        B v2 from 2020-02-11 raw 2.0000 = 60/1800 in 2 bouts of 2: insufficient_sample
    "#]],
    );
}

/// Textbook form of the estimator, bout by bout, without prefix sums: the oracle.
fn oracle_value(
    facts: &Facts,
    version: &DnaVersion,
    landed: fn(&fdna_model::RoundCounts) -> i32,
    k_bouts: f64,
) -> (f64, f64) {
    let t = version.valid_from;
    let begin = t - chrono::Months::new(60);
    let (mut y, mut d) = (0.0, 0.0);
    let (mut n, mut all_y, mut all_d, mut class_y, mut class_d) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for bout in facts.bouts().iter().filter(|b| b.is_eligible() && b.date < t) {
        let minutes = f64::from(bout.total_secs.unwrap()) / 60.0;
        for side in 0..2 {
            let strikes: i32 = bout.rounds.iter().map(|r| landed(&r.counts[side])).sum();
            if bout.fighters[side] == version.fighter {
                y += f64::from(strikes);
                d += minutes;
            }
            if bout.date >= begin {
                n += 1.0;
                all_y += f64::from(strikes);
                all_d += minutes;
                if bout.class == version.class {
                    class_y += f64::from(strikes);
                    class_d += minutes;
                }
            }
        }
    }
    let e = all_d / n;
    let m = (class_y + 40.0 * e * (all_y / all_d)) / (class_d + 40.0 * e);
    ((y + k_bouts * e * m) / (d + k_bouts * e), d / (d + k_bouts * e))
}

#[test]
fn values_follow_the_textbook_form_of_the_estimator() {
    let league = league(7, 24, 700);
    let metric = place("sig_landed_per_min");
    let k = MetricDefinitions::get().metrics[metric].prior_observations.unwrap();
    let derived = derive(&league, day("2030-01-01"));
    let mut compared = 0;
    for (version, state) in states(&derived, metric) {
        let Some(value) = state.value else { continue };
        let (expected, weight) = oracle_value(&league, version, |c| c[fdna_model::Count::SigLanded], k);
        assert!((value - expected).abs() < 1e-9, "{value} {expected}");
        assert!((state.shrinkage.unwrap().weight - weight).abs() < 1e-12);
        compared += 1;
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn shares_of_a_group_sum_to_one() {
    let derived = derive(&league(3, 20, 600), day("2030-01-01"));
    for group in
        [["head_share", "body_share", "leg_share"], ["distance_share", "clinch_share", "ground_share"]]
    {
        let columns = group.map(|name| &derived.metrics[place(name)].states);
        let sum = |v: usize| columns.iter().map(|states| states[v].value).sum::<Option<f64>>();
        let sums: Vec<f64> = (0..derived.versions.len()).filter_map(sum).collect();
        assert!(sums.len() > 300 && sums.iter().all(|sum| (sum - 1.0).abs() < 1e-12));
    }
}

#[test]
fn a_league_that_is_too_small_has_no_prior() {
    let derived = derive(&league(1, 10, 99), day("2030-01-01"));
    for (metric, derivation) in MetricDefinitions::get().metrics.iter().zip(&derived.metrics) {
        let has_none = |m: &MetricState| m.value.is_none() && m.shrinkage.is_none();
        assert!(!metric.is_shrunk() || derivation.states.iter().all(has_none), "{}", metric.name);
    }
}

/// All but the measurement, which looks at every fact there is.
fn tables(derived: &DerivedTables) -> Vec<(&'static str, RecordBatch)> {
    let tables = to_tables(derived, MetricDefinitions::get()).unwrap();
    tables.into_iter().filter(|(name, _)| *name != "validity").collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The leak proof: cutting the facts at D and deriving gives the same versions as deriving from all
    /// facts and keeping those valid from D or before.
    #[test]
    fn versions_as_of_a_date_do_not_see_past_it(seed in 1u64..500, weeks in 0u64..150) {
        let league = league(seed, 16, 500);
        let cut = day("2015-01-03") + Days::new(weeks * 7 + seed % 7);
        let (all, then) = (derive(&league, day("2030-01-01")), derive(&league, cut));
        let begun = all.versions.iter().filter(|v| v.valid_from <= cut);
        let begun = begun.map(|v| (v.fighter.0.to_string(), v.version)).collect();
        for ((name, all), (_, then)) in tables(&all).iter().zip(&tables(&then)) {
            prop_assert!(&rows_until(all, &begun, cut) == then, "{}", name);
        }
    }

    #[test]
    fn the_order_of_rows_does_not_reach_the_result(seed in 1u64..500) {
        let league = league(seed, 16, 400);
        let mut shuffled = league.bouts().to_vec();
        shuffled.sort_by_key(|b| b.id);
        let shuffled = Facts::new(shuffled).with_stances(league.stances().clone());
        prop_assert!(derive(&shuffled, day("2030-01-01")) == derive(&league, day("2030-01-01")));
    }

    #[test]
    fn the_number_of_threads_does_not_reach_the_result(seed in 1u64..500, threads in 1usize..5) {
        let league = league(seed, 16, 400);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let there = pool.install(|| derive(&league, day("2030-01-01")));
        prop_assert!(there == derive(&league, day("2030-01-01")));
    }
}
