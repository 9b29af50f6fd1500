//! Conditional requests (RFC 9110, 13). Validators are tags alone: conditions by date are of no resource here.

use hyper::HeaderMap;
use hyper::header::{HeaderName, IF_MATCH, IF_NONE_MATCH, IF_RANGE};

/// Whether the client has what this tag is of: weak comparison with every tag of every `If-None-Match`.
#[must_use]
pub fn has_current(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |text: &str| text.trim_start_matches("W/").to_owned();
    entity_tags(headers, &IF_NONE_MATCH).any(|one| one == "*" || opaque(one) == opaque(tag))
}

/// Whether the client wants what this tag is of and nothing else: strong comparison with every tag of every `If-Match`.
#[must_use]
pub fn is_wanted(headers: &HeaderMap, tag: &str) -> bool {
    let is_strong = !tag.starts_with("W/");
    !headers.contains_key(IF_MATCH)
        || entity_tags(headers, &IF_MATCH).any(|one| one == "*" || is_strong && one == tag)
}

/// Whether a part of what this tag is of goes with what the client has: there is no `If-Range`, or it is this very tag.
#[must_use]
pub fn goes_with_part(headers: &HeaderMap, tag: &str) -> bool {
    let mut values = headers.get_all(IF_RANGE).iter();
    let is_same = |value: &str| value.trim() == tag && !tag.starts_with("W/");
    match (values.next(), values.next()) {
        (None, _) => true,
        (Some(value), None) => value.to_str().is_ok_and(is_same),
        (Some(_), Some(_)) => false,
    }
}

fn entity_tags<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h str> {
    let lists = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn headers(name: HeaderName, values: &[&'static str]) -> HeaderMap {
        let values = values.iter().map(|value| (name.clone(), HeaderValue::from_static(value)));
        let mut headers = HeaderMap::new();
        values.for_each(|(name, value)| {
            headers.append(name, value);
        });
        headers
    }

    #[test]
    fn a_tag_is_compared_weakly_with_every_tag_of_every_header_and_a_star_is_any() {
        let has = |values: &[&'static str]| has_current(&headers(IF_NONE_MATCH, values), "W/\"a\"");
        assert!(has(&["W/\"a\""]) && has(&["\"a\""]) && has(&["\"b\", \"a\""]) && has(&["\"b\"", "*"]));
        assert!(!has(&[]) && !has(&[""]) && !has(&["\"b\""]) && !has(&["a"]));
    }

    #[test]
    fn what_is_wanted_is_compared_strongly() {
        let wants = |values: &[&'static str]| is_wanted(&headers(IF_MATCH, values), "\"a\"");
        assert!(wants(&[]) && wants(&["\"a\""]) && wants(&["\"b\", \"a\""]) && wants(&["*"]));
        assert!(!wants(&["W/\"a\""]) && !wants(&["\"b\""]) && !wants(&[""]));
        assert!(!is_wanted(&headers(IF_MATCH, &["W/\"a\""]), "W/\"a\""));
    }

    #[test]
    fn a_part_goes_with_the_very_tag_alone() {
        let goes = |values: &[&'static str]| goes_with_part(&headers(IF_RANGE, values), "\"a\"");
        assert!(goes(&[]) && goes(&["\"a\""]));
        assert!(!goes(&["\"b\""]) && !goes(&["W/\"a\""]) && !goes(&["\"a\"", "\"a\""]));
        assert!(!goes(&["Sat, 29 Oct 1994 19:43:31 GMT"]));
    }
}
