//! A difference as JSON, written as it is found: that of all derived tables may have millions of cells.

use std::io::{BufWriter, ErrorKind, Write};

use anyhow::Context as _;
use fdna_lake::{LakeError, SnapshotManifest};
use fdna_lineage::{CausedChunk, DiffError, SnapshotDiff};
use fdna_run::exit::ExitCode;
use fdna_run::lineage::LakePair;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::key_of;

/// Rows whose text is made together: one of a DNA version has tens of kilobytes.
const ROWS_AT_ONCE: usize = 256;

/// Writes all to standard output; of each table so many rows at most.
pub(super) fn write(
    pair: &LakePair<'_>,
    diff: &SnapshotDiff<'_, LakePair<'_>>,
    tables: &[String],
    rows: Option<usize>,
) -> anyhow::Result<ExitCode> {
    let mut out = JsonOutput { to: BufWriter::new(std::io::stdout().lock()), failed: None };
    let head = json!({ "from": snapshot(&pair.old), "to": snapshot(&pair.new), "captures": {
        "added": diff.evidence().added_captures().collect::<Vec<_>>(),
        "removed": diff.evidence().removed_captures().collect::<Vec<_>>(),
    }});
    let head = head.to_string();
    out.put(head.trim_end_matches('}'));
    out.put("},\"tables\":[");
    for (at, table) in tables.iter().enumerate() {
        out.put(if at == 0 { "\n{\"rows_that_differ\":[" } else { ",\n{\"rows_that_differ\":[" });
        let mut written = 0;
        let summary = diff.compare(table, |chunk| {
            let left = rows.map_or(usize::MAX, |rows| rows.saturating_sub(written));
            let end = chunk.row_count().min(left);
            for begin in (0..end).step_by(ROWS_AT_ONCE) {
                let places = begin..end.min(begin + ROWS_AT_ONCE);
                let texts: Vec<String> =
                    places.into_par_iter().map(|at| row_text(chunk, table, at)).collect();
                for text in texts {
                    out.put(if written == 0 { "\n" } else { ",\n" });
                    out.put(&text);
                    written += 1;
                }
            }
            Ok(())
        });
        let summary = summary.map_err(|error: DiffError<LakeError>| error)?;
        out.put("],\"summary\":");
        out.put(&serde_json::to_string(&summary).context("cannot write the result as JSON")?);
        out.put("}");
    }
    out.put("]}\n");
    out.finish()
}

fn row_text(chunk: &CausedChunk<'_>, table: &str, at: usize) -> String {
    serde_json::to_string(&chunk.row(key_of(table), at)).unwrap_or_default()
}

fn snapshot(manifest: &SnapshotManifest) -> Value {
    json!({
        "snapshot": manifest.id,
        "contract_version": manifest.contract_version,
        "definition_versions": manifest.definition_versions,
    })
}

/// Standard output, with the first error of writing to it.
struct JsonOutput<W: Write> {
    to: W,
    failed: Option<std::io::Error>,
}

impl<W: Write> JsonOutput<W> {
    fn put(&mut self, text: &str) {
        if self.failed.is_none() {
            self.failed = self.to.write_all(text.as_bytes()).err();
        }
    }

    /// Standard output closed by the reader is no failure.
    fn finish(mut self) -> anyhow::Result<ExitCode> {
        let written = self.failed.take().map_or_else(|| self.to.flush(), Err);
        match written {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(error).context("cannot print the result")
            }
            _ => Ok(ExitCode::Done),
        }
    }
}
