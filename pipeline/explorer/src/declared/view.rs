//! What a page was asked and was answered, for what draws it.

use fdna_api::MetricDefinition;
use serde_json::Value;

use super::template::Place;
use crate::ask::{Refusal, read};
use crate::page::Cell;
use crate::shown::words;

/// The answers by name, and what metrics there are.
pub(crate) struct View<'a> {
    place: Place<'a>,
    metrics: Vec<MetricDefinition<'a>>,
}

impl<'a> View<'a> {
    pub(super) fn new(place: Place<'a>) -> Result<Self, Refusal> {
        let metrics = place.definitions.pointer("/data/metrics");
        Ok(Self { place, metrics: metrics.map_or(Ok(Vec::new()), read)? })
    }

    pub(super) fn place(&self) -> Place<'a> {
        self.place
    }

    /// `data` of the answer of this name.
    pub(crate) fn data(&self, name: &str) -> &'a Value {
        &self.place.page[name]["data"]
    }

    /// A parameter of the query that was given.
    pub(crate) fn query(&self, name: &str) -> Option<&'a str> {
        self.place.page["query"][name].as_str()
    }

    pub(crate) fn metrics(&self) -> &[MetricDefinition<'a>] {
        &self.metrics
    }

    pub(crate) fn definition(&self, name: &str) -> Option<&MetricDefinition<'a>> {
        self.metrics.iter().find(|metric| metric.metric == name)
    }

    /// The metric that the page is about.
    pub(crate) fn metric(&self) -> Option<&MetricDefinition<'a>> {
        self.definition(self.place.page["metric"]["metric"].as_str()?)
    }

    /// A metric by its name for people.
    pub(crate) fn metric_link(&self, name: &str) -> Cell {
        let label = self.definition(name).map_or_else(|| words(name), |metric| metric.label.to_owned());
        Cell::link(label, format!("/metrics/{name}"))
    }
}
