//! The commercial host in front of canonical hosts: authentication, entitlement, rate, quota, headers; nothing else.
//!
//! ```text
//! plan, key          what plans allow, what keys look like
//! store, books       accounts, keys and usage; the one thread that asks for them
//! window, counter    requests per UTC minute and month, counted against reserved portions; pure
//! directory, meter   whose key it is, and its counter
//! entitlement        what a request asks for, by the one list of operations
//! ```
//!
//! Requests are refused in this order: address and form (400), key (401), plan (403), rate, then quota (429). What
//! passes goes to a canonical host, and its body comes back byte for byte.

pub mod books;
mod clock;
pub mod counter;
pub mod credential;
pub mod directory;
pub mod entitlement;
pub mod key;
mod meter;
pub mod plan;
pub mod store;
pub mod window;

pub use clock::Clock;
