//! `fightdna properties`: the run that takes captures of properties in, and what valuations of them are worth.

mod ratio_study;
mod sample_report;
mod validity;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use fdna_lake::Lake;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::import::source::CaptureFolder;
use fdna_run::product::Product;
use fdna_run::run_job::RunJob;
use fdna_schemas::{CatalogSource, PROPERTIES};

use crate::commands::args::accept::AcceptArgs;
use crate::commands::args::licences::LicencesArg;
use crate::commands::args::take_in::TakeInArgs;
use crate::commands::task::CommandTask;

#[derive(Args)]
pub(crate) struct PropertiesArgs {
    #[command(subcommand)]
    command: PropertiesCommand,
}

#[derive(Subcommand)]
enum PropertiesCommand {
    /// Take captures in, make the tables of properties, measure what valuations are worth, and publish.
    Run(Box<PropertiesRunArgs>),
    /// Measure again what valuations are worth on the published tables: each quarter's sales valued by the sales before it.
    Validity,
    /// A ratio study of the same values: median ratio, COD, PRD, PRB and MKI with 95 % intervals, by slice of the sales.
    RatioStudy(ratio_study::RatioStudyArgs),
    /// A random-sample test of valuations with its seed, results and digest, which the same lake makes again.
    SampleReport(sample_report::SampleReportArgs),
}

/// Which captures are taken in, and what of them counts.
#[derive(Args)]
struct PropertiesRunArgs {
    #[command(flatten)]
    take_in: TakeInArgs,
    /// Folder with a folder for each source, and in it one for each capture, named by its day: FOLDER/nyc-sales/2024-04-16
    /// is taken in as properties-nyc-sales.
    #[arg(long, value_name = "FOLDER")]
    all: Option<PathBuf>,
    #[command(flatten)]
    licences: LicencesArg,
    #[command(flatten)]
    accept: AcceptArgs,
    /// Print what would be done.
    #[arg(long)]
    dry_run: bool,
}

impl PropertiesArgs {
    /// Captures that it is given.
    pub(crate) fn takes_in(&self) -> Option<&TakeInArgs> {
        match &self.command {
            PropertiesCommand::Run(run) => Some(&run.take_in),
            _ => None,
        }
    }

    /// # Errors
    /// There is no such licence or folder, or nothing is published.
    pub(crate) fn run(self, lake: &Lake) -> anyhow::Result<CommandTask> {
        Ok(match self.command {
            PropertiesCommand::Run(args) => {
                let dry_run = args.dry_run;
                CommandTask::Run { run: Box::new(args.into_run(lake)?), dry_run }
            }
            PropertiesCommand::Validity => CommandTask::Report(validity::report_validity(lake)?),
            PropertiesCommand::RatioStudy(args) => CommandTask::Report(args.report_study(lake)?),
            PropertiesCommand::SampleReport(args) => CommandTask::Report(args.make_report(lake)?),
        })
    }
}

impl PropertiesRunArgs {
    fn into_run(self, lake: &Lake) -> anyhow::Result<RunJob> {
        let mut run = self.take_in.run_until(None);
        let licences = self.licences.chosen_for(lake)?;
        if let Some(folder) = &self.all {
            run.captures.extend(captures_of(folder)?);
        }
        (run.accept, run.accepted) = self.accept.parse_names()?;
        (run.product, run.licences) = (Product::Properties, licences);
        Ok(run)
    }
}

/// Every source of properties that has its folder of captures in this one.
fn captures_of(folder: &Path) -> anyhow::Result<Vec<CaptureFolder>> {
    let there = |source: &CatalogSource| {
        let name = source.source.strip_prefix(PROPERTIES)?.strip_prefix('-')?;
        let folder = folder.join(name);
        folder.is_dir().then(|| CaptureFolder::new(&source.source, folder))
    };
    let own = CatalogSource::all().filter(|source| source.sport == PROPERTIES);
    let found: Vec<CaptureFolder> = own.filter_map(there).collect();
    if found.is_empty() {
        let message = format!("properties: no folder such as nyc-sales in {}", folder.display());
        return Err(error_with_code(ExitCode::Unavailable, message));
    }
    Ok(found)
}
