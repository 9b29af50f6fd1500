//! The page `/docs`: whole without script, links that lead somewhere, samples of every operation.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fdna_api::{ErrorCode, all_operations};
use sha2::{Digest as _, Sha256};

use crate::common::{app, get, request, send};

async fn page() -> String {
    String::from_utf8(get(&app(), "/docs").await.bytes).unwrap()
}

/// What stands in quotes, or up to the tag's end, behind each `key`.
fn values<'a>(page: &'a str, key: &str) -> Vec<&'a str> {
    let parts = page.split(key).skip(1);
    parts.map(|rest| rest.trim_start_matches('"').split(['"', ' ', '>']).next().unwrap()).collect()
}

#[tokio::test]
async fn every_link_within_it_leads_to_one_place() {
    let page = page().await;
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    values(&page, " id=").into_iter().for_each(|id| *places.entry(id).or_default() += 1);
    let links: BTreeSet<&str> = values(&page, "href=\"#").into_iter().collect();
    for link in &links {
        assert_eq!(places.get(link), Some(&1), "#{link}");
    }
    assert!(links.len() > 300, "{}", links.len());
    let operations = all_operations().map(|operation| operation.name);
    for id in operations.chain(["errors", "paging", "authentication", "quick-start"]) {
        assert_eq!(places.get(id), Some(&1), "#{id}");
    }
    for code in ErrorCode::of_mma() {
        assert_eq!(places.get(&*format!("error-{}", code.name())), Some(&1), "{}", code.name());
    }
}

/// What a link names must be seen when it is followed.
#[tokio::test]
async fn no_place_that_a_link_names_is_in_a_closed_box() {
    let page = page().await;
    let main = page.split_once("<main").unwrap().1;
    for closed in main.split("<details>").skip(1) {
        let inside = closed.split_once("</details>").unwrap().0;
        assert!(!inside.contains(" id="), "{inside}");
    }
}

#[tokio::test]
async fn every_operation_has_a_sample_in_three_languages() {
    let page = page().await;
    for operation in all_operations() {
        let (_, section) =
            page.split_once(&format!("<section class=operation id=\"{}\">", operation.name)).unwrap();
        let section = section.split_once("</section>").unwrap().0;
        for class in ["sample curl", "sample python", "sample typescript"] {
            assert_eq!(section.matches(&format!("<pre class=\"{class}\"")).count(), 1, "{}", operation.name);
        }
        assert!(!section.contains("{id}\"") && !section.contains("{slug}\""), "{}", operation.name);
    }
}

#[tokio::test]
async fn it_loads_nothing_and_runs_its_own_script_alone() {
    let reply = get(&app(), "/docs").await;
    assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
    let policy = reply.header("content-security-policy").to_owned();
    assert!(policy.starts_with("default-src 'none';") && !policy.contains("http"), "{policy}");
    let page = String::from_utf8(reply.bytes).unwrap();
    let scripts: Vec<&str> =
        page.split("<script>").skip(1).map(|s| s.split_once("</script>").unwrap().0).collect();
    let digest = STANDARD.encode(Sha256::digest(scripts[0]));
    assert!(scripts.len() == 1 && policy.contains(&format!("script-src 'sha256-{digest}';")), "{policy}");
    for tag in ["<script ", "<link", "<img", "<iframe", "src=", "@import", "url(", "style=\"", " onclick"] {
        assert!(!page.contains(tag), "{tag}");
    }
    for part in ["<nav", "<main", "<header", "lang=en"] {
        assert_eq!(page.matches(part).count(), 1, "{part}");
    }
    let refused = get(&app(), "/docs?x=1").await;
    assert_eq!((refused.status.as_u16(), refused.header("content-security-policy")), (400, ""));
}

#[tokio::test]
async fn it_is_small_enough_for_a_telephone() {
    let page = page().await;
    let sent = send(&app(), request("GET", "/docs", &[("accept-encoding", "br")])).await;
    assert!(page.len() < 1_000_000 && sent.bytes.len() < 150_000, "{} {}", page.len(), sent.bytes.len());
}

/// As the server writes it, not as the alphabet would have it.
#[tokio::test]
async fn examples_have_the_order_of_answers() {
    let page = page().await;
    let (_, section) = page.split_once("<section class=operation id=\"event\">").unwrap();
    let example = section.split_once("<h4>Response</h4>").unwrap().1.split_once("</pre>").unwrap().0;
    let at = |name: &str| {
        example.find(&format!("&quot;{name}&quot;")).unwrap_or_else(|| panic!("{name}: {example}"))
    };
    let order = [
        "ok",
        "data",
        "id",
        "statsdb_id",
        "name",
        "event_date",
        "venue",
        "card_status",
        "meta",
        "request_id",
    ];
    assert!(order.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "{example}");
}
