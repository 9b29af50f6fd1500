//! A canonical host's headers as the client gets them.

use fdna_api::API_VERSION;
use fdna_http::{X_API_VERSION, X_REQUEST_ID, X_SNAPSHOT_ID};
use hyper::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING,
};

use super::{X_UPSTREAM_REQUEST_ID, is_of_one_side, named};

/// Headers that most answers have.
const USUAL_HEADERS: usize = 16;

/// What a header of an answer says, by its name. It is told once for all answers that have the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// How long the body is.
    Length,
    /// How the body is cut in pieces.
    Coding,
    /// What becomes of the connection.
    Connection,
    /// The host's own id of the request.
    RequestId,
    /// The contract's release that the host answers by.
    Version,
    /// Who may keep the answer.
    Policy,
    /// What is not the host's to say, or not to the client.
    NotPassed,
    Passed,
}

impl Part {
    pub(crate) fn of(name: &HeaderName) -> Self {
        match name {
            name if *name == CONTENT_LENGTH => Self::Length,
            name if *name == TRANSFER_ENCODING => Self::Coding,
            name if *name == CONNECTION => Self::Connection,
            name if *name == CACHE_CONTROL => Self::Policy,
            name if *name == X_REQUEST_ID => Self::RequestId,
            name if *name == X_API_VERSION => Self::Version,
            name if *name == X_UPSTREAM_REQUEST_ID || is_of_one_side(name.as_str(), &[]) => Self::NotPassed,
            _ => Self::Passed,
        }
    }
}

/// Headers that pass back.
#[derive(Debug)]
pub(crate) struct Back {
    /// By the names that the host gives them.
    passed: Vec<(Part, HeaderName, HeaderValue)>,
    /// Named by the host's `Connection`, mostly none.
    named: Vec<String>,
}

impl Back {
    pub(crate) fn new() -> Self {
        Self { passed: Vec::with_capacity(USUAL_HEADERS), named: Vec::new() }
    }

    /// Passes this on, if it is to be.
    pub(crate) fn pass(&mut self, part: Part, name: &HeaderName, value: HeaderValue) {
        match part {
            Part::Coding | Part::NotPassed => {}
            Part::Connection => self.named.extend(named(&value)),
            Part::Length | Part::RequestId | Part::Version | Part::Policy | Part::Passed => {
                self.passed.push((part, name.clone(), value));
            }
        }
    }

    /// With the gateway's own.
    pub(crate) fn onto(mut self, mut headers: HeaderMap) -> HeaderMap {
        if !self.named.is_empty() {
            self.passed.retain(|(_, name, _)| !self.named.iter().any(|named| name == named.as_str()));
        }
        for (part, name, value) in self.passed {
            match part {
                // It stands beside ours, once, and in place of ours: it is the one in the body, which a host that does
                // not take the gateway's word for it made itself.
                Part::RequestId => {
                    if is_id(&value)
                        && headers.contains_key(X_REQUEST_ID)
                        && !headers.contains_key(X_UPSTREAM_REQUEST_ID)
                    {
                        headers.insert(X_REQUEST_ID, value.clone());
                    }
                    headers.entry(X_UPSTREAM_REQUEST_ID).or_insert(value);
                }
                // In place of ours.
                Part::Version => drop(headers.insert(name, value)),
                Part::Policy => drop(headers.append(name, private(value))),
                _ => drop(headers.append(name, value)),
            }
        }
        headers
    }
}

fn is_id(value: &HeaderValue) -> bool {
    value.len() == uuid::fmt::Hyphenated::LENGTH && uuid::Uuid::try_parse_ascii(value.as_bytes()).is_ok()
}

/// A cache that many use must not give one client's answer to another, who may have no key.
fn private(policy: HeaderValue) -> HeaderValue {
    // Most answers'.
    if policy == "max-age=60" {
        return const { HeaderValue::from_static("private, max-age=60") };
    }
    // What a policy quotes is not taken apart.
    if policy.as_bytes().contains(&b'"') {
        return const { HeaderValue::from_static("no-store") };
    }
    let is =
        |said: &[u8], words: &[&str]| words.iter().any(|word| said.eq_ignore_ascii_case(word.as_bytes()));
    let said = || policy.as_bytes().split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    if said().any(|said| is(said, &["private", "no-store", "no-cache"])) {
        return policy;
    }
    let mut private = b"private".to_vec();
    let of_many =
        |said: &[u8]| is(said.split(|byte| *byte == b'=').next().unwrap_or(said), &["public", "s-maxage"]);
    for said in said().filter(|said| !said.is_empty() && !of_many(said)) {
        private.extend([b", ", said].concat());
    }
    HeaderValue::try_from(private).unwrap_or(HeaderValue::from_static("private"))
}

/// A name that every answer has: it is nobody's, and costs no counting of who has it.
pub(crate) fn shared(name: HeaderName) -> HeaderName {
    [X_API_VERSION, X_REQUEST_ID, X_SNAPSHOT_ID].into_iter().find(|own| *own == name).unwrap_or(name)
}

/// A value that most answers have.
pub(crate) fn usual(value: &[u8]) -> Option<HeaderValue> {
    const VERSION: &[u8] = API_VERSION.as_bytes();
    // Made when this is compiled: else each would be looked through for what no header may hold.
    let usual = match value {
        VERSION => const { HeaderValue::from_static(API_VERSION) },
        b"application/json" => const { HeaderValue::from_static("application/json") },
        b"Accept-Encoding" => const { HeaderValue::from_static("Accept-Encoding") },
        b"nosniff" => const { HeaderValue::from_static("nosniff") },
        _ => return None,
    };
    Some(usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(headers: &[(&str, &str)]) -> HeaderMap {
        passed_onto(HeaderMap::new(), headers)
    }

    fn passed_onto(own: HeaderMap, headers: &[(&str, &str)]) -> HeaderMap {
        let mut back = Back::new();
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
            back.pass(Part::of(&name), &name, value.parse().unwrap());
        }
        back.onto(own)
    }

    fn map(headers: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        map
    }

    #[test]
    fn a_host_cannot_speak_for_the_gateway() {
        let headers = passed(&[
            ("x-request-id", "theirs"),
            ("x-upstream-request-id", "whose"),
            ("x-secret", "s"),
            ("x-plan", "enterprise"),
            ("x-quota-remaining", "9"),
            ("connection", "close, X-Secret"),
            ("connection", "x-other"),
            ("x-other", "o"),
            ("keep-alive", "timeout=5"),
            ("proxy-authenticate", "Basic"),
            ("transfer-encoding", "chunked"),
            ("etag", "W/\"a\""),
            ("content-encoding", "br"),
            ("content-length", "5"),
            ("x-two", "a"),
            ("x-two", "b"),
        ]);
        let kept = map(&[
            ("x-upstream-request-id", "theirs"),
            ("etag", "W/\"a\""),
            ("content-encoding", "br"),
            ("content-length", "5"),
            ("x-two", "a"),
            ("x-two", "b"),
        ]);
        assert_eq!(headers, kept);
    }

    #[test]
    fn what_a_host_says_stands_beneath_what_the_gateway_says() {
        let own = map(&[("x-request-id", "ours"), ("x-plan", "pro"), ("x-api-version", "1")]);
        let with = |more: &[(&'static str, &'static str)]| {
            let mut headers = own.clone();
            headers.extend(map(more));
            headers
        };
        for (theirs, expected) in [
            (&[("x-request-id", "a")][..], with(&[("x-upstream-request-id", "a")])),
            (&[("x-request-id", "a"), ("x-request-id", "b")], with(&[("x-upstream-request-id", "a")])),
            (&[("x-request-id", "a"), ("connection", "x-request-id")], with(&[])),
            (
                &[("connection", "x-upstream-request-id"), ("x-request-id", "a")],
                with(&[("x-upstream-request-id", "a")]),
            ),
            (&[("x-api-version", "2")], with(&[("x-api-version", "2")])),
            (&[("x-api-version", "2"), ("x-api-version", "3")], with(&[("x-api-version", "3")])),
            (&[("x-plan", "enterprise"), ("x-gateway-version", "9")], with(&[])),
        ] {
            assert_eq!(passed_onto(own.clone(), theirs), expected, "{theirs:?}");
        }
    }

    #[test]
    fn the_id_of_the_answer_is_the_one_in_its_body() {
        let (ours, theirs) = ("00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002");
        let answered = |theirs: &str| {
            let own = map(&[("x-request-id", ours)]);
            let headers = passed_onto(own, &[("x-request-id", theirs)]);
            headers[X_REQUEST_ID].to_str().unwrap().to_owned()
        };
        assert_eq!((answered(ours).as_str(), answered(theirs).as_str()), (ours, theirs));
        assert_eq!(answered("no id at all, or one that is too long"), ours);
    }

    #[test]
    fn what_may_be_kept_is_kept_by_its_client_alone() {
        for (theirs, ours) in [
            ("max-age=60", "private, max-age=60"),
            ("max-age=7", "private, max-age=7"),
            ("max-age=31536000, immutable", "private, max-age=31536000, immutable"),
            ("public, max-age=60, s-maxage=900", "private, max-age=60"),
            ("PUBLIC", "private"),
            ("", "private"),
            ("must-revalidate,", "private, must-revalidate"),
            ("no-store", "no-store"),
            ("no-cache", "no-cache"),
            ("max-age=60, private", "max-age=60, private"),
            ("max-age=60, ext=\"a, no-store, b\"", "no-store"),
        ] {
            assert_eq!(passed(&[("cache-control", theirs)])[CACHE_CONTROL], ours);
        }
        let both = passed(&[("cache-control", "max-age=60"), ("cache-control", "public")]);
        assert_eq!(
            both.get_all(CACHE_CONTROL).iter().collect::<Vec<_>>(),
            ["private, max-age=60", "private"]
        );
    }
}
