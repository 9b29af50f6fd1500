//! The access log: a line of JSON a request, written by a thread of its own.
//!
//! A slow disk holds no request: lines wait in a queue, and when that is full they are dropped and counted.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use hyper::Version;
use hyper::header::HeaderValue;
use serde::Serialize;

use crate::connection_counts::EventCounter;
use crate::request_record::RequestRecord;
use crate::secrets::{without_key, without_secrets};

/// Lines that wait to be written, at most: many times what a busy server sends between two writes.
const QUEUE: usize = 16 * 1024;

/// Between two writes.
const EVERY: Duration = Duration::from_millis(50);

/// A new log's permissions: clients' addresses are for the server's user and group, which may collect logs.
const NOT_FOR_ALL: u32 = 0o640;

/// Where the lines go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogTarget {
    /// Standard output.
    Stdout,
    /// The end of this file.
    File(PathBuf),
}

/// A log that takes lines.
#[derive(Debug)]
pub struct AccessLog {
    /// `None` while it is being dropped.
    lines: Option<SyncSender<LogMessage>>,
    writing: Option<JoinHandle<()>>,
    counts: Arc<LogCounts>,
    now: fn() -> DateTime<Utc>,
}

#[derive(Debug, Default)]
struct LogCounts {
    dropped: EventCounter,
    failed: EventCounter,
}

enum LogMessage {
    Line(Vec<u8>),
    Reopen,
}

#[derive(Serialize)]
struct LogLine<'a> {
    /// When the request came.
    time: String,
    request_id: Option<&'a str>,
    remote: std::net::SocketAddr,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_id: Option<i64>,
    method: &'a str,
    operation: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<String>,
    version: &'static str,
    status: Option<u16>,
    bytes: u64,
    /// False where the client left before its end.
    whole: bool,
    micros: u64,
    user_agent: Option<&'a str>,
}

impl AccessLog {
    /// Opens it for appending; `now` tells the time of lines.
    ///
    /// # Errors
    /// The file cannot be opened, or no thread started.
    pub fn open_log(target: LogTarget, now: fn() -> DateTime<Utc>) -> io::Result<Self> {
        let out = open_target(&target)?;
        let (lines, queue) = sync_channel(QUEUE);
        let counts = Arc::new(LogCounts::default());
        let log_counts = Arc::clone(&counts);
        let thread = std::thread::Builder::new().name("access-log".to_owned());
        let writing = thread.spawn(move || write_lines(&queue, out, &target, &log_counts))?;
        Ok(Self { lines: Some(lines), writing: Some(writing), counts, now })
    }

    /// Logs a request of this operation. Never waits.
    pub fn log_request(&self, record: &RequestRecord, operation: &str) {
        let line = format_line(record, operation, (self.now)());
        let sent = self.lines.as_ref().map(|lines| lines.try_send(LogMessage::Line(line)));
        if !matches!(sent, Some(Ok(()))) {
            self.counts.dropped.inc();
        }
    }

    /// Opens the file anew, as after it was moved away.
    pub fn reopen_file(&self) {
        if let Some(lines) = &self.lines {
            // A queue that is full would hold the caller: the next signal does it then.
            let _ = lines.try_send(LogMessage::Reopen);
        }
    }

    /// Lines that were not written because the queue was full.
    #[must_use]
    pub fn dropped_lines(&self) -> u64 {
        self.counts.dropped.get()
    }

    /// Times that the log could not be written or opened.
    #[must_use]
    pub fn failed_writes(&self) -> u64 {
        self.counts.failed.get()
    }
}

impl Drop for AccessLog {
    /// Waits until all lines are written.
    fn drop(&mut self) {
        self.lines = None;
        if let Some(writing) = self.writing.take() {
            writing.thread().unpark();
            let _ = writing.join();
        }
    }
}

type LogOutput = BufWriter<Box<dyn Write + Send>>;

fn open_target(target: &LogTarget) -> io::Result<LogOutput> {
    let out: Box<dyn Write + Send> = match target {
        LogTarget::Stdout => Box::new(io::stdout()),
        LogTarget::File(path) => {
            let file: File = OpenOptions::new().append(true).create(true).mode(NOT_FOR_ALL).open(path)?;
            Box::new(file)
        }
    };
    Ok(BufWriter::with_capacity(64 * 1024, out))
}

/// Writes what came, all at once and a few times a second, until nobody sends any more. A thread that waited for each
/// line would have to be woken for each, by the request.
fn write_lines(queue: &Receiver<LogMessage>, mut out: LogOutput, target: &LogTarget, counts: &LogCounts) {
    let fail = |done: io::Result<()>| {
        if let Err(error) = done {
            if counts.failed.get() == 0 {
                tracing::error!(%error, "failed to write the access log");
            }
            counts.failed.inc();
        }
    };
    loop {
        match queue.try_recv() {
            Ok(LogMessage::Line(line)) => fail(out.write_all(&line)),
            Ok(LogMessage::Reopen) => {
                fail(out.flush());
                match open_target(target) {
                    Ok(anew) => out = anew,
                    Err(error) => fail(Err(error)),
                }
            }
            Err(TryRecvError::Empty) => {
                fail(out.flush());
                std::thread::park_timeout(EVERY);
            }
            Err(TryRecvError::Disconnected) => return fail(out.flush()),
        }
    }
}

fn format_line(record: &RequestRecord, operation: &str, now: DateTime<Utc>) -> Vec<u8> {
    let received_at = TimeDelta::from_std(record.elapsed).map_or(now, |elapsed| now - elapsed);
    let caller = record.caller.as_deref();
    let user_agent = record.user_agent.as_ref().map(HeaderValue::as_bytes).map(String::from_utf8_lossy);
    let line = LogLine {
        time: received_at.to_rfc3339_opts(SecondsFormat::Micros, true),
        request_id: record.request_id.as_ref().and_then(|id| id.to_str().ok()),
        remote: record.peer,
        account: caller.map(|caller| caller.account.as_str()),
        plan: caller.map(|caller| caller.plan),
        key_id: caller.map(|caller| caller.key_id),
        method: record.method.as_str(),
        operation,
        path: without_key(record.uri.path()),
        query: record.uri.query().map(without_secrets),
        version: version_name(record.version),
        status: record.status.map(|status| status.as_u16()),
        bytes: record.bytes,
        whole: record.is_whole,
        micros: u64::try_from(record.elapsed.as_micros()).unwrap_or(u64::MAX),
        user_agent: user_agent.as_deref().map(without_key),
    };
    let mut bytes = serde_json::to_vec(&line).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn version_name(version: Version) -> &'static str {
    match version {
        Version::HTTP_2 => "2",
        Version::HTTP_10 => "1.0",
        _ => "1.1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::{Method, StatusCode, Uri};

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_750_000_000, 0).unwrap()
    }

    fn record(uri: &'static str) -> RequestRecord {
        RequestRecord {
            peer: ([127, 0, 0, 1], 4711).into(),
            version: Version::HTTP_11,
            method: Method::GET,
            uri: Uri::from_static(uri),
            user_agent: Some(HeaderValue::from_bytes(b"a \"quoted\" \xff agent").unwrap()),
            status: Some(StatusCode::OK),
            request_id: Some(HeaderValue::from_static("5f0c")),
            slot: None,
            caller: None,
            bytes: 12,
            is_whole: true,
            elapsed: Duration::from_micros(1500),
        }
    }

    #[test]
    fn a_line_has_the_request_and_no_secret() {
        let bytes = format_line(&record("/v1/mma/events?date=2024-01-01&api_key=abc"), "events", now());
        let line: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(
            line,
            serde_json::json!({
                "time": "2025-06-15T15:06:39.998500Z", "request_id": "5f0c", "remote": "127.0.0.1:4711",
                "method": "GET", "operation": "events", "path": "/v1/mma/events",
                "query": "date=2024-01-01&api_key=***", "version": "1.1", "status": 200, "bytes": 12,
                "whole": true, "micros": 1500, "user_agent": "a \"quoted\" \u{fffd} agent",
            })
        );
        assert!(bytes.ends_with(b"}\n"));
    }

    #[test]
    fn a_key_sent_as_a_path_or_a_user_agent_is_not_in_the_line() {
        let user_agent = Some(HeaderValue::from_static("curl/8.5 (fdk_live_abc)"));
        let record = RequestRecord { user_agent, ..record("/v1/mma/fdk_live_abc") };
        let line = String::from_utf8(format_line(&record, "none", now())).unwrap();
        assert!(!line.contains("fdk_"), "{line}");
        assert!(line.contains(r#""path":"***""#) && line.contains(r#""user_agent":"***""#), "{line}");
    }

    #[test]
    fn a_line_says_whose_request_it_was_where_that_is_known() {
        let caller = crate::request_record::AuthenticatedCaller {
            account: "acme \"x\"".to_owned(),
            plan: "pro",
            key_id: 7,
        };
        let record = RequestRecord { caller: Some(Arc::new(caller)), ..record("/v1/mma") };
        let line: serde_json::Value = serde_json::from_slice(&format_line(&record, "index", now())).unwrap();
        let caller = [&line["account"], &line["plan"], &line["key_id"]];
        assert_eq!(caller, [&"acme \"x\"".into(), &"pro".into(), &serde_json::Value::from(7)]);
    }

    #[test]
    fn a_log_that_was_moved_away_is_opened_anew_and_no_line_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let (path, rotated) = (folder.path().join("access.log"), folder.path().join("access.log.1"));
        let log = AccessLog::open_log(LogTarget::File(path.clone()), now).unwrap();
        for _ in 0..3 {
            log.log_request(&record("/a"), "index");
        }
        while std::fs::read(&path).unwrap().iter().filter(|b| **b == b'\n').count() < 3 {
            std::thread::yield_now();
        }
        std::fs::rename(&path, &rotated).unwrap();
        log.log_request(&record("/b"), "index");
        log.reopen_file();
        log.log_request(&record("/c"), "index");
        assert_eq!((log.dropped_lines(), log.failed_writes()), (0, 0));
        drop(log);
        let (old, new) = (std::fs::read_to_string(rotated).unwrap(), std::fs::read_to_string(path).unwrap());
        assert_eq!((old.lines().count(), new.lines().count()), (4, 1));
        assert!(old.contains("\"/b\"") && new.contains("\"/c\""));
    }

    #[test]
    fn a_new_log_is_not_for_everyone_to_read() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("access.log");
        drop(AccessLog::open_log(LogTarget::File(path.clone()), now).unwrap());
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777 & !NOT_FOR_ALL, 0, "{mode:o}");
    }

    #[test]
    #[ignore = "measures: nanoseconds a line on standard error"]
    fn what_a_line_costs() {
        let folder = tempfile::tempdir().unwrap();
        let log = AccessLog::open_log(LogTarget::File(folder.path().join("log")), now).unwrap();
        let record = record("/v1/mma/events?date=2024-01-01&limit=20");
        let begun = std::time::Instant::now();
        for _ in 0..10_000 {
            log.log_request(std::hint::black_box(&record), "events");
        }
        eprintln!("{} ns", begun.elapsed().as_nanos() / 10_000);
    }
}
