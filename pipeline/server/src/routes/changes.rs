//! What changed since an instant.

use fdna_api::{Failure, MetaExtra};

use super::page::list;
use super::{Asked, cursor, to_json};
use crate::dataset::Whole;
use crate::dataset::columns::instant;
use crate::respond::Answer;

/// Oldest first, those of the asked instant among them: several may be of one, and none is to be missed.
pub(crate) fn changes(data: Whole<'_>, asked: &Asked) -> Result<Answer, Failure> {
    let (since, limit) = (asked.params.instant("since"), asked.params.number("limit"));
    let (total, first) = data.derived.changes.since(since);
    let start = first + cursor::start(data.snapshot_id(), asked)?.unwrap_or(0);
    let items = data.derived.changes.from(start).take(limit).map(|change| to_json(&change));
    let items = items.collect::<Result<Vec<_>, _>>()?;
    let next = start + items.len() - first;
    let meta = MetaExtra::Changes {
        count: items.len(),
        total,
        since: since.map(instant),
        limit,
        next_cursor: (next < total).then(|| cursor::next(data.snapshot_id(), asked, next)),
    };
    Ok(asked.answer(list(&items), meta))
}
