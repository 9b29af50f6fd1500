//! One value of a bout's state.

use std::fmt;

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use fdna_schemas::tables::ColumnValue;
use serde::{Serialize, Serializer};
use uuid::Uuid;

/// A value of the state; `Null` is what nobody has told.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum StateValue {
    #[default]
    Null,
    Bool(bool),
    Int(i32),
    Text(String),
    Date(NaiveDate),
    Instant(DateTime<Utc>),
    Id(Uuid),
}

impl StateValue {
    #[must_use]
    pub fn is_null(&self) -> bool {
        *self == Self::Null
    }

    /// Whether it is this word.
    #[must_use]
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self, Self::Text(text) if text == word)
    }

    #[must_use]
    pub fn as_instant(&self) -> Option<DateTime<Utc>> {
        if let Self::Instant(at) = self { Some(*at) } else { None }
    }

    #[must_use]
    pub fn as_date(&self) -> Option<NaiveDate> {
        if let Self::Date(day) = self { Some(*day) } else { None }
    }

    #[must_use]
    pub fn as_id(&self) -> Option<Uuid> {
        if let Self::Id(id) = self { Some(*id) } else { None }
    }

    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

/// An instant as the ledger writes it: RFC 3339 in UTC, to the millisecond.
pub(crate) fn instant_text(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

impl Serialize for StateValue {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => to.serialize_none(),
            Self::Bool(is) => to.serialize_bool(*is),
            Self::Int(n) => to.serialize_i32(*n),
            Self::Text(text) => to.serialize_str(text),
            Self::Date(day) => to.collect_str(day),
            Self::Instant(at) => to.serialize_str(&instant_text(*at)),
            Self::Id(id) => to.collect_str(id),
        }
    }
}

/// As a person reads it.
impl fmt::Display for StateValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("unknown"),
            Self::Bool(is) => is.fmt(f),
            Self::Int(n) => n.fmt(f),
            Self::Text(text) => text.fmt(f),
            Self::Date(day) => day.fmt(f),
            Self::Instant(at) => f.write_str(&at.to_rfc3339_opts(SecondsFormat::Secs, true)),
            Self::Id(id) => id.fmt(f),
        }
    }
}

macro_rules! from {
    ($($type:ty => $variant:ident),+) => {$(
        impl From<$type> for StateValue {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        }
    )+};
}
from!(bool => Bool, i32 => Int, String => Text, NaiveDate => Date, DateTime<Utc> => Instant, Uuid => Id);

impl From<&str> for StateValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<T: Into<Self>> From<Option<T>> for StateValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// As the ledger's row has it.
impl From<ColumnValue<'_>> for StateValue {
    fn from(value: ColumnValue<'_>) -> Self {
        match value {
            ColumnValue::Text(text) => text.into(),
            ColumnValue::Id(id) => id.into(),
            ColumnValue::Int32(n) => n.into(),
            ColumnValue::Bool(is) => is.into(),
            ColumnValue::Date(day) => day.into(),
            ColumnValue::Instant(at) => at.into(),
            // No field of the state has another type.
            ColumnValue::Null | ColumnValue::Int64(_) | ColumnValue::Float64(_) => Self::Null,
        }
    }
}
