//! Position profiles need a licensed source, and there is none.

use fdna_api::{ErrorDetails, Failure, Origin};

use super::OperationRequest;
use super::entity_lookup::fighter_row;
use crate::Dataset;
use crate::operations::OperationResponse;

/// 503, for a fighter that exists.
pub(crate) fn fighter_position_profile(
    data: &Dataset,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    fighter_row(data, request)?;
    let message = "Position profiles need a licensed source, and this host has none";
    Err(Failure::new(request.operation.unavailable, message).with(ErrorDetails {
        origin: Some(Origin::Licensed.name()),
        reason: Some("no_licensed_source".to_owned()),
        ..ErrorDetails::default()
    }))
}
