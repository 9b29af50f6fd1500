//! Times of writes. Each write of a process has a later one than those before it, and a list by time ends before the first that
//! is not yet committed: who pages by time misses no lead that is written meanwhile.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use fdna_http::Clock;

use super::{LeadStore, from_micros, to_micros};

/// A clock that is so many microseconds behind the last write was set back.
const SET_BACK: i64 = 1_000_000;

/// Times that were given to writes.
#[derive(Debug, Default)]
pub(super) struct WriteTimes(Mutex<GivenTimes>);

#[derive(Debug, Default)]
struct GivenTimes {
    last: i64,
    under_way: BTreeSet<i64>,
}

/// The time of a write, which is under way until this is dropped.
#[derive(Debug)]
pub struct WriteTime {
    first: i64,
    times: Arc<WriteTimes>,
}

impl WriteTimes {
    fn given(&self) -> MutexGuard<'_, GivenTimes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Before which all that is written is committed; `None` where no write is under way.
    pub(super) fn first_under_way(&self) -> Option<i64> {
        self.given().under_way.first().copied()
    }
}

impl WriteTime {
    #[must_use]
    pub fn at(&self) -> DateTime<Utc> {
        from_micros(self.first).unwrap_or_default()
    }
}

impl Drop for WriteTime {
    fn drop(&mut self) {
        self.times.given().under_way.remove(&self.first);
    }
}

impl LeadStore {
    /// The time of a write of so many leads, each of which has one microsecond of its own.
    #[must_use]
    pub fn begin_write(&self, clock: &Clock, leads: usize) -> Arc<WriteTime> {
        let times = Arc::clone(&self.state.times);
        let mut given = times.given();
        let now = to_micros(clock.now());
        // A clock that was set back is believed.
        let first = if given.last - now < SET_BACK { now.max(given.last + 1) } else { now };
        given.last = first + i64::try_from(leads.max(1) - 1).unwrap_or_default();
        given.under_way.insert(first);
        drop(given);
        Arc::new(WriteTime { first, times })
    }
}

/// The time of the lead in this place.
pub(super) fn time_of(at: DateTime<Utc>, place: usize) -> DateTime<Utc> {
    at + TimeDelta::microseconds(i64::try_from(place).unwrap_or_default())
}
