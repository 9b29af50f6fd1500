//! Counts an account's requests here, against portions of its minute and month that were reserved before.
//!
//! Pure: the time and the portions are given from outside. A request is let through only from a portion, and
//! portions never sum up to more than the limit, so that no number of gateways, crashes or steps of the clock lets
//! one too many through. What is reserved and not used is lost in a crash: at most one portion of each window.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};

use crate::plan::Limits;
use crate::window::{Span, Window};

/// The most that is reserved at a time: at the rate that one gateway reaches, a few commits a second.
const MAX_PORTION: u64 = 4096;

/// Portions from this size on are topped up before they run out.
const TOPPED_UP_FROM: u64 = 32;

/// Seconds after which a month that was used up is asked for again: another gateway may have given some back.
const ASK_AGAIN: i64 = 10;

/// Windows that are remembered, of a kind: the present one, and the one that a clock stepping back returns to.
const REMEMBERED: usize = 2;

/// What a request is written down under, beside its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tally {
    pub key_id: i64,
    /// In UTC.
    pub day: NaiveDate,
    /// Its name; `none` where no operation has the path.
    pub operation: &'static str,
}

/// A portion that is wanted of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    pub window: Window,
    /// The account's limit for the whole window.
    pub limit: u64,
    /// The most that is wanted.
    pub portion: u64,
}

/// What was reserved of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    pub window: Window,
    /// For this gateway; 0 if the window is used up.
    pub granted: u64,
    /// For all gateways, this grant included.
    pub reserved: u64,
}

/// Part of a window that was reserved and not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unused {
    pub window: Window,
    pub count: u64,
}

/// What stands of one limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gauge {
    pub limit: u64,
    pub remaining: u64,
    pub window: Window,
}

/// What stands of both limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub minute: Gauge,
    pub month: Gauge,
}

/// Whether a request may go through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Take {
    /// Yes, and it was written down so; `top_up` is to be reserved when there is time.
    Taken { standing: Standing, tally: Tally, top_up: Vec<Wanted> },
    /// Not this minute.
    RateLimited(Standing),
    /// Not this month.
    QuotaExceeded(Standing),
    /// That depends on what can be reserved.
    Needs(Vec<Wanted>),
}

/// How much to reserve of a window of which so much is reserved already: less as it fills, so that several gateways
/// come to its end together. The stores compute the same in SQL.
#[must_use]
pub fn portion_of(reserved: u64, limit: u64, portion: u64) -> u64 {
    match limit.saturating_sub(reserved) {
        0 => 0,
        left => (left / 4).clamp(1, portion.max(1)),
    }
}

/// The most that is reserved at a time of a limit.
#[must_use]
pub fn max_portion(span: Span, limit: u64) -> u64 {
    let share = match span {
        Span::Minute => limit / 4,
        Span::Month => limit / 1000,
    };
    share.clamp(1, MAX_PORTION)
}

/// A window as far as it is known here.
#[derive(Debug, Clone, Copy)]
struct Lease {
    window: Window,
    left: u64,
    /// By all gateways, when last told.
    reserved: u64,
    /// When the window was found used up, in seconds since 1970.
    used_up_at: Option<i64>,
}

impl Lease {
    /// Nothing is left, and asking for more is of no use now.
    fn is_used_up(&self, now: i64) -> bool {
        let is_recent = |at: i64| self.window.span == Span::Minute || (now - at).abs() < ASK_AGAIN;
        self.left == 0 && self.used_up_at.is_some_and(is_recent)
    }

    fn gauge(&self, limit: u64) -> Gauge {
        Gauge { limit, remaining: limit.saturating_sub(self.reserved) + self.left, window: self.window }
    }
}

/// One account's requests, as counted here.
#[derive(Debug, Default)]
pub struct Counter {
    limits: Option<Limits>,
    /// The minute, month and day of the last request: they are told from a minute, and not with each request.
    present: Option<(Window, Window, NaiveDate)>,
    minutes: Vec<Lease>,
    months: Vec<Lease>,
    /// Requests since last drained; less than nothing where more was given back than used.
    used: BTreeMap<Tally, i64>,
    unused: Vec<Unused>,
}

impl Counter {
    /// Takes a request of this key for this operation from both windows of the present, or from neither.
    pub fn take(&mut self, key_id: i64, operation: &'static str, limits: Limits, now: DateTime<Utc>) -> Take {
        self.change_limits(limits);
        let (minute, month, day) = self.present(now);
        let (minute, month) = (self.lease(minute), self.lease(month));
        let standing =
            Standing { minute: minute.gauge(limits.per_minute), month: month.gauge(limits.per_month) };
        if minute.is_used_up(now.timestamp()) {
            return Take::RateLimited(standing);
        }
        let both = [(minute, limits.per_minute), (month, limits.per_month)];
        let needs: Vec<Wanted> = both
            .iter()
            .filter(|(lease, _)| lease.left == 0 && !lease.is_used_up(now.timestamp()))
            .map(|(lease, limit)| wanted(lease, *limit))
            .collect();
        // That the month is used up is told only when the minute is known not to be: the rate comes first.
        if minute.left > 0 && month.is_used_up(now.timestamp()) {
            return Take::QuotaExceeded(standing);
        }
        if !needs.is_empty() {
            return Take::Needs(needs);
        }
        let tally = Tally { key_id, day, operation };
        *self.used.entry(tally).or_default() += 1;
        let mut top_up = Vec::new();
        let gauges = both.map(|(lease, limit)| {
            let lease = self.slot(lease.window);
            lease.left -= 1;
            top_up.extend(lease.tops_up(limit));
            lease.gauge(limit)
        });
        let [minute, month] = gauges;
        Take::Taken { standing: Standing { minute, month }, tally, top_up }
    }

    /// Adds what was reserved.
    pub fn add(&mut self, grant: Grant, now: DateTime<Utc>) {
        let lease = self.slot(grant.window);
        lease.left += grant.granted;
        lease.reserved = grant.reserved;
        lease.used_up_at = (grant.granted == 0).then_some(now.timestamp());
    }

    /// Takes back a request that does not count against the month; the minute has seen it.
    pub fn give_back(&mut self, tally: Tally, month: Window) {
        *self.used.entry(tally).or_default() -= 1;
        match self.months.iter_mut().find(|lease| lease.window == month) {
            Some(lease) => lease.left += 1,
            None => self.unused.push(Unused { window: month, count: 1 }),
        }
    }

    /// What stands now.
    #[must_use]
    pub fn standing(&self, limits: Limits, now: DateTime<Utc>) -> Standing {
        let (minute, month) = (Window::minute(now), Window::month(now));
        Standing {
            minute: self.lease(minute).gauge(limits.per_minute),
            month: self.lease(month).gauge(limits.per_month),
        }
    }

    /// Requests, and what is to be given back, since last asked.
    pub fn drain(&mut self) -> (BTreeMap<Tally, i64>, Vec<Unused>) {
        (std::mem::take(&mut self.used), std::mem::take(&mut self.unused))
    }

    /// Gives back everything that is reserved here.
    pub fn close(&mut self) {
        let all = self.minutes.drain(..).chain(self.months.drain(..)).filter(|lease| lease.left > 0);
        self.unused.extend(all.map(|lease| Unused { window: lease.window, count: lease.left }));
    }

    /// Under other limits, what was reserved under the former ones is given back.
    fn change_limits(&mut self, limits: Limits) {
        if self.limits.replace(limits).is_some_and(|former| former != limits) {
            self.close();
        }
    }

    fn present(&mut self, now: DateTime<Utc>) -> (Window, Window, NaiveDate) {
        let minute = Window::minute(now);
        match self.present {
            Some(present) if present.0 == minute => present,
            _ => *self.present.insert((minute, Window::month(now), now.date_naive())),
        }
    }

    fn lease(&self, window: Window) -> Lease {
        let known = self.leases(window.span).iter().find(|lease| lease.window == window);
        known.copied().unwrap_or(Lease { window, left: 0, reserved: 0, used_up_at: None })
    }

    fn leases(&self, span: Span) -> &Vec<Lease> {
        match span {
            Span::Minute => &self.minutes,
            Span::Month => &self.months,
        }
    }

    /// The lease of a window; of too many, the one that was made first goes, and what is left of it is given back.
    fn slot(&mut self, window: Window) -> &mut Lease {
        let leases = match window.span {
            Span::Minute => &mut self.minutes,
            Span::Month => &mut self.months,
        };
        let place = leases.iter().position(|lease| lease.window == window);
        let place = place.unwrap_or_else(|| {
            if leases.len() >= REMEMBERED {
                let gone = leases.remove(0);
                self.unused
                    .extend((gone.left > 0).then_some(Unused { window: gone.window, count: gone.left }));
            }
            leases.push(Lease { window, left: 0, reserved: 0, used_up_at: None });
            leases.len() - 1
        });
        &mut leases[place]
    }
}

impl Lease {
    /// A large portion that is nearly used is filled up again.
    fn tops_up(&self, limit: u64) -> Option<Wanted> {
        let whole = max_portion(self.window.span, limit);
        let is_low = whole >= TOPPED_UP_FROM && self.left < whole / 4 && self.used_up_at.is_none();
        is_low.then(|| Wanted { portion: whole - self.left, ..wanted(self, limit) })
    }
}

fn wanted(lease: &Lease, limit: u64) -> Wanted {
    Wanted { window: lease.window, limit, portion: max_portion(lease.window.span, limit) }
}

#[cfg(test)]
mod tests;
