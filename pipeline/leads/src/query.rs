//! Parameters of the lists.

use std::borrow::Cow;

use chrono::{DateTime, Datelike as _, Utc};
use fdna_valuation::PropertyFilter;

use crate::fields::{FieldRules, MAX_EMAIL, MAX_NAME, MAX_PHONE, MAX_SOURCE, is_control};
use crate::refusal::{Code, Refusal};
use crate::store::list::{LeadOrder, LeadQuery};

/// Leads in an answer, without `limit`.
const DEFAULT_LIMIT: u32 = 50;

/// Leads in an answer, at most.
const MAX_LIMIT: u32 = 100;

/// The largest `offset`.
const MAX_OFFSET: u32 = 1_000_000_000;

/// Parameters of the list of leads.
const LEAD_PARAMETERS: &str = "limit, offset, status, source, email, phone, name_prefix, created_since, created_before, \
     updated_since, updated_before, order";

/// Changes in an answer, without `limit`, and at most.
const DEFAULT_CHANGES: u32 = 100;
const MAX_CHANGES: u32 = 1000;

/// The largest number of a change, which every reader of JSON can read.
const MAX_SEQ: i64 = (1 << 53) - 1;

/// Reads the parameters of the list.
///
/// # Errors
/// 400: one is unknown, repeated or out of bounds.
pub(crate) fn parse_lead_query(query: Option<&str>, rules: &FieldRules) -> Result<LeadQuery, Refusal> {
    let mut parsed = LeadQuery { limit: DEFAULT_LIMIT, ..LeadQuery::default() };
    for given in parse_parameters(query) {
        let (name, value) = given?;
        match &*name {
            "limit" => parsed.limit = parse_number(&name, &value, 1, MAX_LIMIT)?,
            "offset" => parsed.offset = parse_number(&name, &value, 0, MAX_OFFSET)?,
            "status" if rules.statuses().iter().any(|status| **status == *value) => {
                parsed.status = Some(value.into_owned());
            }
            "status" => {
                let statuses = rules.statuses().join(", ");
                return Err(wrong_parameter(&name, &format!("must be one of {statuses}")));
            }
            "source" => parsed.source = Some(parse_source(&name, &value)?),
            "email" => parsed.email = Some(parse_word(&name, &value, MAX_EMAIL)?),
            "phone" => parsed.phone = Some(parse_phone(&name, &value, rules)?),
            "name_prefix" => parsed.name_prefix = Some(parse_word(&name, &value, MAX_NAME)?),
            "created_since" => parsed.created_since = Some(parse_instant(&name, &value)?),
            "created_before" => parsed.created_before = Some(parse_instant(&name, &value)?),
            "updated_since" => parsed.updated_since = Some(parse_instant(&name, &value)?),
            "updated_before" => parsed.updated_before = Some(parse_instant(&name, &value)?),
            "order" => {
                let order = LeadOrder::ALL.into_iter().find(|order| order.name() == value);
                let names = LeadOrder::ALL.map(LeadOrder::name).join(", ");
                let wrong = || wrong_parameter(&name, &format!("must be one of {names}"));
                parsed.order = order.ok_or_else(wrong)?;
            }
            _ => return Err(wrong_parameter(&name, &format!("is unknown: there are {LEAD_PARAMETERS}"))),
        }
    }
    Ok(parsed)
}

/// Parameters of the list of changes: behind which number, and how many.
///
/// # Errors
/// 400: one is unknown, repeated or out of bounds.
pub(crate) fn parse_change_query(query: Option<&str>) -> Result<(Option<i64>, u32), Refusal> {
    let (mut after, mut limit) = (None, DEFAULT_CHANGES);
    for given in parse_parameters(query) {
        let (name, value) = given?;
        match &*name {
            "after" => after = Some(parse_seq(&name, &value)?),
            "limit" => limit = parse_number(&name, &value, 1, MAX_CHANGES)?,
            _ => return Err(wrong_parameter(&name, "is unknown: there are after, limit")),
        }
    }
    Ok((after, limit))
}

/// The parameter of the stream of changes.
///
/// # Errors
/// As [`parse_change_query`].
pub(crate) fn parse_stream_query(query: Option<&str>) -> Result<Option<i64>, Refusal> {
    let mut last = None;
    for given in parse_parameters(query) {
        let (name, value) = given?;
        match &*name {
            "last_event_id" => last = Some(parse_seq(&name, &value)?),
            _ => return Err(wrong_parameter(&name, "is unknown: there is last_event_id")),
        }
    }
    Ok(last)
}

/// The number of a change.
pub(crate) fn parse_seq(name: &str, value: &str) -> Result<i64, Refusal> {
    let is_digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let seq = value.parse().ok().filter(|seq| is_digits && (0..=MAX_SEQ).contains(seq));
    seq.ok_or_else(|| wrong_parameter(name, "must be the number of a change, as an answer had it"))
}

/// Parameters of the list of properties.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PropertyQuery {
    pub(crate) filter: PropertyFilter,
    pub(crate) limit: u32,
    pub(crate) offset: u32,
}

/// Characters of a city, and of a part of an address.
pub(crate) const MAX_PLACE: usize = MAX_SOURCE;

/// Reads the parameters of the list of properties.
///
/// # Errors
/// 400: one is unknown, repeated or out of bounds.
pub(crate) fn parse_property_query(query: Option<&str>) -> Result<PropertyQuery, Refusal> {
    let mut parsed = PropertyQuery { limit: DEFAULT_LIMIT, ..PropertyQuery::default() };
    for given in parse_parameters(query) {
        let (name, value) = given?;
        match &*name {
            "limit" => parsed.limit = parse_number(&name, &value, 1, MAX_LIMIT)?,
            "offset" => parsed.offset = parse_number(&name, &value, 0, MAX_OFFSET)?,
            "zip" if is_zip(&value) => parsed.filter.zip = Some(value.into_owned()),
            "zip" => return Err(wrong_parameter(&name, "must have five digits")),
            "state" if is_state(&value) => parsed.filter.state = Some(value.into_owned()),
            "state" => return Err(wrong_parameter(&name, "must have two letters")),
            "city" => parsed.filter.city = Some(parse_source(&name, &value)?),
            "q" => parsed.filter.text = Some(parse_source(&name, &value)?),
            _ => {
                return Err(wrong_parameter(
                    &name,
                    "is unknown: there are limit, offset, zip, city, state, q",
                ));
            }
        }
    }
    Ok(parsed)
}

/// Parameters of what values are worth.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ValidityQuery {
    pub(crate) market: Option<String>,
    pub(crate) dimension: Option<String>,
}

/// What slices of sales are one of.
const DIMENSIONS: [&str; 6] = ["all", "type", "quarter", "price_tenth", "area", "neighborhood"];

/// Reads the parameters of what values are worth.
///
/// # Errors
/// 400: one is unknown, repeated or none of its values.
pub(crate) fn parse_validity_query(query: Option<&str>) -> Result<ValidityQuery, Refusal> {
    let mut parsed = ValidityQuery::default();
    for given in parse_parameters(query) {
        let (name, value) = given?;
        match &*name {
            "market" => parsed.market = Some(parse_source(&name, &value)?),
            "dimension" if DIMENSIONS.contains(&&*value) => parsed.dimension = Some(value.into_owned()),
            "dimension" => {
                return Err(wrong_parameter(&name, &format!("must be one of {}", DIMENSIONS.join(", "))));
            }
            _ => return Err(wrong_parameter(&name, "is unknown: there are market, dimension")),
        }
    }
    Ok(parsed)
}

/// A parameter's name and value.
type QueryParameter<'q> = (Cow<'q, str>, Cow<'q, str>);

/// The parameters of a query in order; one that comes again is refused, and all are if they are no text.
fn parse_parameters(query: Option<&str>) -> impl Iterator<Item = Result<QueryParameter<'_>, Refusal>> {
    let query = query.unwrap_or_default();
    let undecodable = (!is_encoded_text(query))
        .then(|| Err(Refusal::new(Code::InvalidRequest, "The URL is not valid percent-encoded UTF-8")));
    let mut seen = Vec::new();
    let given = form_urlencoded::parse(query.as_bytes()).map(move |(name, value)| {
        if seen.contains(&name) {
            return Err(wrong_parameter(&name, "must not be repeated"));
        }
        seen.push(name.clone());
        Ok((name, value))
    });
    undecodable.into_iter().chain(given)
}

/// `form_urlencoded` makes a text of anything.
fn is_encoded_text(query: &str) -> bool {
    let mut parts = query.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    let are_pairs = parts.all(|part| {
        let hex = part.get(..2).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let byte = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.extend(byte);
        bytes.extend(part.bytes().skip(2));
        byte.is_some()
    });
    are_pairs && std::str::from_utf8(&bytes).is_ok()
}

pub(crate) fn is_zip(text: &str) -> bool {
    text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub(crate) fn is_state(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Refuses any parameter.
///
/// # Errors
/// 400.
pub(crate) fn refuse_parameters(query: Option<&str>) -> Result<(), Refusal> {
    match form_urlencoded::parse(query.unwrap_or_default().as_bytes()).next() {
        Some((name, _)) => Err(wrong_parameter(&name, "is unknown: this operation has no parameters")),
        None => Ok(()),
    }
}

fn parse_number(name: &str, value: &str, min: u32, max: u32) -> Result<u32, Refusal> {
    let is_digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.parse().ok().filter(|number| is_digits && (min..=max).contains(number));
    number.ok_or_else(|| wrong_parameter(name, &format!("must be a whole number from {min} to {max}")))
}

fn parse_source(name: &str, value: &str) -> Result<String, Refusal> {
    parse_word(name, value, MAX_SOURCE)
}

fn parse_word(name: &str, value: &str, max: usize) -> Result<String, Refusal> {
    let text = value.trim();
    let is_usable = (1..=max).contains(&text.chars().take(max + 1).count());
    if is_usable && !value.chars().any(is_control) {
        return Ok(text.to_owned());
    }
    Err(wrong_parameter(name, &format!("must have 1 to {max} characters and no control characters")))
}

/// A telephone number in E.164. A `+` that was not encoded arrives as a space.
fn parse_phone(name: &str, value: &str, rules: &FieldRules) -> Result<String, Refusal> {
    let international = value.strip_prefix(' ').map(|rest| format!("+{rest}"));
    let given = parse_word(name, international.as_deref().unwrap_or(value), MAX_PHONE)?;
    let wrong = || wrong_parameter(name, "must be a telephone number, such as +14155552671");
    rules.region().written_down(&given).ok_or_else(wrong)
}

/// An instant, with its offset.
fn parse_instant(name: &str, value: &str) -> Result<DateTime<Utc>, Refusal> {
    // As in telephone numbers.
    let value = value.replace(' ', "+");
    let is_utc = |at: DateTime<chrono::FixedOffset>| at.to_utc();
    let instant = DateTime::parse_from_rfc3339(&value).ok().map(is_utc);
    // What a database can compare.
    let instant = instant.filter(|at| (0..10_000).contains(&at.year()));
    instant.ok_or_else(|| wrong_parameter(name, "must be an instant such as 2026-11-24T10:00:00Z"))
}

pub(crate) fn wrong_parameter(name: &str, what: &str) -> Refusal {
    Refusal { code: Code::InvalidParameter, ..Refusal::of_field(name, what) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rules() -> FieldRules {
        let statuses = ["new", "won"].map(str::to_owned);
        FieldRules::new(&statuses, "US".parse().unwrap()).unwrap()
    }

    #[test]
    fn parameters_are_read_within_their_bounds() {
        let read = |query| parse_lead_query(Some(query), &rules());
        let asked = read("limit=100&offset=7&status=won&source=web%20site").unwrap();
        let (status, source) = (Some("won".to_owned()), Some("web site".to_owned()));
        assert_eq!(
            asked,
            LeadQuery { account: None, status, source, limit: 100, offset: 7, ..LeadQuery::default() }
        );
        assert_eq!(parse_lead_query(None, &rules()).unwrap().limit, 50);
        for (query, field) in [
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("limit=+5", "limit"),
            ("limit=", "limit"),
            ("limit=5&limit=5", "limit"),
            ("offset=-1", "offset"),
            ("offset=99999999999999999999", "offset"),
            ("status=lost", "status"),
            ("status=", "status"),
            ("source=%00", "source"),
            ("source=", "source"),
            ("email=", "email"),
            ("phone=1", "phone"),
            ("phone=+14155552671&phone=+14155552671", "phone"),
            ("name_prefix=%00", "name_prefix"),
            ("created_since=2026-11-24", "created_since"),
            ("updated_before=yesterday", "updated_before"),
            ("order=name", "order"),
            ("account=crm", "account"),
        ] {
            assert_eq!(read(query).unwrap_err().field.as_deref(), Some(field), "{query}");
        }
    }

    #[test]
    fn parameters_of_properties_are_read_within_their_bounds() {
        let read = |query| parse_property_query(Some(query));
        let asked = read("limit=1&offset=2&zip=10301&city=Staten+Island&state=ny&q=bay+st").unwrap();
        assert_eq!((asked.limit, asked.offset, asked.filter.zip.as_deref()), (1, 2, Some("10301")));
        assert_eq!(
            (asked.filter.city.as_deref(), asked.filter.text.as_deref()),
            (Some("Staten Island"), Some("bay st"))
        );
        assert_eq!(parse_property_query(None).unwrap().limit, 50);
        for query in [
            "limit=101",
            "zip=1030",
            "zip=1030a",
            "zip=%D9%A1%D9%A1%D9%A1%D9%A1%D9%A1",
            "state=nys",
            "q=",
            "q=%00",
            "city=%0A",
            "zip=10301&zip=10301",
            "status=new",
        ] {
            assert_eq!(read(query).unwrap_err().code, Code::InvalidParameter, "{query}");
        }
    }

    #[test]
    fn what_is_no_text_is_refused_as_everywhere() {
        for query in
            ["source=%ff", "source=%C3", "source=a%zz", "source=%+1", "limit=1&source=%e2%82&offset=1"]
        {
            for refused in [
                parse_lead_query(Some(query), &rules()).unwrap_err(),
                parse_property_query(Some(query)).unwrap_err(),
            ] {
                assert_eq!(refused.code, Code::InvalidRequest, "{query}");
                assert!(refused.message.contains("not valid percent-encoded UTF-8"), "{}", refused.message);
            }
        }
        assert_eq!(
            parse_lead_query(Some("source=%C3%A9+%25"), &rules()).unwrap().source.as_deref(),
            Some("é %")
        );
    }

    proptest! {
        #[test]
        fn any_query_is_judged(query in "\\PC{0,80}") {
            let _ = parse_lead_query(Some(&query), &rules());
            let _ = parse_property_query(Some(&query));
        }
    }
}
