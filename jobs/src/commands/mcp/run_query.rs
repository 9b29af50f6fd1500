//! A query that somebody else has written: `fightdna-sql` in a process of its own, bounded in time, memory and bytes.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use fdna_mcp::{ErrorCode, QueryRows, Refusal, SqlQuestion};
use fdna_run::programs::{explain_start_error, hand_on_folder, sql_program};
use serde_json::Value;

/// Seconds that a query may run, after which the program ends itself.
const SECONDS: u64 = 15;
/// What it is given beyond that before it is killed.
const GRACE: Duration = Duration::from_secs(3);
/// Memory of the engine, and megabytes of address space of its process.
const MEMORY: &str = "512MB";
const PROCESS_MB: &str = "2560";
const THREADS: &str = "2";
/// Bytes that are read of its answer, at most: more than any answer of a tool has.
const MAX_BYTES: u64 = 4 << 20;
/// Of its error.
const MAX_ERROR_BYTES: u64 = 16 << 10;

/// Its exit codes.
const USAGE: i32 = 2;
const TOO_LONG: i32 = 75;

/// The rows of a query over the tables of a snapshot, at most one more than are asked for.
pub(super) fn run_query(lake: &Path, snapshot: &str, question: &SqlQuestion) -> Result<QueryRows, Refusal> {
    let most = question.limit.saturating_add(1).to_string();
    let mut command = Command::new(sql_program());
    command.args(["query", "--format", "json", "--max-rows", &most, "--max-seconds", &SECONDS.to_string()]);
    command.args(["--memory", MEMORY, "--max-process-mb", PROCESS_MB, "--threads", THREADS]);
    command.arg("--lake").arg(lake).args(["--snapshot", snapshot]);
    hand_on_folder(&mut command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = explain_start_error(command.spawn()).map_err(|error| {
        tracing::error!(error = format!("{error:#}"), "cannot run a query");
        let message = "This server has no SQL engine: `fightdna-sql` is not beside its program";
        Refusal::new(ErrorCode::SnapshotNotAvailable, message)
    })?;
    RunningQuery::new(child, &question.query).finish()
}

/// A process, and what it writes, as it comes.
struct RunningQuery {
    child: Child,
    answer: Receiver<Vec<u8>>,
    error: Receiver<Vec<u8>>,
}

impl RunningQuery {
    fn new(mut child: Child, query: &str) -> Self {
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let query = query.to_owned();
        std::thread::spawn(move || write_query(stdin, &query));
        let answer = read_apart(move || stdout.map(|out: ChildStdout| read_at_most(out, MAX_BYTES)));
        let error = read_apart(move || stderr.map(|out| read_at_most(out, MAX_ERROR_BYTES)));
        Self { child, answer, error }
    }

    /// Waits for the answer, and ends the process in any case.
    fn finish(mut self) -> Result<QueryRows, Refusal> {
        let answer = self.answer.recv_timeout(Duration::from_secs(SECONDS) + GRACE);
        let is_long = answer.as_ref().is_ok_and(|answer| answer.len() as u64 > MAX_BYTES);
        if answer.is_err() || is_long {
            let _ = self.child.kill();
        }
        let status = self.child.wait();
        let Ok(answer) = answer else { return Err(too_long()) };
        if is_long {
            return Err(invalid(
                "The rows are too long: select fewer columns or rows, or parts of long texts".to_owned(),
            ));
        }
        match status.ok().and_then(|status| status.code()) {
            Some(0) => read_rows(&answer),
            Some(TOO_LONG) => Err(too_long()),
            Some(USAGE) => Err(invalid(query_error(&self.error.recv().unwrap_or_default()))),
            None => {
                Err(invalid(format!("The query needs more memory than it is given ({MEMORY}); ask for less")))
            }
            Some(_) => {
                let error = self.error.recv().unwrap_or_default();
                tracing::error!(error = %String::from_utf8_lossy(&error), "cannot run a query");
                let message = "The tables cannot be read; the log of the server says why";
                Err(Refusal::new(ErrorCode::SnapshotNotAvailable, message))
            }
        }
    }
}

fn write_query(stdin: Option<ChildStdin>, query: &str) {
    // A process that ended before it read all of it says why.
    let _ = stdin.map(|mut stdin| stdin.write_all(query.as_bytes()));
}

fn read_apart(read: impl FnOnce() -> Option<Vec<u8>> + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(read().unwrap_or_default()));
    receiver
}

fn read_at_most(from: impl std::io::Read, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = from.take(most + 1).read_to_end(&mut bytes);
    bytes
}

fn read_rows(answer: &[u8]) -> Result<QueryRows, Refusal> {
    match serde_json::from_slice(answer) {
        Ok(Value::Array(rows)) => Ok(QueryRows { rows }),
        _ => Err(Refusal::new(ErrorCode::Internal, "the rows of the query could not be read")),
    }
}

/// What the engine says of the query, without what this program wraps it in.
fn query_error(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let text = text.trim().trim_start_matches("fightdna-sql: ");
    text.trim_end_matches(": Error code 1: Unknown error code").to_owned()
}

fn too_long() -> Refusal {
    invalid(format!("The query took longer than {SECONDS} s and was ended; ask for less"))
}

fn invalid(message: String) -> Refusal {
    Refusal::new(ErrorCode::InvalidParameter, message)
}
