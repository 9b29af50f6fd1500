//! Statements about events, bouts and fighters: rankings, stated careers, images, articles, the wire, videos.

mod career;
mod directory;
mod editorial;
mod facts;
mod media;
mod mentions;
mod rankings;
mod videos;
mod wire;

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use fdna_model::Finding;
use fdna_rows::{
    CaptureFacts, Normalised, RowsError, TableCount, TableRow, TableSet, from_batch, quarantine,
    quarantine_of_all, sorted_batch,
};
use fdna_schemas::Tables;
use fdna_schemas::tables::{
    AliasesRow, ArticleFilesRow, BoutsRow, CareerRowsRow, ContractRow as _, CorrectionsRow, DoubtfulLinksRow,
    EventsRow, FightersRow, IdentitiesRow, ImageRecordsRow, MentionsRow, QuarantineRow, RankingRowsRow,
    VideoItemsRow, WireItemsRow,
};
use rayon::prelude::*;

use self::directory::EntityDirectory;

/// Statements from the facts of one kind of source.
#[derive(Default)]
pub(crate) struct SourceStatements {
    pub(crate) tables: Vec<(&'static str, Vec<TableRow>)>,
    /// Rows of `mentions`.
    pub(crate) mentions: Vec<TableRow>,
    /// Rows of `corrections`: what a later capture tells otherwise.
    pub(crate) corrections: Vec<TableRow>,
    /// Rows of `doubtful_links`: names that might mean several.
    pub(crate) doubts: Vec<TableRow>,
    /// Capture, and what was set aside or noted of it.
    pub(crate) findings: Vec<(String, Finding)>,
    pub(crate) counts: Vec<TableCount>,
}

/// Makes tables of the captures that have the facts, oldest first, and of the tables before them.
type StatementReader = fn(
    &[&CaptureFacts],
    &EntityDirectory,
    &BTreeMap<&str, Vec<TableRow>>,
) -> Result<SourceStatements, RowsError>;

/// The facts tables in order, each with what is made of the captures that have it: one source may give several.
/// Two series, which read side by side: neither needs rows of the other. Articles show images, so that those come before.
const STATEMENT_READERS: [&[(&str, StatementReader)]; 2] = [
    &[
        (RankingRowsRow::TABLE, rankings::ranking_statements),
        (CareerRowsRow::TABLE, career::career_statements),
    ],
    &[
        (ImageRecordsRow::TABLE, media::image_statements),
        (ArticleFilesRow::TABLE, editorial::editorial_statements),
        (WireItemsRow::TABLE, wire::wire_statements),
        (VideoItemsRow::TABLE, videos::video_statements),
    ],
];

type StatedRows = BTreeMap<&'static str, Vec<TableRow>>;

/// The statements of a series, and the rows of their tables.
fn read_statements(
    readers: &[(&str, StatementReader)],
    captures: &[CaptureFacts],
    directory: &EntityDirectory,
) -> Result<(StatedRows, Vec<SourceStatements>), RowsError> {
    let (mut rows, mut all) = (StatedRows::new(), Vec::new());
    for (table, tell) in readers {
        let captures: Vec<&CaptureFacts> =
            captures.iter().filter(|capture| capture.tables.contains_key(*table)).collect();
        let mut stated = tell(&captures, directory, &rows)?;
        rows.extend(std::mem::take(&mut stated.tables));
        all.push(stated);
    }
    Ok((rows, all))
}

/// The linked tables that are read.
pub const LINKED_TABLES: [&str; 8] = [
    AliasesRow::TABLE,
    BoutsRow::TABLE,
    CorrectionsRow::TABLE,
    DoubtfulLinksRow::TABLE,
    EventsRow::TABLE,
    FightersRow::TABLE,
    IdentitiesRow::TABLE,
    QuarantineRow::TABLE,
];

/// Adds what is told to the linked tables, those of [`LINKED_TABLES`]; `quarantine` and, where there is anything to add,
/// `corrections` and `doubtful_links` are theirs with more rows, the others are new.
///
/// # Errors
/// A table is missing or does not follow its contract. Bad rows are findings in `quarantine`.
pub fn enrich_tables(linked: &TableSet, mut captures: Vec<CaptureFacts>) -> Result<Normalised, RowsError> {
    captures.sort_by(|a, b| (a.captured_at, &a.capture).cmp(&(b.captured_at, &b.capture)));
    let directory = EntityDirectory::new(linked)?;
    let (mut rows, mut mentions) = (BTreeMap::new(), Vec::new());
    let (mut corrections, mut doubts) = (Vec::new(), Vec::new());
    let (mut found, mut counts) = (BTreeMap::new(), Vec::new());
    for capture in &captures {
        found.entry(capture.capture.clone()).or_insert_with(Vec::new);
    }
    let series = STATEMENT_READERS.par_iter().map(|readers| read_statements(readers, &captures, &directory));
    for (tables, statements) in series.collect::<Result<Vec<_>, _>>()? {
        rows.extend(tables);
        for stated in statements {
            mentions.extend(stated.mentions);
            corrections.extend(stated.corrections);
            doubts.extend(stated.doubts);
            counts.extend(stated.counts);
            for (capture, finding) in stated.findings {
                found.entry(capture.clone()).or_insert_with(Vec::new).push((capture, "normalise", finding));
            }
        }
    }
    rows.insert(MentionsRow::TABLE, mentions);
    for (name, more) in [(CorrectionsRow::TABLE, corrections), (DoubtfulLinksRow::TABLE, doubts)] {
        if !more.is_empty() {
            let contract = Tables::get().table(name)?;
            let before = linked.0.get(name).map(|batch| from_batch(contract, batch)).transpose()?;
            rows.insert(name, before.unwrap_or_default().into_iter().chain(more).collect());
        }
    }
    let mut tables: Vec<(String, RecordBatch)> =
        rows.into_par_iter().map(|(name, rows)| sorted_batch(name, rows)).collect::<Result<_, _>>()?;
    let before = quarantine::rows_in(linked.table_batch(QuarantineRow::TABLE)?)?;
    tables.push(quarantine::append_rows(before, &quarantine_of_all(&captures, found)?)?);
    Ok(Normalised { tables, counts })
}
