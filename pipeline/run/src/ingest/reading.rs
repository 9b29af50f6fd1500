//! Result of reading a capture, in any process: the tables that are kept of it, or why it is refused.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_ingest::{BaseCapture, FileEnd, IngestedCapture, too_large};
use fdna_lake::{Capture, Fingerprint, Lake, StageOutput};
use fdna_model::{Finding, FindingKind, Severity};
use fdna_rows::quarantine_table;
use serde::{Deserialize, Serialize};

use super::attempts::ReadAttempts;
use crate::captures::facts::{FactsDelta, FactsReader};
use crate::report::{FIRST_REASONS, RowCounts};

/// A capture as it was read.
pub(crate) struct CaptureReading {
    /// By name, `quarantine` among them.
    pub(super) tables: Vec<(String, RecordBatch)>,
    pub(super) notes: ReadNotes,
    pub(super) difference: Option<FactsDelta>,
}

/// Notes of a reading besides its tables.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct ReadNotes {
    pub(super) rows: Vec<RowCounts>,
    /// Files whose last row may be cut.
    pub(super) ends: BTreeMap<String, FileEnd>,
    /// Why the capture cannot be used, file by file; nothing for one that can.
    pub(super) refused: Vec<String>,
    /// The machine and not the capture may be the reason: the next run may read it again.
    pub(super) is_unsure: bool,
    /// How often that was so.
    #[serde(default)]
    pub(super) attempts: Option<ReadAttempts>,
}

impl CaptureReading {
    /// Whether it needs no base to be put together.
    pub(super) fn is_whole(&self) -> bool {
        self.difference.is_none()
    }

    /// Counts the attempt of a reader that failed for what may be the machine's sake, and says what comes next.
    pub(super) fn with_attempt(mut self, before: Option<ReadAttempts>, reader: &str) -> Self {
        if self.notes.is_unsure {
            let attempts = ReadAttempts::one_more(before, reader);
            self.notes.refused.iter_mut().for_each(|reason| {
                *reason = format!("{reason}, {}", attempts.describe_outlook());
            });
            self.notes.attempts = Some(attempts);
        }
        self
    }

    /// A capture that ended its reader, or could not be given to one.
    pub(super) fn from_refusal(capture: &Capture, why: RefusedCapture) -> anyhow::Result<Self> {
        let finding = Finding {
            kind: FindingKind::UnreadableValue,
            severity: Severity::Fatal,
            file: why.file.unwrap_or_else(|| largest_file(capture)),
            line: 0,
            key: None,
            reason: why.reason,
            raw: None,
        };
        let mut reading = Self::from_ingested(
            capture,
            IngestedCapture { findings: vec![finding], ..IngestedCapture::default() },
        )?;
        reading.notes.is_unsure = why.is_unsure;
        Ok(reading)
    }

    fn from_ingested(capture: &Capture, ingested: IngestedCapture) -> anyhow::Result<Self> {
        let IngestedCapture { tables, findings, counts } = ingested;
        let fatal = findings.iter().filter(|f| f.severity == Severity::Fatal);
        let refused: Vec<String> = fatal.map(describe_refusal).collect();
        let rows: Vec<RowCounts> = counts
            .iter()
            .map(|count| RowCounts {
                reasons: first_reasons(&findings, &count.file),
                ..RowCounts::of_file(&capture.id, count)
            })
            .collect();
        let mut tables = if refused.is_empty() { tables } else { Vec::new() };
        let set_aside = findings.into_iter().map(|f| (capture.id.clone(), "ingest", f)).collect();
        tables.push(("quarantine".to_owned(), quarantine_table(set_aside)?));
        let notes = ReadNotes { rows, refused, ..ReadNotes::default() };
        Ok(Self { tables, notes, difference: None })
    }
}

/// Why the first rows of a file are set aside, by line.
fn first_reasons(findings: &[Finding], file: &str) -> Vec<String> {
    let of_rows = findings.iter().filter(|f| f.severity == Severity::Quarantine && f.file == file);
    let place = |line: i32| if line > 0 { format!("line {line}: ") } else { String::new() };
    of_rows.map(|f| place(f.line) + &f.reason).take(FIRST_REASONS).collect()
}

/// A refusal, by the file that it is about.
fn describe_refusal(finding: &Finding) -> String {
    let Finding { file, reason, .. } = finding;
    if reason.contains(&format!("`{file}`")) { reason.clone() } else { format!("`{file}`: {reason}") }
}

/// The file that most likely is the reason, where none is known to be.
fn largest_file(capture: &Capture) -> String {
    let largest = capture.files.iter().max_by_key(|file| file.bytes);
    largest.map(|file| file.name.clone()).unwrap_or_default()
}

/// Why a capture is refused that gave no findings.
pub(super) struct RefusedCapture {
    /// The largest without.
    pub(super) file: Option<String>,
    pub(super) reason: String,
    pub(super) is_unsure: bool,
}

impl RefusedCapture {
    pub(super) fn permanent(reason: impl Into<String>) -> Self {
        Self { file: None, reason: reason.into(), is_unsure: false }
    }

    pub(super) fn for_now(reason: impl Into<String>) -> Self {
        Self { is_unsure: true, ..Self::permanent(reason) }
    }
}

/// Whether memory ran out, which another machine, or this one later, may have.
fn is_out_of_memory(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    causes.any(|cause| cause.kind() == std::io::ErrorKind::OutOfMemory)
}

/// A base with the fingerprint of its facts.
type KnownFacts = (Fingerprint, BaseCapture);

/// The base of a capture, and its files.
type ReadInputs = (Option<Arc<KnownFacts>>, Vec<(String, Bytes)>);

/// Reads captures in this process, and keeps the base that was used last.
#[derive(Default)]
pub(crate) struct LocalReader {
    base: Mutex<Option<Arc<KnownFacts>>>,
}

/// Stack of the thread that reads a capture. Depths are bounded before any parser calls itself; this is for what
/// nobody thought of.
const STACK_BYTES: usize = 64 << 20;

impl LocalReader {
    /// Reads a capture on a stack of its own; a reader that panics refuses the capture.
    ///
    /// # Errors
    /// A file of the capture is not what its manifest says, or the base cannot be read.
    pub(crate) fn read_capture(
        &self,
        lake: &Lake,
        capture: &Capture,
        base: Option<&(Capture, StageOutput)>,
    ) -> anyhow::Result<CaptureReading> {
        let sizes = capture.files.iter().map(|file| (&file.name[..], file.bytes));
        if let Some(why) = too_large(sizes) {
            return CaptureReading::from_refusal(capture, RefusedCapture::permanent(why));
        }
        let (base, files) = match self.read_inputs(lake, capture, base) {
            Err(error) if is_out_of_memory(&error) => {
                return CaptureReading::from_refusal(
                    capture,
                    RefusedCapture::for_now("no memory is left to read it"),
                );
            }
            inputs => inputs?,
        };
        catch_panic(capture, || ingest_files(capture, &files, base.as_deref()))
    }

    /// Reads the files of a capture, before any reader sees them.
    pub(super) fn read_inputs(
        &self,
        lake: &Lake,
        capture: &Capture,
        base: Option<&(Capture, StageOutput)>,
    ) -> anyhow::Result<ReadInputs> {
        let base = base.map(|(capture, facts)| self.read_base(lake, capture, facts)).transpose()?.flatten();
        Ok((base, read_files(lake, capture)?))
    }

    fn read_base(
        &self,
        lake: &Lake,
        base: &Capture,
        facts: &StageOutput,
    ) -> anyhow::Result<Option<Arc<KnownFacts>>> {
        let mut cached = self.base.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cached.as_ref().filter(|known| known.0 == facts.fingerprint) {
            return Ok(Some(Arc::clone(known)));
        }
        let tables = FactsReader::new(lake).read_facts(facts)?.into_iter().collect::<Vec<_>>();
        let known = BaseCapture::new(&base.source, read_files(lake, base)?, &tables)?;
        let Some(known) = known else { return Ok(None) };
        let known = Arc::new((facts.fingerprint.clone(), known));
        *cached = Some(Arc::clone(&known));
        Ok(Some(known))
    }
}

/// Does the work on a stack of its own; where it panics or fails, the capture is refused.
fn catch_panic(
    capture: &Capture,
    work: impl FnOnce() -> anyhow::Result<CaptureReading> + Send,
) -> anyhow::Result<CaptureReading> {
    let read = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("read a capture".to_owned()).stack_size(STACK_BYTES);
        let work = || catch_unwind(AssertUnwindSafe(work));
        thread.spawn_scoped(scope, work).map(std::thread::ScopedJoinHandle::join)
    });
    let read = match read {
        Ok(joined) => joined.and_then(|caught| caught),
        Err(error) => {
            let reason = format!("no thread could be started to read it ({error})");
            return CaptureReading::from_refusal(capture, RefusedCapture::for_now(reason));
        }
    };
    match read {
        Ok(Ok(reading)) => Ok(reading),
        Ok(Err(error)) => {
            CaptureReading::from_refusal(capture, RefusedCapture::permanent(format!("{error:#}")))
        }
        Err(panic) => {
            let message = panic_message(&*panic);
            // A thread that cannot be started says nothing about the capture.
            let is_unsure = message.contains("spawn") || message.contains("memory");
            let reason = format!("its reader panicked: {message}");
            CaptureReading::from_refusal(
                capture,
                RefusedCapture { is_unsure, ..RefusedCapture::permanent(reason) },
            )
        }
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("it does not say why").to_owned()
}

fn ingest_files(
    capture: &Capture,
    files: &[(String, Bytes)],
    base: Option<&KnownFacts>,
) -> anyhow::Result<CaptureReading> {
    let ends = fdna_ingest::ends(&capture.source, files)?;
    let difference = base.map(|(_, base)| base.difference(files)).transpose()?;
    let mut reading = match (difference, base) {
        (Some(Some(difference)), Some((fingerprint, _))) => {
            let (mut tables, mut scripts) = (Vec::new(), Vec::new());
            for (table, rows, script) in difference.tables {
                scripts.push((table.clone(), script));
                tables.extend((rows.num_rows() > 0).then_some((table, rows)));
            }
            let (findings, counts) = (difference.findings, difference.counts);
            let mut reading =
                CaptureReading::from_ingested(capture, IngestedCapture { tables, findings, counts })?;
            reading.difference = Some(FactsDelta::new(fingerprint.clone(), &scripts));
            reading
        }
        _ => CaptureReading::from_ingested(capture, fdna_ingest::ingest(&capture.source, files)?)?,
    };
    reading.notes.ends = ends;
    Ok(reading)
}

fn read_files(lake: &Lake, capture: &Capture) -> anyhow::Result<Vec<(String, Bytes)>> {
    let read = |name: &String| Ok((name.clone(), lake.capture_file(capture, name)?));
    capture.files.iter().map(|file| read(&file.name)).collect()
}

#[cfg(test)]
mod tests {
    use fdna_lake::FileEntry;

    use super::*;

    fn capture(bytes: u64) -> Capture {
        let file = FileEntry { name: "a.csv".to_owned(), bytes, sha256: String::new() };
        Capture {
            format: 1,
            id: "20250101T000000Z-00000000".to_owned(),
            source: "rankings".to_owned(),
            captured_at: chrono::DateTime::UNIX_EPOCH,
            synthetic: false,
            files: vec![file],
        }
    }

    #[test]
    fn a_capture_beyond_the_bounds_is_refused_before_its_files_are_opened() {
        let lake = Lake::open("there is no such lake");
        let reading = LocalReader::default().read_capture(&lake, &capture(3 << 30), None).unwrap();
        assert_eq!(
            reading.notes.refused,
            ["`a.csv` has 3221225472 bytes, more than 134217728 (FIGHTDNA_READ_FILE_MIB)"]
        );
        assert!(!reading.notes.is_unsure);
        assert!(LocalReader::default().read_capture(&lake, &capture(1), None).is_err());
    }

    #[test]
    fn a_reader_that_panics_or_fails_refuses_the_capture_by_file_and_reason() {
        let refused = |work: fn() -> anyhow::Result<CaptureReading>| {
            let reading = catch_panic(&capture(1), work).unwrap();
            assert_eq!(reading.tables.len(), 1);
            (reading.notes.refused.concat(), reading.notes.is_unsure)
        };
        assert_eq!(refused(|| panic!("odd")), ("`a.csv`: its reader panicked: odd".to_owned(), false));
        assert_eq!(refused(|| anyhow::bail!("no rows")), ("`a.csv`: no rows".to_owned(), false));
        assert!(refused(|| panic!("cannot spawn a thread")).1);
    }

    #[test]
    fn a_reader_has_a_stack_of_its_own_that_is_deeper_than_others() {
        fn deep(n: u32) -> u32 {
            let held = std::hint::black_box([n; 256]);
            if n == 0 { held[0] } else { deep(n - 1) + held[1] - held[2] }
        }
        assert!(
            catch_panic(&capture(1), || CaptureReading::from_ingested(
                &capture(deep(20_000).into()),
                IngestedCapture::default()
            ))
            .is_ok()
        );
    }
}
