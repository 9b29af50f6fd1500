//! Request of a page with the answers to it, for what draws it.

use std::cell::OnceCell;

use fdna_api::{MetricDefinition, MetricObject};
use serde_json::Value;

use super::template::TemplateScope;
use crate::ask::{Refusal, read_part};
use crate::page::Cell;
use crate::shown::words;

/// The answers by name, and what metrics there are.
pub(crate) struct PageView<'a> {
    scope: TemplateScope<'a>,
    metrics: Vec<MetricDefinition<'a>>,
    /// Metrics of the answer `dna`, read when somebody asks for them.
    dna: OnceCell<Result<Vec<MetricObject<'a>>, Refusal>>,
}

impl<'a> PageView<'a> {
    pub(super) fn new(scope: TemplateScope<'a>) -> Result<Self, Refusal> {
        let metrics = scope.definitions.pointer("/data/metrics");
        Ok(Self { scope, metrics: metrics.map_or(Ok(Vec::new()), read_part)?, dna: OnceCell::new() })
    }

    /// Of an answer that names no metric.
    pub(super) fn without_metrics(scope: TemplateScope<'a>) -> Self {
        Self { scope, metrics: Vec::new(), dna: OnceCell::new() }
    }

    pub(super) fn scope(&self) -> TemplateScope<'a> {
        self.scope
    }

    /// `data` of the answer of this name.
    pub(crate) fn answer_data(&self, name: &str) -> &'a Value {
        &self.scope.page[name]["data"]
    }

    /// A parameter of the query that was given.
    pub(crate) fn query_value(&self, name: &str) -> Option<&'a str> {
        self.scope.page["query"][name].as_str()
    }

    pub(crate) fn metrics(&self) -> &[MetricDefinition<'a>] {
        &self.metrics
    }

    /// Metrics of the fighter whom the page is about.
    pub(crate) fn dna_metrics(&self) -> Result<&[MetricObject<'a>], Refusal> {
        let read = self.dna.get_or_init(|| read_part(&self.answer_data("dna")["metrics"]));
        read.as_deref().map_err(Clone::clone)
    }

    pub(crate) fn find_definition(&self, name: &str) -> Option<&MetricDefinition<'a>> {
        self.metrics.iter().find(|metric| metric.metric == name)
    }

    /// The metric that the page is about.
    pub(crate) fn page_metric(&self) -> Option<&MetricDefinition<'a>> {
        self.find_definition(self.scope.page["metric"]["metric"].as_str()?)
    }

    /// A metric by its name for people.
    pub(crate) fn metric_link(&self, name: &str) -> Cell {
        let label = self.find_definition(name).map_or_else(|| words(name), |metric| metric.label.to_owned());
        Cell::link(label, format!("/metrics/{name}"))
    }
}
