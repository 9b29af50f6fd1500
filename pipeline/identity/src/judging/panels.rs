//! Judges of a bout and their cards: the totals of the statistics source and the rounds of the judging source, joined judge
//! by judge into one card each.
//!
//! Two cards of a bout are one judge's where, in this order, the judge is the same person; only one card of each
//! source has the sum; or neither can be told apart from the others with its sum, because one source names nobody.
//! A last card of each source belongs together, since a bout has one panel.
//!
//! Totals that are still without a name get it from the totals that the judging source states, where it has no rounds.

use std::collections::{BTreeMap, BTreeSet};

use fdna_rows::{RowsError, TableRow, row_cells};
use fdna_schemas::tables::{JudgeCardsRow, ResultsReader, RoundScorecardsRow, ScorecardsReader};
use uuid::Uuid;

use super::judges::JudgeNames;
use crate::IdentityError;
use crate::decisions::DecisionEntry;

/// Judges of a bout.
const PANEL: usize = 3;

/// Points of fighter a and fighter b.
type Points = [i32; 2];

/// Name and rounds of a judge.
type ScoredRounds<'a> = (Option<&'a str>, BTreeMap<i32, Option<Points>>);

/// A judge's card as one source has it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JudgeCard<'a> {
    pub(super) order: i32,
    pub(super) judge: Option<&'a str>,
    /// The total as given, or the sum of rounds of which none is missing.
    pub(super) total: Option<Points>,
}

/// One judge's card of both sources.
#[derive(Debug, PartialEq)]
struct JoinedCard<'a> {
    total: Option<&'a JudgeCard<'a>>,
    rounds: Option<&'a JudgeCard<'a>>,
    /// A card without rounds, which says who gave the total.
    named_by: Option<&'a JudgeCard<'a>>,
    rule: Option<&'static str>,
}

/// Cards of one bout.
#[derive(Debug, Default)]
struct JudgePanel<'a> {
    totals: Vec<JudgeCard<'a>>,
    rounds: Vec<JudgeCard<'a>>,
    /// Cards of the judging source of which it has the total and no round.
    without_rounds: Vec<JudgeCard<'a>>,
}

/// Rows of `judge_cards`, and of each bout without three judges how many it has.
pub(super) fn judge_card_rows(
    totals: ScorecardsReader<'_>,
    rounds: &[RoundScorecardsRow<'_>],
    stated: &[(Uuid, JudgeCard<'_>)],
    results: ResultsReader<'_>,
    decided: &[DecisionEntry<String>],
) -> Result<(Vec<TableRow>, BTreeMap<Uuid, usize>), IdentityError> {
    let panels = group_panels(totals, rounds, stated, &last_rounds(results)?)?;
    let names = panels.values().flat_map(|panel| [judge_names(&panel.totals), judge_names(&panel.rounds)]);
    // Names of cards without rounds show who sat side by side; few of them are shown, so that they choose no spelling.
    let uncounted =
        panels.values().map(|panel| judge_names(panel.rounds.iter().chain(&panel.without_rounds)));
    let judges = JudgeNames::new(names, uncounted, decided);
    judges.check_decisions(decided)?;
    let (mut rows, mut odd) = (Vec::new(), BTreeMap::new());
    for (bout, panel) in &panels {
        let joined = panel.join_cards(&judges);
        if joined.len() != PANEL {
            odd.insert(*bout, joined.len());
        }
        rows.extend((1..).zip(joined).map(|(place, card)| row_cells(&card.card_row(*bout, place, &judges))));
    }
    Ok((rows, odd))
}

fn judge_names<'c, 'a: 'c>(cards: impl IntoIterator<Item = &'c JudgeCard<'a>>) -> Vec<&'a str> {
    cards.into_iter().filter_map(|card| card.judge).collect()
}

/// The round in which each bout ended.
fn last_rounds(results: ResultsReader<'_>) -> Result<BTreeMap<Uuid, i32>, RowsError> {
    Ok(results.bout_id()?.into_iter().zip(results.round()?).collect())
}

fn group_panels<'a>(
    totals: ScorecardsReader<'a>,
    rounds: &[RoundScorecardsRow<'a>],
    stated: &[(Uuid, JudgeCard<'a>)],
    last: &BTreeMap<Uuid, i32>,
) -> Result<BTreeMap<Uuid, JudgePanel<'a>>, RowsError> {
    let mut panels: BTreeMap<Uuid, JudgePanel<'a>> = BTreeMap::new();
    for row in totals.all_rows()? {
        let total = points_of_both(row.score_a, row.score_b);
        let card = JudgeCard { order: row.judge_order, judge: row.judge, total };
        panels.entry(row.bout_id).or_default().totals.push(card);
    }
    let mut scored: BTreeMap<(Uuid, i32), ScoredRounds<'a>> = BTreeMap::new();
    for row in rounds {
        let key = (row.bout_id, row.judge_order);
        let judge = scored.entry(key).or_insert_with(|| (row.judge, BTreeMap::new()));
        judge.1.insert(row.round, points_of_both(row.score_a, row.score_b));
    }
    for ((bout, order), (judge, rounds)) in scored {
        // A card without a single score says nothing, not even who judged.
        if rounds.values().all(Option::is_none) {
            continue;
        }
        let total = last.get(&bout).and_then(|last| sum_rounds(&rounds, *last));
        panels.entry(bout).or_default().rounds.push(JudgeCard { order, judge, total });
    }
    for (bout, card) in stated {
        // A bout whose totals the statistics source lacks has no total to name.
        let Some(panel) = panels.get_mut(bout) else { continue };
        if panel.rounds.iter().all(|rounds| rounds.order != card.order) {
            panel.without_rounds.push(card.clone());
        }
    }
    panels.values_mut().for_each(|panel| panel.totals.sort_by_key(|card| card.order));
    Ok(panels)
}

fn points_of_both(a: Option<i32>, b: Option<i32>) -> Option<Points> {
    a.zip(b).map(|(a, b)| [a, b])
}

/// The sum of rounds 1 to the last, if every one is there.
fn sum_rounds(rounds: &BTreeMap<i32, Option<Points>>, last: i32) -> Option<Points> {
    let is_whole = rounds.keys().copied().eq(1..=last);
    is_whole
        .then(|| rounds.values().try_fold([0, 0], |[x, y], points| points.map(|[a, b]| [x + a, y + b])))?
}

impl<'a> JudgePanel<'a> {
    fn join_cards(&self, judges: &JudgeNames<'a>) -> Vec<JoinedCard<'_>> {
        let mut pairs: BTreeMap<usize, (usize, &'static str)> = BTreeMap::new();
        self.pair_cards(&mut pairs, "judge", |total, rounds| {
            total.judge.zip(rounds.judge).is_some_and(|(a, b)| judges.are_same(a, b))
        });
        self.pair_cards(&mut pairs, "total", |total, rounds| {
            total.total.is_some() && total.total == rounds.total
        });
        self.pair_nameless(&mut pairs);
        self.pair_last(&mut pairs);
        let mut used = BTreeSet::new();
        let mut joined: Vec<JoinedCard<'_>> = Vec::new();
        for (i, total) in self.totals.iter().enumerate() {
            let rounds = pairs.get(&i).copied();
            used.extend(rounds.map(|(j, _)| j));
            joined.push(JoinedCard {
                total: Some(total),
                rounds: rounds.map(|(j, _)| &self.rounds[j]),
                named_by: None,
                rule: rounds.map(|(_, rule)| rule),
            });
        }
        // Rounds that are nobody's total are a judge whom the sources do not agree on.
        if used.len() == self.rounds.len() {
            self.join_nameless_totals(&mut joined, judges);
        }
        let alone = self.rounds.iter().enumerate().filter(|(j, _)| !used.contains(j));
        joined.extend(alone.map(|(_, rounds)| JoinedCard {
            total: None,
            rounds: Some(rounds),
            named_by: None,
            rule: None,
        }));
        joined
    }

    /// Names totals by the cards without rounds that are nobody's yet, if both are the same totals, each as often:
    /// one that is too many or another number leaves it open who gave which.
    fn join_nameless_totals<'p>(&'p self, joined: &mut [JoinedCard<'p>], judges: &JudgeNames<'a>) {
        let known: Vec<&str> = joined.iter().filter_map(JoinedCard::written_name).collect();
        let is_known = |card: &JudgeCard<'_>| {
            card.judge.is_some_and(|judge| known.iter().any(|name| judges.are_same(name, judge)))
        };
        let mut cards: Vec<&JudgeCard<'_>> =
            self.without_rounds.iter().filter(|card| !is_known(card)).collect();
        let is_nameless = |card: &&mut JoinedCard<'_>| card.rounds.is_none() && card.written_name().is_none();
        let mut nameless: Vec<&mut JoinedCard<'p>> = joined.iter_mut().filter(is_nameless).collect();
        let total = |card: &JoinedCard<'_>| card.total.and_then(|card| card.total);
        // By total alone: equal ones stay in the order of their source.
        cards.sort_by_key(|card| card.total);
        nameless.sort_by_key(|card| total(card));
        if !nameless.iter().map(|card| total(card)).eq(cards.iter().map(|card| card.total)) {
            return;
        }
        for (nameless, card) in nameless.into_iter().zip(cards).filter(|(_, card)| card.judge.is_some()) {
            nameless.named_by = Some(card);
            nameless.rule = Some("stated_total");
        }
    }

    fn unpaired_cards(&self, pairs: &BTreeMap<usize, (usize, &'static str)>) -> (Vec<usize>, Vec<usize>) {
        let used: BTreeSet<usize> = pairs.values().map(|(j, _)| *j).collect();
        let totals = (0..self.totals.len()).filter(|i| !pairs.contains_key(i)).collect();
        (totals, (0..self.rounds.len()).filter(|j| !used.contains(j)).collect())
    }

    /// Pairs the cards that fit one another and no third one.
    fn pair_cards(
        &self,
        of: &mut BTreeMap<usize, (usize, &'static str)>,
        rule: &'static str,
        fits: impl Fn(&JudgeCard<'_>, &JudgeCard<'_>) -> bool,
    ) {
        let (totals, rounds) = self.unpaired_cards(of);
        for i in &totals {
            let fit = |i: usize, j: usize| fits(&self.totals[i], &self.rounds[j]);
            let mut theirs = rounds.iter().copied().filter(|j| fit(*i, *j));
            let (Some(j), None) = (theirs.next(), theirs.next()) else { continue };
            if totals.iter().filter(|i| fit(**i, j)).count() == 1 {
                of.insert(*i, (j, rule));
            }
        }
    }

    /// Totals that name nobody: of those that are equal, one is as good as the other.
    fn pair_nameless(&self, pairs: &mut BTreeMap<usize, (usize, &'static str)>) {
        let (totals, mut rounds) = self.unpaired_cards(pairs);
        let is_nameless =
            |cards: &[JudgeCard<'_>], open: &[usize]| open.iter().all(|i| cards[*i].judge.is_none());
        if !is_nameless(&self.totals, &totals) && !is_nameless(&self.rounds, &rounds) {
            return;
        }
        for i in totals {
            let total = self.totals[i].total;
            let found = rounds.iter().position(|j| total.is_some() && self.rounds[*j].total == total);
            if let Some(place) = found {
                pairs.insert(i, (rounds.remove(place), "equal_total"));
            }
        }
    }

    /// The last card of each source, unless both have a total and it is another one.
    fn pair_last(&self, pairs: &mut BTreeMap<usize, (usize, &'static str)>) {
        let (totals, rounds) = self.unpaired_cards(pairs);
        if let ([i], [j]) = (&totals[..], &rounds[..]) {
            let (total, sum) = (self.totals[*i].total, self.rounds[*j].total);
            if pairs.len() + 1 == PANEL && (total.is_none() || sum.is_none() || total == sum) {
                pairs.insert(*i, (*j, "last_of_panel"));
            }
        }
    }
}

impl<'a> JoinedCard<'a> {
    /// The judge, as the first source that names one writes it.
    fn written_name(&self) -> Option<&'a str> {
        [self.total, self.rounds, self.named_by].into_iter().flatten().find_map(|card| card.judge)
    }

    fn card_row(&self, bout_id: Uuid, card_order: i32, judges: &'a JudgeNames<'_>) -> JudgeCardsRow<'a> {
        let given = self.total.and_then(|card| card.total).map(|total| (total, "statsdb"));
        let summed = self.rounds.and_then(|card| card.total).map(|total| (total, "rounds"));
        let (total, from) = given.or(summed).unzip();
        JudgeCardsRow {
            bout_id,
            card_order,
            judge: self.written_name().map(|name| judges.canonical_name(name)),
            score_a: total.map(|[a, _]| a),
            score_b: total.map(|[_, b]| b),
            total_from: from,
            total_order: self.total.map(|card| card.order),
            round_order: self.rounds.map(|card| card.order),
            rule: self.rule,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(order: i32, judge: &'static str, total: Option<Points>) -> JudgeCard<'static> {
        JudgeCard { order, judge: Some(judge).filter(|judge| !judge.is_empty()), total }
    }

    /// Each card: who, the total, and by which rule rounds hang on it.
    fn joined(
        totals: &[JudgeCard<'static>],
        rounds: &[JudgeCard<'static>],
    ) -> Vec<(String, Option<i32>, Option<&'static str>)> {
        joined_by_totals(totals, rounds, &[])
    }

    fn joined_by_totals(
        totals: &[JudgeCard<'static>],
        rounds: &[JudgeCard<'static>],
        without_rounds: &[JudgeCard<'static>],
    ) -> Vec<(String, Option<i32>, Option<&'static str>)> {
        let [totals, rounds, without_rounds] = [totals, rounds, without_rounds].map(<[_]>::to_vec);
        let panel = JudgePanel { totals, rounds, without_rounds };
        let names = [judge_names(&panel.totals), judge_names(&panel.rounds)].into_iter();
        let uncounted = std::iter::once(judge_names(&panel.without_rounds));
        let judges = JudgeNames::new(names, uncounted, &[]);
        let of = |card: JoinedCard<'_>| {
            let row = card.card_row(Uuid::nil(), 1, &judges);
            (row.judge.unwrap_or_default().to_owned(), row.score_a, card.rule)
        };
        panel.join_cards(&judges).into_iter().map(of).collect()
    }

    #[test]
    fn a_judge_is_one_person_however_written_and_in_whatever_order() {
        let totals = [card(1, "Mike Bell", Some([29, 28])), card(2, "Sal Dee", None)];
        let rounds = [card(1, "Sal Dee", Some([30, 27])), card(2, "Michael Bell", Some([29, 28]))];
        let expected =
            [("Michael Bell".into(), Some(29), Some("judge")), ("Sal Dee".into(), Some(30), Some("judge"))];
        let found = joined(&totals, &rounds);
        assert_eq!(found[1..], expected[1..]);
        assert_eq!((found[0].1, found[0].2), (expected[0].1, expected[0].2));
    }

    #[test]
    fn totals_that_name_nobody_go_with_rounds_of_that_sum() {
        let totals = [card(1, "", Some([30, 26])), card(2, "", Some([30, 27])), card(3, "", Some([30, 26]))];
        let rounds =
            [card(1, "Ann", Some([30, 26])), card(2, "Bo", Some([30, 26])), card(3, "Cy", Some([30, 27]))];
        let rules: Vec<_> =
            joined(&totals, &rounds).into_iter().map(|(judge, _, rule)| (judge, rule)).collect();
        assert_eq!(
            rules,
            [
                ("Ann".into(), Some("equal_total")),
                ("Cy".into(), Some("total")),
                ("Bo".into(), Some("equal_total"))
            ]
        );
    }

    #[test]
    fn cards_of_other_people_with_other_sums_stay_apart() {
        let totals = [card(1, "Ann", Some([30, 26])), card(2, "Bo", Some([29, 28]))];
        let rounds = [card(1, "Cy", Some([28, 29])), card(2, "Bo", Some([29, 28]))];
        assert_eq!(joined(&totals, &rounds).len(), 3);
    }

    #[test]
    fn totals_without_a_name_are_named_by_stated_totals_only_if_both_are_the_same_totals() {
        let named = |totals: &[JudgeCard<'static>], rounds: &[JudgeCard<'static>], stated: &[_]| {
            let joined = joined_by_totals(totals, rounds, stated);
            joined.into_iter().map(|(judge, _, _)| judge).collect::<Vec<_>>().join(", ")
        };
        let nameless =
            [card(1, "", Some([30, 26])), card(2, "", Some([29, 27])), card(3, "", Some([30, 26]))];
        let stated =
            [card(1, "Ann", Some([29, 27])), card(2, "Bo", Some([30, 26])), card(3, "Cy", Some([30, 26]))];
        assert_eq!(named(&nameless, &[], &stated), "Bo, Ann, Cy");
        assert_eq!(
            joined_by_totals(&nameless, &[], &stated)[1],
            ("Ann".into(), Some(29), Some("stated_total"))
        );
        let another = [stated[0].clone(), stated[1].clone(), card(3, "Cy", Some([29, 28]))];
        assert_eq!(named(&nameless, &[], &another), ", , ", "a total that differs");
        assert_eq!(named(&nameless, &[], &stated[..2]), ", , ", "a total of nobody");
        let unnamed = [stated[0].clone(), card(2, "", Some([30, 26])), stated[2].clone()];
        assert_eq!(named(&nameless, &[], &unnamed), ", Ann, Cy", "a card without a name names nobody");
        let partly = [card(1, "Cy", Some([30, 26])), nameless[1].clone(), nameless[2].clone()];
        assert_eq!(named(&partly, &[], &stated), "Cy, Ann, Bo", "who is named already gives no second total");
        let stranger = [card(1, "Dee", Some([30, 26])), nameless[1].clone(), nameless[2].clone()];
        assert_eq!(named(&stranger, &[], &stated), "Dee, , ", "a fourth judge");
        let rounds = [card(4, "Eve", Some([28, 28]))];
        assert_eq!(named(&nameless, &rounds, &stated), ", , , Eve", "rounds that are nobody's total");
        let unknown = [nameless[0].clone(), nameless[1].clone(), card(3, "", None)];
        assert_eq!(named(&unknown, &[], &stated), ", , ", "a total that is not known");
    }

    #[test]
    fn a_sum_needs_every_round() {
        let all = BTreeMap::from([(1, Some([10, 9])), (2, Some([9, 10]))]);
        assert_eq!(sum_rounds(&all, 2), Some([19, 19]));
        assert_eq!(sum_rounds(&all, 3), None, "the third is missing");
        assert_eq!(sum_rounds(&BTreeMap::from([(1, Some([10, 9])), (2, None)]), 2), None);
    }
}
