//! Official rankings over time.
//!
//! A list is one division on one day. What changed is told against the list before of the same label: when the one
//! list of everybody pound for pound became one of men and one of women, nobody lost or gained a place by it.

mod division;
mod lists;
mod restated;
mod who;

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use fdna_model::FindingKind;
use uuid::Uuid;

use self::division::Division;
use self::lists::{List, Lists, Place};
use self::who::Span;
pub(super) use self::who::Who;
use super::Told;
use super::directory::Directory;
use crate::layout::{Layout, Row, Value};
use crate::{CaptureFacts, NormaliseError};

/// Name of the source.
const SOURCE: &str = "rankings";

pub(super) fn tell(
    captures: &[&CaptureFacts],
    directory: &Directory,
    _earlier: &BTreeMap<&str, Vec<Row>>,
) -> Result<Told, NormaliseError> {
    let mut told = Told::default();
    let (lists, restated) = lists::merged(captures, &mut told)?;
    told.corrections = restated::rows(&restated)?;
    let people = people(&lists, &directory.who, &mut told);
    note_gaps(&lists, &mut told);
    let layout = layout()?;
    let mut rows = Vec::new();
    let mut before: HashMap<&str, &List<'_>> = HashMap::new();
    for ((division, day), list) in &lists {
        let before_it = before.get(list.label).copied();
        rows.extend(Snapshot::new((*division, *day), list, before_it, &people).rows(&layout));
        before.insert(list.label, list);
    }
    told.tables.push(("rankings", rows));
    Ok(told)
}

fn layout() -> Result<Layout, NormaliseError> {
    Ok(Layout::new(
        "rankings",
        &[
            "snapshot_date",
            "division",
            "place",
            "label",
            "is_womens",
            "is_p4p",
            "rank",
            "is_champion",
            "fighter_id",
            "fighter_name",
            "change",
            "is_new",
            "source",
            "source_url",
            "captured_at",
        ],
    )?)
}

/// Fighters by folded name and division: a name means one person in one division.
type People = HashMap<Division, HashMap<String, Uuid>>;

/// Ties every name of every division once, and says once of each that is nobody's own why it is tied, or why not.
fn people(lists: &Lists<'_>, who: &Who, told: &mut Told) -> People {
    let mut spans: BTreeMap<(String, Division), (Span, &List<'_>, &Place<'_>)> = BTreeMap::new();
    for ((division, day), list) in lists {
        for place in &list.places {
            let Some(name) = &place.folded else { continue };
            let (from, until) = (*day, *day);
            let span = spans.entry((name.clone(), *division));
            span.or_insert((Span { from, until }, list, place)).0.until = until;
        }
    }
    let mut people = People::new();
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
        told.findings.push((list.capture.to_owned(), list.finding(Some(place), kind, reason)));
    }
    people
}

/// Lists that lack places: they are shown as they are, and who is new after them is not known.
fn note_gaps(lists: &Lists<'_>, told: &mut Told) {
    for ((_, day), list) in lists.iter().filter(|(_, list)| !list.is_whole()) {
        let reason = format!("{} of {day} lacks a place between others", list.label);
        let finding = list.finding(None, FindingKind::MissingValue, reason);
        told.findings.push((list.capture.to_owned(), finding));
    }
}

/// A list with the one before it.
struct Snapshot<'a> {
    division: Division,
    day: NaiveDate,
    list: &'a List<'a>,
    before: Option<&'a List<'a>>,
    /// Whether the list before can tell who is new: it lacks no place, and is not cut short.
    had_all: bool,
    people: Option<&'a HashMap<String, Uuid>>,
}

impl<'a> Snapshot<'a> {
    fn new(
        (division, day): (Division, NaiveDate),
        list: &'a List<'a>,
        before: Option<&'a List<'a>>,
        people: &'a People,
    ) -> Self {
        let is_long = |before: &List<'_>| 2 * before.places.len() > list.places.len();
        let had_all = before.is_some_and(|before| before.is_whole() && is_long(before));
        Self { division, day, list, before, had_all, people: people.get(&division) }
    }

    fn rows(&self, layout: &Layout) -> Vec<Row> {
        (1..).zip(&self.list.places).map(|(number, place)| layout.row(self.values(number, place))).collect()
    }

    /// In the order of [`layout`].
    fn values(&self, number: i32, place: &Place<'_>) -> [Value; 15] {
        let before = self.place_before(place);
        let is_settled = |before: &&Place<'_>| !before.is_twice && !place.is_twice;
        let is_named = place.name.is_some();
        [
            self.day.into(),
            self.division.name().into(),
            number.into(),
            self.list.label.into(),
            self.division.is_womens().into(),
            self.division.is_p4p().into(),
            place.rank.into(),
            (place.rank == 0 && is_named && !self.division.is_p4p()).into(),
            self.fighter(place).into(),
            place.name.into(),
            before.filter(is_settled).map(|before| before.rank - place.rank).into(),
            (self.had_all && is_named && before.is_none()).into(),
            SOURCE.into(),
            place.url.into(),
            self.list.since.into(),
        ]
    }

    fn fighter(&self, place: &Place<'_>) -> Option<Uuid> {
        self.people?.get(place.folded.as_ref()?).copied()
    }

    /// Where he stood before: the same person, or the same name where the person is not known.
    fn place_before(&self, place: &Place<'_>) -> Option<&'a Place<'a>> {
        let (name, fighter) = (place.folded.as_ref()?, self.fighter(place));
        let is_same = |other: &&Place<'_>| match (fighter, self.fighter(other)) {
            (Some(now), Some(then)) => now == then,
            _ => other.folded.as_ref() == Some(name),
        };
        self.before?.places.iter().find(is_same)
    }
}
