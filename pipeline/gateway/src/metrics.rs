//! What the gateway did, in numbers for Prometheus: by plan and answer, never by account or key.

mod histogram;

use std::fmt::Error;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_utils::CachePadded;
use fdna_api::Plan;
use fdna_http::Count;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

use crate::gateway::Gateway;
use crate::plan::PLANS;
use crate::upstream::State;
pub(crate) use histogram::Histogram;

/// Before the name of each metric.
pub(crate) const PREFIX: &str = "fightdna_gateway";

/// Statuses that the gateway gives or that are expected of canonical hosts; the rest is counted together.
const STATUSES: [u16; 17] =
    [200, 204, 304, 400, 401, 403, 404, 405, 414, 429, 431, 500, 501, 502, 503, 504, 0];

/// Everything that is counted.
#[derive(Debug)]
pub(crate) struct Metrics {
    /// By each of the gateway's threads by itself.
    answers: Vec<CachePadded<Answers>>,
    /// Requests that a canonical host failed to answer.
    pub(crate) faults: Count,
    /// Requests that were sent a second time.
    pub(crate) retries: Count,
    /// Refusals that became 429, as their address had collected too many.
    pub(crate) throttled: Count,
}

#[derive(Debug, Default)]
struct Answers {
    /// By plan, the last one for requests of no valid key, and status.
    requests: [[Count; STATUSES.len()]; PLANS.len() + 1],
    seconds: Histogram,
}

/// A gateway as `/metrics` shows it.
#[derive(Debug)]
pub(crate) struct Shown(pub(crate) Arc<Gateway>);

impl Metrics {
    /// Of so many threads.
    pub(crate) fn of(threads: usize) -> Self {
        let (faults, retries, throttled) = Default::default();
        Self { answers: (0..threads).map(|_| CachePadded::default()).collect(), faults, retries, throttled }
    }

    /// Counts an answer of this thread.
    pub(crate) fn answered(&self, thread: usize, plan: Option<Plan>, status: u16, took: Duration) {
        let plan = plan.and_then(|plan| PLANS.iter().position(|p| *p == plan)).unwrap_or(PLANS.len());
        let status = STATUSES.iter().position(|s| *s == status).unwrap_or(STATUSES.len() - 1);
        self.answers[thread].requests[plan][status].up();
        self.answers[thread].seconds.observe(took);
    }

    fn encode(&self, to: &mut DescriptorEncoder) -> Result<(), Error> {
        self.encode_requests(to)?;
        let seconds = self.answers.iter().map(|of| &of.seconds);
        let help = "From a request's head to the head of its answer";
        Histogram::encode(seconds, to, "request", help)?;
        for (name, help, count) in [
            ("upstream_faults", "Requests that a canonical host failed to answer", &self.faults),
            ("retries", "Requests sent to a second canonical host", &self.retries),
            (
                "throttled_refusals",
                "401 and 403 answered 429, as their address had too many",
                &self.throttled,
            ),
        ] {
            counter(to, name, help, count.get())?;
        }
        Ok(())
    }

    fn encode_requests(&self, to: &mut DescriptorEncoder) -> Result<(), Error> {
        let help = "Answers by plan and status; plan none is of no valid key";
        let mut requests = to.encode_descriptor("requests", help, None, MetricType::Counter)?;
        for (i, plan) in PLANS.iter().map(|plan| plan.name()).chain(["none"]).enumerate() {
            for (j, status) in STATUSES.iter().enumerate() {
                let count: u64 = self.answers.iter().map(|of| of.requests[i][j].get()).sum();
                if count == 0 {
                    continue;
                }
                let status = if *status == 0 { "other".to_owned() } else { status.to_string() };
                let labels = [("plan", plan), ("status", status.as_str())];
                ConstCounter::new(count).encode(requests.encode_family(&labels)?)?;
            }
        }
        Ok(())
    }
}

impl Collector for Shown {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), Error> {
        let (gateway, to) = (&self.0, &mut encoder);
        gateway.metrics.encode(to)?;
        let help = "1 for the state that a canonical host is in";
        let mut states = to.encode_descriptor("upstream_state", help, None, MetricType::Gauge)?;
        for (host, state) in gateway.upstreams.states() {
            for each in [State::Ready, State::Unready, State::Refusing, State::Down] {
                let labels = [("host", host), ("state", each.name())];
                let is = i64::from(each == state);
                ConstGauge::new(is).encode(states.encode_family(&labels)?)?;
            }
        }
        let books = &gateway.books;
        let keys = i64::try_from(books.directory().len()).unwrap_or(i64::MAX);
        gauge(to, "keys", "Keys in the store, revoked ones too", keys)?;
        gauge(to, "store_up", "Whether the key store answers", i64::from(books.problem().is_none()))?;
        let reservations = books.reservations();
        let help = "Time that the key store took to reserve portions, failures included";
        Histogram::encode(std::iter::once(&reservations.took), to, "reservation", help)?;
        let help = "Times that the key store could not reserve portions";
        counter(to, "reservation_failures", help, reservations.failed.get())
    }
}

fn gauge(encoder: &mut DescriptorEncoder, name: &str, help: &str, value: i64) -> Result<(), Error> {
    ConstGauge::new(value).encode(encoder.encode_descriptor(name, help, None, MetricType::Gauge)?)
}

fn counter(encoder: &mut DescriptorEncoder, name: &str, help: &str, value: u64) -> Result<(), Error> {
    ConstCounter::new(value).encode(encoder.encode_descriptor(name, help, None, MetricType::Counter)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use prometheus_client::encoding::text;
    use prometheus_client::registry::Registry;

    /// Without the rest of a gateway.
    #[derive(Debug)]
    struct Counted(Metrics);

    impl Collector for Counted {
        fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), Error> {
            self.0.encode(&mut encoder)
        }
    }

    #[test]
    fn answers_of_all_threads_are_counted_by_plan_and_status() {
        let metrics = Metrics::of(2);
        metrics.answered(0, Some(Plan::Pro), 200, Duration::from_micros(300));
        metrics.answered(1, Some(Plan::Pro), 200, Duration::from_secs(60));
        metrics.answered(0, None, 401, Duration::from_micros(10));
        metrics.answered(1, Some(Plan::Scale), 418, Duration::ZERO);
        metrics.throttled.up();
        let mut registry = Registry::with_prefix(PREFIX);
        registry.register_collector(Box::new(Counted(metrics)));
        let mut text = String::new();
        text::encode(&mut text, &registry).unwrap();
        for line in [
            "fightdna_gateway_requests_total{plan=\"pro\",status=\"200\"} 2",
            "fightdna_gateway_requests_total{plan=\"none\",status=\"401\"} 1",
            "fightdna_gateway_requests_total{plan=\"scale\",status=\"other\"} 1",
            "fightdna_gateway_request_seconds_bucket{le=\"0.00025\"} 2",
            "fightdna_gateway_request_seconds_bucket{le=\"0.0005\"} 3",
            "fightdna_gateway_request_seconds_bucket{le=\"+Inf\"} 4",
            "fightdna_gateway_request_seconds_sum 60.00031",
            "fightdna_gateway_request_seconds_count 4",
            "fightdna_gateway_upstream_faults_total 0",
            "fightdna_gateway_throttled_refusals_total 1",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} in\n{text}");
        }
    }
}
