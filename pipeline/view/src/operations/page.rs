//! Lists, a page at a time.

use fdna_api::operations::parameters::{CURSOR, LIMIT, OFFSET};
use fdna_api::{Failure, MetaExtra, must_be};

use super::{OperationRequest, cursor};
use crate::Dataset;

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
