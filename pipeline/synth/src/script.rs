//! Scripted events of every seed: the rare endings and texts of the source, each given a
//! fixed place, so that every sample shows them.
//!
//! A place is the event's number in order of time and the bout's position on the card, main event
//! 0. Cards have at least eight bouts, so positions up to 7 exist at every event.

use super::scorecards::Judging;

pub(super) type CardPlace = (usize, usize);

/// An ending other than what the styles would make.
#[derive(Clone, Copy, Debug)]
pub(super) enum Twist {
    Judged(Judging),
    Deduction,
    /// Won by this method with these details; `{loser}` is replaced.
    Ends(&'static str, &'static str),
    NoContest(&'static str, &'static str),
}

/// The bout that is a win in the first capture and overturned in the later one.
pub(super) const OVERTURNED_LATER: CardPlace = (27, 5);
/// A bout of the newest event whose statistics the first capture does not have yet.
pub(super) const STATISTICS_LATER: CardPlace = (29, 4);
/// A bout that never got any.
const STATISTICS_NEVER: CardPlace = (0, 6);

const ENDINGS: &[(CardPlace, Twist)] = &[
    ((3, 2), Twist::Judged(Judging::MajorityDraw)),
    ((4, 3), Twist::Judged(Judging::UnanimousDraw)),
    ((5, 2), Twist::NoContest("Could Not Continue", "Accidental Eye Poke")),
    ((6, 4), Twist::NoContest("Overturned", "Failed Drug Test by {loser}")),
    ((7, 3), Twist::Ends("DQ", "Illegal Knee by {loser}")),
    ((8, 2), Twist::Ends("TKO - Doctor's Stoppage", "Facial Cut")),
    ((9, 3), Twist::Judged(Judging::Split)),
    ((10, 3), Twist::Judged(Judging::Majority)),
    ((11, 2), Twist::Deduction),
    ((13, 6), Twist::NoContest("Other", "Accidental Headbutt")),
    ((16, 4), Twist::Judged(Judging::SplitDraw)),
    ((17, 3), Twist::Judged(Judging::Nameless)),
    ((18, 2), Twist::Judged(Judging::Unanimous)),
    ((20, 3), Twist::Ends("DQ", "Illegal Upkick by {loser}")),
    ((22, 4), Twist::Ends("TKO - Doctor's Stoppage", "")),
    (OVERTURNED_LATER, Twist::Ends("Submission", "Arm Triangle From Mount ")),
];

const CLASSES: &[(CardPlace, &str)] = &[
    ((13, 2), "Catch Weight Bout"),
    ((21, 5), "Catch Weight Bout"),
    ((15, 1), "Ultimate Fighter 9 Welterweight Tournament Title Bout"),
    ((23, 3), "Road to UFC 3 Bantamweight Tournament TitleBout"),
];

const NO_REFEREE: &[CardPlace] = &[(16, 5), (0, 7)];

/// Bouts with a division that the script needs there.
const DIVISIONS_AT: &[(CardPlace, usize)] = &[((15, 1), 4), ((23, 3), 1)];

/// Events whose main event is for a title, and the one for an interim title.
const TITLE_EVENTS: &[usize] = &[2, 5, 8, 11, 14, 17, 20, 22, 24, 26, 28];
const INTERIM_EVENT: usize = 14;

pub(super) fn twist_at(place: CardPlace) -> Option<Twist> {
    find_place(ENDINGS, place)
}

pub(super) fn division_at(place: CardPlace) -> Option<usize> {
    find_place(DIVISIONS_AT, place)
}

pub(super) fn has_referee(place: CardPlace) -> bool {
    !NO_REFEREE.contains(&place)
}

pub(super) fn has_statistics(place: CardPlace) -> bool {
    place != STATISTICS_NEVER && place != STATISTICS_LATER
}

pub(super) fn is_title_event(event: usize) -> bool {
    TITLE_EVENTS.contains(&event)
}

/// The text of the weight class; the main event of some nights is for a title.
pub(super) fn class_text(place: CardPlace, division: &str) -> String {
    if let Some(text) = find_place(CLASSES, place) {
        return text.to_owned();
    }
    match place {
        (INTERIM_EVENT, 0) => format!("UFC Interim {division} Title Bout"),
        (event, 0) if is_title_event(event) => format!("UFC {division} Title Bout"),
        _ => format!("{division} Bout"),
    }
}

fn find_place<T: Copy>(table: &[(CardPlace, T)], place: CardPlace) -> Option<T> {
    let row = table.iter().find(|(at, _)| *at == place)?;
    Some(row.1)
}
