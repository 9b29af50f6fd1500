//! Counts of the endings of bouts.

use std::collections::BTreeMap;

/// Bouts that ended alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FinishEnding<'a> {
    /// win, loss, draw, no_contest or overturned.
    pub result: &'a str,
    pub method: &'a str,
    /// Round in which it ended.
    pub round: i32,
    /// Finishing detail; empty where there is none.
    pub detail: &'a str,
    pub bouts: i32,
}

/// Endings of one result, most frequent first, ties by name; rounds in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FinishEndings<'a> {
    pub bouts: i32,
    pub by_method: Vec<(&'a str, i32)>,
    /// All methods: a decision ends in its last round.
    pub by_round: Vec<(i32, i32)>,
    /// Method, round, bouts.
    pub by_method_and_round: Vec<(&'a str, i32, i32)>,
    /// Details of submissions; `None` where none is stated.
    pub submissions: Vec<(Option<&'a str>, i32)>,
    /// Details of knockouts, technical knockouts and doctor's stoppages.
    pub knockouts: Vec<(Option<&'a str>, i32)>,
}

/// The endings of one result.
#[must_use]
pub fn endings_of<'a>(all: &[FinishEnding<'a>], result: &str) -> FinishEndings<'a> {
    let of_result: Vec<&FinishEnding<'a>> = all.iter().filter(|e| e.result == result).collect();
    let details = |methods: &'static [&'static str]| {
        let finishes = of_result.iter().filter(move |e| methods.contains(&e.method));
        sort_by_frequency(count_by(finishes.map(|e| (Some(e.detail).filter(|d| !d.is_empty()), e.bouts))))
    };
    FinishEndings {
        bouts: of_result.iter().map(|e| e.bouts).sum(),
        by_method: sort_by_frequency(count_by(of_result.iter().map(|e| (e.method, e.bouts)))),
        by_round: count_by(of_result.iter().map(|e| (e.round, e.bouts))).into_iter().collect(),
        by_method_and_round: count_by(of_result.iter().map(|e| ((e.method, e.round), e.bouts)))
            .into_iter()
            .map(|((method, round), bouts)| (method, round, bouts))
            .collect(),
        submissions: details(&["submission"]),
        knockouts: details(&["ko_tko", "doctor_stoppage"]),
    }
}

fn count_by<K: Ord>(items: impl Iterator<Item = (K, i32)>) -> BTreeMap<K, i32> {
    let mut counts = BTreeMap::new();
    for (key, bouts) in items {
        *counts.entry(key).or_insert(0) += bouts;
    }
    counts
}

fn sort_by_frequency<K: Ord>(counts: BTreeMap<K, i32>) -> Vec<(K, i32)> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    // Stable: equal counts keep the order of their keys.
    counts.sort_by_key(|(_, bouts)| std::cmp::Reverse(*bouts));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    const ALL: [FinishEnding<'static>; 7] = [
        ending("win", "submission", 1, "Rear Naked Choke", 2),
        ending("win", "submission", 2, "Armbar", 1),
        ending("win", "submission", 2, "", 1),
        ending("win", "doctor_stoppage", 2, "Cut", 1),
        ending("win", "ko_tko", 3, "Kick to Head At Distance", 1),
        ending("win", "decision_split", 3, "", 4),
        ending("no_contest", "could_not_continue", 1, "", 1),
    ];

    const fn ending<'a>(
        result: &'a str,
        method: &'a str,
        round: i32,
        detail: &'a str,
        bouts: i32,
    ) -> FinishEnding<'a> {
        FinishEnding { result, method, round, detail, bouts }
    }

    #[test]
    fn endings_are_counted_by_method_round_and_detail() {
        let wins = endings_of(&ALL, "win");
        assert_eq!(wins.bouts, 10);
        expect![[r#"[("decision_split", 4), ("submission", 4), ("doctor_stoppage", 1), ("ko_tko", 1)]"#]]
            .assert_eq(&format!("{:?}", wins.by_method));
        expect!["[(1, 2), (2, 3), (3, 5)]"].assert_eq(&format!("{:?}", wins.by_round));
        expect![[r#"[(Some("Rear Naked Choke"), 2), (None, 1), (Some("Armbar"), 1)]"#]]
            .assert_eq(&format!("{:?}", wins.submissions));
        expect![[r#"[(Some("Cut"), 1), (Some("Kick to Head At Distance"), 1)]"#]]
            .assert_eq(&format!("{:?}", wins.knockouts));
        assert_eq!(wins.by_method_and_round[0], ("decision_split", 3, 4));
    }

    #[test]
    fn every_way_of_counting_has_the_same_sum() {
        for result in ["win", "loss", "no_contest"] {
            let e = endings_of(&ALL, result);
            assert_eq!(e.by_method.iter().map(|(_, n)| n).sum::<i32>(), e.bouts, "{result}");
            assert_eq!(e.by_round.iter().map(|(_, n)| n).sum::<i32>(), e.bouts, "{result}");
            assert_eq!(e.by_method_and_round.iter().map(|(.., n)| n).sum::<i32>(), e.bouts, "{result}");
        }
        assert_eq!(endings_of(&ALL, "loss"), FinishEndings::default());
        assert_eq!(endings_of(&ALL, "no_contest").bouts, 1);
    }
}
