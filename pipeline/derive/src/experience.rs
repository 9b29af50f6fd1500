//! What a fighter has been through.

use chrono::NaiveDate;

use crate::columns::SideRow;
use crate::fact::Fact;
use crate::league::{ACTIVE, League, Version, whole};

/// The metrics of this module, for the test that the catalogue names the same.
#[cfg(test)]
pub(crate) const METRICS: [&str; 5] =
    ["bouts_with_stats", "cage_minutes", "championship_round_minutes", "layoff_days", "bouts_last_36m"];

/// A fact about each version, in their order; `None` for a metric of another module.
pub(crate) fn facts(league: &League<'_>, metric: &str) -> Option<Vec<Fact>> {
    let of: fn(&Version, &[&SideRow<'_>]) -> Fact = match metric {
        "bouts_with_stats" => |version, _| Fact::Known(f64::from(version.eligible_bouts)),
        "cage_minutes" => |_, sides| minutes(sides, |side| side.bout.total_secs),
        "championship_round_minutes" => |_, sides| minutes(sides, championship_secs),
        "layoff_days" => |_, sides| layoff(sides),
        "bouts_last_36m" => |version, sides| Fact::Known(recent(version, sides)),
        _ => return None,
    };
    Some(league.each_version(|version, sides| of(version, sides)))
}

fn minutes(sides: &[&SideRow<'_>], secs: fn(&SideRow<'_>) -> Option<i32>) -> Fact {
    let total: Option<i32> = sides.iter().map(|side| secs(side)).sum();
    total.map_or(Fact::NotRecorded, |secs| Fact::Known(f64::from(secs) / 60.0))
}

/// Seconds fought in rounds 4 and 5.
fn championship_secs(side: &SideRow<'_>) -> Option<i32> {
    side.bout.rounds.iter().filter(|round| (4..=5).contains(&round.round)).map(|round| round.secs).sum()
}

/// Days from the bout before the latest one to the latest.
fn layoff(sides: &[&SideRow<'_>]) -> Fact {
    let mut dates = sides.iter().rev().map(|side| side.bout.date);
    match (dates.next(), dates.next()) {
        (Some(latest), Some(earlier)) => {
            let days = i32::try_from((latest - earlier).num_days()).unwrap_or(i32::MAX);
            Fact::Known(f64::from(days))
        }
        _ => Fact::NoEarlierBout,
    }
}

fn recent(version: &Version, sides: &[&SideRow<'_>]) -> f64 {
    let since = version.valid_from.checked_sub_months(ACTIVE).unwrap_or(NaiveDate::MIN);
    f64::from(whole(sides.iter().rev().take_while(|side| side.bout.date >= since).count()))
}
