//! What differs from the bout's row before, and why.

use std::fmt;
use std::str::FromStr;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use uuid::Uuid;

use crate::history::History;
use crate::state::{Field, Known, State};
use crate::{STATISTICS, Value};

/// Why a value is another than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A source says another thing, or says it for the first time.
    SourceChange,
    /// What was told as a fact of the past is taken back or restated.
    Correction,
    /// The house's own figures are others.
    Derivation,
}

impl Cause {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SourceChange => "source_change",
            Self::Correction => "correction",
            Self::Derivation => "derivation",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Cause {
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
pub struct Change {
    /// Place in the row, RFC 6901.
    pub path: Field,
    pub from: Value,
    pub to: Value,
    pub cause: Cause,
    /// Who told the new value, or the old one where there is no new one.
    pub source: Option<String>,
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("Change", 6)?;
        fields.serialize_field("path", self.path.path())?;
        fields.serialize_field("op", self.op())?;
        fields.serialize_field("from", &self.from)?;
        fields.serialize_field("to", &self.to)?;
        fields.serialize_field("cause", self.cause.name())?;
        fields.serialize_field("source", &self.source)?;
        fields.end()
    }
}

impl Change {
    /// `add`, `remove` or `replace`, as RFC 6902 names them.
    #[must_use]
    pub fn op(&self) -> &'static str {
        match (self.from.is_null(), self.to.is_null()) {
            (true, _) => "add",
            (_, true) => "remove",
            _ => "replace",
        }
    }
}

/// Differences of a state from the one before, in the order of fields.
pub(crate) fn diff(before: &State, now: &Known) -> Vec<Change> {
    let was_over = before.get(Field::BoutStatus).is("completed");
    let changed = before.differing(&now.state).map(|path| {
        let (from, to) = (before.get(path).clone(), now.state.get(path).clone());
        // The first result is news; all that changes after the fight is a correction.
        let is_taken_back = was_over && (before.has_result() || !path.is_result());
        let (cause, source) = match path {
            _ if path.is_derived() => (Cause::Derivation, Some("fight_dna".to_owned())),
            Field::FighterA | Field::FighterB => (Cause::Correction, Some("identities".to_owned())),
            _ if path.is_fact() && is_taken_back => (Cause::Correction, source(now, path)),
            _ => (Cause::SourceChange, source(now, path)),
        };
        Change { path, from, to, cause, source }
    });
    changed.collect()
}

fn source(now: &Known, path: Field) -> Option<String> {
    let told_by = now.told_by.get(path).map(ToString::to_string);
    // What is no longer told was told by the statistics only where a result is taken back.
    told_by.or_else(|| path.is_result().then(|| STATISTICS.to_owned()))
}

/// The state with today's ids: that two entities were found to be one is no change of the bout.
pub(crate) fn with_survivors(history: &History, state: &State) -> State {
    let mut state = state.clone();
    for field in [Field::FighterA, Field::FighterB, Field::ReplacedBout, Field::ResultWinner] {
        let survivor = |id: Uuid| history.aliases.survivor(id);
        if let Some(id) = state.get(field).as_id().map(survivor) {
            state.set(field, id);
        }
    }
    state
}
