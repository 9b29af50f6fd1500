//! Judges' totals: against the rounds that they sum, and against the statistics source.

use std::collections::{BTreeMap, HashMap};

use fdna_rows::RowsError;
use fdna_schemas::tables::ScorecardsReader;
use uuid::Uuid;

use super::ROUND_POINTS;
use super::capture::{CardPoints, RoundScore};

/// Totals of two fighters.
type FighterPair = [i32; 2];

/// The total of every judge who gave points to both, as `sides` turns them.
pub(super) fn judge_totals(
    scores: &[RoundScore<'_>],
    sides: impl Fn(FighterPair) -> FighterPair,
) -> Vec<FighterPair> {
    let totals = scores.iter().filter(|score| score.of == CardPoints::Total);
    totals.filter_map(|score| stated_points(score.points)).map(sides).collect()
}

/// A total of both fighters. Votes, and the 0 - 0 of a card that the source does not know, are no points.
pub(super) fn stated_points(total: [Option<i32>; 2]) -> Option<FighterPair> {
    points_of_both(total).filter(|pair| pair.iter().all(|points| points >= ROUND_POINTS.start()))
}

fn points_of_both(points: [Option<i32>; 2]) -> Option<FighterPair> {
    points[0].zip(points[1]).map(|(first, second)| [first, second])
}

/// Judges whose rounds do not sum to their total. Points that a referee took are out of both.
pub(super) fn against_rounds(scores: &[RoundScore<'_>]) -> Vec<String> {
    let mut judges: BTreeMap<i32, Vec<&RoundScore<'_>>> = BTreeMap::new();
    scores.iter().for_each(|score| judges.entry(score.order).or_default().push(score));
    judges.into_values().filter_map(|scores| describe_contradiction(&scores)).collect()
}

fn describe_contradiction(scores: &[&RoundScore<'_>]) -> Option<String> {
    let total = scores.iter().find(|score| score.of == CardPoints::Total)?;
    let [first, second] = points_of_both(total.points)?;
    let rounds: Vec<FighterPair> = scores
        .iter()
        .filter(|s| s.of != CardPoints::Total)
        .map(|s| points_of_both(s.points))
        .collect::<Option<_>>()?;
    let are_points = rounds.iter().flatten().all(|points| ROUND_POINTS.contains(points));
    let [sum_first, sum_second] = rounds.iter().fold([0, 0], |[x, y], [a, b]| [x + a, y + b]);
    let differs = !rounds.is_empty() && are_points && [sum_first, sum_second] != [first, second];
    differs.then(|| {
        let judge = total.judge.unwrap_or("a judge");
        format!("{judge} has {first} - {second} in all and {sum_first} - {sum_second} by rounds")
    })
}

/// Totals of the statistics source, by bout.
pub(super) struct CardTotals<'a>(HashMap<Uuid, Vec<(Option<FighterPair>, &'a str)>>);

impl<'a> CardTotals<'a> {
    pub(super) fn read_scorecards(scorecards: ScorecardsReader<'a>) -> Result<Self, RowsError> {
        let mut cards: HashMap<Uuid, Vec<_>> = HashMap::new();
        for row in scorecards.all_rows()? {
            cards.entry(row.bout_id).or_default().push((points_of_both([row.score_a, row.score_b]), row.raw));
        }
        Ok(Self(cards))
    }

    /// Says so where both sources have all totals and they are not the same, whoever gave which.
    pub(super) fn describe_difference(&self, bout: Uuid, totals: &[FighterPair]) -> Option<String> {
        let cards = self.0.get(&bout)?;
        let mut theirs: Vec<FighterPair> = cards.iter().map(|(pair, _)| *pair).collect::<Option<_>>()?;
        let mut ours = totals.to_vec();
        theirs.sort_unstable();
        ours.sort_unstable();
        (ours.len() == theirs.len() && ours != theirs).then(|| {
            let written: Vec<&str> = cards.iter().map(|(_, raw)| *raw).collect();
            let ours: Vec<String> = ours.iter().map(|[a, b]| format!("{a} - {b}")).collect();
            format!("totals {}; {} at the statistics source", ours.join(", "), written.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(of: CardPoints, points: [i32; 2]) -> RoundScore<'static> {
        RoundScore { of, order: 1, judge: Some("A Judge"), points: points.map(Some) }
    }

    #[test]
    fn rounds_that_do_not_sum_to_the_total_are_told_and_votes_are_not_summed() {
        let rounds = [score(CardPoints::Round(1), [10, 9]), score(CardPoints::Round(2), [10, 9])];
        let with = |total| {
            let mut scores: Vec<_> =
                rounds.iter().map(|s| RoundScore { points: s.points, ..score(s.of, [0, 0]) }).collect();
            scores.push(score(CardPoints::Total, total));
            against_rounds(&scores)
        };
        assert_eq!(with([20, 18]), [""; 0]);
        assert_eq!(with([19, 19]), ["A Judge has 19 - 19 in all and 20 - 18 by rounds"]);
        let votes = [score(CardPoints::Round(1), [1, 1]), score(CardPoints::Total, [1, 0])];
        assert_eq!(against_rounds(&votes), [""; 0]);
    }
}
