//! Statements of a source, and the captures that they hold for.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::CaptureHistory;
use crate::state::KnownState;
use crate::{StateField, StateValue};

/// Name of the statistics sources, merged, which state results.
pub const STATISTICS: &str = "statistics";

/// Precedence of sources of the same freshness: results first, then the feed in the order of its
/// layouts' detail, then calendars.
const ORDER: [&str; 6] = [STATISTICS, "feed", "feed-captures", "feed-history", "feed-tables", "cards"];

/// One thing that a source said from a capture on, until it said another.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SourceStatement {
    /// `captured_at` of the first capture that said it.
    pub from: DateTime<Utc>,
    /// False where the source listed others and no longer this one.
    pub is_listed: bool,
    /// Stated fields; a missing field is not stated.
    pub says: Vec<(StateField, StateValue)>,
}

impl SourceStatement {
    pub(crate) fn get(&self, field: StateField) -> Option<&StateValue> {
        self.says.iter().find(|(name, value)| *name == field && !value.is_null()).map(|(_, value)| value)
    }
}

/// Everything that sources said of an event or a bout.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SourceStatements(BTreeMap<Arc<str>, Vec<SourceStatement>>);

/// A source, and what it says at a time.
pub(crate) type StatedValue<'a> = (&'a Arc<str>, &'a SourceStatement);

impl SourceStatements {
    /// Adds what a source said, in any order.
    pub fn add_statement(&mut self, source: &str, telling: SourceStatement) {
        let tellings = self.0.entry(Arc::from(source)).or_default();
        let place = tellings.partition_point(|other| other.from <= telling.from);
        tellings.insert(place, telling);
    }

    /// Statements of each source at a time, in order of precedence.
    pub(crate) fn stated_at(&self, captures: &CaptureHistory, at: DateTime<Utc>) -> Vec<StatedValue<'_>> {
        let newest = self
            .0
            .iter()
            .filter_map(|(source, tellings)| Some((source, statements_until(tellings, at).last()?)));
        let mut stated: Vec<StatedValue<'_>> = newest.collect();
        stated.sort_by_key(|(source, _)| source_rank(captures, source, at));
        stated
    }

    /// Every value of a field that was ever said.
    pub(crate) fn all_values(&self, field: StateField) -> impl Iterator<Item = &StateValue> {
        self.0.values().flatten().filter_map(move |telling| telling.get(field))
    }

    /// The first time up to then that any source listed it.
    pub(crate) fn first_listed(&self, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.first_listing(at).map(|telling| telling.from)
    }

    /// The statement of the source that first listed it.
    pub(crate) fn first_listing(&self, at: DateTime<Utc>) -> Option<&SourceStatement> {
        let listed = self.schedule_statements().flatten().filter(|t| t.is_listed && t.from <= at);
        listed.min_by_key(|telling| telling.from)
    }

    /// The statement of the source that listed it the longest up to then, and the end of its listing.
    pub(crate) fn last_listing(&self, at: DateTime<Utc>) -> Option<(DateTime<Utc>, &SourceStatement)> {
        let of_sources = self.schedule_statements().filter_map(|tellings| {
            let come = statements_until(tellings, at);
            let place = come.iter().rposition(|telling| telling.is_listed)?;
            Some((come.get(place + 1).map_or(at, |next| next.from), come.get(place)?))
        });
        of_sources.max_by_key(|(until, _)| *until)
    }

    fn schedule_statements(&self) -> impl Iterator<Item = &Vec<SourceStatement>> {
        self.0.iter().filter(|(source, _)| ***source != *STATISTICS).map(|(_, tellings)| tellings)
    }
}

/// Statements of a source up to then.
fn statements_until(tellings: &[SourceStatement], at: DateTime<Utc>) -> &[SourceStatement] {
    &tellings[..tellings.partition_point(|telling| telling.from <= at)]
}

fn source_rank(captures: &CaptureHistory, source: &Arc<str>, at: DateTime<Utc>) -> (bool, usize) {
    let place = ORDER.iter().position(|name| **name == **source).unwrap_or(ORDER.len());
    let is_stale = **source != *STATISTICS && captures.is_stale(source, at);
    (is_stale, place)
}

/// The first non-null of a field, and who said it. Those that only lack it on their list are heard last.
pub(crate) fn first_stated<'a>(
    stated: &[StatedValue<'a>],
    field: StateField,
) -> Option<(&'a Arc<str>, &'a StateValue)> {
    let listed = stated.iter().filter(|(_, telling)| telling.is_listed);
    let off = stated.iter().filter(|(_, telling)| !telling.is_listed);
    listed.chain(off).find_map(|(source, telling)| Some((*source, telling.get(field)?)))
}

impl KnownState {
    /// Sets a field to what is heard of it; to null, in the name of whoever is heard first, if nobody says anything.
    pub(crate) fn set_from_statements(&mut self, stated: &[StatedValue<'_>], field: StateField) {
        if let Some((source, value)) = first_stated(stated, field) {
            self.set_stated(field, value.clone(), source);
        } else if let Some((source, _)) = stated.first() {
            self.set_stated(field, StateValue::Null, source);
        }
    }
}
