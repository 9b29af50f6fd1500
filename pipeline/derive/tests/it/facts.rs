//! Metrics that are no ratios, and columns that are more than counts: bouts as text in, numbers out.

use std::fmt::Write as _;

use chrono::{Days, Months, NaiveDate};
use expect_test::{Expect, expect};
use fdna_derive::{DerivedTables, MetricState};
use fdna_kit::{facts, fighter};
use fdna_model::{BoutFact, Facts, FactsAsOf, FighterId};
use fdna_schemas::MetricDefinitions;

fn derive(script: &str) -> DerivedTables {
    let facts = facts(script);
    fdna_derive::derive_tables(
        FactsAsOf::cut_at(&facts, "2040-01-01".parse().unwrap()),
        MetricDefinitions::get(),
    )
    .unwrap()
}

/// A line for each version of A: status, plain value, sums.
fn check(metrics: &[&str], script: &str, expected: &Expect) {
    let derived = derive(script);
    let mut seen = String::new();
    for (v, version) in derived.versions.iter().enumerate().filter(|(_, v)| v.fighter == fighter("A")) {
        let _ = write!(seen, "v{}", version.version);
        for name in metrics {
            let place = MetricDefinitions::get().metrics.iter().position(|m| m.name == *name).unwrap();
            let _ = write!(seen, " | {name} {}", line(&derived.metrics[place].states[v]));
        }
        seen.push('\n');
    }
    expected.assert_eq(&seen);
}

fn line(m: &MetricState) -> String {
    let raw = m.raw_value.map_or("null".to_owned(), |raw| format!("{raw:.3}"));
    let sums = m.sums.map(|(y, d)| format!(" = {y}/{d}")).unwrap_or_default();
    let reasons = m.reasons.names(&MetricDefinitions::get().settings.confidence);
    format!("{raw}{sums} {} [{}]", m.status.name(), reasons.join(" "))
}

#[test]
fn wins_and_losses_count_by_how_they_came_and_no_contests_count_for_none() {
    check(
        &["ko_win_share", "finish_win_share", "finished_loss_share", "ko_loss_rate", "decision_rate"],
        "
        2020-01-10  A beats B  100s by ko_tko               A 10/20  B 5/9
        2020-02-10  A beats B  100s by doctor_stoppage      A 10/20  B 5/9
        2020-03-10  A beats B  100s by disqualification     A 10/20  B 5/9
        2020-04-10  A nc B     100s by overturned           A 10/20  B 5/9
        2020-05-10  B beats A  100s by submission           A 10/20  B 5/9
        2020-06-10  A draws B  900s by decision_majority    A 10/20  B 5/9
        ",
        &expect![[r#"
            v1 | ko_win_share 1.000 = 1/1 insufficient_sample [no_prior] | finish_win_share 1.000 = 1/1 insufficient_sample [no_prior] | finished_loss_share null = 0/0 not_applicable [zero_denominator] | ko_loss_rate 0.000 = 0/1 insufficient_sample [no_prior] | decision_rate 0.000 = 0/1 insufficient_sample [no_prior]
            v2 | ko_win_share 1.000 = 2/2 insufficient_sample [no_prior] | finish_win_share 1.000 = 2/2 insufficient_sample [no_prior] | finished_loss_share null = 0/0 not_applicable [zero_denominator] | ko_loss_rate 0.000 = 0/2 insufficient_sample [no_prior] | decision_rate 0.000 = 0/2 insufficient_sample [no_prior]
            v3 | ko_win_share 0.667 = 2/3 insufficient_sample [no_prior] | finish_win_share 0.667 = 2/3 insufficient_sample [no_prior] | finished_loss_share null = 0/0 not_applicable [zero_denominator] | ko_loss_rate 0.000 = 0/3 insufficient_sample [no_prior] | decision_rate 0.000 = 0/3 insufficient_sample [no_prior]
            v4 | ko_win_share 0.667 = 2/3 insufficient_sample [no_prior] | finish_win_share 0.667 = 2/3 insufficient_sample [no_prior] | finished_loss_share null = 0/0 not_applicable [zero_denominator] | ko_loss_rate 0.000 = 0/3 insufficient_sample [no_prior] | decision_rate 0.000 = 0/3 insufficient_sample [no_prior]
            v5 | ko_win_share 0.667 = 2/3 insufficient_sample [no_prior] | finish_win_share 0.667 = 2/3 insufficient_sample [no_prior] | finished_loss_share 1.000 = 1/1 insufficient_sample [no_prior] | ko_loss_rate 0.000 = 0/4 insufficient_sample [no_prior] | decision_rate 0.000 = 0/4 insufficient_sample [no_prior]
            v6 | ko_win_share 0.667 = 2/3 insufficient_sample [no_prior] | finish_win_share 0.667 = 2/3 insufficient_sample [no_prior] | finished_loss_share 1.000 = 1/1 insufficient_sample [no_prior] | ko_loss_rate 0.000 = 0/5 insufficient_sample [no_prior] | decision_rate 0.200 = 1/5 insufficient_sample [no_prior]
        "#]],
    );
}

#[test]
fn a_round_that_was_not_reached_is_no_gap_and_pace_compares_whole_rounds_alone() {
    check(
        &["sig_attempted_per_min_r3", "sig_attempted_per_min_r4_5", "pace_ratio_r3_r1"],
        "
        2020-01-10  A beats B   700s                         A 10/70  B 5/9
        2020-02-10  A beats B   900s by decision_unanimous   A 10/33  B 5/9
        2020-03-10  A beats B  1400s                         A 10/50  B 5/9
        ",
        &expect![[r#"
            v1 | sig_attempted_per_min_r3 13.800 = 23/100 insufficient_sample [no_prior] | sig_attempted_per_min_r4_5 null = 0/0 not_applicable [zero_denominator] | pace_ratio_r3_r1 null = 0/0 not_applicable [zero_denominator]
            v2 | sig_attempted_per_min_r3 5.100 = 34/400 insufficient_sample [no_prior] | sig_attempted_per_min_r4_5 null = 0/0 not_applicable [zero_denominator] | pace_ratio_r3_r1 1.000 = 11/11 insufficient_sample [no_prior]
            v3 | sig_attempted_per_min_r3 3.771 = 44/700 insufficient_sample [no_prior] | sig_attempted_per_min_r4_5 2.400 = 20/500 insufficient_sample [no_prior] | pace_ratio_r3_r1 1.000 = 21/21 insufficient_sample [no_prior]
        "#]],
    );
}

#[test]
fn cards_count_for_decisions_and_stances_where_they_are_known() {
    check(
        &["card_margin_per_round", "southpaw_exposure_share"],
        "
        stance B SOUTHPAW
        2020-01-10  A beats B  100s                         A 10/20  B 5/9
        2020-02-10  A beats B  900s by decision_split       A 10/20  B 5/9
        2020-03-10  C beats A  1500s by decision_unanimous  A 10/20  C 5/9
        ",
        &expect![[r#"
            v1 | card_margin_per_round null = 0/0 not_applicable [zero_denominator] | southpaw_exposure_share 1.000 = 1/1 insufficient_sample [below_min_sample]
            v2 | card_margin_per_round 1.000 = 3/3 insufficient_sample [no_prior] | southpaw_exposure_share 1.000 = 2/2 insufficient_sample [below_min_sample]
            v3 | card_margin_per_round -0.250 = -2/8 insufficient_sample [no_prior] | southpaw_exposure_share 1.000 = 2/2 insufficient_sample [below_min_sample]
        "#]],
    );
}

#[test]
fn experience_is_counted_from_the_first_bout_on() {
    check(
        &[
            "bouts_with_stats",
            "cage_minutes",
            "championship_round_minutes",
            "layoff_days",
            "previous_layoff_days",
            "bouts_last_36m",
            "win_streak",
        ],
        "
        2016-01-10  A beats B  1200s   A 10/20  B 5/9
        2016-01-20  B beats A   300s   A 10/20  B 5/9
        2019-01-19  A beats B    60s   A 10/20  B 5/9
        2019-01-20  A nc B       60s   A 10/20  B 5/9
        2019-02-20  A beats B    60s   A 10/20  B 5/9
        ",
        &expect![[r#"
            v1 | bouts_with_stats 1.000 ok [validity_not_measured] | cage_minutes 20.000 ok [validity_not_measured] | championship_round_minutes 5.000 ok [validity_not_measured] | layoff_days 1.000 ok [validity_not_measured] | previous_layoff_days null not_applicable [no_earlier_bout] | bouts_last_36m 1.000 ok [validity_not_measured] | win_streak 1.000 ok [validity_not_measured]
            v2 | bouts_with_stats 2.000 ok [validity_not_measured] | cage_minutes 25.000 ok [validity_not_measured] | championship_round_minutes 5.000 ok [validity_not_measured] | layoff_days 1.000 ok [validity_not_measured] | previous_layoff_days 10.000 ok [validity_not_measured] | bouts_last_36m 2.000 ok [validity_not_measured] | win_streak 0.000 ok [validity_not_measured]
            v3 | bouts_with_stats 3.000 ok [validity_not_measured] | cage_minutes 26.000 ok [validity_not_measured] | championship_round_minutes 5.000 ok [validity_not_measured] | layoff_days 1.000 ok [validity_not_measured] | previous_layoff_days 1095.000 ok [validity_not_measured] | bouts_last_36m 2.000 ok [validity_not_measured] | win_streak 1.000 ok [validity_not_measured]
            v4 | bouts_with_stats 4.000 ok [validity_not_measured] | cage_minutes 27.000 ok [validity_not_measured] | championship_round_minutes 5.000 ok [validity_not_measured] | layoff_days 1.000 ok [validity_not_measured] | previous_layoff_days 1.000 ok [validity_not_measured] | bouts_last_36m 2.000 ok [validity_not_measured] | win_streak 1.000 ok [validity_not_measured]
            v5 | bouts_with_stats 5.000 ok [validity_not_measured] | cage_minutes 28.000 ok [validity_not_measured] | championship_round_minutes 5.000 ok [validity_not_measured] | layoff_days 1.000 ok [validity_not_measured] | previous_layoff_days 31.000 ok [validity_not_measured] | bouts_last_36m 3.000 ok [validity_not_measured] | win_streak 2.000 ok [validity_not_measured]
        "#]],
    );
}

#[test]
fn ratings_move_with_finishes_close_decisions_and_first_bouts() {
    // 64 x 1.25 x 1.5 x .5 = 60 to begin with, both being newcomers.
    check(
        &["house_rating", "opponent_rating_mean", "opponent_rating_mean_last3", "rating_change_365d"],
        "
        2019-01-10  A beats B  100s                        A 10/20  B 5/9
        2020-02-10  A beats C  900s by decision_split      A 10/20  C 5/9
        2020-02-11  A nc C     900s by overturned          A 10/20  C 5/9
        2020-02-12  C beats B  100s
        2020-06-10  A draws C  900s by decision_unanimous  A 10/20  C 5/9
        ",
        &expect![[r#"
            v1 | house_rating 1560.000 insufficient_sample [bouts_below_2] | opponent_rating_mean 1500.000 insufficient_sample [bouts_below_2] | opponent_rating_mean_last3 1500.000 insufficient_sample [below_min_sample] | rating_change_365d null not_applicable [no_earlier_bout]
            v2 | house_rating 1579.896 ok [bouts_below_3] | opponent_rating_mean 1500.000 ok [bouts_below_3] | opponent_rating_mean_last3 1500.000 insufficient_sample [below_min_sample] | rating_change_365d 19.896 ok [bouts_below_3]
            v3 | house_rating 1579.896 ok [bouts_below_3] | opponent_rating_mean 1493.368 ok [bouts_below_5] | opponent_rating_mean_last3 1493.368 ok [bouts_below_5] | rating_change_365d 19.896 ok [bouts_below_3]
            v4 | house_rating 1573.485 ok [bouts_below_5] | opponent_rating_mean 1503.328 ok [bouts_below_5] | opponent_rating_mean_last3 1504.438 ok [bouts_below_5] | rating_change_365d 13.485 ok [bouts_below_5]
        "#]],
    );
}

#[test]
fn the_trend_sets_the_latest_three_bouts_against_the_earlier_ones() {
    check(
        &["trend_sig_diff", "recent_sig_diff_per_min"],
        "
        2020-01-10  A beats B  60s  A 10/20  B 4/9
        2020-01-11  A beats B  60s  A 10/20  B 4/9
        2020-01-12  A beats B  60s  A 10/20  B 4/9
        2020-01-13  A beats B  60s  A 10/20  B 6/9
        2020-01-14  A beats B  60s  A 10/20  B 6/9
        2020-01-15  A beats B  60s  A 10/20  B 6/9
        ",
        &expect![[r#"
            v1 | trend_sig_diff null insufficient_sample [below_min_sample] | recent_sig_diff_per_min 6.000 = 6/60 insufficient_sample [no_prior]
            v2 | trend_sig_diff null insufficient_sample [below_min_sample] | recent_sig_diff_per_min 6.000 = 10.762203155904599/107.62203155904598 insufficient_sample [no_prior]
            v3 | trend_sig_diff null insufficient_sample [below_min_sample] | recent_sig_diff_per_min 6.000 = 14.541966305589218/145.4196630558922 insufficient_sample [no_prior]
            v4 | trend_sig_diff -0.667 insufficient_sample [below_min_sample] | recent_sig_diff_per_min 5.316 = 15.541966305589218/175.4196630558922 insufficient_sample [no_prior]
            v5 | trend_sig_diff -1.333 insufficient_sample [below_min_sample] | recent_sig_diff_per_min 4.920 = 16.33566683157332/199.23067883541518 insufficient_sample [no_prior]
            v6 | trend_sig_diff -2.000 ok [validity_not_measured] | recent_sig_diff_per_min 4.667 = 16.965627356520756/218.1294945838383 insufficient_sample [no_prior]
        "#]],
    );
}

#[test]
fn ratings_add_up_what_one_night_brings_from_the_ratings_before_it() {
    let derived = derive(
        "
        2020-01-10  A beats B  100s by submission
        2020-01-10  A beats C  100s by submission
        ",
    );
    let of_a: Vec<_> = derived.ratings.iter().filter(|row| row.fighter == fighter("A")).collect();
    let seen: Vec<String> =
        of_a.iter().map(|row| format!("{:.1} {:+.1} {:.1}", row.before, row.delta, row.after)).collect();
    assert_eq!(seen, ["1500.0 +60.0 1620.0", "1500.0 +60.0 1620.0"]);
    assert!(derived.versions.is_empty(), "without statistics there is no dna");
}

#[test]
fn a_win_that_was_overturned_is_no_win_whatever_the_outcome_says() {
    check(
        &["ko_win_share", "ko_loss_rate", "win_streak"],
        "
        2020-01-10  A beats B  100s by overturned   A 10/20  B 5/9
        2020-02-10  A beats B  100s by ko_tko
        2020-03-10  B draws A  900s by overturned   A 10/20  B 5/9
        ",
        &expect![[r#"
            v1 | ko_win_share null = 0/0 not_applicable [zero_denominator] | ko_loss_rate null = 0/0 not_applicable [zero_denominator] | win_streak 0.000 ok [validity_not_measured]
            v2 | ko_win_share null = 0/0 not_applicable [zero_denominator] | ko_loss_rate null = 0/0 not_applicable [zero_denominator] | win_streak 1.000 ok [validity_not_measured]
        "#]],
    );
}

#[test]
fn a_bout_without_statistics_ends_a_layoff_and_a_streak() {
    check(
        &["layoff_days", "previous_layoff_days", "win_streak"],
        "
        2020-01-10  A beats B  100s  A 10/20  B 5/9
        2020-02-10  B beats A  100s
        2020-03-10  A beats B  100s  A 10/20  B 5/9
        ",
        &expect![[r#"
            v1 | layoff_days 1.000 ok [validity_not_measured] | previous_layoff_days null not_applicable [no_earlier_bout] | win_streak 1.000 ok [validity_not_measured]
            v2 | layoff_days 1.000 ok [validity_not_measured] | previous_layoff_days 29.000 ok [validity_not_measured] | win_streak 1.000 ok [validity_not_measured]
        "#]],
    );
}

/// What a fact that moves with time is for a fighter on a day, told from bouts and ratings alone.
fn on_day(
    metric: &str,
    facts: &Facts,
    derived: &DerivedTables,
    who: FighterId,
    day: NaiveDate,
) -> Option<f64> {
    let before = |day: NaiveDate| {
        let rated = derived.ratings.iter().filter(move |row| row.fighter == who && row.date < day);
        rated.max_by_key(|row| row.date).map(|row| row.after)
    };
    let fought = facts.bouts().iter().filter(|bout| bout.fighters.contains(&who) && bout.date < day);
    match metric {
        "layoff_days" => fought.map(|bout| (day - bout.date).num_days() as f64).reduce(f64::min),
        "bouts_last_36m" => {
            let since = day - Months::new(36);
            Some(fought.filter(|bout| bout.date >= since).count() as f64)
        }
        "house_rating" => before(day),
        "win_streak" => {
            let is_won = |bout: &BoutFact| bout.winner.is_some_and(|side| bout.fighters[side.index()] == who);
            let mut fought: Vec<_> = fought.filter(|bout| bout.has_result()).collect();
            fought.sort_by_key(|bout| std::cmp::Reverse((bout.date, !is_won(bout))));
            Some(fought.iter().take_while(|bout| is_won(bout)).count() as f64)
        }
        _ => Some(before(day)? - before(day - Days::new(365))?),
    }
}

#[test]
fn facts_that_move_with_time_are_ranked_among_what_they_are_on_the_day_for_all() {
    let facts = fdna_kit::league(7, 110, 1_500);
    let cut = FactsAsOf::cut_at(&facts, "2040-01-01".parse().unwrap());
    let derived = fdna_derive::derive_tables(cut, MetricDefinitions::get()).unwrap();
    let mut placed = 0;
    for (metric, result) in MetricDefinitions::get().metrics.iter().zip(&derived.metrics) {
        let moving = ["layoff_days", "bouts_last_36m", "house_rating", "rating_change_365d", "win_streak"];
        let Some(name) = moving.into_iter().find(|name| *name == metric.name) else { continue };
        let all: Vec<_> = derived.versions.iter().zip(&result.states).collect();
        for (version, state) in all.iter().step_by(7) {
            let day = version.valid_from;
            let newest = all.chunk_by(|(a, _), (b, _)| a.fighter == b.fighter).filter_map(|versions| {
                versions.iter().rfind(|(other, _)| other.valid_from <= day && other.class.is_some())
            });
            let active = newest.filter(|(other, _)| other.last_bout >= day - Months::new(36));
            // Who has no value when his version begins is none of the pool's until the next.
            let pool: Vec<f64> = active
                .filter(|(other, state)| other.class == version.class && state.raw_value.is_some())
                .map(|(other, _)| other)
                .filter_map(|other| on_day(name, &facts, &derived, other.fighter, day))
                .collect();
            let expected = state.value.filter(|_| pool.len() >= 30).map(|value| {
                let (below, equal) = (
                    pool.iter().filter(|v| **v < value),
                    pool.iter().filter(|v| v.total_cmp(&value).is_eq()),
                );
                100.0 * (below.count() as f64 + equal.count() as f64 / 2.0) / pool.len() as f64
            });
            assert_eq!(state.percentile.map(|p| p.value), expected, "{name} of {version:?} among {pool:?}");
            placed += usize::from(expected.is_some());
        }
    }
    assert!(placed > 1_000, "{placed}");
}
