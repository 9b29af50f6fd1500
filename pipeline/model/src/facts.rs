//! Facts about bouts, and the one gate through which derivation sees them.

use chrono::NaiveDate;

use crate::{BoutId, EventId, FighterId, Method, Outcome, RoundCounts, WeightClass};

/// The two fighters of a bout: `A` has the lower id. Order of listing leaks the result, so it is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    A,
    B,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// One round of a bout: what both fighters did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundFact {
    /// From 1.
    pub round: i32,
    /// Fought seconds; `None` where the time format is not known.
    pub secs: Option<i32>,
    /// By [`Side::index`].
    pub counts: [RoundCounts; 2],
}

/// A fought bout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoutFact {
    pub id: BoutId,
    pub event: EventId,
    pub date: NaiveDate,
    /// Place on the card, 1 first to be fought.
    pub order: Option<i32>,
    pub class: Option<WeightClass>,
    /// By [`Side::index`].
    pub fighters: [FighterId; 2],
    pub outcome: Outcome,
    pub winner: Option<Side>,
    pub method: Method,
    /// Fought seconds; `None` where the time format is not known.
    pub total_secs: Option<i32>,
    /// All rounds of both fighters, or none where the source has no statistics.
    pub rounds: Vec<RoundFact>,
}

/// First date with bouts that the published career statistics count; earlier statistics are partial.
const FIRST_ELIGIBLE: NaiveDate = NaiveDate::from_ymd_opt(2000, 11, 17).expect("a date");

impl BoutFact {
    /// Whether the bout enters Fight DNA: late enough, timed, and with statistics of both fighters.
    #[must_use]
    pub fn is_eligible(&self) -> bool {
        self.date >= FIRST_ELIGIBLE && self.total_secs.is_some_and(|s| s > 0) && !self.rounds.is_empty()
    }
}

/// All facts that a snapshot rests on, in the order date, event, place on the card, id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    bouts: Vec<BoutFact>,
}

impl Facts {
    /// Sorts: the order of rows in a file must not reach a result.
    #[must_use]
    pub fn new(mut bouts: Vec<BoutFact>) -> Self {
        bouts.sort_by_key(|b| (b.date, b.event, b.order, b.id));
        Self { bouts }
    }

    #[must_use]
    pub fn bouts(&self) -> &[BoutFact] {
        &self.bouts
    }
}

/// Facts dated before a cut. Derivation takes nothing else, and this is the only way to make it: a bout
/// on the cut's day is the future.
#[derive(Debug, Clone, Copy)]
pub struct FactsAsOf<'a> {
    bouts: &'a [BoutFact],
    as_of: NaiveDate,
}

impl<'a> FactsAsOf<'a> {
    #[must_use]
    pub fn cut(facts: &'a Facts, as_of: NaiveDate) -> Self {
        let end = facts.bouts.partition_point(|b| b.date < as_of);
        Self { bouts: &facts.bouts[..end], as_of }
    }

    /// Bouts before the cut, oldest first.
    #[must_use]
    pub fn bouts(&self) -> &'a [BoutFact] {
        self.bouts
    }

    #[must_use]
    pub fn as_of(&self) -> NaiveDate {
        self.as_of
    }
}
