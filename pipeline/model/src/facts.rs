//! Facts about bouts, and the one gate through which derivation sees them.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::{BoutId, EventId, FighterId, Method, Outcome, RoundCounts, Stance, WeightClass};

/// The two fighters of a bout: `A` has the lower id. Order of listing leaks the result, so it is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RoundFact {
    /// From 1.
    pub round: i32,
    /// Fought seconds; `None` where the time format is not known.
    pub secs: Option<i32>,
    /// Whether it lasted its format's length.
    pub is_whole: bool,
    /// By [`Side::index`].
    pub counts: [RoundCounts; 2],
}

/// A fought bout.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
    /// Finishing detail as the source words it.
    pub method_detail: Option<String>,
    /// Round in which it ended.
    pub last_round: i32,
    /// Rounds without overtime; `None` without a time limit.
    pub scheduled_rounds: Option<i32>,
    /// A championship of any kind at stake.
    pub is_title: bool,
    /// Points by [`Side::index`], a judge each; `None` where it is not known whose they are.
    pub cards: Vec<Option<[i32; 2]>>,
    /// Fought seconds; `None` where the time format is not known.
    pub total_secs: Option<i32>,
    /// All rounds of both fighters, or none where the source has no statistics.
    pub rounds: Vec<RoundFact>,
}

/// First date with bouts that the published career statistics count; earlier statistics are partial.
pub const FIRST_ELIGIBLE: NaiveDate = NaiveDate::from_ymd_opt(2000, 11, 17).expect("a date");

impl BoutFact {
    /// Whether it has a winner or is a draw, and has not been overturned since.
    #[must_use]
    pub fn has_result(&self) -> bool {
        self.outcome != Outcome::NoContest && self.method != Method::Overturned
    }

    /// Whether rounds 1 and 3 both lasted their length, and are of one length: what was done in them compares.
    #[must_use]
    pub fn has_comparable_rounds(&self) -> bool {
        let whole = |wanted: i32| self.rounds.iter().find(|r| r.round == wanted && r.is_whole);
        whole(1).zip(whole(3)).is_some_and(|(first, third)| first.secs == third.secs)
    }

    /// Whether the bout enters Fight DNA: late enough, timed, and with statistics of both fighters.
    #[must_use]
    pub fn is_eligible(&self) -> bool {
        self.date >= FIRST_ELIGIBLE && self.total_secs.is_some_and(|s| s > 0) && !self.rounds.is_empty()
    }
}

/// All facts that a snapshot rests on, in the order date, event, place on the card, id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Facts {
    bouts: Vec<BoutFact>,
    stances: BTreeMap<FighterId, Stance>,
}

impl Facts {
    /// Sorts: the order of rows in a file must not reach a result.
    #[must_use]
    pub fn new(mut bouts: Vec<BoutFact>) -> Self {
        bouts.sort_by_key(|b| (b.date, b.event, b.order, b.id));
        Self { bouts, stances: BTreeMap::new() }
    }

    /// The same with the stances that are known.
    #[must_use]
    pub fn with_stances(self, stances: impl IntoIterator<Item = (FighterId, Stance)>) -> Self {
        Self { stances: stances.into_iter().collect(), ..self }
    }

    #[must_use]
    pub fn bouts(&self) -> &[BoutFact] {
        &self.bouts
    }

    /// Stances by fighter, where known.
    #[must_use]
    pub fn stances(&self) -> &BTreeMap<FighterId, Stance> {
        &self.stances
    }
}

/// Facts dated before a cut. Derivation takes nothing else, and this is the only way to make it: a bout
/// on the cut's day is the future.
#[derive(Debug, Clone, Copy)]
pub struct FactsAsOf<'a> {
    bouts: &'a [BoutFact],
    stances: &'a BTreeMap<FighterId, Stance>,
    as_of: NaiveDate,
}

impl<'a> FactsAsOf<'a> {
    #[must_use]
    pub fn cut_at(facts: &'a Facts, as_of: NaiveDate) -> Self {
        let end = facts.bouts.partition_point(|b| b.date < as_of);
        Self { bouts: &facts.bouts[..end], stances: &facts.stances, as_of }
    }

    /// Bouts before the cut, oldest first.
    #[must_use]
    pub fn bouts(&self) -> &'a [BoutFact] {
        self.bouts
    }

    /// A fighter's stance, where it is known: today's, since no source dates it.
    #[must_use]
    pub fn stance_of(&self, fighter: FighterId) -> Option<Stance> {
        self.stances.get(&fighter).copied()
    }

    #[must_use]
    pub fn as_of(&self) -> NaiveDate {
        self.as_of
    }
}
