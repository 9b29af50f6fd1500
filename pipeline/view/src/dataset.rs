//! One loaded snapshot: rows as finished JSON, and indexes to find them.
//!
//! Everything that does not depend on a request is serialised here, once; answers are slices put
//! together. Metric columns stay Arrow columns and are formatted per request.

pub(crate) mod articles;
mod bout_pairings;
pub(crate) mod bouts;
pub(crate) mod careers;
mod change_instants;
pub(crate) mod changes;
pub(crate) mod circumstances;
pub(crate) mod columns;
pub(crate) mod coverage;
mod current_record;
pub(crate) mod definitions;
mod derived;
pub(crate) mod dna;
mod error;
pub(crate) mod events;
mod fighter_records;
pub(crate) mod fighters;
pub(crate) mod ids;
pub(crate) mod images;
mod json;
mod judging;
mod last_modified;
pub(crate) mod lazy_columns;
pub(crate) mod mentions;
mod packed_columns;
mod pasts;
pub(crate) mod profiles;
pub(crate) mod rankings;
mod record;
pub(crate) mod record_file;
pub(crate) mod results;
mod scheduled_start;
pub(crate) mod search;
mod snapshot_tables;
pub(crate) mod sources;
pub(crate) mod splits;
pub(crate) mod stats;
mod status;
mod term_index;
pub(crate) mod titles;
pub(crate) mod validity;
pub(crate) mod videos;
mod visibility;
pub(crate) mod wire;

use chrono::{DateTime, Months, NaiveDate, TimeDelta, Utc};
use fdna_schemas::tables::{ContractReader as _, SourcesReader, SourcesRow};
use tokio::sync::SetOnce;

pub use columns::instant as instant_text;
pub use derived::CompleteDataset;
pub use error::DatasetError;
pub(crate) use json::{json, json_text};
pub use lazy_columns::LazyColumns;
pub use snapshot_tables::{SnapshotInfo, SnapshotTables};
pub(crate) use status::Status;

/// One loaded snapshot, never changed.
#[derive(Debug)]
pub struct Dataset {
    pub info: SnapshotInfo,
    /// The day on which what is upcoming, recent and active is so.
    pub(crate) known_until: Option<NaiveDate>,
    pub(crate) events: events::EventTable,
    pub(crate) bouts: bouts::BoutTable,
    pub(crate) fighters: fighters::FighterTable,
    pub(crate) validity: Box<[u8]>,
    pub(crate) coverage: coverage::CoverageJson,
    pub(crate) definitions: definitions::MetricDefinitionsJson,
    pub sources: sources::SourceGroups,
    pub(crate) images: images::ImageTable,
    pub(crate) rankings: rankings::RankingTable,
    titles: titles::TitleBouts,
    pub(crate) articles: articles::ArticleTable,
    /// Newest first.
    pub(crate) wire: Vec<wire::StoryRow>,
    /// Newest first.
    pub(crate) videos: Vec<videos::VideoRow>,
    change_instants: change_instants::ChangeInstants,
    /// Set once: `None` where it could not be read.
    derived: SetOnce<Option<derived::DerivedTables>>,
}

impl Dataset {
    /// Indexes and serialises a snapshot's tables.
    ///
    /// # Errors
    /// The tables do not follow their contracts or do not fit together: nothing of them is served then.
    pub fn build(info: SnapshotInfo, tables: &SnapshotTables) -> Result<Self, DatasetError> {
        let dataset = Self::begin(info, tables)?;
        dataset.complete(tables)?;
        Ok(dataset)
    }

    /// The same without what [`Self::complete`] adds.
    pub fn begin(info: SnapshotInfo, tables: &SnapshotTables) -> Result<Self, DatasetError> {
        let sources = sources::with_feeds(&tables.sources)?;
        let sources = SourcesReader::of(&sources).all_rows()?;
        let known_until = known_until(&info, &sources);
        let (events, bouts, fighters) = read_entities(known_until, tables)?;
        let measured = validity::read(&tables.validity)?;
        let validity = json(&validity::wire(&measured))?;
        let coverage = coverage::CoverageJson::build(&info, known_until, tables, &sources, &events, &bouts)?;
        let definitions = definitions::MetricDefinitionsJson::build(&measured)?;
        let rankings = rankings::RankingTable::read(&tables.rankings, &fighters.ids)?;
        let titles = titles::TitleBouts::of(&bouts, &events);
        let images = images::ImageTable::read(&tables.images, &fighters.ids)?;
        let rows = mentions::MentionRows { events: &events, bouts: &bouts, fighters: &fighters };
        let mut mentions = mentions::MentionTable::read(&tables.mentions, rows)?;
        let articles = articles::ArticleTable::read(&tables.articles, &mut mentions)?;
        let wire = wire::read(&tables.wire, &mut mentions)?;
        let videos = videos::read(&tables.videos, &mut mentions)?;
        let change_instants =
            change_instants::ChangeInstants::of(images.ends().chain(articles.publications()));
        let sources = sources::SourceGroups::of_sources(&sources)?;
        Ok(Self {
            known_until,
            info,
            events,
            bouts,
            fighters,
            validity,
            coverage,
            definitions,
            sources,
            images,
            rankings,
            titles,
            articles,
            wire,
            videos,
            change_instants,
            derived: SetOnce::new(),
        })
    }

    /// Adds Fight DNA and the index of names, which questions for them wait for.
    ///
    /// # Errors
    /// As [`Self::build`]; the questions that wait are answered that there is none.
    pub fn complete(&self, tables: &SnapshotTables) -> Result<(), DatasetError> {
        let derived = derived::DerivedTables::read(tables, self).inspect_err(|_| self.give_up())?;
        // Whoever was first has read the same.
        let _ = self.derived.set(Some(derived));
        Ok(())
    }

    /// Writes what is asked for by fighter or version to files of records, which take a fraction of the room. Until then, and where
    /// it fails, it is answered from decoded columns and from the tables.
    pub fn pack(&self) {
        let derived = self.derived.get().and_then(Option::as_ref);
        if let Some(Err(error)) = derived.map(derived::DerivedTables::pack) {
            let problem = crate::error_chain(&error);
            tracing::error!(%problem, "records cannot be written: they are read from tables instead");
        }
    }

    /// Tells those who wait that there will be nothing.
    pub fn give_up(&self) {
        let _ = self.derived.set(None);
    }

    /// The snapshot with all its parts, as soon as they are there; `None` where they cannot be read.
    pub async fn completed(&self) -> Option<CompleteDataset<'_>> {
        self.derived.wait().await.as_ref().map(|derived| CompleteDataset::new(self, derived))
    }

    /// Whether all its parts are there.
    pub fn is_complete(&self) -> bool {
        self.derived.get().is_some_and(Option::is_some)
    }

    /// How many of the instants at which time changes an answer have come.
    pub fn change_instants_elapsed(&self, now: DateTime<Utc>) -> usize {
        self.change_instants.elapsed_count(now)
    }

    /// Time left until it changes one again.
    pub fn until_next_change(&self, now: DateTime<Utc>) -> Option<TimeDelta> {
        self.change_instants.until_next(now)
    }

    /// The day that an answer is as of where none is asked: the first on which every bout with facts is past.
    pub(crate) fn newest_day(&self) -> Option<NaiveDate> {
        newest_day(&self.info)
    }

    /// Whether sources tell of all events before a day.
    pub(crate) fn tells_until(&self, day: NaiveDate) -> bool {
        let first_untold = self.known_until.and_then(|until| until.succ_opt());
        first_untold.is_some_and(|untold| day <= untold)
    }

    /// Id of the snapshot.
    #[must_use]
    pub fn snapshot_id(&self) -> &str {
        &self.info.id
    }
}

/// Events, bouts and fighters, hung on one another, and found by every id they ever had.
fn read_entities(
    known_until: Option<NaiveDate>,
    tables: &SnapshotTables,
) -> Result<(events::EventTable, bouts::BoutTable, fighters::FighterTable), DatasetError> {
    let (last_modified, pairings) = rayon::join(
        || last_modified::LastModified::read(&tables.identities, &tables.corrections),
        || bout_pairings::BoutPairings::read(&tables.bouts),
    );
    let (mut last_modified, pairings) = (last_modified?, pairings?);
    last_modified.spread(&tables.bouts)?;
    let careers = careers::read(&tables.stated_careers)?;
    let results = results::read(tables, &pairings)?;
    let ((events, fighters), (stats, circumstances)) = rayon::join(
        || {
            rayon::join(
                || events::EventTable::read(&tables.events, &last_modified),
                || {
                    let details = fighters::FighterDetails {
                        pairings: &pairings,
                        results: &results,
                        last_modified: &last_modified,
                        active_since: known_until.and_then(active_since),
                        careers,
                    };
                    fighters::FighterTable::read(&tables.fighters, details)
                },
            )
        },
        || {
            rayon::join(
                || stats::read(&tables.round_stats, &pairings),
                || circumstances::read(tables, &pairings),
            )
        },
    );
    let (mut events, mut fighters) = (events?, fighters?);
    let told = bouts::BoutDetails { results, stats: stats?, circumstances: circumstances? };
    let mut bouts = bouts::BoutTable::build(&tables.bouts, &pairings, &events, &fighters, told)?;
    events.take_bouts(&bouts);
    fighters.take_bouts(&bouts);
    for (kind, ids) in [("event", &mut events.ids), ("bout", &mut bouts.ids)] {
        let aliases = ids::aliases(&tables.aliases, kind, ids)?;
        aliases.into_iter().for_each(|(alias, row)| ids.add_alias(alias, row));
    }
    fighters.take_aliases(&ids::aliases(&tables.aliases, "fighter", &fighters.ids)?);
    let ids = [&mut events.ids, &mut bouts.ids, &mut fighters.ids];
    ids::add_sources(&tables.identities, ids)?;
    Ok((events, bouts, fighters))
}

fn newest_day(info: &SnapshotInfo) -> Option<NaiveDate> {
    info.facts_until.and_then(|until| until.succ_opt())
}

/// The day up to which sources tell of events and bouts: that of the newest capture of results or of a schedule, or of
/// the newest event with facts. What is upcoming, recent and active is so on that day.
fn known_until(info: &SnapshotInfo, sources: &[SourcesRow<'_>]) -> Option<NaiveDate> {
    let telling = sources.iter().filter(|source| matches!(source.group, "statistics" | "schedule"));
    let captured = telling.filter_map(|source| source.last_captured_at);
    captured.map(|at| at.date_naive()).max().max(info.facts_until)
}

/// First day of the 36 calendar months that make a fighter active.
fn active_since(known_until: NaiveDate) -> Option<NaiveDate> {
    known_until.succ_opt()?.checked_sub_months(Months::new(36))
}
