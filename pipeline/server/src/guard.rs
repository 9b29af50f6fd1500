//! Refuses requests before any route sees them.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use axum::http::header::{HeaderValue, WWW_AUTHENTICATE};
use axum::middleware::Next;
use fdna_api::{ApiInfo, ErrorCode, Failure, MMA_API};
use fdna_http::{PeerAddress, X_GATEWAY_REQUEST_ID, awaited_under, guard, without_body};
use uuid::Uuid;

use crate::respond;
use crate::serving_state::ServingState;

/// Refuses a request that is not in normal form, or without the key of what is served, if that has one. Balancers
/// may ask without whether the server lives.
pub(crate) async fn guard(
    State(served): State<Option<Arc<ServingState>>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let id = served.as_deref().and_then(|served| request_id(&request, served));
    awaited_under(id, async {
        // Browsers ask whether a page may ask before they send a key.
        let preflight = served.as_deref().and_then(|served| served.cors().answer_preflight(&request));
        match preflight.or_else(|| refused(served.as_deref(), &request)) {
            Some(refused) => without_body(request.method(), refused),
            None => next.run(request).await,
        }
    })
    .await
}

/// The id that a gateway gave a request, taken as its word for a client is.
fn request_id(request: &Request, served: &ServingState) -> Option<Uuid> {
    let id = request.headers().get(X_GATEWAY_REQUEST_ID)?;
    let is_near = || {
        let peer = request.extensions().get::<PeerAddress>();
        peer.is_some_and(|peer| peer.0.ip().to_canonical().is_loopback())
    };
    let is_gateway = if served.has_key() { served.admits(request.headers()) } else { is_near() };
    if is_gateway { id.to_str().ok().and_then(|id| Uuid::try_parse(id).ok()) } else { None }
}

fn refused(served: Option<&ServingState>, request: &Request) -> Option<Response<Body>> {
    let api = served.map_or(&MMA_API, ServingState::api);
    if let Err(failure) = guard::check_request(request) {
        return Some(respond::failure(&failure.by(api), None));
    }
    let is_open = matches!(request.uri().path(), "/healthz" | "/readyz");
    let is_admitted = is_open || served.is_none_or(|served| served.admits(request.headers()));
    (!is_admitted).then(|| unauthorized(api))
}

fn unauthorized(api: &'static ApiInfo) -> Response<Body> {
    let why = "This server needs its key: send Authorization: Bearer <key>";
    let mut refused = respond::failure(&Failure::new(ErrorCode::Unauthorized, why).by(api), None);
    let realm = HeaderValue::from_static("Bearer realm=\"fightdna\"");
    refused.headers_mut().insert(WWW_AUTHENTICATE, realm);
    refused
}
