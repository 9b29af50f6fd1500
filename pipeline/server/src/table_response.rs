//! The file of a table as an answer: whole, in parts, or not at all because the client has it (RFC 9110, 13 and 14).

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_LOCATION, CONTENT_RANGE,
    CONTENT_TYPE, ETAG, HeaderName, RETRY_AFTER,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use fdna_api::operations::snapshots::{
    CONTENT_TYPE as PARQUET, CSV_CONTENT_TYPE, CSV_SUFFIX, CURRENT, SUFFIX,
};
use fdna_api::{ErrorCode, Failure, Operation, Params, path_ids};
use fdna_http::byte_ranges::{
    BodySegment, MAX_RANGES, RequestedRanges, content_range, multipart_body, no_content_range,
};
use fdna_http::{X_SNAPSHOT_ID, goes_with_part, has_current, is_wanted, request_id};
use fdna_view::{MAX_CSV_CELLS, TableCsv, table_path};

use crate::client::ClientId;
use crate::csv_body::csv_body;
use crate::downloads::{TableFile, no_such_table};
use crate::respond;
use crate::serving_state::ServingState;
use crate::snapshots::{SNAPSHOTS, named_id};

/// Digests of RFC 9530: of the file, whatever is sent of it, and of what is sent.
const REPR_DIGEST: HeaderName = HeaderName::from_static("repr-digest");
const CONTENT_DIGEST: HeaderName = HeaderName::from_static("content-digest");

/// Why no file is sent, and what is said of it beside the error.
#[derive(Debug)]
pub struct DownloadRefusal {
    pub failure: Failure,
    pub headers: Box<HeaderMap>,
}

impl From<Failure> for DownloadRefusal {
    fn from(failure: Failure) -> Self {
        let after = failure.retry_after.map(|secs| (RETRY_AFTER, HeaderValue::from(secs)));
        Self { failure, headers: Box::new(after.into_iter().collect()) }
    }
}

/// How an address of a file may be kept: one that names a snapshot for ever, one that does not until the next.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FileAddress {
    /// Of one snapshot.
    Named,
    /// Of the snapshot that is served, of those under this path.
    Current(&'static str),
    /// The same of a page, which is asked for each time.
    Page,
}

impl FileAddress {
    /// Nobody on the way may compress the file: its digests and ranges are of its bytes.
    fn cache_control(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Named => "max-age=31536000, immutable, no-transform",
            Self::Current(_) => "max-age=60, no-transform",
            Self::Page => "no-cache",
        })
    }
}

/// Answers a request for the file of a table.
pub(crate) async fn respond(
    served: &Arc<ServingState>,
    operation: &'static Operation,
    head: &Parts,
) -> Response<Body> {
    answer_with_file(served, operation, head).await.unwrap_or_else(|DownloadRefusal { failure, headers }| {
        let mut response = respond::failure(&failure.of(operation), None);
        response.headers_mut().extend(*headers);
        response
    })
}

async fn answer_with_file(
    served: &Arc<ServingState>,
    operation: &'static Operation,
    head: &Parts,
) -> Result<Response<Body>, DownloadRefusal> {
    Params::parse(operation.parameters(), head.uri.query().unwrap_or_default())?;
    let ids = path_ids(operation.path, head.uri.path())?;
    let [id, file] = ids.as_slice() else { return Err(no_such_table().into()) };
    let address = if id == CURRENT { FileAddress::Current(SNAPSHOTS) } else { FileAddress::Named };
    let client = ClientId::of(head, served.has_key());
    served.named_file(&named_id(served, id)?, file, address, head, client).await
}

impl ServingState {
    /// The file of this name in a snapshot, for a client of the API.
    pub(crate) async fn named_file(
        self: &Arc<Self>,
        snapshot_id: &str,
        file: &str,
        address: FileAddress,
        head: &Parts,
        client: Option<ClientId>,
    ) -> Result<Response<Body>, DownloadRefusal> {
        if let Some(table) = file.strip_suffix(CSV_SUFFIX) {
            let file = self.table_file(snapshot_id, table).await?;
            return self.csv_response(file, address, head, client).await;
        }
        let table = file.strip_suffix(SUFFIX).ok_or_else(no_such_table)?;
        let file = self.table_file(snapshot_id, table).await?;
        self.file_response(file, address, head, client)
    }

    /// The rows of a table as CSV, made while they are sent: without a length, a digest or parts.
    async fn csv_response(
        self: &Arc<Self>,
        file: Arc<TableFile>,
        address: FileAddress,
        head: &Parts,
        client: Option<ClientId>,
    ) -> Result<Response<Body>, DownloadRefusal> {
        if !file.has_csv {
            let why = format!(
                "the table is too large for CSV, which ends at {MAX_CSV_CELLS} cells: download {}{SUFFIX}",
                file.name
            );
            return Err(Failure::new(ErrorCode::NotFound, why).into());
        }
        let tag = format!("W/\"{}.csv\"", file.sha256);
        let mut response = Response::new(Body::empty());
        set_identity(response.headers_mut(), &file, address, &tag, CSV_SUFFIX);
        if has_current(&head.headers, &tag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return Ok(response);
        }
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(CSV_CONTENT_TYPE));
        set_disposition(response.headers_mut(), &file, CSV_SUFFIX);
        if head.method == Method::GET {
            let permit = self.admit_download(client)?;
            let opening = Arc::clone(&file);
            let reader = tokio::task::spawn_blocking(move || TableCsv::open(&opening.file)).await;
            let reader = reader.map_err(io::Error::other).flatten().map_err(|error| {
                permit.report_damage(&file.snapshot_id, &error);
                Failure::new(ErrorCode::SnapshotNotAvailable, "the file of the table is damaged")
            })?;
            *response.body_mut() = csv_body(file, reader, permit);
        }
        Ok(response)
    }

    /// The content of a file, read as the client takes it; or that the client has it already, or wants another.
    pub(crate) fn file_response(
        self: &Arc<Self>,
        file: Arc<TableFile>,
        address: FileAddress,
        head: &Parts,
        client: Option<ClientId>,
    ) -> Result<Response<Body>, DownloadRefusal> {
        let tag = format!("\"{}\"", file.sha256);
        if !is_wanted(&head.headers, &tag) {
            let why = format!("the file is another than `If-Match` names: its tag is {tag}");
            return Err(Failure::new(ErrorCode::PreconditionFailed, why).into());
        }
        let mut response = Response::new(Body::empty());
        set_identity(response.headers_mut(), &file, address, &tag, SUFFIX);
        if has_current(&head.headers, &tag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return Ok(response);
        }
        set_description(response.headers_mut(), &file);
        // RFC 9110, 14.2: of GET alone.
        let is_part = head.method == Method::GET && goes_with_part(&head.headers, &tag);
        let requested = match is_part {
            true => RequestedRanges::from_headers(&head.headers, file.bytes()),
            false => RequestedRanges::Everything,
        };
        let segments = match requested {
            RequestedRanges::Unsatisfiable => return Err(not_satisfiable(file.bytes())),
            RequestedRanges::Everything => {
                if head.method == Method::GET {
                    response.headers_mut().extend(repr_digest(&file).map(|digest| (CONTENT_DIGEST, digest)));
                }
                VecDeque::from([BodySegment::File(0..file.bytes())])
            }
            RequestedRanges::Parts(parts) => {
                *response.status_mut() = StatusCode::PARTIAL_CONTENT;
                set_parts(response.headers_mut(), &parts, file.bytes())
            }
        };
        let length: u64 = segments.iter().map(BodySegment::length).sum();
        response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
        if head.method == Method::GET {
            *response.body_mut() = self.send(file, segments, client)?;
        }
        Ok(response)
    }
}

/// Which file it is: headers of 304, too.
fn set_identity(headers: &mut HeaderMap, file: &TableFile, address: FileAddress, tag: &str, suffix: &str) {
    fdna_http::set_common_headers(headers, request_id());
    headers.insert(CACHE_CONTROL, address.cache_control());
    headers.extend(HeaderValue::from_str(tag).map(|tag| (ETAG, tag)));
    headers.extend(HeaderValue::from_str(&file.snapshot_id).map(|id| (X_SNAPSHOT_ID, id)));
    if let FileAddress::Current(snapshots) = address {
        let location = HeaderValue::try_from(table_path(snapshots, &file.snapshot_id, &file.name, suffix));
        headers.extend(location.map(|location| (CONTENT_LOCATION, location)));
    }
}

/// What the file is.
fn set_description(headers: &mut HeaderMap, file: &TableFile) {
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(PARQUET));
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.extend(repr_digest(file).map(|digest| (REPR_DIGEST, digest)));
    set_disposition(headers, file, SUFFIX);
}

/// A name to save the file under.
fn set_disposition(headers: &mut HeaderMap, file: &TableFile, suffix: &str) {
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{}{suffix}\"", file.name));
    headers.extend(disposition.map(|disposition| (CONTENT_DISPOSITION, disposition)));
}

/// The SHA-256 of a file as a structured field.
fn repr_digest(file: &TableFile) -> Option<HeaderValue> {
    let byte = |at: usize| u8::from_str_radix(file.sha256.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..file.sha256.len()).step_by(2).map(byte).collect();
    HeaderValue::try_from(format!("sha-256=:{}:", BASE64.encode(bytes?))).ok()
}

/// One part as it is, several as one body with a header for each.
fn set_parts(headers: &mut HeaderMap, parts: &[std::ops::Range<u64>], length: u64) -> VecDeque<BodySegment> {
    if let [part] = parts {
        headers
            .extend(HeaderValue::try_from(content_range(part, length)).map(|range| (CONTENT_RANGE, range)));
        return VecDeque::from([BodySegment::File(part.clone())]);
    }
    let (segments, content_type) = multipart_body(parts, length, PARQUET, uuid::Uuid::new_v4());
    if let Ok(content_type) = HeaderValue::try_from(content_type) {
        headers.insert(CONTENT_TYPE, content_type);
    }
    segments
}

fn not_satisfiable(length: u64) -> DownloadRefusal {
    let why = format!(
        "`Range` must be 1 to {MAX_RANGES} ranges such as `bytes=0-99,-8`, of which one begins within the {length} bytes of the file"
    );
    let failure = Failure::new(ErrorCode::RangeNotSatisfiable, why);
    let headers = HeaderMap::from_iter([(CONTENT_RANGE, no_content_range(length))]);
    DownloadRefusal { failure, headers: Box::new(headers) }
}
