//! `fightdna ledger`: writes the fight week down, replays it, or shows it.

mod diary;
mod names;
mod show;

use chrono::{DateTime, Utc};
use clap::Args;
use fdna_run::ledger::ReplaySpan;

use crate::commands::args::dates::parse_instant;

pub(crate) use show::show_entries;

#[derive(Args)]
pub(crate) struct LedgerArgs {
    /// Write what runs would have written that missed no capture and no checkpoint.
    #[arg(long, requires = "from")]
    replay: bool,
    /// The first time of the replay, such as 2025-01-31 or 2025-01-31T06:00:00Z.
    #[arg(long, value_parser = parse_instant, requires = "replay", value_name = "TIME")]
    from: Option<DateTime<Utc>>,
    /// The last time of the replay; without, now.
    #[arg(long, value_parser = parse_instant, requires = "replay", value_name = "TIME")]
    to: Option<DateTime<Utc>>,
    /// Replay runs at these times alone, instead of every capture and checkpoint.
    #[arg(long, value_parser = parse_instant, requires = "replay", value_name = "TIME", value_delimiter = ',')]
    runs: Vec<DateTime<Utc>>,
    /// Print the diary of a bout, or of all bouts of an event, and write nothing. Takes a UUID, a source's id, or how
    /// an event's name begins, such as UFC311.
    #[arg(long, value_name = "ID", conflicts_with = "replay")]
    pub(crate) show: Option<String>,
}

impl LedgerArgs {
    /// The span that the job of these arguments writes.
    pub(crate) fn replay_span(&self, now: DateTime<Utc>) -> ReplaySpan {
        match self.from {
            Some(_) if !self.runs.is_empty() => {
                let mut runs = self.runs.clone();
                runs.sort_unstable();
                ReplaySpan::Runs(runs)
            }
            Some(from) => ReplaySpan::Replay(from, self.to.unwrap_or(now)),
            None => ReplaySpan::Now,
        }
    }
}
