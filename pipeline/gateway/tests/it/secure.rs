//! The gateway as clients meet it: over TLS and HTTP/2, and what is written down of them.

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Body;
use fdna_gateway::key::Secret;
use fdna_gateway::plan::Plan;
use fdna_http::{AccessLog, LogTarget, Tls};
use hyper::client::conn::http2;
use hyper::{Method, Request, Response, StatusCode, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::common::{Keys, TestGateway, eventually};
use crate::upstream::{Behaviour, Host, answer};

struct TlsFixture {
    gateway: TestGateway,
    host: Host,
    key: Secret,
    log: PathBuf,
    trusted: CertificateDer<'static>,
    _keys: Keys,
}

type Sender = http2::SendRequest<Body>;

/// A gateway with a certificate and a log, before a host that answers with the path that it was asked for.
#[expect(clippy::disallowed_methods, reason = "plays the certificate client")]
async fn fixture() -> TlsFixture {
    let host = Host::start(|head| {
        let path = head.split(' ').nth(1).unwrap().to_owned();
        Behaviour::Send(answer("200 OK", "connection: x-hop\r\nx-hop: 1\r\nkeep-alive: timeout=9\r\n", &path))
    })
    .await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let made = rcgen::generate_simple_self_signed(["api.test".to_owned()]).unwrap();
    let folder = keys.folder();
    let (cert, private, log) = (folder.join("cert.pem"), folder.join("key.pem"), folder.join("access.log"));
    std::fs::write(&cert, made.cert.pem()).unwrap();
    std::fs::write(&private, made.signing_key.serialize_pem()).unwrap();
    let gateway = TestGateway::start_with(&keys, &[host.url()], |options| {
        options.tls = Some(Arc::new(Tls::load_files(&cert, &private).unwrap()));
        let now = || "2026-09-07T12:00:00Z".parse().unwrap();
        options.access_log = Some(Arc::new(AccessLog::open_log(LogTarget::File(log.clone()), now).unwrap()));
    })
    .await;
    let trusted = CertificateDer::from_pem_slice(made.cert.pem().as_bytes()).unwrap();
    TlsFixture { gateway, host, key, log, trusted, _keys: keys }
}

impl TlsFixture {
    /// A connection that speaks HTTP/2.
    async fn connect(&self) -> Sender {
        let mut roots = RootCertStore::empty();
        roots.add(self.trusted.clone()).unwrap();
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().unwrap();
        let mut client = builder.with_root_certificates(roots).with_no_client_auth();
        client.alpn_protocols = vec![b"h2".to_vec()];
        let stream = TcpStream::connect(self.gateway.address).await.unwrap();
        let name = ServerName::try_from("api.test").unwrap();
        let stream = TlsConnector::from(Arc::new(client)).connect(name, stream).await.unwrap();
        let (sender, connection) =
            http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        sender
    }

    fn request(&self, method: Method, path: &str) -> Request<Body> {
        let request = Request::builder().method(method).uri(format!("https://api.test{path}"));
        request.header("x-api-key", self.key.reveal()).body(Body::empty()).unwrap()
    }

    /// ConnectionCounts of the log, when there are so many.
    async fn logged(&self, lines: usize) -> Vec<String> {
        let read = || std::fs::read_to_string(&self.log).unwrap();
        assert!(eventually(|| async { read().lines().count() >= lines }).await, "{}", read());
        read().lines().map(str::to_owned).collect()
    }
}

async fn text(response: Response<hyper::body::Incoming>) -> String {
    let body = axum::body::to_bytes(Body::new(response.into_body()), usize::MAX).await.unwrap();
    String::from_utf8(body.to_vec()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_http_2_requests_at_once_on_one_connection_each_get_their_answer() {
    let fixture = fixture().await;
    let mut sender = fixture.connect().await;
    // With it comes how many may be asked at a time: what is beyond waits, and is not refused.
    text(sender.send_request(fixture.request(Method::GET, "/v1/mma")).await.unwrap()).await;
    let asking = (0..100).map(|n| {
        let (mut sender, path) = (sender.clone(), format!("/v1/mma/events?limit={n}"));
        let request = fixture.request(Method::GET, &path);
        tokio::spawn(async move { (path, sender.send_request(request).await.unwrap()) })
    });
    for asked in asking.collect::<Vec<_>>() {
        let (path, response) = asked.await.unwrap();
        assert_eq!((response.status(), response.version()), (StatusCode::OK, Version::HTTP_2));
        let headers = response.headers();
        assert_eq!(headers["x-plan"], "pro");
        assert_eq!(headers["x-upstream-request-id"], "upstream-id");
        for hop in ["connection", "keep-alive", "x-hop", "transfer-encoding"] {
            assert!(!headers.contains_key(hop), "{hop}");
        }
        assert_eq!(text(response).await, path);
    }
    // The client names its host in another way; the canonical host hears its own name, once.
    let own = format!("host: {}\r\n", fixture.host.address);
    for head in fixture.host.heads() {
        assert!(head.contains(&own) && head.to_lowercase().matches("host:").count() == 1, "{head}");
        assert!(!head.contains("fdk_"), "{head}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusals_and_heads_are_answered_over_http_2_too() {
    let fixture = fixture().await;
    let mut sender = fixture.connect().await;
    let head = sender.send_request(fixture.request(Method::HEAD, "/v1/mma")).await.unwrap();
    assert_eq!(head.status(), StatusCode::OK);
    assert_eq!(head.headers()["content-length"], "7");
    assert_eq!(text(head).await, "");
    let keyless = Request::get("https://api.test/v1/mma").body(Body::empty()).unwrap();
    let keyless = sender.send_request(keyless).await.unwrap();
    assert_eq!(keyless.status(), StatusCode::UNAUTHORIZED);
    assert!(text(keyless).await.contains("\"unauthorized\""));
    let forbidden =
        sender.send_request(fixture.request(Method::GET, "/v1/mma/matchups/a/b/dna")).await.unwrap();
    assert_eq!(forbidden.status(), StatusCode::FORBIDDEN);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_request_is_written_down_with_its_id_and_without_its_key() {
    let fixture = fixture().await;
    let mut sender = fixture.connect().await;
    let key = fixture.key.reveal();
    let passed = sender.send_request(fixture.request(Method::GET, "/v1/mma/events?limit=1")).await.unwrap();
    let id = passed.headers()["x-request-id"].to_str().unwrap().to_owned();
    text(passed).await;
    let encoded = key.replace('_', "%5F");
    for path in [format!("/v1/mma?key={key}"), format!("/v1/mma/{key}"), format!("/v1/mma/{encoded}")] {
        let refused = sender.send_request(fixture.request(Method::GET, &path)).await.unwrap();
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST, "{path}");
        text(refused).await;
    }
    let lines = fixture.logged(4).await;
    let line: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(line["request_id"], id);
    assert_eq!((&line["operation"], &line["path"]), (&"events".into(), &"/v1/mma/events".into()));
    assert_eq!(
        (&line["account"], &line["plan"], &line["key_id"]),
        (&"acme".into(), &"pro".into(), &1.into())
    );
    assert_eq!((&line["status"], &line["version"], &line["bytes"]), (&200.into(), &"2".into(), &22.into()));
    for line in &lines {
        // Its beginning is for people: what makes it a key is not.
        assert!(!line.contains(&key[13..]) && !line.contains("%5F"), "{line}");
        assert!(line.contains(r#""whole":true"#), "{line}");
    }
}

/// A canonical host that speaks TLS, and answers with the `Authorization` that it was sent and a long body.
#[expect(clippy::disallowed_methods, reason = "plays the certificate client")]
async fn tls_upstream(folder: &std::path::Path, name: &str) -> (String, PathBuf) {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let (cert, private) = (folder.join(format!("{name}.pem")), folder.join(format!("{name}-key.pem")));
    std::fs::write(&cert, made.cert.pem()).unwrap();
    std::fs::write(&private, made.signing_key.serialize_pem()).unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = tower::service_fn(|request: Request<hyper::body::Incoming>| async move {
        let sent = request.headers().get("authorization").map(|value| value.to_str().unwrap().to_owned());
        let body = format!("{} {}", sent.unwrap_or_default(), "x".repeat(300_000));
        Ok::<_, std::convert::Infallible>(Response::new(Body::from(body)))
    });
    let server = fdna_http::Server::new(listener, fdna_http::ConnectionLimits::default());
    let server = server.with_tls(Arc::new(Tls::load_files(&cert, &private).unwrap()));
    tokio::spawn(server.serve(service, std::future::pending()));
    (format!("https://{address}"), cert)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_canonical_host_is_asked_over_tls_with_the_gateways_own_key() {
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let (url, cert) = tls_upstream(&keys.folder(), "one").await;
    let gateway = TestGateway::start_with(&keys, std::slice::from_ref(&url), |options| {
        options.upstream_ca = Some(cert.clone());
        options.upstream_key = Some("Bearer of-the-host".parse().unwrap());
    })
    .await;
    for _ in 0..20 {
        let reply = gateway.get("/v1/mma", &key).await;
        let text = reply.text();
        assert!(
            reply.status == 200 && text.starts_with("Bearer of-the-host x"),
            "{} {}",
            reply.status,
            &text[..50]
        );
        assert_eq!(reply.number("content-length"), 300_019);
    }
    let metrics = gateway.admin("/metrics").await.text();
    assert!(metrics.contains("fightdna_gateway_upstream_faults_total 0\n"), "{metrics}");
    // One that another authority vouches for is not asked.
    let (_, other) = tls_upstream(&keys.folder(), "two").await;
    let gateway =
        TestGateway::start_with(&keys, &[url], |options| options.upstream_ca = Some(other.clone())).await;
    assert_eq!(gateway.get("/v1/mma", &key).await.refusal().0, 502);
    let is_down = || async { gateway.admin("/readyz").await.text().contains("\"down\"") };
    assert!(eventually(is_down).await);
}
