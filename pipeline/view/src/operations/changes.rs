//! What changed since an instant.

use fdna_api::operations::changes;
use fdna_api::operations::parameters::LIMIT;
use fdna_api::{Failure, MetaExtra};

use super::{OperationRequest, cursor};
use crate::dataset::CompleteDataset;
use crate::dataset::columns::instant;
use crate::operations::OperationResponse;

/// Oldest first, those of the asked instant among them: several may be of one, and none is to be missed.
pub(crate) fn changes(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let (since, limit) = (request.params.get(changes::SINCE), request.params.get(LIMIT));
    let changes = &data.derived.changes;
    let start = cursor::start(data.snapshot_id(), request)?.unwrap_or(0);
    let all = changes.since(since);
    let (total, page): (usize, Vec<usize>) = match request.params.get(changes::IDS) {
        [] => (all.len(), all.skip(start).take(limit).collect()),
        ids => {
            let places = changes.of(all, ids);
            (places.len(), places.into_iter().skip(start).take(limit).collect())
        }
    };
    let items: Vec<_> = page.into_iter().map(|place| changes.at(place)).collect();
    let next = start + items.len();
    let meta = MetaExtra::Changes {
        count: items.len(),
        total,
        since: since.map(instant),
        limit,
        next_cursor: (next < total).then(|| cursor::next(data.snapshot_id(), request, next)),
    };
    request.answer(&items, meta)
}
