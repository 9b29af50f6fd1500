//! `fightdna reconcile`: the eight career statistics that the source publishes, recomputed from the lake's facts
//! and held against published ones, difference by difference.

mod career;
mod cause;
mod report;
mod statistic;
mod totals;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use chrono::NaiveDate;
use clap::Args;
use fdna_lake::{Lake, SnapshotManifest};
use fdna_model::{Facts, FighterId};
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::stages::derivation_facts::published_facts;
use fdna_schemas::tables::{ContractReader as _, FightersReader};

use crate::commands::args::dates::parse_day;
use crate::output::CommandReport;
use report::{CareerDifference, Reconciliation};
use totals::CareerSums;

#[derive(Args)]
pub(crate) struct ReconcileArgs {
    /// File of published career numbers, JSON or CSV; may be repeated.
    #[arg(long = "career", required = true)]
    careers: Vec<PathBuf>,
    /// Day of the published numbers: bouts before it are counted.
    #[arg(long, value_parser = parse_day, value_name = "DATE")]
    as_of: NaiveDate,
}

/// Reconciles every file.
pub(crate) fn reconcile_files(lake: &Lake, args: &ReconcileArgs) -> anyhow::Result<CommandReport> {
    let (snapshot, facts) = published_facts(lake)?;
    let names = fighters_by_name(lake, &snapshot)?;
    let careers = CareerSums::from_facts(&facts, args.as_of);
    let around_the_cut = args.as_of.checked_add_days(cause::AROUND_THE_CUT).unwrap_or(NaiveDate::MAX);
    let later = CareerSums::from_facts(&facts, around_the_cut);
    let reconcile = |file: &PathBuf| of_file(file, args.as_of, &names, [&careers, &later], &facts);
    let files = args.careers.iter().map(reconcile).collect::<anyhow::Result<Vec<_>>>()?;
    let text: String = files.iter().map(Reconciliation::to_text).collect();
    Ok(CommandReport::done(text, &files.iter().map(Reconciliation::to_json).collect()))
}

/// Fighters by name; names of several are left out, since the published numbers have names alone.
fn fighters_by_name(lake: &Lake, snapshot: &SnapshotManifest) -> anyhow::Result<BTreeMap<String, FighterId>> {
    let batch = lake.read_snapshot_table(snapshot, FightersReader::TABLE)?;
    let fighters = FightersReader::of(&batch);
    let mut names = BTreeMap::new();
    let mut several = HashSet::new();
    for (id, name) in fighters.fighter_id()?.into_iter().zip(fighters.name()?) {
        if names.insert(name.to_owned(), FighterId(id)).is_some() {
            several.insert(name);
        }
    }
    names.retain(|name, _| !several.contains(name.as_str()));
    Ok(names)
}

fn of_file(
    file: &Path,
    as_of: NaiveDate,
    names: &BTreeMap<String, FighterId>,
    [careers, later]: [&CareerSums; 2],
    facts: &Facts,
) -> anyhow::Result<Reconciliation> {
    let bytes = std::fs::read(file).map_err(|e| {
        error_with_code(ExitCode::Unavailable, format!("cannot read `{}`: {e}", file.display()))
    })?;
    let published = career::read_careers(file, &bytes).map_err(|e| {
        error_with_code(ExitCode::BadData, format!("cannot read `{}`: {e:#}", file.display()))
    })?;
    let mut count: HashMap<&str, usize> = HashMap::new();
    published.iter().for_each(|p| *count.entry(&p.name).or_default() += 1);
    let mut report = Reconciliation::new(file, as_of, published.len());
    for p in &published {
        let Some(id) = names.get(&p.name).filter(|_| count[p.name.as_str()] == 1) else {
            report.no_unique_name += 1;
            continue;
        };
        let Some(totals) = careers.totals_of(*id) else {
            report.no_eligible_bout += 1;
            continue;
        };
        report.add_fighter(
            (totals.published_values() != p.values).then(|| CareerDifference {
                fighter: *id,
                name: p.name.clone(),
                published: p.values,
                recomputed: totals.published_values(),
                cause: cause::find_cause(&p.values, totals, later.totals_of(*id), careers, *id, facts),
            }),
            &p.values,
            &totals.published_values(),
        );
    }
    Ok(report)
}
