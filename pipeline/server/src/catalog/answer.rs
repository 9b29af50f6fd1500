//! What a request for the catalog is answered with.

use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{Response, StatusCode};
use fdna_api::{CATALOG_API, ErrorCode, Failure};
use fdna_catalog::{ListingFilter, RouteCatalog, without_prefix};
use fdna_http::OperationSlot;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::slot;
use crate::cached_response::{CacheMetadata, CachedResponse, Validity};
use crate::paths::redirect;
use crate::respond;
use crate::serving_state::ServingState;
use fdna_http::Encoding;

/// Pages about the catalog itself; the place of each is its slot.
const PAGES: [&str; 2] = ["/sports", "/health"];

/// Answers a request of any path.
pub(super) fn answer(served: &ServingState, catalog: &'static RouteCatalog, head: &Parts) -> Response<Body> {
    let (path, query) = (without_prefix(head.uri.path()), head.uri.query().unwrap_or_default());
    if let Some(place) = PAGES.iter().position(|page| *page == path) {
        let given = page(served, catalog, head, place, query);
        return counted(given.unwrap_or_else(failed), OperationSlot(place));
    }
    if path == "/" {
        let links = json!({"docs": "/docs", "openapi": "/openapi.json", "sports": "/sports"});
        return redirect(StatusCode::TEMPORARY_REDIRECT, "/docs", &links);
    }
    match catalog.find(head.uri.path()) {
        Ok(found) => counted(failed(found.failure(query)), slot(found.route)),
        Err(failure) => without_slash(catalog, head).unwrap_or_else(|| failed(failure)),
    }
}

/// Whether requests can be answered: all that it has is compiled in.
pub(super) fn readyz() -> Response<Body> {
    respond::plain(StatusCode::OK, &json!({"status": "ready", "snapshot_id": null}))
}

fn counted(mut response: Response<Body>, slot: OperationSlot) -> Response<Body> {
    response.extensions_mut().insert(slot);
    response
}

fn failed(failure: Failure) -> Response<Body> {
    respond::failure(&failure.by(&CATALOG_API), None)
}

/// 308 to the same path without a slash at its end, if that is a route or a page.
fn without_slash(catalog: &RouteCatalog, head: &Parts) -> Option<Response<Body>> {
    let path = head.uri.path().strip_suffix('/')?;
    let is_there = PAGES.contains(&without_prefix(path)) || catalog.find(path).is_ok();
    let query = head.uri.query().map_or_else(String::new, |query| format!("?{query}"));
    let location = format!("{path}{query}");
    is_there.then(|| redirect(StatusCode::PERMANENT_REDIRECT, &location, &json!({"location": location})))
}

fn page(
    served: &ServingState,
    catalog: &'static RouteCatalog,
    head: &Parts,
    place: usize,
    query: &str,
) -> Result<Response<Body>, Failure> {
    let accepted = Encoding::accepted(&head.headers);
    // Of the listing; `/health` takes no parameters.
    let filter = match place {
        0 => Some(catalog.listing_filter(query)?),
        _ => catalog.no_parameters(query).map(|()| None)?,
    };
    let (name, echo) = match filter {
        Some(ListingFilter { is_narrow, sport }) => {
            ("sports", json!({"listing": if is_narrow { "narrow" } else { "full" }, "sport": sport}))
        }
        None => ("health", json!({})),
    };
    let key = format!("{name} {echo} {accepted:?}");
    let cached = match served.response_cache.get(&key) {
        Some(cached) => cached,
        None => {
            let data = match filter {
                Some(filter) => written(&catalog.listing(filter)),
                None => written(&catalog.health()),
            }?;
            let content = fdna_view::operations::digest(&data);
            let tag = respond::etag(&[CATALOG_API.version, &content, &key]);
            let made = CacheMetadata { tag, snapshot_id: None, validity: Validity::Static, link: None };
            let cached = Arc::new(CachedResponse::with_meta(&data, &meta(name, &echo), made, accepted)?);
            served.response_cache.put(key, &cached);
            cached
        }
    };
    Ok(cached.give(&head.headers, None, served.now()))
}

/// `meta` of a success, its id to be filled in: what the page adds stands behind it.
fn meta(route: &str, echo: &Value) -> String {
    let echo = echo.to_string();
    let more = if echo == "{}" { "}".to_owned() } else { format!(",{}", &echo[1..]) };
    let (name, version, id) = (CATALOG_API.name, CATALOG_API.version, Uuid::nil());
    format!(r#"{{"api":"{name}","version":"{version}","request_id":"{id}","route":"/{route}"{more}"#)
}

fn written(data: &impl Serialize) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(data)
        .map_err(|_| Failure::new(ErrorCode::Internal, "answer could not be written").by(&CATALOG_API))
}
