//! Operations of leads, for a request whose key may ask them.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum_core::body::Body;
use bytes::Bytes;
use hyper::header::{CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_MATCH, LOCATION};
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{
    Handler, IDEMPOTENCY_KEY, IDEMPOTENCY_REPLAYED, IDEMPOTENCY_TIME, LAST_EVENT_ID, MAX_BATCH_BODY,
    MAX_BODY, MAX_IDEMPOTENCY_KEY, may_be_told, ok_response, read_body,
};
use crate::fields::MAX_METADATA;
use crate::json_body;
use crate::key_ring::KeyHolder;
use crate::lead::{NewLead, PatchProblem, StoredLead};
use crate::operation::no_lead;
use crate::query;
use crate::refusal::{Code, Refusal, json_response};
use crate::store::changes::ChangePage;
use crate::store::events::Action;
use crate::store::list::LeadQuery;
use crate::store::{Author, Change, Creation, Erasure, IdempotentRequest, MadeLead};
use crate::streams::{self, StreamReader};

impl Handler {
    pub(super) async fn list_leads(
        &self,
        query: Option<&str>,
        by: Author,
        id: Uuid,
    ) -> Result<Response<Body>, Refusal> {
        let query = query::parse_lead_query(query, &self.rules)?;
        let query = LeadQuery { account: by.account.clone(), ..query };
        let page = self.in_time(self.store.list_leads(&query)).await?;
        let action = if query.is_search() { Action::Searched } else { Action::Listed };
        self.in_time(self.store.note_list(action, page.leads.len(), &by)).await?;
        let meta = json!({"total": page.total, "limit": query.limit, "offset": query.offset});
        Ok(ok_response(&json!({"data": page.leads, "meta": meta}), id))
    }

    pub(super) async fn list_changes(
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
    pub(super) async fn stream_changes(
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

    pub(super) async fn get_lead(
        &self,
        lead: Uuid,
        by: &Author,
        id: Uuid,
    ) -> Result<Response<Body>, Refusal> {
        let found = self.in_time(self.store.get_lead(lead, by.account.as_deref())).await?;
        let found = found.ok_or_else(no_lead)?;
        self.in_time(self.store.note_read(lead, by)).await?;
        Ok(lead_response(StatusCode::OK, &found, id))
    }

    pub(super) async fn change_lead(
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
        let by = by.at_write(self.store.begin_write(&self.clock, 1));
        match self.in_time(self.store.change_lead(lead, expected, patch, by)).await? {
            Change::Changed(after) => Ok(lead_response(StatusCode::OK, &after, id)),
            Change::Unknown => Err(no_lead()),
            Change::OtherVersion(version) => Err(other_version(version)),
            Change::Refused(problem) => Err(refuse_patch(problem)),
        }
    }

    pub(super) async fn delete_lead(
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

    pub(super) async fn create_lead(
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
    pub(super) async fn create_leads(
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
    pub(super) async fn make_leads(
        &self,
        new: Vec<NewLead>,
        request: Option<IdempotentRequest>,
        key: &KeyHolder,
        by: Author,
    ) -> Result<(Vec<MadeLead>, bool), Refusal> {
        let by = by.at_write(self.store.begin_write(&self.clock, new.len()));
        let message = match self.in_time(self.store.create_leads(new, by, request, may_be_told(key))).await? {
            Creation::Created(made) => return Ok((made, false)),
            Creation::Repeated(made) => return Ok((made, true)),
            Creation::OtherBody => "This Idempotency-Key was sent with another body in the last 24 hours",
            Creation::Erased => "What this Idempotency-Key made was erased; use another for a new lead",
        };
        Err(Refusal::new(Code::IdempotencyConflict, message))
    }
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
