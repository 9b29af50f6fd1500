//! The key of a request: one, in one of the two headers, never in the address.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use fdna_api::{ErrorCode, Failure};
use hyper::header::{AUTHORIZATION, HeaderMap, HeaderName};

use crate::directory::{Directory, Holder};
use crate::key::KeyDigest;

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
    if holds_mark || query.split('&').any(names_key) {
        let message = "Do not put API keys in URLs: send X-API-Key or Authorization: Bearer. Treat this key as leaked and rotate it";
        return Err(Failure::new(ErrorCode::InvalidRequest, message));
    }
    Ok(())
}

/// Looked for as it is and decoded; decoded twice, too, since others may.
fn has_mark(text: &str) -> bool {
    // Every letter may be encoded, or the underscore alone; without either there is no mark.
    if !text.bytes().any(|byte| matches!(byte, b'_' | b'%')) {
        return false;
    }
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

/// Whether a part of a query, `NAME=VALUE`, is named as a key, however the name is written.
fn names_key(part: &str) -> bool {
    let name = part.split_once('=').map_or(part, |(name, _)| name);
    let is_key = |name: &str| KEY_PARAMETERS.iter().any(|key| name.eq_ignore_ascii_case(key));
    if name.contains('%') { is_key(&decoded(name)) } else { is_key(name) }
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
    directory
        .find(&KeyDigest::of(presented), now)
        .ok_or_else(|| unauthorized("Invalid API key: unknown, revoked or expired"))
}

fn presented(headers: &HeaderMap) -> Result<&[u8], Failure> {
    let bearer = headers.get(AUTHORIZATION).map(|value| value.as_bytes());
    let own = headers.get(X_API_KEY).map(|value| value.as_bytes());
    match (bearer.map(bearer_token), own) {
        (None, None) => {
            Err(unauthorized("Missing API key: send X-API-Key: <key> or Authorization: Bearer <key>"))
        }
        (None, Some(own)) => Ok(own),
        (Some(Some(bearer)), None) => Ok(bearer),
        (Some(Some(bearer)), Some(own)) if KeyDigest::of(bearer).is(&KeyDigest::of(own)) => Ok(own),
        (Some(_), Some(_)) => {
            Err(Failure::new(ErrorCode::InvalidRequest, "Send either Authorization or X-API-Key, not both"))
        }
        (Some(None), None) => Err(unauthorized("Use `Authorization: Bearer <key>` (Basic is not supported)")),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::{Environment, Secret};
    use crate::plan::{Custom, Plan, Plans};
    use crate::store::{Account, Key, Register};
    use std::time::{Duration, Instant};

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_780_000_000, 0).unwrap()
    }

    /// A directory of these keys, the second of them revoked.
    fn directory(secrets: &[&Secret]) -> Directory {
        let (name, custom) = ("acme".to_owned(), Custom::default());
        let account = Account { id: 1, name, plan: Plan::Pro, custom, created_at: now(), suspended_at: None };
        let key = |(id, secret): (i64, &&Secret)| Key {
            id,
            account_id: 1,
            digest: secret.digest(),
            shown: secret.shown(),
            environment: Environment::Live,
            created_at: now(),
            label: None,
            expires_at: None,
            suspended_at: None,
            revoked_at: (id == 1).then(now),
        };
        let keys = (0..).zip(secrets).map(key).collect();
        let register = Register { generation: 1, accounts: vec![account], keys };
        Directory::of(register, &Plans::defaults().unwrap(), &Directory::default())
    }

    fn with(key: &str) -> HeaderMap {
        HeaderMap::from_iter([(X_API_KEY, key.parse().unwrap())])
    }

    fn draw() -> Secret {
        Secret::draw(Environment::Live).unwrap()
    }

    #[test]
    fn a_key_takes_its_time_whatever_is_wrong_with_it() {
        let (valid, revoked) = (draw(), draw());
        let others: Vec<Secret> = (0..1000).map(|_| draw()).collect();
        let all: Vec<&Secret> = [&valid, &revoked].into_iter().chain(&others).collect();
        let directory = directory(&all);
        let unknown = draw();
        let mut near = valid.reveal().to_owned();
        near.replace_range(45.., if near.ends_with('0') { "1" } else { "0" });
        let malformed = "x".repeat(near.len());
        let kinds = [valid.reveal(), revoked.reveal(), unknown.reveal(), &near, &malformed].map(with);
        let batch = |headers: &HeaderMap| {
            let began = Instant::now();
            for _ in 0..300 {
                std::hint::black_box(holder(std::hint::black_box(headers), &directory, now())).ok();
            }
            began.elapsed()
        };
        // The fastest of many: whatever else runs only makes one slower.
        let mut fastest = [Duration::MAX; 5];
        for _ in 0..60 {
            for (kind, fastest) in kinds.iter().zip(&mut fastest) {
                *fastest = batch(kind).min(*fastest);
            }
        }
        assert!(holder(&kinds[0], &directory, now()).is_ok());
        for kind in &kinds[1..] {
            assert_eq!(
                holder(kind, &directory, now()).unwrap_err().message,
                "Invalid API key: unknown, revoked or expired"
            );
        }
        let refused = &fastest[1..];
        let (least, most) = (refused.iter().min().unwrap(), refused.iter().max().unwrap());
        assert!(most.as_nanos() * 10 < least.as_nanos() * 15, "{fastest:?}");
    }

    #[test]
    fn no_error_repeats_what_was_presented() {
        let directory = directory(&[&draw()]);
        for key in [draw().reveal(), "fdk_live_x", "secret"] {
            let failure = holder(&with(key), &directory, now()).unwrap_err();
            assert!(!format!("{failure:?}").contains(key), "{failure:?}");
        }
    }

    #[test]
    fn a_key_is_found_in_an_address_however_it_is_written() {
        for (path, query) in [
            ("/v1/fdk_live_a", None),
            ("/v1/%66dk_live_a", None),
            ("/v1/%2566dk%255flive", None),
            ("/v1", Some("q=FDK_x")),
            ("/v1", Some("a=1&KEY=x")),
            ("/v1", Some("%6bey=x")),
            ("/v1", Some("fdk_x")),
        ] {
            assert!(check_address(path, query).is_err(), "{path} {query:?}");
        }
        for query in ["q=key", "limit=5", "monkey=1", "q=fdk", "q=a%3Db%26token%3Dc", "%zz=%"] {
            assert!(check_address("/v1/mma/keys", Some(query)).is_ok(), "{query}");
        }
    }
}
