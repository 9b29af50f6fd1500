//! Descriptions of operations and parameters in the document.

use crate::{Operation, OperationId, Parameter};

/// An operation's description as Markdown.
pub(super) fn description(operation: &Operation) -> String {
    let plan =
        format!("Minimum plan: **{}**. Origin: **{}**.", operation.plan.name(), operation.origin.name());
    if operation.description.is_empty() { plan } else { format!("{}\n\n{plan}", operation.description) }
}

/// What a query parameter is and allows.
pub(super) fn query_parameter(operation: &Operation, parameter: &Parameter, allows: &str) -> String {
    let allows = match (operation.id, parameter.name) {
        (_, "snapshot") => "32 lower-case hex digits",
        (_, "cursor") => "24 lower-case hex digits",
        (OperationId::DnaQuery | OperationId::FighterDnaSeries, "metric") => {
            "the name of a metric of `/v1/mma/dna/metrics`"
        }
        _ => allows,
    };
    format!("{} Allowed: {allows}.", parameter.about)
}
