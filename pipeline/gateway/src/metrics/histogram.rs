//! Times in buckets, counted by several threads.

use std::fmt::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fdna_http::Count;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;

/// Upper bounds in microseconds; the last bucket has none.
const BOUNDS: [u64; 12] =
    [250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000];

/// Times since the program started.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    buckets: [Count; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl Histogram {
    pub(crate) fn observe(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.buckets[BOUNDS.partition_point(|bound| *bound < micros)].up();
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// The sum of several, as a metric that is named `NAME_seconds`.
    pub(super) fn encode<'a>(
        all: impl Iterator<Item = &'a Self> + Clone,
        encoder: &mut DescriptorEncoder,
        name: &str,
        help: &str,
    ) -> Result<(), Error> {
        let bounds = BOUNDS.iter().map(|micros| Duration::from_micros(*micros).as_secs_f64());
        let count = |place: usize| all.clone().map(|of| of.buckets[place].get()).sum::<u64>();
        let buckets: Vec<(f64, u64)> =
            bounds.chain([f64::INFINITY]).enumerate().map(|(place, bound)| (bound, count(place))).collect();
        let total = buckets.iter().map(|(_, count)| count).sum();
        let micros = all.clone().map(|of| of.micros.load(Ordering::Relaxed)).sum();
        let mut metric =
            encoder.encode_descriptor(name, help, Some(&Unit::Seconds), MetricType::Histogram)?;
        metric.encode_histogram::<NoLabelSet>(
            Duration::from_micros(micros).as_secs_f64(),
            total,
            &buckets,
            None,
        )
    }
}
