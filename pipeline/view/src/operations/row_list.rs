//! Rows of a table as an answer. Which rows, in which order (both may depend on parameters), what other parameters ask of
//! them and how one is written is data (`lists.rs`); filters and pages are the same for all.

use chrono::NaiveDate;
use fdna_api::operations::events::DATE;
use fdna_api::param::{Flag, Text, Word};
use fdna_api::{Failure, MetaExtra, Param};

use super::entity_lookup::{EntityKind, named_row};
use super::page::Page;
use super::{OperationRequest, OperationResponse, not_written};
use crate::Dataset;
use crate::dataset::images::ImageVisibility;

/// Rows of a snapshot that operations list, by their places in a table.
pub(crate) struct RowList {
    /// All that may be shown, in the order of the answer.
    pub(crate) rows: for<'a> fn(&'a Dataset, &'a OperationRequest) -> Box<dyn Iterator<Item = usize> + 'a>,
    /// Where several values are wrong, the first filter refuses.
    pub(crate) filters: &'static [RowFilter],
    pub(crate) write: fn(&Dataset, usize, ImageVisibility, &mut Vec<u8>) -> serde_json::Result<()>,
    pub(crate) meta: fn(&Dataset, &OperationRequest, Page, &[usize]) -> MetaExtra,
}

/// What a parameter asks of a row. One that the operation does not declare asks nothing.
pub(crate) enum RowFilter {
    /// To be about the entity that the path or the parameter of its kind names.
    Entity(EntityKind, fn(&Dataset, usize) -> &[usize]),
    /// To be of `date`, and of a day from `from` to `to`.
    Day(fn(&Dataset, usize) -> NaiveDate),
    Flag(Param<Flag>, fn(&Dataset, usize) -> bool),
    Word(Param<Word>, fn(&Dataset, usize) -> Option<&'static str>),
    /// To have this text among others, once it is written as they are.
    Text(Param<Text>, fn(&str) -> String, fn(&Dataset, usize) -> &[String]),
}

type RowCondition<'a> = Box<dyn Fn(usize) -> bool + 'a>;

impl RowList {
    pub(crate) fn answer(
        &self,
        data: &Dataset,
        request: &OperationRequest,
    ) -> Result<OperationResponse, Failure> {
        let matching = self.matching_rows(data, request)?;
        let page = Page::of(data, request, matching.len())?;
        let (rows, shown) = (page.take(matching), request.shown());
        let mut json = vec![b'['];
        for (place, row) in rows.iter().enumerate() {
            if place > 0 {
                json.push(b',');
            }
            (self.write)(data, *row, shown, &mut json).map_err(not_written)?;
        }
        json.push(b']');
        Ok(request.answer_prepared(json, (self.meta)(data, request, page, &rows)))
    }

    /// The rows that a request asks for, in the order of the answer.
    pub(crate) fn matching_rows(
        &self,
        data: &Dataset,
        request: &OperationRequest,
    ) -> Result<Vec<usize>, Failure> {
        let mut conditions = Vec::new();
        for filter in self.filters {
            conditions.extend(filter.condition(data, request)?);
        }
        Ok((self.rows)(data, request).filter(|row| conditions.iter().all(|holds| holds(*row))).collect())
    }
}

impl RowFilter {
    /// What must hold of a row; `None` where nothing is asked.
    fn condition<'a>(
        &'static self,
        data: &'a Dataset,
        request: &'a OperationRequest,
    ) -> Result<Option<RowCondition<'a>>, Failure> {
        let params = &request.params;
        Ok(match self {
            Self::Entity(kind, rows) => named_row(data, *kind, request)?
                .map(|named| condition(move |row| rows(data, row).contains(&named))),
            Self::Day(day) => {
                let (date, (from, to)) = (params.find(DATE).flatten(), params.span()?);
                [date, from, to].iter().any(Option::is_some).then(|| {
                    condition(move |row| {
                        let day = day(data, row);
                        date.is_none_or(|date| day == date)
                            && from.is_none_or(|from| day >= from)
                            && to.is_none_or(|to| day <= to)
                    })
                })
            }
            Self::Flag(param, is) => {
                params.find(*param).flatten().map(|asked| condition(move |row| is(data, row) == asked))
            }
            Self::Word(param, word) => params
                .find(*param)
                .flatten()
                .map(|asked| condition(move |row| word(data, row) == Some(asked))),
            Self::Text(param, as_listed, texts) => {
                let asked = params.find(*param).flatten().map(as_listed);
                asked.map(|asked| condition(move |row| texts(data, row).contains(&asked)))
            }
        })
    }
}

fn condition<'a>(holds: impl Fn(usize) -> bool + 'a) -> RowCondition<'a> {
    Box::new(holds)
}
