//! Query and path parameters, checked against the list of operations. What is not in it is refused.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use fdna_api::{ErrorCode, Failure, Operation, Parameter, ParameterKind};
use serde_json::json;
use uuid::Uuid;

/// A checked value.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Number(u32),
    Decimal(f64),
    Word(&'static str),
    Words(Vec<&'static str>),
    Date(NaiveDate),
    Instant(DateTime<Utc>),
    Flag(bool),
    Text(String),
    Ids(Vec<Uuid>),
}

/// Checked parameters, defaults filled in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Params(BTreeMap<&'static str, Value>);

impl Params {
    /// Checks a raw query string.
    pub(crate) fn parse(operation: &Operation, query: &str) -> Result<Self, Failure> {
        let mut values = BTreeMap::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decode(name)?, decode(value)?);
            let known = operation.parameters().find(|p| p.name == name);
            let parameter = known.ok_or_else(|| unknown(operation, &name))?;
            let value = read(parameter.kind, &value)
                .ok_or_else(|| must_be(parameter.name, &parameter.kind.allows()))?;
            if values.insert(parameter.name, value).is_some() {
                return Err(repeated(parameter));
            }
        }
        for parameter in operation.parameters() {
            if let Some(value) = default(parameter.kind) {
                values.entry(parameter.name).or_insert(value);
            }
            if parameter.required && !values.contains_key(parameter.name) {
                return Err(missing(parameter));
            }
        }
        Ok(Self(values))
    }

    /// A number; the list of operations gives every number a default.
    pub(crate) fn number(&self, name: &str) -> usize {
        match self.0.get(name) {
            Some(Value::Number(n)) => usize::try_from(*n).unwrap_or(usize::MAX),
            _ => 0,
        }
    }

    /// A decimal number, if it is given.
    pub(crate) fn decimal(&self, name: &str) -> Option<f64> {
        if let Some(Value::Decimal(number)) = self.0.get(name) { Some(*number) } else { None }
    }

    /// A word of a closed choice that may be left out.
    pub(crate) fn given_word(&self, name: &str) -> Option<&'static str> {
        if let Some(Value::Word(word)) = self.0.get(name) { Some(word) } else { None }
    }

    /// A word of a closed choice.
    pub(crate) fn word(&self, name: &str) -> &'static str {
        if let Some(Value::Word(word)) = self.0.get(name) { word } else { "" }
    }

    /// Words of a comma list, in the order of the contract.
    pub(crate) fn words(&self, name: &str) -> &[&'static str] {
        if let Some(Value::Words(words)) = self.0.get(name) { words } else { &[] }
    }

    pub(crate) fn date(&self, name: &str) -> Option<NaiveDate> {
        if let Some(Value::Date(date)) = self.0.get(name) { Some(*date) } else { None }
    }

    /// An instant; of a date its last, or its first where rows since then are asked for.
    pub(crate) fn instant(&self, name: &str) -> Option<DateTime<Utc>> {
        if let Some(Value::Instant(at)) = self.0.get(name) { Some(*at) } else { None }
    }

    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        if let Some(Value::Flag(flag)) = self.0.get(name) { Some(*flag) } else { None }
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        if let Some(Value::Text(text)) = self.0.get(name) { Some(text) } else { None }
    }

    /// Ids of a comma list, each once, in the order in which they were asked.
    pub(crate) fn ids(&self, name: &str) -> &[Uuid] {
        if let Some(Value::Ids(ids)) = self.0.get(name) { ids } else { &[] }
    }

    /// The same text for queries that mean the same.
    pub(crate) fn normalised(&self) -> String {
        format!("{:?}", self.0)
    }

    /// The same, some parameters aside.
    pub(crate) fn normalised_without(&self, names: &[&str]) -> String {
        let kept: BTreeMap<_, _> = self.0.iter().filter(|(name, _)| !names.contains(*name)).collect();
        format!("{kept:?}")
    }
}

/// The decoded path segments that stand for `{…}` in the template.
pub(crate) fn path_ids(template: &str, path: &str) -> Result<Vec<String>, Failure> {
    let segments = template.split('/').zip(path.split('/'));
    let ids = segments.filter(|(name, _)| name.starts_with('{'));
    ids.map(|(_, segment)| decode_with(segment, false)).collect()
}

fn default(kind: ParameterKind) -> Option<Value> {
    match kind {
        ParameterKind::Integer { default, .. } => Some(Value::Number(default)),
        ParameterKind::Choice { default, .. } => Some(Value::Word(default)),
        _ => None,
    }
}

fn read(kind: ParameterKind, text: &str) -> Option<Value> {
    match kind {
        ParameterKind::Integer { min, max, .. } => {
            let number = is_digits(text).then(|| text.parse().ok()).flatten()?;
            (min..=max).contains(&number).then_some(Value::Number(number))
        }
        ParameterKind::Choice { words, .. } | ParameterKind::Word { words } => {
            words.iter().find(|w| is_word(w, text)).map(|w| Value::Word(w))
        }
        ParameterKind::Choices { words } => listed(words, text).map(|words| Value::Words(words.collect())),
        ParameterKind::Date => date(text).map(Value::Date),
        ParameterKind::Instant => instant(text).map(Value::Instant),
        ParameterKind::Since => since(text).map(Value::Instant),
        ParameterKind::Boolean => match text {
            "true" => Some(Value::Flag(true)),
            "false" => Some(Value::Flag(false)),
            _ => None,
        },
        ParameterKind::Text { max_chars } => {
            let fits = !text.trim().is_empty() && text.chars().count() <= max_chars;
            fits.then(|| Value::Text(text.to_owned()))
        }
        ParameterKind::Names => Some(Value::Text(text.to_owned())),
        ParameterKind::Ids { max } => ids(text, max).map(Value::Ids),
        ParameterKind::Number => decimal(text).map(Value::Decimal),
    }
}

/// A number as JSON writes it, the only form in which all programs write what they read: digits with an optional
/// minus, fraction and exponent. Minus zero is zero; what is too large to be held is refused.
fn decimal(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (digits, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let is_number = [whole, fraction, exponent].iter().all(|part| is_digits(part));
    let number: f64 = is_number.then(|| text.parse().ok()).flatten()?;
    number.is_finite().then_some(number + 0.0)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Those of the words that a comma list names, in their own order. The bound is on what is written.
pub(crate) fn listed<'a>(words: &[&'a str], text: &str) -> Option<impl Iterator<Item = &'a str>> {
    let asked: Vec<&str> = text.split(',').take(words.len() + 1).collect();
    let is_known = asked.len() <= words.len() && asked.iter().all(|word| words.contains(word));
    is_known.then(|| words.iter().copied().filter(move |word| asked.contains(word)))
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
fn instant(text: &str) -> Option<DateTime<Utc>> {
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

fn decode(text: &str) -> Result<String, Failure> {
    decode_with(text, true)
}

fn decode_with(text: &str, plus_is_space: bool) -> Result<String, Failure> {
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
    Failure::new(ErrorCode::InvalidRequest, "address is not percent-encoded utf-8")
}

/// 400 for a parameter.
pub(crate) fn invalid(name: &str, allowed: &str, message: String) -> Failure {
    Failure::new(ErrorCode::InvalidParameter, message).with(json!({"parameter": name, "allowed": allowed}))
}

/// 400 for a parameter that is not what is allowed.
pub(crate) fn must_be(name: &str, allowed: &str) -> Failure {
    invalid(name, allowed, format!("parameter `{name}` must be {allowed}"))
}

fn missing(parameter: &Parameter) -> Failure {
    let allowed = parameter.kind.allows();
    let message = format!("parameter `{}` is needed: it must be {allowed}", parameter.name);
    invalid(parameter.name, &allowed, message)
}

fn repeated(parameter: &Parameter) -> Failure {
    let message = format!("parameter `{}` must be given once", parameter.name);
    invalid(parameter.name, &format!("{}, once", parameter.kind.allows()), message)
}

fn unknown(operation: &Operation, name: &str) -> Failure {
    let names: Vec<_> = operation.parameters().map(|p| p.name).collect();
    let allowed = if names.is_empty() { "no parameters".to_owned() } else { names.join(", ") };
    let name: String = name.chars().take(50).collect();
    let message = format!("parameter `{name}` is unknown here: allowed are {allowed}");
    invalid(&name, &allowed, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fdna_api::{all_operations, operation};
    use proptest::prelude::*;

    fn events(query: &str) -> Result<Params, Failure> {
        Params::parse(operation("events").unwrap(), query)
    }

    #[test]
    fn what_is_left_out_has_its_default_and_order_does_not_matter() {
        let bare = events("").unwrap();
        assert_eq!((bare.number("limit"), bare.word("status"), bare.date("date")), (25, "all", None));
        let a = events("limit=3&date=2024-02-29").unwrap().normalised();
        assert_eq!(a, events("date=2024-02-29&status=all&&limit=3").unwrap().normalised());
        assert_ne!(a, bare.normalised());
    }

    #[test]
    fn each_bad_value_is_refused_with_the_parameter_and_what_it_allows() {
        for query in [
            "limit=0",
            "limit=1001",
            "limit=",
            "limit=+5",
            "limit=-1",
            "limit=5.0",
            "limit=99999999999999999999",
            "status=ALL",
            "status=",
            "status",
            "date=2024-2-9",
            "date=2023-02-29",
            "date=+024-02-09",
            "date=x",
            "limit=1&limit=1",
            "limt=5",
            "limit=%35%35%35%35",
        ] {
            let failure = events(query).expect_err(query);
            assert_eq!(failure.code, ErrorCode::InvalidParameter, "{query}");
            let details = failure.details.unwrap();
            assert!(details["parameter"].is_string() && details["allowed"].is_string(), "{query}");
        }
        let failure = events("limit=0").unwrap_err();
        assert_eq!(failure.message, "parameter `limit` must be a whole number from 1 to 1000");
    }

    #[test]
    fn an_instant_is_one_that_can_be_written_again() {
        let at = |text: &str| super::instant(text).map(|at| at.to_rfc3339());
        assert_eq!(at("2025-01-31T06:00:00+01:00").as_deref(), Some("2025-01-31T05:00:00+00:00"));
        assert_eq!(at("9999-12-31T23:59:59-00:01"), None);
        assert_eq!(at("0000-01-01T00:00:00+00:01"), None);
    }

    #[test]
    fn a_number_is_what_json_writes_and_minus_zero_is_zero() {
        for (text, number) in [
            ("-1.5", Some(-1.5)),
            ("007", Some(7.0)),
            ("0.10", Some(0.1)),
            ("-0", Some(0.0)),
            ("1e-05", Some(1e-5)),
            ("2.5E+2", Some(250.0)),
            ("0.30000000000000004", Some(0.1 + 0.2)),
        ] {
            assert_eq!(decimal(text), number, "{text}");
        }
        assert!(decimal("-0").is_some_and(f64::is_sign_positive));
        for text in [
            "", "-", ".", "1.", ".1", "1.2.3", "+1", " 1", "1e", "e1", "1e1.5", "1e400", "0x1", "nan", "inf",
            "--1", "1-",
        ] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_needed_is_asked_for() {
        let query = operation("dna_query").unwrap();
        let failure = Params::parse(query, "limit=5").unwrap_err();
        assert_eq!(failure.message, "parameter `metric` is needed: it must be text of 1 to 100 characters");
        let params = Params::parse(query, "metric=a&limit=5&cursor=x").unwrap();
        assert_eq!((params.given_word("sort"), params.decimal("min")), (None, None));
        let other = Params::parse(query, "metric=a").unwrap();
        let kept = |p: &Params| p.normalised_without(&["cursor", "limit"]);
        assert_eq!(kept(&params), kept(&other));
    }

    #[test]
    fn undecodable_text_is_refused() {
        for query in ["%zz=1", "date=%f", "date=%ff", "limit=%"] {
            assert_eq!(events(query).unwrap_err().code, ErrorCode::InvalidRequest, "{query}");
        }
    }

    #[test]
    fn a_list_is_put_in_the_order_of_the_contract() {
        let card = operation("card").unwrap();
        let params = Params::parse(card, "include=stats,media,stats").unwrap();
        assert_eq!(params.words("include"), ["media", "stats"]);
        for query in ["include=", "include=odds", "include=media,", "include=media%20"] {
            assert!(Params::parse(card, query).is_err(), "{query}");
        }
        let failure = Params::parse(card, "include=stats,stats,stats,stats").unwrap_err();
        let message = "parameter `include` must be a comma list of at most 3 of media, results, stats";
        assert_eq!(failure.message, message);
    }

    #[test]
    fn a_search_text_is_counted_in_characters() {
        let fighters = operation("fighters").unwrap();
        let long = "%C3%A9".repeat(100);
        assert!(Params::parse(fighters, &format!("q={long}")).is_ok());
        assert!(Params::parse(fighters, &format!("q={long}e")).is_err());
        assert_eq!(Params::parse(fighters, "q=jon+jones").unwrap().text("q"), Some("jon jones"));
        assert!(Params::parse(fighters, "q=+").is_err());
    }

    #[test]
    fn a_list_of_ids_has_a_bound_and_holds_each_once() {
        let media = operation("fighters_media").unwrap();
        let id = |n: u128| Uuid::from_u128(n).to_string();
        let ids = |text: &str| Params::parse(media, &format!("ids={text}")).map(|p| p.ids("ids").to_vec());
        let (a, b) = (id(0xa), id(0xb));
        let asked = ids(&format!("{b},{a},{}", b.to_uppercase())).unwrap();
        assert_eq!(asked, [Uuid::from_u128(0xb), Uuid::from_u128(0xa)]);
        let many = |n: u128| (0..n).map(id).collect::<Vec<_>>().join(",");
        assert_eq!(ids(&many(150)).unwrap().len(), 150);
        assert!(ids(&many(151)).is_err());
        let simple = Uuid::nil().simple().to_string();
        for text in ["", ",", "fa", &simple, &format!("{a},"), &format!("{a} ")] {
            assert!(ids(text).is_err(), "{text}");
        }
        assert!(Params::parse(media, "").is_err());
    }

    #[test]
    fn ids_are_taken_from_their_places_in_the_path() {
        let ids = path_ids("/v1/mma/matchups/{fighterA}/{fighterB}/dna", "/v1/mma/matchups/a%20b/c+d/dna");
        assert_eq!(ids.unwrap(), ["a b", "c+d"]);
    }

    proptest! {
        #[test]
        fn any_query_is_read_or_refused_with_400(query in "[a-z_=&%+,0-9é-]{0,60}") {
            for operation in all_operations() {
                let status = Params::parse(operation, &query).map_or_else(|f| f.code.status(), |_| 400);
                prop_assert_eq!(status, 400);
            }
        }

        #[test]
        fn any_segment_is_read_or_refused(segment in "\\PC{0,40}") {
            let _ = path_ids("/v1/mma/events/{id}", &format!("/v1/mma/events/{segment}"));
        }
    }
}
