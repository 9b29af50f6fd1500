//! The commercial host in front of canonical hosts: authentication, entitlement, rate, quota, headers; nothing else.
//!
//! ```text
//! serve              the whole of it             gateway    a request's way
//! plan, key          what plans allow, what keys look like
//! store, books       accounts, keys and usage; the one thread that asks for them
//! window, counter    requests per UTC minute and month, counted against reserved portions; pure
//! directory, meter   whose key it is, and its counter
//! credential, entitlement   which key a request carries, and which plan it needs; refusals   who has too many
//! upstream, retry    canonical hosts: health, choice, connections, retries; reply: what comes of it
//! headers            what passes either way       account   what an account has used
//! operator, metrics  health and numbers
//! ```
//!
//! Requests are refused in this order: address and form (400), key (401), plan (403), rate, then quota (429). What
//! passes goes to a canonical host, and its body comes back byte for byte.

mod account;
mod books;
pub mod counter;
mod credential;
mod directory;
mod entitlement;
mod gateway;
mod headers;
pub mod key;
mod meter;
mod metrics;
mod operator;
pub mod plan;
mod refusals;
mod reply;
mod retry;
mod serve;
pub mod store;
mod upstream;
pub mod window;

pub use entitlement::AmbiguousPath;
pub use fdna_http::{BadOrigin, Clock, Cors};
pub use fdna_http::{Limits, Workers, shutdown_signal};
pub use headers::GATEWAY_VERSION;
pub use hyper::header::HeaderValue;
pub use serve::{GatewayError, Options, REFUSALS_PER_MINUTE, serve};
pub use upstream::{BadUpstream, Patience, UpstreamTlsError};
