//! What the gateway did, in numbers for Prometheus: by plan and answer, never by account or key.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crossbeam_utils::CachePadded;
use fdna_api::Plan;
use fdna_http::Count;

use crate::plan::PLANS;
use crate::upstream::State;

/// Statuses that the gateway gives or that are expected of canonical hosts; the rest is counted together.
const STATUSES: [u16; 17] =
    [200, 204, 304, 400, 401, 403, 404, 405, 414, 429, 431, 500, 501, 502, 503, 504, 0];

/// Upper bounds of times, in microseconds.
const BOUNDS: [u64; 12] =
    [250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000];

/// Everything that is counted.
#[derive(Debug)]
pub(crate) struct Metrics {
    /// By each of the gateway's threads by itself.
    answers: Vec<CachePadded<Answers>>,
    /// Requests that a canonical host failed to answer.
    pub(crate) faults: Count,
    /// Requests that were sent a second time.
    pub(crate) retries: Count,
}

#[derive(Debug, Default)]
struct Answers {
    /// By plan, the last one for requests of no valid key, and status.
    requests: [[Count; STATUSES.len()]; PLANS.len() + 1],
    seconds: Histogram,
}

#[derive(Debug, Default)]
struct Histogram {
    buckets: [Count; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl Metrics {
    /// Of so many threads.
    pub(crate) fn of(threads: usize) -> Self {
        let (faults, retries) = Default::default();
        Self { answers: (0..threads).map(|_| CachePadded::default()).collect(), faults, retries }
    }

    /// Counts an answer of this thread.
    pub(crate) fn answered(&self, thread: usize, plan: Option<Plan>, status: u16, took: Duration) {
        let plan = plan.and_then(|plan| PLANS.iter().position(|p| *p == plan)).unwrap_or(PLANS.len());
        let status = STATUSES.iter().position(|s| *s == status).unwrap_or(STATUSES.len() - 1);
        self.answers[thread].requests[plan][status].up();
        self.answers[thread].seconds.observe(took);
    }

    /// As Prometheus reads it.
    pub(crate) fn text<'a>(
        &self,
        upstreams: impl Iterator<Item = (&'a str, State)>,
        keys: usize,
        is_store_well: bool,
    ) -> String {
        let mut text = String::new();
        self.write_requests(&mut text);
        self.write_seconds(&mut text);
        for (name, help, count) in [
            ("upstream_faults_total", "Requests that a canonical host failed to answer.", &self.faults),
            ("retries_total", "Requests sent to a second canonical host.", &self.retries),
        ] {
            head(&mut text, name, help, "counter");
            let _ = writeln!(text, "fightdna_gateway_{name} {}", count.get());
        }
        head(&mut text, "upstream_state", "1 for the state that a canonical host is in.", "gauge");
        for (host, state) in upstreams {
            for each in [State::Ready, State::Unready, State::Down] {
                let (name, is) = (each.name(), u8::from(each == state));
                let _ = writeln!(
                    text,
                    "fightdna_gateway_upstream_state{{host=\"{host}\",state=\"{name}\"}} {is}"
                );
            }
        }
        head(&mut text, "keys", "Keys in the store, revoked ones too.", "gauge");
        let _ = writeln!(text, "fightdna_gateway_keys {keys}");
        head(&mut text, "store_up", "Whether the key store answers.", "gauge");
        let _ = writeln!(text, "fightdna_gateway_store_up {}", u8::from(is_store_well));
        text
    }

    fn write_requests(&self, text: &mut String) {
        head(text, "requests_total", "Answers by plan and status; plan none is of no valid key.", "counter");
        for (i, plan) in PLANS.iter().map(|plan| plan.name()).chain(["none"]).enumerate() {
            for (j, status) in STATUSES.iter().enumerate() {
                let count = self.sum(|of| of.requests[i][j].get());
                if count == 0 {
                    continue;
                }
                let status = if *status == 0 { "other".to_owned() } else { status.to_string() };
                let _ = writeln!(
                    text,
                    "fightdna_gateway_requests_total{{plan=\"{plan}\",status=\"{status}\"}} {count}"
                );
            }
        }
    }

    fn write_seconds(&self, text: &mut String) {
        const NAME: &str = "request_seconds";
        head(text, NAME, "From a request's head to the head of its answer.", "histogram");
        let mut sum = 0;
        let bounds = BOUNDS.iter().map(|micros| format!("{:?}", seconds(*micros))).chain(["+Inf".to_owned()]);
        for (place, bound) in bounds.enumerate() {
            sum += self.sum(|of| of.seconds.buckets[place].get());
            let _ = writeln!(text, "fightdna_gateway_{NAME}_bucket{{le=\"{bound}\"}} {sum}");
        }
        let total = seconds(self.sum(|of| of.seconds.micros.load(Ordering::Relaxed)));
        let _ = writeln!(text, "fightdna_gateway_{NAME}_sum {total:?}\nfightdna_gateway_{NAME}_count {sum}");
    }

    /// Of all threads.
    fn sum(&self, one: impl Fn(&Answers) -> u64) -> u64 {
        self.answers.iter().map(|of| one(of)).sum()
    }
}

impl Histogram {
    fn observe(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|bound| micros <= *bound).unwrap_or(BOUNDS.len());
        self.buckets[bucket].up();
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }
}

fn seconds(micros: u64) -> f64 {
    Duration::from_micros(micros).as_secs_f64()
}

fn head(text: &mut String, name: &str, help: &str, kind: &str) {
    let _ = writeln!(text, "# HELP fightdna_gateway_{name} {help}\n# TYPE fightdna_gateway_{name} {kind}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_all_threads_are_counted_by_plan_and_status() {
        let metrics = Metrics::of(2);
        metrics.answered(0, Some(Plan::Pro), 200, Duration::from_micros(300));
        metrics.answered(1, Some(Plan::Pro), 200, Duration::from_secs(60));
        metrics.answered(0, None, 401, Duration::from_micros(10));
        metrics.answered(1, Some(Plan::Scale), 418, Duration::ZERO);
        let text = metrics.text([("a:1", State::Down)].into_iter(), 7, true);
        for line in [
            "fightdna_gateway_requests_total{plan=\"pro\",status=\"200\"} 2",
            "fightdna_gateway_requests_total{plan=\"none\",status=\"401\"} 1",
            "fightdna_gateway_requests_total{plan=\"scale\",status=\"other\"} 1",
            "fightdna_gateway_request_seconds_bucket{le=\"0.00025\"} 2",
            "fightdna_gateway_request_seconds_bucket{le=\"0.0005\"} 3",
            "fightdna_gateway_request_seconds_bucket{le=\"+Inf\"} 4",
            "fightdna_gateway_request_seconds_sum 60.00031",
            "fightdna_gateway_request_seconds_count 4",
            "fightdna_gateway_upstream_state{host=\"a:1\",state=\"down\"} 1",
            "fightdna_gateway_upstream_state{host=\"a:1\",state=\"ready\"} 0",
            "fightdna_gateway_keys 7",
            "fightdna_gateway_store_up 1",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} in\n{text}");
        }
    }
}
