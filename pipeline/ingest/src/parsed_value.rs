//! Values that parsers make of the texts of a file.

use chrono::{DateTime, NaiveDate, Utc};
use fdna_schemas::tables::ColumnValue;

/// A value that was read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ParsedValue {
    Null,
    Text(String),
    Int32(i32),
    Int64(i64),
    Float64(f64),
    Bool(bool),
    Date(NaiveDate),
    Instant(DateTime<Utc>),
}

impl ParsedValue {
    pub(crate) fn as_column(&self) -> ColumnValue<'_> {
        match self {
            Self::Null => ColumnValue::Null,
            Self::Text(text) => ColumnValue::Text(text),
            Self::Int32(n) => ColumnValue::Int32(*n),
            Self::Int64(n) => ColumnValue::Int64(*n),
            Self::Float64(n) => ColumnValue::Float64(*n),
            Self::Bool(is) => ColumnValue::Bool(*is),
            Self::Date(day) => ColumnValue::Date(*day),
            Self::Instant(at) => ColumnValue::Instant(*at),
        }
    }

    /// Of a key, and for a list of values.
    pub(crate) fn to_text(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Text(text) => text.clone(),
            Self::Int32(n) => n.to_string(),
            Self::Int64(n) => n.to_string(),
            Self::Float64(n) => n.to_string(),
            Self::Bool(is) => is.to_string(),
            Self::Date(day) => day.to_string(),
            Self::Instant(at) => at.to_rfc3339(),
        }
    }

    pub(crate) fn to_number(&self) -> Option<f64> {
        match self {
            Self::Int32(n) => Some(f64::from(*n)),
            #[expect(clippy::cast_precision_loss, reason = "bounds are far from where it matters")]
            Self::Int64(n) => Some(*n as f64),
            Self::Float64(n) => Some(*n),
            _ => None,
        }
    }
}

macro_rules! parsed_values {
    ($($type:ty => $variant:ident),+) => {$(
        impl From<$type> for ParsedValue {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        }
    )+};
}
parsed_values!(String => Text, i32 => Int32, f64 => Float64, bool => Bool, NaiveDate => Date);

impl From<&str> for ParsedValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<T: Into<Self>> From<Option<T>> for ParsedValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
