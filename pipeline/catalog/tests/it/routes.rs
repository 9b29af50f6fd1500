//! The routes that are compiled in against the specification's list, and files that contradict themselves.

use std::collections::BTreeSet;

use fdna_api::ErrorCode;
use fdna_catalog::{ListingFilter, RouteCatalog, RouteKind};
use proptest::prelude::*;

/// Sport, group, path and narrowest listing of every route of the specification.
const SPECIFICATION: &str = include_str!("specification.tsv");

/// Routes of ours beside them: what the checks of a sport found, DNA of more kinds, ratings.
const EXTRA: [&str; 25] = [
    "/nba/dna/leaders",
    "/nhl/dna/leaders",
    "/mlb/dna/pitchers/leaders",
    "/mlb/data-health",
    "/mlb/ratings",
    "/mlb/ratings/validity",
    "/mlb/player/:id/dna",
    "/nba/data-health",
    "/nba/player/:id/dna",
    "/nba/ratings",
    "/nba/ratings/validity",
    "/nfl/team/:id/dna",
    "/nfl/ratings",
    "/nfl/ratings/validity",
    "/nhl/player/:id/dna",
    "/nhl/ratings",
    "/nhl/ratings/validity",
    "/soccer/ratings/clubs",
    "/soccer/ratings/clubs/validity",
    "/soccer/ratings/nations",
    "/soccer/ratings/nations/validity",
    "/tennis/data-health",
    "/wnba/data-health",
    "/wnba/ratings",
    "/wnba/ratings/validity",
];

fn catalog() -> &'static RouteCatalog {
    RouteCatalog::get().unwrap()
}

/// A file of one route, `{}` being its lines.
const FILE: &str = "sport = \"s\"\nname = \"S\"\nposition = 1\nday_zone = \"UTC\"\n[[group]]\nname = \"G\"\nin_narrow_listing = true\n";

fn fault(routes: &str) -> String {
    let text = format!("{FILE}{routes}");
    let fault = RouteCatalog::of_files(&[("s", &text)]).unwrap_err();
    std::error::Error::source(&fault).map_or(fault.to_string(), |source| format!("{fault}: {source}"))
}

#[test]
fn the_routes_are_those_of_the_specification_in_its_order() {
    let listing = |is_narrow| if is_narrow { "narrow" } else { "full" };
    let (extra, stated): (Vec<_>, Vec<_>) = catalog().routes().partition(|route| EXTRA.contains(&route.path));
    let stated = stated.iter().map(|route| {
        format!("{}\t{}\t{}\t{}", route.sport, route.group, route.path, listing(route.in_narrow_listing))
    });
    assert_eq!(stated.collect::<Vec<_>>(), SPECIFICATION.lines().skip(1).collect::<Vec<_>>());
    assert_eq!(extra.len(), EXTRA.len());
    assert!(extra.iter().all(|route| !route.in_narrow_listing), "the narrow listing is the specification's");
}

#[test]
fn the_counts_are_counted() {
    let all = catalog().totals();
    let lines = || SPECIFICATION.lines().skip(1);
    let narrow = lines().filter(|line| line.ends_with("\tnarrow")).count();
    assert_eq!((all.routes, all.narrow), (lines().count() + EXTRA.len(), narrow));
    let listed = catalog().listing(ListingFilter { is_narrow: true, sport: None }).totals;
    assert_eq!((listed.routes, listed.narrow), (narrow, narrow));
    let health = catalog().health();
    for sport in &health.sports {
        assert_eq!(sport.routes, sport.stated + sport.derived + sport.none, "{}", sport.sport);
    }
    assert_eq!(health.sports.iter().map(|sport| sport.routes).sum::<usize>(), all.routes);
}

#[test]
fn a_path_has_one_meaning_with_each_prefix() {
    for route in catalog().routes() {
        let path: Vec<_> = route.path.split('/').map(|part| part.strip_prefix(':').unwrap_or(part)).collect();
        let path = path.join("/");
        for prefix in ["", "/v1", "/api"] {
            let found = catalog().find(&format!("{prefix}{path}")).unwrap();
            assert_eq!((found.route.path, found.values.len()), (route.path, route.path_parameters.len()));
        }
        assert!(catalog().find(&format!("/v1/api{path}")).is_err());
    }
}

#[test]
fn a_route_that_no_source_can_answer_has_its_own_code_and_others_are_not_published() {
    for route in catalog().routes() {
        let path = route.path.replace(':', "");
        let query = if path == "/nhl/standings" { "season=2024-25" } else { "" };
        let failure = catalog().find(&path).unwrap().failure(query, None);
        let expected = match route.kind {
            RouteKind::None(code) => code,
            _ if route.parameters.iter().any(|parameter| parameter.required) => ErrorCode::InvalidParameter,
            _ => ErrorCode::SportNotPublished,
        };
        assert_eq!(failure.code, expected, "{path}");
        assert_eq!(failure.docs, format!("/docs#{}", route.operation));
    }
}

#[test]
fn what_is_not_there_is_404_with_the_nearest() {
    let near = |path: &str| {
        let failure = catalog().find(path).unwrap_err();
        assert_eq!((failure.code, failure.api.name), (ErrorCode::NotFound, "catalog"), "{path}");
        failure.details.unwrap().did_you_mean.unwrap_or_default()
    };
    assert_eq!(near("/nhl/standing")[0], "/nhl/standings");
    assert_eq!(near("/v1/nhl/player/5/gamelog").len(), 3);
    assert_eq!(near("/nhll/standings")[0], "nhl");
    assert_eq!(near("/cricket"), Vec::<String>::new());
    // With the values that were asked for, and nothing where no more than the sport is named.
    assert_eq!(near("/mlb/game/716463/boxscor")[0], "/mlb/game/716463/boxscore");
    assert_eq!(near("/nhl/standings/2024")[0], "/nhl/standings");
    for path in ["/mlb", "/nhl/", "/v1/nfl"] {
        assert_eq!(near(path), Vec::<String>::new(), "{path}");
        let message = catalog().find(path).unwrap_err().message;
        assert!(message.contains("lists its routes"), "{path}: {message}");
    }
}

#[test]
fn operations_of_the_document_have_names_of_their_own() {
    let document = fdna_catalog::document(catalog());
    let paths = document["paths"].as_object().unwrap();
    // And `/sports`, `/health`, `/changes` with its stream, and two for tables.
    assert_eq!(paths.len(), catalog().totals().routes + 6);
    let names: BTreeSet<&str> =
        paths.values().filter_map(|item| item["get"]["operationId"].as_str()).collect();
    assert_eq!(names.len(), paths.len());
    for (path, item) in paths {
        let in_path = path.matches('{').count();
        let described =
            item["get"]["parameters"].as_array().unwrap().iter().filter(|p| p["in"] == "path").count();
        assert_eq!(in_path, described, "{path}");
    }
}

#[test]
fn the_page_has_a_section_for_every_route() {
    let page = catalog().docs();
    for route in catalog().routes() {
        assert_eq!(page.matches(&format!("<section class=operation id=\"{}\">", route.operation)).count(), 1);
    }
}

#[test]
fn files_that_contradict_themselves_are_refused_with_the_reason() {
    let route =
        |path: &str, more: &str| format!("[[group.route]]\npath = \"{path}\"\nmeaning = \"m\"\n{more}\n");
    let list = "kind = \"stated\"\nshape = \"list\"\nsources = [\"a\"]";
    let param =
        |lines: &str| format!("{list}\n[[group.route.param]]\nname = \"p\"\nmeaning = \"m\"\n{lines}");
    for (routes, why) in [
        (route("/t/a", list), "does not begin with /s"),
        (route("/s//a", list), "a segment of its path is empty"),
        (route("/s/:id", list), "are described"),
        (route("/s/a", "kind = \"none\""), "it needs a code"),
        (route("/s/a", "kind = \"none\"\ncode = \"not_found\""), "none of a 503"),
        (route("/s/a", "kind = \"none\"\ncode = \"x\""), "none of a 503"),
        (route("/s/a", &format!("{list}\ncode = \"live_not_available\"")), "for a route without data"),
        (route("/s/a", "kind = \"stated\"\nshape = \"list\""), "a shape and sources"),
        (route("/s/a", "kind = \"guessed\""), "unknown variant `guessed`"),
        (route("/s/a", &format!("{list}\nodds = 1")), "unknown field `odds`"),
        (route("/s/a", list) + &route("/s/a", list), "a path may be of it and of /s/a"),
        (route("/s/a", &format!("{list}\nexample = \"/s/b\"")), "is another route's"),
        (route("/s/a", &param("type = \"int\"\ndefault = 9\nmax = 5")), "out of bounds"),
        (route("/s/a", &param("type = \"date\"\ndefault = 4")), "is no number, and its default is"),
        (route("/s/a", &param("type = \"word\"")), "a word has values"),
        (route("/s/a", &param("type = \"word\"\nvalues = [\"a\"]\ndefault = \"b\"")), "none of its values"),
        (route("/s/a", &param("type = \"date\"\nmin = 1")), "has bounds and is no number"),
        (
            route("/s/a", &param("type = \"date\"\ndefault = \"today\"\nrequired = true")),
            "is required and has a default",
        ),
    ] {
        assert!(fault(&routes).contains(why), "{why}: {}", fault(&routes));
    }
    let text = format!("{FILE}{}", route("/s/a", list));
    let twice = RouteCatalog::of_files(&[("a", &text), ("b", &text)]).unwrap_err().to_string();
    assert!(twice.contains("two files are of this sport"), "{twice}");
}

proptest! {
    #[test]
    fn no_path_and_no_query_stop_it(path in "(/[a-z0-9:%.-]{0,8}){0,6}", query in "[a-z=&%0-9+-]{0,40}") {
        if let Ok(found) = catalog().find(&path) {
            let _ = found.failure(&query, None);
        }
        for route in catalog().routes().take(9) {
            let failure = catalog().find(&route.path.replace(':', "")).unwrap().failure(&query, None);
            prop_assert!(matches!(failure.code.status(), 400 | 503));
        }
    }
}
