//! `/sports`, which lists every route. It is made from the routes, so that no count is typed.

use fdna_api::param::{Choice, Word};
use fdna_api::{CATALOG_API, ErrorCode, Failure, Param, Parameter, Params};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{CatalogRoute, CatalogSnapshot, RouteCatalog, RouteShape, RouteStatus, Sport};

/// Which routes are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListingFilter {
    /// Those of the narrow listing alone.
    pub is_narrow: bool,
    /// Those of one sport alone.
    pub sport: Option<&'static str>,
}

/// Words of `listing`: all routes, or those that most plans may call.
const LISTINGS: [&str; 2] = ["full", "narrow"];

const LISTING: Param<Choice> =
    Param::choice("listing", &LISTINGS, LISTINGS[0], "All routes, or those of the narrow listing.");
/// The words are the keys of the sports.
pub(crate) const SPORT: Param<Word> = Param::word("sport", &[], "Routes of this sport alone.");

/// The parameters of `/sports`, of a catalog with these sports.
pub(crate) fn parameters(sports: Vec<&'static str>) -> [Parameter; 2] {
    [LISTING.declared(), SPORT.among(sports.leak()).declared()]
}

impl ListingFilter {
    /// Whether it lists this route.
    #[must_use]
    pub fn has(self, route: &CatalogRoute) -> bool {
        (route.in_narrow_listing || !self.is_narrow) && self.sport.is_none_or(|key| key == route.sport)
    }
}

/// `data` of `/sports`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CatalogListing<'c> {
    sports: Vec<ListedSport<'c>>,
    /// Of what is listed.
    pub totals: CatalogTotals,
}

/// How many routes there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct CatalogTotals {
    pub sports: usize,
    pub routes: usize,
    /// Of these, those of the narrow listing.
    pub narrow: usize,
}

#[derive(Debug, JsonSchema, Serialize)]
struct ListedSport<'c> {
    sport: &'c str,
    name: &'c str,
    day_zone: &'c str,
    routes: usize,
    narrow: usize,
    groups: Vec<ListedGroup<'c>>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct ListedGroup<'c> {
    group: &'c str,
    routes: Vec<ListedRoute<'c>>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct ListedRoute<'c> {
    path: &'c str,
    kind: &'static str,
    shape: Option<RouteShape>,
    in_narrow_listing: bool,
    /// Whether it has data: `served`, `unavailable` where no source has them, `not_licensed` where they may not be published
    /// here, `not_published` where none are published.
    status: &'static str,
    /// The error that it answers; null where it has data.
    code: Option<&'static str>,
    meaning: &'c str,
    /// Seasons and days that its tables hold, and what no source has on principle.
    coverage: Option<String>,
    sources: &'c [&'static str],
    example: Option<&'c str>,
    params: Vec<ListedParameter<'c>>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct ListedParameter<'c> {
    name: &'c str,
    #[serde(rename = "in")]
    place: &'static str,
    required: bool,
    default: Option<String>,
    allowed: String,
    meaning: &'c str,
}

impl CatalogTotals {
    pub(crate) fn of<'c>(
        sports: impl Iterator<Item = &'c Sport>,
        is_listed: impl Fn(&CatalogRoute) -> bool,
    ) -> Self {
        let mut totals = Self::default();
        for sport in sports {
            totals.sports += 1;
            for route in sport.routes().filter(|route| is_listed(route)) {
                totals.routes += 1;
                totals.narrow += usize::from(route.in_narrow_listing);
            }
        }
        totals
    }
}

impl RouteCatalog {
    /// All routes counted.
    #[must_use]
    pub fn totals(&self) -> CatalogTotals {
        CatalogTotals::of(self.sports.iter(), |_| true)
    }

    /// What a query of `/sports` asks for.
    ///
    /// # Errors
    /// 400: it has another parameter, or a word that is not allowed.
    pub fn listing_filter(&self, query: &str) -> Result<ListingFilter, Failure> {
        let params = Params::parse(self.listing_parameters.iter(), query).map_err(by_catalog)?;
        let is_narrow = params.get(LISTING) == LISTINGS[1];
        Ok(ListingFilter { is_narrow, sport: params.get(SPORT) })
    }

    /// That a page was asked without parameters.
    ///
    /// # Errors
    /// 400: it was asked with one.
    pub fn no_parameters(&self, query: &str) -> Result<(), Failure> {
        Params::parse(std::iter::empty(), query).map(drop).map_err(by_catalog)
    }

    /// The routes that are asked for, before anything is published.
    #[must_use]
    pub fn listing(&self, filter: ListingFilter) -> CatalogListing<'_> {
        self.listing_of(filter, None)
    }

    /// The routes that are asked for, and whether a snapshot has their data.
    #[must_use]
    pub fn listing_of(&self, filter: ListingFilter, served: Option<&CatalogSnapshot>) -> CatalogListing<'_> {
        let is_listed = |route: &CatalogRoute| filter.has(route);
        let sports = || self.sports.iter().filter(|sport| filter.sport.is_none_or(|key| key == sport.key));
        let totals = CatalogTotals::of(sports(), is_listed);
        let listed = sports().map(|sport| {
            let counts = CatalogTotals::of(std::iter::once(sport), is_listed);
            let groups = sport.groups.iter().map(|group| {
                let routes = group.routes.iter().filter(|route| is_listed(route));
                ListedGroup {
                    group: group.name,
                    routes: routes.map(|route| ListedRoute::of(route, served)).collect(),
                }
            });
            ListedSport {
                sport: sport.key,
                name: sport.name,
                day_zone: sport.day_zone,
                routes: counts.routes,
                narrow: counts.narrow,
                groups: groups.filter(|group| !group.routes.is_empty()).collect(),
            }
        });
        CatalogListing { sports: listed.collect(), totals }
    }
}

/// A failure in the name of the catalog.
pub(crate) fn by_catalog(failure: Failure) -> Failure {
    failure.by(&CATALOG_API)
}

impl<'c> ListedRoute<'c> {
    fn of(route: &'c CatalogRoute, served: Option<&CatalogSnapshot>) -> Self {
        let status = RouteStatus::of(route, served);
        let in_path = route.path_parameters.iter().map(|parameter| ListedParameter {
            name: parameter.name,
            place: "path",
            required: true,
            default: None,
            allowed: parameter.kind.to_owned(),
            meaning: parameter.about,
        });
        let in_query = route.parameters.iter().map(|parameter: &Parameter| ListedParameter {
            name: parameter.name,
            place: "query",
            required: parameter.required,
            default: route.default_of(parameter.name),
            allowed: parameter.kind.allows(),
            meaning: parameter.about,
        });
        Self {
            path: route.path,
            kind: route.kind.name(),
            shape: route.shape,
            in_narrow_listing: route.in_narrow_listing,
            status: status.name(),
            code: status.code().map(ErrorCode::name),
            meaning: route.meaning,
            coverage: match served {
                Some(served) => served.coverage(route).map(|coverage| coverage.note),
                None => route.coverage.map(str::to_owned),
            },
            sources: &route.sources,
            example: route.example,
            params: in_path.chain(in_query).collect(),
        }
    }
}
