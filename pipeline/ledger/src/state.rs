//! The state of a bout: what was known of it at one time, field by field, and who told it.

use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::StateValue;

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident $path:literal $column:literal,)+) => {
        /// A field of the state. Its path is the place in the row as it is served (RFC 6901), its column that
        /// of the table `ledger`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum StateField { $($(#[$doc])* $name,)+ }

        impl StateField {
            pub const ALL: [Self; [$($path),+].len()] = [$(Self::$name),+];

            #[must_use]
            pub fn path(self) -> &'static str {
                match self { $(Self::$name => $path,)+ }
            }

            #[must_use]
            pub fn column(self) -> &'static str {
                match self { $(Self::$name => $column,)+ }
            }
        }
    };
}

fields! {
    /// Scheduled start in UTC; null where only the day is known.
    StartAt "/scheduled_start/value" "start_at",
    /// Day of the event.
    StartDate "/scheduled_start/date" "start_date",
    /// `known`, `date_only` or `unknown`.
    StartStatus "/scheduled_start/status" "start_status",
    /// announced, scheduled, in_progress, completed, cancelled or postponed.
    BoutStatus "/state/bout_status" "bout_status",
    CardPosition "/state/card_position" "card_position",
    /// Place on the card, 1 first to be fought.
    BoutOrder "/state/bout_order" "bout_order",
    WeightClass "/state/weight_class" "weight_class",
    ScheduledRounds "/state/scheduled_rounds" "scheduled_rounds",
    IsTitle "/state/is_title" "is_title",
    FighterA "/state/fighter_a_id" "fighter_a_id",
    FighterB "/state/fighter_b_id" "fighter_b_id",
    /// The bout that this one stands in for.
    ReplacedBout "/state/replaced_bout_id" "replaced_bout_id",
    /// Days from the first list that had the bout to the event, where it replaces another.
    ShortNotice "/state/short_notice_days" "short_notice_days",
    HasDnaA "/state/has_dna/a" "has_dna_a",
    HasDnaB "/state/has_dna/b" "has_dna_b",
    /// From when on the DNA holds that he brings to the bout.
    DnaFromA "/state/dna_valid_from/a" "dna_valid_from_a",
    DnaFromB "/state/dna_valid_from/b" "dna_valid_from_b",
    /// Rank in the bout's class, 0 the champion.
    RankingA "/state/ranking/a" "ranking_a",
    RankingB "/state/ranking/b" "ranking_b",
    /// Stories that name the bout or one of its fighters, from 30 days before the start to 7 days after it.
    WireCount "/state/wire_count" "wire_count",
    /// Articles, in the same way.
    ArticleCount "/state/article_count" "article_count",
    /// Videos, in the same way.
    VideoCount "/state/video_count" "video_count",
    /// `pending`, `reported` (over, says the schedule), `official` or `overturned`.
    ResultStatus "/state/result/status" "result_status",
    /// win, draw or no_contest.
    ResultOutcome "/state/result/outcome" "result_outcome",
    ResultMethod "/state/result/method" "result_method",
    ResultWinner "/state/result/winner_id" "result_winner_id",
}

impl StateField {
    /// Both fighters' fields, where there is one for each.
    pub(crate) const HAS_DNA: [Self; 2] = [Self::HasDnaA, Self::HasDnaB];
    pub(crate) const DNA_FROM: [Self; 2] = [Self::DnaFromA, Self::DnaFromB];
    pub(crate) const RANKING: [Self; 2] = [Self::RankingA, Self::RankingB];

    /// Of these names in a row as it is served, and of no other.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.path() == path)
    }

    /// What is computed of the house's own facts.
    pub(crate) fn is_derived(self) -> bool {
        Self::HAS_DNA.contains(&self) || Self::DNA_FROM.contains(&self)
    }

    pub(crate) fn is_result(self) -> bool {
        matches!(self, Self::ResultStatus | Self::ResultOutcome | Self::ResultMethod | Self::ResultWinner)
    }

    /// What tells about the bout itself: neither what is written about it, nor where its fighters stand.
    pub(crate) fn is_fact(self) -> bool {
        let about = matches!(self, Self::WireCount | Self::ArticleCount | Self::VideoCount);
        !about && !self.is_derived() && !Self::RANKING.contains(&self)
    }

    const fn place(self) -> usize {
        self as usize
    }
}

const N: usize = StateField::ALL.len();

/// Every field's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoutState([StateValue; N]);

impl Default for BoutState {
    fn default() -> Self {
        Self(std::array::from_fn(|_| StateValue::Null))
    }
}

impl BoutState {
    #[must_use]
    pub fn get(&self, field: StateField) -> &StateValue {
        &self.0[field.place()]
    }

    pub fn set(&mut self, field: StateField, value: impl Into<StateValue>) {
        self.0[field.place()] = value.into();
    }

    #[must_use]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.get(StateField::BoutStatus).is("cancelled")
    }

    /// Whether the statistics source has told a result.
    #[must_use]
    pub(crate) fn has_result(&self) -> bool {
        let status = self.get(StateField::ResultStatus);
        status.is("official") || status.is("overturned")
    }

    /// Fields in which the two differ.
    pub(crate) fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = StateField> + 'a {
        StateField::ALL.into_iter().filter(|field| self.get(*field) != other.get(*field))
    }
}

/// An object with a path for each field, in the order of [`StateField::ALL`]: what digests are made of.
impl Serialize for BoutState {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(N))?;
        for field in StateField::ALL {
            map.serialize_entry(field.path(), self.get(field))?;
        }
        map.end()
    }
}

/// Who told each field's value, or was asked for it and told none; nobody, where it is the house's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedBy([Option<Arc<str>>; N]);

impl Default for StatedBy {
    fn default() -> Self {
        Self(std::array::from_fn(|_| None))
    }
}

impl StatedBy {
    #[must_use]
    pub fn get(&self, field: StateField) -> Option<&Arc<str>> {
        self.0[field.place()].as_ref()
    }

    pub(crate) fn set(&mut self, field: StateField, source: Option<Arc<str>>) {
        self.0[field.place()] = source;
    }
}

/// A state with who told it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownState {
    pub state: BoutState,
    pub told_by: StatedBy,
}

impl KnownState {
    /// Sets a field, and who told it, or told nothing of it.
    pub(crate) fn tell(&mut self, field: StateField, value: StateValue, source: &Arc<str>) {
        self.told_by.set(field, Some(Arc::clone(source)));
        self.state.set(field, value);
    }
}
