//! Fields of a route's answer, for whoever shows it: its parts, and where each column stands in the JSON.

use fdna_schemas::{Column, Table};

use crate::data::DataPart;
use crate::{CatalogRoute, RouteCatalog};

/// Rows of one table in an answer.
#[derive(Debug, Clone, Copy)]
pub struct AnswerPart<'r>(&'r DataPart);

/// A column of a table, and the names of the members that lead to it.
#[derive(Debug, Clone)]
pub struct AnswerField<'r> {
    pub path: Vec<&'r str>,
    pub column: &'static Column,
}

impl<'r> AnswerPart<'r> {
    /// Of a section; empty where the answer is this part alone.
    #[must_use]
    pub fn name(&self) -> &'r str {
        &self.0.name
    }

    #[must_use]
    pub fn table(&self) -> &'static Table {
        self.0.table
    }

    #[must_use]
    pub fn is_list(&self) -> bool {
        self.0.is_list
    }

    /// The member of each row that lists rows with the rest of the columns, if the route has one.
    #[must_use]
    pub fn nested(&self) -> Option<&'r str> {
        self.0.nested.as_ref().map(|nested| nested.name.as_str())
    }

    /// Its columns in the order of the JSON; behind them those of nested rows, as they stand there.
    #[must_use]
    pub fn fields(&self) -> Vec<AnswerField<'r>> {
        let nested = self.0.nested.iter().flat_map(|nested| nested.form.columns());
        let columns = self.0.form.columns().into_iter().chain(nested);
        columns.map(|(path, place)| AnswerField { path, column: &self.0.table.columns[place] }).collect()
    }
}

impl CatalogRoute {
    /// The parts of its answer in order; none where no table is published for it.
    pub fn parts(&self) -> impl Iterator<Item = AnswerPart<'_>> {
        self.data.iter().flat_map(|data| &data.parts).map(AnswerPart)
    }
}

impl RouteCatalog {
    /// The routes of a sport that are about one thing, of those that this column names.
    #[must_use]
    pub fn routes_about(&self, sport: &str, column: &str) -> Vec<&CatalogRoute> {
        let is_about = |route: &&CatalogRoute| {
            let in_path =
                |part: &DataPart| part.path[0].iter().any(|at| part.table.columns[*at].name == column);
            let [parameter] = route.path_parameters.as_slice() else { return false };
            parameter.kind != "season" && route.data.iter().flat_map(|data| &data.parts).any(in_path)
        };
        self.routes().filter(|route| route.sport == sport).filter(is_about).collect()
    }
}
