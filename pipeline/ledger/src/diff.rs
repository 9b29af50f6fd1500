//! Differences from the bout's previous row, and their causes.

use std::fmt;
use std::str::FromStr;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use uuid::Uuid;

use crate::history::LedgerHistory;
use crate::state::{BoutState, KnownState, StateField};
use crate::{STATISTICS, StateValue};

/// Cause of a change of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeCause {
    /// A source says another thing, or says it for the first time.
    SourceChange,
    /// A fact of the past was withdrawn or corrected.
    Correction,
    /// The house's own figures are others.
    Derivation,
}

impl ChangeCause {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SourceChange => "source_change",
            Self::Correction => "correction",
            Self::Derivation => "derivation",
        }
    }
}

impl fmt::Display for ChangeCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ChangeCause {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::SourceChange, Self::Correction, Self::Derivation]
            .into_iter()
            .find(|cause| cause.name() == text)
            .ok_or(())
    }
}

/// A changed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateChange {
    /// Place in the row, RFC 6901.
    pub path: StateField,
    pub from: StateValue,
    pub to: StateValue,
    pub cause: ChangeCause,
    /// Source of the new value, or of the old one where there is no new one.
    pub source: Option<String>,
}

impl Serialize for StateChange {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("Change", 6)?;
        fields.serialize_field("path", self.path.path())?;
        fields.serialize_field("op", self.operation())?;
        fields.serialize_field("from", &self.from)?;
        fields.serialize_field("to", &self.to)?;
        fields.serialize_field("cause", self.cause.name())?;
        fields.serialize_field("source", &self.source)?;
        fields.end()
    }
}

impl StateChange {
    /// `add`, `remove` or `replace`, as RFC 6902 names them.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        match (self.from.is_null(), self.to.is_null()) {
            (true, _) => "add",
            (_, true) => "remove",
            _ => "replace",
        }
    }
}

/// Differences of a state from the one before, in the order of fields.
pub(crate) fn diff_states(before: &BoutState, now: &KnownState) -> Vec<StateChange> {
    let was_over = before.get(StateField::BoutStatus).is_word("completed");
    let changed = before.differing_fields(&now.state).map(|path| {
        let (from, to) = (before.get(path).clone(), now.state.get(path).clone());
        // The first result is news; all that changes after the fight is a correction.
        let is_taken_back = was_over && (before.has_result() || !path.is_result());
        let (cause, source) = match path {
            _ if path.is_derived() => (ChangeCause::Derivation, Some("fight_dna".to_owned())),
            StateField::FighterA | StateField::FighterB => {
                (ChangeCause::Correction, Some("identities".to_owned()))
            }
            _ if path.is_fact() && is_taken_back => (ChangeCause::Correction, source_of(now, path)),
            _ => (ChangeCause::SourceChange, source_of(now, path)),
        };
        StateChange { path, from, to, cause, source }
    });
    changed.collect()
}

fn source_of(now: &KnownState, path: StateField) -> Option<String> {
    let told_by = now.told_by.get(path).map(ToString::to_string);
    // What is no longer told was told by the statistics only where a result is taken back.
    told_by.or_else(|| path.is_result().then(|| STATISTICS.to_owned()))
}

/// The state with today's ids: that two entities were found to be one is no change of the bout.
pub(crate) fn with_survivors(history: &LedgerHistory, state: &BoutState) -> BoutState {
    let mut state = state.clone();
    for field in
        [StateField::FighterA, StateField::FighterB, StateField::ReplacedBout, StateField::ResultWinner]
    {
        let survivor = |id: Uuid| history.aliases.survivor_of(id);
        if let Some(id) = state.get(field).as_id().map(survivor) {
            state.set(field, id);
        }
    }
    state
}
