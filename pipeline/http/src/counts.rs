//! What happened to connections, in numbers.

use std::fmt::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

use crate::crowd::Crowd;

/// A number that several threads count.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// The number now.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub fn up(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub fn down(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Connections of one server since it started; `open` is how many there are now.
#[derive(Debug, Default)]
pub struct Counts {
    pub accepted: Count,
    pub open: Count,
    /// Answered 503, or closed unanswered, because all others were at work.
    pub refused: Count,
    /// Ended by a TLS handshake that failed or did not end.
    pub no_handshake: Count,
    /// Ended by what is no HTTP, or too much of it: answered 400, 414 or 431 below any route.
    pub malformed: Count,
    /// Closed because no whole request came in time.
    pub lapsed_unasked: Count,
    /// Closed because they were idle for long.
    pub lapsed_idle: Count,
    /// Closed because the client did not take its answer.
    pub lapsed_unread: Count,
    /// Closed because the client took its answer more slowly than the least rate.
    pub lapsed_slow: Count,
    /// Closed, idle or slow, to make room for others.
    pub evicted: Count,
    pub(crate) crowd: Arc<Crowd>,
}

impl Counts {
    /// Requests that are being answered. Each connection has its own number: one of all would go to and fro between
    /// the threads that count.
    #[must_use]
    pub fn in_flight(&self) -> u64 {
        self.crowd.in_flight()
    }
}

impl Collector for Counts {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), Error> {
        for (name, help, count) in [
            ("connections_open", "Connections open now", self.open.get()),
            ("requests_in_flight", "Requests being answered now", self.in_flight()),
        ] {
            let gauge = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            ConstGauge::new(count).encode(gauge)?;
        }
        let help = "Connections accepted";
        let accepted = encoder.encode_descriptor("connections_accepted", help, None, MetricType::Counter)?;
        ConstCounter::new(self.accepted.get()).encode(accepted)?;
        let help = "Connections ended from this side, by why";
        let mut ended = encoder.encode_descriptor("connections_ended", help, None, MetricType::Counter)?;
        for (why, count) in [
            ("refused", &self.refused),
            ("no_handshake", &self.no_handshake),
            ("malformed", &self.malformed),
            ("unasked", &self.lapsed_unasked),
            ("idle", &self.lapsed_idle),
            ("unread", &self.lapsed_unread),
            ("slow", &self.lapsed_slow),
            ("evicted", &self.evicted),
        ] {
            ConstCounter::new(count.get()).encode(ended.encode_family(&[("why", why)])?)?;
        }
        Ok(())
    }
}
