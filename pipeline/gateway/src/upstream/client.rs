//! The HTTP client: hyper-util's, over TCP or TLS, with a pool of idle connections.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use fdna_http::upstream_timeouts::HOST_ANSWER_TIMEOUT;
use http_body_util::Empty;
use hyper::Uri;
use hyper_rustls::{HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};
use tower::util::BoxCloneSyncService;
use tower::{ServiceExt as _, service_fn};

/// Timeouts of requests to upstreams and of the connections to them.
#[derive(Debug, Clone)]
pub struct Timeouts {
    pub connect: Duration,
    pub tls_handshake: Duration,
    /// Until the head and the first bytes of the body have arrived, for each attempt. Longer than a canonical host
    /// waits for what it loads, so that the host itself responds that it is not ready.
    pub response: Duration,
    /// Between two frames of a body.
    pub body_frame: Duration,
    /// Between two health checks of an upstream.
    pub health_check_interval: Duration,
    /// After which an idle connection is closed: before the canonical host closes it, after a minute.
    pub idle_connection: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_millis(250),
            tls_handshake: Duration::from_secs(2),
            response: HOST_ANSWER_TIMEOUT,
            body_frame: Duration::from_secs(5),
            health_check_interval: Duration::from_millis(500),
            idle_connection: Duration::from_secs(30),
        }
    }
}

/// Idle connections that are kept to each upstream.
const MAX_IDLE_CONNECTIONS: usize = 512;

/// The read buffer, and so the size of a response head, of which hyper may read somewhat more before it refuses it.
const MAX_BUFFER_BYTES: usize = 64 * 1024;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

type Connector = BoxCloneSyncService<Uri, MaybeHttpsStream<TokioIo<TcpStream>>, BoxError>;

pub(super) type HttpClient = Client<Connector, Empty<Bytes>>;

/// Why the certificates of upstreams cannot be verified.
#[derive(Debug, thiserror::Error)]
pub enum UpstreamTlsError {
    #[error("cannot read the certificate authorities in {}", path.display())]
    Read { path: PathBuf, source: pem::Error },
    #[error("no certificate authority {place}")]
    None { place: String },
    #[error("cannot use the certificate authorities")]
    Use(#[from] rustls::Error),
}

/// A client that retries a request by itself only while nothing of it was sent.
pub(super) fn build_client(
    has_tls: bool,
    ca: Option<&Path>,
    timeouts: &Timeouts,
) -> Result<HttpClient, UpstreamTlsError> {
    let mut tcp = HttpConnector::new();
    tcp.set_connect_timeout(Some(timeouts.connect));
    tcp.set_nodelay(true);
    tcp.set_keepalive(Some(timeouts.idle_connection));
    tcp.enforce_http(false);
    let roots = match ca {
        _ if !has_tls => RootCertStore::empty(),
        Some(path) => read_authorities(path)?,
        None => system_authorities()?,
    };
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let tls = tls.with_safe_default_protocol_versions()?.with_root_certificates(roots).with_no_client_auth();
    let https = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1();
    let https = https.wrap_connector(tcp);
    // The TCP connector's timeout covers neither name resolution nor the handshake.
    let limit = timeouts.connect + timeouts.tls_handshake;
    let connector = service_fn(move |uri: Uri| {
        let connecting = https.clone().oneshot(uri);
        async move { tokio::time::timeout(limit, connecting).await? }
    });
    let mut builder = Client::builder(TokioExecutor::new());
    builder
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(timeouts.idle_connection)
        .pool_max_idle_per_host(MAX_IDLE_CONNECTIONS)
        .http1_max_buf_size(MAX_BUFFER_BYTES);
    Ok(builder.build(BoxCloneSyncService::new(connector)))
}

pub(crate) fn read_authorities(path: &Path) -> Result<RootCertStore, UpstreamTlsError> {
    let failed = |source| UpstreamTlsError::Read { path: path.to_owned(), source };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(failed)? {
        roots.add(certificate.map_err(failed)?)?;
    }
    let place = || format!("in {}", path.display());
    if roots.is_empty() { Err(UpstreamTlsError::None { place: place() }) } else { Ok(roots) }
}

pub(crate) fn system_authorities() -> Result<RootCertStore, UpstreamTlsError> {
    let found = rustls_native_certs::load_native_certs();
    for error in &found.errors {
        tracing::warn!(%error, "a certificate authority of the system was not read");
    }
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    let place = || "of the system: `--upstream-ca` names a file of them".to_owned();
    if roots.is_empty() { Err(UpstreamTlsError::None { place: place() }) } else { Ok(roots) }
}
