//! `fightdna run`: what is new, through all stages, to a snapshot. The one command that cron calls.

use std::collections::BTreeMap;
use std::time::Instant;

use chrono::{DateTime, Utc};
use fdna_lake::Lake;
use fdna_schemas::TableReader;

use crate::context::{Context, Job, Pending};
use crate::derive::DeriveDna;
use crate::exit::ExitCode;
use crate::ingest::{Ingest, TakeIn, captures};
use crate::normalise::Normalise;
use crate::progress::Progress;
use crate::publish::{Publish, current};
use crate::report::{Report, RunReport};
use crate::source::Source;

/// Parameters of a run.
pub(crate) struct Run {
    pub(crate) sources: Vec<Source>,
    pub(crate) captured_at: Option<DateTime<Utc>>,
    /// Name of the last job to do; all without.
    pub(crate) until: Option<&'static str>,
    pub(crate) quiet: bool,
}

/// Stages of the design that this build does not have.
const NOT_RUN: [&str; 2] = ["ledger", "audit"];

impl Run {
    /// The jobs, in order. A dry run prints this list; a run executes it.
    fn jobs(&self, lake: &Lake) -> anyhow::Result<Vec<Box<dyn Job>>> {
        let mut sources = self.sources.clone();
        let there = captures(lake)?;
        // A new lake, or one of samples, gets the sample of this build; a lake of real captures never does.
        if sources.is_empty() && there.iter().all(|c| c.synthetic) {
            sources.push(Source::sample());
        }
        let take_in = |source| Box::new(TakeIn { source, captured_at: self.captured_at }) as Box<dyn Job>;
        let mut jobs: Vec<Box<dyn Job>> = sources.into_iter().map(take_in).collect();
        jobs.extend([
            Box::new(Ingest) as Box<dyn Job>,
            Box::new(Normalise),
            Box::new(DeriveDna),
            Box::new(Publish),
        ]);
        if let Some(last) = self.until.and_then(|name| jobs.iter().rposition(|job| job.name() == name)) {
            jobs.truncate(last + 1);
        }
        Ok(jobs)
    }

    /// What [`Self::execute`] would do, one line per job.
    ///
    /// # Errors
    /// The lake cannot be read.
    pub(crate) fn plan(&self, lake: &Lake) -> anyhow::Result<Vec<String>> {
        let mut earlier: Vec<Pending> = Vec::new();
        let mut lines = Vec::new();
        for job in self.jobs(lake)? {
            let pending = job.pending(lake, &earlier)?;
            lines.push(format!("{:<10} {pending}", job.name()));
            earlier.push(pending);
        }
        Ok(lines)
    }

    /// Runs the jobs under the lake's lock, and keeps a report whatever comes of it.
    ///
    /// # Errors
    /// Another run holds the lock, or a job failed; the report then says `failed` and why.
    pub(crate) fn execute(&self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<(RunReport, ExitCode)> {
        let begun = Instant::now();
        let writer = lake.writer("fightdna run", now)?;
        let jobs = self.jobs(lake)?;
        let progress = Progress::new(self.quiet);
        let ctx = Context { lake: lake.clone(), writer, now, progress };
        let (reports, error) = run_all(&jobs, &ctx);
        ctx.progress.finish();
        let changed = reports.iter().any(|report| report.changed);
        let outcome = match (&error, changed) {
            (Some(_), _) => "failed",
            (None, true) => "done",
            (None, false) => "nothing_to_do",
        };
        let mut report = self.report(lake, now, reports, outcome)?;
        report.error = error.as_ref().map(|error| format!("{error:#}"));
        report.seconds = begun.elapsed().as_secs_f64();
        ctx.writer.write_run(&report.run_id, &serde_json::to_value(&report)?)?;
        match error {
            Some(error) => Err(error),
            None => Ok((report, if changed { ExitCode::Done } else { ExitCode::NothingToDo })),
        }
    }

    fn report(
        &self,
        lake: &Lake,
        now: DateTime<Utc>,
        jobs: Vec<Report>,
        outcome: &'static str,
    ) -> anyhow::Result<RunReport> {
        let current = current(lake)?;
        Ok(RunReport {
            run_id: now.format("%Y%m%dT%H%M%S%3fZ").to_string(),
            started_at: now.to_rfc3339(),
            version: env!("CARGO_PKG_VERSION"),
            lake: lake.root().display().to_string(),
            synthetic: current.as_ref().is_some_and(|m| m.synthetic),
            outcome,
            error: None,
            jobs,
            quarantine: current.as_ref().map(|m| quarantine(lake, m)).transpose()?.unwrap_or_default(),
            snapshot_id: current.map(|m| m.id.to_string()),
            not_run: NOT_RUN.to_vec(),
            seconds: 0.0,
        })
    }
}

fn run_all(jobs: &[Box<dyn Job>], ctx: &Context) -> (Vec<Report>, Option<anyhow::Error>) {
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
                reports.push(report);
            }
            Err(error) => return (reports, Some(error.context(format!("{} failed", job.name())))),
        }
    }
    (reports, None)
}

/// Rows set aside in a snapshot, by kind and severity.
pub(crate) fn quarantine(
    lake: &Lake,
    manifest: &fdna_lake::SnapshotManifest,
) -> anyhow::Result<Vec<(String, usize)>> {
    let batch = lake.read_snapshot_table(manifest, "quarantine")?;
    let reader = TableReader::new("quarantine", &batch);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for (kind, severity) in reader.texts("kind")?.into_iter().zip(reader.texts("severity")?) {
        let kind = if severity == "note" { format!("{kind} (note)") } else { kind.to_owned() };
        *kinds.entry(kind).or_default() += 1;
    }
    Ok(kinds.into_iter().collect())
}
