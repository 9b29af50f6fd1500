//! Metrics beside those of requests and connections: access log, certificate, memory.

use std::fmt::Error;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

use crate::access_log::AccessLog;
use crate::tls::Tls;

/// Metrics of the process, and those that only some servers have.
#[derive(Debug)]
pub struct ProcessCollectors {
    pub log: Option<Arc<AccessLog>>,
    pub tls: Option<Arc<Tls>>,
}

impl Collector for ProcessCollectors {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), Error> {
        let to = &mut encoder;
        if let Some(log) = &self.log {
            encode_counter(
                to,
                "access_log_dropped",
                "Lines dropped: the log was too slow",
                log.dropped_lines(),
            )?;
            encode_counter(
                to,
                "access_log_failures",
                "Failed writes and openings of the log",
                log.failed_writes(),
            )?;
        }
        if let Some(tls) = &self.tls {
            encode_counter(
                to,
                "certificate_reloads",
                "Certificates taken from changed files",
                tls.reload_count(),
            )?;
            let help = "Changed certificate files that could not be used";
            encode_counter(to, "certificate_reload_failures", help, tls.reload_failed())?;
        }
        let memory = resident_bytes().unwrap_or(0);
        let help = "Memory of the process that is in use";
        let encoder =
            to.encode_descriptor("process_resident_memory", help, Some(&Unit::Bytes), MetricType::Gauge)?;
        ConstGauge::new(memory).encode(encoder)
    }
}

fn encode_counter(encoder: &mut DescriptorEncoder, name: &str, help: &str, value: u64) -> Result<(), Error> {
    ConstCounter::new(value).encode(encoder.encode_descriptor(name, help, None, MetricType::Counter)?)
}

/// As the kernel tells it; `None` where it does not.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib * 1024)
}
