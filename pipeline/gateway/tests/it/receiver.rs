//! A receiver of webhooks, which records what it is sent.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;

/// What a receiver does with a request.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// This status, with more headers.
    Status(u16, &'static str),
    /// A byte of a response's head every 20 ms, without an end.
    Drip,
    /// Closes the connection without an answer.
    Close,
}

/// A request.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) at: Instant,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value);
        let value = found.next().unwrap_or_else(|| panic!("no {name} in {}", self.head));
        assert!(found.next().is_none(), "{name} twice");
        value
    }

    pub(crate) fn id(&self) -> String {
        self.header("webhook-id").to_owned()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// A receiver; it dies with the value.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    task: JoinHandle<()>,
}

impl Receiver {
    /// Takes everything.
    pub(crate) async fn start() -> Self {
        Self::start_with(|_, _| Answer::Status(204, "")).await
    }

    /// `act` gets the number of requests before, and the request.
    pub(crate) async fn start_with(act: impl Fn(usize, &Received) -> Answer + Send + Sync + 'static) -> Self {
        Self::start_at("127.0.0.1:0".parse().unwrap(), act)
    }

    pub(crate) fn start_at(
        address: SocketAddr,
        act: impl Fn(usize, &Received) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        socket.bind(address).unwrap();
        let listener = socket.listen(64).unwrap();
        let address = listener.local_addr().unwrap();
        let received = Arc::default();
        let task = tokio::spawn(serve(listener, Arc::new(act), Arc::clone(&received)));
        Self { address, received, task }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook?tenant=7", self.address)
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    pub(crate) fn ids(&self) -> Vec<String> {
        self.received().iter().map(Received::id).collect()
    }

    /// Waits until it has so many requests.
    pub(crate) async fn wait_for(&self, count: usize) -> Vec<Received> {
        let began = Instant::now();
        while self.received.lock().unwrap().len() < count {
            let received = self.ids();
            assert!(began.elapsed() < Duration::from_secs(60), "{count} wanted, received: {received:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        self.received()
    }

    pub(crate) fn die(&self) {
        self.task.abort();
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.die();
    }
}

async fn serve(
    listener: TcpListener,
    act: Arc<impl Fn(usize, &Received) -> Answer + Send + Sync + 'static>,
    received: Arc<Mutex<Vec<Received>>>,
) {
    let mut open = tokio::task::JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let (act, received) = (Arc::clone(&act), Arc::clone(&received));
        open.spawn(async move {
            let _ = answer_requests(stream, &*act, &received).await;
        });
    }
}

async fn answer_requests(
    mut stream: TcpStream,
    act: &(impl Fn(usize, &Received) -> Answer + Sync),
    received: &Mutex<Vec<Received>>,
) -> Option<()> {
    let mut read = Vec::new();
    loop {
        let request = next_request(&mut stream, &mut read).await?;
        let count = {
            let mut received = received.lock().unwrap();
            received.push(request.clone());
            received.len() - 1
        };
        match act(count, &request) {
            Answer::Status(status, headers) => {
                let response = format!("HTTP/1.1 {status} Of Test\r\ncontent-length: 0\r\n{headers}\r\n");
                stream.write_all(response.as_bytes()).await.ok()?;
            }
            Answer::Drip => {
                stream.write_all(b"HTTP/1.1 200 OK\r\nx-slow: ").await.ok()?;
                loop {
                    stream.write_all(b"a").await.ok()?;
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
            Answer::Close => return None,
        }
    }
}

async fn next_request(stream: &mut TcpStream, read: &mut Vec<u8>) -> Option<Received> {
    let end = loop {
        if let Some(end) = read.windows(4).position(|w| w == b"\r\n\r\n") {
            break end + 4;
        }
        fill(stream, read).await?;
    };
    let head = String::from_utf8(read[..end].to_vec()).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.unwrap().parse().unwrap();
    while read.len() < end + length {
        fill(stream, read).await?;
    }
    let rest = read.split_off(end + length);
    let body = String::from_utf8(std::mem::replace(read, rest)[end..].to_vec()).unwrap();
    Some(Received { at: Instant::now(), head, body })
}

async fn fill(stream: &mut TcpStream, read: &mut Vec<u8>) -> Option<()> {
    let mut buffer = [0; 4096];
    let length = stream.read(&mut buffer).await.ok().filter(|length| *length > 0)?;
    read.extend_from_slice(&buffer[..length]);
    Some(())
}
