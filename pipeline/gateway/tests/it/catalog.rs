//! The gateway before the multi-sport catalog: its keys, its two listings, and keys in the URL.

use std::sync::Arc;

use fdna_catalog::{RouteCatalog, without_prefix};
use fdna_gateway::key::{Environment, KeyProduct, Secret};
use fdna_gateway::plan::{CustomLimits, Plan, Plans};
use fdna_gateway::store::NewKey;
use fdna_gateway::{CatalogRouteAccess, CatalogRoutes, Failure, ServedProduct};
use fdna_http::{AccessLog, LogTarget};

use crate::common::{Keys, Reply, TestGateway};
use crate::upstream::{Host, ok};

/// A route that the narrow listing leaves out.
const OMITTED: &str = "/soccer/data-health";
const NARROW: &str = "/nhl/standings";

#[derive(Debug)]
struct Routes(&'static RouteCatalog);

impl CatalogRoutes for Routes {
    fn canonical_path<'p>(&self, path: &'p str) -> &'p str {
        without_prefix(path)
    }

    fn find_route(&self, path: &str) -> Result<CatalogRouteAccess, Failure> {
        let route = self.0.find(path)?.route;
        let (name, in_narrow_listing) = (route.operation, route.in_narrow_listing);
        Ok(CatalogRouteAccess { name, in_narrow_listing, plan: Plan::Developer })
    }
}

struct Fixture {
    host: Host,
    gateway: TestGateway,
    keys: Keys,
    log: std::path::PathBuf,
}

async fn fixture() -> Fixture {
    fixture_with("[scale]\ncatalog = \"full\"").await
}

async fn fixture_with(plans: &str) -> Fixture {
    let plans = Plans::from_toml(plans).unwrap();
    let (host, keys) = (Host::start(|_| ok("{}")).await, Keys::new());
    let log = keys.folder().join("access.log");
    let (place, hosts) = (log.clone(), [host.url()]);
    let gateway = TestGateway::start_with(&keys, &hosts, |options| {
        options.product = ServedProduct::Catalog(Arc::new(Routes(RouteCatalog::get().unwrap())));
        options.plans = plans;
        let now = || crate::common::NOON.parse().unwrap();
        options.access_log = Some(Arc::new(AccessLog::open_log(LogTarget::File(place), now).unwrap()));
    });
    let gateway = gateway.await;
    Fixture { gateway, host, keys, log }
}

impl Fixture {
    fn issue(&self, plan: Plan) -> Secret {
        let mut store = self.keys.store();
        let name = format!("{}-account", plan.name());
        let account = store.open_account(&name, plan, CustomLimits::default(), &self.keys.actor()).unwrap();
        let secret = Secret::generate_for(KeyProduct::Catalog, Environment::Live).unwrap();
        let key = NewKey::of_account(account.id, Environment::Live, &secret);
        store.add_key(&key, None, &self.keys.actor()).unwrap();
        secret
    }

    /// The answer once the gateway knows the key.
    async fn get(&self, path: &str, key: &Secret) -> Reply {
        for _ in 0..50 {
            let reply = self.gateway.get(path, key).await;
            if reply.status != 401 {
                return reply;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("the key is not known");
    }

    /// First lines of what the canonical host was asked for, health checks left out.
    fn asked(&self) -> Vec<String> {
        let heads = self.host.heads();
        let lines = heads.iter().map(|head| head.lines().next().unwrap_or_default().to_owned());
        lines.filter(|line| !line.contains("/readyz") && !line.contains("/healthz")).collect()
    }
}

fn code(reply: &Reply) -> (u16, String) {
    let body = reply.json();
    let version = body["meta"]["version"].as_str().unwrap();
    assert!(reply.header("x-gateway-version").starts_with(&format!("{version}+gw.")), "{reply:?}");
    assert_eq!(body["meta"]["api"], "catalog", "{body}");
    (reply.status, body["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_has_the_narrow_listing_or_the_full_one() {
    let fixture = fixture().await;
    let (narrow, full) = (fixture.issue(Plan::Pro), fixture.issue(Plan::Scale));
    for prefix in ["", "/v1", "/api"] {
        assert_eq!(fixture.get(&format!("{prefix}{NARROW}"), &narrow).await.status, 200);
        assert_eq!(fixture.get(&format!("{prefix}{OMITTED}"), &full).await.status, 200);
        let refused = fixture.get(&format!("{prefix}{OMITTED}"), &narrow).await;
        assert_eq!(code(&refused), (403, "plan_required".to_owned()));
        assert_eq!(refused.json()["error"]["details"]["required_plan"], "scale");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_route_that_is_in_no_plan_is_refused_with_a_way_out() {
    let fixture = fixture_with("").await;
    let refused = fixture.get(OMITTED, &fixture.issue(Plan::Developer)).await;
    assert_eq!(code(&refused), (403, "plan_required".to_owned()));
    let message = refused.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("is in no plan") && message.contains("GET /sports lists"), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_listing_needs_no_key_and_shows_a_key_what_it_may_ask_for() {
    let fixture = fixture().await;
    let (narrow, full) = (fixture.issue(Plan::Pro), fixture.issue(Plan::Scale));
    for path in ["/sports", "/health", "/docs", "/openapi.json", "/v1/sports", "/api/health"] {
        assert_eq!(fixture.gateway.get_with(path, &[]).await.status, 200, "{path}");
    }
    fixture.get("/sports", &narrow).await;
    fixture.get("/sports?sport=nhl", &narrow).await;
    fixture.get("/sports?listing=full", &narrow).await;
    fixture.get("/sports", &full).await;
    let asked = fixture.asked();
    let asked: Vec<&str> = asked.iter().filter_map(|line| line.split(' ').nth(1)).skip(6).collect();
    let expected =
        ["/sports?listing=narrow", "/sports?sport=nhl&listing=narrow", "/sports?listing=full", "/sports"];
    assert_eq!(asked, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_in_the_url_is_taken_and_nobody_behind_the_gateway_sees_it() {
    let fixture = fixture().await;
    let key = fixture.issue(Plan::Pro);
    let (own, mma) = (key.reveal(), fixture.keys.issue("acme", Plan::Scale).0);
    assert_eq!(fixture.get(NARROW, &key).await.status, 200);
    for query in
        [format!("key={own}"), format!("season=2024-25&key={own}"), format!("k%65y={own}&season=2024-25")]
    {
        let reply = fixture.gateway.get_with(&format!("{NARROW}?{query}"), &[]).await;
        assert_eq!((reply.status, reply.header("x-plan")), (200, "pro"), "{query}");
    }
    let with_header = fixture.gateway.get_with(&format!("{NARROW}?key={own}"), &[("X-API-Key", own)]).await;
    assert_eq!(with_header.status, 200);
    for (query, headers, expected) in [
        (format!("key={own}&key={own}"), vec![], (400, "invalid_request")),
        (format!("key={own}"), vec![("X-API-Key", mma.reveal())], (400, "invalid_request")),
        (format!("api_key={own}"), vec![], (400, "invalid_request")),
        ("key=".to_owned(), vec![], (401, "unauthorized")),
        (format!("key={}", mma.reveal()), vec![], (401, "unauthorized")),
        (String::new(), vec![("X-API-Key", mma.reveal())], (401, "unauthorized")),
        (String::new(), vec![], (401, "unauthorized")),
    ] {
        let reply = fixture.gateway.get_with(&format!("{NARROW}?{query}"), &headers).await;
        assert_eq!(code(&reply), (expected.0, expected.1.to_owned()), "{query}");
        assert!(!reply.text().contains("fdk_"), "{}", reply.text());
    }
    for head in fixture.host.heads() {
        assert!(!head.contains("fdk_") && !head.to_lowercase().contains("key="), "{head}");
    }
    assert!(
        fixture.asked().contains(&format!("GET {NARROW}?season=2024-25 HTTP/1.1")),
        "{:?}",
        fixture.asked()
    );
    fixture.gateway.stop().await;
    let log = std::fs::read_to_string(&fixture.log).unwrap();
    assert!(
        log.contains(r#""path":"/nhl/standings","query":"season=2024-25""#) && log.lines().count() > 8,
        "{log}"
    );
    assert!(!log.contains("fdk_") && !log.contains("key="), "{log}");
    assert!(!log.contains(r#""whole":false"#), "every answer was read to its end: {log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_route_is_refused_here_with_what_is_near() {
    let fixture = fixture().await;
    let key = fixture.issue(Plan::Pro);
    let unknown = fixture.get("/nhl/standing", &key).await;
    assert_eq!(code(&unknown), (404, "not_found".to_owned()));
    assert!(unknown.text().contains("/nhl/standings"), "{}", unknown.text());
    assert_eq!(code(&fixture.get("/cricket/table", &key).await), (404, "not_found".to_owned()));
    assert_eq!(code(&fixture.get("/v1/mma/events", &key).await), (404, "not_found".to_owned()));
    assert_eq!(code(&fixture.get("/metrics", &key).await), (404, "not_found".to_owned()));
    let usage = fixture.get("/v1/account/usage", &key).await;
    assert_eq!((usage.status, usage.json()["meta"]["api"].as_str()), (200, Some("catalog")));
    assert_eq!(usage.json()["data"]["plan"], "pro");
    assert!(fixture.asked().is_empty(), "{:?}", fixture.asked());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_of_the_catalog_opens_nothing_of_mma() {
    let (host, keys) = (Host::start(|_| ok("{}")).await, Keys::new());
    let account =
        keys.store().open_account("acme", Plan::Pro, CustomLimits::default(), &keys.actor()).unwrap();
    let secret = Secret::generate_for(KeyProduct::Catalog, Environment::Live).unwrap();
    keys.store()
        .add_key(&NewKey::of_account(account.id, Environment::Live, &secret), None, &keys.actor())
        .unwrap();
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    assert_eq!(gateway.get("/v1/mma", &secret).await.refusal(), (401, "unauthorized".to_owned()));
    let in_url = gateway.get_with(&format!("/v1/mma?key={}", secret.reveal()), &[]).await;
    assert_eq!(in_url.refusal().0, 400);
}
