//! A small language for captures of a schedule and of results, and the history that they tell.
//!
//! ```text
//! 01-01 00:00 cards fight 01-18 23:00: A-B 1 main_event, C-D 2
//! 01-20 06:00 stats fight: A-B win A, C-D no_contest overturned
//! 01-20 06:00 wire A
//! ```
//!
//! An event may have a day without an hour, and a word of its status before the colon; `-` lists no event at all.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use fdna_ledger::{
    BoutHistory, CaptureHistory, CaptureTime, EventHistory, LedgerHistory, MediaItem, STATISTICS,
    SourceStatement, StateField, StateValue,
};
use fdna_schemas::SourceGroup;
use uuid::Uuid;

/// One bout of a capture: its fighters, and words about it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) fighters: [String; 2],
    pub(crate) words: Vec<String>,
}

/// One capture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Capture {
    pub(crate) at: DateTime<Utc>,
    pub(crate) source: String,
    /// Name of the event, its start, its status, and its bouts.
    pub(crate) event: Option<(String, Option<StateValue>, Option<String>)>,
    pub(crate) bouts: Vec<Line>,
}

/// An instant of January 2025, or a later month: `01-18 23:00`.
pub(crate) fn at(text: &str) -> DateTime<Utc> {
    NaiveDateTime::parse_from_str(&format!("2025-{text}"), "%Y-%m-%d %H:%M").unwrap().and_utc()
}

fn id(kind: &str, name: &str) -> Uuid {
    fdna_model::address_id(kind, name)
}

pub(crate) fn fighter(name: &str) -> Uuid {
    id("fighter", name)
}

pub(crate) fn bout(event: &str, fighters: &[String; 2]) -> Uuid {
    let mut names = fighters.clone();
    names.sort();
    id("bout", &format!("{event} {}", names.join("-")))
}

pub(crate) fn parse(text: &str) -> Vec<Capture> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(capture).collect()
}

fn capture(line: &str) -> Capture {
    let (head, bouts) = line.split_once(": ").unwrap_or((line, ""));
    let words: Vec<&str> = head.trim_end_matches(':').split(' ').collect();
    let time = at(&format!("{} {}", words[0], words[1]));
    let bouts = bouts.split(", ").filter(|bout| !bout.is_empty()).map(|bout| {
        let mut words = bout.split(' ').map(str::to_owned);
        let pair = words.next().unwrap();
        let (a, b) = pair.split_once('-').unwrap();
        Line { fighters: [a.to_owned(), b.to_owned()], words: words.collect() }
    });
    let event = words.get(3).filter(|name| **name != "-").map(|name| {
        let day =
            words.get(4).and_then(|day| NaiveDate::parse_from_str(&format!("2025-{day}"), "%Y-%m-%d").ok());
        let hour = words.get(5).and_then(|hour| NaiveTime::parse_from_str(hour, "%H:%M").ok());
        let start = day.map(|day| {
            hour.map_or(StateValue::Date(day), |hour| StateValue::Instant(day.and_time(hour).and_utc()))
        });
        let status =
            words.last().filter(|word| word.chars().all(|c| c.is_ascii_lowercase()) && words.len() > 5);
        ((*name).to_owned(), start, status.map(|word| (*word).to_owned()))
    });
    Capture { at: time, source: words[2].to_owned(), event, bouts: bouts.collect() }
}

/// The source's name, and the group that it feeds.
fn source(name: &str) -> (String, SourceGroup) {
    match name {
        "stats" => ("statsdb".to_owned(), SourceGroup::Statistics),
        "wire" => ("wire".to_owned(), SourceGroup::Wire),
        name => (name.to_owned(), SourceGroup::Schedule),
    }
}

fn taken(capture: &Capture) -> CaptureTime {
    let (source, group) = source(&capture.source);
    CaptureTime { source, groups: vec![group], at: capture.at, next_within: Some(TimeDelta::hours(48)) }
}

/// The history that captures tell, whatever order they are given in.
pub(crate) fn history(captures: &[Capture]) -> LedgerHistory {
    let mut captures = captures.to_vec();
    captures.sort_by_key(|capture| capture.at);
    let taken: Vec<CaptureTime> = captures.iter().map(taken).collect();
    let mut history = LedgerHistory::default();
    history.captures = CaptureHistory::new(&taken);
    let mut telling = Teller::default();
    for capture in &captures {
        match capture.source.as_str() {
            "stats" => telling.results(&mut history, capture),
            "wire" => story(&mut history, capture),
            _ => telling.list(&mut history, capture),
        }
    }
    history.index_events()
}

fn story(history: &mut LedgerHistory, capture: &Capture) {
    let place = history.wire.items.len();
    history.wire.items.push(MediaItem { published_at: capture.at, known_since: capture.at });
    let (name, ..) = capture.event.as_ref().unwrap();
    history.wire.naming.entry(fighter(name)).or_default().push(place);
}

/// Whether it was listed, and what was said of it.
type Said = (bool, Vec<(StateField, StateValue)>);

/// What each source said last.
#[derive(Default)]
struct Teller {
    said: BTreeMap<(String, Uuid), Said>,
    listed: BTreeMap<(String, String), BTreeSet<Uuid>>,
}

impl Teller {
    fn say(&mut self, source: &str, id: Uuid, is_listed: bool, says: Vec<(StateField, StateValue)>) -> bool {
        let said = (is_listed, says);
        self.said.insert((source.to_owned(), id), said.clone()) != Some(said)
    }

    fn list(&mut self, history: &mut LedgerHistory, capture: &Capture) {
        let Some((name, start, status)) = &capture.event else { return };
        let event = id("event", name);
        let mut says = match start {
            Some(StateValue::Instant(at)) => {
                vec![
                    (StateField::StartAt, (*at).into()),
                    (StateField::StartDate, (*at - TimeDelta::hours(6)).date_naive().into()),
                ]
            }
            Some(day) => vec![(StateField::StartDate, day.clone())],
            None => vec![],
        };
        says.extend(status.as_ref().map(|status| (StateField::BoutStatus, status.as_str().into())));
        if self.say(&capture.source, event, true, says.clone()) {
            let telling = SourceStatement { from: capture.at, is_listed: true, says };
            history.events.entry(event).or_default().tellings.add_statement(&capture.source, telling);
        }
        let listed: BTreeSet<Uuid> = capture.bouts.iter().map(|line| bout(name, &line.fighters)).collect();
        for line in &capture.bouts {
            self.tell(history, capture, name, line, true);
        }
        let known = self.listed.entry((capture.source.clone(), name.clone())).or_default();
        let gone: Vec<Uuid> =
            if listed.is_empty() { vec![] } else { known.difference(&listed).copied().collect() };
        known.extend(listed);
        for id in gone {
            let says = self.said[&(capture.source.clone(), id)].1.clone();
            if self.say(&capture.source, id, false, says.clone()) {
                let telling = SourceStatement { from: capture.at, is_listed: false, says };
                history.bouts.get_mut(&id).unwrap().tellings.add_statement(&capture.source, telling);
            }
        }
    }

    fn results(&mut self, history: &mut LedgerHistory, capture: &Capture) {
        let (name, start, _) = capture.event.clone().unwrap();
        for line in &capture.bouts {
            self.tell(history, capture, &name, line, true);
        }
        let event = history.events.entry(id("event", &name)).or_default();
        let EventHistory { fought_on, results_since, .. } = event;
        *results_since = results_since.or(Some(capture.at));
        let known = event.tellings.clone();
        let day = start.and_then(|start| start.as_date());
        *fought_on = fought_on
            .or(day)
            .or_else(|| (known == fdna_ledger::SourceStatements::default()).then(|| capture.at.date_naive()));
    }

    fn tell(
        &mut self,
        history: &mut LedgerHistory,
        capture: &Capture,
        event: &str,
        line: &Line,
        is_listed: bool,
    ) {
        let id_of_bout = bout(event, &line.fighters);
        let source = if capture.source == "stats" { STATISTICS } else { &capture.source };
        let mut says: Vec<(StateField, StateValue)> =
            line.words.iter().filter_map(|word| word_said(word)).collect();
        if capture.source == "stats" {
            says.retain(|(field, _)| *field != StateField::BoutOrder);
        }
        if self.say(source, id_of_bout, is_listed, says.clone()) {
            let mut fighters = line.fighters.each_ref().map(|name| fighter(name));
            fighters.sort();
            let new = || BoutHistory { event: id("event", event), fighters, ..BoutHistory::default() };
            let bout = history.bouts.entry(id_of_bout).or_insert_with(new);
            bout.tellings.add_statement(source, SourceStatement { from: capture.at, is_listed, says });
        }
    }
}

/// What a word says.
fn word_said(word: &str) -> Option<(StateField, StateValue)> {
    Some(match word {
        "main_event" | "co_main" | "main_card" | "prelims" => (StateField::CardPosition, word.into()),
        "win" | "draw" | "no_contest" => (StateField::ResultOutcome, word.into()),
        "overturned" | "ko_tko" | "submission" => (StateField::ResultMethod, word.into()),
        "completed" | "postponed" | "cancelled" | "in_progress" => (StateField::BoutStatus, word.into()),
        _ if word.parse::<i32>().is_ok() => (StateField::BoutOrder, word.parse::<i32>().unwrap().into()),
        _ => (StateField::ResultWinner, fighter(word).into()),
    })
}
