//! `GET /v1/mma/dna/metrics`

use crate::operation::Response;
use crate::{ErrorCode, MetricCatalogue, Operation, OperationId, Origin, Plan};

pub(super) const OPERATION: Operation = Operation {
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
