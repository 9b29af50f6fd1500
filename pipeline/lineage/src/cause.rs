//! Causes of a change, as they can be shown from what both snapshots and the logs of the lake hold.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

/// A capture by its source and id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CaptureName {
    pub source: String,
    pub id: String,
}

/// A person's word about a capture.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Word {
    /// `withdraw` or `replace`.
    pub action: String,
    pub at: String,
    pub by: String,
    pub reason: String,
}

/// A person's decision about who is who.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Decision {
    /// event, bout or fighter.
    pub entity: String,
    /// Whether it says `same`; else `different`.
    pub is_same: bool,
    /// The two, as `source:id`.
    pub ids: [String; 2],
    pub reason: String,
    pub by: String,
    pub on: String,
}

/// Bouts that a derived value rests on: how many, and the first three of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SomeBouts {
    pub count: usize,
    pub first: Vec<String>,
    /// Whether they are other fighters' bouts, which move the means of the class.
    pub of_others: bool,
}

/// A cause of a change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Cause {
    /// Bouts that the older snapshot has not.
    NewBout { bouts: SomeBouts },
    /// Bouts that the older snapshot has without the result or the statistics.
    NewResult { bouts: SomeBouts },
    /// A capture states it otherwise than one before; a row of `corrections` says so.
    Correction { capture: CaptureName, of: String, entity_id: String },
    /// Captures that the older snapshot was not made of.
    Capture { count: usize, first: Vec<CaptureName> },
    /// A capture that the newer snapshot is not made of, and a person's word about it where there is one.
    Withdrawal { capture: CaptureName, word: Option<Word> },
    /// The definition of a metric or of a table: what of it, and its versions.
    Definition { of: String, from: String, to: String },
    /// A person decided who is who.
    Decision { decision: Decision },
    /// Two entities turned out to be one: by which rule, and since which capture.
    Merge { entity: String, alias_id: String, entity_id: String, rule: String, since: CaptureName },
    /// The registry of published ids was begun anew.
    Registry { at: String, by: String },
    /// No cause can be shown.
    Unknown,
}

impl Cause {
    /// Its name, as in JSON.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NewBout { .. } => "new_bout",
            Self::NewResult { .. } => "new_result",
            Self::Correction { .. } => "correction",
            Self::Capture { .. } => "capture",
            Self::Withdrawal { .. } => "withdrawal",
            Self::Definition { .. } => "definition",
            Self::Decision { .. } => "decision",
            Self::Merge { .. } => "merge",
            Self::Registry { .. } => "registry",
            Self::Unknown => "unknown",
        }
    }

    /// Of captures, at most three of which are named.
    #[must_use]
    pub fn of_captures(captures: &[CaptureName]) -> Self {
        Self::Capture { count: captures.len(), first: captures.iter().take(3).cloned().collect() }
    }

    pub(crate) fn of_capture(capture: &CaptureName) -> Self {
        Self::of_captures(std::slice::from_ref(capture))
    }
}

impl Display for CaptureName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.source, self.id)
    }
}

impl Display for SomeBouts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names = self.first.join(", ");
        match self.count {
            1 => write!(f, "bout {names}")?,
            count if count > self.first.len() => write!(f, "{count} bouts, {names} among them")?,
            _ => write!(f, "bouts {names}")?,
        }
        f.write_str(if self.of_others { ", of other fighters" } else { "" })
    }
}

impl Display for Decision {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let verdict = if self.is_same { "the same" } else { "different" };
        let [a, b] = &self.ids;
        write!(f, "{} of {}: {} {a} and {b} are {verdict} ({})", self.by, self.on, self.entity, self.reason)
    }
}

impl Display for Cause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NewBout { bouts } => write!(f, "new bout: {bouts}"),
            Self::NewResult { bouts } => write!(f, "new result: {bouts}"),
            Self::Correction { capture, of, .. } => write!(f, "correction of the {of} by capture {capture}"),
            Self::Capture { count, first } => {
                let names: Vec<String> = first.iter().map(CaptureName::to_string).collect();
                let more = count.saturating_sub(first.len());
                let captures = if *count == 1 { "capture" } else { "captures" };
                write!(f, "new {captures} {}", names.join(", "))?;
                if more > 0 { write!(f, " and {more} more") } else { Ok(()) }
            }
            Self::Withdrawal { capture, word: None } => write!(f, "capture {capture} no longer counts"),
            Self::Withdrawal { capture, word: Some(word) } => {
                let Word { action, by, reason, at } = word;
                write!(f, "capture {capture} no longer counts ({action} by {by} at {at}: {reason})")
            }
            Self::Definition { of, from, to } => write!(f, "definition of {of}: {from} -> {to}"),
            Self::Decision { decision } => write!(f, "decision: {decision}"),
            Self::Merge { entity, alias_id, entity_id, rule, since } => {
                write!(
                    f,
                    "merge of {entity} {alias_id} into {entity_id} by rule {rule}, shown by capture {since}"
                )
            }
            Self::Registry { at, by } => write!(f, "the registry of ids was begun anew at {at} by {by}"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}
