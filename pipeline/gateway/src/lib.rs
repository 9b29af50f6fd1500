//! The commercial API gateway in front of the canonical hosts: authentication, plans, rate limits, quotas, proxying.
//!
//! ```text
//! serve                       starts and stops the gateway
//! gateway                     handles one request
//! credential, key_index       the key of a request, and whose it is
//! key, scope, plan            the format of keys; what keys of leads may do; prices and limits of the plans
//! product                     the API that the gateway stands before: MMA, or the multi-sport catalog
//! entitlement                 the operation of a request, and the plans that may make it
//! rate_limiter, window        requests per UTC minute and month, counted against reservations; pure
//! usage_tracker, accounting   the rate limiter of each account, and the thread that reserves and flushes usage
//! database                    SQLite or PostgreSQL: addresses, settings, migrations
//! store                       accounts, keys and usage, in SQLite or PostgreSQL
//! address_limiter             limits refusals by IP address
//! headers                     headers that pass in either direction, and the gateway's own
//! upstream                    load balancing, timeouts, retries and health checks
//! download                    files of tables, whose bytes are counted
//! event_stream                streams of events, which end when the gateway stops
//! account_usage               `GET /v1/account/usage`
//! account_webhooks            `GET /v1/account/webhooks`
//! webhooks                    changes that are sent to endpoints of accounts
//! admin, metrics              health and metrics
//! ```
//!
//! Requests are refused in this order: URL and form (400), key (401), plan (403), rate limit, quota (429). All others
//! are sent to an upstream, and the body of its response is passed on byte for byte.

mod account_usage;
mod account_webhooks;
mod accounting;
pub mod address_limiter;
mod admin;
mod credential;
pub mod database;
mod download;
mod entitlement;
mod event_stream;
mod gateway;
mod gateway_collector;
mod headers;
pub mod key;
mod key_index;
mod metrics;
pub mod plan;
mod product;
mod rate_limiter;
pub mod scope;
mod serve;
pub mod store;
mod upstream;
mod usage_tracker;
pub mod webhooks;
pub mod window;

pub use credential::{presented_key, reject_key_in_url};
pub use entitlement::AmbiguousPath;
pub use fdna_api::Failure;
pub use fdna_http::{BadOrigin, Clock, ConnectionLimits, Cors, shutdown_signal};
pub use headers::GATEWAY_VERSION;
pub use hyper::header::HeaderValue;
pub use product::{CatalogRouteAccess, CatalogRoutes, ServedProduct};
pub use serve::{GatewayError, Options, REFUSALS_PER_MINUTE, serve};
pub use upstream::{InvalidUpstream, Timeouts, UpstreamTlsError};
