//! Methods, validators, caching and encodings.

use std::sync::Arc;

use fdna_server::router;
use serde_json::json;

use crate::common::{app, get, request, send, served};
use crate::content::{Moved, captured};
use crate::snapshot::dataset;

const PATHS: [&str; 8] = [
    "/v1/mma",
    "/v1/mma/events",
    "/v1/mma/events/e1/card",
    "/v1/mma/fighters/fa",
    "/v1/mma/fighters/fa/dna",
    "/v1/mma/dna/metrics",
    "/v1/mma/dna/query?metric=sig_landed_per_min",
    "/v1/mma/dna/validity",
];

#[tokio::test]
async fn a_known_answer_is_304_and_a_new_snapshot_makes_it_new() {
    let served = served("s1");
    let app = router(Arc::clone(&served));
    for path in PATHS {
        let tag = get(&app, path).await.header("etag").to_owned();
        assert!(tag.starts_with("W/\""), "{path}");
        let reply = send(&app, request("GET", path, &[("if-none-match", &tag)])).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (304, 0), "{path}");
        assert_eq!((reply.header("etag"), reply.header("cache-control")), (tag.as_str(), "max-age=60"));
        assert_eq!((reply.header("vary"), reply.header("x-snapshot-id")), ("Accept-Encoding", "s1"));
    }
    let tag = get(&app, "/v1/mma/events").await.header("etag").to_owned();
    served.publish(dataset("s2"));
    let reply = send(&app, request("GET", "/v1/mma/events", &[("if-none-match", &tag)])).await;
    assert_eq!(reply.status.as_u16(), 200);
}

#[tokio::test]
async fn routes_of_what_surrounds_the_bouts_speak_as_the_others() {
    let all = captured(&["rankings", "editorial", "wire", "videos"]);
    let moved = Moved::at("2026-01-01T00:00:00Z", |tables| tables.sources = all);
    for path in [
        "rankings",
        "rankings?as_of=2020-01-01",
        "news",
        "events/e1/articles",
        "fighters/fa/articles",
        "wire",
        "videos",
        "events/e1/videos",
        "fighters/fa/videos",
        "bouts/b1/videos",
        "fighters/media?ids=00000000-0000-0000-0000-000000000000",
    ] {
        let path = format!("/v1/mma/{path}");
        let reply = get(&moved.app, &path).await;
        let tag = reply.header("etag").to_owned();
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["meta"]["access_tier"]),
            (200, &json!("developer")),
            "{path}"
        );
        assert_eq!(
            (reply.header("cache-control"), reply.header("x-snapshot-id")),
            ("max-age=60", "s1"),
            "{path}"
        );
        let again = send(&moved.app, request("GET", &path, &[("if-none-match", &tag)])).await;
        assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0), "{path}");
        let head = send(&moved.app, request("HEAD", &path, &[])).await;
        assert_eq!(
            (head.status.as_u16(), head.bytes.len(), head.header("etag")),
            (200, 0, tag.as_str()),
            "{path}"
        );
        assert_eq!(head.header("content-length"), reply.bytes.len().to_string(), "{path}");
        assert_eq!(send(&moved.app, request("POST", &path, &[])).await.status.as_u16(), 405, "{path}");
        assert_eq!(send(&moved.app, request("OPTIONS", &path, &[])).await.status.as_u16(), 204, "{path}");
    }
}

#[tokio::test]
async fn queries_that_mean_the_same_have_one_tag() {
    let app = app();
    let mut tags = Vec::new();
    for query in ["?limit=25", "", "?status=all&limit=25", "?limit=%32%35", "?limit=24"] {
        tags.push(get(&app, &format!("/v1/mma/events{query}")).await.header("etag").to_owned());
    }
    assert!(tags[..4].iter().all(|tag| *tag == tags[0]));
    assert_ne!(tags[4], tags[0]);
}

#[tokio::test]
async fn errors_are_not_kept() {
    let reply = get(&app(), "/v1/mma/events/nobody").await;
    assert_eq!((reply.header("cache-control"), reply.header("etag")), ("no-store", ""));
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let app = app();
    for path in
        PATHS.into_iter().chain(["/v1/mma/events/nobody", "/nowhere", "/healthz", "/readyz", "/v1//mma"])
    {
        let get = get(&app, path).await;
        let head = send(&app, request("HEAD", path, &[])).await;
        assert_eq!((head.status, head.bytes.len()), (get.status, 0), "{path}");
        assert_eq!(head.header("content-length"), get.bytes.len().to_string(), "{path}");
        assert_eq!(head.header("etag"), get.header("etag"), "{path}");
    }
}

#[tokio::test]
async fn other_methods_are_405_and_options_lists_the_methods() {
    let app = app();
    for path in PATHS.into_iter().chain(["/v1/mma/rankings", "/healthz", "/readyz"]) {
        for method in ["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"] {
            let reply = send(&app, request(method, path, &[])).await;
            assert_eq!(
                (reply.status.as_u16(), reply.header("allow")),
                (405, "GET, HEAD, OPTIONS"),
                "{method} {path}"
            );
            assert_eq!(reply.json()["error"]["code"], "method_not_allowed");
        }
        let reply = send(&app, request("OPTIONS", path, &[])).await;
        assert_eq!((reply.status.as_u16(), reply.header("allow")), (204, "GET, HEAD, OPTIONS"), "{path}");
    }
}

#[tokio::test]
async fn large_bodies_are_compressed_for_those_who_ask() {
    let app = app();
    let plain = get(&app, "/v1/mma/fighters/fa/dna").await;
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "Accept-Encoding"));
    for encoding in ["gzip", "br", "zstd"] {
        let reply =
            send(&app, request("GET", "/v1/mma/fighters/fa/dna", &[("accept-encoding", encoding)])).await;
        assert_eq!(reply.header("content-encoding"), encoding);
        assert_eq!((reply.header("etag"), reply.header("vary")), (plain.header("etag"), "Accept-Encoding"));
        assert!(reply.bytes.len() * 3 < plain.bytes.len(), "{encoding}");
    }
    let small = send(&app, request("GET", "/v1/mma/events/e1", &[("accept-encoding", "gzip")])).await;
    assert_eq!(small.header("content-encoding"), "");
    let refusing =
        send(&app, request("GET", "/v1/mma/events/e1", &[("accept-encoding", "identity;q=0")])).await;
    assert_eq!((refusing.status.as_u16(), &refusing.json()["ok"]), (200, &json!(true)));
}

/// RFC 9110, 14.2: a server may ignore `Range`. The answers are made anew, so that a part of one would fit no other.
#[tokio::test]
async fn what_is_asked_in_part_or_by_date_is_answered_whole() {
    let whole = get(&app(), "/v1/mma/events").await;
    for (name, value) in [
        ("range", "bytes=0-9"),
        ("range", "bytes=999999999-"),
        ("if-range", "W/\"x\""),
        ("if-modified-since", "Fri, 01 Jan 2100 00:00:00 GMT"),
        ("if-unmodified-since", "Mon, 01 Jan 1990 00:00:00 GMT"),
    ] {
        let reply = send(&app(), request("GET", "/v1/mma/events", &[(name, value)])).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (200, whole.bytes.len()), "{name}: {value}");
        assert!(!reply.headers.contains_key("content-range"), "{name}: {value}");
    }
    assert!(!whole.headers.contains_key("last-modified") && !whole.headers.contains_key("accept-ranges"));
}

/// Keys are not for browsers: no page of another origin may read an answer with one.
#[tokio::test]
async fn no_other_origin_is_allowed() {
    let asked = [("origin", "https://other.test"), ("access-control-request-method", "GET")];
    for method in ["GET", "OPTIONS"] {
        let reply = send(&app(), request(method, "/v1/mma", &asked)).await;
        let named = reply.headers.keys().find(|name| name.as_str().starts_with("access-control"));
        assert_eq!(named, None, "{method}");
    }
}
