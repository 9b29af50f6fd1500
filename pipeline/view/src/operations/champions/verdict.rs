//! Decides who is champion on a day: the newer of bout and rankings says.

use chrono::{Days, Months, NaiveDate};
use fdna_api::{FighterCompact, TitleVerdict};

use super::RANKED_PROMOTION;
use crate::Dataset;
use crate::dataset::titles::WonTitle;

/// A promotion without an event for so long holds no titles any more, and no interim title was ever held for so long.
const OUTLIVED: Months = Months::new(24);

/// After so many days without rankings or a bout for the title, nobody knows what came of it. The rankings are weekly.
const FRESH: Days = Days::new(90);

/// Who holds a title, if anybody does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ChampionVerdict {
    status: &'static str,
    /// Row of the fighter.
    fighter: Option<usize>,
    since: Option<NaiveDate>,
    by: Option<&'static str>,
    vacated_on: Option<NaiveDate>,
    is_certain: bool,
}

impl ChampionVerdict {
    fn held(fighter: Option<usize>, since: NaiveDate, by: &'static str, is_certain: bool) -> Self {
        Self { status: "held", fighter, since: Some(since), by: Some(by), vacated_on: None, is_certain }
    }

    fn without_champion(status: &'static str, vacated_on: Option<NaiveDate>) -> Self {
        Self { status, fighter: None, since: None, by: None, vacated_on, is_certain: true }
    }

    fn by_bout(won: &WonTitle<'_>, is_certain: bool) -> Self {
        Self::held(Some(won.fighter), won.since, "title_bout", is_certain)
    }

    /// The same, in doubt where the newest of rankings and bout is long before the day.
    pub(super) fn as_fresh(
        self,
        data: &Dataset,
        won: Option<&WonTitle<'_>>,
        as_of: Option<NaiveDate>,
    ) -> Self {
        let newest = data.rankings.newest(as_of, None).map(|snapshot| snapshot.date);
        let newest = newest.max(won.map(|won| won.date));
        let since = as_of.or(data.known_until).and_then(|day| day.checked_sub_days(FRESH));
        Self { is_certain: self.is_certain && newest >= since, ..self }
    }

    pub(super) fn wire<'a>(self, fighter: impl Fn(usize) -> FighterCompact<'a>) -> TitleVerdict<'a> {
        TitleVerdict {
            status: self.status,
            fighter: self.fighter.map(fighter),
            since: self.since.map(|day| day.to_string()),
            by: self.by,
            vacated_on: self.vacated_on.map(|day| day.to_string()),
            is_certain: self.is_certain,
        }
    }
}

/// Of the title of a class. There is a bout that was won for it, or the rankings list the class.
pub(super) fn judge_undisputed(
    data: &Dataset,
    promotion: &str,
    class: &str,
    won: Option<&WonTitle<'_>>,
    as_of: Option<NaiveDate>,
) -> ChampionVerdict {
    if promotion == RANKED_PROMOTION
        && let Some(verdict) = judge_by_rankings(data, class, won, as_of)
    {
        return verdict;
    }
    match won {
        Some(_) if is_defunct(data, promotion, as_of) => ChampionVerdict::without_champion("closed", None),
        Some(won) => ChampionVerdict::by_bout(won, false),
        None => ChampionVerdict { is_certain: false, ..ChampionVerdict::without_champion("vacant", None) },
    }
}

/// `None` where there are no rankings of the class, or of so long ago.
fn judge_by_rankings(
    data: &Dataset,
    class: &str,
    won: Option<&WonTitle<'_>>,
    as_of: Option<NaiveDate>,
) -> Option<ChampionVerdict> {
    let newest = data.rankings.newest(as_of, None)?.date;
    let reign = data.rankings.newest_reign(class, newest)?;
    let is_listed = reign.last >= newest;
    match won {
        Some(won) if won.date >= newest => Some(ChampionVerdict::by_bout(won, true)),
        Some(won) if won.date > reign.last => Some(ChampionVerdict::by_bout(won, false)),
        _ if !is_listed => {
            Some(ChampionVerdict::without_champion("closed", data.rankings.first_after(reign.last)))
        }
        Some(won) if won.date >= reign.first => {
            Some(ChampionVerdict::by_bout(won, reign.fighter == Some(won.fighter)))
        }
        _ if reign.is_vacant => Some(ChampionVerdict::without_champion("vacant", Some(reign.first))),
        // Rankings follow a bout by days: whoever is listed then has the title since the bout.
        Some(won) if reign.fighter == Some(won.fighter) => Some(ChampionVerdict::by_bout(won, true)),
        _ => {
            let interim = data.title_won(RANKED_PROMOTION, class, "interim", Some(reign.first));
            let is_certain = interim.is_some_and(|won| Some(won.fighter) == reign.fighter);
            Some(ChampionVerdict::held(reign.fighter, reign.first, "ranking", is_certain))
        }
    }
}

/// Of an interim title whose winner has not fought for the undisputed one since.
pub(super) fn judge_interim(
    data: &Dataset,
    promotion: &str,
    class: &str,
    won: &WonTitle<'_>,
    as_of: Option<NaiveDate>,
) -> ChampionVerdict {
    let undisputed = data.title_won(promotion, class, "undisputed", as_of);
    let undisputed = judge_undisputed(data, promotion, class, undisputed.as_ref(), as_of);
    if undisputed.status == "closed" {
        return undisputed;
    }
    if undisputed.fighter == Some(won.fighter) {
        return ChampionVerdict::without_champion("closed", undisputed.since);
    }
    match is_long_before(data, won.date, as_of) {
        true => ChampionVerdict::without_champion("closed", None),
        false => ChampionVerdict::by_bout(won, won.wire.undisputed_bout_since.is_none()),
    }
}

fn is_defunct(data: &Dataset, promotion: &str, as_of: Option<NaiveDate>) -> bool {
    let is_past = |date: NaiveDate| as_of.is_none_or(|day| date < day);
    let events = data.events.rows.iter();
    let newest =
        events.filter(|event| event.promotion == Some(promotion) && is_past(event.date)).map(|e| e.date);
    newest.max().is_none_or(|newest| is_long_before(data, newest, as_of))
}

/// Whether a day is further back than titles outlive.
fn is_long_before(data: &Dataset, day: NaiveDate, as_of: Option<NaiveDate>) -> bool {
    let since = as_of.or(data.known_until).and_then(|now| now.checked_sub_months(OUTLIVED));
    since.is_some_and(|since| day < since)
}
