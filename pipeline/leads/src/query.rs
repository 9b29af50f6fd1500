//! Parameters of the list.

use crate::fields::{FieldRules, MAX_SOURCE, is_control};
use crate::refusal::{Code, Refusal};
use crate::store::LeadQuery;

/// Leads in an answer, without `limit`.
const DEFAULT_LIMIT: u32 = 50;

/// Leads in an answer, at most.
const MAX_LIMIT: u32 = 100;

/// The largest `offset`.
const MAX_OFFSET: u32 = 1_000_000_000;

/// Reads the parameters of the list.
///
/// # Errors
/// 400: one is unknown, repeated or out of bounds.
pub(crate) fn list(query: Option<&str>, rules: &FieldRules) -> Result<LeadQuery, Refusal> {
    let mut asked = LeadQuery { limit: DEFAULT_LIMIT, ..LeadQuery::default() };
    let mut seen = Vec::new();
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        if seen.contains(&name) {
            return Err(wrong(&name, "must not be repeated"));
        }
        match &*name {
            "limit" => asked.limit = number(&name, &value, 1, MAX_LIMIT)?,
            "offset" => asked.offset = number(&name, &value, 0, MAX_OFFSET)?,
            "status" if rules.statuses().iter().any(|status| **status == *value) => {
                asked.status = Some(value.into_owned());
            }
            "status" => {
                let statuses = rules.statuses().join(", ");
                return Err(wrong(&name, &format!("must be one of {statuses}")));
            }
            "source" => asked.source = Some(source(&name, &value)?),
            _ => return Err(wrong(&name, "is unknown: there are limit, offset, status, source")),
        }
        seen.push(name);
    }
    Ok(asked)
}

/// Refuses any parameter.
///
/// # Errors
/// 400.
pub(crate) fn none(query: Option<&str>) -> Result<(), Refusal> {
    match form_urlencoded::parse(query.unwrap_or_default().as_bytes()).next() {
        Some((name, _)) => Err(wrong(&name, "is unknown: this operation has no parameters")),
        None => Ok(()),
    }
}

fn number(name: &str, value: &str, min: u32, max: u32) -> Result<u32, Refusal> {
    let is_digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.parse().ok().filter(|number| is_digits && (min..=max).contains(number));
    number.ok_or_else(|| wrong(name, &format!("must be a whole number from {min} to {max}")))
}

fn source(name: &str, value: &str) -> Result<String, Refusal> {
    let text = value.trim();
    let is_usable = (1..=MAX_SOURCE).contains(&text.chars().take(MAX_SOURCE + 1).count());
    if is_usable && !value.chars().any(is_control) {
        return Ok(text.to_owned());
    }
    Err(wrong(name, &format!("must have 1 to {MAX_SOURCE} characters and no control characters")))
}

fn wrong(name: &str, what: &str) -> Refusal {
    Refusal { code: Code::InvalidParameter, ..Refusal::field(name, what) }
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
        let read = |query| list(Some(query), &rules());
        let asked = read("limit=100&offset=7&status=won&source=web%20site").unwrap();
        let (status, source) = (Some("won".to_owned()), Some("web site".to_owned()));
        assert_eq!(asked, LeadQuery { status, source, limit: 100, offset: 7 });
        assert_eq!(list(None, &rules()).unwrap().limit, 50);
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
            ("email=a@b.example", "email"),
        ] {
            assert_eq!(read(query).unwrap_err().field.as_deref(), Some(field), "{query}");
        }
    }

    proptest! {
        #[test]
        fn any_query_is_judged(query in "\\PC{0,80}") {
            let _ = list(Some(&query), &rules());
        }
    }
}
