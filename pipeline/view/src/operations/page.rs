//! Lists, a page at a time.

use fdna_api::operations::parameters::{BOUT, CURSOR, EVENT, FIGHTER, LIMIT, OFFSET};
use fdna_api::param::Text;
use fdna_api::{Failure, MetaExtra, Param};

use super::entity_lookup::{EntityKind, row};
use super::{OperationRequest, cursor};
use crate::Dataset;
use crate::dataset::mentions::MentionTarget;
use fdna_api::must_be;

/// What `meta` says of a page.
#[derive(Debug)]
pub struct Page {
    pub(crate) count: usize,
    /// All that match.
    pub(crate) total: usize,
    pub(crate) limit: usize,
    pub(crate) offset: usize,
    pub(crate) next_cursor: Option<String>,
}

impl Page {
    /// Of a list of a snapshot, of so many rows.
    pub(crate) fn of(data: &Dataset, request: &OperationRequest, total: usize) -> Result<Self, Failure> {
        Self::among(data.snapshot_id(), request, total)
    }

    /// Of a list of something else, that is named.
    pub fn among(of: &str, request: &OperationRequest, total: usize) -> Result<Self, Failure> {
        let (limit, offset) = (request.params.get(LIMIT), request.params.find(OFFSET).unwrap_or_default());
        let offset = match cursor::start(of, request)? {
            None => offset,
            Some(_) if offset > 0 => return Err(must_be(CURSOR.name(), "given without `offset`")),
            Some(start) => start,
        };
        let end = offset.saturating_add(limit).min(total);
        let count = end.saturating_sub(offset);
        let next_cursor = (end < total).then(|| cursor::next(of, request, end));
        Ok(Self { count, total, limit, offset, next_cursor })
    }

    /// The rows of the page.
    pub fn take<T>(&self, rows: impl IntoIterator<Item = T>) -> Vec<T> {
        rows.into_iter().skip(self.offset).take(self.limit).collect()
    }

    pub fn meta(self) -> MetaExtra {
        let Self { count, total, limit, offset, next_cursor } = self;
        MetaExtra::Page { count, total, limit, offset, next_cursor }
    }
}

/// The asked page of a list, and what `meta` says of it.
pub(crate) fn page<T>(
    data: &Dataset,
    matching: Vec<T>,
    request: &OperationRequest,
) -> Result<(Vec<T>, MetaExtra), Failure> {
    let page = Page::of(data, request, matching.len())?;
    Ok((page.take(matching), page.meta()))
}

/// Whom and what a list is asked to be about: rows, each of them if several are given.
#[derive(Debug, Default)]
pub(crate) struct EntityFilter {
    pub(crate) fighter: Option<usize>,
    pub(crate) event: Option<usize>,
    pub(crate) bout: Option<usize>,
}

impl EntityFilter {
    /// From the parameters `fighter_id`, `event_id` and `bout_id`. An id that nobody has is 404, as in a path:
    /// an empty list would say that nothing is known of somebody.
    pub(crate) fn of(data: &Dataset, request: &OperationRequest) -> Result<Self, Failure> {
        let find = |param: Param<Text>, kind: EntityKind| {
            request.params.find(param).flatten().map(|id| row(data, kind, id)).transpose()
        };
        Ok(Self {
            fighter: find(FIGHTER, EntityKind::Fighter)?,
            event: find(EVENT, EntityKind::Event)?,
            bout: find(BOUT, EntityKind::Bout)?,
        })
    }

    pub(crate) fn is_met_by(&self, about: &MentionTarget) -> bool {
        let is_in = |row: Option<usize>, rows: &[usize]| row.is_none_or(|row| rows.contains(&row));
        is_in(self.fighter, &about.fighters)
            && is_in(self.event, &about.events)
            && is_in(self.bout, &about.bouts)
    }
}
