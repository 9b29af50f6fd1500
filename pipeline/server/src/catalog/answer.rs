//! Answers a request for the catalog.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{Response, StatusCode};
use fdna_api::operations::changes::STREAM;
use fdna_api::{CATALOG_API, ErrorCode, Failure};
use fdna_catalog::{
    CHANGES, CHANGES_STREAM, CatalogAnswer, CatalogSnapshot, FoundRoute, ListingFilter, RouteCatalog,
    RouteKind, without_prefix,
};
use fdna_http::OperationSlot;
use serde_json::{Map, Value, json};

use super::envelope::{failed, fault, meta, written};
use super::{ServedCatalog, slot};
use crate::cached_response::{CacheMetadata, CachedResponse, Validity};
use crate::paths::redirect;
use crate::serving_state::{DAMAGE, ServingState};
use crate::{respond, stream_request};
use fdna_http::Encoding;

/// Pages about the catalog itself; the place of each is its slot.
const PAGES: [&str; 4] = ["/sports", "/health", CHANGES, CHANGES_STREAM];

/// Names of their operations.
pub(super) const PAGE_NAMES: [&str; 4] = ["sports", "health", "changes", STREAM.name];

/// Answers a request for the stream of a sport's changes.
pub(super) async fn stream(served: &ServingState, catalog: &ServedCatalog, head: &Parts) -> Response<Body> {
    let (query, snapshot) = (head.uri.query().unwrap_or_default(), catalog.snapshot());
    let opened = match catalog.routes.find_changes_stream(query, snapshot.as_deref()) {
        Ok((sport, last)) => stream_request::open(served, sport, last.as_deref(), head).await,
        Err(failure) => Err(failure),
    };
    counted(opened.unwrap_or_else(failed), OperationSlot(PAGES.len() - 1))
}

/// Answers a request of any path.
pub(super) fn answer(served: &ServingState, catalog: &ServedCatalog, head: &Parts) -> Response<Body> {
    let (path, query) = (without_prefix(head.uri.path()), head.uri.query().unwrap_or_default());
    if let Some((place, page)) = PAGES.iter().enumerate().find(|(_, page)| **page == path) {
        let given = guarded(page, || match *page {
            CHANGES => catalog
                .routes
                .find_changes(query)
                .and_then(|found| data(served, catalog, &found, head, query)),
            _ => about(served, catalog, head, place, query),
        });
        return counted(given, OperationSlot(place));
    }
    if path == "/" {
        let links = json!({"docs": "/docs", "openapi": "/openapi.json", "sports": "/sports"});
        return redirect(StatusCode::TEMPORARY_REDIRECT, "/docs", &links);
    }
    match catalog.routes.find(head.uri.path()) {
        Ok(found) => {
            let given = guarded(found.route.path, || data(served, catalog, &found, head, query));
            counted(given, slot(found.route))
        }
        Err(failure) => without_slash(catalog.routes, head).unwrap_or_else(|| failed(failure)),
    }
}

/// Whether requests can be answered: the routes are compiled in, and say so where there are no data. Not while a file of the
/// snapshot is damaged.
pub(super) fn readyz(catalog: &ServedCatalog) -> Response<Body> {
    let id = catalog.snapshot().map(|snapshot| snapshot.id.clone());
    match catalog.is_damaged() {
        false => respond::plain(StatusCode::OK, &json!({"status": "ready", "snapshot_id": id})),
        true => respond::plain(
            StatusCode::SERVICE_UNAVAILABLE,
            &json!({"status": "unavailable", "snapshot_id": id, "problem": DAMAGE}),
        ),
    }
}

/// A panic must not take the connection, and other streams on it, with it.
fn guarded(route: &str, answer: impl FnOnce() -> Result<Response<Body>, Failure>) -> Response<Body> {
    let answered = catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| {
        tracing::error!(route, "a route of the catalog panicked");
        Err(Failure::new(ErrorCode::Internal, "answer could not be made"))
    });
    answered.unwrap_or_else(failed)
}

/// The answer of a route.
fn data(
    served: &ServingState,
    catalog: &ServedCatalog,
    found: &FoundRoute<'_>,
    head: &Parts,
    query: &str,
) -> Result<Response<Body>, Failure> {
    let Some(snapshot) = catalog.snapshot() else { return Err(found.failure(query, None)) };
    let (accepted, today) = (Encoding::accepted(&head.headers), found.sport.day_of(served.now()));
    let key = format!("{} {} {today} {accepted:?}", snapshot.id, found.key(query)?);
    let cached = match served.response_cache.get(&key) {
        Some(cached) => cached,
        None => {
            let answer = found.answer(query, &snapshot, today).inspect_err(|failure| {
                if failure.is_damage {
                    tracing::error!(snapshot = %snapshot.id, problem = %failure.message, "failed to read a table");
                    catalog.report_damage(&snapshot);
                }
            })?;
            let meta = data_meta(found, &snapshot, &answer)?;
            let parts = [answer.data.as_slice(), Value::from(answer.meta).to_string().as_bytes()].concat();
            let content = fdna_view::operations::digest(&parts);
            let tag = respond::etag(&[CATALOG_API.version, found.route.path, &content]);
            let snapshot_id = Some(snapshot.id.clone());
            let made = CacheMetadata { tag, snapshot_id, validity: Validity::Static, link: None };
            let cached = Arc::new(CachedResponse::with_meta(&answer.data, &meta, made, accepted)?);
            served.response_cache.put(key, &cached);
            cached
        }
    };
    Ok(cached.give(&head.headers, None, served.now()))
}

/// `meta` of the answer of a route, its id to be filled in.
fn data_meta(
    found: &FoundRoute<'_>,
    snapshot: &CatalogSnapshot,
    answer: &CatalogAnswer,
) -> Result<String, Failure> {
    let route = found.route;
    let mut more = Map::new();
    more.insert("sport".to_owned(), route.sport.into());
    more.insert("kind".to_owned(), route.kind.name().into());
    more.insert("snapshot_id".to_owned(), snapshot.id.as_str().into());
    more.insert("sources".to_owned(), serde_json::to_value(snapshot.sources(route)).map_err(|_| fault())?);
    if route.kind == RouteKind::Derived {
        more.insert(
            "derived".to_owned(),
            json!({"label": "HOUSE_DERIVED", "definition_versions": route.definition_versions()}),
        );
    }
    if let Some(coverage) = snapshot.coverage(route) {
        more.insert("coverage".to_owned(), serde_json::to_value(coverage).map_err(|_| fault())?);
    }
    more.extend(answer.meta.clone());
    Ok(meta(route.path, &more.into()))
}

fn counted(mut response: Response<Body>, slot: OperationSlot) -> Response<Body> {
    response.extensions_mut().insert(slot);
    response
}

/// 308 to the same path without a slash at its end, if that is a route or a page.
fn without_slash(catalog: &RouteCatalog, head: &Parts) -> Option<Response<Body>> {
    let path = head.uri.path().strip_suffix('/')?;
    let is_there = PAGES.contains(&without_prefix(path)) || catalog.find(path).is_ok();
    let query = head.uri.query().map_or_else(String::new, |query| format!("?{query}"));
    let location = format!("{path}{query}");
    is_there.then(|| redirect(StatusCode::PERMANENT_REDIRECT, &location, &json!({"location": location})))
}

fn about(
    served: &ServingState,
    catalog: &ServedCatalog,
    head: &Parts,
    place: usize,
    query: &str,
) -> Result<Response<Body>, Failure> {
    let (accepted, snapshot) = (Encoding::accepted(&head.headers), catalog.snapshot());
    let catalog = catalog.routes;
    // Of the listing; `/health` takes no parameters.
    let filter = match place {
        0 => Some(catalog.listing_filter(query)?),
        _ => catalog.no_parameters(query).map(|()| None)?,
    };
    let (name, echo) = match filter {
        Some(ListingFilter { is_narrow, sport }) => {
            ("/sports", json!({"listing": if is_narrow { "narrow" } else { "full" }, "sport": sport}))
        }
        None => ("/health", json!({})),
    };
    let id = snapshot.as_ref().map(|snapshot| snapshot.id.clone());
    let key = format!("{name} {echo} {id:?} {accepted:?}");
    let cached = match served.response_cache.get(&key) {
        Some(cached) => cached,
        None => {
            let data = match filter {
                Some(filter) => written(&catalog.listing_of(filter, snapshot.as_deref())),
                None => written(&catalog.health_of(snapshot.as_deref())),
            }?;
            let content = fdna_view::operations::digest(&data);
            let tag = respond::etag(&[CATALOG_API.version, &content, &key]);
            let made = CacheMetadata { tag, snapshot_id: id, validity: Validity::Static, link: None };
            let cached = Arc::new(CachedResponse::with_meta(&data, &meta(name, &echo), made, accepted)?);
            served.response_cache.put(key, &cached);
            cached
        }
    };
    Ok(cached.give(&head.headers, None, served.now()))
}
