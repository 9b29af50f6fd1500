//! From a request to a page: from the cache, or made.

use std::sync::Arc;

use askama::Template as _;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, LOCATION,
    REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Response, StatusCode};
use axum::routing::{MethodRouter, any};
use fdna_catalog::{RouteCatalog, without_prefix};
use fdna_http::{ALLOWED, Encoding, Opening, OperationSlot, guard, has_current, request_id, without_body};
use fdna_server::{DownloadRefusal, LocalApi};
use quick_cache::sync::Cache;

use crate::ask::{ApiClient, Ask, Refusal, is_id};
use crate::assets::{ASSETS, asset, digest};
use crate::catalog::{self, CatalogAsk};
use crate::declared::{DeclaredPage, PAGES};
use crate::page::{Document, Link, Page, Section, Site, Stamp};
use crate::suggest::suggest;

/// Pages kept, with their compressed bodies: some 60 KB each at most.
const KEPT: usize = 512;

/// Its own style sheet, script, images and answers, and nothing else from anywhere.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

/// A page that is to be made.
enum Asked<'a> {
    Declared(&'static DeclaredPage, Ask),
    Catalog(&'static RouteCatalog, CatalogAsk<'a>),
}

impl Asked<'_> {
    async fn page(&self, api: &ApiClient) -> Result<Page, Refusal> {
        match self {
            Self::Declared(page, ask) => page.page(api, ask).await,
            Self::Catalog(routes, ask) => catalog::page(api, routes, ask).await,
        }
    }
}

/// What pages are made of and kept in.
struct Explorer {
    api: ApiClient,
    site: Site,
    kept: Cache<String, Arc<Kept>>,
}

/// A body as it is sent.
struct Kept {
    kind: &'static str,
    encoding: Encoding,
    body: Bytes,
    tag: String,
}

/// The pages, made of the operations of the API.
pub fn router(api: LocalApi) -> Router {
    match api.routes() {
        Some(catalog) => catalog_router(api, catalog),
        None => mma_router(api),
    }
}

/// What answers an address.
#[derive(Clone, Copy)]
enum ServedResource {
    Page(&'static DeclaredPage),
    Suggestions,
    /// An asset, or the file of a table.
    File,
    /// A route of the catalog, or an asset.
    Catalog(&'static RouteCatalog),
}

fn catalog_router(api: LocalApi, routes: &'static RouteCatalog) -> Router {
    let site = catalog::site(routes);
    let explorer = Arc::new(Explorer { api: ApiClient::new(api), site, kept: Cache::new(KEPT) });
    Router::new().fallback(build_handler(&explorer, 0, ServedResource::Catalog(routes)))
}

fn mma_router(api: LocalApi) -> Router {
    let explorer =
        Arc::new(Explorer { api: ApiClient::new(api), site: Site::of_mma(), kept: Cache::new(KEPT) });
    let pages = PAGES.iter().enumerate().fold(Router::new(), |router, (slot, page)| {
        router.route(&page.path, build_handler(&explorer, slot, ServedResource::Page(page)))
    });
    pages
        .route("/suggest", build_handler(&explorer, PAGES.len(), ServedResource::Suggestions))
        .fallback(build_handler(&explorer, PAGES.len() + 1, ServedResource::File))
}

/// Answers by any method; `slot` names the address in the access log.
fn build_handler(explorer: &Arc<Explorer>, slot: usize, target: ServedResource) -> MethodRouter {
    let explorer = Arc::clone(explorer);
    any(move |request: Request| {
        let explorer = Arc::clone(&explorer);
        async move { respond(&explorer, slot, request, target).await }
    })
}

/// What holds of every answer: refused before any page where it is not in normal form, and named for the log.
async fn respond(
    explorer: &Explorer,
    slot: usize,
    request: Request,
    target: ServedResource,
) -> Response<Body> {
    let refusal = guard::check_request(&request).err();
    let (head, _) = request.into_parts();
    let mut response = match (refusal, &head.method) {
        (Some(failure), _) => explorer.refused(&Refusal::of(&failure), &head),
        (None, &Method::GET | &Method::HEAD) => match without_last_slash(&head) {
            Some(path) => redirect_to(&path),
            None => explorer.answer(target, &head).await,
        },
        (None, _) => {
            let message = "Pages are read: use GET.".to_owned();
            let refusal = Refusal { status: 405, code: "method_not_allowed".to_owned(), message };
            let mut response = explorer.refused(&refusal, &head);
            response.headers_mut().insert(ALLOW, HeaderValue::from_static(ALLOWED));
            response
        }
    };
    // Of the catalog, assets have a slot of their own.
    let is_asset = matches!(target, ServedResource::Catalog(_)) && asset(head.uri.path()).is_some();
    response.extensions_mut().insert(OperationSlot(slot + usize::from(is_asset)));
    without_body(&head.method, response)
}

impl Explorer {
    async fn answer(&self, target: ServedResource, head: &Parts) -> Response<Body> {
        match (target, asset(head.uri.path())) {
            (ServedResource::File | ServedResource::Catalog(_), Some((kind, text))) => {
                self.asset(kind, text, head)
            }
            (ServedResource::Page(page), _) => self.declared(page, head).await,
            (ServedResource::Suggestions, _) => self.suggestions(head).await,
            (ServedResource::File, None) => self.table(head).await,
            (ServedResource::Catalog(routes), None) => self.route_of(routes, head).await,
        }
    }

    async fn declared(&self, page: &'static DeclaredPage, head: &Parts) -> Response<Body> {
        let ask = match ask(page, head) {
            Ok(ask) => ask,
            Err(refusal) => return self.refused(&refusal, head),
        };
        let key = format!("{} {:?} {:?}", page.name, ask.ids, ask.query);
        self.page(&key, !page.is_made_anew, head, Asked::Declared(page, ask)).await
    }

    async fn route_of(&self, routes: &'static RouteCatalog, head: &Parts) -> Response<Body> {
        let ask = CatalogAsk { path: without_prefix(head.uri.path()), query: pairs(head) };
        let key = format!("{} {:?}", ask.path, ask.query);
        self.page(&key, true, head, Asked::Catalog(routes, ask)).await
    }

    /// A page that was kept, or is made now.
    async fn page(&self, asked: &str, is_kept: bool, head: &Parts, of: Asked<'_>) -> Response<Body> {
        let encoding = Encoding::accepted(&head.headers);
        let state = self.api.local.state();
        let key = format!("{state} {asked} {encoding:?}");
        if let Some(kept) = self.kept.get(&key) {
            return kept.give(head);
        }
        let made = match of.page(&self.api).await {
            Ok(page) if self.api.local.state() == state => Ok(page),
            // A snapshot came meanwhile: a page is of one.
            _ => of.page(&self.api).await,
        };
        match made {
            Err(refusal) => self.refused(&refusal, head),
            Ok(page) => {
                let kept = Arc::new(Kept::new(HTML, self.html(&page), encoding));
                if is_kept && state == self.api.local.state() {
                    self.kept.insert(key, Arc::clone(&kept));
                }
                kept.give(head)
            }
        }
    }

    async fn suggestions(&self, head: &Parts) -> Response<Body> {
        let pairs = form_urlencoded::parse(head.uri.query().unwrap_or_default().as_bytes());
        let text = pairs.into_iter().find(|(name, _)| name == "q").map(|(_, value)| value.into_owned());
        match suggest(&self.api, text.as_deref().unwrap_or_default()).await {
            Ok(found) => Kept::new(JSON, found, Encoding::accepted(&head.headers)).give(head),
            Err(refusal) => self.refused(&refusal, head),
        }
    }

    /// `/data/TABLE.parquet`, the file of a table.
    async fn table(&self, head: &Parts) -> Response<Body> {
        let name = head.uri.path().strip_prefix("/data/").and_then(|name| name.strip_suffix(".parquet"));
        let Some(name) = name else {
            return self.refused(&Refusal::not_found("There is no such page."), head);
        };
        self.api.local.table(name, head).await.unwrap_or_else(|DownloadRefusal { failure, headers }| {
            let mut response = self.refused(&Refusal::of(&failure), head);
            response.headers_mut().extend(*headers);
            response
        })
    }

    fn asset(&self, kind: &'static str, text: &'static str, head: &Parts) -> Response<Body> {
        let mut response = Kept::new(kind, text.to_owned(), Encoding::accepted(&head.headers)).give(head);
        let forever = HeaderValue::from_static("max-age=31536000, immutable");
        response.headers_mut().insert(CACHE_CONTROL, forever);
        response
    }

    fn html(&self, page: &Page) -> String {
        let stamp = self.stamp();
        // Writing to a string does not fail.
        Document { page, site: &self.site, stamp: &stamp, assets: &ASSETS }.render().unwrap_or_default()
    }

    fn stamp(&self) -> Stamp {
        let none = || "none yet".to_owned();
        if self.api.local.routes().is_some() {
            let (id, captured) = self.api.local.catalog_snapshot().unzip();
            let captured = captured.flatten().map_or_else(none, |at| at.date_naive().to_string());
            return Stamp { snapshot_id: id.unwrap_or_else(none), facts_until: captured, synthetic: false };
        }
        let snapshot = self.api.local.snapshot();
        Stamp {
            snapshot_id: snapshot.as_ref().map_or_else(none, |snapshot| snapshot.id.clone()),
            facts_until: snapshot
                .as_ref()
                .and_then(|s| s.facts_until)
                .map_or_else(none, |day| day.to_string()),
            synthetic: snapshot.is_some_and(|snapshot| snapshot.synthetic),
        }
    }

    /// A page that says what is not there, with the status of the API.
    fn refused(&self, refusal: &Refusal, head: &Parts) -> Response<Body> {
        let title = match refusal.status {
            404 => "Not found",
            503 => "Not available now",
            400..500 => "Not understood",
            _ => "Something went wrong",
        };
        let mut section =
            Section::new("why", "Why").line(&refusal.message).line(format!("Code: {}", refusal.code));
        if refusal.status == 400 && head.uri.query().is_some() {
            section.links.push(Link::new("The page without these choices", head.uri.path()));
        }
        let page = Page { title: title.to_owned(), sections: vec![section], ..Page::default() };
        let mut response = Kept::new(HTML, self.html(&page), Encoding::accepted(&head.headers)).whole();
        *response.status_mut() =
            StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

/// The address without a slash at its end, if it has one: a page has one address.
fn without_last_slash(head: &Parts) -> Option<String> {
    let path = head.uri.path().strip_suffix('/').filter(|path| !path.is_empty())?;
    Some(head.uri.query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}")))
}

fn redirect_to(to: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    fdna_http::set_common_headers(response.headers_mut(), request_id());
    if let Ok(to) = HeaderValue::from_str(to) {
        response.headers_mut().insert(LOCATION, to);
    }
    response
}

/// Path parameters and the query's known parameters; what is left empty in a form is not asked.
fn ask(page: &DeclaredPage, head: &Parts) -> Result<Ask, Refusal> {
    let bad = |message: String| Refusal { status: 400, code: "invalid_parameter".to_owned(), message };
    let ids =
        fdna_api::path_ids(&page.path, head.uri.path()).map_err(|failure| bad(failure.message.clone()))?;
    if !ids.iter().all(|id| is_id(id)) {
        return Err(Refusal::not_found("Ids are letters, digits, hyphens and underscores."));
    }
    let known = pairs(head).into_iter().filter(|(name, _)| page.takes(name));
    Ok(Ask { ids, query: known.collect() })
}

/// The query without what a form left empty.
fn pairs(head: &Parts) -> Vec<(String, String)> {
    let pairs = form_urlencoded::parse(head.uri.query().unwrap_or_default().as_bytes());
    let given = pairs.filter(|(_, value)| !value.trim().is_empty());
    given.map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
}

impl Kept {
    fn new(kind: &'static str, text: String, accepted: Encoding) -> Self {
        let tag = format!("W/\"{}\"", digest(text.as_bytes()));
        match Opening::new(accepted, text.as_bytes()) {
            Ok(opening) => {
                Self { kind, encoding: opening.encoding(), body: opening.append_end(&[]).into(), tag }
            }
            Err(_) => Self { kind, encoding: Encoding::Identity, body: text.into(), tag },
        }
    }

    /// The body, or 304 if the client has it.
    fn give(&self, head: &Parts) -> Response<Body> {
        let mut response = self.whole();
        if has_current(&head.headers, &self.tag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.body_mut() = Body::empty();
            response.headers_mut().remove(CONTENT_ENCODING);
        }
        response
    }

    fn whole(&self) -> Response<Body> {
        let mut response = Response::new(Body::from(self.body.clone()));
        let headers = response.headers_mut();
        fdna_http::set_common_headers(headers, request_id());
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.kind));
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("max-age=60"));
        headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
        if let Ok(tag) = HeaderValue::from_str(&self.tag) {
            headers.insert(ETAG, tag);
        }
        if let Some(encoding) = self.encoding.header() {
            headers.insert(CONTENT_ENCODING, encoding);
        }
        response
    }
}
