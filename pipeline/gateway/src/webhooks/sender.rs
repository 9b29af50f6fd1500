//! Sends messages to receivers: no redirect is followed, and the address that is connected to is the one that was checked.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, USER_AGENT};
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_rustls::{HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::{self, Client};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tower::util::BoxCloneSyncService;
use tower::{ServiceExt as _, service_fn};

use super::endpoint::{EndpointSecrets, InvalidUrl, ReceiverPolicy};
use super::message::WebhookMessage;
use crate::upstream::{UpstreamTlsError, read_authorities, system_authorities};

const WEBHOOK_ID: HeaderName = HeaderName::from_static("webhook-id");
const WEBHOOK_TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const WEBHOOK_SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

const AGENT: &str = concat!("fightdna-webhooks/", env!("CARGO_PKG_VERSION"));

/// Bytes that are read of a response's body, and dropped.
const MAX_RESPONSE_BYTES: usize = 4096;

/// For the rest of a response whose head has arrived.
const RESPONSE_BODY_TIMEOUT: Duration = Duration::from_secs(1);

/// Bytes of a response's head, of which hyper may read somewhat more before it refuses it.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// After which an idle connection is closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// Characters of a reason that are kept.
const MAX_REASON_CHARS: usize = 200;

/// Timeouts of a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryTimeouts {
    pub connect: Duration,
    /// Until the head of the response has arrived, connecting included.
    pub total: Duration,
}

impl Default for DeliveryTimeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), total: Duration::from_secs(15) }
    }
}

/// Settings of the client that sends messages.
#[derive(Debug, Clone, Default)]
pub struct SenderOptions {
    pub policy: ReceiverPolicy,
    pub timeouts: DeliveryTimeouts,
    /// PEM file of the authorities that receivers are trusted by; without it, the system's.
    pub authorities: Option<std::path::PathBuf>,
}

/// What became of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryAttempt {
    /// 2xx.
    Delivered(StatusCode),
    /// 410: the receiver wants no more.
    Gone,
    Failed {
        reason: String,
        retry_after: Option<Duration>,
    },
}

/// Why no connection was made.
#[derive(Debug, thiserror::Error)]
enum ConnectError {
    #[error("the name of the receiver cannot be resolved")]
    Resolve(#[source] std::io::Error),
    #[error("the address of the receiver is not one of the public Internet (see --webhook-allow-private)")]
    NotPublic,
    #[error("cannot connect to the receiver")]
    Connect(#[source] std::io::Error),
    #[error("cannot connect to the receiver in time")]
    Timeout,
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

type Connector = BoxCloneSyncService<Uri, MaybeHttpsStream<TokioIo<TcpStream>>, BoxError>;

/// The client that sends messages.
#[derive(Debug)]
pub struct WebhookSender {
    client: Client<Connector, Full<Bytes>>,
    policy: ReceiverPolicy,
    timeouts: DeliveryTimeouts,
}

impl WebhookSender {
    /// # Errors
    /// The authorities of the options cannot be used. A system without any verifies no receiver.
    pub fn new(options: &SenderOptions) -> Result<Self, UpstreamTlsError> {
        let SenderOptions { policy, timeouts, authorities } = options;
        let connector = build_connector(*policy, timeouts.connect, authorities.as_deref())?;
        let mut builder = Client::builder(TokioExecutor::new());
        builder
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_max_idle_per_host(2)
            .http1_max_buf_size(MAX_HEAD_BYTES);
        Ok(Self { client: builder.build(connector), policy: *policy, timeouts: *timeouts })
    }

    /// The longest time that a try takes.
    #[must_use]
    pub fn max_duration(&self) -> Duration {
        self.timeouts.total + RESPONSE_BODY_TIMEOUT
    }

    /// Sends a message once, and waits for the receiver.
    pub async fn send_message(
        &self,
        url: &str,
        secrets: &EndpointSecrets,
        message: &WebhookMessage,
        now: DateTime<Utc>,
    ) -> DeliveryAttempt {
        let request = match self.policy.check_url(url) {
            Ok(uri) => build_request(uri, secrets, message, now),
            Err(error) => return DeliveryAttempt::failed(&invalid_url(error)),
        };
        match timeout(self.timeouts.total, self.client.request(request)).await {
            Ok(Ok(response)) => Self::read_response(response, now).await,
            Ok(Err(error)) => DeliveryAttempt::failed(&describe_failure(&error)),
            Err(_) => {
                DeliveryAttempt::failed(&format!("no answer within {} s", self.timeouts.total.as_secs_f64()))
            }
        }
    }

    async fn read_response(response: Response<Incoming>, now: DateTime<Utc>) -> DeliveryAttempt {
        let (head, body) = response.into_parts();
        // A short body that was read lets the connection be used again.
        let _ = timeout(RESPONSE_BODY_TIMEOUT, Limited::new(body, MAX_RESPONSE_BYTES).collect()).await;
        let status = head.status;
        if status.is_success() {
            return DeliveryAttempt::Delivered(status);
        }
        if status == StatusCode::GONE {
            return DeliveryAttempt::Gone;
        }
        let is_busy = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let retry_after = is_busy.then(|| retry_after(&head.headers, now)).flatten();
        let more = if status.is_redirection() { ": redirects are not followed" } else { "" };
        DeliveryAttempt::Failed { reason: format!("HTTP {}{more}", status.as_u16()), retry_after }
    }
}

impl DeliveryAttempt {
    fn failed(reason: &str) -> Self {
        Self::Failed { reason: reason.chars().take(MAX_REASON_CHARS).collect(), retry_after: None }
    }
}

fn invalid_url(error: InvalidUrl) -> String {
    format!("the URL is not allowed: {error}")
}

fn build_request(
    uri: Uri,
    secrets: &EndpointSecrets,
    message: &WebhookMessage,
    now: DateTime<Utc>,
) -> Request<Full<Bytes>> {
    let mut request = Request::new(Full::from(message.body.clone()));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = uri;
    let headers = request.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    headers.insert(WEBHOOK_TIMESTAMP, now.timestamp().into());
    // Ids are printable, and so is base 64.
    for (name, text) in
        [(WEBHOOK_ID, message.id.clone()), (WEBHOOK_SIGNATURE, secrets.sign_message(message, now))]
    {
        if let Ok(value) = HeaderValue::try_from(text) {
            headers.insert(name, value);
        }
    }
    request
}

/// In seconds or as a date; `None` if it is neither, or past.
fn retry_after(headers: &HeaderMap, now: DateTime<Utc>) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    match text.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => (DateTime::parse_from_rfc2822(text).ok()?.to_utc() - now).to_std().ok(),
    }
}

/// The error of a connection where there is one; hyper's repeat nothing of a URL.
fn describe_failure(error: &legacy::Error) -> String {
    let mut causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    let own = causes.find_map(|cause| cause.downcast_ref::<ConnectError>());
    own.map_or_else(|| crate::store::describe_error(error), |own| crate::store::describe_error(own))
}

fn build_connector(
    policy: ReceiverPolicy,
    connect: Duration,
    authorities: Option<&Path>,
) -> Result<Connector, UpstreamTlsError> {
    let roots = match authorities {
        Some(path) => read_authorities(path)?,
        None => system_authorities().unwrap_or_else(|_| {
            tracing::warn!("no certificate authority of the system: webhooks over https cannot be delivered");
            RootCertStore::empty()
        }),
    };
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let tls = tls.with_safe_default_protocol_versions()?.with_root_certificates(roots).with_no_client_auth();
    let tcp = service_fn(move |uri: Uri| async move {
        Ok::<_, BoxError>(TokioIo::new(connect_checked(&uri, policy, connect).await?))
    });
    let https = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1();
    let https = https.wrap_connector(tcp);
    let connector = service_fn(move |uri: Uri| https.clone().oneshot(uri));
    Ok(BoxCloneSyncService::new(connector))
}

/// Resolves a name, and connects to one of its addresses that is allowed: a name that is resolved differently a moment
/// later is no way around the check.
async fn connect_checked(
    uri: &Uri,
    policy: ReceiverPolicy,
    connect: Duration,
) -> Result<TcpStream, ConnectError> {
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    let port = uri.port_u16().unwrap_or(if uri.scheme_str() == Some("http") { 80 } else { 443 });
    let resolved = timeout(connect, tokio::net::lookup_host((host, port))).await;
    let resolved = resolved.map_err(|_| ConnectError::Timeout)?.map_err(ConnectError::Resolve)?;
    let mut failure = ConnectError::NotPublic;
    for address in resolved.filter(|address| policy.allows(address.ip())) {
        match timeout(connect, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Ok(Err(error)) => failure = ConnectError::Connect(error),
            Err(_) => failure = ConnectError::Timeout,
        }
    }
    Err(failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_names_seconds_or_a_date() {
        let now = "2026-09-07T12:00:00Z".parse().unwrap();
        let of = |text: &'static str| {
            retry_after(&HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static(text))]), now)
        };
        assert_eq!(of("120"), Some(Duration::from_secs(120)));
        assert_eq!(of("Mon, 07 Sep 2026 12:01:00 GMT"), Some(Duration::from_secs(60)));
        for text in ["-1", "soon", "", "Mon, 07 Sep 2026 11:59:00 GMT"] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
