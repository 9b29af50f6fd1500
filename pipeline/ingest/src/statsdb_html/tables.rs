//! The facts tables that the records of all pages become, with what was set aside on the way.

use std::collections::HashMap;
use std::fmt::Write as _;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_model::{Count, Finding, FindingKind, RoundCounts, Severity};
use fdna_schemas::{ColumnError, Table, TableWriter, Tables};
use sha2::{Digest, Sha256};

use super::Read;
use crate::row::RowError;
use crate::{FileCount, IngestError};

#[derive(Debug, PartialEq)]
pub(super) struct PageEvent {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) date: NaiveDate,
    pub(super) location: Option<String>,
}

/// A bout as an event's card lists it.
#[derive(Debug, PartialEq)]
pub(super) struct PageListing {
    pub(super) id: String,
    pub(super) event: String,
    pub(super) bout: String,
}

#[derive(Debug, Default)]
pub(super) struct PageBout {
    pub(super) id: String,
    pub(super) event: String,
    pub(super) names: [String; 2],
    pub(super) source_ids: [String; 2],
    pub(super) outcome: String,
    pub(super) weight: String,
    pub(super) method: String,
    pub(super) round: i32,
    pub(super) clock: i32,
    pub(super) format: String,
    pub(super) referee: Option<String>,
    pub(super) details: Option<String>,
}

#[derive(Debug)]
pub(super) struct PageRound {
    pub(super) event: String,
    pub(super) names: [String; 2],
    pub(super) round: i32,
    pub(super) fighter: String,
    pub(super) counts: RoundCounts,
}

/// A fighter as a bout's or his own page names him.
#[derive(Debug)]
pub(super) struct NamedPerson {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) nickname: Option<String>,
}

#[derive(Debug)]
pub(super) struct PageProfile {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) height: Option<i32>,
    pub(super) weight: Option<i32>,
    pub(super) reach: Option<i32>,
    pub(super) stance: Option<String>,
    pub(super) born: Option<NaiveDate>,
}

pub(super) enum PageRecord {
    Event(PageEvent),
    Listing(PageListing),
    Bout(PageBout),
    Round(PageRound),
    Named(NamedPerson),
    Profile(PageProfile),
}

/// Where a record stood: the file, and its place on the page, the first being 1.
struct PagePosition {
    file: String,
    line: i32,
    /// Of the whole page.
    digest: String,
}

type PageRow<T> = (PagePosition, T);

/// The records of all pages, by table.
#[derive(Default)]
pub(super) struct PageRecords {
    events: Vec<PageRow<PageEvent>>,
    listings: Vec<PageRow<PageListing>>,
    bouts: Vec<PageRow<PageBout>>,
    rounds: Vec<PageRow<PageRound>>,
    named: Vec<PageRow<NamedPerson>>,
    profiles: Vec<PageRow<PageProfile>>,
    /// Row of an event, and of a listed bout, by its id.
    known: HashMap<String, usize>,
}

impl PageRecords {
    /// Takes the records of a page in; what is refused becomes a finding.
    pub(super) fn take(&mut self, file: &str, bytes: &[u8], read: Read) -> (FileCount, Vec<Finding>) {
        let digest = digest(bytes);
        let rows_in = read.records.len();
        let mut findings = Vec::new();
        for (line, record) in (1..).zip(read.records) {
            let at = PagePosition { file: file.to_owned(), line, digest: digest.clone() };
            if let Err(refusal) = record.and_then(|record| self.push(at, record)) {
                findings.push(finding(file, line, refusal));
            }
        }
        let set_aside = findings.len();
        findings.extend(read.notes.into_iter().map(|note| finding(file, 1, note)));
        let file = file.to_owned();
        (FileCount { file, rows_in, rows_out: rows_in - set_aside, set_aside }, findings)
    }

    fn push(&mut self, at: PagePosition, record: PageRecord) -> Result<(), RowError> {
        match record {
            PageRecord::Event(event) => {
                once(&mut self.known, &self.events, &event.id, &event)?;
                self.events.push((at, event));
            }
            PageRecord::Listing(listing) => {
                once(&mut self.known, &self.listings, &listing.id, &listing)?;
                self.listings.push((at, listing));
            }
            PageRecord::Bout(bout) => self.bouts.push((at, bout)),
            PageRecord::Round(round) => self.rounds.push((at, round)),
            PageRecord::Named(named) => self.named.push((at, named)),
            PageRecord::Profile(profile) => self.profiles.push((at, profile)),
        }
        Ok(())
    }

    pub(super) fn into_tables(mut self) -> Result<Vec<(String, RecordBatch)>, IngestError> {
        sort(&mut self.events);
        sort(&mut self.listings);
        sort(&mut self.bouts);
        sort(&mut self.rounds);
        sort(&mut self.named);
        sort(&mut self.profiles);
        Ok(vec![
            build("statsdb_events", &self.events, events)?,
            build("statsdb_bout_details", &self.listings, listings)?,
            build("statsdb_results", &self.bouts, results)?,
            build("statsdb_round_stats", &self.rounds, rounds)?,
            build("statsdb_fighters", &self.named, fighters)?,
            build("statsdb_fighter_profiles", &self.profiles, profiles)?,
        ])
    }
}

/// Refuses the second record of an id: the same once more is a note, another one is set aside.
fn once<T: PartialEq>(
    known: &mut HashMap<String, usize>,
    rows: &[PageRow<T>],
    id: &str,
    record: &T,
) -> Result<(), RowError> {
    let Some(&place) = known.get(id) else {
        known.insert(id.to_owned(), rows.len());
        return Ok(());
    };
    match rows.get(place) {
        Some((at, same)) if same == record => {
            Err(RowError::note(FindingKind::Duplicate, format!("the same as `{}`, {}", at.file, at.line)))
        }
        Some((at, _)) => {
            let reason =
                format!("duplicate id `{id}`: `{}`, line {}, has different values", at.file, at.line);
            Err(RowError::new(FindingKind::Duplicate, reason))
        }
        None => Err(RowError::new(FindingKind::Duplicate, format!("`{id}` is of an event and of a bout"))),
    }
}

fn finding(file: &str, line: i32, refusal: RowError) -> Finding {
    let RowError { kind, severity, reason } = refusal;
    debug_assert_ne!(severity, Severity::Fatal, "one page does not spoil a capture");
    Finding { kind, severity, file: file.to_owned(), line, key: None, reason, raw: None }
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..8].iter().fold(String::with_capacity(16), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

fn sort<T>(rows: &mut [PageRow<T>]) {
    rows.sort_by(|(a, _), (b, _)| (&a.file, a.line).cmp(&(&b.file, b.line)));
}

fn build<T>(
    name: &str,
    rows: &[PageRow<T>],
    write: for<'t> fn(TableWriter<'t>, &[PageRow<T>]) -> TableWriter<'t>,
) -> Result<(String, RecordBatch), IngestError> {
    let table_error = |source| IngestError::Table { table: name.to_owned(), source };
    let table: &Table = Tables::get()
        .table(name)
        .map_err(|_| table_error(ColumnError::Missing { table: name.to_owned(), column: String::new() }))?;
    let writer = TableWriter::new(table)
        .texts("file", rows.iter().map(|(at, _)| &at.file))
        .int32s("line", rows.iter().map(|(at, _)| Some(at.line)))
        .texts("row_digest", rows.iter().map(|(at, _)| &at.digest));
    Ok((name.to_owned(), write(writer, rows).finish().map_err(table_error)?))
}

/// A text of every row.
fn each<T>(rows: &[PageRow<T>], text: fn(&T) -> &str) -> Vec<&str> {
    rows.iter().map(|(_, row)| text(row)).collect()
}

/// A text of every row that may be unknown.
fn each_known<T>(rows: &[PageRow<T>], text: fn(&T) -> &Option<String>) -> Vec<Option<&str>> {
    rows.iter().map(|(_, row)| text(row).as_deref()).collect()
}

fn events<'t>(writer: TableWriter<'t>, rows: &[PageRow<PageEvent>]) -> TableWriter<'t> {
    writer
        .texts("event_source_id", each(rows, |e| &e.id))
        .texts("event", each(rows, |e| &e.name))
        .dates("event_date", rows.iter().map(|(_, e)| Some(e.date)))
        .strings("location", each_known(rows, |e| &e.location))
}

fn listings<'t>(writer: TableWriter<'t>, rows: &[PageRow<PageListing>]) -> TableWriter<'t> {
    writer
        .texts("bout_source_id", each(rows, |l| &l.id))
        .texts("event", each(rows, |l| &l.event))
        .texts("bout", each(rows, |l| &l.bout))
}

fn results<'t>(writer: TableWriter<'t>, rows: &[PageRow<PageBout>]) -> TableWriter<'t> {
    writer
        .texts("bout_source_id", each(rows, |b| &b.id))
        .texts("event", each(rows, |b| &b.event))
        .texts("first_name", each(rows, |b| &b.names[0]))
        .texts("second_name", each(rows, |b| &b.names[1]))
        .texts("first_source_id", each(rows, |b| &b.source_ids[0]))
        .texts("second_source_id", each(rows, |b| &b.source_ids[1]))
        .texts("outcome", each(rows, |b| &b.outcome))
        .texts("weight_class_raw", each(rows, |b| &b.weight))
        .texts("method", each(rows, |b| &b.method))
        .int32s("round", rows.iter().map(|(_, b)| Some(b.round)))
        .int32s("clock_secs", rows.iter().map(|(_, b)| Some(b.clock)))
        .texts("time_format", each(rows, |b| &b.format))
        .strings("referee", each_known(rows, |b| &b.referee))
        .strings("details", each_known(rows, |b| &b.details))
}

fn rounds<'t>(writer: TableWriter<'t>, rows: &[PageRow<PageRound>]) -> TableWriter<'t> {
    let mut writer = writer
        .texts("event", each(rows, |r| &r.event))
        .texts("first_name", each(rows, |r| &r.names[0]))
        .texts("second_name", each(rows, |r| &r.names[1]))
        .int32s("round", rows.iter().map(|(_, r)| Some(r.round)))
        .texts("fighter_name", each(rows, |r| &r.fighter))
        .int32s("control_secs", rows.iter().map(|(_, r)| r.counts.control_secs));
    for count in Count::ALL {
        writer = writer.int32s(count.name(), rows.iter().map(|(_, r)| Some(r.counts[count])));
    }
    writer
}

fn fighters<'t>(writer: TableWriter<'t>, rows: &[PageRow<NamedPerson>]) -> TableWriter<'t> {
    writer
        .texts("fighter_source_id", each(rows, |n| &n.id))
        .texts("name", each(rows, |n| &n.name))
        .strings("nickname", each_known(rows, |n| &n.nickname))
}

fn profiles<'t>(writer: TableWriter<'t>, rows: &[PageRow<PageProfile>]) -> TableWriter<'t> {
    let ints = |of: fn(&PageProfile) -> Option<i32>| rows.iter().map(move |(_, p)| of(p));
    writer
        .texts("fighter_source_id", each(rows, |p| &p.id))
        .texts("name", each(rows, |p| &p.name))
        .int32s("height_in", ints(|p| p.height))
        .int32s("weight_lbs", ints(|p| p.weight))
        .int32s("reach_in", ints(|p| p.reach))
        .strings("stance", each_known(rows, |p| &p.stance))
        .dates("date_of_birth", rows.iter().map(|(_, p)| p.born))
}
