//! The protocol over HTTP, without sessions: every request stands alone, and every answer is JSON.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{HeaderValue, WWW_AUTHENTICATE};
use axum::http::{Response, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::routing::get;
use fdna_api::{ErrorCode, Failure};
use fdna_http::{
    AccessLog, ConnectionLimits, OperationSlot, Server, Tls, failure_response, guard, request_id,
};
use fdna_server::{KeyFile, RequestObserver};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use crate::McpServer;

/// Bytes of a request, at most: a query in SQL is the longest.
const MAX_REQUEST_BYTES: usize = 256 << 10;

/// From the head of a request to its answer, at most: a first answer waits for a snapshot to be loaded.
const MAX_WAIT: Duration = Duration::from_secs(120);

/// The one address of the protocol.
const PATH: &str = "/mcp";

/// How to serve.
pub struct HttpOptions {
    pub listener: TcpListener,
    pub limits: ConnectionLimits,
    /// Keys of which everyone must have one who is to be answered.
    pub key: Arc<KeyFile>,
    pub tls: Option<Arc<Tls>>,
    pub access_log: Option<Arc<AccessLog>>,
    /// Names and addresses by which this server is reached, beside those of this machine.
    pub hosts: Vec<String>,
    /// Origins of web pages that may ask; any other request with an `Origin` is refused.
    pub origins: Vec<String>,
}

/// Serves until `shutdown`, then lets requests in flight finish.
///
/// # Errors
/// The listener broke.
pub async fn serve_http(
    server: McpServer,
    options: HttpOptions,
    shutdown: impl Future<Output = ()>,
) -> Result<(), fdna_http::ServeError> {
    let HttpOptions { listener, limits, key, tls, access_log, hosts, origins } = options;
    let following = tokio::spawn(Arc::clone(&key).follow());
    let mut http = Server::new(listener, limits);
    if let Some(tls) = tls {
        http = http.with_tls(tls);
    }
    let observer = RequestObserver::new(access_log, ["mcp"].into_iter());
    let served =
        http.observed_by(Arc::new(observer)).serve(router(server, key, hosts, origins), shutdown).await;
    following.abort();
    served
}

fn router(server: McpServer, key: Arc<KeyFile>, hosts: Vec<String>, origins: Vec<String>) -> Router {
    let mut config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .with_max_request_body_bytes(MAX_REQUEST_BYTES)
        .with_allowed_origins(origins)
        .enforce_origin_validation();
    config.allowed_hosts.extend(hosts);
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    Router::new()
        .route_service(PATH, service)
        .route("/healthz", get(async || (StatusCode::OK, "ok\n")))
        .fallback(async || refuse(ErrorCode::NotFound, "The protocol is spoken at POST /mcp"))
        .layer(from_fn_with_state(key, admit))
}

/// Refuses a request that someone in front could read in another way, and one without a key.
async fn admit(State(key): State<Arc<KeyFile>>, request: Request, next: Next) -> Response<Body> {
    let is_normal = guard::has_one_host(&request)
        && !guard::has_repeated_credential(request.headers())
        && guard::is_normal(request.uri().path());
    if !is_normal {
        return refuse(
            ErrorCode::InvalidRequest,
            "The request must name one Host, one credential, and a path in normal form",
        );
    }
    let is_open = request.uri().path() == "/healthz";
    if !is_open && !key.admits(request.headers()) {
        let mut refused =
            refuse(ErrorCode::Unauthorized, "This server needs its key: send Authorization: Bearer <key>");
        let realm = HeaderValue::from_static("Bearer realm=\"fightdna\"");
        refused.headers_mut().insert(WWW_AUTHENTICATE, realm);
        return refused;
    }
    // A body that comes a byte at a time holds nobody for ever.
    let Ok(mut response) = tokio::time::timeout(MAX_WAIT, next.run(request)).await else {
        return refuse(ErrorCode::Overloaded, "The request took longer than two minutes");
    };
    response.extensions_mut().insert(OperationSlot(0));
    response
}

fn refuse(code: ErrorCode, why: &str) -> Response<Body> {
    failure_response(&Failure::new(code, why), request_id())
}
