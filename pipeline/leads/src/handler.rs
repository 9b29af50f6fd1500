//! One request: its form, its address's and its key's limits, its operation.

use std::collections::BTreeMap;
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
use hyper::header::{
    CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_MATCH, LOCATION, TRANSFER_ENCODING,
};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::fields::{FieldRules, MAX_METADATA};
use crate::json_body;
use crate::key_ring::{KeyHolder, KeyRing};
use crate::lead::{NewLead, PatchProblem, StoredLead};
use crate::openapi::{self, DocumentPages};
use crate::operation::{Operation, RequestedOperation, TABLE_FILE, no_lead};
use crate::properties::{self, PropertyShelf, ServedProperties};
use crate::query;
use crate::refusal::{Code, LEADS_API, Refusal, json_response};
use crate::store::{
    Action, Author, Change, ChangePage, Creation, Erasure, IdempotentRequest, LeadQuery, LeadStore, MadeLead,
    StoreError,
};
use crate::streams::{self, ChangeStreams, StreamReader};
use crate::tables::{self, NamedSnapshot, TableSource};

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
            Some(Operation::Docs) => return Ok(openapi::page_response(&self.pages, id)),
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
            _ => {
                query::refuse_parameters(uri.query())?;
                match operation {
                    Operation::ValuateProperty => self.valuate_property(headers, body, by, id).await,
                    Operation::CreateLead => self.create_lead(headers, body, key, by, id).await,
                    Operation::CreateLeads => self.create_leads(headers, body, key, by, id).await,
                    Operation::GetLead => self.get_lead(lead, &by, id).await,
                    Operation::ChangeLead => self.change_lead(lead, headers, body, by, id).await,
                    Operation::DeleteLead => self.delete_lead(lead, headers, by, id).await,
                    Operation::ListTables | Operation::DownloadTable => {
                        self.send_tables(&head, &by, id).await
                    }
                    // All others are answered before any key is looked for.
                    _ => Ok(ok_response(&properties::validity_report(&*self.served_properties()?), id)),
                }
            }
        }
    }

    async fn list_leads(&self, query: Option<&str>, by: Author, id: Uuid) -> Result<Response<Body>, Refusal> {
        let query = query::parse_lead_query(query, &self.rules)?;
        let query = LeadQuery { account: by.account.clone(), ..query };
        let page = self.in_time(self.store.list_leads(&query)).await?;
        let action = if query.is_search() { Action::Searched } else { Action::Listed };
        self.in_time(self.store.note_list(action, page.leads.len(), &by)).await?;
        let meta = json!({"total": page.total, "limit": query.limit, "offset": query.offset});
        Ok(ok_response(&json!({"data": page.leads, "meta": meta}), id))
    }

    async fn list_changes(
        &self,
        query: Option<&str>,
        key: &KeyHolder,
        id: Uuid,
    ) -> Result<Response<Body>, Refusal> {
        let (after, limit) = query::parse_change_query(query)?;
        self.in_time(self.store.number_changes()).await?;
        let page = self.in_time(self.store.list_changes(&key.account, after.unwrap_or(0), limit)).await?;
        if let Some(after) = after {
            check_position(after, &page)?;
        }
        let is_whole = page.changes.len() < limit as usize;
        let next = page.changes.last().filter(|_| !is_whole).map_or(page.last, |last| last.seq);
        let changes: Vec<Value> =
            page.changes.iter().map(|change| streams::change_record(change, &key.account)).collect();
        let meta = json!({"next": next, "last": page.last, "has_more": next < page.last, "limit": limit});
        Ok(ok_response(&json!({"data": changes, "meta": meta}), id))
    }

    /// A stream behind the change that the header or else the query names.
    async fn stream_changes(
        &self,
        head: &Parts,
        key: &Arc<KeyHolder>,
        id: Uuid,
    ) -> Result<Response<Body>, Refusal> {
        let in_query = query::parse_stream_query(head.uri.query())?;
        let last = match head.headers.get(LAST_EVENT_ID).map(|last| last.to_str().unwrap_or("?")) {
            Some(last) if !last.is_empty() => Some(query::parse_seq("Last-Event-ID", last)?),
            _ => in_query,
        };
        self.in_time(self.store.number_changes()).await?;
        let newest = self.in_time(self.store.list_changes(&key.account, i64::MAX, 1)).await?.last;
        let (keys, own, clock) = (Arc::clone(&self.keys), Arc::clone(key), self.clock.clone());
        let reader = StreamReader {
            store: self.store.clone(),
            account: Arc::clone(&key.account),
            may_read: Box::new(move || keys.load().has_key(&own, clock.now())),
        };
        streams::open_stream(&self.streams, reader, last, newest, id)
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

    async fn get_lead(&self, lead: Uuid, by: &Author, id: Uuid) -> Result<Response<Body>, Refusal> {
        let found = self.in_time(self.store.get_lead(lead, by.account.as_deref())).await?;
        let found = found.ok_or_else(no_lead)?;
        self.in_time(self.store.note_read(lead, by)).await?;
        Ok(lead_response(StatusCode::OK, &found, id))
    }

    async fn change_lead(
        &self,
        lead: Uuid,
        headers: &HeaderMap,
        body: Body,
        by: Author,
        id: Uuid,
    ) -> Result<Response<Body>, Refusal> {
        let expected = expected_version(headers)?;
        let body = read_body(headers, body, true, MAX_BODY).await?;
        let patch = self.rules.parse_patch(json_body::parse_object(&body)?)?;
        let by = by.writing(self.store.begin_write(&self.clock, 1));
        match self.in_time(self.store.change_lead(lead, expected, patch, by)).await? {
            Change::Changed(after) => Ok(lead_response(StatusCode::OK, &after, id)),
            Change::Unknown => Err(no_lead()),
            Change::OtherVersion(version) => Err(other_version(version)),
            Change::Refused(problem) => Err(refuse_patch(problem)),
        }
    }

    async fn delete_lead(
        &self,
        lead: Uuid,
        headers: &HeaderMap,
        by: Author,
        id: Uuid,
    ) -> Result<Response<Body>, Refusal> {
        match self.in_time(self.store.erase_lead(lead, expected_version(headers)?, by)).await? {
            Erasure::Erased => Ok(empty_response(id)),
            Erasure::Unknown => Err(no_lead()),
            Erasure::OtherVersion(version) => Err(other_version(version)),
        }
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

    async fn create_lead(
        &self,
        headers: &HeaderMap,
        body: Body,
        key: &KeyHolder,
        by: Author,
        id: Uuid,
    ) -> Result<Response<Body>, Refusal> {
        let body = read_body(headers, body, false, MAX_BODY).await?;
        let request = idempotent_request(headers, &body, &by)?;
        let new = self.rules.new_lead(json_body::parse_object(&body)?)?;
        let (made, is_replay) = self.make_leads(vec![new], request, key, by).await?;
        let not_made = || Refusal::new(Code::Internal, "The lead was not made");
        let MadeLead { stored, duplicates } = made.into_iter().next().ok_or_else(not_made)?;
        let mut body = json!({ "data": stored.lead });
        if may_be_told(key) {
            body["duplicates"] = id_list(&duplicates);
        }
        let mut response = json_response(StatusCode::CREATED, body.to_string(), id);
        let headers = response.headers_mut();
        headers.insert(ETAG, etag_of(stored.version));
        let location = HeaderValue::try_from(format!("/v1/leads/{}", stored.lead.id));
        headers.extend(location.map(|location| (LOCATION, location)));
        mark_replay(headers, is_replay);
        Ok(response)
    }

    /// Makes all leads of a body that can be made, and says of each what became of it.
    async fn create_leads(
        &self,
        headers: &HeaderMap,
        body: Body,
        key: &KeyHolder,
        by: Author,
        id: Uuid,
    ) -> Result<Response<Body>, Refusal> {
        let body = read_body(headers, body, false, MAX_BATCH_BODY).await?;
        let request = idempotent_request(headers, &body, &by)?;
        let read = self.rules.new_leads(json_body::parse_object(&body)?)?;
        // The request itself is counted.
        let more = u32::try_from(read.len() - 1).unwrap_or(u32::MAX);
        key.requests.count_events(more, self.per_key, by.at);
        let (new, refused): (Vec<_>, Vec<_>) = read.into_iter().enumerate().partition(|(_, new)| new.is_ok());
        let (places, new): (Vec<_>, Vec<_>) =
            new.into_iter().filter_map(|(place, new)| Some((place, new.ok()?))).unzip();
        let (made, is_replay) = self.make_leads(new, request, key, by).await?;
        let made = places.into_iter().zip(made).map(|(place, MadeLead { stored, duplicates })| {
            let mut result = json!({"index": place, "status": 201, "lead": stored.lead});
            if may_be_told(key) {
                result["duplicates"] = id_list(&duplicates);
            }
            (place, result)
        });
        let refused = refused.into_iter().filter_map(|(place, refusal)| {
            let refusal = refusal.err()?;
            let status = refusal.code.status().as_u16();
            Some((place, json!({"index": place, "status": status, "error": refusal.error_record()})))
        });
        let results: BTreeMap<usize, Value> = made.chain(refused).collect();
        let created = results.values().filter(|result| result["status"] == 201).count();
        let meta = json!({"created": created, "refused": results.len() - created});
        let results: Vec<Value> = results.into_values().collect();
        let mut response = ok_response(&json!({"data": results, "meta": meta}), id);
        mark_replay(response.headers_mut(), is_replay);
        Ok(response)
    }

    /// Leads that were made, and whether the same request made them before.
    async fn make_leads(
        &self,
        new: Vec<NewLead>,
        request: Option<IdempotentRequest>,
        key: &KeyHolder,
        by: Author,
    ) -> Result<(Vec<MadeLead>, bool), Refusal> {
        let by = by.writing(self.store.begin_write(&self.clock, new.len()));
        let message = match self.in_time(self.store.create_leads(new, by, request, may_be_told(key))).await? {
            Creation::Created(made) => return Ok((made, false)),
            Creation::Repeated(made) => return Ok((made, true)),
            Creation::OtherBody => "This Idempotency-Key was sent with another body in the last 24 hours",
            Creation::Erased => "What this Idempotency-Key made was erased; use another for a new lead",
        };
        Err(Refusal::new(Code::IdempotencyConflict, message))
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

fn id_list(ids: &[Uuid]) -> Value {
    ids.iter().map(Uuid::to_string).collect()
}

fn mark_replay(headers: &mut HeaderMap, is_replay: bool) {
    if is_replay {
        headers.insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    }
}

/// Whether changes behind a number can be listed.
fn check_position(after: i64, page: &ChangePage) -> Result<(), Refusal> {
    if after > page.last {
        return Err(query::wrong_parameter(
            "after",
            &format!("is behind the newest change, which is {}", page.last),
        ));
    }
    if after < page.forgotten {
        let message = format!(
            "Changes up to {} are not kept any more: read the leads, and go on after {}",
            page.forgotten, page.last
        );
        return Err(Refusal::new(Code::ChangesNotKept, message));
    }
    Ok(())
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

fn idempotent_request(
    headers: &HeaderMap,
    body: &Bytes,
    by: &Author,
) -> Result<Option<IdempotentRequest>, Refusal> {
    let mut keys = headers.get_all(IDEMPOTENCY_KEY).iter();
    let (Some(key), None) = (keys.next(), keys.next()) else {
        return match headers.contains_key(IDEMPOTENCY_KEY) {
            true => Err(Refusal::new(Code::InvalidRequest, "Send one Idempotency-Key")),
            false => Ok(None),
        };
    };
    let is_usable = |key: &HeaderValue| {
        (1..=MAX_IDEMPOTENCY_KEY).contains(&key.len()) && key.as_bytes().iter().all(u8::is_ascii_graphic)
    };
    let Some(key_id) = by.key_id.filter(|_| is_usable(key)) else {
        let message = "An Idempotency-Key has 1 to 255 visible ASCII characters, such as a UUID";
        return Err(Refusal::new(Code::InvalidRequest, message));
    };
    Ok(Some(IdempotentRequest {
        key_id,
        digest: Sha256::digest(key.as_bytes()).into(),
        request: Sha256::digest(body).into(),
        forget_before: by.at - IDEMPOTENCY_TIME,
    }))
}

/// The version of `If-Match`; `None` without it, or for `*`.
fn expected_version(headers: &HeaderMap) -> Result<Option<i64>, Refusal> {
    let mut given = headers.get_all(IF_MATCH).iter();
    let (first, second) = (given.next(), given.next());
    let Some(first) = first else { return Ok(None) };
    if second.is_none() && first.as_bytes() == b"*" {
        return Ok(None);
    }
    let tag = first.to_str().ok().filter(|_| second.is_none());
    let version = tag.and_then(|tag| tag.strip_prefix('"')?.strip_suffix('"')?.parse().ok());
    let version: Option<i64> = version.filter(|version| *version > 0);
    version.map(Some).ok_or_else(|| {
        Refusal::new(Code::PreconditionFailed, "If-Match is no ETag of a lead: send one, as an answer had it")
    })
}

fn other_version(version: i64) -> Refusal {
    let message =
        format!("The lead was changed: its ETag is \"{version}\" now. Read it again before changing it");
    Refusal::new(Code::PreconditionFailed, message)
}

fn refuse_patch(problem: PatchProblem) -> Refusal {
    match problem {
        PatchProblem::NoContact => Refusal::of_field("email", "and `phone` must not both be removed"),
        PatchProblem::TooMuchMetadata => {
            Refusal::of_field("metadata", &format!("must have at most {MAX_METADATA} entries"))
        }
    }
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

fn etag_of(version: i64) -> HeaderValue {
    HeaderValue::try_from(format!("\"{version}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

fn lead_response(status: StatusCode, stored: &StoredLead, id: Uuid) -> Response<Body> {
    let mut response = json_response(status, json!({ "data": stored.lead }).to_string(), id);
    response.headers_mut().insert(ETAG, etag_of(stored.version));
    response
}

fn empty_response(id: Uuid) -> Response<Body> {
    let mut response = json_response(StatusCode::NO_CONTENT, String::new(), id);
    response.headers_mut().remove(CONTENT_TYPE);
    response
}

fn ok_response(body: &Value, id: Uuid) -> Response<Body> {
    json_response(StatusCode::OK, body.to_string(), id)
}

fn status_response(code: StatusCode, name: &str, id: Uuid) -> Response<Body> {
    json_response(code, json!({ "status": name }).to_string(), id)
}
