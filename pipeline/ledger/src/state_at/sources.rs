//! Availability of sources at a time, and the groups without any.

use chrono::{DateTime, Utc};
use fdna_schemas::SourceGroup;
use serde::{Serialize, Serializer};

use crate::history::CaptureHistory;
use crate::value::instant_text;

/// Status of a source in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceStatus {
    pub name: String,
    /// `available`, `stale` or `unavailable`.
    pub status: String,
    /// Why it is not available: `overdue`, `never_captured` or `no_licensed_source`.
    pub reason: Option<String>,
    /// `captured_at` of its newest capture.
    #[serde(serialize_with = "optional_instant")]
    pub checked_at: Option<DateTime<Utc>>,
}

#[expect(clippy::ref_option, reason = "the shape that serde calls")]
fn optional_instant<S: Serializer>(at: &Option<DateTime<Utc>>, to: S) -> Result<S::Ok, S::Error> {
    at.map(instant_text).serialize(to)
}

/// Sources that a state is made of.
const ASKED: [(&str, SourceGroup); 6] = [
    ("schedule", SourceGroup::Schedule),
    ("statistics", SourceGroup::Statistics),
    ("rankings", SourceGroup::Rankings),
    ("wire", SourceGroup::Wire),
    ("articles", SourceGroup::Editorial),
    ("videos", SourceGroup::Videos),
];

/// Sources that nobody has licensed to us: nothing is put in their place.
const NOT_LICENSED: [&str; 4] = ["weigh_in", "odds", "market", "model"];

/// Every source at a time.
pub(crate) fn sources_at(captures: &CaptureHistory, at: DateTime<Utc>) -> Vec<SourceStatus> {
    let available = ASKED.iter().map(|(name, group)| status_at(captures, name, *group, at));
    let not_licensed =
        NOT_LICENSED.iter().map(|name| build_status(name, "unavailable", Some("no_licensed_source"), None));
    available.chain(not_licensed).collect()
}

fn status_at(captures: &CaptureHistory, name: &str, group: SourceGroup, at: DateTime<Utc>) -> SourceStatus {
    match captures.newest_of(group, at) {
        None => build_status(name, "unavailable", Some("never_captured"), None),
        newest if captures.is_overdue(group, at) => build_status(name, "stale", Some("overdue"), newest),
        newest => build_status(name, "available", None, newest),
    }
}

fn build_status(
    name: &str,
    status: &str,
    reason: Option<&str>,
    checked_at: Option<DateTime<Utc>>,
) -> SourceStatus {
    let (name, status, reason) = (name.to_owned(), status.to_owned(), reason.map(str::to_owned));
    SourceStatus { name, status, reason, checked_at }
}
