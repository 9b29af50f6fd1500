//! Reads captures in other processes, so that one that ends its reader (by abort, a stack that overflows, memory or
//! time without bound) is refused by name and the run goes on.
//!
//! A death is believed only when a fresh worker dies of the same capture: the first may have died of what it read
//! before. Lack of time or memory, and an end by a signal from outside, may be the machine's: such a refusal holds for
//! this run, and the next reads the capture once more (`attempts`). A panic, an abort and an overflow are the capture's.

use std::io::{BufReader, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use fdna_lake::{Capture, Lake, StageOutput};

use super::frame::{ReadAnswer, ReadRequest, read_answer};
use super::isolation::{ReaderBounds, ReaderIsolation};
use super::reading::{CaptureReading, LocalReader, RefusedCapture};
use crate::programs::hand_on_folder;

/// The hidden command of the program that is a worker.
pub const COMMAND: &str = "ingest-worker";

/// The processes of one run.
pub(crate) struct ReaderPool<'a> {
    lake: &'a Lake,
    isolation: &'a ReaderIsolation,
    local: LocalReader,
    idle: Mutex<Vec<ReaderProcess>>,
}

impl<'a> ReaderPool<'a> {
    pub(crate) fn new(lake: &'a Lake, isolation: &'a ReaderIsolation) -> Self {
        Self { lake, isolation, local: LocalReader::default(), idle: Mutex::default() }
    }

    /// Reads a capture; many may be read at a time, each by a worker of its own.
    ///
    /// # Errors
    /// The lake cannot be read.
    pub(crate) fn read_capture(
        &self,
        capture: &Capture,
        base: Option<&(Capture, StageOutput)>,
    ) -> anyhow::Result<CaptureReading> {
        let ReaderIsolation::Process { program, bounds } = self.isolation else {
            return self.local.read_capture(self.lake, capture, base);
        };
        let request = ReadRequest { capture: capture.clone(), base: base.cloned() };
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let is_fresh = idle.is_none();
        let first = self.ask_worker(idle, program, *bounds, &request)?;
        let answer = match first {
            Err(death) if !is_fresh && death != ReaderDeath::Late => {
                self.ask_worker(None, program, *bounds, &request)?
            }
            answered => answered,
        };
        match answer {
            Ok(Ok(reading)) => Ok(reading),
            Ok(Err(failure)) => {
                // What is wrong with the lake is told here as everywhere, with its kind and path.
                self.local.read_inputs(self.lake, capture, base)?;
                Err(anyhow::anyhow!(failure))
            }
            Err(death) => CaptureReading::from_refusal(capture, death.into_refusal(*bounds)),
        }
    }

    fn ask_worker(
        &self,
        worker: Option<ReaderProcess>,
        program: &PathBuf,
        bounds: ReaderBounds,
        request: &ReadRequest,
    ) -> anyhow::Result<Result<ReadAnswer, ReaderDeath>> {
        let mut worker = match worker {
            Some(worker) => worker,
            None => ReaderProcess::start_process(program, self.lake, bounds)?,
        };
        match worker.send_request(request, Duration::from_secs(bounds.read_seconds)) {
            Ok(answer) => {
                self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
                Ok(Ok(answer))
            }
            Err(is_late) => Ok(Err(worker.end_process(is_late)?)),
        }
    }
}

/// One process.
struct ReaderProcess {
    process: Child,
    /// Closed, it ends the worker.
    asks: Option<ChildStdin>,
    answers: Receiver<ReadAnswer>,
    /// Its last lines on standard error.
    last_words: std::thread::JoinHandle<String>,
}

impl ReaderProcess {
    fn start_process(program: &PathBuf, lake: &Lake, bounds: ReaderBounds) -> anyhow::Result<Self> {
        let mut command = Command::new(program);
        command.arg(COMMAND).arg("--lake").arg(lake.share()?);
        command.args(["--read-memory-mb", &bounds.read_memory_mb.to_string()]);
        command.args(["--read-file-mib", &bounds.read_file_mib.to_string()]);
        hand_on_folder(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().context("cannot start a process that reads captures")?;
        let (Some(output), Some(mut errors)) = (process.stdout.take(), process.stderr.take()) else {
            anyhow::bail!("cannot start a process that reads captures: it has no pipes");
        };
        let (answered, answers) = sync_channel(1);
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            // One that breaks off is the last: its process has ended, or is ended as one that has.
            while let Ok(Some(answer)) = read_answer(&mut output) {
                if answered.send(answer).is_err() {
                    break;
                }
            }
        });
        let last_words = std::thread::spawn(move || {
            let (mut last, mut buffer) = (Vec::new(), [0; 4096]);
            while let Ok(n @ 1..) = errors.read(&mut buffer) {
                last.extend_from_slice(&buffer[..n]);
                last.drain(..last.len().saturating_sub(LAST_WORDS));
            }
            String::from_utf8_lossy(&last).into_owned()
        });
        Ok(Self { asks: process.stdin.take(), process, answers, last_words })
    }

    /// The answer; an error if it is late (true), or will never come.
    fn send_request(&mut self, request: &ReadRequest, within: Duration) -> Result<ReadAnswer, bool> {
        let mut line = serde_json::to_vec(request).map_err(|_| false)?;
        line.push(b'\n');
        let asks = self.asks.as_mut().ok_or(false)?;
        asks.write_all(&line).and_then(|()| asks.flush()).map_err(|_| false)?;
        self.answers.recv_timeout(within).map_err(|error| error == RecvTimeoutError::Timeout)
    }

    fn end_process(mut self, is_late: bool) -> anyhow::Result<ReaderDeath> {
        self.asks = None;
        // One that has ended keeps how it ended.
        let _ = self.process.kill();
        let status = self.process.wait().context("cannot wait for a process that reads captures")?;
        let last_words = std::mem::replace(&mut self.last_words, std::thread::spawn(String::new));
        let last_words = last_words.join().unwrap_or_default();
        Ok(if is_late { ReaderDeath::Late } else { ReaderDeath::from_signal(status.signal(), &last_words) })
    }
}

impl Drop for ReaderProcess {
    /// One that still reads is of no use to anybody.
    fn drop(&mut self) {
        self.asks = None;
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Of what a worker says this much is kept, in bytes.
const LAST_WORDS: usize = 4096;

/// How a worker ended.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ReaderDeath {
    Late,
    Memory,
    Overflow,
    Abort(String),
    /// From outside, as by the kernel where the machine has no memory left; or for its processor time.
    Signal(i32),
    /// Without a signal: it could not begin, or not answer.
    Gone(String),
}

impl ReaderDeath {
    fn from_signal(signal: Option<i32>, last_words: &str) -> Self {
        let last = || last_words.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
        match signal {
            _ if last_words.contains("memory allocation of") => Self::Memory,
            Some(libc::SIGABRT | libc::SIGSEGV) if last_words.contains("overflowed its stack") => {
                Self::Overflow
            }
            Some(libc::SIGABRT | libc::SIGSEGV | libc::SIGBUS | libc::SIGILL) => Self::Abort(last()),
            Some(signal) => Self::Signal(signal),
            None => Self::Gone(last()),
        }
    }

    fn into_refusal(self, bounds: ReaderBounds) -> RefusedCapture {
        match self {
            Self::Late => {
                RefusedCapture::for_now(format!("it was not read within {} s", bounds.read_seconds))
            }
            Self::Memory => RefusedCapture::for_now(format!(
                "its reader needs more than {} MB of memory",
                bounds.read_memory_mb
            )),
            Self::Overflow => RefusedCapture::permanent("its reader overflowed its stack"),
            Self::Abort(words) => RefusedCapture::permanent(format!("its reader aborted: {words}")),
            Self::Signal(signal) => {
                RefusedCapture::for_now(format!("its reader was ended by signal {signal}"))
            }
            Self::Gone(words) => RefusedCapture::for_now(format!("its reader ended ({words})")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_the_machines_fault_is_tried_again_and_what_is_the_captures_is_not() {
        let unsure = |signal, words: &str| {
            let bounds = ReaderBounds { read_seconds: 120, read_memory_mb: 4096, read_file_mib: 128 };
            ReaderDeath::from_signal(signal, words).into_refusal(bounds).is_unsure
        };
        assert!(unsure(Some(libc::SIGABRT), "memory allocation of 17 bytes failed\n"));
        assert!(
            unsure(Some(libc::SIGKILL), "") && unsure(Some(libc::SIGXCPU), "") && unsure(None, "no lake")
        );
        assert!(!unsure(Some(libc::SIGABRT), "thread 'read a capture' has overflowed its stack\n"));
        assert!(!unsure(Some(libc::SIGABRT), "assertion failed\n") && !unsure(Some(libc::SIGSEGV), ""));
    }
}
