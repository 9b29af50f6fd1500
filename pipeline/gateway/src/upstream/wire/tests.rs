//! What a line takes for an answer, beside what another client takes for it.

use std::future::poll_fn;
use std::time::Duration;

use hyper::body::Body as _;
use hyper::client::conn::http1::handshake;
use hyper::header::HeaderMap;
use hyper::http::uri::PathAndQuery;
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use proptest::prelude::*;
use tokio::net::{TcpListener, TcpStream};

use super::*;
use crate::headers::{Back, Part};

/// Status, the headers that pass, and body.
type Answer = (u16, HeaderMap, Vec<u8>);

/// A connection over which these pieces come, whatever is sent, and then the end.
async fn stream(pieces: Vec<Vec<u8>>) -> TcpStream {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (mut host, _) = listener.accept().await.unwrap();
    host.set_nodelay(true).unwrap();
    tokio::spawn(async move {
        // An answer that is there before the question may be refused.
        let _ = host.read(&mut [0; 1024]).await;
        for piece in pieces {
            let _ = host.write_all(&piece).await;
            tokio::task::yield_now().await;
        }
        let _ = host.shutdown().await;
        // What is not read resets the connection.
        let _ = tokio::time::timeout(Duration::from_secs(5), host.read(&mut [0; 1024])).await;
    });
    stream
}

fn question<'a>(method: &'a Method, target: &'a PathAndQuery, headers: &'a HeaderMap) -> Question<'a> {
    Question {
        method,
        target,
        headers,
        account: None,
        id: None,
        thread: 0,
        asked: tokio::time::Instant::now(),
    }
}

async fn ask(wire: &mut Wire, method: &Method) -> Result<Answer, WireError> {
    let (target, headers) = (PathAndQuery::from_static("/a"), HeaderMap::new());
    let head = wire
        .ask(&question(method, &target, &headers), &[(hyper::header::HOST, HeaderValue::from_static("host"))])
        .await?;
    let mut body = Vec::new();
    while let Some(piece) = poll_fn(|cx| wire.poll_piece(cx)).await {
        body.extend_from_slice(&piece?);
    }
    Ok((head.status.as_u16(), head.back.onto(HeaderMap::new()), body))
}

async fn ask_another(stream: TcpStream, method: &Method) -> Result<Answer, hyper::Error> {
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let request = Request::builder().method(method).uri("/a").header("host", "host");
    let answer = sender.send_request(request.body(String::new()).unwrap()).await?;
    let (parts, mut rest) = answer.into_parts();
    let mut body = Vec::new();
    while let Some(frame) = poll_fn(|cx| std::pin::Pin::new(&mut rest).poll_frame(cx)).await {
        body.extend_from_slice(&frame?.into_data().unwrap_or_default());
    }
    let mut back = Back::new();
    for (name, value) in &parts.headers {
        back.pass(Part::of(name), name, value.clone());
    }
    Ok((parts.status.as_u16(), back.onto(HeaderMap::new()), body))
}

#[tokio::test]
async fn interim_answers_are_passed_over() {
    let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n";
    let answer = format!("{interim}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    let mut wire = Wire::over(Stream::Plain(stream(vec![answer.into_bytes()]).await));
    let (status, headers, body) = ask(&mut wire, &Method::GET).await.unwrap();
    assert_eq!((status, headers.len(), body), (200, 1, b"ok".to_vec()));
    assert!(wire.is_done());
}

#[tokio::test]
async fn a_line_with_bytes_behind_its_answer_is_not_done() {
    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok!".to_vec();
    let mut wire = Wire::over(Stream::Plain(stream(vec![answer]).await));
    assert_eq!(ask(&mut wire, &Method::GET).await.unwrap().2, b"ok");
    assert!(wire.is_over() && !wire.is_done());
}

#[tokio::test]
async fn a_line_hears_that_the_host_hung_up() {
    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".to_vec();
    let mut wire = Wire::over(Stream::Plain(stream(vec![answer]).await));
    ask(&mut wire, &Method::GET).await.unwrap();
    assert!(wire.is_done());
    for _ in 0..100 {
        if !wire.is_quiet() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it heard nothing");
}

#[tokio::test]
async fn a_request_is_written_as_it_was_asked() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (mut host, _) = listener.accept().await.unwrap();
    let heard = tokio::spawn(async move {
        let mut request = [0; 1024];
        let length = host.read(&mut request).await.unwrap();
        String::from_utf8(request[..length].to_vec()).unwrap()
    });
    let target = PathAndQuery::from_static("/v1/mma?a=b&c");
    let headers = HeaderMap::from_iter([(hyper::header::ACCEPT, HeaderValue::from_static("*/*"))]);
    let mut wire = Wire::over(Stream::Plain(stream));
    let own = [(hyper::header::HOST, HeaderValue::from_static("host:1"))];
    let answer = wire.ask(&question(&Method::HEAD, &target, &headers), &own).await;
    assert!(matches!(answer, Err(WireError::HungUp | WireError::Broken(_))), "{answer:?}");
    let request = "HEAD /v1/mma?a=b&c HTTP/1.1\r\naccept: */*\r\nhost: host:1\r\n\r\n";
    assert_eq!(heard.await.unwrap(), request);
}

/// Answers, most of them whole, and some with a letter that is another.
fn answers() -> impl Strategy<Value = Vec<u8>> {
    let first = prop::sample::select(vec![
        "HTTP/1.1 200 OK",
        "HTTP/1.1 200",
        "HTTP/1.0 200 OK",
        "HTTP/1.1 204 No Content",
        "HTTP/1.1 304 Not Modified",
        "HTTP/1.1 404 Not Found",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK",
    ]);
    let field = prop::sample::select(vec![
        "content-length: 4",
        "content-length: 4",
        "content-length: 0",
        "Content-Length:4 ",
        "content-length: 5, 5",
        "transfer-encoding: chunked",
        "transfer-encoding: chunked",
        "Transfer-Encoding: gzip, chunked",
        "connection: close",
        "connection: keep-alive",
        "x-a: one",
        "x-a:\ttwo ",
        "etag: W/\"a\"",
        "x-b: \u{e9}",
        "x c: a",
    ]);
    let body = prop::sample::select(vec![
        "",
        "body",
        "0\r\n\r\n",
        "4\r\nbody\r\n0\r\n\r\n",
        "2;a=b\r\nbo\r\n02\r\ndy\r\n0\r\nx-t: a\r\n\r\n",
        "4\r\nbody\r\n0\r\n",
        "4\nbody\n0\n\n",
    ]);
    let other = (any::<prop::sample::Index>(), prop::sample::select(b"\r\n\0 :,;0a\x80".to_vec()), 0..6);
    (first, prop::collection::vec(field, 0..4), body, other).prop_map(|(first, fields, body, other)| {
        let fields: String = fields.iter().map(|field| format!("{field}\r\n")).collect();
        let mut bytes = format!("{first}\r\n{fields}\r\n{body}").into_bytes();
        if let (place, byte, 0) = other {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn what_is_an_answer_here_is_the_same_one_elsewhere(
        bytes in answers(),
        cut in any::<prop::sample::Index>(),
        is_head in prop::bool::weighted(0.1),
    ) {
        let method = if is_head { Method::HEAD } else { Method::GET };
        let (one, two) = bytes.split_at(cut.index(bytes.len()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (here, elsewhere) = runtime.block_on(async {
            let mut wire = Wire::over(Stream::Plain(stream(vec![one.to_vec(), two.to_vec()]).await));
            (ask(&mut wire, &method).await, ask_another(stream(vec![bytes.clone()]).await, &method).await)
        });
        let text = String::from_utf8_lossy(&bytes);
        // A line may refuse what others guess at.
        if let Ok(here) = here {
            prop_assert_eq!(here, elsewhere.map_err(|e| TestCaseError::fail(format!("{text:?}: {e}")))?, "{}", text);
        }
    }
}
