//! `fightdna leads`: serves leads, and what an operator does with them.

mod serve;

use std::io::{BufRead as _, Write as _};

use anyhow::Context as _;
use chrono::{DateTime, TimeDelta, Utc};
use clap::Subcommand;
use fdna_leads::lead::StoredLead;
use fdna_leads::store::{Author, LeadStore, StoreError};
use serde_json::{Value, json};

use crate::captures::CommandReport;
use crate::exit::{ExitCode, coded};
use serve::LeadsServeArgs;

/// Leads that an export reads at a time.
const EXPORTED_AT_ONCE: u32 = 1000;

#[derive(clap::Args)]
pub(crate) struct LeadsArgs {
    /// Store of leads: the path of a SQLite file, which is made if it is not there, or postgres://…
    #[arg(long, env = "FIGHTDNA_LEADS", hide_env_values = true)]
    store: String,
    #[command(subcommand)]
    command: LeadsCommand,
}

#[derive(Subcommand)]
enum LeadsCommand {
    /// Serve the leads to holders of keys of `fightdna keys issue --product leads`.
    ///
    /// Plain HTTP unless a certificate is given. SIGTERM and SIGINT: no new connections, requests that are being
    /// answered are finished within 11 s, exit code 0. SIGHUP: the access log is opened anew.
    Serve(Box<LeadsServeArgs>),
    /// Print all leads with their metadata and history, a line of JSON each, the oldest first.
    Export {
        /// Of this email address alone, in whatever case; `-` reads it from standard input.
        #[arg(long, value_name = "ADDRESS|-")]
        email: Option<String>,
    },
    /// Erase all leads of an email address for good. A second time erases nothing.
    Erase {
        /// The address, in whatever case; `-` reads it from standard input.
        #[arg(long, value_name = "ADDRESS|-")]
        email: String,
    },
    /// Erase all leads that were last changed more than so many days ago.
    Retention {
        /// Days.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        days: u32,
    },
}

/// What a command came to.
pub(crate) enum LeadsTask {
    /// It was served, or printed.
    Ended(ExitCode),
    Told(CommandReport),
}

impl LeadsArgs {
    /// Does what is asked.
    pub(crate) fn run(&self, now: DateTime<Utc>, quiet: bool) -> anyhow::Result<LeadsTask> {
        let by = Author { key_id: None, at: now };
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        runtime.context("start the runtime")?.block_on(async {
            let store = LeadStore::open(&self.store).await.map_err(unavailable)?;
            let done = match &self.command {
                LeadsCommand::Serve(args) => args.serve(store.clone(), quiet).await.map(LeadsTask::Ended),
                LeadsCommand::Export { email } => {
                    let email = email.as_deref().map(address).transpose()?;
                    export(&store, email.as_deref()).await.map(LeadsTask::Ended)
                }
                LeadsCommand::Erase { email } => {
                    let erased = store.erase_email(&address(email)?, by).await;
                    erased.map(told).map_err(unavailable)
                }
                LeadsCommand::Retention { days } => {
                    let before = now - TimeDelta::days(i64::from(*days));
                    store.erase_before(before, by).await.map(told).map_err(unavailable)
                }
            };
            store.close().await;
            done
        })
    }
}

/// An address as it is given, or the first line of standard input.
fn address(given: &str) -> anyhow::Result<String> {
    if given != "-" {
        return Ok(given.to_owned());
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).context("read the address from standard input")?;
    Ok(line.trim().to_owned())
}

fn told(erased: usize) -> LeadsTask {
    let code = if erased == 0 { ExitCode::NothingToDo } else { ExitCode::Done };
    let text = format!("{erased} leads erased\n");
    LeadsTask::Told(CommandReport { text, json: json!({ "erased": erased }), code })
}

async fn export(store: &LeadStore, email: Option<&str>) -> anyhow::Result<ExitCode> {
    let email = email.map(fdna_leads::lead::folded);
    let mut after = None;
    loop {
        let leads = store.export(after, EXPORTED_AT_ONCE).await.map_err(unavailable)?;
        let Some(last) = leads.last() else { return Ok(ExitCode::Done) };
        after = Some(last.lead.id);
        let is_asked = |lead: &&StoredLead| {
            email.is_none() || lead.lead.email.as_deref().map(fdna_leads::lead::folded) == email
        };
        for lead in leads.iter().filter(is_asked) {
            let line = exported(store, lead).await?.to_string() + "\n";
            match std::io::stdout().lock().write_all(line.as_bytes()) {
                // The reader has enough.
                Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(ExitCode::Done),
                written => written.context("print the leads")?,
            }
        }
    }
}

/// A lead with all that is known of it.
async fn exported(store: &LeadStore, stored: &StoredLead) -> anyhow::Result<Value> {
    let moves = store.moves(stored.lead.id).await.map_err(unavailable)?;
    let moves: Vec<Value> = moves
        .iter()
        .map(|step| json!({"from": step.from, "to": step.to, "at": step.at.to_rfc3339(), "key_id": step.key_id}))
        .collect();
    let mut lead = serde_json::to_value(&stored.lead).context("write a lead")?;
    lead["metadata"] = json!(stored.metadata);
    lead["history"] = json!(moves);
    Ok(lead)
}

/// A store that cannot be asked.
fn unavailable(error: StoreError) -> anyhow::Error {
    coded(ExitCode::Unavailable, format!("leads: {:#}", anyhow::Error::new(error)))
}
