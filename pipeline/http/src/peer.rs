//! Address of the client.

use std::net::SocketAddr;

use hyper::header::HeaderName;

/// The other end of a request's connection: an extension of every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerAddress(pub SocketAddr);

/// By this a gateway tells a canonical host for whom it asks, such as an account: text of at most 64 visible characters.
/// What is rationed by client is rationed by it. A client's own header of this name never gets past a gateway, which
/// forwards nothing that begins with `x-gateway`.
pub const X_GATEWAY_CLIENT: HeaderName = HeaderName::from_static("x-gateway-client");

/// By this a gateway tells a canonical host under which id it answers the client: a UUID. Taken from where the name of a
/// client is taken, so that both log and answer under one id.
pub const X_GATEWAY_REQUEST_ID: HeaderName = HeaderName::from_static("x-gateway-request-id");
