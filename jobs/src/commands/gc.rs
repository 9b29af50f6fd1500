//! `fightdna gc`: removes what no kept snapshot needs.

use chrono::{DateTime, TimeDelta, Utc};
use fdna_lake::{Lake, RetentionPolicy, SnapshotInput, SweptFiles};
use fdna_run::captures::facts;
use fdna_run::captures::lake_view::LakeView;
use fdna_run::decisions::DecisionFiles;
use fdna_run::stages::normalise;
use serde_json::{Value, json};

use crate::output::CommandReport;

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
pub(crate) fn collect_garbage(
    lake: &Lake,
    args: &GcArgs,
    now: DateTime<Utc>,
) -> anyhow::Result<CommandReport> {
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
            needed: needed_inputs(lake)?,
            now: Some(now),
        })
    };
    if args.dry_run {
        let swept = lake.gc_plan(&retention()?)?;
        return Ok(sweep_report(&swept, true, describe_sweep(&swept, "would remove", "would be freed")));
    }
    let writer = lake.writer("fightdna gc", now)?;
    let swept = writer.gc_by(&retention()?)?;
    let leftovers = std::iter::once(format!("{} leftovers swept", swept.leftovers));
    let lines = leftovers.chain(describe_sweep(&swept, "removed", "freed")).collect();
    Ok(sweep_report(&swept, false, lines))
}

fn sweep_report(swept: &SweptFiles, is_plan: bool, lines: Vec<String>) -> CommandReport {
    let damaged: Vec<Value> =
        swept.damaged.iter().map(|p| json!({ "place": p.path, "what": p.what.to_string() })).collect();
    let json = json!({
        "dry_run": is_plan, "leftovers": swept.leftovers, "unfinished": swept.unfinished,
        "stage_outputs": swept.stage_outputs, "snapshots": swept.snapshots, "runs": swept.runs,
        "damaged": damaged, "bytes": swept.freed,
    });
    CommandReport::done(lines.join("\n") + "\n", &json)
}

fn describe_sweep(swept: &SweptFiles, removed: &str, freed: &str) -> Vec<String> {
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
fn needed_inputs(lake: &Lake) -> anyhow::Result<Vec<SnapshotInput>> {
    let view = LakeView::new(lake.clone(), None, DecisionFiles::default());
    let captures = view.with_facts()?;
    let facts = captures.iter().filter_map(|(_, facts)| facts.as_ref());
    let mut needed: Vec<SnapshotInput> = facts.flat_map(facts::required_inputs).collect();
    // Facts that are still to be made leave no state to build on.
    needed.extend(normalise::merge_state(&view).ok().flatten());
    Ok(needed)
}
