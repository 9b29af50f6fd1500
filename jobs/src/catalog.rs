//! `fightdna catalog`: the routes of the multi-sport catalog.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use fdna_catalog::{CatalogTotals, ListingFilter, RouteCatalog, RouteKind};

use crate::captures::CommandReport;
use crate::exit::{ExitCode, coded};

#[derive(Args)]
pub(crate) struct CatalogArgs {
    #[command(subcommand)]
    command: CatalogCommand,
}

#[derive(Subcommand)]
enum CatalogCommand {
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
        /// Folder of files to check; without, those that are compiled in.
        #[arg(long, value_name = "FOLDER")]
        routes: Option<PathBuf>,
    },
}

impl CatalogArgs {
    /// # Errors
    /// The routes cannot be read or contradict themselves, or there is no such sport.
    pub(crate) fn run(&self) -> anyhow::Result<CommandReport> {
        match &self.command {
            CatalogCommand::Routes { narrow, sport } => list(*narrow, sport.as_deref()),
            CatalogCommand::Check { routes: None } => checked(catalog()?),
            CatalogCommand::Check { routes: Some(folder) } => checked(&of_folder(folder)?),
        }
    }
}

/// The catalog that is compiled in.
pub(crate) fn catalog() -> anyhow::Result<&'static RouteCatalog> {
    RouteCatalog::get().map_err(|fault| coded(ExitCode::Failed, format!("catalog: failed to {fault}")))
}

fn of_folder(folder: &Path) -> anyhow::Result<RouteCatalog> {
    let unreadable =
        |error| coded(ExitCode::Unavailable, format!("catalog: read {}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            files.push((path.display().to_string(), std::fs::read_to_string(&path).map_err(unreadable)?));
        }
    }
    files.sort();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    RouteCatalog::of_files(&files).map_err(|fault| {
        let message = format!("catalog: failed to {:#}", anyhow::Error::new(fault));
        coded(ExitCode::BadData, message)
    })
}

fn checked(catalog: &RouteCatalog) -> anyhow::Result<CommandReport> {
    let totals = catalog.totals();
    let text = format!("{}: no contradiction\n", counted(totals));
    Ok(CommandReport { text, json: serde_json::to_value(totals)?, code: ExitCode::Done })
}

fn counted(totals: CatalogTotals) -> String {
    let CatalogTotals { sports, routes, narrow } = totals;
    format!("{routes} routes of {sports} sports, {narrow} of them in the narrow listing")
}

fn list(is_narrow: bool, sport: Option<&str>) -> anyhow::Result<CommandReport> {
    let catalog = catalog()?;
    let keys: Vec<&'static str> = catalog.sports.iter().map(|sport| sport.key).collect();
    let known = |wanted: &str| {
        let known = keys.iter().copied().find(|key| *key == wanted);
        known.ok_or_else(|| {
            coded(ExitCode::Usage, format!("catalog: no sport `{wanted}`; there are {}", keys.join(", ")))
        })
    };
    let filter = ListingFilter { is_narrow, sport: sport.map(known).transpose()? };
    let listing = catalog.listing(filter);
    let mut text = String::new();
    let mut group = None;
    for route in catalog.routes().filter(|route| filter.has(route)) {
        let of = (route.sport, route.group);
        if group.replace(of) != Some(of) {
            writeln!(text, "{}{}: {}", if text.is_empty() { "" } else { "\n" }, of.0, of.1)?;
        }
        let state = match route.kind {
            RouteKind::None(code) => code.name(),
            kind => kind.name(),
        };
        writeln!(text, "  {:<42} {state}", route.path)?;
    }
    writeln!(text, "\n{}", counted(listing.totals))?;
    let json = serde_json::to_value(&listing).context("write the listing")?;
    Ok(CommandReport { text, json, code: ExitCode::Done })
}
