//! Official rankings over time.
//!
//! A list is one division on one day. What changed is told against the list before of the same label: when the one
//! list of everybody pound for pound became one of men and one of women, nobody lost or gained a place by it.

mod corrections;
mod division;
mod lists;
mod ranked_fighter;

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use fdna_model::FindingKind;
use fdna_rows::{CaptureFacts, RowsError, TableRow, row_cells};
use fdna_schemas::tables::{ContractRow as _, RankingsRow};
use uuid::Uuid;

use self::division::RankingDivision;
use self::lists::{RankedPlace, RankingList, RankingLists};
use self::ranked_fighter::NameSpan;
pub(super) use self::ranked_fighter::RankedFighters;
use super::SourceStatements;
use super::directory::EntityDirectory;

/// Name of the source.
const SOURCE: &str = "rankings";

pub(super) fn ranking_statements(
    captures: &[&CaptureFacts],
    directory: &EntityDirectory,
    _earlier: &BTreeMap<&str, Vec<TableRow>>,
) -> Result<SourceStatements, RowsError> {
    let mut statements = SourceStatements::default();
    let (lists, restated) = lists::merge_lists(captures, &mut statements)?;
    statements.corrections = corrections::correction_rows(&restated);
    let people = tie_names(&lists, &directory.who, &mut statements);
    note_gaps(&lists, &mut statements);
    let mut rows = Vec::new();
    let mut before: HashMap<&str, &RankingList<'_>> = HashMap::new();
    for ((division, day), list) in &lists {
        let before_it = before.get(list.label).copied();
        rows.extend(RankingSnapshot::new((*division, *day), list, before_it, &people).snapshot_rows());
        before.insert(list.label, list);
    }
    statements.tables.push((RankingsRow::TABLE, rows));
    Ok(statements)
}

/// Fighters by folded name and division: a name means one person in one division.
type RankedPeople = HashMap<RankingDivision, HashMap<String, Uuid>>;

/// Ties every name of every division once, and says once of each that is nobody's own why it is tied, or why not.
fn tie_names(
    lists: &RankingLists<'_>,
    who: &RankedFighters,
    statements: &mut SourceStatements,
) -> RankedPeople {
    let mut spans: BTreeMap<(String, RankingDivision), (NameSpan, &RankingList<'_>, &RankedPlace<'_>)> =
        BTreeMap::new();
    for ((division, day), list) in lists {
        for place in &list.places {
            let Some(name) = &place.folded else { continue };
            let (from, until) = (*day, *day);
            let span = spans.entry((name.clone(), *division));
            span.or_insert((NameSpan { from, until }, list, place)).0.until = until;
        }
    }
    let mut people = RankedPeople::new();
    for ((folded, division), (span, list, place)) in spans {
        let name = place.name.unwrap_or_default();
        let (kind, reason) = match who.fighter_in(name, division, span) {
            Ok(found) => {
                people.entry(division).or_default().insert(folded, found.id);
                if found.rule == "name" {
                    continue;
                }
                (FindingKind::OtherName, format!("{} by the rule {}", found.id, found.rule))
            }
            Err(why) => (FindingKind::UnknownFighter, format!("nobody: {why}")),
        };
        let reason = format!("`{name}` ({}) is tied to {reason}", list.label);
        statements.findings.push((list.capture.to_owned(), list.list_finding(Some(place), kind, reason)));
    }
    people
}

/// Lists that lack places: they are shown as they are, and who is new after them is not known.
fn note_gaps(lists: &RankingLists<'_>, told: &mut SourceStatements) {
    for ((_, day), list) in lists.iter().filter(|(_, list)| !list.is_whole()) {
        let reason = format!("{} of {day} lacks a place between others", list.label);
        let finding = list.list_finding(None, FindingKind::MissingValue, reason);
        told.findings.push((list.capture.to_owned(), finding));
    }
}

/// A list with the one before it.
struct RankingSnapshot<'a> {
    division: RankingDivision,
    day: NaiveDate,
    list: &'a RankingList<'a>,
    before: Option<&'a RankingList<'a>>,
    /// Whether the list before can tell who is new: it lacks no place, and is not cut short.
    had_all: bool,
    people: Option<&'a HashMap<String, Uuid>>,
}

impl<'a> RankingSnapshot<'a> {
    fn new(
        (division, day): (RankingDivision, NaiveDate),
        list: &'a RankingList<'a>,
        before: Option<&'a RankingList<'a>>,
        people: &'a RankedPeople,
    ) -> Self {
        let is_long = |before: &RankingList<'_>| 2 * before.places.len() > list.places.len();
        let had_all = before.is_some_and(|before| before.is_whole() && is_long(before));
        Self { division, day, list, before, had_all, people: people.get(&division) }
    }

    fn snapshot_rows(&self) -> Vec<TableRow> {
        (1..).zip(&self.list.places).map(|(number, place)| self.place_row(number, place)).collect()
    }

    fn place_row(&self, number: i32, place: &RankedPlace<'_>) -> TableRow {
        let before = self.place_before(place);
        let is_settled = |before: &&RankedPlace<'_>| !before.is_twice && !place.is_twice;
        let is_named = place.name.is_some();
        row_cells(&RankingsRow {
            snapshot_date: self.day,
            division: self.division.name(),
            place: number,
            label: self.list.label,
            is_womens: self.division.is_womens(),
            is_p4p: self.division.is_p4p(),
            rank: place.rank,
            is_champion: place.rank == 0 && is_named && !self.division.is_p4p(),
            fighter_id: self.fighter_at(place),
            fighter_name: place.name,
            change: before.filter(is_settled).map(|before| before.rank - place.rank),
            is_new: self.had_all && is_named && before.is_none(),
            source: SOURCE,
            source_url: place.url,
            captured_at: self.list.since,
        })
    }

    fn fighter_at(&self, place: &RankedPlace<'_>) -> Option<Uuid> {
        self.people?.get(place.folded.as_ref()?).copied()
    }

    /// Earlier place of the same person, or of the same name where the person is not known.
    fn place_before(&self, place: &RankedPlace<'_>) -> Option<&'a RankedPlace<'a>> {
        let (name, fighter) = (place.folded.as_ref()?, self.fighter_at(place));
        let is_same = |other: &&RankedPlace<'_>| match (fighter, self.fighter_at(other)) {
            (Some(now), Some(then)) => now == then,
            _ => other.folded.as_ref() == Some(name),
        };
        self.before?.places.iter().find(is_same)
    }
}
