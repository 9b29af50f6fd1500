//! The operation of a request and the plan that it needs, from the API contract's list of operations.
//!
//! Paths are matched by the router that the canonical host uses, on the same bytes: nothing is decoded before. Ambiguous
//! paths were refused before. A path that matches no operation gets 404 from the canonical host, on any plan.

use fdna_api::operations::parameters::INCLUDE;
use fdna_api::{Operation, ParameterKind, Plan, all_operations};

use crate::plan::PLANS;

/// Prefix of the contract's paths. Elsewhere the canonical host has pages for its operator.
const PREFIX: &str = "/v1/mma";

/// Operations by path.
pub(crate) struct OperationRouter {
    router: matchit::Router<&'static Operation>,
}

impl std::fmt::Debug for OperationRouter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OperationRouter")
    }
}

/// The operation of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatchedOperation<'p> {
    /// `None` where no operation has the path.
    pub name: Option<&'static str>,
    /// The plans that may make the request, lowest first.
    pub plans: &'p [Plan],
    /// A parameter that needs a higher plan than the operation, with that plan.
    pub includes: Option<(&'static str, Plan)>,
}

impl MatchedOperation<'_> {
    /// One that every plan has.
    pub(crate) fn of_anyone(name: &'static str) -> Self {
        Self { name: Some(name), plans: &PLANS, includes: None }
    }

    /// The entitlement that a plan lacks.
    pub(crate) fn lacking_entitlement(&self, plan: Plan) -> &'static str {
        match self.includes {
            Some((words, of_operation)) if of_operation <= plan => words,
            _ => self.name.unwrap_or("this"),
        }
    }
}

/// Two operations have the same path.
#[derive(Debug, thiserror::Error)]
#[error("ambiguous operation paths")]
pub struct AmbiguousPath(#[from] matchit::InsertError);

impl OperationRouter {
    /// A router for the contract's operations.
    ///
    /// # Errors
    /// Two operations of the list have one path.
    pub(crate) fn new() -> Result<Self, AmbiguousPath> {
        let mut router = matchit::Router::new();
        for operation in all_operations() {
            router.insert(operation.path, operation)?;
        }
        Ok(Self { router })
    }

    /// The operation of a path and query; `None` outside the contract.
    #[must_use]
    pub(crate) fn find_operation(
        &self,
        path: &str,
        query: Option<&str>,
    ) -> Option<MatchedOperation<'static>> {
        let rest = path.strip_prefix(PREFIX)?;
        if !rest.is_empty() && !rest.starts_with('/') {
            return None;
        }
        let operation = self.router.at(path).ok().map(|found| *found.value);
        let Some(operation) = operation else {
            return Some(MatchedOperation { name: None, plans: &PLANS, includes: None });
        };
        let required = required_plan(operation, query.unwrap_or_default());
        let plans = &PLANS[PLANS.partition_point(|plan| *plan < required)..];
        let includes = (operation.plan < required).then_some(("include=stats", operation.plan));
        Some(MatchedOperation { name: Some(operation.name), plans, includes })
    }
}

/// The plan of the operation, or of what the query includes beyond it. All parameters and words are considered:
/// duplicate and unknown ones are refused by the canonical host.
fn required_plan(operation: &Operation, query: &str) -> Plan {
    let mut words = operation.parameters().filter_map(|parameter| match parameter.kind {
        ParameterKind::Choices { words } if parameter.name == INCLUDE.name() => Some(words),
        _ => None,
    });
    let Some(words) = words.next() else { return operation.plan };
    let mut includes = Vec::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        if name == "include" {
            includes.extend(
                words.iter().copied().filter(|word| value.split(',').any(|requested| requested == *word)),
            );
        }
    }
    operation.plan_with(&includes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::Body;
    use axum::http::Request;
    use axum::routing::get;
    use proptest::prelude::*;
    use tower::ServiceExt as _;

    fn find(path: &str) -> Option<(Option<&'static str>, Plan)> {
        let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
        let matched = OperationRouter::new().unwrap().find_operation(path, query)?;
        Some((matched.name, matched.plans[0]))
    }

    #[test]
    fn every_operation_is_found_by_its_path_with_its_plan() {
        for operation in all_operations() {
            let path = operation.path.replace('{', "a").replace('}', "b");
            assert_eq!(find(&path), Some((Some(operation.name), operation.plan)), "{path}");
        }
    }

    #[test]
    fn statistics_need_pro_however_they_are_written() {
        for query in [
            "include=stats",
            "include=media,stats",
            "include=media%2Cstats",
            "include=st%61ts",
            "incl%75de=stats",
            "include=media&include=stats",
            "include=stats&include=media",
            "limit=1&include=stats",
            "&&include=stats",
            "include=stats,stats",
            "include=odds,stats",
        ] {
            for path in ["/v1/mma/events/x/card", "/v1/mma/fighters/x"] {
                assert_eq!(find(&format!("{path}?{query}")).unwrap().1, Plan::Pro, "{path}?{query}");
            }
        }
        for query in ["include=media", "include=statsx", "include=", "stats", "include=%73", "Include=stats"]
        {
            assert_eq!(find(&format!("/v1/mma/fighters/x?{query}")).unwrap().1, Plan::Developer, "{query}");
        }
    }

    #[test]
    fn an_include_that_the_operation_does_not_take_asks_for_nothing_more() {
        assert_eq!(find("/v1/mma/events?include=stats").unwrap().1, Plan::Developer);
        assert_eq!(find("/v1/mma/matchups/a/b/dna?include=stats").unwrap().1, Plan::Ultra);
    }

    #[test]
    fn other_paths_of_the_contract_match_no_operation_and_the_rest_is_outside() {
        for path in
            ["/v1/mma/", "/v1/mma/odds", "/v1/mma/events/", "/v1/mma/EVENTS", "/v1/mma/fighters/x/%64na"]
        {
            assert_eq!(find(path), Some((None, Plan::Developer)), "{path}");
        }
        for path in ["/", "/metrics", "/v1/mmax", "/v1/mm", "/V1/mma", "/openapi.json", "/v1", ""] {
            assert_eq!(find(path), None, "{path}");
        }
    }

    #[test]
    fn a_word_in_the_path_is_no_id_where_an_operation_has_the_word() {
        assert_eq!(find("/v1/mma/fighters/media").unwrap().0, Some("fighters_media"));
        assert_eq!(find("/v1/mma/dna/query").unwrap().0, Some("dna_query"));
    }

    /// The canonical host's router, answering with the name of the operation.
    fn canonical() -> Router {
        all_operations().fold(Router::new(), |router, operation| {
            router.route(operation.path, get(move || async move { operation.name }))
        })
    }

    async fn seen_upstream(path: &str) -> Option<String> {
        let request = Request::builder().uri(path).body(Body::empty()).unwrap();
        let response = canonical().oneshot(request).await.unwrap();
        let is_found = response.status() == 200;
        let body = axum::body::to_bytes(response.into_body(), 1000).await.unwrap();
        is_found.then(|| String::from_utf8_lossy(&body).into_owned())
    }

    /// Paths near those of operations: words of the contract, encoded letters, odd characters.
    fn paths() -> impl Strategy<Value = String> {
        let words: Vec<String> = all_operations()
            .flat_map(|o| o.path.split('/'))
            .filter(|s| !s.is_empty())
            .map(|s| if s.starts_with('{') { "07225ba2".to_owned() } else { s.to_owned() })
            .collect();
        let word = prop_oneof![
            8 => prop::sample::select(words),
            1 => "[a-zA-Z0-9%._~!$&'()*+,=:@;-]{0,6}",
            1 => "%[0-9a-fA-F]{2}",
        ];
        let mutated = (word, 0..8usize, any::<prop::sample::Index>()).prop_map(|(word, how, at)| {
            let Some(place) = (!word.is_empty()).then(|| at.index(word.len())) else { return word };
            let byte = word.as_bytes()[place];
            match how {
                0 => format!("{}%{byte:02x}{}", &word[..place], &word[place + 1..]),
                1 => word.to_uppercase(),
                2 => format!("{word}."),
                3 => format!("{word};a=b"),
                _ => word,
            }
        });
        let segments = prop::collection::vec(mutated, 0..5);
        (segments, any::<bool>()).prop_map(|(segments, slash)| {
            let tail = if slash && segments.len() % 3 == 0 { "/" } else { "" };
            let rest: String = segments.iter().map(|s| format!("/{s}")).collect();
            format!("/v1/mma{rest}{tail}")
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_path_is_the_same_operation_here_and_upstream(path in paths()) {
            let Ok(uri) = path.parse::<axum::http::Uri>() else { return Ok(()) };
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let upstream = runtime.block_on(seen_upstream(&path));
            let here = OperationRouter::new().unwrap().find_operation(uri.path(), uri.query()).unwrap();
            prop_assert_eq!(here.name.map(str::to_owned), upstream);
        }
    }
}
