//! An answer as it is sent, but for the request's id: made once, given as often as it is asked for.

use axum::body::Bytes;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG, LINK, VARY};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};
use chrono::{DateTime, Utc};
use fdna_api::{ErrorCode, Failure, Id, Meta};
use fdna_http::{Segments, Slot, request_id};
use uuid::Uuid;

use crate::Dataset;
use crate::respond::{self, Answer, CachePolicy};
use crate::swap::Served;

/// Headers of a success, with those that hyper adds.
const HEADERS: usize = 10;

/// What time does to an answer: images and articles come and go while a snapshot is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Time {
    /// Nothing.
    Nothing,
    /// Nothing ever: what was known of a date, in a snapshot that is named.
    NothingEver,
    /// It is the answer while so many of the snapshot's instants have come.
    Come(usize),
}

/// What an answer was made from, and how long it is one.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) tag: String,
    pub(crate) snapshot_id: Option<String>,
    /// Head of the ledger, of what is made from it.
    pub(crate) ledger: Option<String>,
    pub(crate) time: Time,
    /// Address of the next page, as `Link`.
    pub(crate) link: Option<String>,
    /// The operation's place in the list.
    pub(crate) slot: Slot,
}

/// An answer that is ready to be sent.
#[derive(Debug)]
pub(crate) struct Finished {
    /// The envelope up to the request's id.
    before: Bytes,
    /// The envelope from there on.
    after: Box<[u8]>,
    tag: HeaderValue,
    snapshot_id: Option<HeaderValue>,
    link: Option<HeaderValue>,
    ledger: Option<String>,
    time: Time,
    slot: Slot,
}

impl Finished {
    /// Puts the envelope around an answer.
    pub(crate) fn of(answer: &Answer, made: Made) -> Result<Self, Failure> {
        let fault = || Failure::new(ErrorCode::Internal, "answer could not be written");
        let meta = Meta::new(Id(Uuid::nil()), answer.plan, &answer.meta);
        let meta = serde_json::to_string(&meta).map_err(|_| fault())?;
        // The id stands before whatever the operation adds.
        let (before, after) = meta.split_once(&Uuid::nil().to_string()).ok_or_else(fault)?;
        let before = [br#"{"ok":true,"data":"#, &*answer.data, br#","meta":"#, before.as_bytes()].concat();
        let after = [after.as_bytes(), b"}"].concat();
        let header = |text: &str| HeaderValue::from_str(text).map_err(|_| fault());
        let tag = header(&made.tag)?;
        let snapshot_id = made.snapshot_id.as_deref().map(header).transpose()?;
        let link = made.link.as_deref().map(header).transpose()?;
        let Made { ledger, time, slot, .. } = made;
        Ok(Self { before: before.into(), after: after.into(), tag, snapshot_id, link, ledger, time, slot })
    }

    /// Bytes that keeping it takes, about.
    pub(crate) fn len(&self) -> usize {
        self.before.len() + self.after.len()
    }

    /// Place of the operation that it answers.
    pub(crate) fn slot(&self) -> Slot {
        self.slot
    }

    /// Whether it is what this snapshot, from which it was made, and the ledger answer now.
    pub(crate) fn holds(&self, dataset: &Dataset, served: &Served, now: DateTime<Utc>) -> bool {
        let is_of_now = match self.time {
            Time::Nothing | Time::NothingEver => true,
            Time::Come(come) => dataset.moments_come(now) == come,
        };
        let is_of_ledger = |head: &str| served.ledger().is_some_and(|ledger| ledger.head() == head);
        is_of_now && self.ledger.as_deref().is_none_or(is_of_ledger)
    }

    /// The answer under a new id, or 304, which has no body, if the client has it.
    pub(crate) fn give(
        &self,
        asked: &HeaderMap,
        dataset: Option<&Dataset>,
        now: DateTime<Utc>,
    ) -> Response<Option<Segments>> {
        let id = request_id();
        let is_known = respond::is_known(asked, self.tag.to_str().unwrap_or_default());
        let body = if is_known { None } else { Some(self.body(id)) };
        let length = body.as_ref().map_or(0, Segments::len);
        let mut response = Response::new(body);
        let headers = response.headers_mut();
        headers.reserve(HEADERS);
        respond::common(headers, id, self.snapshot_id.as_ref(), self.cache(dataset, now));
        headers.insert(ETAG, self.tag.clone());
        headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
        if let Some(link) = &self.link {
            headers.insert(LINK, link.clone());
        }
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            headers.insert(CONTENT_LENGTH, length.into());
        }
        response
    }

    fn body(&self, id: Uuid) -> Segments {
        let mut rest = Vec::with_capacity(uuid::fmt::Hyphenated::LENGTH + self.after.len());
        rest.extend_from_slice(id.hyphenated().encode_lower(&mut Uuid::encode_buffer()).as_bytes());
        rest.extend_from_slice(&self.after);
        Segments::new(self.before.clone(), rest.into())
    }

    fn cache(&self, dataset: Option<&Dataset>, now: DateTime<Utc>) -> CachePolicy {
        match self.time {
            Time::Nothing => CachePolicy::lasting(None),
            Time::NothingEver => CachePolicy::Immutable,
            Time::Come(_) => CachePolicy::lasting(dataset.and_then(|dataset| dataset.unchanged_for(now))),
        }
    }
}

#[cfg(test)]
mod tests {
    use fdna_api::{MetaExtra, Plan};

    use super::*;

    #[test]
    fn every_giving_has_an_id_of_its_own_and_the_same_data() {
        let nil = Uuid::nil();
        let data = format!(r#"["{nil}"]"#);
        let answer = Answer {
            data: data.clone().into_bytes(),
            meta: MetaExtra::Count { count: 1 },
            plan: Plan::Pro,
            digest: None,
        };
        let made = Made {
            tag: "W/\"a\"".to_owned(),
            snapshot_id: None,
            ledger: None,
            time: Time::Nothing,
            link: None,
            slot: Slot(0),
        };
        let finished = Finished::of(&answer, made).unwrap();
        let mut ids = Vec::new();
        for _ in 0..2 {
            let (head, body) = finished.give(&HeaderMap::new(), None, DateTime::UNIX_EPOCH).into_parts();
            let value: serde_json::Value = serde_json::from_slice(&body.unwrap().whole()).unwrap();
            assert_eq!(value["data"].to_string(), data);
            assert_eq!((&value["meta"]["count"], &value["meta"]["access_tier"]), (&1.into(), &"pro".into()));
            assert_eq!(value["meta"]["request_id"], head.headers["x-request-id"].to_str().unwrap());
            ids.push(value["meta"]["request_id"].to_string());
        }
        assert_ne!(ids[0], ids[1]);
    }
}
