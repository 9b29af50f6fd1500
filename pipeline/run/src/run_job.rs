//! `fightdna run`: what is new, through all stages, to a snapshot. The one command that cron calls.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use fdna_lake::{Capture, Lake, LakeError, LakeWriter};
use fdna_schemas::CatalogSource;

use crate::accept::{AcceptCapture, CaptureName};
use crate::audits::{AuditReport, AuditRule};
use crate::captures::lake_view::{LakeView, all_captures};
use crate::catalog::models::ModelsJob;
use crate::catalog::one_sport::PreparedSport;
use crate::catalog::publish::{MeasuredOutput, PublishCatalogJob};
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::decisions::DecisionFiles;
use crate::ended::{EndedRun, build_report, or_panicked};
use crate::engine::ExternalEngine;
use crate::exit::{ExitCode, error_with_code, exit_code};
use crate::import::add::{AddCapture, AddCaptures};
use crate::import::sample;
use crate::import::source::{CaptureFolder, CapturedAt, SourceFolder};
use crate::ingest::isolation::ReaderIsolation;
use crate::ingest::job::IngestJob;
use crate::ledger::{RecordLedger, ReplaySpan};
use crate::product::Product;
use crate::progress::RunProgress;
use crate::properties::validity::{MeasureValuationJob, measured_output};
use crate::publish::PublishJob;
use crate::report::{JobReport, RunReport};
use crate::stages::derive::DeriveDna;
use crate::stages::enrich::EnrichJob;
use crate::stages::graph::{PlannedInput, planned_inputs};
use crate::stages::link::LinkJob;
use crate::stages::normalise::NormaliseJob;
use crate::stages::shards::ShardSource;
use crate::{foundation, licences, run_log};

/// How often a run that waits asks for the lock.
const BETWEEN_TRIES: Duration = Duration::from_millis(500);

/// Parameters of a run.
#[derive(Clone)]
pub struct RunJob {
    pub product: Product,
    /// Licences whose sources count, of a product that takes not every source.
    pub licences: BTreeSet<String>,
    pub sources: Vec<SourceFolder>,
    /// Folders of captures.
    pub captures: Vec<CaptureFolder>,
    pub captured_at: CapturedAt,
    /// Captures that look cut and are to be believed.
    pub accept: Vec<CaptureName>,
    /// Captures taken later do not count; `current` stays where it is.
    pub known_at: Option<DateTime<Utc>>,
    /// Name of the last job to do; all without.
    pub until: Option<&'static str>,
    /// Whether what is published is audited.
    pub audit: Option<AuditRule>,
    pub quiet: bool,
    /// Span that the ledger is written for.
    pub ledger: ReplaySpan,
    /// Decisions of people about identities.
    pub decisions: DecisionFiles,
    /// Where captures are read.
    pub isolation: ReaderIsolation,
    /// Gates that a person accepts, by name.
    pub accepted: Vec<String>,
    /// Where derivation takes its metrics from; it derives them itself without.
    pub shards: Option<ShardSource>,
    /// What runs the models of sports; this program without.
    pub engine: Option<ExternalEngine>,
    /// The sport whose models are run, without the lock; those of all without.
    pub sport: Option<String>,
    /// What its models made already.
    pub prepared: Option<PreparedSport>,
    /// How long another run may hold the lock.
    pub wait: Duration,
}

impl RunJob {
    /// A run of this product to its end, that takes nothing in.
    pub fn new(product: Product) -> Self {
        Self {
            product,
            licences: BTreeSet::new(),
            sources: Vec::new(),
            captures: Vec::new(),
            captured_at: CapturedAt::default(),
            accept: Vec::new(),
            known_at: None,
            until: None,
            audit: None,
            quiet: false,
            ledger: ReplaySpan::Now,
            decisions: DecisionFiles::default(),
            isolation: ReaderIsolation::Thread,
            accepted: Vec::new(),
            shards: None,
            engine: None,
            sport: None,
            prepared: None,
            wait: Duration::ZERO,
        }
    }
}

/// A job of a run that is not done yet.
#[derive(serde::Serialize)]
pub struct PlannedRun {
    pub(crate) job: &'static str,
    #[serde(flatten)]
    pub(crate) pending: PendingOutput,
    /// Inputs, if it is a stage.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) inputs: Vec<PlannedInput>,
}

impl std::fmt::Display for PlannedRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{:<10} {}", self.job, self.pending)?;
        let describe = |planned: &PlannedInput| match planned.changed {
            Some(true) => format!("{} (changed)", planned.input),
            _ => planned.input.clone(),
        };
        let inputs: Vec<String> = self.inputs.iter().map(describe).collect();
        if inputs.is_empty() { Ok(()) } else { writeln!(f, "{:<10} takes {}", "", inputs.join("; ")) }
    }
}

impl RunJob {
    /// The jobs, in order. A dry run prints this list; a run executes it.
    fn list_jobs(&self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<Vec<Box<dyn PipelineJob>>> {
        let mut sources = self.sources.clone();
        let there = all_captures(lake)?;
        self.refuse_others()?;
        // A new lake gets the sample of this build, and so does one whose first run broke off while it took the sample in.
        let is_new = there.is_empty() || (has_only_sample(&there) && !has_snapshots(lake)?);
        if self.product == Product::Mma && sources.is_empty() && self.captures.is_empty() && is_new {
            refuse_sample(lake)?;
            sources.extend(SourceFolder::samples());
        }
        let take_in = |source| {
            Box::new(AddCapture { source, captured_at: self.captured_at, now }) as Box<dyn PipelineJob>
        };
        let mut jobs: Vec<Box<dyn PipelineJob>> = sources.into_iter().map(take_in).collect();
        let take_in_all = |captures| Box::new(AddCaptures { captures, now }) as Box<dyn PipelineJob>;
        jobs.extend(self.captures.iter().cloned().map(take_in_all));
        jobs.extend(
            self.accept
                .iter()
                .map(|name| Box::new(AcceptCapture { name: name.clone() }) as Box<dyn PipelineJob>),
        );
        if self.product != Product::Mma {
            jobs.extend(self.jobs_by_sport());
            self.cut_jobs(&mut jobs);
            return Ok(jobs);
        }
        jobs.extend([
            Box::new(IngestJob) as Box<dyn PipelineJob>,
            Box::new(NormaliseJob),
            Box::new(LinkJob),
            Box::new(EnrichJob),
            Box::new(DeriveDna { shards: self.shards.clone() }),
            Box::new(PublishJob { accepted: self.accepted.clone(), audit: self.audit }),
        ]);
        // What was known at an earlier time is for a replay to write: a run writes what is known now.
        if self.known_at.is_none() {
            jobs.push(Box::new(RecordLedger { when: self.ledger.clone(), now }));
        }
        if let Some(AuditRule::Required) = self.audit {
            jobs.push(Box::new(AuditReport));
        }
        self.cut_jobs(&mut jobs);
        Ok(jobs)
    }

    fn cut_jobs(&self, jobs: &mut Vec<Box<dyn PipelineJob>>) {
        if let Some(last) = self.until.and_then(|name| jobs.iter().rposition(|job| job.name() == name)) {
            jobs.truncate(last + 1);
        }
    }

    /// The jobs behind the captures, of a product that is made of tables by sport.
    fn jobs_by_sport(&self) -> Vec<Box<dyn PipelineJob>> {
        let licences = &self.licences;
        let mut jobs: Vec<Box<dyn PipelineJob>> = vec![
            Box::new(IngestJob),
            Box::new(ModelsJob {
                licences: licences.clone(),
                engine: self.engine.clone(),
                sport: self.sport.clone(),
                prepared: self.prepared.clone(),
            }),
        ];
        let is_measured = self.product == Product::Properties;
        if is_measured {
            jobs.push(Box::new(MeasureValuationJob { licences: licences.clone() }));
        }
        jobs.push(Box::new(PublishCatalogJob {
            licences: licences.clone(),
            measured: is_measured.then_some(measured_output as MeasuredOutput),
            accepted: self.accepted_gates(),
        }));
        jobs
    }

    /// Gates that a person accepts: those that are named, and that tables of a sport shrink of which a capture is believed
    /// that lost rows.
    fn accepted_gates(&self) -> Vec<String> {
        let volume = |name: &CaptureName| {
            CatalogSource::get(name.source()).map(|source| format!("volume:{}_*", source.sport))
        };
        self.accepted.iter().cloned().chain(self.accept.iter().filter_map(volume)).collect()
    }

    /// Refuses captures of sources that another product is made of.
    fn refuse_others(&self) -> anyhow::Result<()> {
        let names = self.sources.iter().map(|s| &s.name).chain(self.captures.iter().map(|c| &c.name));
        let Some(other) = names.into_iter().find(|name| Product::of_source(name) != self.product) else {
            return Ok(());
        };
        let command = Product::of_source(other).run_command();
        Err(error_with_code(
            ExitCode::Usage,
            format!("cannot import a capture of {other} here: use `{command}`"),
        ))
    }

    /// The work that [`Self::execute`] would do, by job.
    ///
    /// # Errors
    /// The lake cannot be read.
    pub fn plan_jobs(&self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<Vec<PlannedRun>> {
        foundation::check_foundation(lake, self.product)?;
        let view = LakeView::new(lake.clone(), self.known_at, self.decisions.clone());
        let mut earlier: Vec<PendingOutput> = Vec::new();
        let mut planned = Vec::new();
        for job in self.list_jobs(lake, now)? {
            let pending = job.pending(&view, &earlier)?;
            let is_decided = !matches!(pending, PendingOutput::Follows(_));
            let inputs = job.stage().map(|stage| planned_inputs(&view, stage, is_decided)).transpose()?;
            planned.push(PlannedRun {
                job: job.name(),
                pending: pending.clone(),
                inputs: inputs.unwrap_or_default(),
            });
            earlier.push(pending);
        }
        Ok(planned)
    }

    /// Runs the jobs under the lake's lock, and keeps a report whatever comes of it.
    ///
    /// # Errors
    /// Another run holds the lock, or a job failed; the report then says `failed` and why.
    pub fn execute(&self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<(RunReport, ExitCode)> {
        match &self.sport {
            Some(sport) => self.execute_sport(sport, lake, now),
            None => self.execute_locked(lake, now),
        }
    }

    /// Becomes the lake's writer, once no other run is or has been for as long as it may wait.
    #[expect(clippy::disallowed_methods, reason = "a run has nothing else to do, and is no server")]
    fn wait_for_lock(&self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<LakeWriter> {
        let begun = Instant::now();
        loop {
            match lake.writer("fightdna run", now) {
                Err(LakeError::Locked { owner, .. }) if begun.elapsed() < self.wait => {
                    tracing::debug!(owner, "waiting for the lake's lock");
                    std::thread::sleep(BETWEEN_TRIES);
                }
                writer => return Ok(writer?),
            }
        }
    }

    pub(crate) fn execute_locked(
        &self,
        lake: &Lake,
        now: DateTime<Utc>,
    ) -> anyhow::Result<(RunReport, ExitCode)> {
        let begun = Instant::now();
        let writer = self.wait_for_lock(lake, now)?;
        let run_id = run_log::begin_run(&writer, now)?;
        let progress = RunProgress::new(self.quiet);
        let view = LakeView::new(lake.clone(), self.known_at, self.decisions.clone());
        let audited = Mutex::default();
        let isolation = self.isolation.clone();
        let ctx = Context { lake: view, writer, now, progress, audited, isolation };
        let ended = or_panicked(|| self.begin_and_run(lake, &ctx));
        ctx.progress.finish();
        let code = ended.exit_code();
        let (mut report, error) = build_report(lake, run_id, now, self.product, ended);
        report.seconds = begun.elapsed().as_secs_f64();
        let kept = ctx.writer.write_run(&report.run_id, &serde_json::to_value(&report)?);
        let error = error.map(|error| match exit_code(&error) == code {
            true => error,
            false => error_with_code(code, format!("{error:#}")),
        });
        // Why a job failed matters more than that it could not be written down.
        error.map_or(Ok(()), Err)?;
        kept?;
        Ok((report, code))
    }
}

impl RunJob {
    /// Runs the jobs on a lake that a run can build on.
    fn begin_and_run(&self, lake: &Lake, ctx: &Context) -> EndedRun {
        let begin = || {
            let established = foundation::establish_foundation(&ctx.writer, self.product)?;
            let chosen = match self.product {
                Product::Mma => None,
                Product::Catalog | Product::Properties => {
                    licences::choose_licences(&ctx.writer, &self.licences)?
                }
            };
            let established = established.into_iter().chain(chosen);
            self.decisions.keep_copy(&ctx.writer, self.accepted.iter().any(|gate| gate == "decisions"))?;
            Ok((established.collect::<Vec<_>>(), self.list_jobs(lake, ctx.now)?))
        };
        match begin() {
            Ok((established, jobs)) => {
                let mut ended = run_with_repair(&jobs, ctx);
                ended.reports.splice(0..0, established);
                ended
            }
            Err(error) => EndedRun { reports: Vec::new(), error: Some(error) },
        }
    }
}

fn has_only_sample(captures: &[Capture]) -> bool {
    let is_sample = |capture: &Capture| {
        capture.synthetic && sample::captured_at(&capture.source) == Some(capture.captured_at)
    };
    captures.iter().all(is_sample)
}

fn has_snapshots(lake: &Lake) -> anyhow::Result<bool> {
    Ok(!lake.readable_snapshots()?.readable.is_empty() || lake.current_snapshot()?.is_some())
}

/// The sample is for a lake that has never had anything else.
fn refuse_sample(lake: &Lake) -> anyhow::Result<()> {
    let kind = lake.capture_log()?.kind.clone();
    if kind.as_ref().is_none_or(|kind| kind.synthetic) && !has_snapshots(lake)? {
        return Ok(());
    }
    let message = format!(
        "no capture in lake {}: it has had some before, and has none that counts now. Is raw/ mounted? \
         `fightdna captures list` names them",
        lake.root().display()
    );
    Err(error_with_code(ExitCode::Unavailable, message))
}

/// Runs the jobs. If one fails and stage outputs are damaged, these are taken back and the jobs run once more:
/// all of it can be made again, of captures that are whole.
fn run_with_repair(jobs: &[Box<dyn PipelineJob>], ctx: &Context) -> EndedRun {
    let first = run_all(jobs, ctx);
    let Some(error) = first.error.as_ref().filter(|error| may_be_damage(error)) else { return first };
    let retracted = ctx.writer.retract_damaged().unwrap_or_else(|failed| {
        tracing::warn!(error = %failed, "what is damaged could not be taken back");
        Vec::new()
    });
    if retracted.is_empty() {
        return first;
    }
    tracing::warn!(%error, ?retracted, "stage outputs are damaged, and are made anew");
    let lines = retracted.into_iter().map(|output| format!("{output}: damaged, made anew")).collect();
    let refused = first.refused_lines();
    let mended = JobReport { refused, ..JobReport::changed("mend", lines) };
    ctx.lake.clear_cache();
    let second = run_all(jobs, ctx);
    EndedRun { reports: std::iter::once(mended).chain(second.reports).collect(), ..second }
}

/// Whether damage can have come to this. A flipped byte of a table is told as such; one of a manifest may come
/// to anything, such as a table that has no contract.
fn may_be_damage(error: &anyhow::Error) -> bool {
    matches!(exit_code(error), ExitCode::BadData | ExitCode::Unavailable | ExitCode::Failed)
}

fn run_all(jobs: &[Box<dyn PipelineJob>], ctx: &Context) -> EndedRun {
    let mut reports = Vec::new();
    for job in jobs {
        let begun = Instant::now();
        match job.run(ctx) {
            Ok(mut report) => {
                report.seconds = begun.elapsed().as_secs_f64();
                tracing::info!(
                    job = job.name(),
                    changed = report.changed,
                    seconds = report.seconds,
                    "job done"
                );
                let is_held = report.is_held;
                reports.push(report);
                // What is not served has no ledger.
                if is_held {
                    break;
                }
            }
            Err(error) => {
                let error = Some(error.context(format!("{} failed", job.name())));
                return EndedRun { reports, error };
            }
        }
    }
    EndedRun { reports, error: None }
}
