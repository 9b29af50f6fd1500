//! The record counted from the bouts that the snapshot holds.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_api::{
    CountedRecord, CurrentRecord, Id, LatestBout, PromotionRecord, RecordCounts, RecordScope, Streak,
};

use super::bouts::BoutRow;
use super::current_record::{PastBout, record_on};
use super::{Dataset, Status};

/// Bouts shown one by one.
const LATEST: usize = 5;

impl Dataset {
    /// Of the fighter's fought bouts before a day, or of all of them.
    pub(crate) fn counted_record(&self, fighter: usize, before: Option<NaiveDate>) -> CountedRecord<'_> {
        let fought: Vec<&BoutRow> = self.fought_before(fighter, before).collect();
        let outcomes: Vec<Option<&str>> = fought.iter().map(|bout| outcome(bout, fighter)).collect();
        CountedRecord {
            scope: RecordScope {
                bouts: "all_held",
                from: fought.last().map(|bout| bout.date.to_string()),
                to: fought.first().map(|bout| bout.date.to_string()),
            },
            counts: count_outcomes(&outcomes),
            streak: streak(&outcomes),
            last_five: fought.iter().take(LATEST).map(|bout| self.latest(bout, fighter)).collect(),
        }
    }

    /// The record that is true before a day, or now; `None` where no source states one to reckon from.
    pub(crate) fn current_record(&self, fighter: usize, day: Option<NaiveDate>) -> Option<CurrentRecord<'_>> {
        let row = &self.fighters.rows[fighter];
        let bouts = row.bouts.iter().map(|&row| &self.bouts.rows[row]);
        let past = bouts.filter(|bout| matches!(bout.status, Status::Completed | Status::Untold));
        let past: Vec<PastBout> =
            past.map(|bout| PastBout { date: bout.date, outcome: outcome(bout, fighter) }).collect();
        record_on(&row.career, &past, day)
    }

    /// The fought bouts before a day, or all of them, by promotion: where he fought most comes first.
    pub(crate) fn records_by_promotion(
        &self,
        fighter: usize,
        before: Option<NaiveDate>,
    ) -> Vec<PromotionRecord<'_>> {
        let mut outcomes: BTreeMap<Option<&str>, Vec<Option<&str>>> = BTreeMap::new();
        for bout in self.fought_before(fighter, before) {
            outcomes.entry(self.events.rows[bout.event].promotion).or_default().push(outcome(bout, fighter));
        }
        let record = |(promotion, outcomes): (_, Vec<_>)| PromotionRecord {
            promotion,
            counts: count_outcomes(&outcomes),
        };
        let mut records: Vec<PromotionRecord<'_>> = outcomes.into_iter().map(record).collect();
        // Stable: of as many, by name.
        records.sort_by_key(|record| Reverse(record.counts.bouts));
        records
    }

    /// Newest first.
    fn fought_before(&self, fighter: usize, before: Option<NaiveDate>) -> impl Iterator<Item = &BoutRow> {
        let rows = self.fighters.rows[fighter].bouts.iter().map(|&row| &self.bouts.rows[row]);
        let is_past = move |bout: &&BoutRow| before.is_none_or(|day| bout.date < day);
        rows.filter(|bout| bout.status == Status::Completed).filter(is_past)
    }

    fn latest(&self, bout: &BoutRow, fighter: usize) -> LatestBout<'_> {
        let opponent = &self.fighters.rows[bout.fighters[usize::from(bout.fighters[0] == fighter)]];
        LatestBout {
            bout_id: Id(bout.id),
            event_id: Id(self.events.rows[bout.event].id),
            date: bout.date.to_string(),
            opponent_id: Id(opponent.id),
            opponent_name: &opponent.name,
            outcome: outcome(bout, fighter),
        }
    }
}

fn count_outcomes(outcomes: &[Option<&str>]) -> RecordCounts {
    let count = |word: Option<&str>| outcomes.iter().filter(|outcome| **outcome == word).count();
    RecordCounts {
        bouts: outcomes.len(),
        wins: count(Some("win")),
        losses: count(Some("loss")),
        draws: count(Some("draw")),
        no_contests: count(Some("no_contest")),
        unknown: count(None),
    }
}

/// How it ended for the fighter; `None` where the result is not known.
fn outcome(bout: &BoutRow, fighter: usize) -> Option<&'static str> {
    bout.result.as_ref().map(|result| result.outcomes[usize::from(bout.fighters[0] != fighter)])
}

/// Of outcomes, newest first.
fn streak(outcomes: &[Option<&'static str>]) -> Option<Streak> {
    let mut counting = outcomes.iter().filter(|outcome| **outcome != Some("no_contest"));
    let kind = (*counting.next()?)?;
    let (mut length, mut is_at_least) = (1, false);
    for outcome in counting {
        is_at_least = outcome.is_none();
        if *outcome != Some(kind) {
            break;
        }
        length += 1;
    }
    Some(Streak { kind, length, is_at_least })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(outcomes: &str) -> Option<(&'static str, usize, bool)> {
        let word = |letter| match letter {
            'w' => Some("win"),
            'l' => Some("loss"),
            'd' => Some("draw"),
            'n' => Some("no_contest"),
            _ => None,
        };
        let outcomes: Vec<_> = outcomes.chars().map(word).collect();
        streak(&outcomes).map(|streak| (streak.kind, streak.length, streak.is_at_least))
    }

    #[test]
    fn a_streak_passes_over_no_contests_and_ends_where_a_result_is_not_known() {
        assert_eq!(of("wwlw"), Some(("win", 2, false)));
        assert_eq!(of("nwnww"), Some(("win", 3, false)));
        assert_eq!(of("l"), Some(("loss", 1, false)));
        assert_eq!(of("dw"), Some(("draw", 1, false)));
        assert_eq!(of("ww?l"), Some(("win", 2, true)));
        assert_eq!((of("?w"), of("n?w"), of("nn"), of("")), (None, None, None, None));
    }
}
