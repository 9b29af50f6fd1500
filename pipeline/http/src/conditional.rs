//! Conditional requests (RFC 9110, 13).

use hyper::HeaderMap;
use hyper::header::IF_NONE_MATCH;

/// Whether the client has what this tag is of: weak comparison with every tag of every `If-None-Match`.
#[must_use]
pub fn has_current(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |text: &str| text.trim().trim_start_matches("W/").to_owned();
    let tags = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    tags.flat_map(|list| list.split(',')).any(|one| one.trim() == "*" || opaque(one) == opaque(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_compared_weakly_with_every_tag_of_every_header_and_a_star_is_any() {
        let has = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            values.iter().for_each(|value| {
                headers.append(IF_NONE_MATCH, hyper::header::HeaderValue::from_static(value));
            });
            has_current(&headers, "W/\"a\"")
        };
        assert!(has(&["W/\"a\""]) && has(&["\"a\""]) && has(&["\"b\", \"a\""]) && has(&["\"b\"", "*"]));
        assert!(!has(&[]) && !has(&[""]) && !has(&["\"b\""]) && !has(&["a"]));
    }
}
