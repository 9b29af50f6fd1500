//! The state of a bout: what was known of it at one time, field by field, and who told it.

use std::sync::Arc;

use fdna_schemas::tables::{ColumnPlace, LedgerRow};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::StateValue;

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident $path:literal $column:ident,)+) => {
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

            pub(crate) const fn place_in_row(self) -> ColumnPlace {
                match self { $(Self::$name => LedgerRow::$column,)+ }
            }
        }
    };
}

fields! {
    /// Scheduled start in UTC; null where only the day is known.
    StartAt "/scheduled_start/value" START_AT,
    /// Day of the event.
    StartDate "/scheduled_start/date" START_DATE,
    /// `known`, `date_only` or `unknown`.
    StartStatus "/scheduled_start/status" START_STATUS,
    /// announced, scheduled, in_progress, completed, cancelled or postponed.
    BoutStatus "/state/bout_status" BOUT_STATUS,
    CardPosition "/state/card_position" CARD_POSITION,
    /// Place on the card, 1 first to be fought.
    BoutOrder "/state/bout_order" BOUT_ORDER,
    WeightClass "/state/weight_class" WEIGHT_CLASS,
    ScheduledRounds "/state/scheduled_rounds" SCHEDULED_ROUNDS,
    IsTitle "/state/is_title" IS_TITLE,
    FighterA "/state/fighter_a_id" FIGHTER_A_ID,
    FighterB "/state/fighter_b_id" FIGHTER_B_ID,
    /// The bout that this one stands in for.
    ReplacedBout "/state/replaced_bout_id" REPLACED_BOUT_ID,
    /// Days from the first list that had the bout to the event, where it replaces another.
    ShortNotice "/state/short_notice_days" SHORT_NOTICE_DAYS,
    HasDnaA "/state/has_dna/a" HAS_DNA_A,
    HasDnaB "/state/has_dna/b" HAS_DNA_B,
    /// From when on the DNA holds that he brings to the bout.
    DnaFromA "/state/dna_valid_from/a" DNA_VALID_FROM_A,
    DnaFromB "/state/dna_valid_from/b" DNA_VALID_FROM_B,
    /// Rank in the bout's class, 0 the champion.
    RankingA "/state/ranking/a" RANKING_A,
    RankingB "/state/ranking/b" RANKING_B,
    /// Stories that name the bout or one of its fighters, from 30 days before the start to 7 days after it.
    WireCount "/state/wire_count" WIRE_COUNT,
    /// Articles, in the same way.
    ArticleCount "/state/article_count" ARTICLE_COUNT,
    /// Videos, in the same way.
    VideoCount "/state/video_count" VIDEO_COUNT,
    /// `pending`, `reported` (over, says the schedule), `official` or `overturned`.
    ResultStatus "/state/result/status" RESULT_STATUS,
    /// win, draw or no_contest.
    ResultOutcome "/state/result/outcome" RESULT_OUTCOME,
    ResultMethod "/state/result/method" RESULT_METHOD,
    ResultWinner "/state/result/winner_id" RESULT_WINNER_ID,
}

impl StateField {
    /// Both fighters' fields, where there is one for each.
    pub(crate) const HAS_DNA: [Self; 2] = [Self::HasDnaA, Self::HasDnaB];
    pub(crate) const DNA_FROM: [Self; 2] = [Self::DnaFromA, Self::DnaFromB];
    pub(crate) const RANKING: [Self; 2] = [Self::RankingA, Self::RankingB];

    /// Name of its column.
    #[must_use]
    pub fn column_name(self) -> &'static str {
        self.place_in_row().name
    }

    /// Of these names in a row as it is served, and of no other.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.path() == path)
    }

    /// Whether the field is computed from our own facts.
    pub(crate) fn is_derived(self) -> bool {
        Self::HAS_DNA.contains(&self) || Self::DNA_FROM.contains(&self)
    }

    pub(crate) fn is_result(self) -> bool {
        matches!(self, Self::ResultStatus | Self::ResultOutcome | Self::ResultMethod | Self::ResultWinner)
    }

    /// Whether the field describes the bout itself: neither publications about it, nor the standing of its fighters.
    pub(crate) fn is_fact(self) -> bool {
        let about = matches!(self, Self::WireCount | Self::ArticleCount | Self::VideoCount);
        !about && !self.is_derived() && !Self::RANKING.contains(&self)
    }

    const fn index(self) -> usize {
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
        &self.0[field.index()]
    }

    pub fn set(&mut self, field: StateField, value: impl Into<StateValue>) {
        self.0[field.index()] = value.into();
    }

    #[must_use]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.get(StateField::BoutStatus).is_word("cancelled")
    }

    /// Whether the statistics source has told a result.
    #[must_use]
    pub(crate) fn has_result(&self) -> bool {
        let status = self.get(StateField::ResultStatus);
        status.is_word("official") || status.is_word("overturned")
    }

    /// Fields in which the two differ.
    pub(crate) fn differing_fields<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = StateField> + 'a {
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

/// Source of each field's value; none where it is our own.
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
        self.0[field.index()].as_ref()
    }

    pub(crate) fn set(&mut self, field: StateField, source: Option<Arc<str>>) {
        self.0[field.index()] = source;
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
    pub(crate) fn set_stated(&mut self, field: StateField, value: StateValue, source: &Arc<str>) {
        self.told_by.set(field, Some(Arc::clone(source)));
        self.state.set(field, value);
    }
}
