//! `fightdna properties validity`: what valuations are worth on the published tables.

use std::fmt::Write as _;

use fdna_lake::Lake;
use serde_json::json;

use crate::exit::{ExitCode, coded};
use crate::output::CommandReport;
use crate::run::current_snapshot::current;
use crate::run::properties::tables;
use crate::run::properties::validity::measured;

/// Measures again, on the published tables.
///
/// # Errors
/// Nothing is published, or the lake cannot be read.
pub(super) fn report(lake: &Lake) -> anyhow::Result<CommandReport> {
    let nothing = || {
        let why = format!("properties: find a snapshot in {}: there is none", lake.root().display());
        coded(ExitCode::Unavailable, why)
    };
    let manifest = current(lake)?.ok_or_else(nothing)?;
    let book = tables::book(|name| Ok(lake.read_snapshot_table(&manifest, name)?))?;
    let all = measured(&book);
    let mut text = String::new();
    for own in &all {
        writeln!(text, "{}", own.line())?;
    }
    let json = all.iter().map(|own| own.json(&book.catalogue.version)).collect::<Vec<_>>();
    Ok(CommandReport::done(text, &json!({ "validity": json })))
}
