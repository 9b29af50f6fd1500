//! `/openapi.json`, and `/docs`, which shows it: both outside the contract's envelope, the same for every snapshot.

use std::sync::{LazyLock, OnceLock};

use axum::body::{Body, Bytes};
use axum::http::Response;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, REFERRER_POLICY};
use axum::http::request::Parts;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use fdna_api::{Failure, docs as page, invalid};
use sha2::{Digest as _, Sha256};

use crate::respond;
use fdna_http::{Encoding, Opening};

/// The checked-in document, which a test holds against the code.
const DOCUMENT: &[u8] = include_bytes!("../../../schemas/openapi.json");

/// The OpenAPI document as it is served.
#[must_use]
pub fn openapi_document() -> &'static [u8] {
    DOCUMENT
}

pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// The page loads nothing, runs nothing but its own script and can be framed by nobody; its style is in itself.
fn policy() -> HeaderValue {
    let digest = BASE64.encode(Sha256::digest(page::SCRIPT));
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// A body that is the same until the program changes, and its validator.
pub(crate) struct Fixed {
    content_type: HeaderValue,
    body: Bytes,
    /// By the encoding's place.
    encoded: [OnceLock<Bytes>; Encoding::ALL.len()],
    tag: String,
}

impl Fixed {
    pub(crate) fn new(content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let tag = respond::etag(&[&fdna_view::operations::digest(&body)]);
        Self { content_type: HeaderValue::from_static(content_type), body, encoded: Default::default(), tag }
    }

    /// The body, compressed when it is first asked for; it is far above what is not worth it.
    fn encoded(&self, encoding: Encoding) -> Bytes {
        let opening = || Opening::new(encoding, &self.body).map(|opening| opening.append_end(&[]).into());
        let encoded = self.encoded[encoding.index()].get_or_init(|| opening().unwrap_or_default());
        encoded.clone()
    }

    /// The body, or 304 if the client has it. It takes no parameter, and refuses any as operations do.
    pub(crate) fn answer(&self, head: &Parts) -> Response<Body> {
        match head.uri.query().filter(|query| !query.is_empty()) {
            Some(query) => respond::failure(&unknown(query), None),
            None => {
                let body = |encoding| self.encoded(encoding);
                respond::fixed(body, self.content_type.clone(), &self.tag, &head.headers)
            }
        }
    }
}

impl Fixed {
    /// The answer, told not to load or run anything.
    pub(crate) fn page(&self, head: &Parts) -> Response<Body> {
        let mut response = self.answer(head);
        if response.headers().get(CONTENT_TYPE) == Some(&self.content_type) {
            response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy());
            response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        }
        response
    }
}

/// The OpenAPI document.
pub(crate) fn document(head: &Parts) -> Response<Body> {
    static GIVEN: LazyLock<Fixed> = LazyLock::new(|| Fixed::new("application/json", DOCUMENT));
    GIVEN.answer(head)
}

/// The document as a page.
pub(crate) fn docs(head: &Parts) -> Response<Body> {
    static GIVEN: LazyLock<Fixed> = LazyLock::new(|| {
        let document = serde_json::from_slice(DOCUMENT).unwrap_or_default();
        Fixed::new(HTML, page::page(&document))
    });
    GIVEN.page(head)
}

fn unknown(query: &str) -> Failure {
    let name: String = query.split(['=', '&']).next().unwrap_or_default().chars().take(50).collect();
    let message = format!("This page takes no query parameters (got `{name}`)");
    invalid(&name, "no parameters", message)
}
