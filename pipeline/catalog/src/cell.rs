//! Values of tables in memory: a cell, and a column of them.

use std::cmp::Ordering;
use std::collections::HashMap;

use arrow::array::{
    Array, ArrayRef, AsArray as _, BooleanArray, Date32Array, Float64Array, Int8Array, Int16Array,
    Int32Array, Int64Array, StringArray, TimestampMillisecondArray,
};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::DataType;
use chrono::{Datelike as _, NaiveDate};
use fdna_schemas::ColumnType;
use serde_json::{Value as Json, json};

/// Rows to a text, at least, where texts are kept once and rows refer to them.
const ROWS_A_TEXT: usize = 4;

const MILLIS_A_DAY: i64 = 86_400_000;

/// Stands for a null among codes of texts.
const NO_TEXT: u16 = u16::MAX;

/// A value of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TableCell<'t> {
    Is(bool),
    Int(i64),
    Float(f64),
    /// Days since 1970.
    Day(i32),
    /// Milliseconds since 1970.
    Instant(i64),
    Text(&'t str),
    Null,
}

impl TableCell<'_> {
    pub(crate) fn is_null(self) -> bool {
        matches!(self, Self::Null)
    }

    /// Ascending, nulls last.
    pub(crate) fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Is(a), Self::Is(b)) => a.cmp(&b),
            (Self::Int(a), Self::Int(b)) | (Self::Instant(a), Self::Instant(b)) => a.cmp(&b),
            (Self::Float(a), Self::Float(b)) => a.total_cmp(&b),
            (Self::Float(a), Self::Int(b)) => a.total_cmp(&(b as f64)),
            (Self::Int(a), Self::Float(b)) => (a as f64).total_cmp(&b),
            (Self::Day(a), Self::Day(b)) => a.cmp(&b),
            // A day begins at midnight, UTC.
            (Self::Instant(a), Self::Day(b)) => a.cmp(&(i64::from(b) * MILLIS_A_DAY)),
            (Self::Day(a), Self::Instant(b)) => (i64::from(a) * MILLIS_A_DAY).cmp(&b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (a, b) => a.kind().cmp(&b.kind()),
        }
    }

    /// The same, or the greatest first; nulls last either way.
    pub(crate) fn compare_as(self, other: Self, is_descending: bool) -> Ordering {
        match is_descending && !self.is_null() && !other.is_null() {
            true => other.compare(self),
            false => self.compare(other),
        }
    }

    fn kind(self) -> u8 {
        match self {
            Self::Is(_) => 0,
            Self::Int(_) => 1,
            Self::Float(_) => 2,
            Self::Day(_) => 3,
            Self::Instant(_) => 4,
            Self::Text(_) => 5,
            Self::Null => 6,
        }
    }
}

/// A value that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AskedValue {
    Is(bool),
    Int(i64),
    Day(NaiveDate),
    Text(String),
}

impl AskedValue {
    pub(crate) fn cell(&self) -> TableCell<'_> {
        match self {
            Self::Is(is) => TableCell::Is(*is),
            Self::Int(number) => TableCell::Int(*number),
            Self::Day(day) => TableCell::Day(days(*day)),
            Self::Text(text) => TableCell::Text(text),
        }
    }

    /// What a cell holds, if it can be asked for.
    pub(crate) fn of(cell: TableCell<'_>) -> Option<Self> {
        match cell {
            TableCell::Is(is) => Some(Self::Is(is)),
            TableCell::Int(number) => Some(Self::Int(number)),
            TableCell::Day(days) => day(days).map(Self::Day),
            TableCell::Text(text) => Some(Self::Text(text.to_owned())),
            TableCell::Float(_) | TableCell::Instant(_) | TableCell::Null => None,
        }
    }

    pub(crate) fn json(&self) -> Json {
        match self {
            Self::Is(is) => json!(is),
            Self::Int(number) => json!(number),
            Self::Day(day) => json!(day.to_string()),
            Self::Text(text) => json!(text),
        }
    }
}

/// From the day 1 of chrono to 1970.
const EPOCH: i32 = 719_163;

fn days(day: NaiveDate) -> i32 {
    day.num_days_from_ce() - EPOCH
}

pub(crate) fn day(days: i32) -> Option<NaiveDate> {
    NaiveDate::from_num_days_from_ce_opt(days.checked_add(EPOCH)?)
}

/// A column of a table.
#[derive(Debug)]
pub(crate) enum CellColumn {
    Is(BooleanArray),
    // Most numbers are counts, and kept in as many bytes as the greatest of their column needs.
    Int8(Int8Array),
    Int16(Int16Array),
    Int32(Int32Array),
    Int64(Int64Array),
    Float(Float64Array),
    Day(Date32Array),
    Instant(TimestampMillisecondArray),
    Text(StringArray),
    /// Few texts, each kept once.
    Coded {
        codes: TextCodes,
        texts: Box<[Box<str>]>,
    },
}

/// Places of texts; one beyond them stands for a null.
#[derive(Debug)]
pub(crate) enum TextCodes {
    Bytes(Box<[u8]>),
    Pairs(Box<[u16]>),
}

impl TextCodes {
    fn at(&self, row: usize) -> usize {
        match self {
            Self::Bytes(codes) => codes[row].into(),
            Self::Pairs(codes) => codes[row].into(),
        }
    }
}

impl CellColumn {
    /// The values of an array; `None` if they are not of this type.
    pub(crate) fn of(kind: ColumnType, array: &ArrayRef) -> Option<Self> {
        fn as_is<A: Clone + 'static>(array: &ArrayRef) -> Option<A> {
            array.as_any().downcast_ref::<A>().cloned()
        }
        match kind {
            ColumnType::Bool => as_is(array).map(Self::Is),
            ColumnType::Int32 => {
                as_is(array).map(|array| Self::narrowed(&array).unwrap_or(Self::Int32(array)))
            }
            ColumnType::Int64 => {
                as_is(array).map(|array| Self::narrowed(&array).unwrap_or(Self::Int64(array)))
            }
            ColumnType::Float64 => as_is(array).map(Self::Float),
            ColumnType::Date => as_is(array).map(Self::Day),
            ColumnType::Instant => as_is(array).map(Self::Instant),
            ColumnType::String | ColumnType::Uuid | ColumnType::Json => {
                let texts: StringArray = as_is(array)?;
                Some(Self::coded(&texts).unwrap_or(Self::Text(texts)))
            }
        }
    }

    /// The same numbers in fewer bytes, if they fit.
    fn narrowed(numbers: &dyn Array) -> Option<Self> {
        let all = CastOptions { safe: false, ..CastOptions::default() };
        let to = |kind| cast_with_options(numbers, &kind, &all).ok();
        if let Some(array) = to(DataType::Int8) {
            return array.as_primitive_opt().cloned().map(Self::Int8);
        }
        to(DataType::Int16)?.as_primitive_opt().cloned().map(Self::Int16)
    }

    fn coded(texts: &StringArray) -> Option<Self> {
        let most = (texts.len() / ROWS_A_TEXT).min(usize::from(NO_TEXT));
        let mut places: HashMap<&str, u16> = HashMap::new();
        let (mut codes, mut kept) = (Vec::with_capacity(texts.len()), Vec::new());
        for text in texts {
            let Some(text) = text else {
                codes.push(NO_TEXT);
                continue;
            };
            let next = u16::try_from(kept.len()).ok()?;
            codes.push(*places.entry(text).or_insert_with(|| {
                kept.push(Box::from(text));
                next
            }));
            if kept.len() > most {
                return None;
            }
        }
        let bytes =
            || -> Box<[u8]> { codes.iter().map(|code| u8::try_from(*code).unwrap_or(u8::MAX)).collect() };
        let codes = match kept.len() <= usize::from(u8::MAX) {
            true => TextCodes::Bytes(bytes()),
            false => TextCodes::Pairs(codes.into()),
        };
        Some(Self::Coded { codes, texts: kept.into() })
    }

    /// Gives back memory that holds no rows.
    pub(crate) fn shrink_to_fit(&mut self) {
        match self {
            Self::Is(cells) => cells.shrink_to_fit(),
            Self::Int8(cells) => cells.shrink_to_fit(),
            Self::Int16(cells) => cells.shrink_to_fit(),
            Self::Int32(cells) => cells.shrink_to_fit(),
            Self::Int64(cells) => cells.shrink_to_fit(),
            Self::Float(cells) => cells.shrink_to_fit(),
            Self::Day(cells) => cells.shrink_to_fit(),
            Self::Instant(cells) => cells.shrink_to_fit(),
            Self::Text(cells) => cells.shrink_to_fit(),
            Self::Coded { .. } => {}
        }
    }

    pub(crate) fn cell(&self, row: u32) -> TableCell<'_> {
        let row = row as usize;
        fn of<'t, T>(
            is_null: bool,
            value: impl FnOnce() -> T,
            cell: fn(T) -> TableCell<'t>,
        ) -> TableCell<'t> {
            if is_null { TableCell::Null } else { cell(value()) }
        }
        match self {
            Self::Is(cells) => of(cells.is_null(row), || cells.value(row), TableCell::Is),
            Self::Int8(cells) => of(cells.is_null(row), || cells.value(row).into(), TableCell::Int),
            Self::Int16(cells) => of(cells.is_null(row), || cells.value(row).into(), TableCell::Int),
            Self::Int32(cells) => of(cells.is_null(row), || cells.value(row).into(), TableCell::Int),
            Self::Int64(cells) => of(cells.is_null(row), || cells.value(row), TableCell::Int),
            Self::Float(cells) => of(cells.is_null(row), || cells.value(row), TableCell::Float),
            Self::Day(cells) => of(cells.is_null(row), || cells.value(row), TableCell::Day),
            Self::Instant(cells) => of(cells.is_null(row), || cells.value(row), TableCell::Instant),
            Self::Text(cells) => of(cells.is_null(row), || cells.value(row), TableCell::Text),
            Self::Coded { codes, texts } => {
                texts.get(codes.at(row)).map_or(TableCell::Null, |text| TableCell::Text(text))
            }
        }
    }
}

/// A text for comparing: Latin letters, lower case, no marks, one space between words.
pub(crate) fn folded(text: &str) -> String {
    let text = any_ascii::any_ascii(text).to_lowercase().replace('\'', "");
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
