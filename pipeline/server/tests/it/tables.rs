//! Tables of snapshots as files: whole, in parts, and with their contracts.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use axum::Router;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use fdna_lake::{Lake, SnapshotManifest};
use fdna_server::{LakeSource, ServingState, SnapshotSource, router};
use http_body_util::BodyExt as _;
use proptest::prelude::*;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tower::ServiceExt as _;

use crate::common::{Reply, clock, get, once, request};
use crate::lake::{now, overwrite, publish};

/// A lake with two snapshots, the second of which is served.
struct Tables {
    folder: tempfile::TempDir,
    app: Router,
    first: SnapshotManifest,
    second: SnapshotManifest,
}

impl Tables {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let lake = Lake::open(folder.path().join("lake"));
        let writer = lake.writer("test", now()).unwrap();
        let (first, second) = (publish(&writer, "first"), publish(&writer, "second"));
        writer.set_current(&second.id, now()).unwrap();
        let source = Arc::new(LakeSource::new(lake));
        let served = Arc::new(ServingState::new(None, clock()).with_source(source.clone()));
        served.publish(source.load_whole(second.id.as_str()).unwrap());
        Self { folder, app: router(served), first, second }
    }

    fn path(&self, table: &str) -> String {
        format!("/v1/mma/snapshots/{}/tables/{table}.parquet", self.second.id)
    }

    fn file(&self, id: &str, table: &str) -> std::path::PathBuf {
        self.folder.path().join(format!("lake/snapshots/{id}/tables/{table}.parquet"))
    }

    fn bytes(&self, table: &str) -> Vec<u8> {
        std::fs::read(self.file(self.second.id.as_str(), table)).unwrap()
    }

    async fn ask(&self, method: &str, table: &str, headers: &[(&str, &str)]) -> Reply {
        once(&self.app, request(method, &self.path(table), headers)).await
    }

    async fn part(&self, table: &str, range: &str) -> Reply {
        self.ask("GET", table, &[("range", range)]).await
    }
}

fn code(reply: &Reply) -> (u16, Value) {
    (reply.status.as_u16(), reply.json()["error"]["code"].clone())
}

/// The parts of an answer, by what each says of itself.
fn parts(reply: &Reply, length: usize) -> Vec<(Range<usize>, Vec<u8>)> {
    let range = |text: &str| {
        let (first, last) = text
            .strip_prefix("bytes ")
            .unwrap()
            .strip_suffix(&format!("/{length}"))
            .unwrap()
            .split_once('-')
            .unwrap();
        first.parse::<usize>().unwrap()..last.parse::<usize>().unwrap() + 1
    };
    let kind = reply.header("content-type");
    let Some(boundary) = kind.strip_prefix("multipart/byteranges; boundary=") else {
        return vec![(range(reply.header("content-range")), reply.bytes.clone())];
    };
    assert_eq!(reply.header("content-range"), "");
    let (mut rest, mut found) = (&reply.bytes[..], Vec::new());
    while let Some(after) = rest.strip_prefix(format!("--{boundary}\r\n").as_bytes()) {
        let end = after.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = std::str::from_utf8(&after[..end]).unwrap();
        let range = range(head.split("Content-Range: ").nth(1).unwrap());
        let content = &after[end + 4..];
        found.push((range.clone(), content[..range.len()].to_vec()));
        rest = content[range.len()..].strip_prefix(b"\r\n").unwrap();
    }
    assert_eq!(rest, format!("--{boundary}--\r\n").as_bytes());
    found
}

#[tokio::test]
async fn a_whole_file_is_known_by_its_digest_and_is_never_compressed() {
    let tables = Tables::new();
    for entry in &tables.second.tables {
        let got = tables.ask("GET", &entry.name, &[("accept-encoding", "gzip, br, zstd")]).await;
        assert_eq!(got.status.as_u16(), 200);
        assert!(got.bytes == tables.bytes(&entry.name), "{}", entry.name);
        let hex = Sha256::digest(&got.bytes).iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        assert_eq!(hex, entry.sha256);
        let digest = format!("sha-256=:{}:", BASE64.encode(Sha256::digest(&got.bytes)));
        for (name, value) in [
            ("etag", format!("\"{}\"", entry.sha256)),
            ("repr-digest", digest.clone()),
            ("content-digest", digest),
            ("content-length", got.bytes.len().to_string()),
            ("content-type", "application/vnd.apache.parquet".to_owned()),
            ("content-disposition", format!("attachment; filename=\"{}.parquet\"", entry.name)),
            ("accept-ranges", "bytes".to_owned()),
            ("cache-control", "max-age=31536000, immutable, no-transform".to_owned()),
            ("x-snapshot-id", tables.second.id.to_string()),
            ("content-encoding", String::new()),
            ("content-location", String::new()),
            ("vary", String::new()),
        ] {
            assert_eq!(got.header(name), value, "{name}");
        }
    }
}

#[tokio::test]
async fn head_is_get_without_its_body_and_knows_no_range() {
    let tables = Tables::new();
    let (got, head) = (
        tables.ask("GET", "events", &[]).await,
        tables.ask("HEAD", "events", &[("range", "bytes=0-1")]).await,
    );
    assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    let without = |reply: &Reply| {
        let mut headers = reply.headers.clone();
        // RFC 9530: of the content, of which HEAD has none.
        for name in ["x-request-id", "content-digest"] {
            headers.remove(name);
        }
        headers
    };
    assert_eq!(without(&head), without(&got));
    assert_eq!(head.header("content-digest"), "");
}

#[tokio::test]
async fn parts_are_the_bytes_that_were_asked_for() {
    let tables = Tables::new();
    let bytes = tables.bytes("events");
    let n = bytes.len();
    for (range, expected) in [
        ("bytes=0-0".to_owned(), vec![(0, 1)]),
        (format!("bytes={}-", n - 1), vec![(n - 1, n)]),
        ("bytes=-8".to_owned(), vec![(n - 8, n)]),
        ("bytes=4-".to_owned(), vec![(4, n)]),
        (format!("bytes=0-{}", 10 * n), vec![(0, n)]),
        (format!("bytes=-{}", 10 * n), vec![(0, n)]),
        ("bytes=0-0,10-19".to_owned(), vec![(0, 1), (10, 20)]),
        ("bytes=100-109,0-9,105-119".to_owned(), vec![(100, 120), (0, 10)]),
        (format!("bytes=0-1,{}-", 2 * n), vec![(0, 2)]),
    ] {
        let got = tables.part("events", &range).await;
        assert_eq!(got.status.as_u16(), 206, "{range}");
        assert_eq!(got.header("content-length"), got.bytes.len().to_string(), "{range}");
        assert_eq!((got.header("content-digest"), got.header("repr-digest").is_empty()), ("", false));
        let found = parts(&got, n);
        assert_eq!(
            found.iter().map(|(range, _)| (range.start, range.end)).collect::<Vec<_>>(),
            expected,
            "{range}"
        );
        assert!(found.iter().all(|(range, part)| bytes[range.clone()] == part[..]), "{range}");
    }
    let whole = tables.part("events", "rows=0-1").await;
    assert_eq!((whole.status.as_u16(), whole.bytes.len()), (200, n));
}

#[tokio::test]
async fn what_cannot_be_given_in_parts_is_416_with_the_length() {
    let tables = Tables::new();
    let n = tables.bytes("events").len();
    let many: Vec<String> = (0..100).map(|n| format!("{0}-{0}", 2 * n)).collect();
    for range in
        [format!("bytes={n}-"), "bytes=-0".into(), "bytes=a-b".into(), format!("bytes={}", many.join(","))]
    {
        let got = tables.part("events", &range).await;
        assert_eq!(code(&got), (416, "range_not_satisfiable".into()), "{range}");
        assert_eq!(got.header("content-range"), format!("bytes */{n}"), "{range}");
        assert_eq!(got.header("cache-control"), "no-store");
    }
}

#[tokio::test]
async fn conditions_are_held_against_the_digest() {
    let tables = Tables::new();
    let tag = format!("\"{}\"", tables.second.table("events").unwrap().sha256);
    let (other, weak) = (format!("\"{}\"", "0".repeat(64)), format!("W/{tag}"));
    let asked = async |headers: &[(&str, &str)]| {
        let got = tables.ask("GET", "events", headers).await;
        (got.status.as_u16(), got.header("etag").to_owned())
    };
    let (range, tagged) = (("range", "bytes=0-9"), |status| (status, tag.clone()));
    assert_eq!(asked(&[range, ("if-range", &tag)]).await, tagged(206));
    for none in [&other, &weak, "Sat, 29 Oct 1994 19:43:31 GMT"] {
        assert_eq!(asked(&[range, ("if-range", none)]).await, tagged(200), "{none}");
    }
    assert_eq!(asked(&[("range", "bytes=x"), ("if-range", &other)]).await, tagged(200));
    assert_eq!(asked(&[range, ("if-match", &tag)]).await, tagged(206));
    assert_eq!(asked(&[("if-match", &other)]).await.0, 412);
    assert_eq!(asked(&[("if-match", &weak)]).await.0, 412);
    for known in [&tag, &weak, "*"] {
        assert_eq!(asked(&[range, ("if-none-match", known)]).await, tagged(304), "{known}");
    }
    assert_eq!(asked(&[("if-none-match", &other)]).await, tagged(200));
    let refused = tables.ask("GET", "events", &[("if-match", &other)]).await;
    assert_eq!(code(&refused), (412, "precondition_failed".into()));
    let unchanged = tables.ask("GET", "events", &[("if-none-match", &tag)]).await;
    assert_eq!((unchanged.bytes.len(), unchanged.header("content-type")), (0, ""));
}

#[tokio::test]
async fn current_is_the_snapshot_that_is_served_and_names_it() {
    let tables = Tables::new();
    let got = once(&tables.app, request("GET", "/v1/mma/snapshots/current/tables/events.parquet", &[])).await;
    assert!(got.bytes == tables.bytes("events"));
    assert_eq!(got.header("content-location"), tables.path("events"));
    assert_eq!(got.header("cache-control"), "max-age=60, no-transform");
    let older = format!("/v1/mma/snapshots/{}/tables/events.parquet", tables.first.id);
    let older = once(&tables.app, request("GET", &older, &[])).await;
    assert_eq!(older.header("etag"), format!("\"{}\"", tables.first.table("events").unwrap().sha256));
    assert_eq!(older.header("x-snapshot-id"), tables.first.id.as_str());
    for path in ["", "/tables"] {
        let of = |id: &str| format!("/v1/mma/snapshots/{id}{path}");
        let older = once(&tables.app, request("GET", &of(tables.first.id.as_str()), &[])).await;
        assert_eq!(older.header("x-snapshot-id"), tables.first.id.as_str(), "{path}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_404_and_takes_no_parameter() {
    let tables = Tables::new();
    let id = tables.second.id.as_str();
    for (path, expected) in [
        (format!("{id}/tables/nothing.parquet"), (404, "not_found")),
        (format!("{id}/tables/events"), (404, "not_found")),
        (format!("{id}/tables/events.json"), (404, "not_found")),
        (format!("{id}/tables/events.parquet?columns=a"), (400, "invalid_parameter")),
        (format!("{}/tables/events.parquet", "0".repeat(32)), (404, "snapshot_not_found")),
        ("s1/tables/events.parquet".to_owned(), (404, "snapshot_not_found")),
        ("s1/tables".to_owned(), (404, "snapshot_not_found")),
    ] {
        let got = get(&tables.app, &format!("/v1/mma/snapshots/{path}")).await;
        assert_eq!(code(&got), (expected.0, expected.1.into()), "{path}");
    }
    let posted = tables.ask("POST", "events", &[]).await;
    assert_eq!(posted.status.as_u16(), 405);
}

#[tokio::test]
async fn a_damaged_file_is_503_and_others_are_sent() {
    let tables = Tables::new();
    let (file, mut bytes) = (tables.file(tables.second.id.as_str(), "results"), tables.bytes("results"));
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    overwrite(&file, &bytes);
    assert_eq!(code(&tables.ask("GET", "results", &[]).await), (503, "snapshot_not_available".into()));
    assert_eq!(tables.ask("GET", "events", &[]).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_file_that_changes_while_it_is_open_ends_early_and_is_then_503() {
    let tables = Tables::new();
    assert_eq!(tables.ask("GET", "events", &[]).await.status.as_u16(), 200);
    let file = File::options().write(true).open(tables.file(tables.second.id.as_str(), "events")).unwrap();
    let byte = tables.bytes("events")[100];
    file.write_all_at(&[byte ^ 1], 100).unwrap();
    let response = tables.app.clone().oneshot(request("GET", &tables.path("events"), &[])).await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    response.into_body().collect().await.unwrap_err();
    assert_eq!(code(&tables.ask("GET", "events", &[]).await), (503, "snapshot_not_available".into()));
}

#[tokio::test]
async fn the_list_says_what_every_column_means_and_where_the_file_is() {
    let tables = Tables::new();
    let by_id = get(&tables.app, &format!("/v1/mma/snapshots/{}/tables", tables.second.id)).await;
    let current = get(&tables.app, "/v1/mma/snapshots/current/tables").await;
    assert_eq!(by_id.data(), current.data());
    assert_eq!(by_id.json()["meta"]["count"], tables.second.tables.len());
    for (told, entry) in by_id.data().as_array().unwrap().iter().zip(&tables.second.tables) {
        let contract = fdna_schemas::Tables::get().table(&entry.name).unwrap();
        assert_eq!(told["name"], entry.name.as_str());
        assert_eq!(told["sha256"], entry.sha256.as_str());
        assert_eq!((told["rows"].as_u64(), told["bytes"].as_u64()), (Some(entry.rows), Some(entry.bytes)));
        assert_eq!(
            (&told["grain"], &told["meaning"]),
            (&contract.grain.as_str().into(), &contract.meaning.as_str().into())
        );
        assert_eq!(told["columns"].as_array().unwrap().len(), contract.columns.len());
        for (column, declared) in told["columns"].as_array().unwrap().iter().zip(&contract.columns) {
            let names: BTreeSet<&str> = column.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(names, BTreeSet::from(["name", "type", "unit", "meaning", "null_means"]));
            assert_eq!(
                (&column["name"], &column["type"]),
                (&declared.name.as_str().into(), &declared.kind.name().into())
            );
        }
        let file = once(&tables.app, request("GET", told["links"]["parquet"].as_str().unwrap(), &[])).await;
        assert_eq!(file.header("content-length"), entry.bytes.to_string());
        let rows = once(&tables.app, request("GET", told["links"]["csv"].as_str().unwrap(), &[])).await;
        assert_eq!(csv_records(&rows.bytes).len(), usize::try_from(entry.rows).unwrap() + 1);
    }
}

/// Lines of a CSV file as fields.
fn csv_records(bytes: &[u8]) -> Vec<csv::StringRecord> {
    let reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    reader.into_records().collect::<Result<_, _>>().unwrap()
}

#[tokio::test]
async fn rows_as_csv_are_those_of_the_file_and_null_is_an_empty_field() {
    let tables = Tables::new();
    let path = tables.path("events").replace(".parquet", ".csv");
    let got = get(&tables.app, &path).await;
    assert_eq!(got.header("content-type"), "text/csv; charset=utf-8; header=present");
    assert_eq!(got.header("content-disposition"), "attachment; filename=\"events.csv\"");
    let records = csv_records(&got.bytes);
    let lake = Lake::open(tables.folder.path().join("lake"));
    let batch = lake.read_snapshot_table(&tables.second, "events").unwrap();
    let names: Vec<&str> = batch.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(records[0].iter().collect::<Vec<_>>(), names);
    let mut nulls = 0;
    for (place, column) in batch.columns().iter().enumerate() {
        let options = arrow::util::display::FormatOptions::new();
        let texts = arrow::util::display::ArrayFormatter::try_new(column, &options).unwrap();
        for (row, record) in records[1..].iter().enumerate() {
            let expected = texts.value(row).to_string();
            nulls += usize::from(column.is_null(row));
            let is_instant = matches!(column.data_type(), arrow::datatypes::DataType::Timestamp(..));
            let field =
                if is_instant { record[place].replace(".000Z", "Z") } else { record[place].to_owned() };
            assert_eq!(field, expected, "{} of row {row}", names[place]);
        }
    }
    assert!(nulls > 0, "an event of the fixture has a column that is unknown");
    let unchanged = once(&tables.app, request("GET", &path, &[("if-none-match", got.header("etag"))])).await;
    assert_eq!((unchanged.status.as_u16(), unchanged.bytes.len()), (304, 0));
    let head = once(&tables.app, request("HEAD", &path, &[])).await;
    assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    let current = get(&tables.app, "/v1/mma/snapshots/current/tables/events.csv").await;
    assert_eq!((current.header("content-location"), &current.bytes), (path.as_str(), &got.bytes));
}

/// What a client has that takes a file in ranges, in any order, of any lengths.
#[test]
fn ranges_put_together_are_the_file() {
    let (tables, runtime) = (Tables::new(), tokio::runtime::Runtime::new().unwrap());
    let bytes = tables.bytes("dna_versions");
    let n = bytes.len();
    let lists = prop::collection::vec(prop::collection::vec((0..n, 1..n), 1..6), 1..6);
    let config = ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(lists in lists)| {
        for list in &lists {
            let ranges: Vec<String> = list.iter().map(|(first, more)| format!("{first}-{}", first + more)).collect();
            let got = runtime.block_on(tables.part("dna_versions", &format!("bytes={}", ranges.join(","))));
            prop_assert_eq!(got.status.as_u16(), 206);
            let asked: Vec<_> = list.iter().map(|(first, more)| *first..(first + more + 1).min(n)).collect();
            let sent = parts(&got, n);
            for range in &asked {
                prop_assert!(sent.iter().any(|(part, _)| part.start <= range.start && range.end <= part.end));
            }
            for (part, content) in sent {
                prop_assert!(asked.iter().any(|range| range.start == part.start));
                prop_assert!(asked.iter().any(|range| range.end == part.end));
                prop_assert!(content == bytes[part]);
            }
        }
    });
}
