//! What answers that rest on one version have in common.

use fdna_api::{Derived, Failure, MetaExtra, Origin};
use serde::Serialize;

use super::dna::AskedVersion;
use super::{OperationRequest, to_json};
use crate::json_splice::JsonObject;
use crate::operations::OperationResponse;

/// The version as it stands before what is made of it.
pub(crate) fn derived<'a>(version: &'a AskedVersion<'_>) -> Derived<'a> {
    Derived {
        head: version.head(),
        origin: Origin::HouseDerived.name(),
        is_official: false,
        snapshot_id: version.data.snapshot_id(),
    }
}

/// An answer about one fighter: who he is, and what is said of him.
pub(crate) fn about_fighter<T: Serialize>(
    version: &AskedVersion<'_>,
    request: &OperationRequest,
    said: &T,
) -> Result<OperationResponse, Failure> {
    let fighter = version.data.fighter_compact(version.fighter, request.shown());
    let body = JsonObject::new().field("fighter", &fighter).and(&to_json(said)?);
    Ok(request.answer(body.finish(), MetaExtra::None {}))
}
