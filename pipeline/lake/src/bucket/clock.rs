//! The one clock of the lake. Leases, copies and objects have an age; nothing of it enters a table or an id.

use std::time::SystemTime;

use chrono::{DateTime, Utc};

#[expect(clippy::disallowed_methods, reason = "the age of a lease is that of now, not of when the run began")]
pub(super) fn now() -> SystemTime {
    SystemTime::now()
}

pub(super) fn now_in_utc() -> DateTime<Utc> {
    now().into()
}
