//! What the schedule's captures list, and the claims that follow from all of them together.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use fdna_model::{Finding, FindingKind, Severity, fold_name};
use fdna_schemas::TableReader;

use super::claims::{BoutClaim, EventClaim, FighterClaim, Seen, mention};
use super::names::Name;
use super::{CARDS, FEED, SURE};
use crate::{CaptureFacts, NormaliseError, TableCount};

/// An event as one capture lists it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ListedEvent {
    pub(super) claim: usize,
    pub(super) name: String,
    pub(super) day: Option<NaiveDate>,
    pub(super) start_at: Option<DateTime<Utc>>,
    /// Venue, city, region, country.
    pub(super) place: [Option<String>; 4],
    pub(super) status: Option<String>,
    pub(super) listed_bouts: Option<i32>,
}

/// A bout as one capture lists it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ListedBout {
    pub(super) claim: usize,
    pub(super) order: Option<i32>,
    pub(super) position: Option<String>,
    pub(super) start_at: Option<DateTime<Utc>>,
    pub(super) class: Option<String>,
    pub(super) limit_lbs: Option<i32>,
    pub(super) is_title: Option<bool>,
    pub(super) rounds: Option<i32>,
    pub(super) status: Option<String>,
    /// 0 the champion; in the order of listing.
    pub(super) ranks: [Option<i32>; 2],
    pub(super) has_result: bool,
}

/// A capture of the schedule.
#[derive(Debug, Clone)]
pub(super) struct Listing {
    pub(super) source: String,
    pub(super) seen: Seen,
    pub(super) events: Arc<Vec<ListedEvent>>,
    pub(super) bouts: Arc<Vec<ListedBout>>,
}

/// What the schedule says of a fighter, newest first to speak.
#[derive(Debug, Clone, Default)]
pub(super) struct Described {
    pub(super) name: String,
    pub(super) nickname: Option<String>,
    pub(super) born: Option<NaiveDate>,
    pub(super) height_in: Option<f64>,
    pub(super) reach_in: Option<f64>,
    pub(super) stance: Option<String>,
    pub(super) country: Option<String>,
}

/// An event over all captures.
#[derive(Debug)]
pub(super) struct ClaimedEvent {
    pub(super) space: &'static str,
    pub(super) source_id: String,
    names: Vec<String>,
    days: Vec<NaiveDate>,
    seen: Seen,
}

/// A bout over all captures.
#[derive(Debug)]
pub(super) struct ClaimedBout {
    pub(super) event: usize,
    pub(super) source_id: Option<String>,
    pub(super) fighters: [(Option<String>, String); 2],
    order: Option<i32>,
    pub(super) is_over: bool,
    seen: Seen,
    last: DateTime<Utc>,
}

/// All captures of the schedule.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    pub(super) listings: Vec<Listing>,
    pub(super) events: Vec<ClaimedEvent>,
    pub(super) bouts: Vec<ClaimedBout>,
    /// By the feed's id.
    pub(super) fighters: BTreeMap<String, Described>,
    pub(super) counts: Vec<TableCount>,
    /// Capture, and what was noted of it.
    pub(super) findings: Vec<(String, Finding)>,
    by_event: HashMap<(&'static str, String), usize>,
    by_bout: HashMap<(usize, Option<String>, [String; 2]), usize>,
}

/// The schedule's tables.
const TABLES: [&str; 3] = ["schedule_events", "schedule_bouts", "schedule_fighters"];

impl Schedule {
    /// Reads captures in the order of their times.
    pub(super) fn read(captures: &[&CaptureFacts]) -> Result<Self, NormaliseError> {
        let mut schedule = Self::default();
        let mut last: HashMap<&str, (&CaptureFacts, usize)> = HashMap::new();
        for capture in captures {
            let seen = Seen { at: capture.captured_at, capture: capture.capture.clone() };
            let same =
                last.get(capture.source.as_str()).filter(|(before, _)| before.tables == capture.tables);
            let listing = match same {
                Some((_, place)) => schedule.listings[*place].clone(),
                None => schedule.add(capture, &seen)?,
            };
            schedule.count(capture)?;
            last.insert(&capture.source, (capture, schedule.listings.len()));
            schedule.listings.push(Listing { seen, ..listing });
        }
        schedule.settle_ids();
        Ok(schedule)
    }

    fn add(&mut self, capture: &CaptureFacts, seen: &Seen) -> Result<Listing, NormaliseError> {
        let events = self.add_events(&reader(capture, TABLES[0])?, seen)?;
        let bouts = self.add_bouts(&reader(capture, TABLES[1])?, seen)?;
        // A layout that names fighters only does not describe them.
        if capture.tables.contains_key(TABLES[2]) {
            self.add_fighters(&reader(capture, TABLES[2])?)?;
        }
        let source = capture.source.clone();
        Ok(Listing { source, seen: seen.clone(), events: Arc::new(events), bouts: Arc::new(bouts) })
    }

    /// Every row comes to something, an event or a bout listed or a fighter described, but for bouts one side of
    /// which is to be announced.
    fn count(&mut self, capture: &CaptureFacts) -> Result<(), NormaliseError> {
        let open = open_bouts(&reader(capture, TABLES[1])?)?;
        for table in TABLES.into_iter().filter(|table| capture.tables.contains_key(*table)) {
            let rows_in = reader(capture, table)?.rows();
            let set_aside = if table == TABLES[1] { open.len() } else { 0 };
            let (capture, table) = (capture.capture.clone(), table.to_owned());
            let rows_out = rows_in - set_aside;
            self.counts.push(TableCount { capture, table, rows_in, rows_out, set_aside });
        }
        self.findings.extend(open.into_iter().map(|finding| (capture.capture.clone(), finding)));
        Ok(())
    }

    fn event(&mut self, space: &str, source_id: &str, seen: &Seen) -> usize {
        let space = if space == CARDS { CARDS } else { FEED };
        *self.by_event.entry((space, source_id.to_owned())).or_insert_with(|| {
            let (names, days) = Default::default();
            let event =
                ClaimedEvent { space, source_id: source_id.to_owned(), names, days, seen: seen.clone() };
            self.events.push(event);
            self.events.len() - 1
        })
    }

    fn add_events(&mut self, r: &TableReader<'_>, seen: &Seen) -> Result<Vec<ListedEvent>, NormaliseError> {
        let (spaces, ids) = (r.texts("id_space")?, r.texts("event_source_id")?);
        let (names, days, starts) = (r.texts("event")?, r.dates("event_date")?, r.instants("start_at")?);
        let places = ["venue", "city", "region", "country"].map(|name| r.strings(name));
        let [venues, cities, regions, countries] = places;
        let (venues, cities, regions, countries) = (venues?, cities?, regions?, countries?);
        let (status, listed) = (r.strings("status")?, r.int32s("listed_bouts")?);
        let mut out = Vec::with_capacity(r.rows());
        for i in 0..r.rows() {
            let claim = self.event(spaces[i], ids[i], seen);
            let day = starts[i].map(day_of).or(days[i]);
            let event = &mut self.events[claim];
            to_front(&mut event.names, names[i].to_owned());
            if let Some(day) = day {
                to_front(&mut event.days, day);
            }
            out.push(ListedEvent {
                claim,
                name: names[i].to_owned(),
                day,
                start_at: starts[i],
                place: [venues[i], cities[i], regions[i], countries[i]].map(|text| text.map(str::to_owned)),
                status: status[i].map(str::to_owned),
                listed_bouts: listed[i],
            });
        }
        Ok(out)
    }

    fn add_bouts(&mut self, r: &TableReader<'_>, seen: &Seen) -> Result<Vec<ListedBout>, NormaliseError> {
        let (spaces, events) = (r.texts("id_space")?, r.texts("event_source_id")?);
        let (ids, orders) = (r.strings("bout_source_id")?, r.int32s("bout_order")?);
        let fighters = [
            (r.strings("first_source_id")?, r.strings("first_name")?),
            (r.strings("second_source_id")?, r.strings("second_name")?),
        ];
        let ranks = [
            (r.int32s("first_rank")?, r.bools("first_is_champion")?),
            (r.int32s("second_rank")?, r.bools("second_is_champion")?),
        ];
        let (positions, starts) = (r.strings("card_position")?, r.instants("start_at")?);
        let (classes, limits) = (r.strings("weight_class_raw")?, r.int32s("weight_lbs")?);
        let (titles, rounds) = (r.bools("is_title")?, r.int32s("scheduled_rounds")?);
        let (status, winners) = (r.strings("status")?, r.strings("winner")?);
        let mut out = Vec::with_capacity(r.rows());
        for i in 0..r.rows() {
            let [Some(first), Some(second)] = fighters.each_ref().map(|(_, names)| names[i]) else {
                continue;
            };
            let event = self.event(spaces[i], events[i], seen);
            let sides = [(fighters[0].0[i], first), (fighters[1].0[i], second)];
            let claim = self.bout(event, ids[i], sides, seen);
            let has_result = winners[i].is_some();
            let claimed = &mut self.bouts[claim];
            claimed.order = orders[i].or(claimed.order);
            claimed.is_over |= has_result || status[i] == Some("completed");
            claimed.last = seen.at;
            out.push(ListedBout {
                claim,
                order: orders[i],
                position: positions[i].map(str::to_owned),
                start_at: starts[i],
                class: classes[i].map(str::to_owned),
                limit_lbs: limits[i],
                is_title: titles[i],
                rounds: rounds[i],
                status: status[i].map(str::to_owned),
                ranks: ranks.each_ref().map(
                    |(ranks, champions)| {
                        if champions[i] == Some(true) { Some(0) } else { ranks[i] }
                    },
                ),
                has_result,
            });
        }
        Ok(out)
    }

    fn bout(
        &mut self,
        event: usize,
        id: Option<&str>,
        fighters: [(Option<&str>, &str); 2],
        seen: &Seen,
    ) -> usize {
        let names = fighters.map(|(_, name)| name.to_owned());
        let key = (event, id.map(str::to_owned), names);
        *self.by_bout.entry(key).or_insert_with(|| {
            self.bouts.push(ClaimedBout {
                event,
                source_id: id.map(str::to_owned),
                fighters: fighters.map(|(id, name)| (id.map(str::to_owned), name.to_owned())),
                order: None,
                is_over: false,
                seen: seen.clone(),
                last: seen.at,
            });
            self.bouts.len() - 1
        })
    }

    fn add_fighters(&mut self, r: &TableReader<'_>) -> Result<(), NormaliseError> {
        let (spaces, ids, names) = (r.texts("id_space")?, r.texts("fighter_source_id")?, r.texts("name")?);
        let (nicknames, born) = (r.strings("nickname")?, r.dates("date_of_birth")?);
        let (heights, reaches) = (r.floats("height_in")?, r.floats("reach_in")?);
        let (stances, countries) = (r.strings("stance")?, r.strings("country")?);
        for i in (0..r.rows()).filter(|i| spaces[*i] == FEED) {
            let known = self.fighters.entry(ids[i].to_owned()).or_default();
            names[i].clone_into(&mut known.name);
            known.nickname = nicknames[i].map(str::to_owned).or(known.nickname.take());
            known.born = born[i].or(known.born);
            known.height_in = heights[i].or(known.height_in);
            known.reach_in = reaches[i].or(known.reach_in);
            known.stance = stances[i].map(str::to_owned).or(known.stance.take());
            known.country = countries[i].map(str::to_owned).or(known.country.take());
        }
        Ok(())
    }

    /// An id under which other fighters stood before means the pair that had it last: the others are bouts of
    /// their own, known by their names.
    fn settle_ids(&mut self) {
        let mut of_id: BTreeMap<(usize, String), Vec<usize>> = BTreeMap::new();
        for (i, bout) in self.bouts.iter().enumerate() {
            if let Some(id) = &bout.source_id {
                of_id.entry((bout.event, id.clone())).or_default().push(i);
            }
        }
        for bouts in of_id.into_values().filter(|bouts| bouts.len() > 1) {
            let Some(newest) = bouts.iter().copied().max_by_key(|i| (self.bouts[*i].last, *i)) else {
                continue;
            };
            for i in bouts {
                if !is_same_pair(&self.bouts[i].fighters, &self.bouts[newest].fighters) {
                    self.bouts[i].source_id = None;
                }
            }
        }
    }

    /// Claims of bouts that `is_wanted`, by event; with each bout its place among [`Self::bouts`]. An event none of
    /// whose bouts is wanted is claimed with none.
    pub(super) fn claims(
        &self,
        space: &str,
        is_wanted: impl Fn(&ClaimedBout) -> bool,
    ) -> (Vec<EventClaim>, Vec<(usize, Vec<usize>)>) {
        let mut of_event: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (i, _) in self.events.iter().enumerate().filter(|(_, event)| event.space == space) {
            of_event.entry(i).or_default();
        }
        for (i, bout) in self.bouts.iter().enumerate().filter(|(_, bout)| is_wanted(bout)) {
            of_event.entry(bout.event).and_modify(|bouts| bouts.push(i));
        }
        let claims = of_event.iter().map(|(event, bouts)| self.claim(*event, bouts)).collect();
        (claims, of_event.into_iter().collect())
    }

    fn claim(&self, event: usize, bouts: &[usize]) -> EventClaim {
        let claimed = &self.events[event];
        EventClaim {
            source: claimed.space,
            source_id: claimed.source_id.clone(),
            names: claimed.names.clone(),
            days: claimed.days.clone(),
            bouts: bouts.iter().map(|i| self.bout_claim(&self.bouts[*i])).collect(),
            seen: claimed.seen.clone(),
        }
    }

    fn bout_claim(&self, bout: &ClaimedBout) -> BoutClaim {
        let event = &self.events[bout.event].source_id;
        let names = bout.fighters.each_ref().map(|(_, name)| name.as_str());
        let fighter = |(id, name): &(Option<String>, String)| {
            let described = id.as_ref().and_then(|id| self.fighters.get(id));
            FighterClaim {
                source_id: id.clone().unwrap_or_else(|| mention(event, &[name])),
                has_id: id.is_some(),
                name: name.clone(),
                nickname: described.and_then(|d| d.nickname.clone()),
                born: described.and_then(|d| d.born),
                statsdb_id: None,
            }
        };
        BoutClaim {
            source_id: bout.source_id.clone().unwrap_or_else(|| mention(event, &names)),
            fighters: bout.fighters.each_ref().map(fighter),
            order: bout.order,
            is_over: bout.is_over,
            seen: bout.seen.clone(),
        }
    }
}

fn reader<'a>(capture: &'a CaptureFacts, table: &'a str) -> Result<TableReader<'a>, NormaliseError> {
    let batch = capture.tables.get(table).ok_or_else(|| NormaliseError::MissingTable {
        capture: capture.capture.clone(),
        table: table.to_owned(),
    })?;
    Ok(TableReader::new(table, batch))
}

/// Bouts without two names.
fn open_bouts(r: &TableReader<'_>) -> Result<Vec<Finding>, NormaliseError> {
    let (files, lines) = (r.texts("file")?, r.counts("line")?);
    let names = r.strings("first_name")?.into_iter().zip(r.strings("second_name")?).enumerate();
    let open = names.filter(|(_, (first, second))| first.is_none() || second.is_none());
    let finding = |(i, (first, second)): (usize, (Option<&str>, Option<&str>))| Finding {
        kind: FindingKind::UnknownFighter,
        severity: Severity::Note,
        file: files[i].to_owned(),
        line: lines[i],
        key: first.or(second).map(str::to_owned),
        reason: "an opponent is to be announced".to_owned(),
        raw: None,
    };
    Ok(open.map(finding).collect())
}

/// The day of an event that starts then, as the statistics source counts: in the middle of the Americas, so that
/// an evening in Las Vegas that begins after midnight UTC is of the day before, and so is a Sunday noon in Sydney.
pub(super) fn day_of(start: DateTime<Utc>) -> NaiveDate {
    start.checked_sub_signed(TimeDelta::hours(6)).unwrap_or(start).date_naive()
}

/// The newest first, each once.
fn to_front<T: PartialEq>(list: &mut Vec<T>, value: T) {
    if list.first() != Some(&value) {
        list.retain(|other| *other != value);
        list.insert(0, value);
    }
}

type Pair = [(Option<String>, String); 2];

fn is_same_pair(a: &Pair, b: &Pair) -> bool {
    let same = |x: &(Option<String>, String), y: &(Option<String>, String)| match (&x.0, &y.0) {
        (Some(x), Some(y)) => x == y,
        _ => fold_name(&x.1) == fold_name(&y.1) || Name::new(&x.1).likeness(&Name::new(&y.1)) >= SURE,
    };
    same(&a[0], &b[0]) && same(&a[1], &b[1]) || same(&a[0], &b[1]) && same(&a[1], &b[0])
}
