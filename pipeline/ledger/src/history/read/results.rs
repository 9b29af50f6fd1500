//! Results of the statistics sources, and their earlier values that a later capture corrected.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use fdna_schemas::tables::{
    BoutsReader, BoutsRow, CorrectionsReader, EventsReader, IdentitiesReader, ResultsReader,
};
use uuid::Uuid;

use super::{ReadError, stated_fields};
use crate::history::{BoutHistory, LedgerHistory, STATISTICS, SourceStatement};
use crate::{StateField, StateValue};

/// A row of `bouts`.
pub(super) struct BoutResults {
    pub(super) id: Uuid,
    pub(super) event: Uuid,
    pub(super) day: NaiveDate,
    pub(super) fighters: [Uuid; 2],
    says: Vec<(StateField, StateValue)>,
}

pub(super) fn read_bouts(bouts: BoutsReader<'_>) -> Result<Vec<BoutResults>, ReadError> {
    let bout = |row: BoutsRow<'_>| BoutResults {
        id: row.bout_id,
        event: row.event_id,
        day: row.event_date,
        fighters: [row.fighter_a_id, row.fighter_b_id],
        says: stated_fields([
            (StateField::WeightClass, row.weight_class.into()),
            (StateField::ScheduledRounds, row.scheduled_rounds.into()),
            (StateField::IsTitle, row.is_title.into()),
        ]),
    };
    Ok(bouts.all_rows()?.into_iter().map(bout).collect())
}

/// When the first capture of a statistics source had each bout. It has a bout once it has a result of it.
pub(super) fn first_captured(r: IdentitiesReader<'_>) -> Result<BTreeMap<Uuid, DateTime<Utc>>, ReadError> {
    let rows = r.kind()?.into_iter().zip(r.source()?);
    let of_bouts = rows.map(|(kind, source)| kind == "bout" && source == "statsdb");
    let seen = r.entity_id()?.into_iter().zip(r.first_seen_at()?);
    let mut since: BTreeMap<Uuid, DateTime<Utc>> = BTreeMap::new();
    for (_, (id, seen)) in of_bouts.zip(seen).filter(|(is, _)| *is) {
        since.entry(id).and_modify(|first| *first = seen.min(*first)).or_insert(seen);
    }
    Ok(since)
}

/// Tables that results are read from.
pub(super) struct ResultReader<'a> {
    pub(super) bouts: &'a [BoutResults],
    pub(super) since: &'a BTreeMap<Uuid, DateTime<Utc>>,
    pub(super) results: ResultsReader<'a>,
    pub(super) corrections: CorrectionsReader<'a>,
}

/// A value that a later capture replaced.
type ReplacedValue = (DateTime<Utc>, StateField, StateValue);

impl LedgerHistory {
    pub(super) fn read_results(
        &mut self,
        read: &ResultReader<'_>,
        events: EventsReader<'_>,
    ) -> Result<(), ReadError> {
        let days: BTreeMap<Uuid, NaiveDate> =
            events.event_id()?.into_iter().zip(events.event_date()?).collect();
        let (mut results, replaced) = (read_results(read.results)?, replaced_values(read.corrections)?);
        for bout in read.bouts {
            let Some((since, result)) = read.since.get(&bout.id).zip(results.remove(&bout.id)) else {
                continue;
            };
            let says = bout.says.iter().cloned().chain(result).collect();
            let history = self.bouts.entry(bout.id).or_insert_with(|| BoutHistory {
                event: bout.event,
                fighters: bout.fighters,
                ..BoutHistory::default()
            });
            let replaced = replaced.get(&bout.id).map(Vec::as_slice).unwrap_or_default();
            for telling in result_statements(*since, says, replaced) {
                history.tellings.add_statement(STATISTICS, telling);
            }
            let event = self.events.entry(bout.event).or_default();
            event.fought_on = days.get(&bout.event).copied();
            event.results_since = Some(event.results_since.map_or(*since, |first| first.min(*since)));
        }
        Ok(())
    }
}

/// By bout.
fn read_results(r: ResultsReader<'_>) -> Result<BTreeMap<Uuid, Vec<(StateField, StateValue)>>, ReadError> {
    let rows = r.outcome()?.into_iter().zip(r.method()?).zip(r.winner_id()?);
    let says = rows.map(|((outcome, method), winner)| {
        stated_fields([
            (StateField::ResultOutcome, outcome.into()),
            (StateField::ResultMethod, method.into()),
            (StateField::ResultWinner, winner.into()),
        ])
    });
    Ok(r.bout_id()?.into_iter().zip(says).collect())
}

/// By bout, the newest first.
fn replaced_values(r: CorrectionsReader<'_>) -> Result<BTreeMap<Uuid, Vec<ReplacedValue>>, ReadError> {
    let (kinds, parts, changes) = (r.kind()?, r.part()?, r.change()?);
    let (fields, old) = (r.field()?, r.old()?);
    let (ids, at) = (r.entity_id()?, r.replaced_at()?);
    let mut replaced: BTreeMap<Uuid, Vec<ReplacedValue>> = BTreeMap::new();
    for row in (0..r.len()).filter(|row| parts[*row].is_empty() && changes[*row] != "withdrawn") {
        let Some(field) = corrected_field(kinds[row], fields[row]) else { continue };
        let old = old[row].and_then(|text| field.parse_value(text)).unwrap_or_default();
        replaced.entry(ids[row]).or_default().push((at[row], field, old));
    }
    replaced.values_mut().for_each(|values| values.sort_by_key(|(at, ..)| std::cmp::Reverse(*at)));
    Ok(replaced)
}

fn corrected_field(kind: &str, column: &str) -> Option<StateField> {
    match (kind, column) {
        ("bout", "weight_class") => Some(StateField::WeightClass),
        ("bout", "scheduled_rounds") => Some(StateField::ScheduledRounds),
        ("bout", "is_title") => Some(StateField::IsTitle),
        ("result", "outcome") => Some(StateField::ResultOutcome),
        ("result", "method") => Some(StateField::ResultMethod),
        ("result", "winner_id") => Some(StateField::ResultWinner),
        _ => None,
    }
}

/// Statements from each time on, back from the present one.
fn result_statements(
    since: DateTime<Utc>,
    mut says: Vec<(StateField, StateValue)>,
    replaced: &[ReplacedValue],
) -> Vec<SourceStatement> {
    let mut tellings = Vec::new();
    for of_time in replaced.chunk_by(|a, b| a.0 == b.0) {
        let Some((from, ..)) = of_time.first().filter(|(at, ..)| *at > since) else { break };
        tellings.push(SourceStatement { from: *from, is_listed: true, says: says.clone() });
        for (_, field, old) in of_time {
            says.retain(|(name, _)| name != field);
            says.push((*field, old.clone()));
        }
    }
    tellings.push(SourceStatement { from: since, is_listed: true, says });
    tellings
}
