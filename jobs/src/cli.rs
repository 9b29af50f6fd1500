//! The command line.

use std::path::PathBuf;
use std::time::Instant;

use chrono::{DateTime, SecondsFormat, Utc};
use clap::{Args, CommandFactory as _, Parser, Subcommand};
use fdna_ingest::set_max_file_mib;
use fdna_lake::Lake;
use fdna_run::audits::AuditRule;
use fdna_run::captures::lake_view::LakeView;
use fdna_run::decisions::DecisionFiles;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::import::source;
use fdna_run::ingest::isolation::{ReaderBounds, ReaderIsolation};
use fdna_run::ingest::worker;
use fdna_run::ingest::workers::COMMAND;
use fdna_run::metrics;
use fdna_run::run_job::{PlannedRun, RunJob};
use fdna_run::stages::shards::ShardSource;

use crate::command_line;
use crate::commands::args::accept::AcceptArgs;
use crate::commands::args::engine::of_worker;
use crate::commands::args::take_in::{KnownArgs, TakeInArgs};
use crate::commands::catalog::{CatalogArgs, CatalogCommand};
use crate::commands::derive::{DeriveArgs, ShardArgs, write_shard};
use crate::commands::dictionary::dictionary_report;
use crate::commands::leads::LeadsTask;
use crate::commands::task::CommandTask;
use crate::commands::{
    backfill, captures, catalog, catalog_data, copy, diff, explain, export, fetch, gateway, gc, identities,
    keys, lake_folder, leads, ledger, mcp, profile, properties, reconcile, repair, serve, snapshots, sql,
    status, synth, validity, verify, webhooks,
};
use crate::output::{CommandReport, print_text};

/// Captured MMA facts in, versioned Fight DNA out.
///
/// Exit codes: 0 done or nothing to do, 1 failure of our own, 2 usage, 65 bad data, 69 source or lake cannot
/// be read, 73 lake cannot be written, 75 another run is at work, 76 made or taken in but held until a person
/// accepts it, 79 `status --check` found something to look at.
///
/// Every option takes its value from the first of these that has one: the command line, the environment variable
/// that its help names, the settings file, the default. The file is `fightdna.toml` in the current folder, or the one that
/// FIGHTDNA_CONFIG names: options of all commands at its top (`lake = "/srv/lake"`), those of a command in a table of its
/// name (`[serve]`, then `listen = "0.0.0.0:8080"`; `[keys.issue]`).
#[derive(Parser)]
#[command(name = "fightdna", version)]
pub struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Args)]
struct GlobalArgs {
    /// Folder of the lake, or its address in an object store, such as s3://bucket/prefix.
    #[arg(long, global = true, env = "FIGHTDNA_LAKE", default_value = "data/lake")]
    lake: PathBuf,
    /// Print the result as JSON.
    #[arg(long, global = true)]
    json: bool,
    /// Folder of the decisions about who is who; without, `decisions` in the lake if it is there.
    #[arg(long, global = true, value_name = "DIR", env = "FIGHTDNA_ALIASES")]
    aliases: Option<PathBuf>,
    /// Folder laid out as `schemas/catalog`: sources, models and routes of the multi-sport catalog, instead of those that
    /// are compiled in.
    #[arg(long, global = true, value_name = "DIR", env = "FIGHTDNA_CATALOG_DATA")]
    catalog_data: Option<PathBuf>,
    /// No progress and no report: errors only.
    #[arg(long, global = true)]
    quiet: bool,
    /// Report the rows of every file and table of a run, not only those that were set aside.
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    verbose: bool,
    #[command(flatten)]
    bounds: ReaderBounds,
    /// Whether this is the program itself, which can start itself once more.
    #[arg(skip)]
    is_program: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Take in what is new, and bring all stages and the snapshot up to date. Without a source, on a new
    /// lake, the embedded synthetic sample.
    Run(RunArgs),
    /// Ask the sources that have an HTTP address, as the operator's plan says, and keep what is new as captures.
    Fetch(fetch::FetchArgs),
    /// As run, up to the source facts.
    Ingest(TakeInArgs),
    /// As run without sources, up to the normalised tables.
    Normalise(KnownArgs),
    /// As run without sources, up to the DNA versions; or a shard of them, to be put together with the others.
    Derive(DeriveArgs),
    /// As run without sources.
    Publish(KnownArgs),
    /// As run without sources, and the ledger of the fight week: each bout's checkpoint reached, written once and
    /// sealed. Replays it from dated captures, or shows it.
    Ledger(ledger::LedgerArgs),
    /// Make panels: the DNA of every fighter as it stood on past dates, of the current snapshot. Dates that are
    /// there already are left as they are.
    Backfill(backfill::BackfillArgs),
    /// Serve the current snapshot over HTTP, and each new one as it comes.
    ///
    /// Plain HTTP unless a certificate is given. Started by systemd it says when it is ready, what it serves and that
    /// it lives, and takes the socket that systemd listens on, whatever --listen says.
    ///
    /// SIGTERM and SIGINT: no new connections, requests that are being answered are finished within 11 s, exit code 0.
    /// SIGHUP: the access log is opened anew, and the key file read. Certificates are read again by themselves when their files change.
    Serve(serve::ServeArgs),
    /// Serve the current snapshot, and every later one, to language models: seven tools of the Model Context Protocol that only
    /// read, over standard input and output or, with --listen, over HTTP. On standard output is nothing but the protocol.
    ///
    /// It ends with code 0 when standard input does, or at SIGTERM or SIGINT.
    Mcp(mcp::McpArgs),
    /// Run the multi-sport catalog; list and check its routes, which `serve --catalog` answers.
    Catalog(catalog::CatalogArgs),
    /// Take in captures of properties and their sales, and measure what valuations are worth; `leads serve
    /// --properties-lake` lists and values them.
    Properties(properties::PropertiesArgs),
    /// Serve the canonical hosts to holders of keys: authentication, plans, rates and quotas in front of them.
    Gateway(gateway::GatewayArgs),
    /// Issue, list, rotate and revoke the gateway's keys, and tell what accounts used.
    Keys(keys::KeysArgs),
    /// Send accounts the changes of a product as webhooks: add endpoints, rotate their secrets, try them, replay to them,
    /// and see what was not taken. A gateway delivers.
    Webhooks(webhooks::WebhooksArgs),
    /// Serve leads, export them, verify their store, and erase them: a person's, or those that are old.
    Leads(leads::LeadsArgs),
    /// A fighter's Fight DNA as text: bars of percentiles, values with intervals and samples.
    Fighter(profile::FighterArgs),
    /// Two fighters beside each other as text: differences, gates, and what is withheld.
    Matchup(profile::MatchupArgs),
    /// What the lake holds, how old it is, what was set aside.
    Status {
        /// Tell only what someone should look at, a line each, with exit code 79 if there is anything: a source that is
        /// overdue, a capture that cannot be used, damage, a last run that failed or was killed, a clock that is off.
        #[arg(long)]
        check: bool,
    },
    /// Point `current` to the snapshot that was served before, or to another.
    Rollback(snapshots::RollbackArgs),
    /// Which captures the lake has had; withdraw, restore or replace one.
    Captures(captures::CapturesArgs),
    /// Which snapshots there are and when they were published; pin them, hold `current`.
    Snapshots(snapshots::SnapshotsArgs),
    /// Bring a folder up to date in which each table of what was published has a Delta log, and all have a Croissant
    /// document. Version K of every table is the same snapshot. A second call adds only what was published since.
    Export(export::ExportArgs),
    /// What differs between two snapshots, by table and key: rows that appeared, went and changed, each with the cause that
    /// the tables and logs show.
    Diff(diff::DiffArgs),
    /// Why a published value says what it says: how it came, the lines of the captures that state it, what it was before,
    /// what became of it, and why the records of a fighter, bout or event are one or were kept apart.
    Explain(explain::ExplainArgs),
    /// Make anew what is damaged and can be made of what is whole.
    Repair(repair::RepairArgs),
    /// Copy the lake into another folder or object store.
    Copy(copy::CopyArgs),
    /// Hash every byte of the lake again, and follow the ledger's chain.
    Verify {
        /// The ledger alone: names every row that was edited, and where rows were removed or moved.
        #[arg(long)]
        ledger: bool,
    },
    /// Remove what no kept snapshot needs, and reports of runs older than 90 days but for the newest 100.
    Gc(gc::GcArgs),
    /// What is linked between sources, by which rule and how often.
    Identities(identities::IdentitiesArgs),
    /// Recompute the published career statistics from the lake's facts, and say what differs and why.
    Reconcile(reconcile::ReconcileArgs),
    /// Write the synthetic sample captures.
    Synth(synth::SynthArgs),
    /// Measure what every metric is worth on the lake's facts.
    Validity {
        /// Fit the constants anew, and print what would change in the metric definitions.
        #[arg(long)]
        fit: bool,
    },
    /// Ask the lake in SQL: runs `fightdna-sql` with these arguments.
    #[command(disable_help_flag = true)]
    Sql(sql::SqlArgs),
    /// Audit the current snapshot with queries that must return no rows: runs `fightdna-sql audit`.
    #[command(disable_help_flag = true)]
    Audit(sql::SqlArgs),
    /// Print the data dictionary: every table, column, unit and meaning.
    Dictionary {
        /// That of the multi-sport catalog.
        #[arg(long)]
        catalog: bool,
    },
    /// Print what a shell needs to complete commands and options, such as `fightdna completions bash >
    /// /etc/bash_completion.d/fightdna`.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the program or of a command, such as `fightdna man run | man -l -`.
    Man {
        /// Name of a command.
        command: Option<String>,
    },
    /// Read captures as a run asks on standard input.
    #[command(name = COMMAND, hide = true)]
    IngestWorker,
}

/// Arguments of `fightdna run`.
#[derive(Args)]
struct RunArgs {
    #[command(flatten)]
    take_in: TakeInArgs,
    #[command(flatten)]
    known: KnownArgs,
    /// Print what would be done, and do nothing.
    #[arg(long)]
    dry_run: bool,
    /// Audit the snapshot before it is published, with `fightdna-sql`.
    #[arg(long, value_enum)]
    audit: Option<AuditRule>,
    #[command(flatten)]
    accept: AcceptArgs,
    /// File for Prometheus's textfile collector, such as fightdna.prom: how the run ended and what the lake holds.
    #[arg(long, value_name = "PATH", env = "FIGHTDNA_METRICS_FILE")]
    metrics_file: Option<PathBuf>,
}

impl Cli {
    /// Says that the running program is this one: it may start itself once more, to read captures, and its bounds are those
    /// of the process.
    #[must_use]
    pub fn as_program(mut self) -> Self {
        self.global.is_program = true;
        set_max_file_mib(self.global.bounds.read_file_mib);
        self
    }

    /// Whether results and errors are JSON.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.global.json
    }

    /// JSON log lines on standard error where it is no terminal; `RUST_LOG` sets the level.
    pub fn init_logging(&self) {
        use std::io::IsTerminal as _;
        use tracing_subscriber::EnvFilter;
        let default = if self.global.quiet || std::io::stderr().is_terminal() { "warn" } else { "info" };
        let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
        let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
        // A second subscriber in one process, as in tests, is no reason to fail.
        let _ = if std::io::stderr().is_terminal() { builder.try_init() } else { builder.json().try_init() };
    }

    /// Does what the command line says, on the lake as `prepare` gives it back.
    ///
    /// # Errors
    /// The command could not be done; [`crate::exit_code`] has the code.
    pub fn run(self, now: DateTime<Utc>, prepare: impl FnOnce(Lake) -> Lake) -> anyhow::Result<ExitCode> {
        let Self { global, command } = self;
        if let Some(folder) = &global.catalog_data {
            catalog_data::use_folder(folder)?;
        }
        if let Some(take_in) = command.takes_in() {
            source::check_known(take_in.source_names())?;
        }
        let lake = prepare(Lake::open(&global.lake));
        if command.needs_a_lake() {
            lake_folder::require_lake(&lake)?;
        }
        command.execute(&global, lake, now)
    }
}

impl Command {
    fn execute(self, global: &GlobalArgs, lake: Lake, now: DateTime<Utc>) -> anyhow::Result<ExitCode> {
        match self {
            Command::Run(args) => global.run_all(&lake, args, now),
            Command::Fetch(args) => global.fetch(&lake, &args, now),
            Command::Ingest(take_in) => global.run(&lake, take_in.run_until(Some("ingest")), false, now),
            Command::Normalise(known) => global.run(&lake, known.run_until("enrich"), false, now),
            Command::Derive(args) => global.derive(lake, args, now),
            Command::Publish(known) => global.run(&lake, known.run_until("publish"), false, now),
            Command::Backfill(args) => {
                let engine = args.engine.to_engine(global.worker_options(None))?;
                let report = args.run(&lake, now, global.quiet, global.aliases.as_deref(), engine)?;
                global.print_unless_quiet(report)
            }
            Command::Serve(args) if args.catalog => serve::serve_catalog(lake, &args, global.quiet),
            Command::Serve(args) => serve::serve_api(lake, &args, global.quiet),
            Command::Mcp(args) => args.run(lake, global.quiet),
            Command::Catalog(args) => {
                global.finish_task(&lake, args.run(&lake, global.worker_options(None))?, now)
            }
            Command::Properties(args) => global.finish_task(&lake, args.run(&lake)?, now),
            Command::Gateway(args) => gateway::serve_gateway(&args, global.quiet),
            Command::Keys(args) => global.print_report(args.run(now)?),
            Command::Webhooks(args) => global.print_report(args.run(now)?),
            Command::Leads(args) => match args.run(now, global.quiet, global.json)? {
                LeadsTask::Ended(code) => Ok(code),
                LeadsTask::Told(report) => global.print_report(report),
            },
            Command::Fighter(args) => print_text(args.run(lake)?),
            Command::Matchup(args) => print_text(args.run(lake)?),
            Command::Status { check } => {
                global.print_report(status::read_status(&lake, now).to_report(check)?)
            }
            Command::Rollback(args) => global.print_report(args.run(&lake, now)?),
            Command::Captures(args) => global.print_report(args.run(&lake, now)?),
            Command::Snapshots(args) => global.print_report(args.run(&lake, now)?),
            Command::Export(args) => global.print_unless_quiet(args.run(&lake, now)?),
            Command::Diff(args) => args.run(&lake, global.json),
            Command::Explain(args) => global.print_report(args.run(&lake)?),
            Command::Repair(args) => global.print_report(args.run(&lake, now)?),
            Command::Ledger(args) => global.run_ledger(&lake, &args, now),
            Command::Copy(args) => global.print_unless_quiet(args.run(&lake, now)?),
            Command::Verify { ledger: true } => global.print_report(verify::verify_ledger(&lake)?),
            Command::Verify { ledger: false } => global.print_report(verify::verify_lake(&lake)?),
            Command::Gc(args) => global.print_report(gc::collect_garbage(&lake, &args, now)?),
            Command::Identities(args) => global.print_report(args.run(&lake, now)?),
            Command::Reconcile(args) => global.print_report(reconcile::reconcile_files(&lake, &args)?),
            Command::Synth(args) => global.print_report(args.run()?),
            Command::Validity { fit } => global.print_report(validity::report_validity(&lake, fit)?),
            Command::Sql(args) => args.run(None, &global.lake, global.json),
            Command::Audit(args) => args.run(Some("audit"), &global.lake, global.json),
            Command::IngestWorker => worker::serve_requests(&lake, global.bounds.read_memory_mb << 20),
            Command::Dictionary { catalog } => global.print_report(dictionary_report(catalog)?),
            Command::Completions { shell } => {
                print_text(command_line::completion_script(Cli::command(), shell))
            }
            Command::Man { command } => {
                print_text(command_line::manual_page(Cli::command(), command.as_deref())?)
            }
        }
    }

    /// Captures that it is given.
    fn takes_in(&self) -> Option<&TakeInArgs> {
        match self {
            Self::Run(RunArgs { take_in, .. }) | Self::Ingest(take_in) => Some(take_in),
            Self::Catalog(CatalogArgs { command: CatalogCommand::Run(run) }) => Some(&run.take_in),
            Self::Properties(args) => args.takes_in(),
            _ => None,
        }
    }

    /// Whether it is about what a lake holds, rather than about what is to come into one.
    fn needs_a_lake(&self) -> bool {
        matches!(
            self,
            Self::Status { .. }
                | Self::Fighter(_)
                | Self::Matchup(_)
                | Self::Rollback(_)
                | Self::Captures(_)
                | Self::Snapshots(_)
                | Self::Export(_)
                | Self::Diff(_)
                | Self::Explain(_)
                | Self::Repair(_)
                | Self::Copy(_)
                | Self::Verify { .. }
                | Self::Ledger(_)
                | Self::Gc(_)
                | Self::Backfill(_)
                | Self::Identities(_)
                | Self::Reconcile(_)
                | Self::Validity { .. }
        )
    }
}

impl GlobalArgs {
    fn run(&self, lake: &Lake, run: RunJob, dry_run: bool, now: DateTime<Utc>) -> anyhow::Result<ExitCode> {
        let decisions = DecisionFiles::read_folder(self.aliases.as_deref(), lake)?;
        let isolation =
            if self.is_program { ReaderIsolation::of_this_program(self.bounds) } else { run.isolation };
        let run = RunJob { quiet: self.quiet, decisions, isolation, ..run };
        if dry_run {
            let planned = run.plan_jobs(lake, now)?;
            let text: String = planned.iter().map(PlannedRun::to_string).collect();
            return self.print_report(CommandReport::done(text, &serde_json::to_value(&planned)?));
        }
        let (report, code) = run.execute(lake, now)?;
        self.print_unless_quiet(CommandReport::of_record(report.to_text(self.verbose), &report, code)?)?;
        match report.error {
            Some(error) => Err(error_with_code(code, error)),
            None => Ok(code),
        }
    }

    /// A whole run, and what the operator's metrics say of it.
    fn run_all(&self, lake: &Lake, args: RunArgs, now: DateTime<Utc>) -> anyhow::Result<ExitCode> {
        let RunArgs { take_in, known: KnownArgs { known_at }, dry_run, audit, accept, metrics_file } = args;
        let (accept, accepted) = accept.parse_names()?;
        let run = RunJob { audit, known_at, accepted, accept, ..take_in.run_until(None) };
        let begun = Instant::now();
        let ended = self.run(lake, run, dry_run, now);
        if let Some(path) = metrics_file.filter(|_| !dry_run) {
            metrics::report_run(lake, &path, &ended, now, begun.elapsed());
        }
        ended
    }

    fn fetch(&self, lake: &Lake, args: &fetch::FetchArgs, now: DateTime<Utc>) -> anyhow::Result<ExitCode> {
        let report = args.run(lake, now)?;
        let code = self.print_unless_quiet(report.to_report()?)?;
        // Failures on standard error as well, a line each, whatever else is printed.
        report.failures().for_each(|failure| eprintln!("fightdna: {failure}"));
        Ok(code)
    }

    fn derive(&self, lake: Lake, args: DeriveArgs, now: DateTime<Utc>) -> anyhow::Result<ExitCode> {
        let DeriveArgs { known, shards: ShardArgs { shard, into, from_shards }, engine } = args;
        let Some((shard, into)) = shard.zip(into) else {
            let engine = engine.to_engine(self.worker_options(known.known_at))?.map(ShardSource::Engine);
            let shards = from_shards.map(ShardSource::Folder).or(engine);
            return self.run(&lake, RunJob { shards, ..known.run_until("derive") }, false, now);
        };
        let decisions = DecisionFiles::read_folder(self.aliases.as_deref(), &lake)?;
        self.print_report(write_shard(&LakeView::new(lake, known.known_at, decisions), shard, &into)?)
    }

    /// Options of this call that one for a part of its work has as well, on a worker of an engine.
    fn worker_options(&self, known_at: Option<DateTime<Utc>>) -> Vec<String> {
        let folders = [
            ("--lake", Some(&self.lake)),
            ("--aliases", self.aliases.as_ref()),
            ("--catalog-data", self.catalog_data.as_ref()),
        ];
        let folders =
            folders.into_iter().filter_map(|(name, folder)| Some([name.to_owned(), of_worker(folder?)]));
        let known_at =
            known_at.map(|at| ["--known-at".to_owned(), at.to_rfc3339_opts(SecondsFormat::AutoSi, true)]);
        folders.chain(known_at).flatten().collect()
    }

    fn run_ledger(
        &self,
        lake: &Lake,
        args: &ledger::LedgerArgs,
        now: DateTime<Utc>,
    ) -> anyhow::Result<ExitCode> {
        if let Some(id) = &args.show {
            return self.print_report(ledger::show_entries(lake, id)?);
        }
        let run = TakeInArgs::without_sources().run_until(Some("ledger"));
        self.run(lake, RunJob { ledger: args.replay_span(now), ..run }, false, now)
    }

    /// Tells what a command answers, or does the run that it comes to.
    fn finish_task(&self, lake: &Lake, task: CommandTask, now: DateTime<Utc>) -> anyhow::Result<ExitCode> {
        match task {
            CommandTask::Report(report) => self.print_report(report),
            CommandTask::Run { run, dry_run } => self.run(lake, *run, dry_run, now),
        }
    }

    fn print_report(&self, report: CommandReport) -> anyhow::Result<ExitCode> {
        report.print_to_stdout(self.json)
    }

    /// Of commands that cron calls: with `--quiet` they tell errors only, and JSON where that is asked for.
    fn print_unless_quiet(&self, report: CommandReport) -> anyhow::Result<ExitCode> {
        if self.quiet && !self.json { Ok(report.code()) } else { self.print_report(report) }
    }
}
