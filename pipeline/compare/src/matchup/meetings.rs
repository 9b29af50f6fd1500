//! Common opponents, and earlier meetings of both fighters.

use std::collections::BTreeMap;

use chrono::NaiveDate;

/// A fought bout, seen from one fighter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoughtBout {
    /// The caller's number of the bout.
    pub bout: usize,
    /// The caller's number of the opponent.
    pub opponent: usize,
    pub date: NaiveDate,
}

/// An opponent of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonOpponent {
    pub opponent: usize,
    /// Bouts of A against him, in the order given.
    pub a: Vec<FoughtBout>,
    /// Bouts of B against him.
    pub b: Vec<FoughtBout>,
}

/// Opponents that both met before `day`, the latest bout of either first, ties by number.
#[must_use]
pub fn common_opponents(a: &[FoughtBout], b: &[FoughtBout], day: NaiveDate) -> Vec<CommonOpponent> {
    let (mut of_a, mut of_b) = (by_opponent(a, day), by_opponent(b, day));
    of_a.retain(|opponent, _| of_b.contains_key(opponent));
    let common = of_a.into_iter().map(|(opponent, a)| CommonOpponent {
        opponent,
        a,
        b: of_b.remove(&opponent).unwrap_or_default(),
    });
    let mut common: Vec<_> = common.collect();
    let latest = |c: &CommonOpponent| c.a.iter().chain(&c.b).map(|f| f.date).max();
    common.sort_by_key(|c| (std::cmp::Reverse(latest(c)), c.opponent));
    common
}

/// Bouts against `opponent` before `day`, in the order given.
#[must_use]
pub fn previous_meetings(fought: &[FoughtBout], opponent: usize, day: NaiveDate) -> Vec<FoughtBout> {
    fought.iter().filter(|f| f.opponent == opponent && f.date < day).copied().collect()
}

/// A bout on the day is the future.
fn by_opponent(fought: &[FoughtBout], day: NaiveDate) -> BTreeMap<usize, Vec<FoughtBout>> {
    let mut bouts: BTreeMap<usize, Vec<FoughtBout>> = BTreeMap::new();
    for bout in fought.iter().filter(|f| f.date < day) {
        bouts.entry(bout.opponent).or_default().push(*bout);
    }
    bouts
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn fought(bouts: &[(usize, usize, &str)]) -> Vec<FoughtBout> {
        let of = |&(bout, opponent, date): &(usize, usize, &str)| FoughtBout {
            bout,
            opponent,
            date: date.parse().unwrap(),
        };
        bouts.iter().map(of).collect()
    }

    fn line(common: &[CommonOpponent]) -> String {
        let bouts = |f: &[FoughtBout]| f.iter().map(|f| f.bout).collect::<Vec<_>>();
        common.iter().map(|c| format!("{} {:?} {:?}; ", c.opponent, bouts(&c.a), bouts(&c.b))).collect()
    }

    #[test]
    fn opponents_of_both_before_the_day_are_common_the_latest_first() {
        // Fighters 1 and 2; 2 met 1 himself, which makes neither a common opponent.
        let a =
            fought(&[(5, 8, "2020-05-01"), (4, 9, "2019-05-01"), (3, 8, "2018-01-01"), (2, 2, "2017-01-01")]);
        let b = fought(&[(7, 9, "2021-05-01"), (6, 8, "2019-02-02"), (2, 1, "2017-01-01")]);
        let on = |day: &str| line(&common_opponents(&a, &b, day.parse().unwrap()));
        expect!["9 [4] [7]; 8 [5, 3] [6]; "].assert_eq(&on("2021-05-02"));
        // On the day of bout 7 fighter 2 has not yet met 9.
        expect!["8 [5, 3] [6]; "].assert_eq(&on("2021-05-01"));
        expect!["8 [3] [6]; "].assert_eq(&on("2020-05-01"));
        expect![""].assert_eq(&on("2019-02-02"));
    }

    #[test]
    fn a_meeting_on_the_day_is_the_future() {
        let a = fought(&[(2, 2, "2017-01-01"), (1, 2, "2016-01-01"), (3, 4, "2015-01-01")]);
        let on = |day: &str| {
            previous_meetings(&a, 2, day.parse().unwrap()).iter().map(|f| f.bout).collect::<Vec<_>>()
        };
        assert_eq!((on("2017-01-02"), on("2017-01-01"), on("2015-06-01")), (vec![2, 1], vec![1], vec![]));
    }
}
