//! The description of an entry: parts of the card with bouts, a line each.

use chrono::{DateTime, Duration, Utc};
use fdna_model::FindingKind;
use icalendar::parser::Component;

use super::event::start;
use crate::row::RowError;
use crate::schedule::{BoutCorner, CardPosition, ScheduledBout, stands_for_nobody};

/// What a description lists.
pub(super) struct CalendarCard<'e> {
    pub(super) lines: Vec<CalendarLine<'e>>,
    /// Lines that are neither a bout, a heading nor the page's address.
    pub(super) notes: Vec<&'e str>,
}

/// A line of a bout, under its part of the card.
pub(super) struct CalendarLine<'e> {
    pub(super) text: &'e str,
    pub(super) position: Option<CardPosition>,
    pub(super) start_at: Option<DateTime<Utc>>,
    listed_at: i32,
}

impl<'e> CalendarCard<'e> {
    pub(super) fn of(entry: &'e Component<'_>) -> Self {
        let main_card = start(entry);
        let description = entry.find_prop("DESCRIPTION").map_or("", |property| property.val.as_str());
        let mut card = Self { lines: Vec::new(), notes: Vec::new() };
        let (mut position, mut start_at) = (None, None);
        for line in description.lines().map(str::trim).filter(|line| !is_rule(line)) {
            if let Some(text) = line.strip_prefix('•') {
                let listed_at = i32::try_from(card.lines.len() + 1).unwrap_or(i32::MAX);
                card.lines.push(CalendarLine { text: text.trim_end(), position, start_at, listed_at });
            } else if let Some((part, hours)) = heading(line) {
                (position, start_at) = (Some(part), main_card.zip(before(part, hours)).map(|(t, d)| t - d));
            } else if !line.starts_with("http") {
                card.notes.push(line);
            }
        }
        card
    }
}

fn is_rule(line: &str) -> bool {
    line.bytes().all(|b| b == b'-')
}

/// `Prelims (3 hrs before Main)` to the part and its hours.
fn heading(line: &str) -> Option<(CardPosition, Option<f64>)> {
    let (name, rest) = line.split_once(" (").unwrap_or((line, ""));
    let hours = rest.strip_suffix(" hrs before Main)").or_else(|| rest.strip_suffix(" hr before Main)"));
    Some((CardPosition::of_segment(name)?, hours.and_then(|text| text.parse().ok())))
}

/// How long before the main card a part starts; none where the source cannot mean what it says.
fn before(part: CardPosition, hours: Option<f64>) -> Option<Duration> {
    if part == CardPosition::MainCard {
        return Some(Duration::zero());
    }
    let hours = hours.filter(|hours| *hours > 0.0 && *hours <= 8.0)?;
    #[expect(clippy::cast_possible_truncation, reason = "at most 480 minutes")]
    let minutes = (hours * 60.0).round() as i64;
    Some(Duration::minutes(minutes))
}

/// Reads ` A (#6) vs. B (C) @125`.
pub(super) fn read(event: Option<&str>, line: &CalendarLine<'_>) -> Result<ScheduledBout, RowError> {
    let aside = || RowError::new(FindingKind::UnknownEvent, "its event is set aside");
    let unreadable = || RowError::new(FindingKind::UnreadableValue, "it names no two fighters");
    let (names, limit) = match line.text.rsplit_once(" @") {
        Some((names, limit)) => (names, Some(limit.trim())),
        None => (line.text, None),
    };
    let (first, second) = names.split_once(" vs. ").ok_or_else(unreadable)?;
    Ok(ScheduledBout {
        event: event.ok_or_else(aside)?.to_owned(),
        listed_at: line.listed_at,
        position: line.position,
        start_at: line.start_at,
        weight_class: limit.map(|limit| format!("@{limit}")),
        weight_lbs: limit.and_then(|limit| limit.parse().ok()).filter(|lbs| (50..1000).contains(lbs)),
        corners: [corner(first)?, corner(second)?],
        ..ScheduledBout::default()
    })
}

/// `Leon Edwards (C)`: a rank, a champion or an interim one; nobody where the name is to be announced.
fn corner(text: &str) -> Result<BoutCorner, RowError> {
    let text = text.trim();
    let mark = text.rsplit_once(" (").and_then(|(name, mark)| Some((name, mark.strip_suffix(')')?)));
    let (name, mark) = mark.map_or((text, None), |(name, mark)| (name, Some(mark)));
    let mut corner = BoutCorner::default();
    match mark {
        None => {}
        Some("C" | "IC") => corner.is_champion = Some(true),
        Some(mark) => {
            let rank = mark.strip_prefix('#').and_then(crate::parse::whole).filter(|rank| *rank > 0);
            let unreadable = || {
                RowError::new(
                    FindingKind::UnreadableValue,
                    format!("unknown mark `{mark}`: expected `C`, `IC` or `#RANK`"),
                )
            };
            corner.rank = Some(rank.ok_or_else(unreadable)?);
        }
    }
    corner.name = Some(name.trim()).filter(|name| !stands_for_nobody(name)).map(str::to_owned);
    Ok(corner)
}
