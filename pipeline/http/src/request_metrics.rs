//! Requests in numbers, by operation: counted with plain atomics in a slot that the router chose, shown as OpenMetrics.

use std::fmt::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::registry::Unit;

use crate::request_record::RequestRecord;

/// Upper bounds in microseconds; the last bucket has none.
const BOUNDS: [u64; 12] =
    [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 500_000, 2_500_000];

/// Names of the classes of status; the first is for clients that left before there was one.
const CLASSES: [&str; 6] = ["none", "1xx", "2xx", "3xx", "4xx", "5xx"];

/// Label for requests of no operation: refusals before any route, unknown routes.
const OTHER: &str = "other";

/// Requests since the server started.
#[derive(Debug)]
pub struct RequestMetrics {
    /// One an operation, and one for everything else.
    slots: Vec<SlotCounts>,
}

#[derive(Debug, Default)]
struct SlotCounts {
    operation: &'static str,
    classes: [AtomicU64; CLASSES.len()],
    buckets: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
    bytes: AtomicU64,
}

impl RequestMetrics {
    /// Of these operations: a [`crate::OperationSlot`] is a place in this list.
    #[must_use]
    pub fn for_operations(operations: impl IntoIterator<Item = &'static str>) -> Self {
        let names = operations.into_iter().chain([OTHER]);
        let slots = names.map(|operation| SlotCounts { operation, ..SlotCounts::default() });
        Self { slots: slots.collect() }
    }

    /// Counts a request that is over.
    pub fn count_request(&self, record: &RequestRecord) {
        let class = record.status.map_or(0, |status| usize::from(status.as_u16() / 100));
        let micros = u64::try_from(record.elapsed.as_micros()).unwrap_or(u64::MAX);
        let Some(slot) = self.slot_counts(record) else { return };
        let add = |to: &AtomicU64, n| to.fetch_add(n, Ordering::Relaxed);
        slot.classes.get(class).map(|count| add(count, 1));
        add(&slot.buckets[BOUNDS.partition_point(|bound| *bound < micros)], 1);
        add(&slot.micros, micros);
        add(&slot.bytes, record.bytes);
    }

    /// The name of the operation that was asked.
    #[must_use]
    pub fn operation_name(&self, record: &RequestRecord) -> &'static str {
        self.slot_counts(record).map_or(OTHER, |slot| slot.operation)
    }

    fn slot_counts(&self, record: &RequestRecord) -> Option<&SlotCounts> {
        record.slot.and_then(|slot| self.slots.get(slot.0)).or(self.slots.last())
    }
}

impl SlotCounts {
    fn total_seconds(&self) -> f64 {
        Duration::from_micros(self.micros.load(Ordering::Relaxed)).as_secs_f64()
    }

    /// Upper bounds in seconds with the requests of each bucket alone, and of all.
    fn bucket_counts(&self) -> (Vec<(f64, u64)>, u64) {
        let bounds = BOUNDS.iter().map(|micros| Duration::from_micros(*micros).as_secs_f64());
        let counts = self.buckets.iter().map(|bucket| bucket.load(Ordering::Relaxed));
        let buckets: Vec<(f64, u64)> = bounds.chain([f64::INFINITY]).zip(counts).collect();
        let all = buckets.iter().map(|(_, n)| n).sum();
        (buckets, all)
    }
}

impl Collector for RequestMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), Error> {
        // Each server's prefix and the library's suffix come to it: `fightdna_requests_total`.
        let help = "Requests that are over, by operation and class of status";
        let mut requests = encoder.encode_descriptor("requests", help, None, MetricType::Counter)?;
        for slot in &self.slots {
            for (name, count) in CLASSES.iter().zip(&slot.classes) {
                let n = count.load(Ordering::Relaxed);
                if n > 0 {
                    let labels = [("operation", slot.operation), ("status", *name)];
                    ConstCounter::new(n).encode(requests.encode_family(&labels)?)?;
                }
            }
        }
        let help = "Time from a request's head to the last byte of its answer handed over";
        let mut times = encoder.encode_descriptor(
            "request_duration",
            help,
            Some(&Unit::Seconds),
            MetricType::Histogram,
        )?;
        for slot in &self.slots {
            let (buckets, all) = slot.bucket_counts();
            if all > 0 {
                let labels = [("operation", slot.operation)];
                let mut family = times.encode_family(&labels)?;
                family.encode_histogram::<NoLabelSet>(slot.total_seconds(), all, &buckets, None)?;
            }
        }
        let help = "Bytes of answers' bodies as they were sent";
        let mut bytes = encoder.encode_descriptor("sent", help, Some(&Unit::Bytes), MetricType::Counter)?;
        for slot in &self.slots {
            let labels = [("operation", slot.operation)];
            let n = slot.bytes.load(Ordering::Relaxed);
            ConstCounter::new(n).encode(bytes.encode_family(&labels)?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request_record::OperationSlot;
    use hyper::{Method, StatusCode, Uri, Version};
    use prometheus_client::registry::Registry;

    fn record(slot: Option<usize>, status: u16, micros: u64) -> RequestRecord {
        RequestRecord {
            peer: ([127, 0, 0, 1], 1).into(),
            version: Version::HTTP_11,
            method: Method::GET,
            uri: Uri::from_static("/"),
            user_agent: None,
            status: StatusCode::from_u16(status).ok(),
            request_id: None,
            slot: slot.map(OperationSlot),
            caller: None,
            bytes: 10,
            is_whole: true,
            elapsed: Duration::from_micros(micros),
        }
    }

    #[test]
    fn requests_are_shown_by_operation_class_and_time() {
        let metrics = RequestMetrics::for_operations(["events", "card"]);
        for (slot, status, micros) in [
            (Some(0), 200, 100),
            (Some(0), 200, 101),
            (Some(0), 404, 9_000_000),
            (None, 0, 1),
            (Some(9), 400, 1),
        ] {
            metrics.count_request(&record(slot, status, micros));
        }
        assert_eq!(metrics.operation_name(&record(Some(1), 200, 1)), "card");
        let mut registry = Registry::default();
        registry.register_collector(Box::new(metrics));
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
        for line in [
            r#"requests_total{operation="events",status="2xx"} 2"#,
            r#"requests_total{operation="events",status="4xx"} 1"#,
            r#"requests_total{operation="other",status="none"} 1"#,
            r#"requests_total{operation="other",status="4xx"} 1"#,
            r#"request_duration_seconds_bucket{le="0.0001",operation="events"} 1"#,
            r#"request_duration_seconds_bucket{le="0.00025",operation="events"} 2"#,
            r#"request_duration_seconds_bucket{le="2.5",operation="events"} 2"#,
            r#"request_duration_seconds_bucket{le="+Inf",operation="events"} 3"#,
            r#"request_duration_seconds_count{operation="events"} 3"#,
            r#"sent_bytes_total{operation="events"} 30"#,
            r#"sent_bytes_total{operation="card"} 0"#,
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }

    #[test]
    #[ignore = "measures: nanoseconds a request on standard error"]
    fn what_counting_costs() {
        let (metrics, record) = (RequestMetrics::for_operations(["events"]), record(Some(0), 200, 120));
        let begun = std::time::Instant::now();
        for _ in 0..10_000_000 {
            metrics.count_request(std::hint::black_box(&record));
        }
        eprintln!("{} ns", begun.elapsed().as_nanos() / 10_000_000);
    }
}
