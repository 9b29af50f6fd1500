//! Tables that a route answers from, and which of their rows and columns.

use chrono::NaiveDate;
use fdna_api::Parameter;
use fdna_schemas::Table;

use crate::file::FilterOp;
use crate::json::RowForm;
use crate::select::RowCondition;
use crate::table::RowOrder;

/// What a route answers from.
#[derive(Debug)]
pub(crate) struct RouteData {
    /// The route's own table, or its sections.
    pub(crate) parts: Vec<DataPart>,
    /// Of each path parameter, the table and the columns that say which are known, if that is no part.
    pub(crate) entities: Vec<Option<EntityColumns>>,
    pub(crate) filters: Vec<QueryFilter>,
    pub(crate) missing: &'static str,
    pub(crate) may_be_empty: bool,
}

/// A table and columns of it that say which values are known.
#[derive(Debug)]
pub(crate) struct EntityColumns {
    pub(crate) table: &'static Table,
    pub(crate) columns: Vec<usize>,
    /// The column whose value the parts are asked for.
    pub(crate) subject: Option<usize>,
}

/// Rows of one table.
#[derive(Debug)]
pub(crate) struct DataPart {
    /// Of a section.
    pub(crate) name: String,
    pub(crate) table: &'static Table,
    pub(crate) is_list: bool,
    pub(crate) fixed: Vec<RowCondition>,
    /// Columns that must be the league's day.
    pub(crate) today: Vec<usize>,
    pub(crate) order: RowOrder,
    pub(crate) form: RowForm,
    pub(crate) nested: Option<NestedRows>,
    pub(crate) missing: Option<String>,
    /// Columns of each path parameter.
    pub(crate) path: Vec<Vec<usize>>,
    /// Columns of each filter; none where it is another part's.
    pub(crate) filters: Vec<Vec<usize>>,
}

/// What makes one row of several: their first in the order of the part, with a list of them all.
#[derive(Debug)]
pub(crate) struct NestedRows {
    /// Column whose value they share.
    pub(crate) by: usize,
    /// Member that lists them.
    pub(crate) name: String,
    /// Column by which groups stand, greatest first.
    pub(crate) rank: usize,
    pub(crate) columns: Vec<usize>,
    pub(crate) form: RowForm,
}

/// A query parameter that chooses rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QueryFilter {
    pub(crate) parameter: Parameter,
    pub(crate) op: FilterOp,
    /// What it is where it is left out, if the data decide that.
    pub(crate) default: Option<FilterDefault>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FilterDefault {
    Today,
    /// The greatest among the rows that path and fixed columns leave.
    Newest,
    Day(NaiveDate),
    Text(&'static str),
}

impl RouteData {
    /// The tables that it needs.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &'static Table> {
        let entities = self.entities.iter().flatten().map(|entity| entity.table);
        self.parts.iter().map(|part| part.table).chain(entities)
    }
}
