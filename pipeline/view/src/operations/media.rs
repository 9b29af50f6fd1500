//! Primary images of many fighters at once.

use std::collections::BTreeMap;

use fdna_api::operations::fighters_media;
use fdna_api::{Failure, FightersMedia, Id, MetaExtra};
use uuid::Uuid;

use super::OperationRequest;
use crate::Dataset;
use crate::operations::OperationResponse;

/// One key for each id that was asked: null where nobody has the id, or no image of him may be shown.
pub(crate) fn fighters_media(
    data: &Dataset,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let (ids, shown) = (request.params.get(fighters_media::IDS), request.shown());
    let image = |id: &Uuid| data.fighters.ids.row(*id).and_then(|row| data.images.primary(row, shown));
    let media: BTreeMap<Id, _> = ids.iter().map(|id| (Id(*id), image(id))).collect();
    let found = media.values().flatten().count();
    request.answer(&FightersMedia { media }, MetaExtra::Media { requested: ids.len(), found })
}
