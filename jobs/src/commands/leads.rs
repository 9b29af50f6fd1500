//! `fightdna leads`: serves leads, and what an operator does with them.

mod audit;
mod csv_files;
mod fields;
mod properties;
mod serve;
mod store;
mod tables;

use std::io::{BufRead as _, Write as _};
use std::time::Duration;

use anyhow::Context as _;
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use clap::Subcommand;
use fdna_gateway::database::FaultCause;
use fdna_leads::PhoneRegion;
use fdna_leads::lead::StoredLead;
use fdna_leads::store::erasure::{Contact, OldLeads};
use fdna_leads::store::events::Action;
use fdna_leads::store::{Author, LeadStore, StatusMove};
use fdna_run::exit::{ExitCode, error_with_code};
use serde_json::{Value, json};

use crate::commands::verification::checked_store;
use crate::output::{CommandReport, print_text};
use audit::AuditArgs;
use csv_files::{ImportArgs, LeadAccounts};
use serve::LeadsServeArgs;
use store::unavailable_store;

/// Leads that an export reads at a time.
const EXPORTED_AT_ONCE: u32 = 1000;

#[derive(clap::Args)]
pub(crate) struct LeadsArgs {
    /// Store of leads: the path of a SQLite file, which `serve` makes if it is not there, or postgres://…
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
    /// Print all leads with their account, metadata and history, a line of JSON each, the oldest first.
    Export {
        #[command(flatten)]
        whose: ContactArgs,
        /// `csv` has no history; `leads import` takes it back. What a spreadsheet would take for a formula has an apostrophe before it.
        #[arg(long, value_enum, default_value_t)]
        format: ExportFormat,
    },
    /// Make leads of the lines of a CSV file. Exit code 65 where lines are refused; they are written to a file of their own.
    Import(ImportArgs),
    /// Print who did what with leads, and when, the oldest first: created, changed, erased, read, listed, searched, exported, imported.
    Audit(AuditArgs),
    /// Erase all leads of an email address or a telephone number for good, of every account. A second time erases nothing.
    #[command(group = clap::ArgGroup::new("whose").required(true).args(["email", "phone"]))]
    Erase {
        #[command(flatten)]
        whose: ContactArgs,
    },
    /// Erase all leads that were last changed more than so many days ago. Tells first how many.
    ///
    /// Exit code 76, and nothing is erased, where the clock cannot be right: it is before the newest record of the store, or
    /// more than 31 days after it.
    Retention {
        /// Days.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        days: u32,
        /// Tell how many, and erase none.
        #[arg(long)]
        dry_run: bool,
        /// The clock is right, whatever the store's newest record says.
        #[arg(long)]
        clock_is_right: bool,
    },
    /// Check the store: its pages and indexes, its tables, and every row. Exit code 65 if anything is wrong.
    Verify,
}

/// How leads are printed.
#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum ExportFormat {
    #[default]
    Json,
    Csv,
}

/// Whose leads.
#[derive(clap::Args)]
struct ContactArgs {
    /// Of this email address, in whatever case; `-` reads it from standard input.
    #[arg(long, value_name = "ADDRESS|-", conflicts_with = "phone")]
    email: Option<String>,
    /// Of this telephone number; `-` reads it from standard input.
    #[arg(long, value_name = "NUMBER|-")]
    phone: Option<String>,
    /// Country whose national telephone numbers are read as such, as for serve.
    #[arg(long, value_name = "CODE", default_value = "US")]
    phone_region: PhoneRegion,
}

impl ContactArgs {
    fn contact(&self) -> anyhow::Result<Option<Contact>> {
        if let Some(email) = &self.email {
            return Ok(Some(Contact::Email(given_or_stdin(email)?)));
        }
        let Some(phone) = &self.phone else { return Ok(None) };
        let phone = given_or_stdin(phone)?;
        match self.phone_region.written_down(&phone) {
            Some(phone) => Ok(Some(Contact::Phone(phone))),
            // What an earlier build stored may be no number.
            None if phone.starts_with('+') => Ok(Some(Contact::Phone(phone))),
            None => Err(error_with_code(
                ExitCode::Usage,
                "leads: --phone is no telephone number, such as +14155552671",
            )),
        }
    }
}

/// Result of a command.
pub(crate) enum LeadsTask {
    /// It was served, or printed.
    Ended(ExitCode),
    Told(CommandReport),
}

impl LeadsArgs {
    /// Does what is asked.
    pub(crate) fn run(&self, now: DateTime<Utc>, quiet: bool, is_json: bool) -> anyhow::Result<LeadsTask> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.context("cannot start the runtime")?;
        let done = runtime.block_on(async {
            let store = match &self.command {
                LeadsCommand::Serve(args) => {
                    return args.serve_leads(&self.store, quiet).await.map(LeadsTask::Ended);
                }
                LeadsCommand::Verify => {
                    let problems =
                        LeadStore::verify_store(&self.store, now).await.map_err(unavailable_store)?;
                    return Ok(LeadsTask::Told(checked_store("store of leads", problems)));
                }
                LeadsCommand::Export { .. }
                | LeadsCommand::Audit(_)
                | LeadsCommand::Retention { dry_run: true, .. } => LeadStore::open_to_read(&self.store).await,
                _ => LeadStore::open_existing(&self.store).await,
            };
            let store = store.map_err(unavailable_store)?;
            let done = self.run_on_store(&store, now, quiet, is_json).await;
            store.close().await;
            done
        });
        // A store that hangs keeps nobody.
        runtime.shutdown_background();
        done
    }

    async fn run_on_store(
        &self,
        store: &LeadStore,
        now: DateTime<Utc>,
        quiet: bool,
        is_json: bool,
    ) -> anyhow::Result<LeadsTask> {
        let by = |command| Author::by_operator(command, now);
        match &self.command {
            LeadsCommand::Serve(_) | LeadsCommand::Verify => Ok(LeadsTask::Ended(ExitCode::Done)),
            LeadsCommand::Export { whose, format } => {
                let (whose, by) = (whose.contact()?, by("export"));
                let done = match format {
                    ExportFormat::Json => export_leads(store, whose.as_ref(), &by).await,
                    ExportFormat::Csv => csv_files::export_csv(store, whose.as_ref(), &by).await,
                };
                done.map(LeadsTask::Ended)
            }
            LeadsCommand::Import(import) => import.import_file(store).await.map(LeadsTask::Told),
            LeadsCommand::Audit(audit) => audit.print_audit(store, is_json).await.map(LeadsTask::Ended),
            LeadsCommand::Erase { whose } => {
                let contact = whose.contact()?.context("cannot tell whose leads are meant")?;
                let erased = store.erase_contact(&contact, by("erase")).await.map_err(unavailable_store)?;
                erasure_report(store, erased, now).await
            }
            LeadsCommand::Retention { days, dry_run, clock_is_right } => {
                let before = now - TimeDelta::days(i64::from(*days));
                let counted = store.count_before(before).await.map_err(unavailable_store)?;
                let OldLeads { old, all, newest } = counted;
                let text = format!("{old} of {all} leads were last changed before {}\n", format_time(before));
                if !clock_is_right && let Some(newest) = newest.filter(|newest| !is_plausible(now, *newest)) {
                    let message = format!(
                        "leads: {text}The clock says {}, and the newest record of the store is of {}: nothing is erased. If \
                         the clock is right: --clock-is-right",
                        format_time(now),
                        format_time(newest)
                    );
                    return Err(error_with_code(ExitCode::Held, message));
                }
                if *dry_run {
                    let json = json!({"old": old, "all": all, "before": format_time(before)});
                    return Ok(LeadsTask::Told(CommandReport::done(text, &json)));
                }
                if !(quiet || is_json) {
                    print_text(text)?;
                }
                let erased = store.erase_before(before, by("retention")).await.map_err(unavailable_store)?;
                erasure_report(store, erased, now).await
            }
        }
    }
}

/// How far a clock may be after the newest record, which a server that is up makes every few minutes.
const LONGEST_SILENCE: TimeDelta = TimeDelta::days(31);
/// Clocks of two machines.
const CLOCK_SKEW: TimeDelta = TimeDelta::minutes(5);

fn is_plausible(now: DateTime<Utc>, newest: DateTime<Utc>) -> bool {
    newest <= now + CLOCK_SKEW && now - newest <= LONGEST_SILENCE
}

fn format_time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// The given text, or the first line of standard input.
fn given_or_stdin(text: &str) -> anyhow::Result<String> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .context("cannot read from standard input whose leads are meant")?;
    Ok(line.trim().to_owned())
}

/// How long a command waits for readers before it leaves the wiping to the server, or to the next command.
const WIPE_ATTEMPTS: u32 = 25;
const WIPE_PAUSE: Duration = Duration::from_millis(200);

async fn erasure_report(store: &LeadStore, erased: usize, now: DateTime<Utc>) -> anyhow::Result<LeadsTask> {
    let mut is_wiped = store.wipe_erased(now).await.map_err(unavailable_store)?;
    for _ in 0..WIPE_ATTEMPTS {
        if is_wiped {
            break;
        }
        tokio::time::sleep(WIPE_PAUSE).await;
        is_wiped = store.wipe_erased(now).await.map_err(unavailable_store)?;
    }
    let code = if erased == 0 { ExitCode::NothingToDo } else { ExitCode::Done };
    let mut text = format!("{erased} leads erased\n");
    if !is_wiped {
        text += "their bytes stay in the log of the file until whoever reads it ends: a server wipes them then, or this command \
                 once more\n";
    }
    // PostgreSQL does not tell.
    let wiped = store.erasures_not_wiped().map(|_| is_wiped);
    Ok(LeadsTask::Told(CommandReport::new(text, &json!({ "erased": erased, "wiped": wiped }), code)))
}

/// Notes that leads are printed, before they are. On a full disk that cannot be written down, and is told.
async fn note_export(store: &LeadStore, leads: usize, by: &Author) -> anyhow::Result<()> {
    let leads = i64::try_from(leads).unwrap_or(i64::MAX);
    match store.note_command(Action::Exported, leads, by.clone()).await {
        Err(error) if error.fault() == FaultCause::Unwritable => {
            eprintln!("warning: the audit does not have this export: {error}");
            Ok(())
        }
        noted => noted.map_err(unavailable_store),
    }
}

async fn export_leads(store: &LeadStore, whose: Option<&Contact>, by: &Author) -> anyhow::Result<ExitCode> {
    let print = async |leads: &[StoredLead], accounts: &LeadAccounts| {
        note_export(store, leads.len(), by).await?;
        for lead in leads {
            let Some(lead) = exported_lead(store, lead, accounts).await? else { continue };
            let line = lead.to_string() + "\n";
            match std::io::stdout().lock().write_all(line.as_bytes()) {
                // The reader has enough.
                Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(false),
                written => written.context("cannot print the leads")?,
            }
        }
        Ok(true)
    };
    csv_files::for_each_part(store, whose, print).await.map(|_| ExitCode::Done)
}

/// A lead with all that is known of it; `None` if it was erased meanwhile.
async fn exported_lead(
    store: &LeadStore,
    stored: &StoredLead,
    accounts: &LeadAccounts,
) -> anyhow::Result<Option<Value>> {
    let moves = store.status_moves(stored.lead.id).await.map_err(unavailable_store)?;
    if moves.is_empty() {
        return Ok(None);
    }
    let at = |step: &StatusMove| step.at.to_rfc3339_opts(SecondsFormat::Micros, true);
    let moves: Vec<Value> = moves
        .iter()
        .map(|step| json!({"from": step.from, "to": step.to, "at": at(step), "key_id": step.key_id}))
        .collect();
    let mut lead = serde_json::to_value(&stored.lead).context("cannot write a lead")?;
    lead["metadata"] = json!(stored.metadata);
    lead["history"] = json!(moves);
    lead["account"] = json!(accounts.get(&stored.lead.id));
    Ok(Some(lead))
}
