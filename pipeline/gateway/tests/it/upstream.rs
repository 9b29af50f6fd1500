//! A canonical host that answers as a test says, and remembers what it was asked.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;

/// What a host does with a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Sends these bytes and keeps the connection.
    Send(Vec<u8>),
    /// Sends these bytes and closes the connection.
    SendAndClose(Vec<u8>),
    /// Sends these bytes, and nothing more for long.
    SendAndHang(Vec<u8>),
    /// Waits, then sends these bytes and keeps the connection.
    SendAfter(Duration, Vec<u8>),
}

/// A host; it dies with the value.
pub(crate) struct Host {
    pub(crate) address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
    is_dead: Arc<AtomicBool>,
    lines: Arc<Lines>,
    task: JoinHandle<()>,
}

/// Connections of a host, those for health too.
#[derive(Default)]
struct Lines {
    accepted: AtomicUsize,
    ended: AtomicUsize,
}

/// An answer as the canonical host sends it.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nx-request-id: upstream-id\r\n\
         x-api-version: 2026-09-06.3\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    )
    .into_bytes()
}

pub(crate) fn ok(body: &str) -> Act {
    Act::Send(answer("200 OK", "cache-control: max-age=60\r\netag: W/\"a\"\r\n", body))
}

impl Host {
    /// `act` gets the head of each request, but of those for health, which are answered 200.
    pub(crate) async fn start(act: impl Fn(&str) -> Act + Send + Sync + 'static) -> Self {
        Self::start_at("127.0.0.1:0".parse().unwrap(), act).await
    }

    pub(crate) async fn start_at(
        address: SocketAddr,
        act: impl Fn(&str) -> Act + Send + Sync + 'static,
    ) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        socket.bind(address).unwrap();
        let listener = socket.listen(1024).unwrap();
        let address = listener.local_addr().unwrap();
        let (heads, is_dead, lines) = (Arc::default(), Arc::new(AtomicBool::new(false)), Arc::default());
        let told = (Arc::clone(&heads), Arc::clone(&is_dead), Arc::clone(&lines));
        let serving = serve(listener, Arc::new(act), told);
        Self { address, heads, is_dead, lines, task: tokio::spawn(serving) }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Heads of all requests, but of those for health.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    /// Connections that it accepted.
    pub(crate) fn accepted(&self) -> usize {
        self.lines.accepted.load(Ordering::SeqCst)
    }

    /// Connections that are open, as far as it has seen.
    pub(crate) fn open(&self) -> usize {
        self.accepted() - self.lines.ended.load(Ordering::SeqCst)
    }

    /// As a process that is killed: no new connections, and every open one is reset in the middle.
    pub(crate) fn die(&self) {
        self.is_dead.store(true, Ordering::SeqCst);
        self.task.abort();
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.die();
    }
}

async fn serve(
    listener: TcpListener,
    act: Arc<impl Fn(&str) -> Act + Send + Sync + 'static>,
    told: (Arc<Mutex<Vec<String>>>, Arc<AtomicBool>, Arc<Lines>),
) {
    let mut open = tokio::task::JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let (act, (heads, is_dead, lines)) = (Arc::clone(&act), told.clone());
        lines.accepted.fetch_add(1, Ordering::SeqCst);
        // Dropped with the set, when the host dies.
        open.spawn(async move {
            connection(stream, &*act, &heads, &is_dead).await;
            lines.ended.fetch_add(1, Ordering::SeqCst);
        });
    }
}

async fn connection(
    mut stream: TcpStream,
    act: &(impl Fn(&str) -> Act + Sync),
    heads: &Mutex<Vec<String>>,
    is_dead: &AtomicBool,
) {
    let mut read = Vec::new();
    while let Some(head) = head(&mut stream, &mut read).await {
        if is_dead.load(Ordering::SeqCst) {
            return;
        }
        let act = if head.starts_with("GET /readyz ") {
            ok("{}")
        } else {
            heads.lock().unwrap().push(head.clone());
            act(&head)
        };
        match act {
            Act::Send(bytes) if stream.write_all(&bytes).await.is_ok() => {}
            Act::Send(_) => return,
            Act::SendAfter(wait, bytes) => {
                tokio::time::sleep(wait).await;
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Act::SendAndClose(bytes) => {
                let _ = stream.write_all(&bytes).await;
                return;
            }
            Act::SendAndHang(bytes) => {
                let _ = stream.write_all(&bytes).await;
                tokio::time::sleep(Duration::from_secs(60)).await;
            }
        }
    }
}

/// The next request's head; requests have no bodies here.
async fn head(stream: &mut TcpStream, read: &mut Vec<u8>) -> Option<String> {
    loop {
        if let Some(end) = read.windows(4).position(|w| w == b"\r\n\r\n") {
            let rest = read.split_off(end + 4);
            let head = std::mem::replace(read, rest);
            return Some(String::from_utf8_lossy(&head).into_owned());
        }
        let mut buffer = [0; 4096];
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return None,
            Ok(length) => read.extend_from_slice(&buffer[..length]),
        }
    }
}
