//! Text of a query or a path, read as what a parameter allows.

use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use uuid::Uuid;

use crate::{ErrorCode, Failure, ParamValue, ParameterKind};

pub(super) fn default(kind: ParameterKind) -> Option<ParamValue> {
    match kind {
        ParameterKind::Integer { default, .. } => Some(ParamValue::Number(default)),
        ParameterKind::Choice { default, .. } => Some(ParamValue::Word(default)),
        _ => None,
    }
}

pub(super) fn read(kind: ParameterKind, text: &str) -> Option<ParamValue> {
    match kind {
        ParameterKind::Integer { min, max, .. } | ParameterKind::OptionalInteger { min, max } => {
            let number = is_digits(text).then(|| text.parse().ok()).flatten()?;
            (min..=max).contains(&number).then_some(ParamValue::Number(number))
        }
        ParameterKind::Choice { words, .. } | ParameterKind::Word { words } => {
            words.iter().find(|w| is_word(w, text)).map(|w| ParamValue::Word(w))
        }
        ParameterKind::Choices { words } => {
            listed(words, text).map(|words| ParamValue::Words(words.collect()))
        }
        ParameterKind::Date => date(text).map(ParamValue::Date),
        ParameterKind::Instant => instant(text).map(ParamValue::Instant),
        ParameterKind::Since => since(text).map(ParamValue::Instant),
        ParameterKind::Boolean => match text {
            "true" => Some(ParamValue::Flag(true)),
            "false" => Some(ParamValue::Flag(false)),
            _ => None,
        },
        ParameterKind::Text { max_chars } => {
            let fits = !text.trim().is_empty() && text.chars().count() <= max_chars;
            fits.then(|| ParamValue::Text(text.to_owned()))
        }
        ParameterKind::Names => Some(ParamValue::Text(text.to_owned())),
        ParameterKind::Ids { max } => ids(text, max).map(ParamValue::Ids),
        ParameterKind::Number => decimal(text).map(ParamValue::Decimal),
        ParameterKind::Season => is_season(text).then(|| ParamValue::Text(text.to_owned())),
    }
}

/// A number as JSON writes it, the only form in which all programs write what they read: digits with an optional
/// minus, fraction and exponent. Minus zero is zero; what is too large to be held is refused.
pub(super) fn decimal(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (digits, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let is_number = [whole, fraction, exponent].iter().all(|part| is_digits(part));
    let number: f64 = is_number.then(|| text.parse().ok()).flatten()?;
    number.is_finite().then_some(number + 0.0)
}

/// A year, or the two of a season over the turn of the year. Whether there was such a season is the data's to say.
fn is_season(text: &str) -> bool {
    let is_year = |text: &str, digits: usize| text.len() == digits && is_digits(text);
    match text.split_once('-') {
        Some((first, second)) => is_year(first, 4) && is_year(second, 2),
        None => is_year(text, 4),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Those of the words that a comma list names, in their own order. The bound is on what is written.
pub fn listed<'a>(words: &[&'a str], text: &str) -> Option<impl Iterator<Item = &'a str>> {
    let given: Vec<&str> = text.split(',').take(words.len() + 1).collect();
    let is_known = given.len() <= words.len() && given.iter().all(|word| words.contains(word));
    is_known.then(|| words.iter().copied().filter(move |word| given.contains(word)))
}

/// UUIDs with hyphens. The bound is on what is written, so that repeating an id is not a way round it.
fn ids(text: &str, max: usize) -> Option<Vec<Uuid>> {
    let mut ids = Vec::new();
    for (place, part) in text.split(',').enumerate() {
        let id = (place < max && part.len() == 36).then(|| Uuid::try_parse(part).ok()).flatten()?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Some(ids)
}

fn date(text: &str) -> Option<NaiveDate> {
    let shape: Vec<usize> =
        text.split('-').map(|part| if is_digits(part) { part.len() } else { 0 }).collect();
    if shape == [4, 2, 2] { text.parse().ok() } else { None }
}

/// A plus that was not escaped has become a space; no word has one of its own.
fn is_word(word: &str, text: &str) -> bool {
    word == text || (word.contains('+') && word.replace('+', " ") == text)
}

/// An instant, or the last of a day: rows of the whole day are at or before it.
pub(super) fn instant(text: &str) -> Option<DateTime<Utc>> {
    if let Some(day) = date(text) {
        return day.and_hms_milli_opt(23, 59, 59, 999).map(|end| end.and_utc());
    }
    // RFC 3339 allows a space for the `T`; a sign of an offset that was not escaped would be one.
    let at = if text.contains(' ') { None } else { DateTime::parse_from_rfc3339(text).ok() };
    // In UTC it may be a day of a year that RFC 3339 cannot write.
    at.map(|at| at.to_utc()).filter(|at| (0..=9999).contains(&at.year()))
}

/// An instant, or the first of a day: rows of the whole day are at or after it.
fn since(text: &str) -> Option<DateTime<Utc>> {
    date(text).map_or_else(|| instant(text), |day| day.and_hms_opt(0, 0, 0).map(|begin| begin.and_utc()))
}

pub(super) fn decode(text: &str) -> Result<String, Failure> {
    decode_with(text, true)
}

pub(super) fn decode_with(text: &str, plus_is_space: bool) -> Result<String, Failure> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'%' => {
                let hex = |b: Option<u8>| {
                    b.and_then(|b| char::from(b).to_digit(16)).and_then(|d| u8::try_from(d).ok())
                };
                let pair = hex(bytes.next()).zip(hex(bytes.next()));
                pair.map(|(high, low)| high * 16 + low).ok_or_else(undecodable)?
            }
            b'+' if plus_is_space => b' ',
            other => other,
        });
    }
    String::from_utf8(out).map_err(|_| undecodable())
}

fn undecodable() -> Failure {
    Failure::new(ErrorCode::InvalidRequest, "The URL is not valid percent-encoded UTF-8")
}
