//! Authenticates requests: one key, in one of two headers. In a URL it is refused, or, where the API takes it there, cut
//! before anything else sees the URL.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use fdna_api::{ErrorCode, Failure};
use hyper::Uri;
use hyper::header::{AUTHORIZATION, HeaderMap, HeaderName};
use hyper::http::uri::PathAndQuery;

use crate::key::KeyDigest;
use crate::key_index::{ApiKeyIdentity, KeyIndex};

/// The header that contains nothing but a key.
pub(crate) const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Query parameters that other APIs accept keys in.
const KEY_PARAMETERS: [&str; 7] =
    ["key", "api_key", "apikey", "api-key", "x-api-key", "access_token", "token"];

/// Prefix of every key, which occurs in no URL of the API contract.
const KEY_PREFIX: &str = "fdk_";

/// Refuses a URL that contains a key, or what looks like one: URLs are logged by every proxy. The message repeats
/// nothing of it.
///
/// # Errors
/// 400.
pub fn reject_key_in_url(path: &str, query: Option<&str>) -> Result<(), Failure> {
    let query = query.unwrap_or_default();
    let has_prefix = [path, query].into_iter().any(contains_key_prefix);
    if has_prefix || query.split('&').any(is_key_parameter) {
        let message = "Do not put API keys in URLs: send X-API-Key or Authorization: Bearer. Treat this key as leaked and rotate it";
        return Err(Failure::new(ErrorCode::InvalidRequest, message));
    }
    Ok(())
}

/// The parameter that an API may take a key in.
const KEY_PARAMETER: &str = "key";

/// Path and query of a URL without the parameter `key`, and its value.
///
/// # Errors
/// 400: there are two.
pub(crate) fn cut_key(uri: &Uri) -> Result<(PathAndQuery, Option<String>), Failure> {
    let path_and_query = uri.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
    let is_key = |part: &&str| {
        let name = part.split_once('=').map_or(*part, |(name, _)| name);
        percent_decode(name) == KEY_PARAMETER
    };
    let (keys, others): (Vec<&str>, Vec<&str>) = uri.query().unwrap_or_default().split('&').partition(is_key);
    let [part] = keys.as_slice() else {
        let two = || Failure::new(ErrorCode::InvalidRequest, "Send one API key: `key` is there twice");
        return if keys.is_empty() { Ok((path_and_query, None)) } else { Err(two()) };
    };
    let value = form_urlencoded::parse(part.as_bytes()).map(|(_, value)| value.into_owned()).collect();
    let rest = if others.is_empty() {
        uri.path().to_owned()
    } else {
        format!("{}?{}", uri.path(), others.join("&"))
    };
    let rest = PathAndQuery::try_from(rest);
    let rest = rest.map_err(|_| Failure::new(ErrorCode::InvalidRequest, "The URL cannot be read"))?;
    Ok((rest, Some(value)))
}

/// In the text as it is and percent-decoded; decoded twice, too, as a proxy may decode it.
fn contains_key_prefix(text: &str) -> bool {
    // An underscore or an encoded character is in every form of the prefix.
    if !text.bytes().any(|byte| matches!(byte, b'_' | b'%')) {
        return false;
    }
    let mut text = text.to_ascii_lowercase();
    for _ in 0..3 {
        if text.contains(KEY_PREFIX) {
            return true;
        }
        if !text.contains('%') {
            return false;
        }
        text = percent_decode(&text).to_ascii_lowercase();
    }
    false
}

/// Percent-decodes; the parser of forms would split the text.
fn percent_decode(text: &str) -> String {
    let name = text.replace('&', "%26").replace('=', "%3d");
    form_urlencoded::parse(name.as_bytes()).map(|(name, _)| name.into_owned()).collect()
}

/// Whether a part of a query, `NAME=VALUE`, has the name of a key parameter in any case or encoding.
fn is_key_parameter(part: &str) -> bool {
    let name = part.split_once('=').map_or(part, |(name, _)| name);
    let is_key = |name: &str| KEY_PARAMETERS.iter().any(|key| name.eq_ignore_ascii_case(key));
    if name.contains('%') { is_key(&percent_decode(name)) } else { is_key(name) }
}

/// Identifies the key of a request.
///
/// Any text is hashed, looked up by its digest and compared, so that malformed, unknown, revoked and expired keys take
/// the same time and get the same response.
///
/// # Errors
/// 400 for two different credentials, 401 for none or one that is not valid.
pub(crate) fn authenticate(
    headers: &HeaderMap,
    in_url: Option<&str>,
    index: &KeyIndex,
    now: DateTime<Utc>,
) -> Result<Arc<ApiKeyIdentity>, Failure> {
    let presented = match in_url {
        None => presented_key(headers)?,
        Some(in_url) => key_beside(headers, in_url.as_bytes())?,
    };
    index
        .lookup_key(&KeyDigest::of_text(presented), now)
        .ok_or_else(|| unauthorized("Invalid API key: unknown, revoked or expired"))
}

/// Whether a header has what may be a key.
pub(crate) fn has_key(headers: &HeaderMap) -> bool {
    headers.contains_key(AUTHORIZATION) || headers.contains_key(X_API_KEY)
}

/// The key of a URL, which a header may repeat.
fn key_beside<'k>(headers: &'k HeaderMap, in_url: &'k [u8]) -> Result<&'k [u8], Failure> {
    if !has_key(headers) || KeyDigest::of_text(presented_key(headers)?).equals(&KeyDigest::of_text(in_url)) {
        return Ok(in_url);
    }
    Err(Failure::new(ErrorCode::InvalidRequest, "Send one API key: a header has another than `key`"))
}

/// The key of a request's headers, whatever it is worth.
///
/// # Errors
/// 401 for none, 400 for two different ones.
pub fn presented_key(headers: &HeaderMap) -> Result<&[u8], Failure> {
    let bearer = headers.get(AUTHORIZATION).map(|value| value.as_bytes());
    let own = headers.get(X_API_KEY).map(|value| value.as_bytes());
    match (bearer.map(bearer_token), own) {
        (None, None) => {
            Err(unauthorized("Missing API key: send X-API-Key: <key> or Authorization: Bearer <key>"))
        }
        (None, Some(own)) => Ok(own),
        (Some(Some(bearer)), None) => Ok(bearer),
        (Some(Some(bearer)), Some(own)) if KeyDigest::of_text(bearer).equals(&KeyDigest::of_text(own)) => {
            Ok(own)
        }
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
    use crate::key::{Environment, KeyProduct, Secret};
    use crate::plan::{CustomLimits, Plan, Plans};
    use crate::store::{Account, Key, KeyRegistry};

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_780_000_000, 0).unwrap()
    }

    /// An index of these keys, the second of them revoked.
    fn index(secrets: &[&Secret]) -> KeyIndex {
        let (name, custom) = ("acme".to_owned(), CustomLimits::default());
        let account = Account { id: 1, name, plan: Plan::Pro, custom, created_at: now(), suspended_at: None };
        let key = |(id, secret): (i64, &&Secret)| Key {
            id,
            account_id: 1,
            digest: secret.digest(),
            shown: secret.shown_prefix(),
            environment: Environment::Live,
            created_at: now(),
            label: None,
            scopes: crate::scope::KeyScopes::default(),
            expires_at: None,
            suspended_at: None,
            revoked_at: (id == 1).then(now),
        };
        let keys = (0..).zip(secrets).map(key).collect();
        let registry = KeyRegistry { generation: 1, accounts: vec![account], keys };
        KeyIndex::build_index(
            KeyProduct::Mma,
            registry,
            &Plans::default_plans().unwrap(),
            &KeyIndex::default(),
        )
    }

    fn with(key: &str) -> HeaderMap {
        HeaderMap::from_iter([(X_API_KEY, key.parse().unwrap())])
    }

    fn generate() -> Secret {
        Secret::generate_key(Environment::Live).unwrap()
    }

    #[test]
    fn a_key_gets_the_same_response_whatever_is_wrong_with_it() {
        let (valid, revoked, unknown) = (generate(), generate(), generate());
        let index = index(&[&valid, &revoked]);
        let mut near = valid.reveal().to_owned();
        near.replace_range(45.., if near.ends_with('0') { "1" } else { "0" });
        let malformed = "x".repeat(near.len());
        assert!(authenticate(&with(valid.reveal()), None, &index, now()).is_ok());
        for wrong in [revoked.reveal(), unknown.reveal(), &near, &malformed, "x"] {
            let failure = authenticate(&with(wrong), None, &index, now()).unwrap_err();
            assert_eq!(failure, unauthorized("Invalid API key: unknown, revoked or expired"), "{wrong}");
        }
    }

    #[test]
    fn no_error_repeats_what_was_presented() {
        let index = index(&[&generate()]);
        for key in [generate().reveal(), "fdk_live_x", "secret"] {
            let failure = authenticate(&with(key), None, &index, now()).unwrap_err();
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
            assert!(reject_key_in_url(path, query).is_err(), "{path} {query:?}");
        }
        for query in ["q=key", "limit=5", "monkey=1", "q=fdk", "q=a%3Db%26token%3Dc", "%zz=%"] {
            assert!(reject_key_in_url("/v1/mma/keys", Some(query)).is_ok(), "{query}");
        }
    }

    #[test]
    fn a_key_is_cut_from_a_url_however_its_name_is_written() {
        let cut = |uri: &str| {
            let (rest, key) = cut_key(&uri.parse().unwrap()).map_err(|failure| failure.message)?;
            Ok::<_, String>((rest.to_string(), key))
        };
        let of = |rest: &str, key: &str| Ok((rest.to_owned(), Some(key.to_owned())));
        assert_eq!(cut("/sports?key=a"), of("/sports", "a"));
        assert_eq!(
            cut("/nhl/odds?date=2025-01-01&key=a%2Bb&limit=5"),
            of("/nhl/odds?date=2025-01-01&limit=5", "a+b")
        );
        assert_eq!(cut("/v1/sports?%6bey=a"), of("/v1/sports", "a"));
        assert_eq!(cut("/sports?key"), of("/sports", ""));
        assert_eq!(cut("/sports?monkey=1"), Ok(("/sports?monkey=1".to_owned(), None)));
        assert_eq!(cut("/sports"), Ok(("/sports".to_owned(), None)));
        assert!(cut("/sports?key=a&key=a").is_err() && cut("/sports?key=a&k%65y=b").is_err());
    }

    #[test]
    fn a_header_may_repeat_the_key_of_a_url_and_have_no_other() {
        let (one, other) = (generate(), generate());
        let index = index(&[&one]);
        let ask = |headers: HeaderMap, in_url: &str| {
            authenticate(&headers, Some(in_url), &index, now()).map_err(|failure| failure.code)
        };
        assert!(ask(HeaderMap::new(), one.reveal()).is_ok());
        assert!(ask(with(one.reveal()), one.reveal()).is_ok());
        assert_eq!(ask(with(other.reveal()), one.reveal()).unwrap_err(), ErrorCode::InvalidRequest);
        assert_eq!(ask(HeaderMap::new(), "").unwrap_err(), ErrorCode::Unauthorized);
    }
}
