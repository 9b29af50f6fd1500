//! Counts the requests of one account, which wait here for a reservation when there is none.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::accounting::Accounting;
use crate::key_index::ApiKeyIdentity;
use crate::rate_limiter::{Admission, Grant, LimitStatus, RateLimiter, ReservationRequest, UsageKey};
use crate::window::Window;

/// How long a request waits for a reservation.
const RESERVATION_TIMEOUT: Duration = Duration::from_secs(1);

/// The rate limiter of one account, shared by its requests.
#[derive(Debug)]
pub(crate) struct UsageTracker {
    pub(crate) account_id: i64,
    state: Mutex<TrackerState>,
    /// Notified when a grant has arrived, or a reservation has failed.
    grant_arrived: Notify,
}

#[derive(Debug, Default)]
struct TrackerState {
    limiter: RateLimiter,
    is_reserving: bool,
    failed_reservations: u64,
}

/// A request that was counted.
#[derive(Debug)]
pub(crate) struct AdmittedRequest<'a> {
    identity: &'a ApiKeyIdentity,
    month: Window,
    pub(crate) usage_key: UsageKey,
    pub(crate) limits: LimitStatus,
}

/// Why a request was not admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AdmissionError {
    RateLimited(LimitStatus),
    QuotaExceeded(LimitStatus),
    /// The store did not respond.
    Unavailable,
}

impl UsageTracker {
    pub(crate) fn new(account_id: i64) -> Self {
        Self { account_id, state: Mutex::default(), grant_arrived: Notify::new() }
    }

    /// Counts a request that was received at `now`, and waits for a reservation if there is none. A later request may be
    /// counted first, which the rate limiter takes for a clock that was set back.
    pub(crate) async fn admit_request<'a>(
        self: &Arc<Self>,
        identity: &'a ApiKeyIdentity,
        operation: &'static str,
        mut now: DateTime<Utc>,
        accounting: &Accounting,
    ) -> Result<AdmittedRequest<'a>, AdmissionError> {
        let (mut deadline, mut failures) = (None, None);
        loop {
            // Registered before the state is read, so that no notification in between is missed.
            let grant_arrived = self.grant_arrived.notified();
            {
                let mut state = self.lock_state();
                if state.failed_reservations > *failures.get_or_insert(state.failed_reservations) {
                    return Err(AdmissionError::Unavailable);
                }
                match state.limiter.admit_request(identity.key_id, operation, identity.limits, now) {
                    Admission::Admitted { status, usage_key, top_up } => {
                        state.start_reservation(self, top_up, accounting);
                        let month = status.month.window;
                        return Ok(AdmittedRequest { identity, month, usage_key, limits: status });
                    }
                    Admission::RateLimited(limits) => return Err(AdmissionError::RateLimited(limits)),
                    Admission::QuotaExceeded(limits) => return Err(AdmissionError::QuotaExceeded(limits)),
                    Admission::NeedsReservation(requests) => {
                        state.start_reservation(self, requests, accounting)
                    }
                }
            }
            let deadline = *deadline.get_or_insert_with(|| Instant::now() + RESERVATION_TIMEOUT);
            if tokio::time::timeout_at(deadline, grant_arrived).await.is_err() {
                return Err(AdmissionError::Unavailable);
            }
            now = accounting.now();
        }
    }

    /// The limits, for responses to requests that were not counted.
    pub(crate) fn status(identity: &ApiKeyIdentity, now: DateTime<Utc>) -> LimitStatus {
        identity.tracker.lock_state().limiter.status(identity.limits, now)
    }

    /// Bytes of table files that the account was sent in a month.
    pub(crate) fn downloaded(&self, month: Window) -> u64 {
        self.lock_state().limiter.downloaded(month)
    }

    pub(crate) fn add_grants(&self, grants: impl IntoIterator<Item = Grant>, now: DateTime<Utc>) {
        let mut state = self.lock_state();
        grants.into_iter().for_each(|grant| state.limiter.add_grant(grant, now));
        state.is_reserving = false;
        drop(state);
        self.grant_arrived.notify_waiters();
    }

    pub(crate) fn reservation_failed(&self) {
        let mut state = self.lock_state();
        state.is_reserving = false;
        state.failed_reservations += 1;
        drop(state);
        self.grant_arrived.notify_waiters();
    }

    pub(crate) fn with_limiter<T>(&self, work: impl FnOnce(&mut RateLimiter) -> T) -> T {
        work(&mut self.lock_state().limiter)
    }

    fn lock_state(&self) -> MutexGuard<'_, TrackerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TrackerState {
    /// Starts one reservation for all requests that wait.
    fn start_reservation(
        &mut self,
        tracker: &Arc<UsageTracker>,
        requests: Vec<ReservationRequest>,
        accounting: &Accounting,
    ) {
        if !requests.is_empty() && !self.is_reserving {
            self.is_reserving = accounting.send_reservations(Arc::clone(tracker), requests);
            self.failed_reservations += u64::from(!self.is_reserving);
        }
    }
}

impl AdmittedRequest<'_> {
    /// Refunds the request to the month, and returns the limits after that.
    pub(crate) fn refund_request(&self, now: DateTime<Utc>) -> LimitStatus {
        let mut state = self.identity.tracker.lock_state();
        state.limiter.refund_request(self.usage_key, self.month);
        state.limiter.status(self.identity.limits, now)
    }
}
