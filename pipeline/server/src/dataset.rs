//! One loaded snapshot: rows as finished JSON, and indexes to find them.
//!
//! Everything that does not depend on a request is serialised here, once; answers are slices put
//! together. Metric columns stay Arrow columns and are formatted per request.

pub(crate) mod articles;
pub(crate) mod bouts;
pub(crate) mod careers;
pub(crate) mod catalogue;
pub(crate) mod changes;
pub(crate) mod circumstances;
pub(crate) mod columns;
mod compact;
pub(crate) mod coverage;
mod derived;
pub(crate) mod dna;
pub(crate) mod events;
pub(crate) mod fighters;
pub(crate) mod ids;
pub(crate) mod images;
mod judging;
pub(crate) mod mentions;
mod moments;
mod pasts;
pub(crate) mod profiles;
pub(crate) mod rankings;
mod record;
pub(crate) mod results;
pub(crate) mod search;
mod shown;
pub(crate) mod sources;
pub(crate) mod splits;
mod start;
pub(crate) mod stats;
mod status;
mod terms;
mod updated;
pub(crate) mod validity;
pub(crate) mod videos;
pub(crate) mod wide;
pub(crate) mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::RecordBatch;
use chrono::{DateTime, Months, NaiveDate, TimeDelta, Utc};
use fdna_schemas::{ColumnError, TableError, TableReader};
use serde::Serialize;
use tokio::sync::SetOnce;
use uuid::Uuid;

pub(crate) use derived::Whole;
pub(crate) use status::Status;
pub use wide::WideTable;

/// What the server needs to know of a snapshot beside its tables.
#[derive(Debug, Clone)]
pub struct SnapshotInfo {
    /// Id of the snapshot.
    pub id: String,
    /// Date of the last event with facts in it; `None` if there is none.
    pub facts_until: Option<NaiveDate>,
    /// Whether the data is made up.
    pub synthetic: bool,
    /// Rows of each of its tables, by name.
    pub rows: BTreeMap<String, u64>,
}

macro_rules! snapshot_tables {
    ($n:literal: $($name:ident),+ $(,)?) => {
        /// The published tables that are served, under their contract names.
        #[derive(Debug, Clone)]
        pub struct SnapshotTables {
            $(pub $name: RecordBatch,)+
            pub dna_versions: Arc<dyn WideTable>,
        }

        impl SnapshotTables {
            /// All but the wide one.
            pub(crate) const NARROW: [&str; $n] = [$(stringify!($name)),+];

            /// Those of [`Self::NARROW`], in its order, and the wide one.
            pub(crate) fn of(narrow: [RecordBatch; $n], dna_versions: Arc<dyn WideTable>) -> Self {
                let [$($name),+] = narrow;
                Self { $($name,)+ dna_versions }
            }
        }
    };
}

snapshot_tables! {
    28: events, bouts, fighters, results, round_stats, scorecards, identities, corrections, splits, round_profiles, finish_profiles, finish_times, validity, aliases, articles, deductions, images, judge_cards, mentions, rankings, ratings, round_scorecards, short_notices, sources, stated_careers, videos, weigh_ins, wire,
}

/// Why a snapshot's tables cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// A column is missing or not what the contract says.
    #[error("read a column of the snapshot")]
    Column(#[from] ColumnError),
    /// This build has no contract for a table.
    #[error("know what a table holds")]
    Contract(#[from] TableError),
    /// Columns of a table cannot be read.
    #[error("read columns of a table")]
    Table(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A row names something that is not there.
    #[error("find the {what} {id} that a row of `{table}` names")]
    Dangling { table: &'static str, what: &'static str, id: Uuid },
    /// A key stands in two rows.
    #[error("load `{table}`: two rows with the id {id}")]
    Twice { table: &'static str, id: Uuid },
    /// A required value is null.
    #[error("read `{table}.{column}`: null where the contract allows none")]
    Null { table: &'static str, column: &'static str },
    /// A word that is none of the contract's.
    #[error("read `{table}.{column}`: {word:?} is none of its words")]
    Word { table: &'static str, column: &'static str, word: String },
    /// A text is not the JSON that the contract says.
    #[error("read json in `{table}.{column}`")]
    Text {
        table: &'static str,
        column: &'static str,
        #[source]
        source: serde_json::Error,
    },
    /// The words of names cannot be indexed.
    #[error("index the words of names")]
    Search(#[from] fst::Error),
    /// A row cannot be written as JSON.
    #[error("write a row as json")]
    Json(#[from] serde_json::Error),
}

/// One loaded snapshot, never changed.
#[derive(Debug)]
pub struct Dataset {
    pub(crate) info: SnapshotInfo,
    /// The day on which what is upcoming, recent and active is so.
    pub(crate) known_until: Option<NaiveDate>,
    pub(crate) events: events::Events,
    pub(crate) bouts: bouts::Bouts,
    pub(crate) fighters: fighters::Fighters,
    pub(crate) validity: Box<[u8]>,
    pub(crate) coverage: coverage::CoverageJson,
    pub(crate) catalogue: catalogue::CatalogueJson,
    pub(crate) sources: sources::Sources,
    pub(crate) images: images::Images,
    pub(crate) rankings: rankings::Rankings,
    pub(crate) articles: articles::Articles,
    /// Newest first.
    pub(crate) wire: Vec<wire::StoryRow>,
    /// Newest first.
    pub(crate) videos: Vec<videos::VideoRow>,
    moments: moments::Moments,
    /// Set once: `None` where it could not be read.
    derived: SetOnce<Option<derived::Derived>>,
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
    pub(crate) fn begin(info: SnapshotInfo, tables: &SnapshotTables) -> Result<Self, DatasetError> {
        let known_until = known_until(&info, tables)?;
        let (events, bouts, fighters) = whole(known_until, tables)?;
        let measured = validity::Measured::read(&tables.validity)?;
        let validity = json(&validity::wire(&measured))?;
        let coverage = coverage::CoverageJson::build(&info, known_until, tables, &events, &bouts)?;
        let catalogue = catalogue::CatalogueJson::build(&measured)?;
        let rankings = rankings::Rankings::read(&tables.rankings, &fighters.ids)?;
        let images = images::Images::read(&tables.images, &fighters.ids)?;
        let rows = mentions::Rows { events: &events, bouts: &bouts, fighters: &fighters };
        let mut mentions = mentions::Mentions::read(&tables.mentions, rows)?;
        let articles = articles::Articles::read(&tables.articles, &mut mentions)?;
        let wire = wire::read(&tables.wire, &mut mentions)?;
        let videos = videos::read(&tables.videos, &mut mentions)?;
        let moments = moments::Moments::of(images.ends().chain(articles.publications()));
        let sources = sources::Sources::read(&tables.sources)?;
        Ok(Self {
            known_until,
            info,
            events,
            bouts,
            fighters,
            validity,
            coverage,
            catalogue,
            sources,
            images,
            rankings,
            articles,
            wire,
            videos,
            moments,
            derived: SetOnce::new(),
        })
    }

    /// Adds Fight DNA and the index of names, which questions for them wait for.
    ///
    /// # Errors
    /// As [`Self::build`]; the questions that wait are answered that there is none.
    pub(crate) fn complete(&self, tables: &SnapshotTables) -> Result<(), DatasetError> {
        let derived = derived::Derived::read(tables, self).inspect_err(|_| self.give_up())?;
        // Whoever was first has read the same.
        let _ = self.derived.set(Some(derived));
        Ok(())
    }

    /// Tells those who wait that there will be nothing.
    pub(crate) fn give_up(&self) {
        let _ = self.derived.set(None);
    }

    /// The snapshot with all its parts, as soon as they are there; `None` where they cannot be read.
    pub(crate) async fn whole(&self) -> Option<Whole<'_>> {
        self.derived.wait().await.as_ref().map(|derived| Whole::new(self, derived))
    }

    /// Whether all its parts are there.
    pub(crate) fn is_complete(&self) -> bool {
        self.derived.get().is_some_and(Option::is_some)
    }

    /// How many of the instants at which time changes an answer have come.
    pub(crate) fn moments_come(&self, now: DateTime<Utc>) -> usize {
        self.moments.come(now)
    }

    /// Time left until it changes one again.
    pub(crate) fn unchanged_for(&self, now: DateTime<Utc>) -> Option<TimeDelta> {
        self.moments.left(now)
    }

    /// The day that an answer is as of where none is asked: the first on which every bout with facts is past.
    pub(crate) fn newest_day(&self) -> Option<NaiveDate> {
        newest_day(&self.info)
    }

    /// Id of the snapshot.
    #[must_use]
    pub fn snapshot_id(&self) -> &str {
        &self.info.id
    }
}

/// Events, bouts and fighters, hung on one another, and found by every id they ever had.
fn whole(
    known_until: Option<NaiveDate>,
    tables: &SnapshotTables,
) -> Result<(events::Events, bouts::Bouts, fighters::Fighters), DatasetError> {
    let (updated, pairings) = rayon::join(
        || updated::Updated::read(&tables.identities, &tables.corrections),
        || bouts::Pairings::read(&tables.bouts),
    );
    let (mut updated, pairings) = (updated?, pairings?);
    updated.spread(&tables.bouts)?;
    let careers = careers::read(&tables.stated_careers)?;
    let ((events, fighters), told) = rayon::join(
        || {
            rayon::join(
                || events::Events::read(&tables.events, &updated),
                || {
                    let told = fighters::WhatIsTold {
                        pairings: &pairings,
                        updated: &updated,
                        active_since: known_until.and_then(active_since),
                        careers,
                    };
                    fighters::Fighters::read(&tables.fighters, told)
                },
            )
        },
        || what_is_told(tables, &pairings),
    );
    let (mut events, mut fighters) = (events?, fighters?);
    let mut bouts = bouts::Bouts::build(&tables.bouts, &pairings, &events, &fighters, told?)?;
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

/// What other tables say of bouts.
fn what_is_told<'a>(
    tables: &'a SnapshotTables,
    pairings: &bouts::Pairings,
) -> Result<bouts::WhatIsTold<'a>, DatasetError> {
    let (results, (stats, circumstances)) = rayon::join(
        || results::read(tables, pairings),
        || {
            rayon::join(
                || stats::read(&tables.round_stats, pairings),
                || circumstances::read(tables, pairings),
            )
        },
    );
    Ok(bouts::WhatIsTold { results: results?, stats: stats?, circumstances: circumstances? })
}

fn newest_day(info: &SnapshotInfo) -> Option<NaiveDate> {
    info.facts_until.and_then(|until| until.succ_opt())
}

/// The day up to which sources tell of events and bouts: that of the newest capture of results or of a schedule, or of
/// the newest event with facts. What is upcoming, recent and active is so on that day.
fn known_until(info: &SnapshotInfo, tables: &SnapshotTables) -> Result<Option<NaiveDate>, DatasetError> {
    let table = TableReader::new("sources", &tables.sources);
    let (groups, at) = (table.texts("group")?, table.instants("last_captured_at")?);
    let tells = |group: &str| matches!(group, "statistics" | "schedule");
    let captured = groups.into_iter().zip(at).filter(|(group, _)| tells(group)).filter_map(|(_, at)| at);
    Ok(captured.map(|at| at.date_naive()).max().max(info.facts_until))
}

/// First day of the 36 calendar months that make a fighter active.
fn active_since(known_until: NaiveDate) -> Option<NaiveDate> {
    known_until.succ_opt()?.checked_sub_months(Months::new(36))
}

/// A value as JSON.
pub(crate) fn json<T: Serialize>(value: &T) -> Result<Box<[u8]>, serde_json::Error> {
    serde_json::to_vec(value).map(Vec::into_boxed_slice)
}

/// A value that a column holds as JSON.
pub(crate) fn json_text<T: serde::de::DeserializeOwned>(
    text: &str,
    table: &'static str,
    column: &'static str,
) -> Result<T, DatasetError> {
    serde_json::from_str(text).map_err(|source| DatasetError::Text { table, column, source })
}

/// A value of a column that the contract never leaves null.
pub(crate) fn never_null<T>(
    value: Option<T>,
    table: &'static str,
    column: &'static str,
) -> Result<T, DatasetError> {
    value.ok_or(DatasetError::Null { table, column })
}
