//! One request: its form, its address's and its key's limits, its operation.

mod lead_operations;

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption};
use axum_core::body::Body;
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use fdna_api::path_ids;
use fdna_gateway::address_limiter::{AddressLimiter, LimitExceeded};
use fdna_gateway::reject_key_in_url;
use fdna_gateway::scope::{KeyScope, KeyScopes};
use fdna_http::{Clock, OperationSlot, PeerAddress, X_API_VERSION, guard, request_id, without_body};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::fields::FieldRules;
use crate::json_body;
use crate::key_ring::{KeyHolder, KeyRing};
use crate::openapi::{self, DocumentPages};
use crate::operation::{Operation, RequestedOperation, TABLE_FILE};
use crate::properties::{self, PropertyShelf, ServedProperties};
use crate::query;
use crate::refusal::{Code, LEADS_API, Refusal, json_response};
use crate::store::{Author, LeadStore, StoreError};
use crate::streams::ChangeStreams;
use crate::tables::{self, NamedSnapshot, TableSource};
use crate::validity_page;

/// A store that could not be written is not tried again before this time.
const UNREADY_TIME: Duration = Duration::from_secs(1);

/// The store must have answered a request within this time.
const STORE_TIMEOUT: Duration = Duration::from_secs(8);

/// Bytes of a body, at most.
const MAX_BODY: usize = 64 * 1024;

/// Bytes of a body with several leads.
const MAX_BATCH_BODY: usize = 1024 * 1024;

/// Bytes of a file that count as a request.
const COUNTED_BYTES: usize = 1_000_000;

/// A body must have come within this time.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an `Idempotency-Key` is remembered.
pub(crate) const IDEMPOTENCY_TIME: TimeDelta = TimeDelta::hours(24);

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Characters of an `Idempotency-Key`.
const MAX_IDEMPOTENCY_KEY: usize = 255;

/// Parts that handle requests.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) store: LeadStore,
    pub(crate) keys: Arc<ArcSwap<KeyRing>>,
    pub(crate) rules: FieldRules,
    pub(crate) pages: DocumentPages,
    pub(crate) clock: Clock,
    /// Properties that are listed and valued.
    pub(crate) properties: Option<PropertyShelf>,
    /// Their tables.
    pub(crate) tables: Option<Arc<dyn TableSource>>,
    /// Requests of one address in a minute.
    pub(crate) addresses: AddressLimiter,
    /// Requests of one key in a minute; 0 for any number.
    pub(crate) per_key: u32,
    pub(crate) streams: Arc<ChangeStreams>,
    /// When the store last could not be written, and why.
    pub(crate) unready: tokio::sync::Mutex<Option<(Instant, String)>>,
    /// Why the store of keys cannot be read.
    pub(crate) keys_problem: Arc<ArcSwapOption<String>>,
}

impl Handler {
    pub(crate) async fn respond(&self, request: Request<Body>) -> Response<Body> {
        let id = request_id();
        let method = request.method().clone();
        let requested = RequestedOperation::find_operation(&method, request.uri().path());
        let slot = requested.as_ref().ok().map(|requested| requested.slot);
        let mut holder = None;
        let answer = self.handle_request(request, requested, id, &mut holder).await;
        let mut response = without_body(&method, answer.unwrap_or_else(|refusal| refusal.respond(id)));
        let extensions = response.extensions_mut();
        slot.map(|slot| extensions.insert(OperationSlot(slot)));
        holder.map(|holder: Arc<KeyHolder>| extensions.insert(Arc::clone(&holder.caller)));
        response
    }

    async fn handle_request(
        &self,
        request: Request<Body>,
        requested: Result<RequestedOperation, Refusal>,
        id: Uuid,
        holder: &mut Option<Arc<KeyHolder>>,
    ) -> Result<Response<Body>, Refusal> {
        let now = self.clock.now();
        check_form(&request)?;
        let operation = requested.as_ref().ok().map(|requested| requested.operation);
        match operation {
            Some(Operation::Health) => return Ok(status_response(StatusCode::OK, "ok", id)),
            Some(Operation::Readiness) => return Ok(self.respond_ready(now, id).await),
            _ => {}
        }
        let peer = request.extensions().get::<PeerAddress>();
        let exceeded = peer.and_then(|peer| self.addresses.count_event(peer.0.ip(), now));
        exceeded.map_or(Ok(()), |exceeded| Err(too_many("of this address", exceeded)))?;
        match operation {
            Some(Operation::Docs) => return Ok(openapi::page_response(self.pages.html.clone(), id)),
            Some(Operation::ValidityPage) => {
                let page = validity_page::render_validity(&*self.served_properties()?);
                return Ok(openapi::page_response(page, id));
            }
            Some(Operation::Document) => {
                return Ok(json_response(StatusCode::OK, self.pages.json.clone(), id));
            }
            _ => {}
        }
        // Who has no key is not told which paths there are.
        let key = holder.insert(self.keys.load().authenticate(request.headers(), now)?);
        let exceeded = (self.per_key > 0).then(|| key.requests.count_event(self.per_key, now)).flatten();
        exceeded.map_or(Ok(()), |exceeded| Err(too_many("of this key", exceeded)))?;
        let by = Author::by_key(key.key_id, Arc::clone(&key.account), now).in_request(id);
        let requested = requested?;
        if let Some(scope) = requested.scope.filter(|scope| !key.scopes.has(*scope)) {
            return Err(out_of_scope(scope, &key.scopes));
        }
        let is_file = matches!(requested.operation, Operation::DownloadTable);
        let answer = self.answer_operation(request, requested, key, by, id).await?;
        Ok(if is_file { self.count_bytes(answer, key) } else { answer })
    }

    /// Counts each megabyte of a file as a request of its key, while it is sent.
    fn count_bytes(&self, file: Response<Body>, key: &KeyHolder) -> Response<Body> {
        let (requests, clock, limit) = (Arc::clone(&key.requests), self.clock.clone(), self.per_key);
        let mut sent = 0;
        file.map(|body| {
            Body::new(body.map_frame(move |frame| {
                let before = sent / COUNTED_BYTES;
                sent += frame.data_ref().map_or(0, Bytes::len);
                let more = u32::try_from(sent / COUNTED_BYTES - before).unwrap_or(u32::MAX);
                requests.count_events(more, limit, clock.now());
                frame
            }))
        })
    }

    async fn answer_operation(
        &self,
        request: Request<Body>,
        RequestedOperation { operation, lead, .. }: RequestedOperation,
        key: &Arc<KeyHolder>,
        by: Author,
        id: Uuid,
    ) -> Result<Response<Body>, Refusal> {
        let (head, body) = request.into_parts();
        let Parts { headers, uri, .. } = &head;
        match operation {
            Operation::ListLeads => self.list_leads(uri.query(), by, id).await,
            Operation::ListChanges => self.list_changes(uri.query(), key, id).await,
            Operation::StreamChanges => self.stream_changes(&head, key, id).await,
            Operation::ListProperties => {
                let query = query::parse_property_query(uri.query())?;
                Ok(ok_response(&properties::list_properties(&*self.served_properties()?, &query), id))
            }
            Operation::PropertyValidity => {
                let query = query::parse_validity_query(uri.query())?;
                Ok(ok_response(&properties::validity_report(&*self.served_properties()?, &query), id))
            }
            _ => {
                query::refuse_parameters(uri.query())?;
                match operation {
                    Operation::ValuateProperty => self.valuate_property(headers, body, by, id).await,
                    Operation::CreateLead => self.create_lead(headers, body, key, by, id).await,
                    Operation::CreateLeads => self.create_leads(headers, body, key, by, id).await,
                    Operation::GetLead => self.get_lead(lead, &by, id).await,
                    Operation::ChangeLead => self.change_lead(lead, headers, body, by, id).await,
                    Operation::DeleteLead => self.delete_lead(lead, headers, by, id).await,
                    // All others are answered before any key is looked for.
                    _ => self.send_tables(&head, &by, id).await,
                }
            }
        }
    }

    async fn valuate_property(
        &self,
        headers: &HeaderMap,
        body: Body,
        by: Author,
        id: Uuid,
    ) -> Result<Response<Body>, Refusal> {
        let body = read_body(headers, body, false, MAX_BODY).await?;
        let request = properties::parse_request(json_body::parse_object(&body)?)?;
        let (served, today) = (self.served_properties()?, by.at.date_naive());
        // The first value of a month fits its market, which takes a while.
        let valued =
            tokio::task::spawn_blocking(move || properties::valuate_property(&served, &request, today));
        let failed = |_| Refusal::new(Code::Internal, "The value cannot be computed");
        Ok(ok_response(&valued.await.map_err(failed)??, id))
    }

    /// The tables of a snapshot, or the file of one.
    async fn send_tables(&self, head: &Parts, by: &Author, id: Uuid) -> Result<Response<Body>, Refusal> {
        let served_id = || Ok(self.served_properties()?.snapshot_id.clone());
        let mut ids = path_ids(TABLE_FILE, head.uri.path())?.into_iter();
        let snapshot = NamedSnapshot::from_segment(ids.next().unwrap_or_default(), served_id)?;
        let tables = self.tables.as_ref().ok_or_else(no_lake)?;
        match ids.next() {
            None => tables::list_tables(tables, &snapshot, id).await,
            Some(file) => {
                let client = by.account.as_deref().unwrap_or_default();
                let mut sent = tables.send_file(&snapshot, &file, client, head).await?;
                sent.headers_mut().insert(X_API_VERSION, HeaderValue::from_static(LEADS_API.version));
                Ok(sent)
            }
        }
    }

    /// The properties that are served now.
    fn served_properties(&self) -> Result<Arc<ServedProperties>, Refusal> {
        let none = "No properties can be served until their lake is whole";
        let shelf = self.properties.as_ref().ok_or_else(no_lake)?;
        shelf.load_full().ok_or_else(|| Refusal::new(Code::PropertiesNotAvailable, none))
    }

    /// The result of a call to the store within the request's deadline.
    async fn in_time<T>(&self, call: impl Future<Output = Result<T, StoreError>>) -> Result<T, Refusal> {
        let answered = tokio::time::timeout(STORE_TIMEOUT, call).await;
        answered
            .unwrap_or_else(|late| Err(self.store.call_failed("answer", &late.into())))
            .map_err(unavailable_store)
    }

    async fn respond_ready(&self, now: DateTime<Utc>, id: Uuid) -> Response<Body> {
        match self.store_problems(now).await {
            (None, None) => status_response(StatusCode::OK, "ready", id),
            _ => status_response(StatusCode::SERVICE_UNAVAILABLE, "unready", id),
        }
    }

    /// The same for operators, who are told why.
    pub(crate) async fn readiness_details(&self, id: Uuid) -> Response<Body> {
        let (store, keys) = self.store_problems(self.clock.now()).await;
        let (code, status) = match (&store, &keys) {
            (None, None) => (StatusCode::OK, "ready"),
            _ => (StatusCode::SERVICE_UNAVAILABLE, "unready"),
        };
        let properties = self.properties.as_ref().and_then(|shelf| shelf.load_full());
        let properties = properties.map(|served| served.snapshot_id.clone());
        let body = json!({
            "status": status, "store_problem": store, "keys_problem": keys.as_deref(), "properties_snapshot_id": properties
        });
        json_response(code, body.to_string(), id)
    }

    /// Why leads, and why keys, cannot be served. One request at a time tries whether the store can be written, and not
    /// sooner than it can have changed.
    async fn store_problems(&self, now: DateTime<Utc>) -> (Option<String>, Option<Arc<String>>) {
        let mut unready = self.unready.lock().await;
        if unready.as_ref().is_none_or(|(since, _)| since.elapsed() >= UNREADY_TIME) {
            let tried = self.store.probe_store(now).await;
            *unready = tried.err().map(|error| (Instant::now(), error.to_string()));
        }
        (unready.as_ref().map(|(_, problem)| problem.clone()), self.keys_problem.load_full())
    }
}

fn no_lake() -> Refusal {
    let message = "No properties are served here: the server has no lake of them";
    Refusal::new(Code::PropertiesNotAvailable, message)
}

/// The house's rules of form, with those of requests that bring a body.
fn check_form<B>(request: &Request<B>) -> Result<(), Refusal> {
    let brings_body =
        matches!(*request.method(), Method::POST | Method::PATCH | Method::PUT | Method::DELETE);
    if brings_body && request.headers().contains_key(TRANSFER_ENCODING) {
        let message = "Send the body whole, with Content-Length and without Transfer-Encoding";
        return Err(Refusal::new(Code::InvalidRequest, message));
    }
    guard::check_request(request)?;
    Ok(reject_key_in_url(request.uri().path(), request.uri().query())?)
}

/// Who only makes leads learns nothing of others.
fn may_be_told(key: &KeyHolder) -> bool {
    key.scopes.has(KeyScope::Read)
}

/// The body of a request.
async fn read_body(headers: &HeaderMap, body: Body, is_patch: bool, max: usize) -> Result<Bytes, Refusal> {
    let kinds: Vec<&HeaderValue> = headers.get_all(CONTENT_TYPE).iter().collect();
    let is_json = matches!(kinds.as_slice(), [kind] if is_json(kind, is_patch));
    if !is_json || headers.contains_key(hyper::header::CONTENT_ENCODING) {
        let message = "Send the body as `Content-Type: application/json`, in UTF-8 and without encoding";
        return Err(Refusal::new(Code::UnsupportedMediaType, message));
    }
    match tokio::time::timeout(BODY_TIMEOUT, Limited::new(body, max).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err(Refusal::new(Code::BodyTooLarge, format!("The body may take {max} bytes")))
        }
        Ok(Err(_)) => Err(Refusal::new(Code::InvalidBody, "The body broke off")),
        Err(_) => Err(Refusal::new(Code::RequestTimeout, "The body did not come within 10 seconds")),
    }
}

/// `application/json`, perhaps with its charset; of a patch also the name of its own.
fn is_json(kind: &HeaderValue, is_patch: bool) -> bool {
    let Ok(kind) = kind.to_str() else { return false };
    let (name, parameters) = kind.split_once(';').unwrap_or((kind, ""));
    let name = name.trim();
    let parameters = parameters.trim();
    (name.eq_ignore_ascii_case("application/json")
        || is_patch && name.eq_ignore_ascii_case("application/merge-patch+json"))
        && (parameters.is_empty() || parameters.replace('"', "").eq_ignore_ascii_case("charset=utf-8"))
}

fn out_of_scope(scope: KeyScope, own: &KeyScopes) -> Refusal {
    let code = match scope {
        KeyScope::Create => Code::CreateScopeRequired,
        KeyScope::Read => Code::ReadScopeRequired,
        KeyScope::Write => Code::WriteScopeRequired,
        KeyScope::Erase => Code::EraseScopeRequired,
    };
    let (missing, own) = (scope.name(), own.names().join(", "));
    Refusal::new(code, format!("The scope `{missing}` is not one of this key's, which are: {own}"))
}

fn too_many(whose: &str, exceeded: LimitExceeded) -> Refusal {
    let LimitExceeded { limit, retry_after } = exceeded;
    let message = format!("The requests {whose} are used up in this minute: there are {limit}");
    Refusal { retry_after: Some(retry_after), ..Refusal::new(Code::RateLimited, message) }
}

/// Refuses a request whose store failed; the log gets no data of a lead.
fn unavailable_store(error: StoreError) -> Refusal {
    tracing::error!(error = &error as &dyn std::error::Error, "the store of leads failed");
    Refusal::new(Code::StoreNotAvailable, "The store of leads does not answer; please retry")
}

fn ok_response(body: &Value, id: Uuid) -> Response<Body> {
    json_response(StatusCode::OK, body.to_string(), id)
}

fn status_response(code: StatusCode, name: &str, id: Uuid) -> Response<Body> {
    json_response(code, json!({ "status": name }).to_string(), id)
}
