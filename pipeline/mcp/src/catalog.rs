//! Search in the multi-sport catalog: every route with words of a name as a parameter.

use std::collections::BTreeSet;

use fdna_catalog::{CatalogRoute, RouteCatalog, RouteKind};
use fdna_server::{LocalApi, write_query};
use serde_json::{Value, json};

use crate::ask::ask;

/// Name of the parameter that takes words of a name.
const WORDS: &str = "q";

/// What the sports find for the words, route by route, and the sports that have no such route.
pub(crate) async fn search(api: &LocalApi, words: &str, limit: &str) -> Value {
    let Some(routes) = api.routes() else { return Value::Null };
    let mut found = Vec::new();
    for route in search_routes(routes) {
        let address =
            format!("{}{}", route.path, write_query(&[(WORDS, Some(words)), ("limit", Some(limit))]));
        found.push(match ask(api, &address).await {
            Ok(mut answer) => json!({"sport": route.sport, "route": route.path, "data": answer["data"].take(), "meta": answer["meta"].take()}),
            Err(refusal) => {
                let error = refusal.to_json()["error"].take();
                json!({"sport": route.sport, "route": route.path, "error": error})
            }
        });
    }
    json!({"found": found, "sports_without_search": sports_without_search(routes)})
}

/// Routes that take words; of a sport with a search of its own, that alone.
fn search_routes(routes: &RouteCatalog) -> impl Iterator<Item = &CatalogRoute> {
    let is_search = |route: &CatalogRoute| route.path.ends_with("/search");
    let with_search: BTreeSet<&str> =
        routes.routes().filter(|route| is_search(route)).map(|route| route.sport).collect();
    routes.routes().filter(move |route| {
        let takes_words = route.parameters.iter().any(|parameter| parameter.name == WORDS);
        let has_data = route.path_parameters.is_empty() && !matches!(route.kind, RouteKind::None(_));
        takes_words && has_data && (is_search(route) || !with_search.contains(route.sport))
    })
}

fn sports_without_search(routes: &RouteCatalog) -> Vec<&'static str> {
    let with: BTreeSet<&str> = search_routes(routes).map(|route| route.sport).collect();
    let all: BTreeSet<&str> = routes.routes().map(|route| route.sport).collect();
    all.difference(&with).copied().collect()
}

/// What `catalog` of an answer of `search` is.
pub(crate) fn output_schema() -> Value {
    json!({
        "type": "object",
        "description": "Where a multi-sport catalog is served: what its routes answer for the words.",
        "properties": {
            "found": {"type": "array", "items": {
                "type": "object",
                "properties": {
                    "sport": {"type": "string"},
                    "route": {"type": "string"},
                    "data": {"type": "array", "items": {"type": "object"}},
                    "meta": {"type": "object"},
                    "error": {"type": "object"},
                },
                "required": ["sport", "route"],
            }},
            "sports_without_search": {"type": "array", "items": {"type": "string"}, "description": "Ask `sql` about these."},
        },
        "required": ["found", "sports_without_search"],
    })
}
