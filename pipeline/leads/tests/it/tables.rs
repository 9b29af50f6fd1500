//! Tables of properties over sockets: what a download counts.

use std::sync::Arc;

use axum_core::body::Body;
use fdna_leads::{FileResponse, NamedSnapshot, PublishedTable, RequestHead, TableFuture, TableSource};

use crate::common::serve;

/// Sends one file of so many bytes, whatever is asked for.
#[derive(Debug)]
struct OneFile(usize);

impl TableSource for OneFile {
    fn list_tables<'a>(&'a self, _snapshot_id: &'a str) -> TableFuture<'a, Vec<PublishedTable>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn send_file<'a>(
        &'a self,
        _snapshot: &'a NamedSnapshot,
        _file: &'a str,
        _client: &'a str,
        _head: &'a RequestHead,
    ) -> TableFuture<'a, FileResponse> {
        Box::pin(async { Ok(FileResponse::new(Body::from(vec![b'a'; self.0]))) })
    }
}

#[test]
fn each_megabyte_of_a_table_counts_as_a_request_of_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let frozen = "2026-11-24T10:00:15Z".parse().unwrap();
    let server = serve(folder.path(), move |options| {
        options.clock = fdna_http::Clock::new(move || frozen);
        options.tables = Some(Arc::new(OneFile(3_500_000)));
        options.requests_per_key = 6;
    });
    let list = format!("/v1/properties/snapshots/{}/tables", "0".repeat(32));
    let file = server.call("GET", &format!("{list}/sales.parquet"), &[], None);
    assert_eq!((file.status, file.text.len()), (200, 3_500_000));
    let ask = || server.call("GET", &list, &[], None);
    assert_eq!([ask().status, ask().status], [200, 200]);
    let refused = ask();
    assert_eq!((refused.status, refused.header("retry-after")), (429, "45"));
    assert_eq!(refused.code(), "rate_limited");
}
