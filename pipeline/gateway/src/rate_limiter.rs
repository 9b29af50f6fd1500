//! Counts an account's requests against parts of its minute and month that were reserved in the store before.
//!
//! Pure: the time and the grants are given by the caller. A request is admitted only from a grant, and grants never sum
//! up to more than the limit, so that no number of gateways, crashes or steps of the clock admits a request too many. A
//! crash loses what was reserved and not used: at most one reservation of each window.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};

use crate::plan::Limits;
use crate::window::{Window, WindowKind};

/// The most that is reserved at a time: at the rate that one gateway reaches, a few commits a second.
const MAX_RESERVATION: u64 = 4096;

/// Reservations from this size on are topped up before they run out.
const MIN_TOP_UP: u64 = 32;

/// Seconds after which another reservation of an exhausted month is tried: another gateway may have refunded some.
const EXHAUSTED_RETRY_SECONDS: i64 = 10;

/// Windows of a kind that are kept: the current one, and the one that a clock which is set back returns to.
const MAX_WINDOWS: usize = 2;

/// Key by which usage is counted, beside the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsageKey {
    pub key_id: i64,
    /// In UTC.
    pub day: NaiveDate,
    /// The operation's name; `none` where no operation has the path.
    pub operation: &'static str,
}

/// What was counted under a [`UsageKey`] since the last flush.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsageCount {
    /// Negative where more requests were refunded than made.
    pub requests: i64,
    /// Bytes of table files that were sent.
    pub bytes: u64,
}

impl UsageCount {
    /// Requests without files.
    #[must_use]
    pub const fn of_requests(requests: i64) -> Self {
        Self { requests, bytes: 0 }
    }

    pub(crate) fn is_zero(self) -> bool {
        self == Self::default()
    }
}

impl std::ops::AddAssign for UsageCount {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.bytes += other.bytes;
    }
}

/// A part of a window to be reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReservationRequest {
    pub window: Window,
    /// The account's limit for the whole window.
    pub limit: u64,
    /// The most that is useful.
    pub amount: u64,
}

/// The part of a window that was reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    pub window: Window,
    /// For this gateway; 0 if the window is exhausted.
    pub granted: u64,
    /// For all gateways, this grant included.
    pub reserved: u64,
}

/// A part of a window that was reserved and not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refund {
    pub window: Window,
    pub count: u64,
}

/// A limit and what remains of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WindowStatus {
    pub(crate) limit: u64,
    pub(crate) remaining: u64,
    pub(crate) window: Window,
}

/// Both limits and what remains of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LimitStatus {
    pub(crate) minute: WindowStatus,
    pub(crate) month: WindowStatus,
}

/// Whether a request is admitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It is counted; `top_up` should be reserved in the background.
    Admitted { status: LimitStatus, usage_key: UsageKey, top_up: Vec<ReservationRequest> },
    /// The minute is exhausted.
    RateLimited(LimitStatus),
    /// The month is exhausted.
    QuotaExceeded(LimitStatus),
    /// It depends on the grants of these.
    NeedsReservation(Vec<ReservationRequest>),
}

/// Size of a grant for a request: less as the window fills, so that several gateways exhaust it at the same time. The
/// stores compute the same in SQL.
pub(crate) fn grant_size(reserved: u64, limit: u64, amount: u64) -> u64 {
    match limit.saturating_sub(reserved) {
        0 => 0,
        left => (left / 4).clamp(1, amount.max(1)),
    }
}

/// The most that is reserved of a limit at a time.
pub(crate) fn max_reservation(kind: WindowKind, limit: u64) -> u64 {
    let share = match kind {
        WindowKind::Minute => limit / 4,
        WindowKind::Month => limit / 1000,
    };
    share.clamp(1, MAX_RESERVATION)
}

/// The grants of one window.
#[derive(Debug, Clone, Copy)]
struct WindowBalance {
    window: Window,
    left: u64,
    /// By all gateways, as of the last grant.
    reserved: u64,
    /// When the store granted nothing, in seconds since 1970.
    exhausted_at: Option<i64>,
}

impl WindowBalance {
    fn new(window: Window) -> Self {
        Self { window, left: 0, reserved: 0, exhausted_at: None }
    }

    /// Nothing is left, and another reservation would be granted nothing.
    fn is_exhausted(&self, now: i64) -> bool {
        let is_recent = |at: i64| (now - at).abs() < EXHAUSTED_RETRY_SECONDS;
        let is_minute = self.window.kind == WindowKind::Minute;
        self.left == 0 && self.exhausted_at.is_some_and(|at| is_minute || is_recent(at))
    }

    fn status(&self, limit: u64) -> WindowStatus {
        let remaining = limit.saturating_sub(self.reserved) + self.left;
        WindowStatus { limit, remaining, window: self.window }
    }

    fn full_reservation(&self, limit: u64) -> ReservationRequest {
        let amount = max_reservation(self.window.kind, limit);
        ReservationRequest { window: self.window, limit, amount }
    }

    /// A large reservation that is nearly used up is topped up.
    fn top_up(&self, limit: u64) -> Option<ReservationRequest> {
        let full = self.full_reservation(limit);
        let is_low = full.amount >= MIN_TOP_UP && self.left < full.amount / 4 && self.exhausted_at.is_none();
        is_low.then(|| ReservationRequest { amount: full.amount - self.left, ..full })
    }
}

/// Counts the requests of one account in this process.
#[derive(Debug, Default)]
pub(crate) struct RateLimiter {
    limits: Option<Limits>,
    minutes: Vec<WindowBalance>,
    months: Vec<WindowBalance>,
    /// Since the last drain.
    usage: BTreeMap<UsageKey, UsageCount>,
    /// A month and the bytes of files that all gateways had sent in it at the last flush.
    downloaded: Option<(Window, u64)>,
    refunds: Vec<Refund>,
}

impl RateLimiter {
    /// Counts a request against both current windows, or against neither.
    pub(crate) fn admit_request(
        &mut self,
        key_id: i64,
        operation: &'static str,
        limits: Limits,
        now: DateTime<Utc>,
    ) -> Admission {
        self.set_limits(limits);
        let (minute, month) = (self.balance(Window::minute_of(now)), self.balance(Window::month_of(now)));
        let status =
            LimitStatus { minute: minute.status(limits.per_minute), month: month.status(limits.per_month) };
        if minute.is_exhausted(now.timestamp()) {
            return Admission::RateLimited(status);
        }
        // Only when the minute is known not to be exhausted: the rate limit is reported first.
        if minute.left > 0 && month.is_exhausted(now.timestamp()) {
            return Admission::QuotaExceeded(status);
        }
        let both = [(minute, limits.per_minute), (month, limits.per_month)];
        let needed = both
            .iter()
            .filter(|(balance, _)| balance.left == 0 && !balance.is_exhausted(now.timestamp()))
            .map(|(balance, limit)| balance.full_reservation(*limit));
        let needed: Vec<ReservationRequest> = needed.collect();
        if !needed.is_empty() {
            return Admission::NeedsReservation(needed);
        }
        let usage_key = UsageKey { key_id, day: now.date_naive(), operation };
        self.usage.entry(usage_key).or_default().requests += 1;
        let mut top_up = Vec::new();
        let [minute, month] = both.map(|(balance, limit)| {
            let balance = self.balance_mut(balance.window);
            balance.left -= 1;
            top_up.extend(balance.top_up(limit));
            balance.status(limit)
        });
        Admission::Admitted { status: LimitStatus { minute, month }, usage_key, top_up }
    }

    pub(crate) fn add_grant(&mut self, grant: Grant, now: DateTime<Utc>) {
        let balance = self.balance_mut(grant.window);
        balance.left += grant.granted;
        balance.reserved = grant.reserved;
        balance.exhausted_at = (grant.granted == 0).then_some(now.timestamp());
    }

    /// Refunds a request to the month; it stays counted in the minute.
    pub(crate) fn refund_request(&mut self, usage_key: UsageKey, month: Window) {
        self.usage.entry(usage_key).or_default().requests -= 1;
        match self.months.iter_mut().find(|balance| balance.window == month) {
            Some(balance) => balance.left += 1,
            None => self.refunds.push(Refund { window: month, count: 1 }),
        }
    }

    pub(crate) fn status(&self, limits: Limits, now: DateTime<Utc>) -> LimitStatus {
        LimitStatus {
            minute: self.balance(Window::minute_of(now)).status(limits.per_minute),
            month: self.balance(Window::month_of(now)).status(limits.per_month),
        }
    }

    /// Counts bytes of a table file.
    pub(crate) fn add_download(&mut self, usage_key: UsageKey, bytes: u64) {
        self.usage.entry(usage_key).or_default().bytes += bytes;
    }

    /// Sets the bytes that the store has of a month.
    pub(crate) fn set_downloaded(&mut self, month: Window, bytes: u64) {
        self.downloaded = Some((month, bytes));
    }

    /// Bytes of files in a month: those in the store, and those since the last drain. While a flush is on its way its
    /// bytes are missing, as are those that other gateways sent within the last second.
    pub(crate) fn downloaded(&self, month: Window) -> u64 {
        let stored = self.downloaded.filter(|(known, _)| *known == month).map_or(0, |(_, bytes)| bytes);
        let is_of_month = |key: &UsageKey| Window::month_of_day(key.day) == month;
        let since = self.usage.iter().filter(|(key, _)| is_of_month(key)).map(|(_, count)| count.bytes);
        stored + since.sum::<u64>()
    }

    /// Takes out usage and refunds since the last call.
    pub(crate) fn drain_usage(&mut self) -> (BTreeMap<UsageKey, UsageCount>, Vec<Refund>) {
        (std::mem::take(&mut self.usage), std::mem::take(&mut self.refunds))
    }

    /// Refunds all grants.
    pub(crate) fn refund_grants(&mut self) {
        let all = self.minutes.drain(..).chain(self.months.drain(..)).filter(|balance| balance.left > 0);
        self.refunds.extend(all.map(|balance| Refund { window: balance.window, count: balance.left }));
    }

    /// The grants under other limits are refunded.
    fn set_limits(&mut self, limits: Limits) {
        if self.limits.replace(limits).is_some_and(|previous| previous != limits) {
            self.refund_grants();
        }
    }

    fn balance(&self, window: Window) -> WindowBalance {
        let balances = match window.kind {
            WindowKind::Minute => &self.minutes,
            WindowKind::Month => &self.months,
        };
        let known = balances.iter().find(|balance| balance.window == window);
        known.copied().unwrap_or_else(|| WindowBalance::new(window))
    }

    /// Adds the window if it is new; the oldest of too many is removed, and what is left of it refunded.
    fn balance_mut(&mut self, window: Window) -> &mut WindowBalance {
        let balances = match window.kind {
            WindowKind::Minute => &mut self.minutes,
            WindowKind::Month => &mut self.months,
        };
        let index = balances.iter().position(|balance| balance.window == window);
        let index = index.unwrap_or_else(|| {
            if balances.len() >= MAX_WINDOWS {
                let oldest = balances.remove(0);
                let refund = Refund { window: oldest.window, count: oldest.left };
                self.refunds.extend((oldest.left > 0).then_some(refund));
            }
            balances.push(WindowBalance::new(window));
            balances.len() - 1
        });
        &mut balances[index]
    }
}

#[cfg(test)]
mod tests;
