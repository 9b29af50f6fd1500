//! The multi-sport catalog: its routes as data, from the files in `schemas/catalog/routes`.
//!
//! ```text
//! file       what a file says              tables    tables in memory, with indexes
//! route      a route, checked              cell      a value, and a column of them
//! parameter  its parameters                needs     what routes ask of a table
//! data       its tables and columns        select    rows of which conditions hold
//! checked    the same from a file          asked     a request as conditions
//! lookup     from a path to a route        answer    what is answered
//! changes    `/changes`                    fields    what answers consist of
//! listing    `/sports`                     json      rows as JSON
//! health     `/health`                     snapshot  what is served: tables, sources
//! openapi    the OpenAPI document
//! schema     answers in it
//! ```
//!
//! No route is named in the code: whoever adds one writes TOML. Pure: no HTTP, no files, no clock.

mod answer;
mod asked;
mod cell;
mod changes;
mod checked;
mod coverage;
mod data;
mod faults;
mod fields;
mod file;
mod health;
mod json;
mod listing;
mod lookup;
mod needs;
mod openapi;
mod paged;
mod parameter;
mod route;
mod schema;
mod select;
mod snapshot;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use fdna_api::Parameter;
use fdna_schemas::{Table, Tables};

use crate::data::RouteData;

pub use answer::CatalogAnswer;
pub use changes::CHANGES;
pub use coverage::RouteCoverage;
pub use fdna_schemas::{Column, ColumnType};

pub use faults::RouteFault;
pub use fields::{AnswerField, AnswerPart};
pub use health::{CatalogHealth, SportHealth};
pub use listing::{CatalogListing, CatalogTotals, ListingFilter};
pub use lookup::{FoundRoute, without_prefix};
pub use openapi::document;
pub use paged::{PagedTable, RowSource};
pub use route::{CatalogGroup, CatalogRoute, PathParameter, RouteKind, RouteShape, Sport};
pub use snapshot::{CatalogSnapshot, RouteStatus, ServedSource};
pub use tables::{CatalogTable, CatalogTables, StoredTable, TablesError};

/// All routes, sport by sport in the order of the listing.
#[derive(Debug)]
pub struct RouteCatalog {
    pub sports: Vec<Sport>,
    /// Of `/sports`.
    listing_parameters: [Parameter; 2],
    /// `/changes` of each sport that has a table of corrections.
    changes: Vec<CatalogRoute>,
}

impl RouteCatalog {
    /// The routes that are compiled in.
    ///
    /// # Errors
    /// A file cannot be understood, or contradicts itself or another one.
    pub fn get() -> Result<&'static Self, &'static RouteFault> {
        static CATALOG: LazyLock<Result<RouteCatalog, RouteFault>> =
            LazyLock::new(|| RouteCatalog::of_files(fdna_schemas::catalog_routes()));
        CATALOG.as_ref()
    }

    /// The routes of these files, of which each has a name and a text.
    ///
    /// # Errors
    /// As for [`Self::get`].
    pub fn of_files(files: &[(&str, &str)]) -> Result<Self, RouteFault> {
        Self::with_contracts(files, &|name| Tables::get().table(name).ok())
    }

    /// The same over tables of these contracts.
    pub(crate) fn with_contracts(
        files: &[(&str, &str)],
        contracts: &dyn Fn(&str) -> Option<&'static Table>,
    ) -> Result<Self, RouteFault> {
        let mut sports = Vec::new();
        for (name, text) in files {
            let fault = |source| RouteFault::Toml { file: (*name).to_owned(), source };
            let file: file::SportFile = toml::from_str(text).map_err(fault)?;
            sports.push(Sport::of(file, contracts)?);
        }
        sports.sort_by_key(|sport| sport.position);
        let routes = sports.iter_mut().flat_map(Sport::routes_mut);
        routes.enumerate().for_each(|(place, route)| route.place = place);
        let listing_parameters = listing::parameters(sports.iter().map(|sport| sport.key).collect());
        let changes = changes::routes(&sports, contracts)?;
        let catalog = Self { sports, listing_parameters, changes };
        faults::check(&catalog)?;
        Ok(catalog)
    }

    /// Whether a route reads this table.
    #[must_use]
    pub fn reads(&self, table: &str) -> bool {
        self.data().any(|data| data.tables().any(|read| read.name == table))
    }

    /// What routes and pages answer from.
    fn data(&self) -> impl Iterator<Item = &RouteData> {
        self.routes().chain(&self.changes).filter_map(|route| route.data.as_ref())
    }

    /// All routes, in the order of the listing.
    pub fn routes(&self) -> impl Iterator<Item = &CatalogRoute> + Clone {
        self.sports.iter().flat_map(Sport::routes)
    }
}
