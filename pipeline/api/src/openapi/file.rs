//! Requests for a file, whole or in parts: header parameters and responses.

use serde_json::{Map, Value, json};

use super::headers;
use crate::operations::snapshots::{CONTENT_TYPE, CSV_CONTENT_TYPE};

/// Header parameters: which part is asked for, and of which file.
pub(super) fn parameters() -> [Value; 3] {
    let header = |name: &str, about: &str, example: &str| {
        json!({
            "name": name,
            "in": "header",
            "required": false,
            "description": about,
            "schema": {"type": "string"},
            "examples": {"one": {"value": example}},
        })
    };
    let tag = "\"0000000000000000000000000000000000000000000000000000000000000000\"";
    [
        header("Range", "Bytes of the file: up to 64 ranges.", "bytes=-8"),
        header("If-Range", "`ETag` of the file that the client has a part of: the whole of any other.", tag),
        header("If-Match", "`ETag` of the file that is wanted: 412 of any other.", tag),
    ]
}

/// Parameters and responses by status, for the document of another API, which has no components for headers.
#[must_use]
pub fn table_file_schema() -> (Vec<Value>, Map<String, Value>) {
    let mut responses = responses();
    responses.values_mut().for_each(|response| headers::resolve(&mut response["headers"]));
    (parameters().to_vec(), responses)
}

/// By status.
pub(super) fn responses() -> Map<String, Value> {
    let binary = || json!({"schema": {"type": "string", "format": "binary"}});
    let one = json!({
        "description": "The whole file.",
        "headers": headers::of_file(false),
        "content": {CONTENT_TYPE: binary(), CSV_CONTENT_TYPE: {"schema": {"type": "string"}}},
    });
    let part = json!({
        "description": "The part that `Range` names, or several, each with its `Content-Range`.",
        "headers": headers::of_file(true),
        "content": {CONTENT_TYPE: binary(), "multipart/byteranges": binary()},
    });
    let unchanged = json!({
        "description": "The client has the file by `If-None-Match`: free of the month's quota.",
        "headers": headers::of_unchanged_file(),
    });
    [("200", one), ("206", part), ("304", unchanged)]
        .into_iter()
        .map(|(status, response)| (status.to_owned(), response))
        .collect()
}
