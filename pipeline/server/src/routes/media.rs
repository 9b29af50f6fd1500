//! Primary images of many fighters at once.

use fdna_api::{Failure, MetaExtra};

use super::Asked;
use crate::Dataset;
use crate::respond::Answer;
use crate::splice::Object;

/// One key for each id that was asked: null where nobody has the id, or no image of him may be shown.
pub(crate) fn fighters_media(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let (ids, shown) = (asked.params.ids("ids"), asked.shown());
    let (mut media, mut found) = (Object::new(), 0);
    for id in ids {
        let image = data.fighters.ids.row(*id).and_then(|row| data.images.primary(row, shown));
        found += usize::from(image.is_some());
        media = media.field(&id.to_string(), image.unwrap_or(b"null"));
    }
    let body = Object::new().field("media", &media.finish());
    Ok(asked.answer(body.finish(), MetaExtra::Media { requested: ids.len(), found }))
}
