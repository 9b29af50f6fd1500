//! The multi-sport catalog: its routes as data, from the files in `schemas/catalog/routes`.
//!
//! ```text
//! file       what a file says              table     a table in memory, with indexes
//! route      a route, checked              tables    all of a snapshot
//! parameter  its parameters                cell      a value, and a column of them
//! data       its tables and columns        needs     what routes ask of a table
//! checked    the same from a file          select    rows of which conditions hold
//! lookup     from a path to a route        asked     a request as conditions
//! changes    `/changes`                    answer    what is answered
//! listing    `/sports`                     fields    what answers consist of
//! health     `/health`                     json      rows as JSON
//! openapi    the OpenAPI document          snapshot  what is served: tables, sources
//! schema     answers in it                  tables_page  paths of tables and their files
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
mod error;
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
mod route_catalog;
mod schema;
mod select;
mod snapshot;
mod table;
mod tables;
mod tables_page;

use std::sync::LazyLock;

use fdna_schemas::{Table, Tables};

pub use answer::CatalogAnswer;
pub use changes::{CHANGES, CHANGES_STREAM, CHANGES_STREAM_NAME};
pub use coverage::RouteCoverage;
pub use fdna_schemas::{Column, ColumnType};

pub use error::RouteFault;
pub use fields::{AnswerField, AnswerPart};
pub use file::RouteShape;
pub use health::{CatalogHealth, SportHealth};
pub use listing::{CatalogListing, CatalogTotals, ListingFilter};
pub use lookup::{FoundRoute, without_prefix};
pub use openapi::document;
pub use paged::{PagedTable, RowSource};
pub use route::{CatalogGroup, CatalogRoute, PathParameter, RouteKind, Sport};
pub use route_catalog::RouteCatalog;
pub use snapshot::{CatalogSnapshot, RouteStatus, ServedSource};
pub use table::{CatalogTable, TablesError};
pub use tables::{CatalogTables, StoredTable, TableEntry, TableReader};
pub use tables_page::TablesPage;

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
    ///
    /// # Errors
    /// As for [`Self::get`].
    pub fn with_contracts(
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
}
