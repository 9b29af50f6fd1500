//! Paths that no operation has: the root, an operation's with a slash at its end, and all that is not there.

use axum::body::Body;
use axum::http::header::{HeaderValue, LOCATION};
use axum::http::request::Parts;
use axum::http::{Response, StatusCode, Uri};
use fdna_api::{ErrorCode, Failure, all_operations};
use serde_json::json;

use crate::respond;

/// Pages beside the operations.
const PAGES: [&str; 2] = ["/docs", "/openapi.json"];

/// Where to read on: a browser is led to the documentation, a program finds the rest in the body.
pub(crate) fn root(_: &Parts) -> Response<Body> {
    let links = json!({"docs": "/docs", "openapi": "/openapi.json", "index": "/v1/mma"});
    redirect(StatusCode::TEMPORARY_REDIRECT, "/docs", &links)
}

/// 308 to the same path without the slash, if that is one; else 404.
pub(crate) fn nowhere(head: &Parts) -> Response<Body> {
    match without_slash(head.uri.path()) {
        Some(path) => {
            let query = head.uri.query().map_or_else(String::new, |query| format!("?{query}"));
            let location = format!("{path}{query}");
            redirect(StatusCode::PERMANENT_REDIRECT, &location, &json!({"location": location}))
        }
        None => respond::failure(&no_route(), None),
    }
}

pub(crate) fn no_route() -> Failure {
    let message = "No such route. GET /v1/mma lists every route; documentation: /docs";
    Failure::new(ErrorCode::NotFound, message)
}

/// The path of an operation or a page, from which a slash at its end was taken. Paths with empty segments were refused
/// before, so that no other host can be meant.
fn without_slash(path: &str) -> Option<&str> {
    let path = path.strip_suffix('/')?;
    let is_operation = |template: &str| {
        let (mut names, mut segments) = (template.split('/'), path.split('/'));
        loop {
            match (names.next(), segments.next()) {
                (None, None) => return true,
                (Some(name), Some(segment)) if name.starts_with('{') || name == segment => {}
                _ => return false,
            }
        }
    };
    let is_there = PAGES.contains(&path) || all_operations().any(|operation| is_operation(operation.path));
    is_there.then_some(path)
}

/// `Link` to the next page of a list: the same query from this cursor on.
pub(crate) fn next_page(uri: &Uri, cursor: &str) -> String {
    let is_of_query = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default();
        !pair.is_empty() && !matches!(name, "cursor" | "offset")
    };
    let query = uri.query().unwrap_or_default();
    let mut pairs: Vec<&str> = query.split('&').filter(is_of_query).collect();
    let cursor = format!("cursor={cursor}");
    pairs.push(&cursor);
    // Nothing that ends the address stands in an address: `Uri` refuses it.
    format!("<{}?{}>; rel=\"next\"", uri.path(), pairs.join("&"))
}

/// Leads to another path.
pub(crate) fn redirect(code: StatusCode, location: &str, body: &serde_json::Value) -> Response<Body> {
    let Ok(location) = HeaderValue::from_str(location) else { return respond::failure(&no_route(), None) };
    let mut response = respond::plain(code, body);
    response.headers_mut().insert(LOCATION, location);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_asked_as_this_one_was() {
        let next = |uri: &'static str| next_page(&Uri::from_static(uri), "ab");
        assert_eq!(next("/v1/mma/events"), "</v1/mma/events?cursor=ab>; rel=\"next\"");
        assert_eq!(next("/x?a=1&&offset=5&b=%3E&cursor=aa"), "</x?a=1&b=%3E&cursor=ab>; rel=\"next\"");
    }

    #[test]
    fn a_slash_too_many_is_taken_from_paths_that_are_there() {
        for (path, is_there) in [
            ("/v1/mma/", true),
            ("/v1/mma/events/", true),
            ("/v1/mma/events/x/card/", true),
            ("/docs/", true),
            ("/", false),
            ("/v1/mma/odds/", false),
            ("/v1/mma/events", false),
            ("/v1/mma/events/x/", true),
            ("/v1/mma/events/x/y/", false),
        ] {
            assert_eq!(without_slash(path).is_some(), is_there, "{path}");
        }
    }
}
