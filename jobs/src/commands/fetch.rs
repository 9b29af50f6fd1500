//! `fightdna fetch`: asks the sources that have an HTTP address, as the operator's plan says, and keeps what is
//! new as captures. It takes nothing in: the next `fightdna run` does.
//!
//! The lake is locked only to write what came, never while an answer is waited for. A source that fails leaves
//! what there was as it is, and the others go on.

mod conditional_state;
mod environment;
mod report;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use clap::Args;
use fdna_fetch::{Environment, FetchFailure, FetchPlan, HostRates, SourcePlan};
use fdna_lake::{AddedCapture, FetchState, Lake, LakeError, LakeWriter, NewCapture};
use fdna_run::captures::lake_view::all_captures;
use fdna_run::exit::{ExitCode, error_with_code, exit_code};
use fdna_run::import::add::refuse_mixing;
use fdna_run::import::source::unknown_source;
use fdna_schemas::SourceContract;

use conditional_state::ConditionalState;
use environment::SystemClock;
use report::{FetchOutcome, SourceReport};

pub(crate) use report::FetchReport;

/// How often, and after which waits, the lake is tried again while another run has it.
const LOCK_WAITS: (u32, Duration) = (60, Duration::from_secs(5));

#[derive(Args)]
pub(crate) struct FetchArgs {
    /// The plan: which addresses of which source, how often and under which name.
    #[arg(long, default_value = "sources.toml")]
    config: PathBuf,
    /// Name of a source in the plan; may be repeated. Without, all of them.
    #[arg(long = "source")]
    sources: Vec<String>,
    /// Pass over sources that were fetched less than their `every_minutes` ago.
    #[arg(long)]
    if_due: bool,
    /// Print what would be asked, and ask nothing.
    #[arg(long)]
    dry_run: bool,
}

impl FetchArgs {
    /// # Errors
    /// The plan cannot be used, or the lake cannot be read; a source that fails is told in the report.
    pub(crate) fn run(&self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<FetchReport> {
        let begun = Instant::now();
        let plans = self.chosen_plans()?;
        refuse_mixing(lake, &all_captures(lake)?, false)?;
        let world = SystemClock::new(now);
        let mut turn = FetchRound { lake, world: &world, hosts: HostRates::default() };
        let mut reports = Vec::new();
        for plan in &plans {
            reports.push(match self.left_out(lake, plan, now)? {
                Some(state) => SourceReport::new(&plan.name, state),
                None => turn.fetch_source(plan, self.dry_run),
            });
        }
        let seconds = begun.elapsed().as_secs_f64();
        Ok(FetchReport { lake: lake.root().display().to_string(), sources: reports, seconds })
    }

    /// The plans of the sources asked for.
    fn chosen_plans(&self) -> anyhow::Result<Vec<SourcePlan>> {
        let path = self.config.display();
        let usage = |message: String| error_with_code(ExitCode::Usage, message);
        let text = std::fs::read_to_string(&self.config).map_err(|error| {
            usage(format!("cannot read the plan `{path}`: {error}; data/sources.example.toml shows one"))
        })?;
        let plan = FetchPlan::parse(&text)
            .map_err(|error| usage(format!("`{path}` is not valid: {:#}", anyhow::Error::new(error))))?;
        let unknown = plan.sources.iter().find(|source| SourceContract::get(&source.name).is_none());
        if let Some(unknown) = unknown {
            let why = unknown_source(&unknown.name, SourceContract::names());
            return Err(usage(format!("`{path}` is not valid: {why}")));
        }
        let known = |name: &String| plan.sources.iter().any(|source| source.name == *name);
        if let Some(name) = self.sources.iter().find(|name| !known(name)) {
            return Err(usage(format!("no source `{name}` in `{path}`")));
        }
        let is_asked = |source: &SourcePlan| self.sources.is_empty() || self.sources.contains(&source.name);
        Ok(plan.sources.into_iter().filter(is_asked).collect())
    }

    /// Why a source is not asked this time.
    fn left_out(
        &self,
        lake: &Lake,
        plan: &SourcePlan,
        now: DateTime<Utc>,
    ) -> anyhow::Result<Option<FetchOutcome>> {
        let Some(state) = lake.fetch_state(&plan.name)? else { return Ok(None) };
        if state.not_before.is_some_and(|until| now < until) {
            return Ok(Some(FetchOutcome::LeftAlone));
        }
        let every = TimeDelta::minutes(plan.every_minutes.into());
        let is_due = state.fetched_at.is_none_or(|last| now - last >= every);
        Ok((self.if_due && !is_due).then_some(FetchOutcome::NotDue))
    }
}

/// State shared by the sources of one fetch.
struct FetchRound<'a> {
    lake: &'a Lake,
    world: &'a SystemClock,
    hosts: HostRates,
}

impl FetchRound<'_> {
    fn fetch_source(&mut self, plan: &SourcePlan, is_dry: bool) -> SourceReport {
        let mut report = SourceReport::new(&plan.name, FetchOutcome::Unchanged);
        if let Err(error) = self.fetch_files(plan, is_dry, &mut report) {
            report.state = FetchOutcome::Failed;
            report.code = match exit_code(&error) {
                ExitCode::Failed => ExitCode::Unavailable,
                code => code,
            };
            report.error = Some(format!("{error:#}"));
        }
        report
    }

    fn fetch_files(
        &mut self,
        plan: &SourcePlan,
        is_dry: bool,
        report: &mut SourceReport,
    ) -> anyhow::Result<()> {
        let remembered = ConditionalState::read_state(self.lake, plan)?;
        if is_dry {
            report.state = FetchOutcome::WouldAsk;
            report.files = plan.files.iter().map(|file| remembered.would_ask(file)).collect();
            return Ok(());
        }
        let captured_at = self.world.now();
        let known = |file: &_| remembered.validators(file);
        let fetched = fdna_fetch::fetch_source(plan, &known, &mut self.hosts, self.world);
        let fetched = fetched.or_else(|failure| self.leave_alone(&plan.name, failure))?;
        report.files = fetched.iter().map(report::FileReport::from_fetched).collect();
        let state = FetchState::new(captured_at, remembered.state_after(plan, &fetched)?);
        let files =
            fetched.into_iter().map(|f| remembered.complete_body(f)).collect::<anyhow::Result<_>>()?;
        self.keep_capture(plan, captured_at, files, &state, report)
    }

    /// Remembers a host's word that it is to be left alone; the failure stays one.
    fn leave_alone<T>(&self, source: &str, failure: FetchFailure) -> anyhow::Result<T> {
        if let Some(until) = failure.not_before {
            let writer = self.wait_for_writer()?;
            let state = self.lake.fetch_state(source)?.unwrap_or_else(FetchState::never_fetched);
            writer.write_fetch_state(source, &FetchState { not_before: Some(until), ..state })?;
        }
        Err(failure.into())
    }

    /// Keeps what came, unless the newest capture is the same, and what the addresses said of it.
    fn keep_capture(
        &self,
        plan: &SourcePlan,
        captured_at: DateTime<Utc>,
        files: Vec<(String, Bytes)>,
        state: &FetchState,
        report: &mut SourceReport,
    ) -> anyhow::Result<()> {
        let new = NewCapture { source: plan.name.clone(), captured_at, synthetic: false, files };
        let writer = self.wait_for_writer()?;
        let added = writer.add_capture(new).context("cannot store the capture")?;
        report.state = if added.is_new() { FetchOutcome::Captured } else { FetchOutcome::Unchanged };
        let (AddedCapture::New(capture) | AddedCapture::AlreadyThere(capture)) = added;
        report.capture = Some(capture.id);
        writer.write_fetch_state(&plan.name, state).context("cannot store the state of the addresses")
    }

    /// Another run may have the lake for a minute or two: what was fetched is worth waiting for.
    fn wait_for_writer(&self) -> Result<LakeWriter, LakeError> {
        let (times, wait) = LOCK_WAITS;
        for _ in 0..times {
            match self.lake.writer("fightdna fetch", self.world.now()) {
                Err(LakeError::Locked { .. }) => self.world.wait_for(wait),
                other => return other,
            }
        }
        self.lake.writer("fightdna fetch", self.world.now())
    }
}
