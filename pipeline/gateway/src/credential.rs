//! The key of a request: one, in one of the two headers, never in the address.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use fdna_api::{ErrorCode, Failure};
use hyper::header::{AUTHORIZATION, HeaderMap, HeaderName};

use crate::directory::{Directory, Holder};
use crate::key::{KeyDigest, is_well_formed};

/// The header that carries a key by itself.
pub(crate) const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Parameters that other interfaces take keys by.
const KEY_PARAMETERS: [&str; 7] =
    ["key", "api_key", "apikey", "api-key", "x-api-key", "access_token", "token"];

/// What begins every key, and nothing else of the contract.
const MARK: &str = "fdk_";

/// Refuses an address that holds a key, or what looks like one: addresses are logged by whoever stands between. The
/// message repeats nothing of it.
///
/// # Errors
/// 400.
pub(crate) fn check_address(path: &str, query: Option<&str>) -> Result<(), Failure> {
    let query = query.unwrap_or_default();
    let holds_mark = [path, query].into_iter().any(has_mark);
    if holds_mark || form_urlencoded::parse(query.as_bytes()).any(|(name, _)| is_key_parameter(&name)) {
        let message = "a key does not belong into an address: send it as Authorization or X-API-Key";
        return Err(Failure::new(ErrorCode::InvalidRequest, message));
    }
    Ok(())
}

/// Looked for as it is and decoded; decoded twice, too, since others may.
fn has_mark(text: &str) -> bool {
    let mut text = text.to_ascii_lowercase();
    for _ in 0..3 {
        if text.contains(MARK) {
            return true;
        }
        if !text.contains('%') {
            return false;
        }
        text = decoded(&text).to_ascii_lowercase();
    }
    false
}

/// Percent-decoding alone: a form's parser would take the text apart.
fn decoded(text: &str) -> String {
    let name = text.replace('&', "%26").replace('=', "%3d");
    form_urlencoded::parse(name.as_bytes()).map(|(name, _)| name.into_owned()).collect()
}

fn is_key_parameter(name: &str) -> bool {
    KEY_PARAMETERS.iter().any(|key| name.eq_ignore_ascii_case(key))
}

/// Whose key a request carries.
///
/// Whatever is presented is hashed, looked up by its digest and compared: malformed, unknown, revoked and expired
/// keys take the same way and get the same answer.
///
/// # Errors
/// 400 for two different credentials, 401 for none or one that is not valid.
pub(crate) fn holder(
    headers: &HeaderMap,
    directory: &Directory,
    now: DateTime<Utc>,
) -> Result<Arc<Holder>, Failure> {
    let presented = presented(headers)?;
    let found = directory.find(&KeyDigest::of(presented), now);
    let is_well_formed = is_well_formed(presented);
    match found {
        Some(holder) if is_well_formed => Ok(holder),
        _ => Err(unauthorized("the key is not valid")),
    }
}

fn presented(headers: &HeaderMap) -> Result<&[u8], Failure> {
    let bearer = headers.get(AUTHORIZATION).map(|value| value.as_bytes());
    let own = headers.get(X_API_KEY).map(|value| value.as_bytes());
    match (bearer.map(bearer_token), own) {
        (None, None) => Err(unauthorized("a key is needed: Authorization: Bearer KEY, or X-API-Key: KEY")),
        (None, Some(own)) => Ok(own),
        (Some(Some(bearer)), None) => Ok(bearer),
        (Some(Some(bearer)), Some(own)) if KeyDigest::of(bearer).is(&KeyDigest::of(own)) => Ok(own),
        (Some(_), Some(_)) => {
            Err(Failure::new(ErrorCode::InvalidRequest, "a request may carry one credential"))
        }
        (Some(None), None) => Err(unauthorized("the Authorization must be: Bearer KEY")),
    }
}

/// The token of `Bearer TOKEN`, the scheme in any case.
fn bearer_token(value: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = value.split_at_checked("bearer".len())?;
    let token = rest.trim_ascii_start();
    (scheme.eq_ignore_ascii_case(b"bearer") && token.len() < rest.len() && !token.is_empty()).then_some(token)
}

fn unauthorized(message: &str) -> Failure {
    Failure::new(ErrorCode::Unauthorized, message)
}
