//! Bouts that were won for the title of a class.

use chrono::NaiveDate;
use fdna_api::{Id, TitleBout};

use super::Dataset;
use super::bouts::{BoutRow, BoutTable};
use super::events::EventTable;

/// The source that says what is at stake: schedules tell no kind of title.
const SOURCE: &str = "statsdb";

/// Title bouts of a class that somebody won or held, and who.
#[derive(Debug)]
struct TitleBoutRow {
    bout: usize,
    date: NaiveDate,
    promotion: &'static str,
    weight_class: &'static str,
    kind: &'static str,
    /// Row of the winner; `None` for draws and no contests.
    winner: Option<usize>,
}

/// All of them, the oldest first.
#[derive(Debug)]
pub(crate) struct TitleBouts(Vec<TitleBoutRow>);

impl TitleBouts {
    pub(crate) fn of(bouts: &BoutTable, events: &EventTable) -> Self {
        let newest_first = bouts.with_result.iter().rev();
        Self(newest_first.filter_map(|&row| fought(row, &bouts.rows[row], events)).collect())
    }

    /// The bouts for a title before a day, the newest first.
    fn newest<'a>(
        &'a self,
        promotion: &'a str,
        weight_class: &'a str,
        kind: &'a str,
        before: Option<NaiveDate>,
    ) -> impl Iterator<Item = &'a TitleBoutRow> {
        self.0.iter().rev().filter(move |bout| {
            (bout.promotion, bout.weight_class, bout.kind) == (promotion, weight_class, kind)
                && before.is_none_or(|day| bout.date < day)
        })
    }
}

fn fought(row: usize, bout: &BoutRow, events: &EventTable) -> Option<TitleBoutRow> {
    let result = bout.result.as_ref()?;
    let won = result.outcomes.iter().position(|outcome| *outcome == "win");
    Some(TitleBoutRow {
        bout: row,
        date: bout.date,
        promotion: events.rows[bout.event].promotion?,
        weight_class: bout.weight_class?,
        kind: bout.title_kind?,
        winner: won.map(|side| bout.fighters[side]),
    })
}

/// Who won a title.
pub(crate) struct WonTitle<'a> {
    /// Row of the fighter.
    pub(crate) fighter: usize,
    pub(crate) date: NaiveDate,
    /// Date of the first bout of the run.
    pub(crate) since: NaiveDate,
    /// Row of that bout.
    pub(crate) first_bout: usize,
    /// Row of the fighter who lost the title in it.
    pub(crate) taken_from: Option<usize>,
    pub(crate) wire: TitleBout<'a>,
}

impl Dataset {
    /// The newest bout before a day that was won for a title. An interim title whose winner has fought for the
    /// undisputed one since is none any more.
    pub(crate) fn title_won(
        &self,
        promotion: &str,
        weight_class: &str,
        kind: &str,
        before: Option<NaiveDate>,
    ) -> Option<WonTitle<'_>> {
        let won = |bout: &&TitleBoutRow| bout.winner.is_some();
        let bouts = || self.titles.newest(promotion, weight_class, kind, before).filter(won);
        let newest = bouts().next()?;
        let fighter = newest.winner?;
        let run: Vec<&TitleBoutRow> = bouts().take_while(|bout| bout.winner == Some(fighter)).collect();
        let first = run.last().copied().unwrap_or(newest);
        let holder = bouts().nth(run.len()).and_then(|bout| bout.winner);
        let taken_from = holder.filter(|loser| self.bouts.rows[first.bout].fighters.contains(loser));
        let mut undisputed_since = None;
        if kind == "interim" {
            let undisputed = self.titles.newest(promotion, weight_class, "undisputed", before);
            let since: Vec<&TitleBoutRow> = undisputed.take_while(|bout| bout.date > newest.date).collect();
            if since.iter().any(|bout| self.bouts.rows[bout.bout].fighters.contains(&fighter)) {
                return None;
            }
            undisputed_since = since.last().map(|bout| Id(self.bouts.rows[bout.bout].id));
        }
        let since = first.date;
        let bout = &self.bouts.rows[newest.bout];
        let opponent = &self.fighters.rows[bout.fighters[usize::from(bout.fighters[0] == fighter)]];
        let wire = TitleBout {
            bout_id: Id(bout.id),
            event_id: Id(self.events.rows[bout.event].id),
            date: newest.date.to_string(),
            opponent_id: Id(opponent.id),
            opponent_name: &opponent.name,
            won_in_a_row: run.len(),
            first_won_on: since.to_string(),
            undisputed_bout_since: undisputed_since,
            source: SOURCE,
        };
        Some(WonTitle { fighter, date: newest.date, since, first_bout: first.bout, taken_from, wire })
    }
}
