//! Receivers that redirect, are slow, are not public, or cannot be trusted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fdna_gateway::store::EndpointChange;
use fdna_gateway::webhooks::ReceiverPolicy;

use crate::change_stream::StreamHost;
use crate::common::eventually;
use crate::receiver::{Answer, Receiver};
use crate::webhook_fixture::Hooks;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_redirect_is_followed_and_no_slow_receiver_holds_another_up() {
    let (hooks, stream) = (Hooks::new(), StreamHost::start().await);
    stream.publish("s1", 3);
    let (target, well) = (Receiver::start().await, Receiver::start().await);
    let location: &'static str = format!("location: {}\r\n", target.url()).leak();
    let redirecting = Receiver::start_with(move |_, _| Answer::Status(307, location)).await;
    let slow = Receiver::start_with(|_, _| Answer::Drip).await;
    let (redirected, _) = hooks.add(&redirecting.url(), Some("s0:end"));
    let (dripping, _) = hooks.add(&slow.url(), Some("s0:end"));
    hooks.add(&well.url(), Some("s0:end"));
    let gateway = hooks.gateway(&stream).await;
    well.wait_for(3).await;
    redirecting.wait_for(2).await;
    slow.wait_for(2).await;
    let result = |id| hooks.endpoint(id).last_result.unwrap();
    assert_eq!(result(redirected), "HTTP 307: redirects are not followed");
    assert!(
        eventually(|| async { result(dripping) == "no answer within 0.5 s" }).await,
        "{}",
        result(dripping)
    );
    assert_eq!(target.received().len(), 0);
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn addresses_that_are_not_public_are_refused_when_they_are_connected_to() {
    let (hooks, stream, receiver) = (Hooks::new(), StreamHost::start().await, Receiver::start().await);
    stream.publish("s1", 1);
    // A name, so that it is known after it was resolved.
    let url = format!("http://localhost:{}/", receiver.address.port());
    let (named, _) = hooks.add(&url, Some("s0:end"));
    let (literal, _) = hooks.add(&receiver.url(), Some("s0:end"));
    let mut options = hooks.options();
    options.sender.policy = ReceiverPolicy { allow_http: true, allow_private: false };
    let gateway = hooks.gateway_with(&stream, options).await;
    for id in [named, literal] {
        let is_refused = || async {
            let result = hooks.endpoint(id).last_result;
            result.is_some_and(|result| result.contains("not one of the public Internet"))
        };
        assert!(eventually(is_refused).await, "{:?}", hooks.endpoint(id).last_result);
    }
    assert_eq!(receiver.received().len(), 0);
    gateway.stop().await;
    // And without encryption, as an operator allowed it before.
    let mut options = hooks.options();
    options.sender.policy = ReceiverPolicy { allow_http: false, allow_private: true };
    let gateway = hooks.gateway_with(&stream, options).await;
    let is_refused = || async {
        let result = hooks.endpoint(literal).last_result;
        result.is_some_and(|result| result == "the URL is not allowed: it is not https")
    };
    assert!(eventually(is_refused).await, "{:?}", hooks.endpoint(literal).last_result);
    assert_eq!(receiver.received().len(), 0);
    gateway.stop().await;
}

/// A receiver over TLS, with a certificate of its own for `localhost`.
async fn tls_receiver(taken: Arc<AtomicUsize>) -> (u16, String) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio_rustls::rustls::pki_types::pem::PemObject as _;
    use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use tokio_rustls::rustls::{ServerConfig, crypto::ring};
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let certificate = CertificateDer::from_pem_slice(made.cert.pem().as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(made.signing_key.serialize_pem().as_bytes()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut buffer = [0; 8192];
            if stream.read(&mut buffer).await.is_ok_and(|length| length > 0) {
                taken.fetch_add(1, Ordering::SeqCst);
                let response = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                let _ = stream.write_all(response).await;
                let _ = stream.shutdown().await;
            }
        }
    });
    (port, made.cert.pem())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::disallowed_methods, reason = "plays the certificate client")]
async fn a_receiver_over_tls_is_verified() {
    let (hooks, stream, taken) = (Hooks::new(), StreamHost::start().await, Arc::new(AtomicUsize::new(0)));
    stream.publish("s1", 1);
    let (port, certificate) = tls_receiver(Arc::clone(&taken)).await;
    let trusted = hooks.keys.folder().join("trusted.pem");
    std::fs::write(&trusted, certificate).unwrap();
    let (id, _) = hooks.add(&format!("https://localhost:{port}/"), Some("s0:end"));
    let gateway = hooks.gateway(&stream).await;
    let is_refused = || async {
        hooks.endpoint(id).last_result.is_some_and(|result| result.to_lowercase().contains("certificate"))
    };
    assert!(eventually(is_refused).await, "{:?}", hooks.endpoint(id).last_result);
    assert_eq!(taken.load(Ordering::SeqCst), 0);
    gateway.stop().await;
    let mut options = hooks.options();
    options.sender.policy = ReceiverPolicy { allow_http: false, allow_private: true };
    options.sender.authorities = Some(trusted);
    hooks.change(id, &EndpointChange::Enable);
    let gateway = hooks.gateway_with(&stream, options).await;
    assert!(hooks.is_at(id, "s1:end").await, "{:?}", hooks.endpoint(id).last_result);
    assert_eq!(taken.load(Ordering::SeqCst), 1);
    gateway.stop().await;
}
