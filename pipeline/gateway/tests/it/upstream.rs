//! A mock canonical host, which records the requests that it receives.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;

/// How a host responds to a request.
#[derive(Debug, Clone)]
pub(crate) enum Behaviour {
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
    connections: Arc<ConnectionCounts>,
    task: JoinHandle<()>,
}

/// Connections of a host, those for health too.
#[derive(Default)]
struct ConnectionCounts {
    accepted: AtomicUsize,
    ended: AtomicUsize,
    /// Those that wait until the other side is gone.
    hanging: AtomicUsize,
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

pub(crate) fn ok(body: &str) -> Behaviour {
    Behaviour::Send(answer("200 OK", "cache-control: max-age=60\r\netag: W/\"a\"\r\n", body))
}

impl Host {
    /// `act` gets the head of each request, but of those for health, which are answered 200.
    pub(crate) async fn start(act: impl Fn(&str) -> Behaviour + Send + Sync + 'static) -> Self {
        Self::start_at("127.0.0.1:0".parse().unwrap(), act).await
    }

    pub(crate) async fn start_at(
        address: SocketAddr,
        act: impl Fn(&str) -> Behaviour + Send + Sync + 'static,
    ) -> Self {
        Self::start_with_health(address, ok("{}"), act).await
    }

    /// `health` answers the requests for health.
    pub(crate) async fn start_with_health(
        address: SocketAddr,
        health: Behaviour,
        act: impl Fn(&str) -> Behaviour + Send + Sync + 'static,
    ) -> Self {
        let act = move |head: &str| if is_for_health(head) { health.clone() } else { act(head) };
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        socket.bind(address).unwrap();
        let listener = socket.listen(1024).unwrap();
        let address = listener.local_addr().unwrap();
        let (heads, is_dead, connections) =
            (Arc::default(), Arc::new(AtomicBool::new(false)), Arc::default());
        let shared = (Arc::clone(&heads), Arc::clone(&is_dead), Arc::clone(&connections));
        let serving = serve(listener, Arc::new(act), shared);
        Self { address, heads, is_dead, connections, task: tokio::spawn(serving) }
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
        self.connections.accepted.load(Ordering::SeqCst)
    }

    /// Connections that are open, as far as it has seen.
    pub(crate) fn open(&self) -> usize {
        self.accepted() - self.connections.ended.load(Ordering::SeqCst)
    }

    /// Open answers of [`Behaviour::SendAndHang`].
    pub(crate) fn count_hanging(&self) -> usize {
        self.connections.hanging.load(Ordering::SeqCst)
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

fn is_for_health(head: &str) -> bool {
    head.starts_with("GET /readyz ")
}

async fn serve(
    listener: TcpListener,
    act: Arc<impl Fn(&str) -> Behaviour + Send + Sync + 'static>,
    shared: (Arc<Mutex<Vec<String>>>, Arc<AtomicBool>, Arc<ConnectionCounts>),
) {
    let mut open = tokio::task::JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let (act, (heads, is_dead, connections)) = (Arc::clone(&act), shared.clone());
        connections.accepted.fetch_add(1, Ordering::SeqCst);
        // Dropped with the set, when the host dies.
        open.spawn(async move {
            connection(stream, &*act, (&heads, &connections), &is_dead).await;
            connections.ended.fetch_add(1, Ordering::SeqCst);
        });
    }
}

async fn connection(
    mut stream: TcpStream,
    act: &(impl Fn(&str) -> Behaviour + Sync),
    (heads, connections): (&Mutex<Vec<String>>, &ConnectionCounts),
    is_dead: &AtomicBool,
) {
    let mut read = Vec::new();
    while let Some(head) = head(&mut stream, &mut read).await {
        if is_dead.load(Ordering::SeqCst) {
            return;
        }
        if !is_for_health(&head) {
            heads.lock().unwrap().push(head.clone());
        }
        match act(&head) {
            Behaviour::Send(bytes) if stream.write_all(&bytes).await.is_ok() => {}
            Behaviour::Send(_) => return,
            Behaviour::SendAfter(wait, bytes) => {
                tokio::time::sleep(wait).await;
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Behaviour::SendAndClose(bytes) => {
                let _ = stream.write_all(&bytes).await;
                return;
            }
            Behaviour::SendAndHang(bytes) => {
                let _ = stream.write_all(&bytes).await;
                // Until the other side is gone.
                let mut byte = [0; 1];
                let gone = stream.read(&mut byte);
                connections.hanging.fetch_add(1, Ordering::SeqCst);
                let _ = tokio::time::timeout(Duration::from_secs(60), gone).await;
                connections.hanging.fetch_sub(1, Ordering::SeqCst);
                return;
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
