//! Report of a run: printed for a person, as JSON for a machine, and kept in the lake.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use fdna_ingest::FileCount;
use fdna_lake::LogHeads;
use serde::{Deserialize, Serialize};

use crate::exit::{ExitCode, exit_code};
use crate::gates::ClosedGate;
use crate::product::Product;

/// Status of a source that could not be added, in the report of a run.
pub const NOT_IMPORTED: &str = "did not import";

/// Report of one job.
#[derive(Debug, Clone, Serialize)]
pub struct JobReport {
    pub job: &'static str,
    /// Whether it changed anything.
    pub changed: bool,
    /// One line per thing done.
    pub lines: Vec<String>,
    /// Rows by table or file, where the job counts rows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<RowCounts>,
    /// Captures that this run found unusable, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// Captures that look cut and wait for a person's decision: why, and the command that believes them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<String>,
    /// Sources that could not be added, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_taken: Vec<NotTaken>,
    /// Gates that keep the snapshot from being published.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) closed_gates: Vec<ClosedGate>,
    /// A snapshot that was made as of an earlier time, and is not current.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) made: Option<MadeOutput>,
    /// Whether what it made is held, so that what follows must not be done.
    #[serde(skip)]
    pub(crate) is_held: bool,
    pub seconds: f64,
}

/// A snapshot as of an earlier time.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct MadeOutput {
    pub(crate) id: String,
    pub(crate) known_at: String,
}

/// A source, or an entry of one, that was not taken in: nothing of it is kept.
#[derive(Debug, Clone, Serialize)]
pub struct NotTaken {
    pub what: String,
    pub why: String,
    /// Exit code of the run, if nothing worse happens.
    #[serde(skip)]
    pub code: ExitCode,
}

impl NotTaken {
    pub fn new(what: String, error: &anyhow::Error) -> Self {
        Self { what, why: format!("{error:#}"), code: exit_code(error) }
    }
}

/// Rows in, out and set aside: nothing is lost between.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts {
    pub capture: String,
    pub name: String,
    pub rows_in: usize,
    pub rows_out: usize,
    pub set_aside: usize,
    /// The first reasons, with their lines, where the job tells them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
}

impl JobReport {
    pub fn unchanged(job: &'static str, line: impl Into<String>) -> Self {
        Self { changed: false, ..Self::changed(job, vec![line.into()]) }
    }

    pub fn unchanged_lines(job: &'static str, lines: Vec<String>) -> Self {
        Self { changed: false, ..Self::changed(job, lines) }
    }

    pub fn changed(job: &'static str, lines: Vec<String>) -> Self {
        Self {
            job,
            changed: true,
            lines,
            rows: Vec::new(),
            refused: Vec::new(),
            held: Vec::new(),
            not_taken: Vec::new(),
            closed_gates: Vec::new(),
            made: None,
            is_held: false,
            seconds: 0.0,
        }
    }
}

/// Report of a whole run.
#[derive(Debug, Clone, Serialize)]
pub struct RunReport {
    pub run_id: String,
    pub started_at: String,
    pub version: &'static str,
    pub lake: String,
    /// Product of the lake.
    #[serde(skip)]
    pub product: Product,
    pub synthetic: bool,
    /// `done`, `nothing_to_do`, `refused` (done, but for a capture that cannot be used or taken in), `held_capture`
    /// (done, but for a capture that looks cut), `held` (made, and not published) or `failed`. Before it ends a run's
    /// report in the lake says `running`, and `killed` if it never does.
    pub outcome: &'static str,
    /// The code that the process ends with.
    pub exit_code: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub jobs: Vec<JobReport>,
    /// Rows of the newest capture that the published snapshot sets aside, by kind; of a product of sports, of all captures.
    pub quarantine: Vec<(String, usize)>,
    pub snapshot_id: Option<String>,
    /// Steps that this build cannot do yet, or that were left out, so that no one takes them for done.
    pub not_run: Vec<&'static str>,
    /// How far the logs and the ledger go at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_heads: Option<LogHeads>,
    pub seconds: f64,
}

impl RunReport {
    /// For a person: what each job did, and the rows that it set aside; all rows if `is_verbose`.
    #[must_use]
    pub fn to_text(&self, is_verbose: bool) -> String {
        let mut out = String::new();
        let subject = match self.product {
            Product::Catalog => "game",
            Product::Properties => "property",
            Product::Mma => "fighter",
        };
        let label = format!(", SYNTHETIC SAMPLE: no real {subject} is in it");
        let label = if self.synthetic { &*label } else { "" };
        let _ = writeln!(out, "run {} in lake {}{label}\n", self.run_id, self.lake);
        for job in &self.jobs {
            for (i, line) in job.lines.iter().enumerate() {
                let name = if i == 0 { job.job } else { "" };
                let _ = writeln!(out, "  {name:<10} {line}");
            }
            out += &if is_verbose { all_rows(&job.rows) } else { set_aside(&job.rows) };
        }
        if !self.quarantine.is_empty() {
            let kinds: Vec<String> = self.quarantine.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
            let kinds = kinds.join(", ");
            let scope = if self.product == Product::Mma { " in the newest capture" } else { "" };
            let _ = writeln!(out, "\n  set aside{scope}, by kind (table quarantine): {kinds}");
        }
        out.push_str(&self.describe_problems());
        out.push_str(&self.describe_snapshots());
        out.push_str(&self.next_commands());
        out
    }

    /// Problems for a person to look at, and reasons that keep the snapshot from being published.
    fn describe_problems(&self) -> String {
        let mut out = String::new();
        for refusal in self.jobs.iter().flat_map(|job| &job.refused) {
            let _ = writeln!(out, "\n  REFUSED capture {refusal}");
        }
        for held in self.jobs.iter().flat_map(|job| &job.held) {
            let _ = writeln!(out, "\n  HELD {held}");
        }
        for NotTaken { what, why, .. } in self.jobs.iter().flat_map(|job| &job.not_taken) {
            let _ = writeln!(out, "\n  NOT TAKEN IN {what}: {why}");
        }
        for gate in self.jobs.iter().flat_map(|job| &job.closed_gates) {
            let _ = writeln!(out, "\n  HELD by {gate}");
        }
        out
    }

    /// Id of the snapshot that was made as of an earlier time.
    #[must_use]
    pub fn made_snapshot(&self) -> Option<&str> {
        self.jobs.iter().find_map(|job| job.made.as_ref()).map(|made| made.id.as_str())
    }

    /// The snapshot that was made, and the one that is current.
    fn describe_snapshots(&self) -> String {
        let mut out = String::new();
        for made in self.jobs.iter().filter_map(|job| job.made.as_ref()) {
            let lake = &self.lake;
            let _ = writeln!(
                out,
                "\nmade snapshot {} as known at {}, in {lake}/snapshots/{}",
                made.id, made.known_at, made.id
            );
        }
        match (&self.snapshot_id, self.outcome) {
            (Some(id), _) if self.jobs.iter().any(|job| job.made.is_some()) => {
                let _ = writeln!(out, "snapshot {id} stays current");
            }
            (Some(id), "held") => {
                let _ = writeln!(out, "\nnot published: snapshot {id} stays current");
            }
            (Some(id), "nothing_to_do") => {
                let _ = writeln!(out, "\nnothing new: snapshot {id} stays current");
            }
            (Some(id), _) => {
                let _ = writeln!(
                    out,
                    "\nsnapshot {id} is current, in {}/snapshots/{id} ({:.1} s)",
                    self.lake, self.seconds
                );
            }
            (None, _) => {}
        }
        out
    }

    /// Three commands that make sense now.
    fn next_commands(&self) -> String {
        if self.snapshot_id.is_none() {
            return String::new();
        }
        let lake = &self.lake;
        if self.product == Product::Properties {
            return format!(
                "next:\n  fightdna leads --store STORE serve --keys KEYS --properties-lake {lake}    lists and values them\n  \
                 fightdna properties --lake {lake} validity    what values are worth\n"
            );
        }
        let (serve, index) = match self.product {
            Product::Catalog => ("serve --catalog", "sports"),
            _ => ("serve", "v1/mma"),
        };
        format!(
            "next:\n  fightdna {serve} --lake {lake}     then open http://127.0.0.1:8080/{index}\n  \
             fightdna status --lake {lake}    what is in it, how old, what was set aside\n  \
             fightdna verify --lake {lake}    hash every byte again\n"
        )
    }
}

/// Files or tables that are named in a report of what was set aside; the rest is counted.
const NAMED: usize = 12;

/// Reasons that are kept and told of one file.
pub const FIRST_REASONS: usize = 3;

/// All rows. Those of several captures follow one another: where each begins is said.
fn all_rows(rows: &[RowCounts]) -> String {
    let mut out = String::new();
    let is_of_several = rows.first().map(|rows| &rows.capture) != rows.last().map(|rows| &rows.capture);
    for of_capture in rows.chunk_by(|a, b| a.capture == b.capture) {
        if is_of_several {
            let _ = writeln!(out, "  {:<10} of {}", "", of_capture[0].capture);
        }
        for rows in of_capture {
            let _ = writeln!(out, "  {:<10} {}", "", rows.to_text());
        }
    }
    out
}

/// Rows that were set aside, by file or table, those of all captures together; the most first.
fn set_aside(rows: &[RowCounts]) -> String {
    let mut by_name: BTreeMap<&str, ([usize; 2], Vec<&str>)> = BTreeMap::new();
    for rows in rows.iter().filter(|rows| rows.set_aside > 0) {
        let ([set_aside, all], reasons) = by_name.entry(&rows.name).or_default();
        *set_aside += rows.set_aside;
        *all += rows.rows_in;
        reasons.extend(rows.reasons.iter().map(String::as_str));
        reasons.truncate(FIRST_REASONS);
    }
    let mut by_name: Vec<_> = by_name.into_iter().collect();
    by_name.sort_by_key(|(_, ([set_aside, _], _))| Reverse(*set_aside));
    let mut out = String::new();
    for (name, ([set_aside, all], reasons)) in by_name.iter().take(NAMED) {
        let reasons = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
        let _ = writeln!(out, "  {:<10} {name}: {set_aside} of {all} rows set aside{reasons}", "");
    }
    let rest: usize = by_name.iter().skip(NAMED).map(|(_, ([set_aside, _], _))| set_aside).sum();
    if rest > 0 {
        let n = by_name.len() - NAMED;
        let _ = writeln!(
            out,
            "  {:<10} {n} more files or tables: {rest} rows set aside (--verbose names them)",
            ""
        );
    }
    out
}

impl RowCounts {
    pub fn of_file(capture: &str, count: &FileCount) -> Self {
        Self {
            capture: capture.to_owned(),
            name: count.file.clone(),
            rows_in: count.rows_in,
            rows_out: count.rows_out,
            set_aside: count.set_aside,
            reasons: Vec::new(),
        }
    }

    pub fn to_text(&self) -> String {
        let Self { name, rows_in, rows_out, set_aside, .. } = self;
        format!("{name:<26} {rows_in:>6} rows in = {rows_out:>6} out + {set_aside:>4} set aside")
    }
}

/// A number with its noun.
pub fn count_with_noun(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(capture: usize, name: &str, set_aside: usize) -> RowCounts {
        let name = name.to_owned();
        let reasons = (1..=set_aside).map(|at| format!("line {at}: odd")).collect();
        let capture = capture.to_string();
        RowCounts { capture, name, rows_in: 10, rows_out: 10 - set_aside, set_aside, reasons }
    }

    #[test]
    fn what_was_set_aside_is_summed_by_file_and_the_rest_is_not_told() {
        let of_many: Vec<RowCounts> =
            (0..675).flat_map(|n| [rows(n, "bouts.csv", 1), rows(n, "events.csv", 0)]).collect();
        let told = "bouts.csv: 675 of 6750 rows set aside: line 1: odd; line 1: odd; line 1: odd";
        assert_eq!(set_aside(&of_many).trim(), told);
        let files: Vec<RowCounts> = (0..NAMED + 2).map(|n| rows(n, &format!("{n:02}.ics"), 3)).collect();
        let text = set_aside(&files);
        assert_eq!(text.lines().count(), NAMED + 1);
        assert!(
            text.trim_end().ends_with("2 more files or tables: 6 rows set aside (--verbose names them)"),
            "{text}"
        );
        assert_eq!(all_rows(&of_many).lines().count(), 3 * 675);
        assert_eq!(set_aside(&[rows(0, "a", 0)]), "");
    }
}
