//! `fightdna backfill`: panels of all fighters as of past dates, out of the current snapshot.
//!
//! Each date is a partition of its own, which depends on the DNA versions and the date alone: asked for with a
//! hundred others or by itself, its bytes are the same. What is there, of the same versions and whole, is left
//! as it is, so that a backfill that broke off goes on where it was.

mod maker;
mod on_engine;
mod part;
mod report;
mod take_over;
mod vintage;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use chrono::{DateTime, NaiveDate, Utc};
use clap::Args;
use fdna_lake::{
    Fingerprint, FingerprintBuilder, Lake, LakeWriter, PanelDraft, PanelManifest, PanelSet, SnapshotManifest,
};
use fdna_panel::{DayHistory, RatioVersions, SubjectVersions, VersionTable};
use fdna_run::current_snapshot::require_current;
use fdna_run::decisions::DecisionFiles;
use fdna_run::engine::ExternalEngine;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::part_file::fill_folder;
use fdna_run::product::Product;
use fdna_run::progress::RunProgress;
use fdna_run::shard::ShardSpec;
use fdna_schemas::{CatalogDna, DEFINITION_VERSION, Tables};
use rayon::prelude::*;

use crate::commands::args::dates::{self, DateStep};
use crate::commands::args::engine::EngineArgs;
use crate::output::CommandReport;
use maker::{PanelKind, PanelMaker};
use part::PanelPart;
use report::{BackfillReport, DateOutcome, DateReport, DateState};
use take_over::PanelCopies;
use vintage::{VintageBackfill, newest_capture};

/// Raised when a panel of the same versions and date comes out otherwise.
const LOGIC: &str = "2";
const RATIOS_LOGIC: &str = "1";
const CATALOG_LOGIC: &str = "1";
const VINTAGE_LOGIC: &str = "1";

const VERSIONS: &str = "dna_versions";
const BOUTS: &str = "bouts";
const RESULTS: &str = "results";
const RATINGS: &str = "ratings";

#[derive(Args)]
#[command(group(clap::ArgGroup::new("asked").args(["from", "as_of", "dates"]).required(true).multiple(true)))]
pub(crate) struct BackfillArgs {
    /// First date of a series, such as 2005-01-01.
    #[arg(long, value_parser = dates::parse_day, requires = "to")]
    from: Option<NaiveDate>,
    /// Date that the series does not go beyond.
    #[arg(long, value_parser = dates::parse_day, requires = "from")]
    to: Option<NaiveDate>,
    /// Step of the series; months are counted from its first date, and a 31st is the last day of a shorter one.
    #[arg(long, value_enum, default_value_t = DateStep::Month, requires = "from")]
    every: DateStep,
    /// A single date; may be repeated.
    #[arg(long, value_parser = dates::parse_day)]
    as_of: Vec<NaiveDate>,
    /// File of dates, one a line; empty lines and those that begin with # are passed over.
    #[arg(long)]
    dates: Option<PathBuf>,
    /// Make one of N shards of the dates, such as 2/7: each of N machines makes another one, into a folder or in its own copy of
    /// the lake.
    #[arg(long, value_name = "I/N", conflicts_with_all = ["from_lakes", "remote"])]
    shard: Option<ShardSpec>,
    /// Folder that the panels are written into; the lake stays as it is, and another writer may be at work on it.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["from_lakes", "remote", "vintage", "dry_run"])]
    into: Option<PathBuf>,
    /// Folder that panels were written into, or copy of the lake in which they were made; may be repeated. Its panels are taken
    /// over instead of made. A date that none of them has, or has of other versions, is named, and nothing is written.
    #[arg(long = "from-lake", value_name = "FOLDER", conflicts_with = "remote")]
    from_lakes: Vec<PathBuf>,
    /// Which panels.
    #[arg(long, value_enum, default_value_t = PanelKind::Metrics)]
    table: PanelKind,
    /// Panels of DNA of the multi-sport catalog, such as wnba_player_dna, instead of Fight DNA: the lake is one of
    /// `fightdna catalog run`.
    #[arg(long, value_name = "NAME", conflicts_with = "table")]
    dna: Option<String>,
    /// Make the panels of what was known: of each date of the captures up to its 00:00 UTC alone, with `known_until`. Made of the
    /// snapshots of `run --known-at`, which are made where they are not there; says what corrections moved since.
    #[arg(long, conflicts_with_all = ["table", "dna", "remote", "shard", "from_lakes", "dry_run"])]
    vintage: bool,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Print what would be made, and make nothing.
    #[arg(long)]
    dry_run: bool,
}

impl BackfillArgs {
    /// Makes the panels that are asked for and not there, or says which they are; by `engine`, if there is one. `aliases` is the
    /// folder of decisions, which runs for what was known follow.
    ///
    /// # Errors
    /// The dates cannot be understood, there is no snapshot to make panels of, another writer is at work, or
    /// the lake cannot be read or written. What was made before stays.
    pub(crate) fn run(
        &self,
        lake: &Lake,
        now: DateTime<Utc>,
        quiet: bool,
        aliases: Option<&Path>,
        engine: Option<ExternalEngine>,
    ) -> anyhow::Result<CommandReport> {
        match &self.into {
            Some(into) => {
                fill_folder(into, |into| self.run_into(Some(into), lake, now, quiet, aliases, engine))
            }
            None => self.run_into(None, lake, now, quiet, aliases, engine),
        }
    }

    fn run_into(
        &self,
        into: Option<&Path>,
        lake: &Lake,
        now: DateTime<Utc>,
        quiet: bool,
        aliases: Option<&Path>,
        engine: Option<ExternalEngine>,
    ) -> anyhow::Result<CommandReport> {
        let begun = Instant::now();
        let (set, asked) = (self.panel_set()?, self.requested_dates()?);
        if self.vintage {
            let decisions = DecisionFiles::read_folder(aliases, lake)?;
            return VintageBackfill { lake, decisions, now, quiet }.run(&asked);
        }
        let part = into.map(PanelPart::open).transpose()?;
        let panels = part.as_ref().map_or(lake, PanelPart::lake);
        let writer = (!self.dry_run).then(|| panels.writer("fightdna backfill", now)).transpose()?;
        let progress = RunProgress::with_steps(quiet, asked.len());
        let product = if let PanelSet::Catalog(_) = set { Product::Catalog } else { Product::Mma };
        let backfill =
            Backfill { panels, ..Backfill::of_snapshot(lake, set, require_current(lake, product)?)? };
        let mut by_engine = None;
        let made = thread_pool()?.install(|| match (&self.from_lakes[..], &engine, &writer) {
            ([], Some(engine), Some(writer)) => {
                let made = backfill.dates_of_engine(&asked, engine, writer, &progress)?;
                by_engine = made.report;
                Ok(made.dates)
            }
            ([], ..) => backfill.make_dates(&asked, writer.as_ref(), &progress),
            (from, ..) => {
                let copies = from.iter().map(Lake::open).collect();
                backfill.take_over(&asked, &PanelCopies::of_lakes(copies), writer.as_ref(), &progress)
            }
        });
        progress.finish();
        let mut report = backfill.build_report(made?, self.dry_run)?;
        drop(writer);
        if let Some(part) = part {
            report.lake = part.finish()?.display().to_string();
        }
        report.engine = by_engine;
        report.seconds = begun.elapsed().as_secs_f64();
        let code =
            if report.outcome == DateOutcome::NothingToDo { ExitCode::NothingToDo } else { ExitCode::Done };
        CommandReport::of_record(report.to_text(), &report, code)
    }

    /// Which panels are asked for.
    fn panel_set(&self) -> anyhow::Result<PanelSet> {
        if let Some(name) = &self.dna {
            let names = || CatalogDna::all().map(|dna| dna.name).collect::<Vec<_>>().join(", ");
            let dna = CatalogDna::all().find(|dna| dna.name == name);
            let dna = dna.ok_or_else(|| {
                error_with_code(
                    ExitCode::Usage,
                    format!("no DNA `{name}` in the catalog; there are {}", names()),
                )
            })?;
            return Ok(PanelSet::Catalog(dna.panel));
        }
        Ok(self.table.into())
    }

    /// The dates asked for, each once, the oldest first.
    fn requested_dates(&self) -> anyhow::Result<Vec<NaiveDate>> {
        let mut dates = self.as_of.clone();
        if let Some((from, to)) = self.from.zip(self.to) {
            if from > to {
                return Err(error_with_code(
                    ExitCode::Usage,
                    format!("--to must not be before --from: {to} is before {from}"),
                ));
            }
            dates.extend(self.every.step_dates(from, to));
        }
        if let Some(path) = &self.dates {
            dates.extend(dates::read_dates(path)?);
        }
        dates.sort_unstable();
        dates.dedup();
        Ok(match self.shard {
            Some(shard) => shard.select(dates).collect(),
            None => dates,
        })
    }
}

/// Twice as many as for work alone: half of a date's time goes by until the disk says that it has its files.
fn thread_pool() -> anyhow::Result<rayon::ThreadPool> {
    let threads = 2 * rayon::current_num_threads();
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")
}

/// The DNA whose panels these are.
fn dna_of(panel: &str) -> anyhow::Result<&'static CatalogDna> {
    CatalogDna::all().find(|dna| dna.panel == panel).with_context(|| format!("no DNA of {panel}"))
}

fn contract_version(table: &str) -> String {
    Tables::get().table(table).map_or_else(|_| String::new(), |table| table.version.to_string())
}

/// Inputs of panels.
struct Backfill<'a> {
    lake: &'a Lake,
    /// Where panels are kept: in the lake, or elsewhere.
    panels: &'a Lake,
    set: PanelSet,
    snapshot: SnapshotManifest,
    /// Digests of the tables that panels are made of.
    digests: Vec<(&'static str, String)>,
}

impl<'a> Backfill<'a> {
    fn of_snapshot(lake: &'a Lake, set: PanelSet, snapshot: SnapshotManifest) -> anyhow::Result<Self> {
        let digest = |name| {
            let entry = snapshot.table(name);
            let entry = entry.with_context(|| format!("no table {name} in snapshot {}", snapshot.id))?;
            Ok((name, entry.sha256.clone()))
        };
        let inputs = match set {
            PanelSet::Metrics | PanelSet::Vintage => vec![VERSIONS, BOUTS, RESULTS, RATINGS],
            PanelSet::Ratios => vec![VERSIONS],
            PanelSet::Catalog(panel) => vec![dna_of(panel)?.name],
        };
        let digests = inputs.into_iter().map(digest).collect::<anyhow::Result<_>>()?;
        Ok(Self { lake, panels: lake, set, snapshot, digests })
    }

    fn panel_fingerprint(&self, as_of: NaiveDate) -> Fingerprint {
        let (name, logic) = match self.set {
            PanelSet::Metrics => ("panel", LOGIC),
            PanelSet::Ratios => ("panel_ratios", RATIOS_LOGIC),
            PanelSet::Vintage => ("panel_vintage", VINTAGE_LOGIC),
            PanelSet::Catalog(panel) => (panel, CATALOG_LOGIC),
        };
        let builder = Fingerprint::builder(name).with_text("logic", logic);
        let of_fight_dna = |builder: FingerprintBuilder| {
            builder
                .with_text("definition", DEFINITION_VERSION)
                .with_text("contract", fdna_schemas::contracts_digest())
        };
        let builder = match self.set {
            PanelSet::Metrics => of_fight_dna(builder),
            // The digest of all contracts leaves this one out.
            PanelSet::Ratios => of_fight_dna(builder).with_text("version", contract_version("panel_ratios")),
            PanelSet::Vintage => of_fight_dna(builder)
                .with_text("version", contract_version("panel_vintage_wide"))
                .with_text("known_until", format!("{:?}", newest_capture(&self.snapshot))),
            PanelSet::Catalog(panel) => builder.with_text("version", contract_version(panel)),
        };
        let builder =
            self.digests.iter().fold(builder, |builder, (name, digest)| builder.with_digest(name, digest));
        builder.with_text("as_of", as_of.to_string()).build()
    }

    /// Outcome of each date; without a writer, the planned outcome.
    fn make_dates(
        &self,
        asked: &[NaiveDate],
        writer: Option<&LakeWriter>,
        progress: &RunProgress,
    ) -> anyhow::Result<Vec<DateReport>> {
        progress.show_message("look at what is there");
        let there = asked
            .par_iter()
            .map(|&as_of| self.up_to_date_panel(as_of))
            .collect::<anyhow::Result<Vec<_>>>()?;
        if there.iter().all(Option::is_some) {
            return Ok(there.into_iter().flatten().collect());
        }
        progress.show_message("read the DNA versions");
        let versions = self.read_versions()?;
        progress.show_message("make panels");
        let all = asked.par_iter().zip(there).map(|(&as_of, there)| {
            let done = match there {
                Some(kept) => kept,
                None => self.make_date(as_of, &versions, writer)?,
            };
            progress.advance();
            Ok(done)
        });
        all.collect()
    }

    /// The panel that is there, if it need not be made.
    fn up_to_date_panel(&self, as_of: NaiveDate) -> anyhow::Result<Option<DateReport>> {
        let there = self
            .panels
            .whole_panel(self.set, as_of)?
            .filter(|p| p.fingerprint == self.panel_fingerprint(as_of));
        Ok(there.map(|panel| self.date_report(as_of, DateState::Kept, Some(panel))))
    }

    fn commit_panel(
        &self,
        as_of: NaiveDate,
        writer: &LakeWriter,
        tables: Vec<RecordBatch>,
    ) -> anyhow::Result<DateReport> {
        let tables: Vec<_> = self.set.tables().iter().copied().zip(tables).collect();
        let draft = PanelDraft {
            set: self.set,
            as_of,
            fingerprint: self.panel_fingerprint(as_of),
            snapshot_id: self.snapshot.id.clone(),
            tables: &tables,
        };
        Ok(self.date_report(as_of, DateState::Made, Some(writer.commit_panel(&draft)?)))
    }

    fn read_versions(&self) -> anyhow::Result<PanelMaker> {
        let read = |name: &str, columns: &[&str]| {
            let table = self.lake.read_snapshot_columns(&self.snapshot, name, columns);
            table.with_context(|| {
                format!(
                    "cannot make panels of snapshot {}; where it is of another build, run first",
                    self.snapshot.id
                )
            })
        };
        if self.set == PanelSet::Ratios {
            return Ok(PanelMaker::Ratios(RatioVersions::new(&read(
                VERSIONS,
                &RatioVersions::required_columns(),
            )?)?));
        }
        if let PanelSet::Catalog(panel) = self.set {
            let dna = dna_of(panel)?;
            let columns: Vec<String> = dna.versions_table().columns.into_iter().map(|c| c.name).collect();
            let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
            let versions = SubjectVersions::new(dna, &read(dna.name, &columns)?)?;
            return Ok(PanelMaker::Subjects(Box::new(versions)));
        }
        let columns = VersionTable::required_columns();
        let columns: Vec<_> = columns.iter().map(String::as_str).collect();
        let (bouts, results) = (read(BOUTS, &DayHistory::BOUTS)?, read(RESULTS, &DayHistory::RESULTS)?);
        let ratings = read(RATINGS, &DayHistory::RATINGS)?;
        let history = DayHistory { bouts: &bouts, results: &results, ratings: &ratings };
        let versions = Box::new(VersionTable::new(&read(VERSIONS, &columns)?, history)?);
        Ok(match newest_capture(&self.snapshot).filter(|_| self.set == PanelSet::Vintage) {
            Some(known_until) => PanelMaker::Vintage(versions, known_until),
            None => PanelMaker::Metrics(versions),
        })
    }

    fn make_date(
        &self,
        as_of: NaiveDate,
        versions: &PanelMaker,
        writer: Option<&LakeWriter>,
    ) -> anyhow::Result<DateReport> {
        if versions.first_day().is_none_or(|first| as_of < first) {
            return Ok(self.date_report(as_of, DateState::BeforeFirst, None));
        }
        let Some(writer) = writer else { return Ok(self.date_report(as_of, DateState::ToMake, None)) };
        let panel =
            versions.make_panel(as_of).with_context(|| format!("cannot make the panel of {as_of}"))?;
        self.commit_panel(as_of, writer, panel)
    }

    fn date_report(&self, as_of: NaiveDate, state: DateState, panel: Option<PanelManifest>) -> DateReport {
        let after_facts = self.snapshot.facts_until.is_some_and(|until| as_of > until);
        DateReport {
            as_of: as_of.to_string(),
            state,
            after_facts,
            tables: panel.map(|panel| panel.tables).unwrap_or_default(),
        }
    }

    fn build_report(&self, dates: Vec<DateReport>, is_plan: bool) -> anyhow::Result<BackfillReport> {
        Ok(BackfillReport {
            lake: self.lake.root().display().to_string(),
            snapshot_id: self.snapshot.id.to_string(),
            synthetic: self.snapshot.synthetic,
            facts_until: self.snapshot.facts_until.map(|day| day.to_string()),
            outcome: DateOutcome::from_dates(&dates, is_plan),
            outdated: self.outdated_dates()?,
            engine: None,
            set: self.set,
            dates,
            seconds: 0.0,
        })
    }

    /// Dates whose panels are not what this build would make of the current snapshot.
    fn outdated_dates(&self) -> anyhow::Result<Vec<String>> {
        let mut outdated = Vec::new();
        for as_of in self.panels.panel_dates(self.set)? {
            let there = self.panels.find_panel(self.set, as_of);
            if !there.is_ok_and(|p| p.is_some_and(|p| p.fingerprint == self.panel_fingerprint(as_of))) {
                outdated.push(as_of.to_string());
            }
        }
        Ok(outdated)
    }
}
