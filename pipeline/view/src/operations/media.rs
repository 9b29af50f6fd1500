//! Primary images of many fighters at once.

use fdna_api::{Failure, MetaExtra};

use super::OperationRequest;
use crate::Dataset;
use crate::json_splice::JsonObject;
use crate::operations::OperationResponse;

/// One key for each id that was asked: null where nobody has the id, or no image of him may be shown.
pub(crate) fn fighters_media(
    data: &Dataset,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let (ids, shown) = (request.params.ids("ids"), request.shown());
    let (mut media, mut found) = (JsonObject::new(), 0);
    for id in ids {
        let image = data.fighters.ids.row(*id).and_then(|row| data.images.primary(row, shown));
        found += usize::from(image.is_some());
        media = media.field(&id.to_string(), image.unwrap_or(b"null"));
    }
    let body = JsonObject::new().field("media", &media.finish());
    Ok(request.answer(body.finish(), MetaExtra::Media { requested: ids.len(), found }))
}
