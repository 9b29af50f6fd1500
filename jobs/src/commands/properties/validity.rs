//! `fightdna properties validity`: what valuations are worth on the published tables.

use std::fmt::Write as _;

use fdna_lake::Lake;
use fdna_run::properties::tables::read_published;
use fdna_run::properties::validity::measure_book;
use serde_json::json;

use crate::output::CommandReport;

/// Measures again, on the published tables.
///
/// # Errors
/// Nothing is published, or the lake cannot be read.
pub(super) fn report_validity(lake: &Lake) -> anyhow::Result<CommandReport> {
    let (book, _) = read_published(lake)?;
    let all = measure_book(&book);
    let mut text = String::new();
    for own in all.iter().filter(|own| ["all", "type", "quarter", "price_tenth"].contains(&own.dimension())) {
        writeln!(text, "{}", own.describe_market())?;
    }
    let json = all.iter().map(|own| own.to_json(&book.constants.version)).collect::<Vec<_>>();
    Ok(CommandReport::done(text, &json!({ "validity": json })))
}
