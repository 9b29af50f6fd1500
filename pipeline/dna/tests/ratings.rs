//! Home advantage, margin and seasons of Elo ratings, against numbers computed by hand.

use fdna_dna::{EloRatings, RatedContest, RatedSide, SubjectId};
use fdna_schemas::{RatingMargin, RatingSettings};

const HOME: f64 = 65.0;

fn settings(carry: f64, margin: Option<RatingMargin>) -> RatingSettings {
    RatingSettings {
        start: 1500.0,
        k: 20.0,
        newcomer_contests: 0,
        newcomer_factor: 1.0,
        slowdown: None,
        home_advantage: HOME,
        carry,
        margin,
    }
}

/// Of two teams on a day; the first is at home.
fn game(date: i64, season: i32, score: f64, margin: f64, advantage: f64) -> RatedContest<i64> {
    RatedContest {
        contest: usize::try_from(date).unwrap(),
        date,
        subjects: [SubjectId(0), SubjectId(1)],
        score,
        weight: 1.0,
        margin: Some(margin),
        advantage,
        season,
        periods: 1,
    }
}

fn rate(games: &[RatedContest<i64>], settings: RatingSettings) -> Vec<RatedSide<i64>> {
    EloRatings::new(games, settings).sides
}

fn assert_close(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value} for {expected}");
}

#[test]
fn who_wins_at_home_gains_less_than_on_neutral_ground_and_the_other_loses_the_same() {
    let sides = rate(&[game(0, 1, 1.0, 1.0, HOME)], settings(1.0, None));
    // 20 · (1 − 1 / (1 + 10^(−65 / 400)))
    assert_close(sides[0].delta, 8.150_675_388_313_363);
    assert_close(sides[0].delta, -sides[1].delta);
    assert_close(sides[0].advantage, HOME);
    assert_close(sides[1].advantage, -HOME);
    assert_close(rate(&[game(0, 1, 1.0, 1.0, 0.0)], settings(1.0, None))[0].delta, 10.0);
}

#[test]
fn a_clear_win_moves_more_and_less_where_it_was_expected() {
    let margin = RatingMargin { scale: 2.2, damping: 0.001 };
    let of = |score, margin_of_game, advantage| {
        rate(&[game(0, 1, score, margin_of_game, advantage)], settings(1.0, Some(margin)))[0].k_factor
    };
    assert_close(of(1.0, 10.0, 0.0), 20.0 * 11_f64.ln());
    assert_close(of(0.5, 0.0, 0.0), 20.0 * 2_f64.ln());
    assert_close(of(1.0, 10.0, HOME), 20.0 * 11_f64.ln() * 2.2 / 2.265);
    assert_close(of(0.0, 10.0, HOME), 20.0 * 11_f64.ln() * 2.2 / 2.135);
}

#[test]
fn ratings_fall_back_once_a_season_whether_it_was_captured_or_not() {
    let before = |season| {
        let games =
            [game(0, 2019, 1.0, 1.0, 0.0), game(1, 2019, 1.0, 1.0, 0.0), game(2, season, 1.0, 1.0, 0.0)];
        let sides = rate(&games, settings(0.5, None));
        assert_eq!(sides[4].contests, 3);
        (sides[3].before, sides[3].after, sides[4].before)
    };
    let (loser_before, loser_after, winner) = before(2019);
    assert_close(loser_before, 1490.0);
    assert_close(winner - 1500.0, 1500.0 - loser_after);
    let lead = winner - 1500.0;
    assert_close(before(2020).2 - 1500.0, lead / 2.0);
    assert_close(before(2022).2 - 1500.0, lead / 8.0);
}
