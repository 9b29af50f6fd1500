//! Metrics for Prometheus that are read from the gateway's state.

use std::fmt::Error;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;

use crate::gateway::Gateway;
use crate::upstream::HealthState;

/// The metrics that are read from the gateway's state when they are scraped.
#[derive(Debug)]
pub(crate) struct GatewayCollector(pub(crate) Arc<Gateway>);

impl Collector for GatewayCollector {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), Error> {
        let help = "1 for the state that a canonical host is in";
        let mut states = encoder.encode_descriptor("upstream_state", help, None, MetricType::Gauge)?;
        for (host, current) in self.0.upstreams.health_states() {
            for state in HealthState::ALL {
                let labels = [("host", host), ("state", state.name())];
                ConstGauge::new(i64::from(state == current)).encode(states.encode_family(&labels)?)?;
            }
        }
        let accounting = &self.0.accounting;
        let keys = i64::try_from(accounting.key_index().len()).unwrap_or(i64::MAX);
        let store_up = i64::from(accounting.store_problem().is_none());
        for (name, help, value) in [
            ("keys", "Keys in the store, revoked ones too", keys),
            ("store_up", "Whether the key store responds", store_up),
        ] {
            let gauge = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            ConstGauge::new(value).encode(gauge)?;
        }
        Ok(())
    }
}
