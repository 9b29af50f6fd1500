//! What the metrics are, and how well they predict.

use fdna_api::{Failure, MetaExtra};

use crate::Dataset;
use crate::operations::OperationRequest;
use crate::operations::OperationResponse;

/// The catalogue. Its validator is its own digest, so it stays the same from snapshot to snapshot.
pub(crate) fn dna_metrics(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let catalogue = &data.catalogue;
    let answer =
        request.answer_prepared(catalogue.json.to_vec(), MetaExtra::Count { count: catalogue.metrics });
    Ok(OperationResponse { digest: Some(catalogue.digest.clone()), ..answer })
}

/// The measurements of the snapshot.
pub(crate) fn dna_validity(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    Ok(request.answer_prepared(data.validity.to_vec(), MetaExtra::None {}))
}
