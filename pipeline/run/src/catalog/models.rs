//! Runs the models of each sport, in `fightdna-sql`, and keeps the tables that they publish.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, Write as _};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use arrow::array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use fdna_lake::StageOutput;
use fdna_schemas::{TableReader, set_aside_table};
use serde::Deserialize;
use serde_json::json;

use super::sports::{SportInputs, sport_inputs};
use crate::captures::lake_view::LakeView;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::exit::error_with_code;
use crate::programs::{exit_code_of, explain_start_error, hand_on_folder, sql_program};
use crate::report::{FIRST_REASONS, JobReport, NotTaken, RowCounts};

/// Makes the tables of every sport whose facts or models changed. A sport that fails keeps its last tables and stops no
/// other.
pub(crate) struct ModelsJob {
    /// Licences whose sources count.
    pub(crate) licences: BTreeSet<String>,
}

impl PipelineJob for ModelsJob {
    fn name(&self) -> &'static str {
        "models"
    }

    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        if let Some(follows) = PendingOutput::after_pending(earlier, "tables of sports") {
            return Ok(follows);
        }
        let (mut to_do, mut done) = (Vec::new(), Vec::new());
        for sport in sport_inputs(lake, &self.licences)? {
            let is_there = lake.find_stage(&sport.stage(), &sport.fingerprint)?.is_some();
            if is_there { &mut done } else { &mut to_do }.push(sport.sport);
        }
        let is_there = to_do.is_empty();
        let sports = if is_there { done } else { to_do };
        Ok(PendingOutput::from_presence(is_there, &format!("tables of {}", sports.join(", "))))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let (mut lines, mut rows, mut not_taken) = (Vec::new(), Vec::new(), Vec::new());
        for sport in sport_inputs(&ctx.lake, &self.licences)? {
            if ctx.lake.find_stage(&sport.stage(), &sport.fingerprint)?.is_some() {
                continue;
            }
            ctx.progress.show_message(&format!("models of {}", sport.sport));
            match make_tables(ctx, &sport) {
                Ok((output, refused)) => {
                    lines.push(describe_output(&sport, &output));
                    rows.extend(refused);
                }
                Err(error) => {
                    let what = format!("what is new of {}, whose last tables stay", sport.sport);
                    not_taken.push(NotTaken::new(what, &error));
                }
            }
        }
        if lines.is_empty() {
            let unchanged = JobReport::unchanged(self.name(), "no sport has new facts");
            return Ok(JobReport { not_taken, ..unchanged });
        }
        Ok(JobReport { rows, not_taken, ..JobReport::changed(self.name(), lines) })
    }
}

fn describe_output(sport: &SportInputs, output: &StageOutput) -> String {
    let rows: u64 = output.tables.iter().map(|table| table.rows).sum();
    format!(
        "{}: {} tables, {rows} rows of {} captures",
        sport.sport,
        output.tables.len(),
        sport.captures.len()
    )
}

/// Makes the tables of a sport, and counts what its models set aside.
fn make_tables(ctx: &Context, sport: &SportInputs) -> anyhow::Result<(StageOutput, Vec<RowCounts>)> {
    let written = run_models(&ctx.lake, sport, &[])?;
    let tables = split_tables(&written)?;
    let tables = tables.into_iter().map(|(name, stream)| Ok((name, read_rows(stream)?)));
    let tables = tables.collect::<anyhow::Result<Vec<_>>>()?;
    let tables: Vec<(&str, RecordBatch)> =
        tables.iter().map(|(name, rows)| (&**name, rows.clone())).collect();
    let captures: Vec<_> =
        sport.captures.iter().map(|(c, _)| json!({"source": c.source, "id": c.id})).collect();
    let notes = json!({"captures": captures});
    let refused = refused_rows(sport.sport, &tables)?;
    Ok((ctx.writer.commit_stage(&sport.stage(), &sport.fingerprint, &tables, notes)?, refused))
}

/// Rows that models made and no table holds, by table, with the first reasons.
fn refused_rows(sport: &str, tables: &[(&str, RecordBatch)]) -> anyhow::Result<Vec<RowCounts>> {
    let name = set_aside_table(sport).name;
    let rows_of = |name: &str| tables.iter().find(|(table, _)| *table == name).map(|(_, rows)| rows);
    let Some(set_aside) = rows_of(&name) else { return Ok(Vec::new()) };
    let reader = TableReader::new(&name, set_aside);
    let (stages, of_tables, reasons) =
        (reader.texts("stage")?, reader.strings("table_name")?, reader.texts("reason")?);
    let (records, files, lines) =
        (reader.strings("record")?, reader.strings("file")?, reader.int32s("line")?);
    let mut counts: BTreeMap<&str, RowCounts> = BTreeMap::new();
    for row in (0..reader.rows()).filter(|row| stages[*row] == "models") {
        let Some(table) = of_tables[row] else { continue };
        let count = counts.entry(table).or_insert_with(|| {
            let rows_out = rows_of(table).map_or(0, RecordBatch::num_rows);
            let (capture, name) = (sport.to_owned(), table.to_owned());
            RowCounts { capture, name, rows_in: rows_out, rows_out, set_aside: 0, reasons: Vec::new() }
        });
        count.rows_in += 1;
        count.set_aside += 1;
        if count.reasons.len() < FIRST_REASONS {
            let place = files[row].zip(lines[row]);
            let place = place.map(|(file, line)| format!(", `{file}` line {line}")).unwrap_or_default();
            count.reasons.push(format!("{} ({}{place})", reasons[row], records[row].unwrap_or_default()));
        }
    }
    Ok(counts.into_values().collect())
}

/// Head of a table in the output of the program.
#[derive(Deserialize)]
struct TableHead {
    table: String,
    bytes: u64,
}

/// Output of the SQL program for a sport, with these options.
pub fn run_models(lake: &LakeView, sport: &SportInputs, options: &[&str]) -> anyhow::Result<Vec<u8>> {
    let facts: Vec<_> = sport
        .captures
        .iter()
        .map(|(capture, facts)| {
            json!({
                "source": capture.source, "capture": capture.id, "captured_at": capture.captured_at,
                "fingerprint": facts.fingerprint,
            })
        })
        .collect();
    let mut command = Command::new(sql_program());
    command.args(["models", "--sport", sport.sport, "--lake"]).arg(lake.root()).args(options);
    hand_on_folder(&mut command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = explain_start_error(command.spawn())?;
    // It ends when this is closed, which is when this process ends, however it does.
    let input = child.stdin.take();
    if let Some(mut input) = input.as_ref() {
        // One that ends early says why on standard error.
        let _ = writeln!(input, "{}", json!(facts));
    }
    let output = child.wait_with_output().context("cannot run the models")?;
    drop(input);
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(error_with_code(exit_code_of(output.status), why));
    }
    Ok(output.stdout)
}

/// For each table a line of JSON, then an Arrow stream of so many bytes.
pub fn split_tables(mut rest: &[u8]) -> anyhow::Result<Vec<(String, &[u8])>> {
    let mut tables = Vec::new();
    while !rest.is_empty() {
        let mut line = String::new();
        rest.read_line(&mut line)?;
        let TableHead { table, bytes } =
            serde_json::from_str(&line).context("cannot read the head of a table")?;
        let stream = usize::try_from(bytes).ok().and_then(|bytes| rest.split_at_checked(bytes));
        let Some((stream, behind)) = stream else { bail!("cannot read table {table}: it ends early") };
        tables.push((table, stream));
        rest = behind;
    }
    Ok(tables)
}

/// The rows of a table.
pub fn read_rows(stream: &[u8]) -> anyhow::Result<RecordBatch> {
    StreamReader::try_new(stream, None)?
        .next()
        .context("cannot read a table: it has no rows")?
        .context("cannot read a table")
}
