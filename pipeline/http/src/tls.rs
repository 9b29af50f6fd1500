//! TLS: a certificate and its key from two files, read again when they change.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use tokio::net::TcpStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::server::TlsStream;
use tokio_rustls::{TlsAcceptor, rustls::crypto::CryptoProvider};

use crate::connection_counts::EventCounter;

/// Between two looks at the files.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Why a certificate and key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// A file holds nothing of the kind that is wanted of it.
    #[error("no {what} in PEM in {}", path.display())]
    Pem {
        what: &'static str,
        path: PathBuf,
        #[source]
        source: pem::Error,
    },
    /// They are no pair, or of a kind that is not understood.
    #[error("{} does not match {}", cert.display(), key.display())]
    Pair {
        cert: PathBuf,
        key: PathBuf,
        #[source]
        source: rustls::Error,
    },
}

/// A certificate chain and its key in force.
pub struct Tls {
    files: CertificateFiles,
    first: LoadedCertificate,
    config: ArcSwap<ServerConfig>,
    reloaded: EventCounter,
    reload_failed: EventCounter,
}

/// Paths of certificate and key.
#[derive(Debug, Clone)]
struct CertificateFiles {
    cert: PathBuf,
    key: PathBuf,
}

/// Content of the files. Not to be printed.
#[derive(Clone, PartialEq, Eq)]
struct LoadedCertificate {
    cert: Vec<u8>,
    key: Vec<u8>,
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tls").field("files", &self.files).finish_non_exhaustive()
    }
}

impl Tls {
    /// Reads a chain, its own certificate first, and the key that belongs to it, both PEM.
    ///
    /// # Errors
    /// A file cannot be read, or the two are no pair.
    pub fn load_files(cert: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Result<Self, TlsError> {
        let files = CertificateFiles { cert: cert.into(), key: key.into() };
        let first = files.read_files()?;
        let config = ArcSwap::from_pointee(files.config_for(&first)?);
        Ok(Self {
            files,
            first,
            config,
            reloaded: EventCounter::default(),
            reload_failed: EventCounter::default(),
        })
    }

    /// How often a new pair was taken.
    #[must_use]
    pub fn reload_count(&self) -> u64 {
        self.reloaded.get()
    }

    /// How often a new pair could not be taken, and the old one stayed.
    #[must_use]
    pub fn reload_failed(&self) -> u64 {
        self.reload_failed.get()
    }

    pub(crate) async fn handshake(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        TlsAcceptor::from(self.config.load_full()).accept(stream).await
    }

    /// Looks at the files for ever. New contents are taken when they are a pair at two looks in a row that see the
    /// same: whoever writes two files is between them for a moment.
    pub(crate) async fn reload_on_change(&self) {
        self.reload_every(POLL_INTERVAL).await;
    }

    async fn reload_every(&self, every: Duration) {
        let (mut taken, mut before) = (self.first.clone(), None);
        loop {
            tokio::time::sleep(every).await;
            let seen = match self.read_files().await {
                Ok(seen) => seen,
                Err(error) => {
                    self.keep_previous(&error);
                    continue;
                }
            };
            if taken != seen && before.as_ref() == Some(&seen) {
                match self.files.config_for(&seen) {
                    Ok(config) => self.install_config(config),
                    Err(error) => self.keep_previous(&error),
                }
                // What is no pair is not tried again until it changes.
                taken = seen.clone();
            }
            before = Some(seen);
        }
    }

    async fn read_files(&self) -> Result<LoadedCertificate, TlsError> {
        let files = self.files.clone();
        let path = files.cert.clone();
        let read = tokio::task::spawn_blocking(move || files.read_files()).await;
        read.unwrap_or_else(|panic| Err(TlsError::Read { path, source: io::Error::other(panic) }))
    }

    fn install_config(&self, config: ServerConfig) {
        self.config.store(Arc::new(config));
        self.reloaded.inc();
        tracing::info!(cert = %self.files.cert.display(), "serving a new certificate");
    }

    fn keep_previous(&self, error: &TlsError) {
        self.reload_failed.inc();
        let cause = std::error::Error::source(error).map(ToString::to_string);
        tracing::error!(%error, cause, "the certificate before stays");
    }
}

impl CertificateFiles {
    fn read_files(&self) -> Result<LoadedCertificate, TlsError> {
        let read = |path: &Path| {
            std::fs::read(path).map_err(|source| TlsError::Read { path: path.to_owned(), source })
        };
        Ok(LoadedCertificate { cert: read(&self.cert)?, key: read(&self.key)? })
    }

    fn config_for(&self, held: &LoadedCertificate) -> Result<ServerConfig, TlsError> {
        let pem = |what, path: &Path| {
            let path = path.to_owned();
            move |source| TlsError::Pem { what, path, source }
        };
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&held.cert).collect();
        let chain =
            chain.and_then(|all| if all.is_empty() { Err(pem::Error::NoItemsFound) } else { Ok(all) });
        let chain = chain.map_err(pem("certificate", &self.cert))?;
        let key = PrivateKeyDer::from_pem_slice(&held.key).map_err(pem("private key", &self.key))?;
        let (cert, key_file) = (self.cert.clone(), self.key.clone());
        server_config(chain, key).map_err(|source| TlsError::Pair { cert, key: key_file, source })
    }
}

fn server_config(
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<ServerConfig, rustls::Error> {
    let provider: Arc<CryptoProvider> = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let mut config = builder.with_no_client_auth().with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config.ticketer = ring::Ticketer::new()?;
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a pair in it, made for this name.
    struct WatchedFolder(tempfile::TempDir);

    impl WatchedFolder {
        fn with(name: &str) -> Self {
            let folder = Self(tempfile::tempdir().unwrap());
            let (cert, key) = pair(name);
            folder.put("cert.pem", &cert);
            folder.put("key.pem", &key);
            folder
        }

        #[expect(clippy::disallowed_methods, reason = "plays the certificate client that renews")]
        fn put(&self, file: &str, text: &str) {
            std::fs::write(self.0.path().join(file), text).unwrap();
        }

        fn load(&self) -> Result<Tls, TlsError> {
            Tls::load_files(self.0.path().join("cert.pem"), self.0.path().join("key.pem"))
        }
    }

    fn pair(name: &str) -> (String, String) {
        let made = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
        (made.cert.pem(), made.signing_key.serialize_pem())
    }

    fn message(error: TlsError) -> String {
        let source = std::error::Error::source(&error).map(ToString::to_string);
        format!("{error}: {}", source.unwrap_or_default())
    }

    #[test]
    fn what_is_no_pair_is_said_with_its_file() {
        let folder = WatchedFolder::with("a.test");
        assert!(!format!("{:?}", folder.load().unwrap()).contains("PRIVATE"));
        folder.put("key.pem", &pair("b.test").1);
        assert!(message(folder.load().unwrap_err()).contains("cert.pem does not match"));
        folder.put("key.pem", "no key at all");
        assert!(message(folder.load().unwrap_err()).contains("private key in PEM in"));
        folder.put("cert.pem", "");
        assert!(message(folder.load().unwrap_err()).contains("certificate in PEM in"));
        assert!(
            message(Tls::load_files("/nowhere/cert.pem", "/nowhere/key.pem").unwrap_err())
                .contains("read /nowhere")
        );
    }

    #[tokio::test]
    async fn a_new_pair_is_taken_and_what_is_none_is_not() {
        let folder = WatchedFolder::with("a.test");
        let tls = Arc::new(folder.load().unwrap());
        let following = Arc::clone(&tls);
        let following = tokio::spawn(async move { following.reload_every(Duration::from_millis(10)).await });
        let first = tls.config.load_full();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let (cert, key) = pair("b.test");
        folder.put("cert.pem", &cert);
        until(|| tls.reload_failed() == 1).await;
        assert!(Arc::ptr_eq(&first, &tls.config.load()), "half of a pair was taken");
        folder.put("key.pem", &key);
        until(|| tls.reload_count() == 1).await;
        assert!(!Arc::ptr_eq(&first, &tls.config.load()));
        assert_eq!(tls.reload_failed(), 1);
        following.abort();
    }

    async fn until(mut done: impl FnMut() -> bool) {
        for _ in 0..500 {
            if done() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("never");
    }
}
