//! Asks the sources that have an HTTP address, politely, and hands over what came whole.
//!
//! What is asked, how often and under which name is the operator's file, [`FetchPlan`]. Nothing is crawled: only the
//! addresses in the plan are asked, each once a turn, and no link is followed but a redirect. Whether a site
//! may be asked is not decided here either: the plan must state, for each source, the terms that allow it and
//! what the site's robots.txt says of these addresses, in the operator's own words; without them nothing is
//! asked.
//!
//! A source is all its files or nothing: each of them came whole and is accounted for, or the turn failed. This
//! crate knows no lake and no clock: what it had last time is given to it as [`CacheValidators`], time and waiting
//! as a [`Environment`].

mod ask;
mod backoff;
mod client;
mod plan;

use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Utc};

pub use ask::{HostRates, fetch_source};
pub use plan::{FetchPlan, FilePlan, PlanError, ProxyRule, SourcePlan};

/// Time, as the program that fetches has it.
pub trait Environment {
    fn now(&self) -> DateTime<Utc>;

    /// Returns when so much time has gone by.
    fn wait_for(&self, time: Duration);

    /// A number that nobody can tell beforehand, so that many who failed together do not come back together.
    fn random_number(&self) -> u64;
}

/// Validators of the last answer for a file that is still there: with them it is fetched only if it changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CacheValidators {
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

impl CacheValidators {
    /// Without one of them an answer cannot be conditional.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// A file as its address gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedBody {
    /// Name in the capture.
    pub file: String,
    /// `None` if it is still what it was (304).
    pub body: Option<Bytes>,
    pub validators: CacheValidators,
    pub status: u16,
    /// Requests that it took, redirects aside.
    pub attempts: u32,
}

/// Why a source gives no capture this time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot fetch `{file}` of {origin} from {address}: {reason} ({attempts} attempts)")]
pub struct FetchFailure {
    pub origin: String,
    pub file: String,
    /// Without its query, which may hold a key.
    pub address: String,
    pub reason: String,
    pub attempts: u32,
    /// Until when the host asked to be left alone, where that is longer than this turn waits.
    pub not_before: Option<DateTime<Utc>>,
}
