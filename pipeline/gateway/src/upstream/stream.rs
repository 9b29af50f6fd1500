//! The bytes to and from a canonical host, encrypted or not.

use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

/// A connection.
#[derive(Debug)]
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// How a host is spoken with over TLS.
#[derive(Clone)]
pub(super) struct TlsHost {
    pub(super) connector: TlsConnector,
    pub(super) name: ServerName<'static>,
}

/// Why no canonical host can be trusted.
#[derive(Debug, thiserror::Error)]
pub enum UpstreamTlsError {
    #[error("read the authorities of canonical hosts in {}", path.display())]
    Read { path: PathBuf, source: pem::Error },
    #[error("find an authority for canonical hosts {place}")]
    None { place: String },
    #[error("use the authorities of canonical hosts")]
    Use(#[from] rustls::Error),
}

impl TlsHost {
    pub(super) async fn connect(&self, stream: TcpStream) -> io::Result<Stream> {
        let stream = self.connector.connect(self.name.clone(), stream).await?;
        Ok(Stream::Tls(Box::new(stream)))
    }
}

impl std::fmt::Debug for TlsHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TlsHost").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Trusts the authorities in this PEM file and no other, or the system's.
pub(super) fn connector(ca: Option<&Path>) -> Result<TlsConnector, UpstreamTlsError> {
    let roots = match ca {
        Some(path) => of_file(path)?,
        None => of_system()?,
    };
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

fn of_file(path: &Path) -> Result<RootCertStore, UpstreamTlsError> {
    let failed = |source| UpstreamTlsError::Read { path: path.to_owned(), source };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(failed)? {
        roots.add(certificate.map_err(failed)?)?;
    }
    let place = || format!("in {}", path.display());
    if roots.is_empty() { Err(UpstreamTlsError::None { place: place() }) } else { Ok(roots) }
}

fn of_system() -> Result<RootCertStore, UpstreamTlsError> {
    let found = rustls_native_certs::load_native_certs();
    for error in &found.errors {
        tracing::warn!(%error, "an authority of the system was not read");
    }
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    let place = || "of the system: `--upstream-ca` names a file of them".to_owned();
    if roots.is_empty() { Err(UpstreamTlsError::None { place: place() }) } else { Ok(roots) }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(cx, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_read(cx, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::Tls(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Self::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
