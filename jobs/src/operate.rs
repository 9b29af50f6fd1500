//! What an operator asks of a lake: its bytes, another snapshot, less of it.

use chrono::{DateTime, TimeDelta, Utc};
use fdna_lake::{Input, Lake, Retention, Swept};

use crate::exit::{ExitCode, coded};
use crate::view::View;
use crate::{facts, ledger, normalise};

/// A folder that is not there reads as an empty lake, which would hide a mistyped `--lake`.
pub(crate) fn need_folder(lake: &Lake) -> anyhow::Result<()> {
    if lake.root().is_dir() {
        return Ok(());
    }
    Err(coded(
        ExitCode::Unavailable,
        format!("find a lake in `{}`: there is no such folder", lake.root().display()),
    ))
}

/// Hashes every byte that a manifest names, and follows the ledger from row to row.
pub(crate) fn verify(lake: &Lake) -> anyhow::Result<(Vec<String>, ExitCode)> {
    let verification = lake.verify()?;
    let mut lines = vec![format!("{} files, {} bytes hashed", verification.files, verification.bytes)];
    lines.extend(verification.problems.iter().map(|p| format!("BROKEN {}: {}", p.path.display(), p.what)));
    let mut problems = verification.problems.len();
    // The bytes of a damaged part are told above; its rows cannot be read.
    if let Ok(entries) = ledger::entries(lake) {
        let faults = ledger::faults(lake, &entries)?;
        lines.extend(faults.iter().map(|fault| format!("BROKEN ledger row {}: {}", fault.row, fault.what)));
        problems += faults.len();
    }
    lines.push(format!("{problems} problems"));
    Ok((lines, if problems == 0 { ExitCode::Done } else { ExitCode::BadData }))
}

/// What is to stay.
#[derive(clap::Args)]
pub(crate) struct GcArgs {
    /// Newest snapshots to keep besides the current one.
    #[arg(long, default_value_t = 8)]
    keep: usize,
    /// Keep the newest snapshot of each of the last N days that have one, too.
    #[arg(long, value_name = "N", default_value_t = 0)]
    keep_daily: usize,
    /// Keep the newest snapshot of each of the last N months that have one, too.
    #[arg(long, value_name = "N", default_value_t = 0)]
    keep_monthly: usize,
    /// Print what would be removed, and remove nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Removes what need not stay.
pub(crate) fn gc(lake: &Lake, args: &GcArgs, now: DateTime<Utc>) -> anyhow::Result<Vec<String>> {
    let retention = || -> anyhow::Result<Retention> {
        let log = lake.publications()?;
        // Whoever asked for a page of one of these may ask for the next one.
        let served = log.served_since(now - TimeDelta::days(1)).into_iter();
        Ok(Retention {
            last: args.keep,
            daily: args.keep_daily,
            monthly: args.keep_monthly,
            protected: log.pins.keys().chain(served).cloned().collect(),
            published: log.history.iter().map(|p| (p.snapshot.clone(), p.at)).collect(),
            needed: needed(lake)?,
            now: Some(now),
        })
    };
    if args.dry_run {
        return Ok(told(&lake.gc_plan(&retention()?)?, "would remove", "would be freed"));
    }
    let writer = lake.writer("fightdna gc", now)?;
    let swept = writer.gc_by(&retention()?)?;
    let mut lines = vec![format!("{} leftovers swept", swept.leftovers)];
    lines.extend(told(&swept, "removed", "freed"));
    Ok(lines)
}

fn told(swept: &Swept, removed: &str, freed: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (what, names) in [
        ("unfinished", &swept.unfinished),
        ("stage output", &swept.stage_outputs),
        ("snapshot", &swept.snapshots),
        ("report of run", &swept.runs),
    ] {
        lines.extend(names.iter().map(|name| format!("{removed} {what} {name}")));
    }
    let damaged = swept.damaged.iter();
    lines.extend(damaged.map(|p| format!("BROKEN {}: {}; left alone", p.path.display(), p.what)));
    lines.push(format!("{} bytes {freed}", swept.freed));
    lines
}

/// The facts of all captures, and where the merging of them stands: a later run builds on them.
fn needed(lake: &Lake) -> anyhow::Result<Vec<Input>> {
    let view = View::new(lake.clone(), None);
    let captures = view.with_facts()?;
    let facts = captures.iter().filter_map(|(_, facts)| facts.as_ref());
    let mut needed: Vec<Input> = facts.flat_map(facts::needed).collect();
    // Facts that are still to be made leave no state to build on.
    needed.extend(normalise::state(&view).ok().flatten());
    Ok(needed)
}
