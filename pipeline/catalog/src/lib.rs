//! The multi-sport catalog: its routes as data, from the files in `schemas/catalog/routes`.
//!
//! ```text
//! file      what a file says          listing   `/sports` and `/health`
//! route     a route, checked          openapi   the OpenAPI document
//! lookup    from a path to a route
//! ```
//!
//! No route is named in the code: whoever adds one writes TOML. Pure: no HTTP, no files, no clock.

mod faults;
mod file;
mod listing;
mod lookup;
mod openapi;
mod route;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use fdna_api::Parameter;

pub use faults::RouteFault;
pub use listing::{CatalogHealth, CatalogListing, CatalogTotals, ListingFilter, SportHealth};
pub use lookup::{FoundRoute, without_prefix};
pub use openapi::document;
pub use route::{CatalogGroup, CatalogRoute, PathParameter, RouteKind, RouteShape, Sport};

/// All routes, sport by sport in the order of the listing.
#[derive(Debug)]
pub struct RouteCatalog {
    pub sports: Vec<Sport>,
    /// Of `/sports`.
    listing_parameters: [Parameter; 2],
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
        let mut sports = Vec::new();
        for (name, text) in files {
            let fault = |source| RouteFault::Toml { file: (*name).to_owned(), source };
            let file: file::SportFile = toml::from_str(text).map_err(fault)?;
            sports.push(Sport::of(file)?);
        }
        sports.sort_by_key(|sport| sport.position);
        let routes = sports.iter_mut().flat_map(Sport::routes_mut);
        routes.enumerate().for_each(|(place, route)| route.place = place);
        let listing_parameters = listing::parameters(sports.iter().map(|sport| sport.key).collect());
        let catalog = Self { sports, listing_parameters };
        faults::check(&catalog)?;
        Ok(catalog)
    }

    /// All routes, in the order of the listing.
    pub fn routes(&self) -> impl Iterator<Item = &CatalogRoute> + Clone {
        self.sports.iter().flat_map(Sport::routes)
    }
}
