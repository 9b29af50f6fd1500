//! Arguments and parts of every server of this program: its address, its connections, TLS, CORS, access log and clock.

pub(crate) mod systemd;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_server::{AccessLog, BadOrigin, Clock, Cors, LogTarget, Tls, TlsError};
use tokio::net::TcpListener;

/// Files that a server opens beside its connections, with much to spare: tables that are being loaded, logs.
const FILES: u64 = 256;

/// Connections that a server takes if the system lets it open as many files as it likes.
const MAX_CONNECTIONS: u64 = 16_384;

/// An address with a port.
pub(crate) fn parse_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "use ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:8080".to_owned())
}

/// How a server speaks, and what it writes down.
#[derive(clap::Args)]
pub(crate) struct EncryptionArgs {
    /// Certificate chain in PEM, the server's own first: speak TLS, HTTP/2 and HTTP/1.1.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Its private key in PEM.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Log every request as a line of JSON to this file, or `-` for standard output. Lines have clients' addresses,
    /// so that it is off unless asked for.
    #[arg(long, value_name = "FILE|-|off", default_value = "off")]
    access_log: String,
}

/// The same of a server that browsers may ask.
#[derive(clap::Args)]
pub(crate) struct TransportArgs {
    #[command(flatten)]
    encryption: EncryptionArgs,
    /// Origin whose pages may read answers in a browser, such as `https://app.example`, or `*` for all; may be repeated.
    /// Without it browsers let no page of another origin read anything.
    #[arg(long = "cors-origin", value_name = "ORIGIN", value_parser = parse_origin)]
    cors_origins: Vec<String>,
}

/// The socket that systemd listens on, or one of our own, and its address.
pub(crate) async fn open_listener(address: SocketAddr) -> anyhow::Result<(TcpListener, SocketAddr)> {
    if let Some(passed) = listenfd::ListenFd::from_env()
        .take_tcp_listener(0)
        .context("cannot use the socket that was passed")?
    {
        passed.set_nonblocking(true).context("cannot use the socket that was passed")?;
        return with_address(TcpListener::from_std(passed).context("cannot use the socket that was passed")?);
    }
    bind_listener(address).await
}

/// A socket of our own, and its address: the port may be left to the system.
pub(crate) async fn bind_listener(address: SocketAddr) -> anyhow::Result<(TcpListener, SocketAddr)> {
    let unavailable = |e| error_with_code(ExitCode::Unavailable, format!("cannot listen on {address}: {e}"));
    with_address(TcpListener::bind(address).await.map_err(unavailable)?)
}

fn with_address(listener: TcpListener) -> anyhow::Result<(TcpListener, SocketAddr)> {
    let address = listener.local_addr().context("cannot read the listening address")?;
    Ok((listener, address))
}

/// Connections at a time, of which each takes so many open files, beside those that the process needs itself.
pub(crate) fn max_connections(requested: Option<u32>, files_each: u64) -> anyhow::Result<usize> {
    let files = rlimit::increase_nofile_limit(u64::MAX).context("cannot raise the limit of open files")?;
    let possible = (files.saturating_sub(FILES) / files_each).max(1);
    let wanted = requested.map_or(MAX_CONNECTIONS, u64::from);
    if requested.is_some() && wanted > possible {
        let allowed = format!("{wanted} connections: the system allows {files} open files (see `ulimit -n`)");
        return Err(error_with_code(ExitCode::Usage, allowed));
    }
    Ok(usize::try_from(wanted.min(possible)).unwrap_or(usize::MAX))
}

/// Parses an origin as browsers write it.
fn parse_origin(text: &str) -> Result<String, BadOrigin> {
    Cors::for_origins(&[text]).map(|_| text.to_owned())
}

impl TransportArgs {
    pub(crate) fn cors(&self) -> Result<Arc<Cors>, BadOrigin> {
        Cors::for_origins(&self.cors_origins).map(Arc::new)
    }

    pub(crate) fn load_tls(&self) -> anyhow::Result<Option<Tls>> {
        self.encryption.load_tls()
    }

    pub(crate) fn access_log(&self) -> anyhow::Result<Option<AccessLog>> {
        self.encryption.access_log()
    }
}

impl EncryptionArgs {
    pub(crate) fn load_tls(&self) -> anyhow::Result<Option<Tls>> {
        let (Some(cert), Some(key)) = (&self.tls_cert, &self.tls_key) else { return Ok(None) };
        let tls = Tls::load_files(cert, key).map_err(|error| {
            let code = match error {
                TlsError::Read { .. } => ExitCode::Unavailable,
                TlsError::Pem { .. } | TlsError::Pair { .. } => ExitCode::BadData,
            };
            error_with_code(code, format!("serve: {:#}", anyhow::Error::new(error)))
        })?;
        Ok(Some(tls))
    }

    pub(crate) fn access_log(&self) -> anyhow::Result<Option<AccessLog>> {
        let target = match self.access_log.as_str() {
            "off" => return Ok(None),
            "-" => LogTarget::Stdout,
            file => LogTarget::File(file.into()),
        };
        let log = AccessLog::open_log(target, now);
        let failed = |e| {
            error_with_code(
                ExitCode::CannotWrite,
                format!("cannot open the access log {}: {e}", self.access_log),
            )
        };
        log.map(Some).map_err(failed)
    }
}

pub(crate) fn system_clock() -> Clock {
    Clock::new(now)
}

#[expect(clippy::disallowed_methods, reason = "a server asks for the time of each request, and asks here")]
pub(crate) fn now() -> chrono::DateTime<chrono::Utc> {
    chrono::Utc::now()
}
