//! The routes of all sports.

use fdna_api::Parameter;

use crate::data::RouteData;
use crate::route::{CatalogRoute, Sport};

/// All routes, sport by sport in the order of the listing.
#[derive(Debug)]
pub struct RouteCatalog {
    pub sports: Vec<Sport>,
    /// Of `/sports`.
    pub(crate) listing_parameters: [Parameter; 2],
    /// `/changes` of each sport that has a table of corrections.
    pub(crate) changes: Vec<CatalogRoute>,
}

impl RouteCatalog {
    /// Whether a route reads this table.
    #[must_use]
    pub fn reads(&self, table: &str) -> bool {
        self.data().any(|data| data.tables().any(|read| read.name == table))
    }

    /// What routes and pages answer from.
    pub(crate) fn data(&self) -> impl Iterator<Item = &RouteData> {
        self.routes().chain(&self.changes).filter_map(|route| route.data.as_ref())
    }

    /// All routes, in the order of the listing.
    pub fn routes(&self) -> impl Iterator<Item = &CatalogRoute> + Clone {
        self.sports.iter().flat_map(Sport::routes)
    }
}
