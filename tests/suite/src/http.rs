//! A plain HTTP client over one socket a request: what the server sends, byte for byte.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::TestLake;

/// `fightdna serve` on a free port; stopped when dropped.
pub struct Serving {
    child: Child,
    address: String,
    /// Where the explorer listens, if it was asked for.
    explorer: Option<String>,
}

/// An answer: status, headers as sent, body.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Serving {
    /// # Panics
    /// The program does not start, or does not become ready within 20 s.
    #[must_use]
    pub fn start(bench: &TestLake) -> Self {
        Self::start_with(bench, |_| ())
    }

    /// The same after a change of the command, such as further arguments.
    ///
    /// # Panics
    /// The program does not start, or does not become ready within 20 s.
    #[must_use]
    pub fn start_with(bench: &TestLake, change: impl FnOnce(&mut Command)) -> Self {
        let mut command = bench.command(&["serve", "--listen", "127.0.0.1:0"]);
        change(&mut command);
        Self::run(command)
    }

    /// Any of the program's servers, which prints its address in its first line.
    ///
    /// # Panics
    /// The program does not start, or does not become ready within 20 s.
    #[must_use]
    pub fn run(command: Command) -> Self {
        let serving = Self::begin(command);
        for _ in 0..400 {
            if serving.get("/readyz").status == 200 {
                return serving;
            }
            std::thread::park_timeout(Duration::from_millis(50));
        }
        panic!("not ready: {}", serving.get("/readyz").text());
    }

    /// The same, ready or not.
    ///
    /// # Panics
    /// The program does not start.
    #[must_use]
    pub fn begin(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its standard output");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let explorer = line.split("explorer on http://").nth(1).and_then(|rest| rest.split('/').next());
        Self {
            address: address.expect("an address").to_owned(),
            explorer: explorer.map(str::to_owned),
            child,
        }
    }

    /// # Panics
    /// The connection breaks.
    #[must_use]
    pub fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[])
    }

    /// # Panics
    /// The connection breaks, or the answer is no HTTP.
    #[must_use]
    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        ask(&self.address, "GET", path, headers)
    }

    /// The same of the explorer beside it.
    ///
    /// # Panics
    /// There is none, the connection breaks, or the answer is no HTTP.
    #[must_use]
    pub fn page_with(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        ask(self.explorer.as_deref().expect("an explorer"), method, path, headers)
    }
    /// Where it listens: host and port.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Sends it a signal, such as `TERM`.
    ///
    /// # Panics
    /// The signal cannot be sent.
    pub fn signal(&self, name: &str) {
        let mut kill = Command::new("kill");
        let sent = kill.args([&format!("-{name}"), &self.id().to_string()]).status().expect("kill starts");
        assert!(sent.success(), "kill -{name}: {sent}");
    }

    /// Process id, for signals and measuring.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the program to end by itself.
    ///
    /// # Panics
    /// It cannot be waited for.
    #[must_use]
    pub fn wait(mut self) -> std::process::ExitStatus {
        self.child.wait().expect("the program ends")
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ask(address: &str, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    headers.iter().for_each(|(name, value)| request += &format!("{name}: {value}\r\n"));
    stream.write_all((request + "\r\n").as_bytes()).expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    parse(&answer)
}

fn parse(answer: &[u8]) -> Answer {
    let end = answer.windows(4).position(|w| w == b"\r\n\r\n").expect("a whole header");
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
    let headers = lines.filter_map(|line| line.split_once(": ")).map(|(n, v)| (n.to_owned(), v.to_owned()));
    Answer { status: status.expect("a status"), headers: headers.collect(), body: answer[end + 4..].to_vec() }
}
