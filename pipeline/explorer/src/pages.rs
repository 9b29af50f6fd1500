//! Sections and pictures of pages that are no list of rows, by the names that `pages/*.toml` have for them.

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
use crate::declared::PageView;
use crate::page::{Figure, Section};

/// Draws sections of a page.
pub(crate) type DrawSections = fn(&PageView<'_>) -> Result<Vec<Section>, Refusal>;

/// Draws the picture of some rows, whose numbers stand in the table beside it.
pub(crate) type DrawPicture = fn(&PageView<'_>, &[&Value]) -> Option<Figure>;

pub(crate) fn find_sections(name: &str) -> Option<DrawSections> {
    Some(match name {
        "bout_rounds" => bout::draw_rounds,
        "compared_bouts" => event::compare_bouts,
        "differences" => data::compare_snapshots,
        "judges" => bout::draw_judges,
        "rounds_and_endings" => rounds::draw_rounds_and_endings,
        "profile" => fighter::summarise_profile,
        "splits" => rounds::draw_splits,
        "two_days" => form::compare_days,
        "why" => fighter::explain_value,
        _ => return None,
    })
}

pub(crate) fn find_picture(name: &str) -> Option<DrawPicture> {
    Some(match name {
        "both_values" => matchup::draw_both_values,
        "held_week" => bout::draw_held_week,
        "leaders" => query::draw_leaders,
        "over_time" => form::draw_over_time,
        "pairings" => matchup::draw_pairings,
        "percentiles" => fighter::draw_percentiles,
        "pool" => query::draw_pool,
        "promotions" => data::draw_promotions,
        "written_week" => bout::draw_written_week,
        "years" => data::draw_years,
        _ => return None,
    })
}
