//! Rules that hold between all routes.

use std::collections::{BTreeMap, BTreeSet};

use crate::lookup::{is_value, segments};
use crate::{CatalogRoute, RouteCatalog, RouteFault, RouteKind};

/// Checks what one entry alone cannot tell.
pub(crate) fn check(catalog: &RouteCatalog) -> Result<(), RouteFault> {
    let mut keys = BTreeSet::new();
    for sport in &catalog.sports {
        let fault = |why: String| RouteFault::Sport { sport: sport.key.to_owned(), why };
        if !keys.insert(sport.key) {
            return Err(fault("two files are of this sport".to_owned()));
        }
        let mut groups = BTreeSet::new();
        if let Some(twice) = sport.groups.iter().find(|group| !groups.insert(group.name)) {
            return Err(fault(format!("group `{}` stands twice", twice.name)));
        }
    }
    check_entities(catalog)?;
    let routes: Vec<&CatalogRoute> = catalog.routes().collect();
    for (place, route) in routes.iter().enumerate() {
        let fault = |why: String| RouteFault::Route { path: route.path.to_owned(), why };
        check_route(route).map_err(fault)?;
        let twin = routes[..place].iter().find(|other| may_be_one_path(route.path, other.path));
        if let Some(twin) = twin {
            return Err(fault(format!("a path may be of it and of {}", twin.path)));
        }
        let is_answered = |example| {
            let path = catalog.find(example);
            path.is_ok_and(|found| found.route.path == route.path)
        };
        if let Some(example) = route.example.filter(|example| !is_answered(example)) {
            return Err(fault(format!("its example {example} is another route's")));
        }
    }
    Ok(())
}

/// Whoever is found by an id on one route must be found by it on every other that names the value alike.
fn check_entities(catalog: &RouteCatalog) -> Result<(), RouteFault> {
    let mut found_by = BTreeMap::new();
    for route in catalog.routes() {
        let entities = route.data.iter().flat_map(|data| &data.entities);
        for (parameter, entity) in route.path_parameters.iter().zip(entities) {
            let Some(entity) = entity else { continue };
            let columns: BTreeSet<usize> = entity.columns.iter().copied().collect();
            let key = (entity.table.name.as_str(), parameter.name);
            let (first, of_first) = found_by.entry(key).or_insert((route.path, columns.clone()));
            if *of_first != columns {
                let why = format!("it finds `{}` by other columns than {first} does", entity.table.name);
                return Err(RouteFault::Route { path: route.path.to_owned(), why });
            }
        }
    }
    Ok(())
}

fn check_route(route: &CatalogRoute) -> Result<(), String> {
    let mut parts = segments(route.path);
    if !route.path.starts_with('/') || parts.next() != Some(route.sport) {
        return Err(format!("its path does not begin with /{}", route.sport));
    }
    if parts.any(|part| part.is_empty() || part.contains(['{', '}', '?', '%'])) {
        return Err("a segment of its path is empty or no word".to_owned());
    }
    let in_path: Vec<&str> = segments(route.path).filter_map(|part| part.strip_prefix(':')).collect();
    let described: Vec<&str> = route.path_parameters.iter().map(|parameter| parameter.name).collect();
    if in_path != described {
        return Err(format!("its path has the values {in_path:?}, and {described:?} are described"));
    }
    let mut names = BTreeSet::new();
    if let Some(twice) = route.parameters.iter().find(|parameter| !names.insert(parameter.name)) {
        return Err(format!("parameter `{}` stands twice", twice.name));
    }
    let has_data = !matches!(route.kind, RouteKind::None(_));
    if has_data != route.shape.is_some() || has_data == route.sources.is_empty() {
        return Err("a route has a shape and sources if it has data, and only then".to_owned());
    }
    if route.meaning.is_empty() {
        return Err("it does not say what it means".to_owned());
    }
    Ok(())
}

/// Whether a path can match both templates.
fn may_be_one_path(a: &str, b: &str) -> bool {
    let (a, b): (Vec<&str>, Vec<&str>) = (segments(a).collect(), segments(b).collect());
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a == b || is_value(a) || is_value(b))
}
