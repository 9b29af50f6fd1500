//! Metrics of webhooks for Prometheus: by outcome and state, never by account or endpoint.

use std::sync::atomic::AtomicI64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::endpoint::WebhookEndpoint;

/// Upper bounds of histogram buckets, in seconds.
const BUCKETS: [f64; 8] = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 15.0];

/// States of [`WebhookEndpoint::state`].
const STATES: [&str; 4] = ["enabled", "retrying", "disabled", "suspended"];

/// What became of a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum DeliveryOutcome {
    Delivered,
    /// It is tried again.
    Failed,
    /// It was the last try.
    Dead,
    /// The receiver wants no more.
    Gone,
}

impl DeliveryOutcome {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Failed => "failed",
            Self::Dead => "dead",
            Self::Gone => "gone",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabels {
    state: &'static str,
}

/// Clones share them.
#[derive(Debug, Clone)]
pub struct WebhookMetrics {
    deliveries: Family<OutcomeLabels, Counter>,
    delivery_seconds: Histogram,
    endpoints: Family<StateLabels, Gauge>,
    lag_seconds: Gauge<i64, AtomicI64>,
    dead_letters: Gauge,
    /// Streams of canonical hosts that could not be opened, or broke.
    pub(super) stream_failures: Counter,
    pub(super) store_failures: Counter,
}

impl Default for WebhookMetrics {
    fn default() -> Self {
        let (deliveries, endpoints, lag_seconds, dead_letters, stream_failures, store_failures) =
            Default::default();
        let delivery_seconds = Histogram::new(BUCKETS);
        Self {
            deliveries,
            delivery_seconds,
            endpoints,
            lag_seconds,
            dead_letters,
            stream_failures,
            store_failures,
        }
    }
}

impl WebhookMetrics {
    pub(super) fn record_delivery(&self, outcome: DeliveryOutcome, elapsed: Duration) {
        self.deliveries.get_or_create(&OutcomeLabels { outcome: outcome.name() }).inc();
        self.delivery_seconds.observe(elapsed.as_secs_f64());
    }

    /// As the store has the endpoints; `now` in seconds since 1970.
    pub(super) fn record_endpoints<'e>(
        &self,
        endpoints: impl Iterator<Item = &'e WebhookEndpoint> + Clone,
        now: i64,
    ) {
        for state in STATES {
            let count = endpoints.clone().filter(|endpoint| endpoint.state() == state).count();
            let gauge = self.endpoints.get_or_create(&StateLabels { state });
            gauge.set(i64::try_from(count).unwrap_or(i64::MAX));
        }
        let failing = endpoints.clone().filter(|endpoint| endpoint.is_active());
        let oldest = failing.filter_map(|endpoint| Some(endpoint.failing.as_ref()?.first_attempt_at)).min();
        self.lag_seconds.set(oldest.map_or(0, |at| (now - at.timestamp()).max(0)));
        self.dead_letters.set(endpoints.map(|endpoint| endpoint.dead_letters).sum());
    }

    /// Adds them to a registry.
    pub fn register(&self, registry: &mut Registry) {
        let help = "Tries to deliver a message, by outcome: delivered, failed, dead (the last) or gone";
        registry.register("webhook_deliveries", help, self.deliveries.clone());
        let help = "From the start of a try to its outcome";
        registry.register_with_unit("webhook_delivery", help, Unit::Seconds, self.delivery_seconds.clone());
        let help = "Endpoints by state: enabled, retrying, disabled or suspended";
        registry.register("webhook_endpoints", help, self.endpoints.clone());
        let help = "Time since the first try of the message that has failed for longest; 0 without one";
        registry.register_with_unit("webhook_lag", help, Unit::Seconds, self.lag_seconds.clone());
        registry.register("webhook_dead_letters", "Dead letters in the store", self.dead_letters.clone());
        let help = "Streams of canonical hosts that could not be opened, or broke";
        registry.register("webhook_stream_failures", help, self.stream_failures.clone());
        let help = "Times that the store of webhooks failed";
        registry.register("webhook_store_failures", help, self.store_failures.clone());
    }
}
