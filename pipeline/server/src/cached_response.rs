//! A cached response with its encoded body; only the request id differs between responses.

use axum::body::Body;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, LINK, VARY};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};
use chrono::{DateTime, Utc};
use fdna_api::{ErrorCode, Failure, Id, Meta};
use fdna_http::request_id;
use uuid::Uuid;

use crate::respond::{self, CachePolicy};
use fdna_http::{Encoding, Opening};
use fdna_view::Dataset;
use fdna_view::OperationResponse;

/// Headers of a success, with those that hyper adds.
const HEADERS: usize = 11;

/// What time does to an answer: images and articles come and go while a snapshot is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Validity {
    /// Nothing.
    Static,
    /// Nothing ever: what was known of a date, in a snapshot that is named.
    Immutable,
    /// It is the answer while so many of the snapshot's instants have come.
    UntilInstant(usize),
}

/// What an answer was made from, and how long it is one.
#[derive(Debug)]
pub(crate) struct CacheMetadata {
    pub(crate) tag: String,
    pub(crate) snapshot_id: Option<String>,
    pub(crate) validity: Validity,
    /// Address of the next page, as `Link`.
    pub(crate) link: Option<String>,
}

/// An answer that is ready to be sent.
#[derive(Debug)]
pub(crate) struct CachedResponse {
    /// The envelope up to the request's id.
    before: Opening,
    /// The envelope from there on.
    after: Box<[u8]>,
    tag: HeaderValue,
    snapshot_id: Option<HeaderValue>,
    link: Option<HeaderValue>,
    validity: Validity,
}

impl CachedResponse {
    /// Puts the envelope around an answer, for those who accept this encoding.
    pub(crate) fn of(
        answer: &OperationResponse,
        made: CacheMetadata,
        accepted: Encoding,
    ) -> Result<Self, Failure> {
        let meta = Meta::new(Id(Uuid::nil()), answer.plan, &answer.meta);
        let meta = serde_json::to_string(&meta).map_err(|_| fault())?;
        Self::with_meta(&answer.data, &meta, made, accepted)
    }

    /// Puts the envelope around data, with a `meta` whose request id is nil.
    pub(crate) fn with_meta(
        data: &[u8],
        meta: &str,
        made: CacheMetadata,
        accepted: Encoding,
    ) -> Result<Self, Failure> {
        // The id stands before whatever the operation adds.
        let (before, after) = meta.split_once(&Uuid::nil().to_string()).ok_or_else(fault)?;
        let before = [br#"{"ok":true,"data":"#, data, br#","meta":"#, before.as_bytes()].concat();
        let before = Opening::new(accepted, &before).map_err(|_| fault())?;
        let after = [after.as_bytes(), b"}"].concat();
        let header = |text: &str| HeaderValue::from_str(text).map_err(|_| fault());
        let tag = header(&made.tag)?;
        let snapshot_id = made.snapshot_id.as_deref().map(header).transpose()?;
        let link = made.link.as_deref().map(header).transpose()?;
        Ok(Self { before, after: after.into(), tag, snapshot_id, link, validity: made.validity })
    }

    /// Bytes that keeping it takes, about.
    pub(crate) fn len(&self) -> usize {
        self.before.memory_size() + self.after.len()
    }

    /// The answer under a new id, or 304, which has no body, if the client has it.
    pub(crate) fn give(
        &self,
        request_headers: &HeaderMap,
        dataset: Option<&Dataset>,
        now: DateTime<Utc>,
    ) -> Response<Body> {
        let id = request_id();
        let is_known = fdna_http::has_current(request_headers, self.tag.to_str().unwrap_or_default());
        let body = if is_known { Body::empty() } else { Body::from(self.body(id)) };
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
            return response;
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(encoding) = self.before.encoding().header() {
            headers.insert(CONTENT_ENCODING, encoding);
        }
        response
    }

    fn body(&self, id: Uuid) -> Vec<u8> {
        let mut end = Vec::with_capacity(uuid::fmt::Hyphenated::LENGTH + self.after.len());
        end.extend_from_slice(id.hyphenated().encode_lower(&mut Uuid::encode_buffer()).as_bytes());
        end.extend_from_slice(&self.after);
        self.before.append_end(&end)
    }

    fn cache(&self, dataset: Option<&Dataset>, now: DateTime<Utc>) -> CachePolicy {
        match self.validity {
            Validity::Static => CachePolicy::lasting(None),
            Validity::Immutable => CachePolicy::Immutable,
            Validity::UntilInstant(_) => {
                CachePolicy::lasting(dataset.and_then(|dataset| dataset.until_next_change(now)))
            }
        }
    }
}

fn fault() -> Failure {
    Failure::new(ErrorCode::Internal, "answer could not be written")
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use fdna_api::{MetaExtra, Plan};
    use http_body_util::BodyExt as _;

    use super::*;

    fn made() -> CacheMetadata {
        CacheMetadata { tag: "W/\"a\"".to_owned(), snapshot_id: None, validity: Validity::Static, link: None }
    }

    fn of(data: Vec<u8>) -> CachedResponse {
        let meta = MetaExtra::Count { count: 1 };
        let answer = OperationResponse { data, meta, plan: Plan::Pro, digest: None };
        CachedResponse::of(&answer, made(), Encoding::Identity).unwrap()
    }

    /// An answer with so many bytes of data.
    pub(crate) fn finished(bytes: usize) -> Arc<CachedResponse> {
        Arc::new(of(vec![b'x'; bytes]))
    }

    #[tokio::test]
    async fn every_giving_has_an_id_of_its_own_and_the_same_data() {
        let nil = Uuid::nil();
        let data = format!(r#"["{nil}"]"#);
        let finished = of(data.clone().into_bytes());
        let mut ids = Vec::new();
        for _ in 0..2 {
            let (head, body) = finished.give(&HeaderMap::new(), None, DateTime::UNIX_EPOCH).into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let value: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(value["data"].to_string(), data);
            assert_eq!((&value["meta"]["count"], &value["meta"]["access_tier"]), (&1.into(), &"pro".into()));
            assert_eq!(value["meta"]["request_id"], head.headers["x-request-id"].to_str().unwrap());
            ids.push(value["meta"]["request_id"].to_string());
        }
        assert_ne!(ids[0], ids[1]);
    }
}
