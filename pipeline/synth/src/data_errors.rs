//! The four bad rows, put in on purpose so that the quarantine has something to show.
//!
//! Three sit in bouts at fixed places; the fourth is the row of one fighter, who is listed twice
//! in the index (see `fighters::LISTED_TWICE`).

use super::script::CardPlace;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// The targets of the first fighter's first round do not sum to the significant strikes.
    TargetsDisagree,
    /// The time of the result is `x:59`.
    UnreadableTime,
    /// The second fighter's first round is under the name of somebody not in the bout.
    StrayFighter,
}

pub(super) const FLAWS: [(CardPlace, Flaw); 3] =
    [((10, 5), Flaw::TargetsDisagree), ((12, 5), Flaw::UnreadableTime), ((14, 5), Flaw::StrayFighter)];

pub(super) fn flaw_at(place: CardPlace) -> Option<Flaw> {
    let found = FLAWS.iter().find(|(at, _)| *at == place)?;
    Some(found.1)
}
