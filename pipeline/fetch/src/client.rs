//! One request and its answer, redirects followed: what came, or why it did not, and whether to ask again.

use std::io::Read as _;
use std::time::Duration;

use bytes::Bytes;
use ureq::http::{HeaderMap, Response, header};
use ureq::{Agent, Body, Proxy};
use url::Url;

use crate::CacheValidators;
use crate::plan::{FilePlan, ProxyRule, SourcePlan};

/// Answer of an address.
#[derive(Debug)]
pub(crate) struct FetchResponse {
    pub(crate) status: u16,
    /// `None` for "still what it was".
    pub(crate) body: Option<Bytes>,
    pub(crate) validators: CacheValidators,
}

/// Why there is none.
#[derive(Debug)]
pub(crate) struct FetchRefusal {
    pub(crate) reason: String,
    /// Whether it may be another time.
    pub(crate) again: bool,
    /// `Retry-After` as written.
    pub(crate) after: Option<String>,
}

impl FetchRefusal {
    pub(crate) fn once_for_all(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), again: false, after: None }
    }

    fn for_now(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), again: true, after: None }
    }
}

/// Asks as a source's plan says.
pub(crate) struct HttpClient<'a> {
    plan: &'a SourcePlan,
    agent: Agent,
}

impl<'a> HttpClient<'a> {
    pub(crate) fn new(plan: &'a SourcePlan) -> Self {
        let proxy = match plan.proxy {
            ProxyRule::None => None,
            ProxyRule::Environment => Proxy::try_from_env(),
        };
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // Redirects are followed here, host by host; a connection that waited may have died.
            .max_redirects(0)
            .max_idle_connections(0)
            .user_agent(plan.user_agent.trim())
            .proxy(proxy)
            .timeout_connect(Some(Duration::from_millis(plan.connect_timeout_ms)))
            .timeout_global(Some(Duration::from_millis(plan.total_timeout_ms)))
            .build();
        Self { plan, agent: config.new_agent() }
    }

    /// Asks for a file; `before` is called with each host before it is asked.
    pub(crate) fn send_request(
        &self,
        file: &FilePlan,
        known: &CacheValidators,
        mut before: impl FnMut(&Url),
    ) -> Result<FetchResponse, FetchRefusal> {
        let mut url = file.url.clone();
        for _ in 0..=self.plan.redirects {
            before(&url);
            let response = self.send_once(&url, known)?;
            match response.status().as_u16() {
                301 | 302 | 303 | 307 | 308 => {
                    url = self.redirect_target(&file.url, &url, response.headers())?
                }
                status => return self.read_answer(status, response, file, known),
            }
        }
        Err(FetchRefusal::once_for_all(format!("more than {} redirects", self.plan.redirects)))
    }

    fn send_once(&self, url: &Url, known: &CacheValidators) -> Result<Response<Body>, FetchRefusal> {
        let mut request = self.agent.get(url.as_str());
        if let Some(etag) = &known.etag {
            request = request.header(header::IF_NONE_MATCH, etag);
        }
        if let Some(date) = &known.last_modified {
            request = request.header(header::IF_MODIFIED_SINCE, date);
        }
        request.call().map_err(|error| broken_connection(&error))
    }

    /// Target of a redirect, if it is allowed.
    fn redirect_target(&self, requested: &Url, from: &Url, headers: &HeaderMap) -> Result<Url, FetchRefusal> {
        let location = header_text(headers, &header::LOCATION);
        let location = location.ok_or_else(|| FetchRefusal::once_for_all("a redirect without an address"))?;
        let to = from.join(&location);
        let to = to.map_err(|_| FetchRefusal::once_for_all("a redirect to what is no address"))?;
        let host = to.host_str().unwrap_or_default();
        let is_own = requested.host_str() == Some(host);
        let is_named = self.plan.redirect_hosts.iter().any(|allowed| allowed == host);
        if !is_own && !is_named {
            return Err(FetchRefusal::once_for_all(format!("redirected to another host, `{host}`")));
        }
        if !matches!(to.scheme(), "http" | "https") || (from.scheme() == "https" && to.scheme() == "http") {
            return Err(FetchRefusal::once_for_all(format!("redirected to {}", to.scheme())));
        }
        // Another service of the host. From http to https it is the same one, where both have their usual ports.
        let port = |url: &Url| url.port_or_known_default().unwrap_or_default();
        let is_same = port(&to) == port(requested) || (to.port(), requested.port()) == (None, None);
        if !is_named && !is_same {
            let why = format!(
                "redirected to another port of the host, {}: `redirect_hosts` may name the host",
                port(&to)
            );
            return Err(FetchRefusal::once_for_all(why));
        }
        Ok(to)
    }

    fn read_answer(
        &self,
        status: u16,
        response: Response<Body>,
        file: &FilePlan,
        known: &CacheValidators,
    ) -> Result<FetchResponse, FetchRefusal> {
        let headers = response.headers();
        let validators = CacheValidators {
            etag: header_text(headers, &header::ETAG),
            last_modified: header_text(headers, &header::LAST_MODIFIED),
        };
        match status {
            200 => {
                check_type(headers, &file.content_types)?;
                Ok(FetchResponse { status, body: Some(self.read_body(response)?), validators })
            }
            304 if !known.is_empty() => Ok(FetchResponse { status, body: None, validators: known.clone() }),
            408 | 425 | 429 | 500.. => {
                let after = header_text(headers, &header::RETRY_AFTER);
                Err(FetchRefusal { after, ..FetchRefusal::for_now(format!("status {status}")) })
            }
            _ => Err(FetchRefusal::once_for_all(format!("status {status}"))),
        }
    }

    /// The whole body, unpacked; one that is cut short is an error below, where its length was told.
    fn read_body(&self, mut response: Response<Body>) -> Result<Bytes, FetchRefusal> {
        let most = self.plan.max_bytes;
        let too_large = || FetchRefusal::once_for_all(format!("the body is larger than {most} bytes"));
        if response.body().content_length().is_some_and(|length| length > most) {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        let mut reader = response.body_mut().as_reader().take(most.saturating_add(1));
        reader
            .read_to_end(&mut bytes)
            .map_err(|error| FetchRefusal::for_now(format!("the body did not come whole: {error}")))?;
        if u64::try_from(bytes.len()).is_ok_and(|length| length > most) {
            return Err(too_large());
        }
        Ok(bytes.into())
    }
}

/// A refusal for a broken connection, which may be retried; an invalid request may not.
fn broken_connection(error: &ureq::Error) -> FetchRefusal {
    use ureq::Error;
    let again = !matches!(error, Error::BadUri(_) | Error::Http(_) | Error::InvalidProxyUrl | Error::Tls(_));
    FetchRefusal { again, ..FetchRefusal::for_now(error.to_string()) }
}

fn header_text(headers: &HeaderMap, name: &header::HeaderName) -> Option<String> {
    let text = headers.get(name)?.to_str().ok()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn check_type(headers: &HeaderMap, allowed: &[String]) -> Result<(), FetchRefusal> {
    let stated = header_text(headers, &header::CONTENT_TYPE).unwrap_or_default();
    let bare = stated.split(';').next().unwrap_or_default().trim();
    if allowed.is_empty() || allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(bare)) {
        return Ok(());
    }
    Err(FetchRefusal::once_for_all(format!("the type is `{bare}`, which the plan does not expect")))
}
