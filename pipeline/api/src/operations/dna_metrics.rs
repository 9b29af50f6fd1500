//! The metrics themselves: `GET /v1/mma/dna/metrics` and `GET /v1/mma/dna/validity`

use crate::operation::Response;
use crate::{ErrorCode, MetricCatalogue, Operation, OperationId, Origin, Plan, Validity};

pub(super) const METRICS: Operation = Operation {
    id: OperationId::DnaMetrics,
    name: "dna_metrics",
    path: "/v1/mma/dna/metrics",
    tag: "Fight DNA",
    summary: "List metrics",
    description: "Every metric: its meaning, formula, prior, and how well it predicts.",
    plan: Plan::Pro,
    origin: Origin::HouseDerived,
    unavailable: ErrorCode::DnaMetricsNotAvailable,
    response: Response::of::<MetricCatalogue<'_>>("Count"),
    ..Operation::DEFAULT
};

pub(super) const VALIDITY: Operation = Operation {
    id: OperationId::DnaValidity,
    name: "dna_validity",
    path: "/v1/mma/dna/validity",
    tag: "Fight DNA",
    summary: "Get the measurements of all metrics",
    description: "How well each predicts bouts after those that it was fitted on.",
    plan: Plan::Pro,
    origin: Origin::HouseDerived,
    response: Response::of::<Validity<'_>>("Plain"),
    ..Operation::DEFAULT
};
