//! Metrics for Prometheus, counted as things happen: by plan and status, never by account or key.

use std::time::Duration;

use fdna_api::Plan;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// Prefix of every metric's name.
pub(crate) const PREFIX: &str = "fightdna_gateway";

/// Upper bounds of histogram buckets, in seconds.
const BUCKETS: [f64; 12] = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0];

/// Statuses that the gateway or a canonical host responds with; all others are counted as `other`.
const STATUSES: [u16; 16] = [200, 204, 304, 400, 401, 403, 404, 405, 414, 429, 431, 500, 501, 502, 503, 504];

/// The metrics that are counted as things happen. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Metrics {
    requests: Family<RequestLabels, Counter>,
    request_seconds: Histogram,
    /// Requests that an upstream failed.
    pub(crate) upstream_faults: Counter,
    pub(crate) retries: Counter,
    /// 401 and 403 that became 429.
    pub(crate) throttled_refusals: Counter,
    pub(crate) reservation_seconds: Histogram,
    pub(crate) reservation_failures: Counter,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    plan: &'static str,
    status: String,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let (requests, upstream_faults, retries, throttled_refusals, reservation_failures) =
            Default::default();
        Self {
            requests,
            request_seconds: Histogram::new(BUCKETS),
            upstream_faults,
            retries,
            throttled_refusals,
            reservation_seconds: Histogram::new(BUCKETS),
            reservation_failures,
        }
    }

    /// Counts a response; `plan` is `None` without a valid key.
    pub(crate) fn record_response(&self, plan: Option<Plan>, status: u16, elapsed: Duration) {
        let known = STATUSES.contains(&status);
        let status = if known { status.to_string() } else { "other".to_owned() };
        let labels = RequestLabels { plan: plan.map_or("none", Plan::name), status };
        self.requests.get_or_create(&labels).inc();
        self.request_seconds.observe(elapsed.as_secs_f64());
    }

    pub(crate) fn register(&self, registry: &mut Registry) {
        let help = "Responses by plan and status; plan none is of no valid key";
        registry.register("requests", help, self.requests.clone());
        for (name, help, histogram) in [
            ("request", "From a request's head to the head of its response", &self.request_seconds),
            (
                "reservation",
                "Time that the key store took to reserve requests, failures included",
                &self.reservation_seconds,
            ),
        ] {
            registry.register_with_unit(name, help, Unit::Seconds, histogram.clone());
        }
        for (name, help, counter) in [
            ("upstream_faults", "Requests that a canonical host failed", &self.upstream_faults),
            ("retries", "Requests sent once more, to another canonical host or to the same", &self.retries),
            (
                "throttled_refusals",
                "401 and 403 answered 429, as their address had too many",
                &self.throttled_refusals,
            ),
            (
                "reservation_failures",
                "Times that the key store could not reserve requests",
                &self.reservation_failures,
            ),
        ] {
            registry.register(name, help, counter.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prometheus_client::encoding::text;

    #[test]
    fn responses_are_counted_by_plan_and_status() {
        let metrics = Metrics::new();
        metrics.record_response(Some(Plan::Pro), 200, Duration::from_millis(250));
        metrics.record_response(Some(Plan::Pro), 200, Duration::from_secs(60));
        metrics.record_response(None, 401, Duration::ZERO);
        metrics.record_response(Some(Plan::Scale), 418, Duration::ZERO);
        metrics.throttled_refusals.inc();
        let mut registry = Registry::with_prefix(PREFIX);
        metrics.register(&mut registry);
        let mut text = String::new();
        text::encode(&mut text, &registry).unwrap();
        for line in [
            "fightdna_gateway_requests_total{plan=\"pro\",status=\"200\"} 2",
            "fightdna_gateway_requests_total{plan=\"none\",status=\"401\"} 1",
            "fightdna_gateway_requests_total{plan=\"scale\",status=\"other\"} 1",
            "fightdna_gateway_request_seconds_bucket{le=\"0.00025\"} 2",
            "fightdna_gateway_request_seconds_bucket{le=\"0.5\"} 3",
            "fightdna_gateway_request_seconds_bucket{le=\"+Inf\"} 4",
            "fightdna_gateway_request_seconds_sum 60.25",
            "fightdna_gateway_request_seconds_count 4",
            "fightdna_gateway_upstream_faults_total 0",
            "fightdna_gateway_throttled_refusals_total 1",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} in\n{text}");
        }
    }
}
