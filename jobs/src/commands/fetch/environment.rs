//! The time of a fetch: that of the program, going on from where it began.

use std::cell::Cell;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use fdna_fetch::Environment;

pub(super) struct SystemClock {
    /// When the program began, by the clock and by the counter that no one sets back.
    began: (DateTime<Utc>, Instant),
    chance: Cell<u64>,
}

impl SystemClock {
    pub(super) fn new(now: DateTime<Utc>) -> Self {
        let seed = now.timestamp_micros().unsigned_abs() ^ u64::from(std::process::id());
        Self { began: (now, Instant::now()), chance: Cell::new(seed) }
    }
}

impl Environment for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        let gone = TimeDelta::from_std(self.began.1.elapsed()).unwrap_or_default();
        self.began.0 + gone
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "fetching waits for its turn, and there is nothing else to do"
    )]
    fn wait_for(&self, time: Duration) {
        std::thread::sleep(time);
    }

    /// The next of a sequence (splitmix64) that began with the time and the process.
    fn random_number(&self) -> u64 {
        let state = self.chance.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.chance.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
