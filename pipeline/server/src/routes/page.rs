//! Lists that are put together from finished rows.

use fdna_api::{Failure, MetaExtra};

use super::Asked;
use super::named::{Kind, row};
use crate::Dataset;
use crate::dataset::mentions::About;
use crate::splice::array;

/// Finished rows as an array.
pub(crate) fn list<B: AsRef<[u8]>>(rows: &[B]) -> Vec<u8> {
    let mut out = Vec::new();
    array(&mut out, rows.iter().map(AsRef::as_ref));
    out
}

/// The page of `limit` rows after `offset`, and what `meta` says of it.
pub(crate) fn page<T>(matching: Vec<T>, asked: &Asked) -> (Vec<T>, MetaExtra) {
    let (limit, offset) = (asked.params.number("limit"), asked.params.number("offset"));
    let total = matching.len();
    let rows: Vec<T> = matching.into_iter().skip(offset).take(limit).collect();
    let meta = MetaExtra::Page { count: rows.len(), total, limit, offset };
    (rows, meta)
}

/// The first rows of a list without pages.
pub(crate) fn first<T>(matching: Vec<T>, asked: &Asked) -> (Vec<T>, MetaExtra) {
    let total = matching.len();
    let rows: Vec<T> = matching.into_iter().take(asked.params.number("limit")).collect();
    let meta = MetaExtra::Listed { count: rows.len(), total };
    (rows, meta)
}

/// Whom and what a list is asked to be about: rows, each of them if several are given.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) fighter: Option<usize>,
    pub(crate) event: Option<usize>,
    pub(crate) bout: Option<usize>,
}

impl Wanted {
    /// From the parameters `fighter_id`, `event_id` and `bout_id`. An id that nobody has is 404, as in a path:
    /// an empty list would say that nothing is known of somebody.
    pub(crate) fn of(data: &Dataset, asked: &Asked) -> Result<Self, Failure> {
        let find = |name: &str, kind: Kind| asked.params.text(name).map(|id| row(data, kind, id)).transpose();
        Ok(Self {
            fighter: find("fighter_id", Kind::Fighter)?,
            event: find("event_id", Kind::Event)?,
            bout: find("bout_id", Kind::Bout)?,
        })
    }

    pub(crate) fn is_met_by(&self, about: &About) -> bool {
        let is_in = |row: Option<usize>, rows: &[usize]| row.is_none_or(|row| rows.contains(&row));
        is_in(self.fighter, &about.fighters)
            && is_in(self.event, &about.events)
            && is_in(self.bout, &about.bouts)
    }
}
