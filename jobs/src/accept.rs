//! Believes a capture that looks cut, since a person says that it is right.

use std::str::FromStr;

use fdna_lake::{Lake, LakeError};
use fdna_schemas::{CatalogSource, SourceContract};

use crate::context::{Context, PendingOutput, PipelineJob};
use crate::exit::{ExitCode, coded};
use crate::hold::AcceptedCaptures;
use crate::report::JobReport;
use crate::run::run_command;
use crate::view::LakeView;

/// What a person accepts for a run.
#[derive(Debug, clap::Args)]
pub(crate) struct AcceptArgs {
    /// Publish although this gate does not hold, such as ids, freshness, volume:bouts or 'volume:nhl_*'; or believe this capture,
    /// which looks cut and is held, from now on; may be repeated.
    #[arg(long, value_name = "GATE or SOURCE/CAPTURE")]
    accept: Vec<String>,
}

impl AcceptArgs {
    /// The captures, and the gates.
    ///
    /// # Errors
    /// There is no such source.
    pub(crate) fn parsed(self) -> anyhow::Result<(Vec<CaptureName>, Vec<String>)> {
        let (captures, gates): (Vec<String>, _) =
            self.accept.into_iter().partition(|name| name.contains('/'));
        let names = captures.iter().map(|name| name.parse().map_err(|e: String| coded(ExitCode::Usage, e)));
        Ok((names.collect::<anyhow::Result<_>>()?, gates))
    }
}

/// A capture by its source and id, such as `statsdb/20251102T000000Z-0123abcd`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CaptureName {
    source: String,
    id: String,
}

impl CaptureName {
    pub(crate) fn source(&self) -> &str {
        &self.source
    }
}

impl FromStr for CaptureName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('/') {
            Some((source, id)) if is_source(source) && !id.is_empty() => {
                Ok(Self { source: source.to_owned(), id: id.to_owned() })
            }
            _ => Err("a capture is SOURCE/ID, as `fightdna status` tells those that are held".to_owned()),
        }
    }
}

fn is_source(name: &str) -> bool {
    SourceContract::get(name).is_some() || CatalogSource::get(name).is_some()
}

/// Writes down that a capture is to be believed, for this run and every later one.
pub(crate) struct AcceptCapture {
    pub(crate) name: CaptureName,
}

impl PipelineJob for AcceptCapture {
    fn name(&self) -> &'static str {
        "accept"
    }

    fn pending(&self, lake: &LakeView, _: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let CaptureName { source, id } = &self.name;
        let is_accepted = accepted(lake)?.contains(&(source.clone(), id.clone()));
        Ok(PendingOutput::of(is_accepted, &format!("believe {source} {id}")))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let CaptureName { source, id } = &self.name;
        // A capture from before there was a log is not in it yet.
        if let Err(LakeError::NoCapture { .. }) = ctx.lake.known_capture(source, id) {
            ctx.writer.list_found_captures()?;
        }
        let reason = "it is right although it looks cut";
        match ctx.writer.accept_capture(source, id, &format!("{} --accept", run_command(source)), reason) {
            Ok(true) => {
                ctx.lake.forget();
                Ok(JobReport::changed(self.name(), vec![format!("{source} {id}: believed from now on")]))
            }
            Ok(false) => Ok(JobReport::unchanged(self.name(), format!("{source} {id}: believed already"))),
            Err(error @ LakeError::NoCapture { .. }) => Err(coded(ExitCode::Usage, error.to_string())),
            Err(error) => Err(error.into()),
        }
    }
}

/// The captures that people believe although they look cut.
pub(crate) fn accepted(lake: &Lake) -> anyhow::Result<AcceptedCaptures> {
    let log = lake.capture_log()?;
    let accepted = log.captures.iter().filter(|known| known.is_accepted);
    Ok(accepted.map(|known| (known.capture.source.clone(), known.capture.id.clone())).collect())
}
