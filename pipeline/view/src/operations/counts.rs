//! Counts and coverage of the snapshot.

use fdna_api::{Failure, MetaExtra};

use super::OperationRequest;
use crate::Dataset;
use crate::operations::OperationResponse;

/// Rows of tables, first and last date, round statistics by year.
pub(crate) fn counts(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    Ok(request.answer_prepared(data.coverage.counts.to_vec(), MetaExtra::None {}))
}

/// Sources, years and fields.
pub(crate) fn coverage(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    Ok(request.answer_prepared(data.coverage.coverage.to_vec(), MetaExtra::None {}))
}
