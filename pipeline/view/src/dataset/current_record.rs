//! The record that is true on a day: the nearest one that a source states, and the bouts that we hold between the two days.

use chrono::NaiveDate;
use fdna_api::CurrentRecord;

use super::careers::StatedCareer;

/// A bout that a fighter fought, or of which nobody told whether he did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PastBout {
    pub(crate) date: NaiveDate,
    /// How it ended for him: win, loss, draw or `no_contest`; `None` where that is not known.
    pub(crate) outcome: Option<&'static str>,
}

/// The record before a day, or today's; `None` where no source states one that it can be reckoned from.
///
/// Before the first bout that is held nothing says when those came that a source counts beside them.
///
/// A record that was stated on a day of a bout may include that bout or not, so that nothing is reckoned from it.
pub(crate) fn record_on<'a>(
    career: &'a StatedCareer,
    bouts: &[PastBout],
    day: Option<NaiveDate>,
) -> Option<CurrentRecord<'a>> {
    let is_between_bouts = |on: NaiveDate| bouts.iter().all(|bout| bout.date != on);
    let stated = career.nearest_records(day).find(|stated| is_between_bouts(stated.on))?;
    let is_later = day.is_some_and(|day| stated.on >= day);
    let is_between = |bout: &&PastBout| match (is_later, day) {
        (true, Some(day)) => bout.date >= day && bout.date < stated.on,
        (_, day) => bout.date >= stated.on && day.is_none_or(|day| bout.date < day),
    };
    let between: Vec<&PastBout> = bouts.iter().filter(is_between).collect();
    let change = |n: usize| i32::try_from(n).map_or(0, |n| if is_later { -n } else { n });
    let of = |word: Option<&str>| change(between.iter().filter(|bout| bout.outcome == word).count());
    // A stated record with fewer of them than were taken off contradicts the bouts.
    let plus = |stated: i32, word| Some(stated + of(Some(word))).filter(|n| *n >= 0);
    let [wins, losses, draws] = stated.record;
    let first = bouts.iter().map(|bout| bout.date).min();
    let is_before_first = is_later && day.is_some_and(|day| first.is_none_or(|first| day < first));
    let record = Some(CurrentRecord {
        wins: plus(wins, "win")?,
        losses: plus(losses, "loss")?,
        draws: plus(draws, "draw")?,
        no_contests: stated.no_contests.and_then(|n| plus(n, "no_contest")),
        source: stated.source,
        stated_on: stated.on.to_string(),
        bouts_since: change(between.len()),
        unknown: of(None).unsigned_abs(),
    });
    record.filter(|record| !is_before_first || record.wins + record.losses + record.draws == 0)
}
