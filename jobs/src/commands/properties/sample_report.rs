//! `fightdna properties sample-report`: a random-sample test of valuations, as a lender files it.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use fdna_lake::Lake;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::properties::sample_report::make_sample_report;
use fdna_run::properties::tables::read_published;
use serde_json::Value;

use crate::output::CommandReport;

#[derive(Args)]
pub(crate) struct SampleReportArgs {
    /// Sales to draw.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    sample: u32,
    /// Whole number that the draw hangs on: equal ones draw equal sales.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Make the report of this file again, with its sample and seed, and compare.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sample", "seed"])]
    check: Option<PathBuf>,
}

impl SampleReportArgs {
    /// # Errors
    /// Nothing is published, the lake cannot be read, or a report to be checked cannot be read or is another.
    pub(super) fn make_report(&self, lake: &Lake) -> anyhow::Result<CommandReport> {
        let (book, snapshot) = read_published(lake)?;
        let Some(file) = &self.check else {
            let report = make_sample_report(&book, &snapshot, self.sample as usize, self.seed);
            return Ok(CommandReport::done(format!("{report:#}\n"), &report));
        };
        let text =
            std::fs::read(file).with_context(|| format!("cannot read the report {}", file.display()))?;
        let unusable = |why: String| {
            error_with_code(
                ExitCode::BadData,
                format!("properties: {} is no sample report: {why}", file.display()),
            )
        };
        let given: Value = serde_json::from_slice(&text).map_err(|error| unusable(error.to_string()))?;
        let number = |name: &str| {
            given[name].as_u64().ok_or_else(|| unusable(format!("it has no whole number `{name}`")))
        };
        let sample = usize::try_from(number("sample")?).unwrap_or(usize::MAX);
        let made = make_sample_report(&book, &snapshot, sample, number("seed")?);
        let others: Vec<&str> = [
            "snapshot_id",
            "definition_version",
            "constants_sha256",
            "population",
            "results",
            "rows",
            "sha256",
        ]
        .into_iter()
        .filter(|name| made[*name] != given[*name])
        .collect();
        if made == given {
            let line = format!("{}: the same report is made of snapshot {snapshot}\n", file.display());
            return Ok(CommandReport::done(line, &made));
        }
        let message = format!(
            "properties: {} is not the report that snapshot {snapshot} makes: {} differ; `fightdna snapshots --lake LAKE` lists others",
            file.display(),
            others.join(", ")
        );
        Err(error_with_code(ExitCode::BadData, message))
    }
}
