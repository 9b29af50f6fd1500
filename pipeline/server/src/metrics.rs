//! `/metrics`: what an operator's monitoring asks. OpenMetrics text, outside the contract's envelope.

use std::fmt::Error;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::http::{Response, StatusCode};
use fdna_http::{
    AccessLog, CompletionObserver, ConnectionCounts, ProcessCollectors, RequestMetrics, RequestRecord, Tls,
};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};

use crate::api_key::KeyFile;
use crate::catalog::ServedCatalog;
use crate::respond;
use crate::serving_state::ServingState;
use fdna_view::SnapshotInfo;

const DAMAGED_READS: &str =
    "Reads of a snapshot's files that failed, or gave other bytes than when it was loaded";

/// Everything that is measured of one server.
#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
}

/// Counts every request, and logs it where there is a log.
pub struct RequestObserver {
    requests: Arc<RequestMetrics>,
    log: Option<Arc<AccessLog>>,
}

/// What is served.
#[derive(Debug)]
pub(crate) enum ServedCollector {
    Mma(Arc<ServingState>),
    Catalog(Arc<ServedCatalog>, Arc<ServingState>),
}

impl RequestObserver {
    /// Of a server with these operations: a slot is a place among them.
    #[must_use]
    pub fn new(log: Option<Arc<AccessLog>>, operations: impl Iterator<Item = &'static str>) -> Self {
        Self { requests: Arc::new(RequestMetrics::for_operations(operations)), log }
    }
}

impl CompletionObserver for RequestObserver {
    fn on_complete(&self, record: &RequestRecord) {
        self.requests.count_request(record);
        if let Some(log) = &self.log {
            log.log_request(record, self.requests.operation_name(record));
        }
    }
}

impl Metrics {
    pub(crate) fn of(
        served: ServedCollector,
        counts: &Arc<ConnectionCounts>,
        watching: &RequestObserver,
        tls: Option<&Arc<Tls>>,
        key: Option<&Arc<KeyFile>>,
    ) -> Self {
        let mut registry = Registry::with_prefix("fightdna");
        registry.register_collector(Box::new(Arc::clone(&watching.requests)));
        registry.register_collector(Box::new(Arc::clone(counts)));
        registry.register_collector(Box::new(served));
        registry
            .register_collector(Box::new(ProcessCollectors { log: watching.log.clone(), tls: tls.cloned() }));
        if let Some(key) = key {
            registry.register_collector(Box::new(KeyReloadCollector(Arc::clone(key))));
        }
        Self { registry: Arc::new(registry) }
    }

    pub(crate) fn answer(&self) -> Response<Body> {
        let mut written = String::new();
        match text::encode(&mut written, &self.registry) {
            Ok(()) => respond::text("application/openmetrics-text; version=1.0.0; charset=utf-8", written),
            Err(Error) => respond::plain(StatusCode::INTERNAL_SERVER_ERROR, &serde_json::Value::Null),
        }
    }
}

fn gauge(encoder: &mut DescriptorEncoder, name: &str, help: &str, value: i64) -> Result<(), Error> {
    ConstGauge::new(value).encode(encoder.encode_descriptor(name, help, None, MetricType::Gauge)?)
}

fn timestamp_gauge(encoder: &mut DescriptorEncoder, name: &str, help: &str, at: i64) -> Result<(), Error> {
    let encoder = encoder.encode_descriptor(name, help, Some(&Unit::Seconds), MetricType::Gauge)?;
    ConstGauge::new(at).encode(encoder)
}

fn counter(encoder: &mut DescriptorEncoder, name: &str, help: &str, value: u64) -> Result<(), Error> {
    ConstCounter::new(value).encode(encoder.encode_descriptor(name, help, None, MetricType::Counter)?)
}

/// The snapshot that is served, since this time.
fn encode_snapshot(to: &mut DescriptorEncoder, info: &SnapshotInfo, since: i64) -> Result<(), Error> {
    let help = "The snapshot served now, by its id";
    let labels = [("id", info.id.clone()), ("synthetic", info.synthetic.to_string())];
    let mut family = to.encode_descriptor("snapshot_info", help, None, MetricType::Gauge)?;
    ConstGauge::new(1_i64).encode(family.encode_family(&labels)?)?;
    let help = "When the snapshot was put in service, since 1970";
    timestamp_gauge(to, "snapshot_served_since", help, since)?;
    let Some(until) = info.facts_until.and_then(|date| date.and_hms_opt(0, 0, 0)) else { return Ok(()) };
    let help = "Date of the last event with facts in the snapshot, since 1970";
    timestamp_gauge(to, "snapshot_facts_until", help, until.and_utc().timestamp())
}

fn encode_streams(to: &mut DescriptorEncoder, served: &ServingState) -> Result<(), Error> {
    let slots = &served.change_streams.slots;
    let open = i64::try_from(slots.count()).unwrap_or(i64::MAX);
    gauge(to, "change_streams", "Streams of changes that are open", open)?;
    let help = "Requests answered busy because too many streams of changes were open";
    counter(to, "change_streams_busy", help, slots.refused.get())
}

impl Collector for ServedCollector {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), Error> {
        let to = &mut encoder;
        let served = match self {
            Self::Mma(served) => served,
            Self::Catalog(catalog, served) => {
                encode_streams(to, served)?;
                let is_degraded = i64::from(catalog.is_damaged());
                gauge(to, "degraded", "1 while a file of the snapshot is damaged", is_degraded)?;
                return counter(to, "damaged_reads", DAMAGED_READS, catalog.damaged_reads.get());
            }
        };
        if let Some(dataset) = served.dataset() {
            encode_snapshot(to, &dataset.info, served.swaps.at.load(Ordering::Relaxed))?;
        }
        if let Some(ledger) = served.ledger() {
            timestamp_gauge(
                to,
                "ledger_moved",
                "When the ledger last grew, since 1970",
                ledger.moved().timestamp(),
            )?;
        }
        let is_degraded = i64::from(served.problem().is_some());
        gauge(to, "degraded", "1 while the newest snapshot or ledger cannot be served", is_degraded)?;
        let (pinned, bytes) = served.pins().kept();
        let number = |n| i64::try_from(n).unwrap_or(i64::MAX);
        gauge(to, "snapshots_pinned", "Snapshots kept because requests named them", number(pinned as u64))?;
        let help = "Memory of snapshots that requests named, as estimated by the sizes of their tables";
        let bytes_of =
            to.encode_descriptor("snapshots_pinned", help, Some(&Unit::Bytes), MetricType::Gauge)?;
        ConstGauge::new(number(bytes)).encode(bytes_of)?;
        let help = "Requests answered busy because snapshots were named too often";
        counter(to, "snapshots_busy", help, served.pins().refused.get())?;
        let damaged = number(served.pins().damaged().len() as u64);
        gauge(to, "snapshots_damaged", "Published snapshots whose manifests cannot be used", damaged)?;
        counter(to, "damaged_reads", DAMAGED_READS, served.damaged_reads.get())?;
        encode_streams(to, served)?;
        let downloads = number(served.downloads.slots.count() as u64);
        gauge(to, "downloads", "Files of tables that are being downloaded", downloads)?;
        let help = "Requests answered busy because too many files were being downloaded";
        counter(to, "downloads_busy", help, served.downloads.slots.refused.get())?;
        counter(to, "snapshot_swaps", "Snapshots put in service", served.swaps.done.get())?;
        let help = "Snapshots and ledgers that could not be loaded";
        counter(to, "load_failures", help, served.swaps.failed.get())
    }
}

/// Of a server with a key of its own.
#[derive(Debug)]
struct KeyReloadCollector(Arc<KeyFile>);

impl Collector for KeyReloadCollector {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), Error> {
        let help = "Times that the key file could not be used";
        counter(&mut encoder, "key_reload_failures", help, self.0.failed())
    }
}
