//! Believes a capture that looks cut, since a person says that it is right.

use std::str::FromStr;

use fdna_lake::{Capture, Lake, LakeError};
use fdna_schemas::{CatalogSource, SourceContract, Table, Tables};

use crate::context::{Context, PendingOutput, PipelineJob};
use crate::exit::{ExitCode, coded};
use crate::hold::AcceptedCaptures;
use crate::ingest::refusals;
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
    /// There is no such source or gate.
    pub(crate) fn parsed(self) -> anyhow::Result<(Vec<CaptureName>, Vec<String>)> {
        let (captures, gates): (Vec<String>, Vec<String>) =
            self.accept.into_iter().partition(|name| name.contains('/'));
        let names = captures.iter().map(|name| name.parse().map_err(|e: String| coded(ExitCode::Usage, e)));
        let names = names.collect::<anyhow::Result<_>>()?;
        match gates.iter().find(|gate| !is_gate(gate)) {
            Some(unknown) => Err(coded(ExitCode::Usage, unknown_gate(unknown))),
            None => Ok((names, gates)),
        }
    }
}

/// Whether there can be a gate of this name; a `*` at its end stands for any end.
fn is_gate(name: &str) -> bool {
    let (kind, of) = name.split_once(':').map_or((name, None), |(kind, of)| (kind, Some(of)));
    let is_table = |name: &str| match name.strip_suffix('*') {
        Some(begin) => published_tables().any(|table| table.name.starts_with(begin)),
        None => published_tables().any(|table| table.name == name),
    };
    match (kind, of) {
        ("ids" | "freshness" | "decisions", None) => true,
        ("freshness", Some(source)) => is_source(source),
        ("volume", Some(table)) => is_table(table),
        ("audit", Some(audit)) => !audit.is_empty(),
        _ => false,
    }
}

fn published_tables() -> impl Iterator<Item = &'static Table> {
    Tables::get().iter().chain(Tables::get().published_by_catalog())
}

fn unknown_gate(name: &str) -> String {
    format!(
        "no gate `{name}`: gates are ids, freshness, freshness:SOURCE, volume:TABLE, audit:NAME and decisions; a run that a \
         gate holds names it"
    )
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
        let is_asked = |capture: &Capture| capture.source == *source && capture.id == *id;
        if let Some((_, why)) = refusals(&ctx.lake)?.into_iter().find(|(capture, _)| is_asked(capture)) {
            let why = why.join("; ");
            let message = format!(
                "accept {source} {id}: it cannot be read ({why}), so that nothing of it could count; withdraw it with \
                 `fightdna captures withdraw {source} {id}`, or replace it"
            );
            return Err(coded(ExitCode::Usage, message));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_that_there_are_are_accepted_and_no_others() {
        for gate in
            ["ids", "freshness", "freshness:statsdb", "volume:bouts", "volume:nhl_*", "audit:x", "decisions"]
        {
            assert!(is_gate(gate), "{gate}");
        }
        for gate in [
            "",
            "id",
            "nonsense",
            "volume",
            "volume:boutz",
            "volume:curling_*",
            "freshness:nobody",
            "audit:",
            "ids:x",
        ] {
            assert!(!is_gate(gate), "{gate}");
        }
    }
}
