//! `/changes`: what later captures of a sport corrected. A page about the catalog and no route of a sport, but answered as one.

use fdna_api::{ErrorCode, Failure, Parameter, Params};
use fdna_schemas::catalog_changes;

use crate::checked::Contracts;
use crate::file::RouteEntry;
use crate::listing::{SPORT, by_catalog};
use crate::{CatalogRoute, FoundRoute, RouteCatalog, RouteFault, Sport};

/// Its path.
pub const CHANGES: &str = "/changes";

/// The page for each sport, as far as there is a table of its corrections.
pub(crate) fn routes(sports: &[Sport], contracts: Contracts<'_>) -> Result<Vec<CatalogRoute>, RouteFault> {
    let keys: Vec<&'static str> = sports.iter().map(|sport| sport.key).collect();
    let words = keys.clone().leak();
    let mut routes = Vec::new();
    for sport in keys {
        let fault = |source| RouteFault::Toml { file: "changes".to_owned(), source };
        let mut entry: RouteEntry = toml::from_str(catalog_changes()).map_err(fault)?;
        let table = entry.table.map(|table| format!("{sport}_{table}"));
        entry.table = table.filter(|table| contracts(table).is_some());
        if entry.table.is_none() {
            continue;
        }
        let mut route = CatalogRoute::of(sport, "", true, entry, contracts)?;
        let about = "The sport whose corrections are asked for.";
        let parameter = Parameter { about, required: true, ..SPORT.among(words).declared() };
        route.parameters.insert(0, parameter);
        routes.push(route);
    }
    Ok(routes)
}

impl RouteCatalog {
    /// The page, of the sport that its query names.
    ///
    /// # Errors
    /// 400: the query is wrong, or names no sport. 503: the sport has no corrections yet.
    pub fn find_changes(&self, query: &str) -> Result<FoundRoute<'_>, Failure> {
        let nothing =
            || by_catalog(Failure::new(ErrorCode::SportNotPublished, "No data have been published"));
        let any = self.changes.first().ok_or_else(nothing)?;
        let key = Params::parse(any.parameters.iter(), query).map_err(by_catalog)?.get(SPORT);
        let route = self.changes.iter().find(|route| Some(route.sport) == key).ok_or_else(nothing)?;
        let sport = self.sports.iter().find(|sport| sport.key == route.sport).ok_or_else(nothing)?;
        Ok(FoundRoute { sport, route, values: Vec::new() })
    }
}
