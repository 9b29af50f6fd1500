//! `fightdna catalog`: the routes of the multi-sport catalog, and the run that makes its tables.

mod check;
mod validity;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use chrono::NaiveDate;
use clap::{Args, Subcommand};
use fdna_catalog::{CatalogTotals, ListingFilter, RouteCatalog, RouteKind};
use fdna_lake::Lake;
use fdna_run::captures::lake_view::LakeView;
use fdna_run::catalog::on_engine::write_models;
use fdna_run::decisions::DecisionFiles;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::import::source::{CaptureOrigin, SourceFolder};
use fdna_run::part_file::fill_folder;
use fdna_run::product::Product;
use fdna_run::run_job::RunJob;
use fdna_schemas::CatalogSource;
use serde_json::json;

use crate::commands::args::accept::AcceptArgs;
use crate::commands::args::engine::EngineArgs;
use crate::commands::args::licences::LicencesArg;
use crate::commands::args::take_in::TakeInArgs;
use crate::commands::catalog_data::route_catalog;
use crate::commands::task::CommandTask;
use crate::output::CommandReport;
use check::CheckedTables;

#[derive(Args)]
pub(crate) struct CatalogArgs {
    #[command(subcommand)]
    pub(crate) command: CatalogCommand,
}

/// Which captures are taken in, and what of them counts.
#[derive(Args)]
pub(crate) struct CatalogRunArgs {
    #[command(flatten)]
    pub(crate) take_in: TakeInArgs,
    /// Folder with a folder for each sport, and in it one for each source, each a capture: FOLDER/nhl/boxes is taken in
    /// as nhl-boxes.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) all: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) licences: LicencesArg,
    #[command(flatten)]
    accept: AcceptArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// Run the models of this sport alone, such as nhl. The lake's lock is not held meanwhile: machines that share the lake make
    /// a snapshot together, each a sport of it. Of --all, the sources of the sport are taken in.
    #[arg(long, conflicts_with_all = ["engine", "dry_run"])]
    sport: Option<String>,
    /// Wait so long for the end of another run; 600 with --sport.
    #[arg(long, value_name = "SECONDS")]
    wait: Option<u64>,
    /// Print what would be done.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl CatalogRunArgs {
    /// # Errors
    /// There is no such licence, or the lake or the folder of all sources cannot be read.
    fn into_run(self, lake: &Lake, options: Vec<String>) -> anyhow::Result<RunJob> {
        let engine = self.engine.to_engine(options)?;
        let mut run = self.take_in.run_until(None);
        let licences = self.licences.chosen_for(lake)?;
        if let Some(folder) = &self.all {
            run.sources.extend(sources_of(folder)?);
        }
        if let Some(sport) = &self.sport {
            check_sport(sport)?;
            let is_of_sport = |name: &str| CatalogSource::get(name).is_some_and(|s| s.sport == *sport);
            run.sources.retain(|source| is_of_sport(&source.name));
        }
        let wait = if self.sport.is_some() { WAIT_OF_A_SPORT } else { 0 };
        run.wait = Duration::from_secs(self.wait.unwrap_or(wait));
        run.sport = self.sport;
        (run.product, run.licences, run.engine) = (Product::Catalog, licences, engine);
        (run.accept, run.accepted) = self.accept.parse_names()?;
        Ok(run)
    }
}

/// Seconds that a run of one sport waits for those of others.
const WAIT_OF_A_SPORT: u64 = 600;

fn check_sport(sport: &str) -> anyhow::Result<()> {
    let known: BTreeSet<&str> = CatalogSource::all().map(|source| source.sport.as_str()).collect();
    if known.contains(sport) {
        return Ok(());
    }
    let known = known.into_iter().collect::<Vec<_>>().join(", ");
    Err(error_with_code(ExitCode::Usage, format!("there is no sport `{sport}`: there are {known}")))
}

/// Every source that has its folder in one of its sport's.
fn sources_of(folder: &Path) -> anyhow::Result<Vec<SourceFolder>> {
    let there = |source: &CatalogSource| {
        let name = source.source.strip_prefix(&source.sport)?.strip_prefix('-')?;
        let folder = folder.join(&source.sport).join(name);
        let origin = CaptureOrigin::Folder(folder.clone());
        folder.is_dir().then(|| SourceFolder { name: source.source.clone(), origin })
    };
    let found: Vec<SourceFolder> = CatalogSource::all().filter_map(there).collect();
    if found.is_empty() {
        let message = format!("catalog: no folder such as nhl/boxes in {}", folder.display());
        return Err(error_with_code(ExitCode::Unavailable, message));
    }
    Ok(found)
}

#[derive(Subcommand)]
pub(crate) enum CatalogCommand {
    /// Take captures in, run the models of every sport with new facts, and publish: the command that cron calls.
    Run(Box<CatalogRunArgs>),
    /// Run the models of a sport, and leave what they make in a folder, for a run that an engine shares out.
    #[command(hide = true)]
    Models {
        #[arg(long)]
        sport: String,
        #[arg(long)]
        into: PathBuf,
        #[command(flatten)]
        licences: LicencesArg,
    },
    /// List the routes, with what each answers.
    Routes {
        /// Those of the narrow listing alone.
        #[arg(long)]
        narrow: bool,
        /// Those of one sport alone, such as nhl.
        #[arg(long)]
        sport: Option<String>,
    },
    /// Check the routes: their paths, parameters, codes and examples, each alone and against all others.
    Check {
        /// Run the models of every sport in the lake again too, with four threads that meet the facts in another order:
        /// they must make the tables that are there. Nothing is kept.
        #[arg(long)]
        models: bool,
        /// Ask what must hold between the tables of the lake's current snapshot, too, and say what does.
        #[arg(long)]
        audits: bool,
        /// Run the models over the facts of the days before this one too: the rows that hold as of a day until then must
        /// be those that are there. Nothing is kept.
        #[arg(long, value_name = "DATE")]
        as_of: Vec<NaiveDate>,
        /// Run the models of one sport alone, such as nfl.
        #[arg(long)]
        sport: Option<String>,
        #[command(flatten)]
        licences: LicencesArg,
    },
    /// What every metric of DNA is worth, measured out of time when the snapshot was made, and the constants that its file
    /// would take now.
    Validity {
        /// Those of one sport alone, such as wnba.
        #[arg(long)]
        sport: Option<String>,
        /// End with the constants that differ.
        #[arg(long)]
        fit: bool,
    },
}

impl CatalogArgs {
    /// # Errors
    /// The routes cannot be read or contradict themselves, or there is no such sport. `options` are those that tasks of an engine
    /// have as this call has them.
    pub(crate) fn run(self, lake: &Lake, options: Vec<String>) -> anyhow::Result<CommandTask> {
        Ok(CommandTask::Report(match self.command {
            CatalogCommand::Run(args) => {
                let dry_run = args.dry_run;
                return Ok(CommandTask::Run { run: Box::new(args.into_run(lake, options)?), dry_run });
            }
            CatalogCommand::Models { sport, into, licences } => {
                let view = LakeView::new(lake.clone(), None, DecisionFiles::default());
                let licences = licences.chosen_for(lake)?;
                let part = fill_folder(&into, |folder| write_models(&view, &licences, &sport, folder))?;
                CommandReport::done(format!("ran the models of {sport}\n"), &json!(part))
            }
            CatalogCommand::Routes { narrow, sport } => list_routes(narrow, sport.as_deref())?,
            CatalogCommand::Validity { sport, fit } => {
                validity::report_validity(lake, sport.as_deref(), fit)?
            }
            CatalogCommand::Check { models, audits, as_of, sport, licences } => {
                let (mut checked, licences) = (check_routes(route_catalog()?), licences.chosen_for(lake)?);
                let view = LakeView::new(lake.clone(), None, DecisionFiles::default());
                if audits {
                    checked.add_check("audits", check::audit_tables(lake)?);
                }
                if !models && as_of.is_empty() {
                    if sport.is_some() {
                        let why = "catalog check: --sport is of --models and --as-of: give one of them";
                        return Err(error_with_code(ExitCode::Usage, why));
                    }
                    return Ok(CommandTask::Report(checked.into_report()));
                }
                let sports = check::requested_sports(&view, &licences, sport.as_deref())?;
                if models {
                    checked.add_check("models", check::check_determinism(&view, &sports)?);
                }
                for day in as_of {
                    checked.add_check(&format!("as_of_{day}"), check::check_as_of(&view, &sports, day)?);
                }
                checked.into_report()
            }
        }))
    }
}

fn check_routes(catalog: &RouteCatalog) -> CheckedTables {
    let totals = catalog.totals();
    let text = format!("{}: no contradiction\n", count_routes(totals));
    CheckedTables { text, json: json!({"routes": totals}), code: ExitCode::Done }
}

fn count_routes(totals: CatalogTotals) -> String {
    let CatalogTotals { sports, routes, narrow } = totals;
    format!("{routes} routes of {sports} sports, {narrow} of them in the narrow listing")
}

fn list_routes(is_narrow: bool, sport: Option<&str>) -> anyhow::Result<CommandReport> {
    let catalog = route_catalog()?;
    let keys: Vec<&'static str> = catalog.sports.iter().map(|sport| sport.key).collect();
    let known = |wanted: &str| {
        let known = keys.iter().copied().find(|key| *key == wanted);
        known.ok_or_else(|| {
            error_with_code(
                ExitCode::Usage,
                format!("catalog: no sport `{wanted}`; there are {}", keys.join(", ")),
            )
        })
    };
    let filter = ListingFilter { is_narrow, sport: sport.map(known).transpose()? };
    let listing = catalog.listing(filter);
    let mut text = String::new();
    let mut group = None;
    for route in catalog.routes().filter(|route| filter.has(route)) {
        let heading = (route.sport, route.group);
        if group.replace(heading) != Some(heading) {
            writeln!(text, "{}{}: {}", if text.is_empty() { "" } else { "\n" }, heading.0, heading.1)?;
        }
        let state = match route.kind {
            RouteKind::None(code) => code.name(),
            kind => kind.name(),
        };
        writeln!(text, "  {:<42} {state}", route.path)?;
    }
    writeln!(text, "\n{}", count_routes(listing.totals))?;
    let json = serde_json::to_value(&listing).context("cannot write the listing")?;
    Ok(CommandReport::done(text, &json))
}
