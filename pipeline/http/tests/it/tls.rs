//! TLS from outside: what is spoken, and clients that do not come to the point.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fdna_http::{ConnectionLimits, Tls};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::common::{Running, kept, read_all, until};

/// A server with a certificate of its own, and a client that trusts it alone.
struct Sure {
    running: Running,
    client: ClientConfig,
    _folder: tempfile::TempDir,
}

#[expect(clippy::disallowed_methods, reason = "plays the certificate client")]
async fn sure(limits: ConnectionLimits) -> Sure {
    let made = rcgen::generate_simple_self_signed(["api.test".to_owned()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (cert, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    std::fs::write(&cert, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let running = Running::start_with(limits, Some(Arc::new(Tls::load_files(&cert, &key).unwrap()))).await;
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(made.cert.pem().as_bytes()).unwrap()).unwrap();
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap();
    let client = builder.with_root_certificates(roots).with_no_client_auth();
    Sure { running, client, _folder: folder }
}

impl Sure {
    async fn connect(&self, protocols: &[&[u8]]) -> TlsStream<TcpStream> {
        let mut client = self.client.clone();
        client.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
        let stream = TcpStream::connect(self.running.address).await.unwrap();
        let name = ServerName::try_from("api.test").unwrap();
        TlsConnector::from(Arc::new(client)).connect(name, stream).await.unwrap()
    }

    fn address(&self) -> SocketAddr {
        self.running.address
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http_1_and_2_are_spoken_as_the_client_asks() {
    let sure = sure(ConnectionLimits::default()).await;
    for (asked, agreed) in [(&[&b"h2"[..], b"http/1.1"][..], &b"h2"[..]), (&[b"http/1.1"], b"http/1.1")] {
        let stream = sure.connect(asked).await;
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(agreed));
    }
    let mut stream = sure.connect(&[b"http/1.1"]).await;
    stream.write_all(kept("/").as_bytes()).await.unwrap();
    let mut buffer = [0; 1024];
    let n = stream.read(&mut buffer).await.unwrap();
    assert!(buffer[..n].ends_with(b"done"), "{}", String::from_utf8_lossy(&buffer[..n]));
    let mut stream = sure.connect(&[b"h2"]).await;
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.unwrap();
    let n = stream.read(&mut buffer).await.unwrap();
    assert!(n >= 9 && buffer[3] == 4, "no SETTINGS: {:?}", &buffer[..n]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handshake_that_does_not_come_or_is_none_is_dropped() {
    let sure =
        sure(ConnectionLimits { header_timeout: Duration::from_millis(300), ..ConnectionLimits::default() })
            .await;
    let begun = Instant::now();
    assert_eq!(read_all(sure.running.sent("")), "");
    let plain = read_all(sure.running.sent(kept("/")));
    assert!(!plain.contains("HTTP"), "{plain}");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    until("both are counted", || sure.running.counts.failed_handshakes.get() == 2).await;
    drop(std::net::TcpStream::connect(sure.address()).unwrap());
    until("none is left", || sure.running.counts.open.get() == 0).await;
}
