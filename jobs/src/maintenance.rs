//! What an operator asks of a lake: its bytes, another snapshot, less of it.

use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use fdna_lake::{Lake, LakeVerification, RetentionPolicy, SnapshotInput, SweptFiles};
use serde::Serialize;
use serde_json::{Value, json};

use crate::captures::CommandReport;
use crate::decisions::DecisionFiles;
use crate::exit::{ExitCode, coded};
use crate::view::LakeView;
use crate::{facts, ledger, normalise};

/// What a lake has from its first run on, or its first capture.
const PARTS: [&str; 5] = ["raw", "log", "runs", "snapshots", "current.json"];

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// A folder that is not there, or is something else, reads as an empty lake, which would hide a mistyped `--lake`.
pub(crate) fn need_folder(lake: &Lake) -> anyhow::Result<()> {
    let root = lake.root();
    let why = match root.is_dir() {
        true if PARTS.iter().any(|part| root.join(part).exists()) || is_empty(root) => return Ok(()),
        true => "the folder holds other things, and no part of a lake",
        false => "there is no such folder",
    };
    Err(coded(ExitCode::Unavailable, format!("No lake in `{}`: {why}", root.display())))
}

/// What was found to be damaged.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PrintedProblem {
    /// A path below the lake, or a row of the ledger.
    pub(crate) place: String,
    pub(crate) what: String,
}

impl PrintedProblem {
    pub(crate) fn line(&self) -> String {
        format!("BROKEN {}: {}", self.place, self.what)
    }
}

/// What was checked, in words and as fields, and what is wrong with it.
pub(crate) fn checked(checked: String, fields: Value, problems: Vec<PrintedProblem>) -> CommandReport {
    let lines: Vec<String> = std::iter::once(checked)
        .chain(problems.iter().map(PrintedProblem::line))
        .chain([if problems.len() == 1 {
            "1 problem".to_owned()
        } else {
            format!("{} problems", problems.len())
        }])
        .collect();
    let code = if problems.is_empty() { ExitCode::Done } else { ExitCode::BadData };
    let mut json = fields;
    json["problems"] = json!(problems);
    CommandReport { text: lines.join("\n") + "\n", json, code }
}

/// The same of a database of keys or leads.
pub(crate) fn checked_store(what: &str, problems: Vec<String>) -> CommandReport {
    let problem = |problem| PrintedProblem { place: what.to_owned(), what: problem };
    checked(format!("{what} checked"), json!({}), problems.into_iter().map(problem).collect())
}

/// Hashes every byte that a manifest names, and follows the ledger from row to row.
pub(crate) fn verify(lake: &Lake) -> anyhow::Result<CommandReport> {
    let (verification, problems) = problems(lake)?;
    let (files, bytes) = (verification.files, verification.bytes);
    let fields = json!({ "files": files, "bytes": bytes });
    Ok(checked(format!("{files} files, {bytes} bytes hashed"), fields, problems))
}

/// What is damaged.
pub(crate) fn problems(lake: &Lake) -> anyhow::Result<(LakeVerification, Vec<PrintedProblem>)> {
    let verification = lake.verify()?;
    let of_file = |p: &fdna_lake::LakeProblem| PrintedProblem {
        place: p.path.display().to_string(),
        what: p.what.to_string(),
    };
    let mut problems: Vec<PrintedProblem> = verification.problems.iter().map(of_file).collect();
    // The bytes of a damaged part are told above; its rows cannot be read.
    if let Ok(entries) = ledger::entries(lake) {
        let of_row = |fault: fdna_ledger::ChainFault| PrintedProblem {
            place: format!("ledger row {}", fault.row),
            what: fault.what.to_string(),
        };
        problems.extend(ledger::faults(lake, &entries)?.into_iter().map(of_row));
    }
    Ok((verification, problems))
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
pub(crate) fn gc(lake: &Lake, args: &GcArgs, now: DateTime<Utc>) -> anyhow::Result<CommandReport> {
    let retention = || -> anyhow::Result<RetentionPolicy> {
        let log = lake.publications()?;
        // Whoever asked for a page of one of these may ask for the next one.
        let served = log.served_since(now - TimeDelta::days(1)).into_iter();
        Ok(RetentionPolicy {
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
        let swept = lake.gc_plan(&retention()?)?;
        return Ok(told(&swept, true, lines(&swept, "would remove", "would be freed")));
    }
    let writer = lake.writer("fightdna gc", now)?;
    let swept = writer.gc_by(&retention()?)?;
    let leftovers = std::iter::once(format!("{} leftovers swept", swept.leftovers));
    let lines = leftovers.chain(lines(&swept, "removed", "freed")).collect();
    Ok(told(&swept, false, lines))
}

fn told(swept: &SweptFiles, is_plan: bool, lines: Vec<String>) -> CommandReport {
    let damaged: Vec<Value> =
        swept.damaged.iter().map(|p| json!({ "place": p.path, "what": p.what.to_string() })).collect();
    let json = json!({
        "dry_run": is_plan, "leftovers": swept.leftovers, "unfinished": swept.unfinished,
        "stage_outputs": swept.stage_outputs, "snapshots": swept.snapshots, "runs": swept.runs,
        "damaged": damaged, "bytes": swept.freed,
    });
    CommandReport { text: lines.join("\n") + "\n", json, code: ExitCode::Done }
}

fn lines(swept: &SweptFiles, removed: &str, freed: &str) -> Vec<String> {
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
fn needed(lake: &Lake) -> anyhow::Result<Vec<SnapshotInput>> {
    let view = LakeView::new(lake.clone(), None, DecisionFiles::default());
    let captures = view.with_facts()?;
    let facts = captures.iter().filter_map(|(_, facts)| facts.as_ref());
    let mut needed: Vec<SnapshotInput> = facts.flat_map(facts::needed).collect();
    // Facts that are still to be made leave no state to build on.
    needed.extend(normalise::state(&view).ok().flatten());
    Ok(needed)
}
