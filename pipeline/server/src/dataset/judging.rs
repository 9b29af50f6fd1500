//! Judges' scores of every round, and whose totals they belong to.
//!
//! Totals and rounds come from different sources, in orders of their own: a judge is the same where the name
//! is, or else where only one judge of the bout has this sum.

use std::collections::{BTreeMap, HashMap};

use arrow::array::RecordBatch;
use fdna_api::{RoundScore, Scorecard};
use fdna_model::fold_name;
use fdna_schemas::TableReader;
use uuid::Uuid;

use super::DatasetError;

/// A judge's rounds, in their order.
#[derive(Debug)]
pub(crate) struct JudgeRounds<'a> {
    judge: Option<&'a str>,
    rounds: Vec<RoundScore>,
}

/// By bout, in the order of the source.
pub(crate) type Rounds<'a> = HashMap<Uuid, Vec<JudgeRounds<'a>>>;

pub(crate) fn read<'a>(batch: &'a RecordBatch) -> Result<Rounds<'a>, DatasetError> {
    let table = TableReader::new("round_scorecards", batch);
    let (bouts, judges) = (table.ids("bout_id")?, table.strings("judge")?);
    let (orders, rounds) = (table.counts("judge_order")?, table.counts("round")?);
    let (a, b) = (table.int32s("score_a")?, table.int32s("score_b")?);
    let mut by_bout: HashMap<Uuid, BTreeMap<i32, JudgeRounds<'a>>> = HashMap::new();
    for i in 0..table.rows() {
        let of_bout = by_bout.entry(bouts[i]).or_default();
        let empty = || JudgeRounds { judge: judges[i], rounds: Vec::new() };
        let score = RoundScore { round: rounds[i], score_a: a[i], score_b: b[i] };
        of_bout.entry(orders[i]).or_insert_with(empty).rounds.push(score);
    }
    let in_order = |judges: BTreeMap<i32, JudgeRounds<'a>>| {
        let mut judges: Vec<_> = judges.into_values().collect();
        judges.iter_mut().for_each(|judge| judge.rounds.sort_by_key(|score| score.round));
        judges
    };
    Ok(by_bout.into_iter().map(|(bout, judges)| (bout, in_order(judges))).collect())
}

/// Names as they are compared. Few judges score many bouts: each is folded once.
#[derive(Debug, Default)]
pub(crate) struct Names<'a>(HashMap<&'a str, String>);

impl<'a> Names<'a> {
    /// All judges of cards and rounds.
    pub(crate) fn of(judges: impl IntoIterator<Item = &'a str>) -> Self {
        let mut names = HashMap::new();
        for judge in judges {
            names.entry(judge).or_insert_with(|| fold_name(judge));
        }
        Self(names)
    }

    fn are_same(&self, a: &str, b: &str) -> bool {
        a == b || self.0.get(a).is_some_and(|folded| self.0.get(b) == Some(folded))
    }
}

/// Names of the judges of rounds.
pub(crate) fn judges<'a>(rounds: &Rounds<'a>) -> impl Iterator<Item = &'a str> {
    rounds.values().flatten().filter_map(|judge| judge.judge)
}

/// Hangs the rounds on the totals. A judge whose totals are not found gets a card without totals.
pub(crate) fn join<'a>(cards: &mut Vec<Scorecard<'a>>, mut judges: Vec<JudgeRounds<'a>>, names: &Names<'_>) {
    hang(cards, &mut judges, |card, judge| is_same_name(card, judge, names));
    hang(cards, &mut judges, is_same_sum);
    let alone = |judge: JudgeRounds<'a>| Scorecard {
        judge: judge.judge,
        score_a: None,
        score_b: None,
        rounds: Some(judge.rounds),
    };
    cards.extend(judges.into_iter().map(alone));
}

/// Hangs each judge's rounds on the one card that fits him, if he is the one judge who fits it.
fn hang<'a>(
    cards: &mut [Scorecard<'a>],
    judges: &mut Vec<JudgeRounds<'a>>,
    is_same: impl Fn(&Scorecard<'_>, &JudgeRounds<'_>) -> bool,
) {
    let fits = |card: &Scorecard<'_>, judge: &JudgeRounds<'_>| card.rounds.is_none() && is_same(card, judge);
    let pairs: Vec<Option<usize>> = judges
        .iter()
        .map(|judge| {
            let card = only(cards.iter().enumerate().filter(|(_, card)| fits(card, judge)))?;
            only(judges.iter().filter(|judge| fits(card.1, judge))).map(|_| card.0)
        })
        .collect();
    let mut left = Vec::new();
    for (judge, pair) in judges.drain(..).zip(pairs) {
        match pair {
            Some(card) => cards[card].rounds = Some(judge.rounds),
            None => left.push(judge),
        }
    }
    *judges = left;
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

fn is_same_name(card: &Scorecard<'_>, judge: &JudgeRounds<'_>, names: &Names<'_>) -> bool {
    card.judge.zip(judge.judge).is_some_and(|(a, b)| names.are_same(a, b))
}

fn is_same_sum(card: &Scorecard<'_>, judge: &JudgeRounds<'_>) -> bool {
    let sum = |side: fn(&RoundScore) -> Option<i32>| judge.rounds.iter().map(side).sum::<Option<i32>>();
    let sums = (sum(|score| score.score_a), sum(|score| score.score_b));
    sums.0.is_some() && sums.1.is_some() && sums == (card.score_a, card.score_b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(judge: &str, a: i32, b: i32) -> Scorecard<'_> {
        Scorecard { judge: Some(judge), score_a: Some(a), score_b: Some(b), rounds: None }
    }

    fn judge<'a>(name: &'a str, scores: &[(i32, i32)]) -> JudgeRounds<'a> {
        let score =
            |(round, (a, b)): (i32, &(i32, i32))| RoundScore { round, score_a: Some(*a), score_b: Some(*b) };
        JudgeRounds { judge: Some(name), rounds: (1..).zip(scores).map(score).collect() }
    }

    fn joined<'a>(
        mut cards: Vec<Scorecard<'a>>,
        judges: Vec<JudgeRounds<'a>>,
    ) -> Vec<(String, Option<i32>, Option<i32>)> {
        let of_cards = cards.iter().filter_map(|card| card.judge);
        let names = Names::of(of_cards.chain(judges.iter().filter_map(|judge| judge.judge)));
        join(&mut cards, judges, &names);
        let of = |card: Scorecard<'_>| {
            let first = card.rounds.and_then(|rounds| rounds[0].score_a);
            (card.judge.unwrap_or_default().to_owned(), card.score_a, first)
        };
        cards.into_iter().map(of).collect()
    }

    #[test]
    fn a_judge_is_found_by_name_whatever_the_order_and_the_accents() {
        let cards = vec![card("Ana Orl", 20, 18), card("Bo Tiv", 18, 20)];
        let judges = vec![judge("Bo Tiv", &[(9, 10), (9, 10)]), judge("Ána Orl", &[(10, 9), (10, 9)])];
        let expected = [("Ana Orl".to_owned(), Some(20), Some(10)), ("Bo Tiv".to_owned(), Some(18), Some(9))];
        assert_eq!(joined(cards, judges), expected);
    }

    #[test]
    fn another_spelling_is_found_by_a_sum_that_no_other_has_and_else_stands_by_itself() {
        let cards = vec![card("Ana Orl", 10, 9), card("Bo Tiv", 9, 10), card("Cy Wem", 9, 10)];
        let judges =
            vec![judge("A. Orl", &[(10, 9)]), judge("B. Tiv", &[(9, 10)]), judge("C. Wem", &[(9, 10)])];
        let of = |name: &str, total, first| (name.to_owned(), total, first);
        let expected = [
            of("Ana Orl", Some(10), Some(10)),
            of("Bo Tiv", Some(9), None),
            of("Cy Wem", Some(9), None),
            of("B. Tiv", None, Some(9)),
            of("C. Wem", None, Some(9)),
        ];
        assert_eq!(joined(cards, judges), expected);
    }
}
