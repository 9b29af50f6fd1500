//! `fightdna snapshots` and `fightdna rollback`: what was published when, and a person's word about it.

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use clap::{Args, Subcommand};
use fdna_lake::{Lake, PublicationLog, SnapshotId, SnapshotManifest};
use fdna_lineage::atom_feed;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::product::Product;
use serde_json::{Value, json};

use crate::commands::args::decision::DecisionArgs;
use crate::commands::diff::published_notes;
use crate::output::CommandReport;

#[derive(Args)]
pub(crate) struct SnapshotsArgs {
    #[command(subcommand)]
    command: SnapshotsCommand,
}

#[derive(Subcommand)]
enum SnapshotsCommand {
    /// Every snapshot: when it was published, how far its facts go, whether it is pinned.
    List,
    /// Where `current` pointed, the oldest first.
    History,
    /// Print an Atom feed of what was published, the newest first, each with its release notes (`fightdna diff --markdown`).
    Feed {
        /// Entries at most.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// Address at which the feed will be found, for its link to itself.
        #[arg(long, value_name = "URL")]
        address: Option<String>,
    },
    /// Keep a snapshot whatever its age: `gc` leaves it.
    Pin {
        id: SnapshotId,
        #[command(flatten)]
        word: DecisionArgs,
    },
    /// Take a pin away.
    Unpin {
        id: SnapshotId,
        #[command(flatten)]
        word: DecisionArgs,
    },
    /// Keep runs from moving `current`: they make snapshots, and leave it where it is.
    Hold {
        #[command(flatten)]
        word: DecisionArgs,
    },
    /// Let runs move `current` again.
    Release {
        #[command(flatten)]
        word: DecisionArgs,
    },
}

#[derive(Args)]
pub(crate) struct RollbackArgs {
    /// Id of the snapshot; without, the one that was served before the current one.
    #[arg(long)]
    to: Option<SnapshotId>,
    /// Keep later runs from moving `current`, until `fightdna snapshots release`.
    #[arg(long)]
    hold: bool,
    /// Why, for whoever reads the history later.
    #[arg(long, value_name = "TEXT", default_value = "not said")]
    reason: String,
    /// By whom; without, the user of the operating system.
    #[arg(long, value_name = "NAME", env = "USER", default_value = "unknown")]
    by: String,
}

impl SnapshotsArgs {
    pub(crate) fn run(self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<CommandReport> {
        let writer = || lake.writer("fightdna snapshots", now);
        let (done, what) = match self.command {
            SnapshotsCommand::List => return list_snapshots(lake),
            SnapshotsCommand::History => return publication_history(&lake.publications()?),
            SnapshotsCommand::Feed { limit, address } => return print_feed(lake, limit, address.as_deref()),
            SnapshotsCommand::Pin { id, word } => {
                (writer()?.pin_snapshot(&id, &word.by, &word.reason)?, format!("snapshot {id} pinned"))
            }
            SnapshotsCommand::Unpin { id, word } => (
                writer()?.unpin_snapshot(&id, &word.by, &word.reason)?,
                format!("snapshot {id} no longer pinned"),
            ),
            SnapshotsCommand::Hold { word } => {
                writer()?.hold_publication(&word.by, &word.reason)?;
                (true, "runs leave `current` where it is".to_owned())
            }
            SnapshotsCommand::Release { word } => (
                writer()?.release_publication(&word.by, &word.reason)?,
                "runs move `current` again".to_owned(),
            ),
        };
        let text = if done { what.clone() } else { format!("{what}: so it was already") };
        let code = if done { ExitCode::Done } else { ExitCode::NothingToDo };
        Ok(CommandReport::new(text + "\n", &json!({ "done": what, "changed": done }), code))
    }
}

impl RollbackArgs {
    /// Points `current` to the given snapshot, or to the one that was served before.
    pub(crate) fn run(&self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<CommandReport> {
        let writer = lake.writer("fightdna rollback", now)?;
        // A pointer that is gone or damaged is no reason not to move it.
        writer.restore_pointer()?;
        writer.note_current()?;
        let current = lake.current_snapshot()?;
        let target = match &self.to {
            Some(id) => id.clone(),
            None => served_before(lake, current.as_ref())?,
        };
        // The hold first: broken off between the two, a run must not publish what is gone back from.
        if self.hold {
            writer.hold_publication(&self.by, &self.reason)?;
        }
        let moved = writer.roll_back(&target, &self.by, &self.reason)?;
        let from = current.map_or("none".to_owned(), |id| id.to_string());
        let mut text = match moved {
            true => format!("current moved from {from} to {target}"),
            false => format!("{target} is current already"),
        };
        text += match self.hold {
            true => "; runs leave it there until `fightdna snapshots release`",
            false if moved => "; the next run that publishes moves it again, unless you give --hold",
            false => "",
        };
        let code = if moved || self.hold { ExitCode::Done } else { ExitCode::NothingToDo };
        let json = json!({ "from": from, "to": target, "moved": moved, "held": self.hold });
        Ok(CommandReport::new(text + "\n", &json, code))
    }
}

/// The snapshot that was served before this one and is still there.
fn served_before(lake: &Lake, current: Option<&SnapshotId>) -> anyhow::Result<SnapshotId> {
    let none = || {
        let message = "cannot roll back: nothing is known to have been served before; `fightdna snapshots list` names \
                       what there is, and `rollback --to ID` goes to it";
        error_with_code(ExitCode::Usage, message)
    };
    let log = lake.publications()?;
    let mut at = current.ok_or_else(none)?.clone();
    loop {
        at = log.previous_snapshot(&at).cloned().ok_or_else(none)?;
        // One that is damaged or was removed is passed over.
        if lake.snapshot(&at).is_ok() {
            return Ok(at);
        }
    }
}

fn print_feed(lake: &Lake, limit: usize, address: Option<&str>) -> anyhow::Result<CommandReport> {
    let entries = published_notes(lake, limit)?;
    let product = Product::of_lake(lake).unwrap_or(Product::Mma).name();
    let text = atom_feed(product, address, &entries).context("cannot write the feed")?;
    let notes: Vec<_> = entries.iter().map(|entry| &entry.notes).collect();
    Ok(CommandReport::done(text, &serde_json::to_value(notes)?))
}

fn list_snapshots(lake: &Lake) -> anyhow::Result<CommandReport> {
    let (current, log) = (lake.current_snapshot().ok().flatten(), lake.publications()?);
    let mut text = String::new();
    let mut fields = Vec::new();
    let found = lake.readable_snapshots()?;
    for manifest in found.readable {
        let is_current = current.as_ref() == Some(&manifest.id);
        text += &snapshot_line(&manifest, &log, is_current);
        fields.push(snapshot_entry(&manifest, &log, is_current));
    }
    let damaged = found.problems.iter();
    text.extend(damaged.map(|problem| format!("BROKEN {}: {}\n", problem.path.display(), problem.what)));
    if let Some(hold) = &log.hold {
        let at = hold.at.format("%FT%H:%MZ");
        text += &format!("runs leave `current` where it is since {at}, by {}: {}\n", hold.by, hold.reason);
    }
    let json = json!({ "snapshots": fields, "hold": log.hold });
    Ok(CommandReport::done(text, &json))
}

fn snapshot_line(manifest: &SnapshotManifest, log: &PublicationLog, is_current: bool) -> String {
    let published = match (log.published_at(&manifest.id), manifest.known_at) {
        (Some(at), _) => format!("published {}", at.format("%FT%H:%MZ")),
        (None, Some(at)) => format!("as known at {}", at.format("%FT%H:%MZ")),
        (None, None) => "not published".to_owned(),
    };
    let until = manifest.facts_until.map_or("none".to_owned(), |day| day.to_string());
    let bytes: u64 = manifest.tables.iter().map(|table| table.bytes).sum();
    let pin = log.pins.get(&manifest.id).map(|pin| format!(", pinned: {}", pin.reason)).unwrap_or_default();
    let current = if is_current { ", current" } else { "" };
    let id = &manifest.id;
    format!("{id}  {published:<27} facts until {until}  {:>8} KiB{current}{pin}\n", bytes.div_ceil(1024))
}

fn snapshot_entry(manifest: &SnapshotManifest, log: &PublicationLog, is_current: bool) -> Value {
    json!({
        "id": manifest.id,
        "published_at": log.published_at(&manifest.id).map(|at| at.to_rfc3339()),
        "known_at": manifest.known_at.map(|at| at.to_rfc3339()),
        "facts_until": manifest.facts_until.map(|day| day.to_string()),
        "bytes": manifest.tables.iter().map(|table| table.bytes).sum::<u64>(),
        "is_current": is_current,
        "pin": log.pins.get(&manifest.id),
    })
}

fn publication_history(log: &PublicationLog) -> anyhow::Result<CommandReport> {
    let line = |publication: &fdna_lake::Publication| {
        let fdna_lake::Publication { snapshot, at, by, kind, reason, .. } = publication;
        let reason = reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        format!(
            "{}  {snapshot}  {} by {by}{reason}\n",
            at.format("%FT%H:%MZ"),
            format!("{kind:?}").to_lowercase()
        )
    };
    let text: String = log.history.iter().map(line).collect();
    Ok(CommandReport::done(text, &serde_json::to_value(&log.history)?))
}
