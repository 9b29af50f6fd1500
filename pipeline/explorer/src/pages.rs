//! What pages show that is no list of rows: sections and pictures, by the names that `pages/*.toml` have for them.

mod bout;
mod data;
mod event;
mod fighter;
mod form;
mod grid;
mod matchup;
mod query;
mod rounds;

use serde_json::Value;

use crate::ask::Refusal;
use crate::declared::View;
use crate::page::{Figure, Section};

/// Draws sections of a page.
pub(crate) type DrawSections = fn(&View<'_>) -> Result<Vec<Section>, Refusal>;

/// Draws the picture of some rows, whose numbers stand in the table beside it.
pub(crate) type DrawPicture = fn(&View<'_>, &[&Value]) -> Option<Figure>;

pub(crate) fn drawn(name: &str) -> Option<DrawSections> {
    Some(match name {
        "bout_rounds" => bout::rounds,
        "compared_bouts" => event::compared_bouts,
        "differences" => data::differences,
        "judges" => bout::judges,
        "rounds_and_endings" => rounds::rounds_and_endings,
        "splits" => rounds::splits,
        "two_days" => form::two_days,
        "why" => fighter::why,
        _ => return None,
    })
}

pub(crate) fn picture(name: &str) -> Option<DrawPicture> {
    Some(match name {
        "both_values" => matchup::both_values,
        "held_week" => bout::held_week,
        "leaders" => query::leaders,
        "over_time" => form::over_time,
        "pairings" => matchup::pairings,
        "percentiles" => fighter::percentiles,
        "pool" => query::pool,
        "promotions" => data::promotions,
        "written_week" => bout::written_week,
        "years" => data::years,
        _ => return None,
    })
}
