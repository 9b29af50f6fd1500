//! Definitions of the metrics, and how well they predict.

use fdna_api::{Failure, MetaExtra};

use crate::Dataset;
use crate::operations::OperationRequest;
use crate::operations::OperationResponse;

/// The metric definitions. Their validator is a digest of their own, so that it stays the same from snapshot to snapshot.
pub(crate) fn dna_metrics(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let definitions = &data.definitions;
    let answer =
        request.answer_prepared(definitions.json.to_vec(), MetaExtra::Count { count: definitions.metrics });
    Ok(OperationResponse { digest: Some(definitions.digest.clone()), ..answer })
}

/// The measurements of the snapshot.
pub(crate) fn dna_validity(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    Ok(request.answer_prepared(data.validity.to_vec(), MetaExtra::None {}))
}
