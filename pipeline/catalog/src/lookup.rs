//! From a path to a route.

use fdna_api::{ErrorCode, ErrorDetails, Failure, Params, nearest};

use crate::listing::by_catalog;
use crate::{CatalogRoute, CatalogSnapshot, RouteCatalog, RouteStatus, Sport};

/// What may stand before every path.
const PREFIXES: [&str; 2] = ["/v1", "/api"];

/// From this likeness on, of 0 to 1, a path may be the one that was meant.
const NEAR: f64 = 0.75;

/// A route that a path is of.
#[derive(Debug)]
pub struct FoundRoute<'c> {
    pub sport: &'c Sport,
    pub route: &'c CatalogRoute,
    /// Segments of the path that stand for values, in order, as they came.
    pub values: Vec<String>,
}

impl FoundRoute<'_> {
    /// Why a request is not answered: its query is wrong, or there are no data.
    #[must_use]
    pub fn failure(&self, query: &str, served: Option<&CatalogSnapshot>) -> Failure {
        let failure = match Params::parse(self.route.parameters.iter(), query) {
            Err(wrong) => wrong,
            Ok(_) => return self.no_data(served),
        };
        self.documented(failure)
    }

    /// The same for a query that is right.
    pub(crate) fn no_data(&self, served: Option<&CatalogSnapshot>) -> Failure {
        let status = RouteStatus::of(self.route, served);
        let message = match status {
            RouteStatus::Unavailable(_) => self.route.meaning.to_owned(),
            RouteStatus::NotLicensed => {
                let licences = Vec::from_iter(self.route.licences.iter().copied()).join(", ");
                format!("The sources of this route may not be published here: their licence is {licences}")
            }
            _ => format!("No data of {} have been published for this route", self.sport.name),
        };
        self.documented(Failure::new(status.code().unwrap_or(ErrorCode::SportNotPublished), message))
    }

    /// The same in the name of the catalog, with where to read on.
    pub(crate) fn documented(&self, failure: Failure) -> Failure {
        by_catalog(Failure { docs: format!("/docs#{}", self.route.operation).into(), ..failure })
    }
}

/// The path in its canonical form, which is without a prefix.
#[must_use]
pub fn without_prefix(path: &str) -> &str {
    let rest = PREFIXES.iter().find_map(|prefix| path.strip_prefix(prefix));
    rest.filter(|rest| rest.starts_with('/')).unwrap_or(path)
}

pub(crate) fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').skip(1)
}

/// Whether a segment of a template stands for a value.
pub(crate) fn is_value(segment: &str) -> bool {
    segment.starts_with(':')
}

impl RouteCatalog {
    /// The route of a path, with or without prefix.
    ///
    /// # Errors
    /// 404: there is no such sport, or it has no such route. The nearest ones are named.
    pub fn find(&self, path: &str) -> Result<FoundRoute<'_>, Failure> {
        let path = without_prefix(path);
        let key = segments(path).next().unwrap_or_default();
        let sport = self.sports.iter().find(|sport| sport.key == key).ok_or_else(|| self.no_sport(key))?;
        let found = sport.routes().find_map(|route| Some((route, values(route.path, path)?)));
        let (route, values) = found.ok_or_else(|| no_route(sport, path))?;
        Ok(FoundRoute { sport, route, values })
    }

    fn no_sport(&self, key: &str) -> Failure {
        let keys: Vec<&str> = self.sports.iter().map(|sport| sport.key).collect();
        let sports = keys.join(", ");
        let message = format!("No such sport or page. Sports: {sports}. GET /sports lists every route");
        let near = nearest(key, &keys, NEAR).into_iter().map(str::to_owned).collect::<Vec<_>>();
        not_found(message, sports, near)
    }
}

fn no_route(sport: &Sport, path: &str) -> Failure {
    let path = path.trim_end_matches('/');
    // The sport alone is a part of every path, and means none of them.
    let meant = sport.routes().filter(|_| segments(path).nth(1).is_some());
    let paths: Vec<String> = meant.filter_map(|route| with_values_of(route.path, path)).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let near: Vec<String> = nearest(path, &paths, NEAR).into_iter().map(str::to_owned).collect();
    let message = match near.first() {
        Some(near) => format!("{} has no such route. Did you mean {near}?", sport.name),
        None => format!("{} has no such route. GET /sports?sport={} lists its routes", sport.name, sport.key),
    };
    not_found(message, format!("a route that /sports?sport={} lists", sport.key), near)
}

/// The path of a template with the values that stand in their places in another path. A template without values is itself;
/// one with values is nothing that a path of another length could mean.
fn with_values_of(template: &str, path: &str) -> Option<String> {
    if !segments(template).any(is_value) {
        return Some(template.to_owned());
    }
    if segments(template).count() != segments(path).count() {
        return None;
    }
    let filled =
        segments(template).zip(segments(path)).map(|(name, value)| if is_value(name) { value } else { name });
    Some(filled.fold(String::new(), |path, segment| path + "/" + segment))
}

fn not_found(message: String, allowed: String, near: Vec<String>) -> Failure {
    let did_you_mean = (!near.is_empty()).then_some(near);
    let details = ErrorDetails { allowed: Some(allowed), did_you_mean, ..ErrorDetails::default() };
    by_catalog(Failure::new(ErrorCode::NotFound, message).with(details))
}

/// The values of a path that this template matches.
fn values(template: &str, path: &str) -> Option<Vec<String>> {
    let (mut names, mut parts, mut values) = (segments(template), segments(path), Vec::new());
    loop {
        match (names.next(), parts.next()) {
            (None, None) => return Some(values),
            (Some(name), Some(part)) if is_value(name) && !part.is_empty() => values.push(part.to_owned()),
            (Some(name), Some(part)) if name == part => {}
            _ => return None,
        }
    }
}
