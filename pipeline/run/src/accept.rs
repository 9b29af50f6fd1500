//! Believes a capture that looks cut, since a person says that it is right.

use std::str::FromStr;

use fdna_lake::{Capture, LakeError};
use fdna_schemas::{CatalogSource, SourceContract};

use crate::captures::completeness::DecidedCaptures;
use crate::captures::lake_view::LakeView;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::exit::{ExitCode, error_with_code};
use crate::product::Product;
use crate::report::JobReport;

/// A capture by its source and id, such as `statsdb/20251102T000000Z-0123abcd`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureName {
    source: String,
    id: String,
}

impl CaptureName {
    pub fn source(&self) -> &str {
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

pub fn is_source(name: &str) -> bool {
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
        let is_accepted = DecidedCaptures::read_log(lake)?.accepted.contains(&(source.clone(), id.clone()));
        Ok(PendingOutput::from_presence(is_accepted, &format!("believe {source} {id}")))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let CaptureName { source, id } = &self.name;
        // A capture from before there was a log is not in it yet.
        if let Err(LakeError::NoCapture { .. }) = ctx.lake.known_capture(source, id) {
            ctx.writer.list_found_captures()?;
        }
        let is_asked = |capture: &Capture| capture.source == *source && capture.id == *id;
        if let Some((_, why)) = ctx.lake.refusals()?.into_iter().find(|(capture, _)| is_asked(capture)) {
            let why = why.join("; ");
            let message = format!(
                "accept {source} {id}: it cannot be read ({why}), so that nothing of it could count; withdraw it with \
                 `fightdna captures withdraw {source} {id}`, or replace it"
            );
            return Err(error_with_code(ExitCode::Usage, message));
        }
        let reason = "it is right although it looks cut";
        match ctx.writer.accept_capture(
            source,
            id,
            &format!("{} --accept", Product::of_source(source).run_command()),
            reason,
        ) {
            Ok(true) => {
                ctx.lake.clear_cache();
                Ok(JobReport::changed(self.name(), vec![format!("{source} {id}: believed from now on")]))
            }
            Ok(false) => Ok(JobReport::unchanged(self.name(), format!("{source} {id}: believed already"))),
            Err(error @ LakeError::NoCapture { .. }) => {
                Err(error_with_code(ExitCode::Usage, error.to_string()))
            }
            Err(error) => Err(error.into()),
        }
    }
}
