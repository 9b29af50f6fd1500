//! The description of an entry: parts of the card with bouts, a line each.

use chrono::{DateTime, Duration, Utc};

use super::{bout, clock};
use crate::schedule::CardPosition;

/// What a description lists.
#[derive(Default)]
pub(super) struct CalendarCard<'e> {
    pub(super) lines: Vec<CalendarLine<'e>>,
    /// When the description was right.
    pub(super) notes: Vec<&'e str>,
    pub(super) unread: Vec<UnreadLine<'e>>,
    /// Headings whose own times cannot be read, with their places.
    pub(super) unread_times: Vec<(usize, &'e str)>,
    /// When the main card starts.
    pub(super) start_at: Option<DateTime<Utc>>,
}

/// A line of a bout, under its part of the card.
pub(super) struct CalendarLine<'e> {
    /// Of the description, 0 first.
    pub(super) place: usize,
    pub(super) text: &'e str,
    pub(super) position: Option<CardPosition>,
    pub(super) start_at: Option<DateTime<Utc>>,
    pub(super) listed_at: i32,
}

/// A line that is nothing which is known.
pub(super) struct UnreadLine<'e> {
    pub(super) place: usize,
    pub(super) text: &'e str,
    pub(super) is_under_heading: bool,
}

/// A part of the card.
struct CardPart<'e> {
    position: CardPosition,
    /// Hours before the main card.
    hours: Option<f64>,
    /// As the heading states it.
    clock: Option<&'e str>,
}

impl<'e> CalendarCard<'e> {
    /// `start` is what the entry states: that of the main card where no heading has a time of its own, else that of the
    /// first part.
    pub(super) fn of(description: &'e str, start: Option<DateTime<Utc>>) -> Self {
        let lines = description.lines().map(str::trim).enumerate();
        let parts: Vec<(usize, CardPart<'_>)> =
            lines.clone().filter_map(|(place, line)| Some((place, CardPart::read(line)?))).collect();
        let mut card = Self { start_at: main_card(&parts, start), ..Self::default() };
        let mut part: Option<&CardPart<'_>> = None;
        let mut is_under_heading = false;
        for (place, line) in lines.filter(|(_, line)| line.contains(char::is_alphanumeric)) {
            if let Ok(at) = parts.binary_search_by_key(&place, |(place, _)| *place) {
                (part, is_under_heading) = (Some(&parts[at].1), true);
                let is_unread = |clock| start.is_some_and(|near| clock::read(clock, near).is_none());
                if part.and_then(|part| part.clock).is_some_and(is_unread) {
                    card.unread_times.push((place, line));
                }
            } else if let Some(text) = bout::line(line) {
                let listed_at = i32::try_from(card.lines.len() + 1).unwrap_or(i32::MAX);
                let start_at = part.and_then(|part| part.start(start, card.start_at));
                let position = part.map(|part| part.position);
                card.lines.push(CalendarLine { place, text, position, start_at, listed_at });
            } else if line.starts_with("Accurate as of ") {
                card.notes.push(line);
            } else if !line.starts_with("http") {
                card.unread.push(UnreadLine { place, text: line, is_under_heading });
                // It may head a part that is not known.
                part = None;
            }
        }
        card
    }

    /// Place and text of every line that is a bout or would have to be one.
    pub(super) fn stated_lines(&self) -> impl Iterator<Item = (usize, &'e str)> {
        let unread = self.unread.iter().map(|line| (line.place, line.text));
        self.lines.iter().map(|line| (line.place, line.text)).chain(unread)
    }

    /// Whether there is a place on the card for each bout.
    pub(super) fn is_divided(&self) -> bool {
        self.unread.is_empty() && self.lines.iter().all(|line| line.position.is_some())
    }

    /// A line that looks like one of a bout in another layout than is known.
    pub(super) fn strange_line(&self) -> Option<&'e str> {
        let is_strange = |line: &&UnreadLine<'_>| line.is_under_heading || bout::names_two(line.text);
        let unread = self.unread.iter().find(is_strange).map(|line| line.text);
        self.lines.first().map(|line| line.text).or(unread)
    }
}

impl<'e> CardPart<'e> {
    /// `Prelims (3 hrs before Main)`, `Prelims — Sat, May 10, 8:00 PM EDT (2 hrs before Main)`.
    fn read(line: &'e str) -> Option<Self> {
        let (head, note) = line.split_once(" (").unwrap_or((line, ""));
        let end = head.find(['—', '–', '|', ':', '@']).or_else(|| head.find(" - "));
        let (name, clock) = head.split_at(end.unwrap_or(head.len()));
        let clock = clock.trim_matches(|c: char| c.is_whitespace() || "—–|:@-".contains(c));
        let hours = note.strip_suffix(" hrs before Main)").or_else(|| note.strip_suffix(" hr before Main)"));
        Some(Self {
            position: CardPosition::of_segment(name)?,
            hours: hours.and_then(|text| text.parse().ok()),
            clock: Some(clock).filter(|clock| !clock.is_empty()),
        })
    }

    /// When it starts, by its own time or told from the main card; none where the source cannot mean what it says.
    fn start(&self, near: Option<DateTime<Utc>>, main_card: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
        let main_card = main_card?;
        let before = match self.clock {
            Some(text) => main_card - clock::read(text, near?)?,
            None if self.position == CardPosition::MainCard => Duration::zero(),
            None => duration(self.hours?)?,
        };
        let is_meant = self.position == CardPosition::MainCard || before > Duration::zero();
        main_card.checked_sub_signed(before).filter(|_| is_meant && before <= Duration::hours(8))
    }
}

fn duration(hours: f64) -> Option<Duration> {
    #[expect(clippy::cast_possible_truncation, reason = "at most 480 minutes")]
    let minutes = (0.0..=8.0).contains(&hours).then_some((hours * 60.0).round() as i64)?;
    Some(Duration::minutes(minutes))
}

/// When the main card starts: as its heading says, else as long after another part as that says, else as the entry does.
fn main_card(parts: &[(usize, CardPart<'_>)], start: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
    let near = start?;
    if parts.iter().all(|(_, part)| part.clock.is_none()) {
        return Some(near);
    }
    let of_part = |(_, part): &(usize, CardPart<'_>)| {
        let at = clock::read(part.clock?, near)?;
        match part.position {
            CardPosition::MainCard => Some(at),
            _ => at.checked_add_signed(duration(part.hours?)?),
        }
    };
    let is_main = |(_, part): &&(usize, CardPart<'_>)| part.position == CardPosition::MainCard;
    let stated = parts.iter().find(is_main).filter(|(_, part)| part.clock.is_some());
    match stated {
        Some(part) => of_part(part),
        None => parts.iter().find_map(of_part),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn card(description: &str) -> CalendarCard<'_> {
        CalendarCard::of(description, Some("2025-05-10T22:30:00Z".parse().unwrap()))
    }

    fn starts(description: &str) -> String {
        let card = card(description);
        let text =
            |at: Option<DateTime<Utc>>| at.map_or("-".to_owned(), |at| at.format("%dT%H:%M").to_string());
        let of_lines = card.lines.iter().map(|line| text(line.start_at));
        [text(card.start_at)].into_iter().chain(of_lines).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_part_with_its_own_time_starts_then_and_the_entry_with_its_first_part() {
        let parts = "Main Card — Sat, May 10, 10:00 PM EDT\nA B vs. C D\nPrelims — Sat, May 10, 8:00 PM EDT (2 hrs before Main)\nE F vs. G H\n\
                     Early Prelims\nI J vs. K L";
        assert_eq!(starts(parts), "11T02:00 11T02:00 11T00:00 -");
        assert_eq!(
            starts("Main Card\nA B vs. C D\nPrelims: 6:30 PM EDT (3.5 hrs before Main)\nE F vs. G H"),
            "11T02:00 11T02:00 10T22:30"
        );
        assert_eq!(
            starts("Main Card\nA B vs. C D\nPrelims (2 hrs before Main)\nE F vs. G H"),
            "10T22:30 10T22:30 10T20:30"
        );
    }

    #[test]
    fn a_time_that_cannot_be_read_is_not_taken_from_the_entry() {
        assert_eq!(
            starts("Main Card — some time\nA B vs. C D\nPrelims (2 hrs before Main)\nE F vs. G H"),
            "- - -"
        );
        assert_eq!(
            starts("Main Card — 10 PM EDT\nA B vs. C D\nPrelims — 11 PM EDT\nE F vs. G H"),
            "11T02:00 11T02:00 -"
        );
    }

    #[test]
    fn a_line_that_is_nothing_known_is_told_and_may_head_a_part() {
        let card = card(
            "Doors at 6\nMain Card\n-----\nA B vs. C D\nUndercard\n=====\nE F vs. G H\nAccurate as of Jan 1\nhttps://a.example",
        );
        assert_eq!(
            card.unread.iter().map(|line| (line.place, line.text)).collect::<Vec<_>>(),
            [(0, "Doors at 6"), (4, "Undercard")]
        );
        assert_eq!(card.lines.iter().map(|line| line.position.is_some()).collect::<Vec<_>>(), [true, false]);
        assert_eq!(card.notes, ["Accurate as of Jan 1"]);
        assert!(!card.is_divided());
    }

    proptest! {
        #[test]
        fn no_description_makes_it_panic(text in "(Main Card|Prelims|[—:(@•-]| |\n|vs\\.|[A-Z]|[0-9.]{1,4}|hrs before Main\\)|EDT|PM){0,40}|\\PC{0,30}") {
            card(&text);
            CalendarCard::of(&text, Some(DateTime::<Utc>::MAX_UTC));
            CalendarCard::of(&text, None);
        }
    }
}
