//! What an operator asks of a lake: its bytes, another snapshot, less of it.

use chrono::{DateTime, Utc};
use fdna_lake::{Input, Lake};

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

/// Removes what no kept snapshot needs.
pub(crate) fn gc(lake: &Lake, keep: usize, now: DateTime<Utc>) -> anyhow::Result<Vec<String>> {
    let writer = lake.writer("fightdna gc", now)?;
    let swept = writer.gc_but(keep, &needed(lake)?)?;
    let mut lines = vec![format!("{} leftovers swept", swept.leftovers)];
    for (what, names) in [
        ("unfinished", &swept.unfinished),
        ("stage output", &swept.stage_outputs),
        ("snapshot", &swept.snapshots),
    ] {
        lines.extend(names.iter().map(|name| format!("removed {what} {name}")));
    }
    Ok(lines)
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
