//! Counters of connections.

use std::fmt::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

use crate::connection_registry::ConnectionRegistry;

/// A number that several threads count.
#[derive(Debug, Default)]
pub struct EventCounter(AtomicU64);

impl EventCounter {
    /// The number now.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub fn inc(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub fn dec(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Connections of one server since it started; `open` is how many there are now.
#[derive(Debug, Default)]
pub struct ConnectionCounts {
    pub accepted: EventCounter,
    pub open: EventCounter,
    /// Answered 503, or closed unanswered, because all others were at work.
    pub refused: EventCounter,
    /// Ended by a TLS handshake that failed or did not end.
    pub failed_handshakes: EventCounter,
    /// Ended by what is no HTTP, or too much of it: answered 400, 414 or 431 below any route.
    pub malformed: EventCounter,
    /// Closed because no whole request came in time.
    pub header_timeouts: EventCounter,
    /// Closed because they were idle for long.
    pub idle_timeouts: EventCounter,
    /// Closed because the client did not take its answer.
    pub write_timeouts: EventCounter,
    /// Closed because the client took its answer more slowly than the least rate.
    pub slow_clients: EventCounter,
    /// Closed, idle or slow, to make room for others.
    pub evicted: EventCounter,
    pub(crate) connections: Arc<ConnectionRegistry>,
}

impl ConnectionCounts {
    /// Requests that are being answered. Each connection has its own number: one of all would go to and fro between
    /// the threads that count.
    #[must_use]
    pub fn in_flight(&self) -> u64 {
        self.connections.in_flight()
    }
}

impl Collector for ConnectionCounts {
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
        let help = "Connections closed from this side, by reason";
        let mut closed = encoder.encode_descriptor("connections_closed", help, None, MetricType::Counter)?;
        for (reason, count) in [
            ("refused", &self.refused),
            ("tls_handshake", &self.failed_handshakes),
            ("malformed", &self.malformed),
            ("header_timeout", &self.header_timeouts),
            ("idle_timeout", &self.idle_timeouts),
            ("write_timeout", &self.write_timeouts),
            ("slow_client", &self.slow_clients),
            ("evicted", &self.evicted),
        ] {
            ConstCounter::new(count.get()).encode(closed.encode_family(&[("reason", reason)])?)?;
        }
        Ok(())
    }
}
