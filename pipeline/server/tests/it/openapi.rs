//! The OpenAPI document and the page that shows it.

use axum::http::StatusCode;

use crate::common::{app, get, request, send};

#[tokio::test]
async fn the_document_is_served_with_a_validator_and_takes_no_parameter() {
    let app = app();
    let first = get(&app, "/openapi.json").await;
    assert_eq!((first.status, first.header("content-type")), (StatusCode::OK, "application/json"));
    assert_eq!(first.header("cache-control"), "max-age=60");
    assert_eq!(first.json()["openapi"], "3.1.0");
    let again = request("GET", "/openapi.json", &[("if-none-match", first.header("etag"))]);
    let again = send(&app, again).await;
    assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!(get(&app, "/openapi.json?").await.bytes, first.bytes);
    let refused = get(&app, "/openapi.json?pretty=1").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert_eq!(refused.json()["error"]["details"]["parameter"], "pretty");
}

#[tokio::test]
async fn it_and_its_page_know_the_methods_of_every_path_and_are_compressed() {
    let app = app();
    for path in ["/openapi.json", "/docs"] {
        let whole = get(&app, path).await;
        let head = send(&app, request("HEAD", path, &[])).await;
        assert_eq!((head.status, head.bytes.len()), (StatusCode::OK, 0));
        assert_eq!(head.header("content-length"), whole.bytes.len().to_string());
        assert_eq!(send(&app, request("OPTIONS", path, &[])).await.header("allow"), "GET, HEAD, OPTIONS");
        assert_eq!(send(&app, request("POST", path, &[])).await.status, StatusCode::METHOD_NOT_ALLOWED);
        let zipped = send(&app, request("GET", path, &[("accept-encoding", "gzip")])).await;
        assert_eq!(zipped.header("content-encoding"), "gzip");
        assert!(zipped.bytes.len() * 5 < whole.bytes.len());
    }
}
