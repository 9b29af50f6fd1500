//! A site on the loopback that answers as a test says, well or badly: bytes on the wire, with pauses between.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Asked {
    pub path: String,
    /// Names in lower case.
    headers: Vec<(String, String)>,
}

impl Asked {
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// What is put on the wire: after each pause, some bytes; then the connection is closed.
#[derive(Debug, Clone, Default)]
pub struct Reply(Vec<(Duration, Vec<u8>)>);

impl Reply {
    /// Bytes as they are, whether they are HTTP or not.
    #[must_use]
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self(vec![(Duration::ZERO, bytes.into())])
    }

    /// A whole answer with its length.
    #[must_use]
    pub fn status(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        Self::cut(status, headers, body.len(), body)
    }

    #[must_use]
    pub fn ok(body: impl AsRef<[u8]>) -> Self {
        Self::status(200, &[], body)
    }

    /// An answer whose header tells another length than the body has.
    #[must_use]
    pub fn cut(status: u16, headers: &[(&str, &str)], length: usize, body: &[u8]) -> Self {
        let mut head =
            format!("HTTP/1.1 {status} As Told\r\ncontent-length: {length}\r\nconnection: close\r\n");
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        Self::raw([head.as_bytes(), b"\r\n", body].concat())
    }

    /// And, after a pause, more.
    #[must_use]
    pub fn then(mut self, pause: Duration, bytes: impl Into<Vec<u8>>) -> Self {
        self.0.push((pause, bytes.into()));
        self
    }

    #[expect(clippy::disallowed_methods, reason = "a slow site is slow")]
    fn send(&self, mut to: &TcpStream) -> std::io::Result<()> {
        for (pause, bytes) in &self.0 {
            std::thread::sleep(*pause);
            to.write_all(bytes)?;
        }
        Ok(())
    }
}

/// The site; it serves until the test's process ends.
pub struct Site {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Site {
    /// `answer` is given each request and the number of requests for that path before it.
    ///
    /// # Panics
    /// No port can be had.
    #[must_use]
    pub fn new(answer: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its number");
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let (log, answer) = (asked.clone(), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (log.clone(), answer.clone());
                std::thread::spawn(move || serve(&stream, &log, &*answer));
            }
        });
        Self { address, asked }
    }

    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The same site under another host's name.
    #[must_use]
    pub fn url_of_localhost(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.address.port())
    }

    /// What was asked so far, in order.
    ///
    /// # Panics
    /// An answering thread panicked.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("a log").clone()
    }
}

fn serve(stream: &TcpStream, log: &Mutex<Vec<Asked>>, answer: &dyn Fn(&Asked, usize) -> Reply) {
    let Some(asked) = read(stream) else { return };
    let before = {
        let mut log = log.lock().expect("a log");
        log.push(asked.clone());
        log.iter().filter(|earlier| earlier.path == asked.path).count() - 1
    };
    // Who asked may have gone away.
    let _ = answer(&asked, before).send(stream);
}

fn read(mut stream: &TcpStream) -> Option<Asked> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let mut lines = head.lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let pair = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
    };
    Some(Asked { path, headers: lines.filter_map(pair).collect() })
}
