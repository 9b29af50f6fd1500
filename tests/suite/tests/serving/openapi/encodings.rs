//! Every answer in every encoding, made and given again.

use std::io::Read as _;

use axum::body::Body;
use axum::http::Request;

use crate::openapi::app::{App, Sent};
use crate::openapi::asked;

const ENCODINGS: [&str; 3] = ["gzip", "br", "zstd"];

/// What a client of this encoding reads; nothing may follow the end.
fn decoded(sent: &Sent) -> Vec<u8> {
    let (mut text, body) = (Vec::new(), &*sent.body);
    match sent.headers.get("content-encoding").map(String::as_str) {
        None => text.extend_from_slice(body),
        Some("gzip") => {
            let mut decoder = flate2::bufread::GzDecoder::new(body);
            decoder.read_to_end(&mut text).unwrap();
            assert!(decoder.into_inner().is_empty());
        }
        Some("br") => {
            brotli::Decompressor::new(body, 4096).read_to_end(&mut text).unwrap();
        }
        Some("zstd") => text = zstd::decode_all(body).unwrap(),
        Some(other) => panic!("{other} was not asked for"),
    }
    text
}

fn asked_for(app: &App, method: &str, path: &str, headers: &[(&str, &str)]) -> Sent {
    let request = Request::builder().method(method).uri(path).header("host", "api.test");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    app.send(request.body(Body::empty()).unwrap())
}

/// Without the request's id, which is another each time.
fn constant(text: &[u8], sent: &Sent) -> String {
    String::from_utf8(text.to_vec()).unwrap().replace(&sent.headers["x-request-id"], "")
}

#[test]
fn every_answer_decodes_to_the_same_in_every_encoding() {
    let app = App::of_sample();
    let mut paths: Vec<String> = asked::paths(&app.ids()).into_iter().map(|(_, path)| path).collect();
    // A file is never compressed, and no text.
    paths.retain(|path| !path.contains(asked::TABLE));
    paths.extend(["/docs", "/openapi.json", "/nowhere"].map(str::to_owned));
    let mut compressed = 0;
    for path in paths {
        let plain = asked_for(&app, "GET", &path, &[]);
        let is_large = plain.status == 200 && plain.body.len() > 1200;
        for encoding in ENCODINGS {
            // Made, then given again.
            for _ in 0..2 {
                let sent = asked_for(&app, "GET", &path, &[("accept-encoding", encoding)]);
                assert_eq!(
                    constant(&decoded(&sent), &sent),
                    constant(&plain.body, &plain),
                    "{path} {encoding}"
                );
                let is_compressed = sent.headers.contains_key("content-encoding");
                assert_eq!(
                    is_compressed,
                    is_large || sent.body.len() < plain.body.len(),
                    "{path} {encoding}"
                );
                compressed += usize::from(is_compressed);
                if plain.status == 200 {
                    assert_eq!(sent.headers["vary"], "Accept-Encoding", "{path}");
                    assert_eq!(sent.headers["etag"], plain.headers["etag"], "{path}");
                }
                assert_eq!(sent.headers["content-length"], sent.body.len().to_string(), "{path}");
            }
            let head = asked_for(&app, "HEAD", &path, &[("accept-encoding", encoding)]);
            assert_eq!((head.status, head.body.len()), (plain.status, 0), "{path}");
        }
        if let Some(tag) = plain.headers.get("etag") {
            let known = [("accept-encoding", "br"), ("if-none-match", tag)];
            let sent = asked_for(&app, "GET", &path, &known);
            assert_eq!((sent.status, sent.body.len()), (304, 0), "{path}");
            assert!(!sent.headers.contains_key("content-encoding"), "{path}");
        }
    }
    assert!(compressed > 200, "{compressed}");
}
