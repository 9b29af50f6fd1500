//! The facts tables that the records of all pages become, with what was set aside on the way.

use std::collections::HashMap;
use std::fmt::Write as _;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_model::{Count, Finding, FindingKind, RoundCounts, Severity};
use fdna_schemas::tables::{
    ContractRow as _, StatsdbBoutDetailsRow, StatsdbEventsRow, StatsdbFighterProfilesRow, StatsdbFightersRow,
    StatsdbResultsRow, StatsdbRoundStatsRow,
};
use sha2::{Digest, Sha256};

use super::Read;
use crate::fact_rows::{RowPlace, facts_table, round_row};
use crate::record_files;
use crate::row::RowError;
use crate::{FileCount, IngestError};
use fdna_schemas::RowBuilder;

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
            table_of(StatsdbEventsRow::TABLE, &self.events, push_event)?,
            table_of(StatsdbBoutDetailsRow::TABLE, &self.listings, push_listing)?,
            table_of(StatsdbResultsRow::TABLE, &self.bouts, push_result)?,
            table_of(StatsdbRoundStatsRow::TABLE, &self.rounds, push_round)?,
            table_of(StatsdbFightersRow::TABLE, &self.named, push_fighter)?,
            table_of(StatsdbFighterProfilesRow::TABLE, &self.profiles, push_profile)?,
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

fn table_of<T>(
    name: &str,
    rows: &[PageRow<T>],
    write: impl Fn(&mut RowBuilder, RowPlace<'_>, &T),
) -> Result<(String, RecordBatch), IngestError> {
    let placed =
        rows.iter().map(|(at, row)| (RowPlace { file: &at.file, line: at.line, digest: &at.digest }, row));
    record_files::table(name, |table| facts_table(table, placed, write))
}

fn push_event(to: &mut RowBuilder, at: RowPlace<'_>, event: &PageEvent) {
    to.push(&StatsdbEventsRow {
        file: at.file,
        line: at.line,
        row_digest: at.digest,
        event_source_id: &event.id,
        event: &event.name,
        event_date: event.date,
        location: event.location.as_deref(),
    });
}

fn push_listing(to: &mut RowBuilder, at: RowPlace<'_>, listing: &PageListing) {
    to.push(&StatsdbBoutDetailsRow {
        file: at.file,
        line: at.line,
        row_digest: at.digest,
        bout_source_id: &listing.id,
        event: &listing.event,
        bout: &listing.bout,
    });
}

fn push_result(to: &mut RowBuilder, at: RowPlace<'_>, bout: &PageBout) {
    to.push(&StatsdbResultsRow {
        file: at.file,
        line: at.line,
        row_digest: at.digest,
        bout_source_id: &bout.id,
        event: &bout.event,
        first_name: &bout.names[0],
        second_name: &bout.names[1],
        first_source_id: Some(&bout.source_ids[0]),
        second_source_id: Some(&bout.source_ids[1]),
        outcome: &bout.outcome,
        weight_class_raw: &bout.weight,
        method: &bout.method,
        round: bout.round,
        clock_secs: bout.clock,
        time_format: &bout.format,
        referee: bout.referee.as_deref(),
        details: bout.details.as_deref(),
    });
}

fn push_round(to: &mut RowBuilder, at: RowPlace<'_>, round: &PageRound) {
    to.push(&round_row!(
        StatsdbRoundStatsRow {
            file: at.file,
            line: at.line,
            row_digest: at.digest,
            event: &round.event,
            first_name: &round.names[0],
            second_name: &round.names[1],
            round: round.round,
            fighter_name: &round.fighter,
        },
        round.counts
    ));
}

fn push_fighter(to: &mut RowBuilder, at: RowPlace<'_>, named: &NamedPerson) {
    to.push(&StatsdbFightersRow {
        file: at.file,
        line: at.line,
        row_digest: at.digest,
        fighter_source_id: &named.id,
        name: &named.name,
        nickname: named.nickname.as_deref(),
    });
}

fn push_profile(to: &mut RowBuilder, at: RowPlace<'_>, profile: &PageProfile) {
    to.push(&StatsdbFighterProfilesRow {
        file: at.file,
        line: at.line,
        row_digest: at.digest,
        fighter_source_id: &profile.id,
        name: &profile.name,
        height_in: profile.height,
        weight_lbs: profile.weight,
        reach_in: profile.reach,
        stance: profile.stance.as_deref(),
        date_of_birth: profile.born,
    });
}
