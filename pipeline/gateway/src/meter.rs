//! An account's counter, shared by its requests, and the way they wait for a portion.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::books::Books;
use crate::counter::{Counter, Grant, Standing, Take, Tally, Wanted};
use crate::directory::Holder;
use crate::window::Window;

/// How long a request waits for the store.
const PATIENCE: Duration = Duration::from_secs(1);

/// Counts one account's requests.
#[derive(Debug)]
pub(crate) struct Meter {
    pub(crate) account_id: i64,
    state: Mutex<State>,
    /// Told when a portion has come, or none could be had.
    moved: Notify,
}

#[derive(Debug, Default)]
struct State {
    counter: Counter,
    /// A portion is being reserved.
    is_asking: bool,
    /// How often none could be had.
    failures: u64,
}

/// A request that was let through.
#[derive(Debug)]
pub(crate) struct Taken<'a> {
    holder: &'a Holder,
    month: Window,
    tally: Tally,
    pub(crate) standing: Standing,
    pub(crate) has_waited: bool,
}

/// Why a request was not let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    RateLimited(Standing),
    QuotaExceeded(Standing),
    /// The store could not be asked: nobody knows.
    Unaccounted,
}

impl Meter {
    pub(crate) fn of(account_id: i64) -> Self {
        Self { account_id, state: Mutex::default(), moved: Notify::new() }
    }

    /// Takes a request of this key for this operation that came at this time, waiting for a portion where there is
    /// none. One that came later may be counted first: the counter sees that as a clock that stepped back.
    pub(crate) async fn take<'a>(
        holder: &'a Holder,
        operation: &'static str,
        mut now: DateTime<Utc>,
        books: &Books,
    ) -> Result<Taken<'a>, Refused> {
        let meter = &holder.meter;
        let (mut deadline, mut failures) = (None, None);
        loop {
            // Before the state is looked at, so that nothing that comes in between is missed.
            let moved = meter.moved.notified();
            {
                let mut state = meter.state();
                if state.failures > *failures.get_or_insert(state.failures) {
                    return Err(Refused::Unaccounted);
                }
                match state.counter.take(holder.key_id, operation, holder.limits, now) {
                    Take::Taken { standing, tally, top_up } => {
                        state.ask(meter, top_up, books);
                        let month = standing.month.window;
                        let has_waited = deadline.is_some();
                        return Ok(Taken { holder, month, tally, standing, has_waited });
                    }
                    Take::RateLimited(standing) => return Err(Refused::RateLimited(standing)),
                    Take::QuotaExceeded(standing) => return Err(Refused::QuotaExceeded(standing)),
                    Take::Needs(needs) => state.ask(meter, needs, books),
                }
            }
            let deadline = *deadline.get_or_insert_with(|| Instant::now() + PATIENCE);
            if tokio::time::timeout_at(deadline, moved).await.is_err() {
                return Err(Refused::Unaccounted);
            }
            now = books.now();
        }
    }

    /// What stands, for answers to requests that were not taken.
    pub(crate) fn standing(holder: &Holder, now: DateTime<Utc>) -> Standing {
        holder.meter.state().counter.standing(holder.limits, now)
    }

    /// A portion has come.
    pub(crate) fn add(&self, grants: impl IntoIterator<Item = Grant>, now: DateTime<Utc>) {
        let mut state = self.state();
        grants.into_iter().for_each(|grant| state.counter.add(grant, now));
        state.is_asking = false;
        drop(state);
        self.moved.notify_waiters();
    }

    /// None could be had.
    pub(crate) fn fail(&self) {
        let mut state = self.state();
        state.is_asking = false;
        state.failures += 1;
        drop(state);
        self.moved.notify_waiters();
    }

    /// Looks at the counter itself.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&mut Counter) -> T) -> T {
        look(&mut self.state().counter)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Asks once for all that wait.
    fn ask(&mut self, meter: &Arc<Meter>, wanted: Vec<Wanted>, books: &Books) {
        if !wanted.is_empty() && !self.is_asking {
            self.is_asking = books.ask(Arc::clone(meter), wanted);
            self.failures += u64::from(!self.is_asking);
        }
    }
}

impl Taken<'_> {
    /// Gives it back: its answer does not count. Returns what stands then.
    pub(crate) fn give_back(&self, now: DateTime<Utc>) -> Standing {
        let mut state = self.holder.meter.state();
        state.counter.give_back(self.tally, self.month);
        state.counter.standing(self.holder.limits, now)
    }
}
