//! Runs the models of each sport, in `fightdna-sql`, and keeps the tables that they publish.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use arrow::array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use fdna_lake::{StageOutput, StageTables, in_parallel_at_most};
use fdna_schemas::{TableReader, set_aside_table};
use serde::Deserialize;
use serde_json::{Value, json};

use super::on_engine::{ModelsParts, ModelsStream, run_on_engine};
use super::one_sport::PreparedSport;
use super::publish::served_output;
use super::sports::{LOGIC, SportInputs, sport_inputs};
use crate::captures::lake_view::LakeView;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::engine::ExternalEngine;
use crate::exit::error_with_code;
use crate::programs::{exit_code_of, explain_start_error, hand_on_folder, sql_program};
use crate::report::{FIRST_REASONS, JobReport, NotTaken, RowCounts};

/// Makes the tables of every sport whose facts or models changed. A sport that fails keeps its last tables and stops no
/// other.
pub(crate) struct ModelsJob {
    /// Licences whose sources count.
    pub(crate) licences: BTreeSet<String>,
    /// What runs the models, a sport as a task; this program without.
    pub(crate) engine: Option<ExternalEngine>,
    /// The sport whose models are run; those of all without.
    pub(crate) sport: Option<String>,
    /// What its models made already.
    pub(crate) prepared: Option<PreparedSport>,
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
        let mut sports = Vec::new();
        for sport in sport_inputs(&ctx.lake, &self.licences)? {
            let is_asked = self.sport.as_ref().is_none_or(|asked| asked == sport.sport);
            if is_asked && ctx.lake.find_stage(&sport.stage(), &sport.fingerprint)?.is_none() {
                sports.push(sport);
            }
        }
        let engine = self.engine.as_ref().filter(|_| !sports.is_empty());
        let made = engine.map(|engine| {
            ctx.progress.show_message("wait for the engine");
            run_on_engine(engine, &self.licences, &sports)
        });
        let mut made = made.transpose()?;
        let by_engine = made.as_ref().map(|made| made.report.to_string());
        let mut parts = made.as_mut().map(|made| std::mem::take(&mut made.parts)).unwrap_or_default();
        if let Some(prepared) = &self.prepared {
            parts.extend(prepared.read_part(&ctx.lake, &sports)?);
        }
        for (sport, made) in sports.iter().zip(make_all_tables(ctx, &sports, parts)) {
            match made {
                Ok((output, refused)) => {
                    lines.push(describe_output(sport, &output));
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
        lines.extend(by_engine);
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

/// Tables of a sport, and what its models set aside.
type MadeTables = anyhow::Result<(StageOutput, Vec<RowCounts>)>;

/// Sports at a time: the tables of one are written while the models of the next run.
const SPORTS_AT_A_TIME: usize = 2;

/// Makes the tables of each sport. The models of two never run at a time, since those of one may need most of the memory.
fn make_all_tables(ctx: &Context, sports: &[SportInputs], mut parts: ModelsParts) -> Vec<MadeTables> {
    let models = Mutex::new(());
    let parts: Vec<_> = sports.iter().map(|sport| (sport, parts.remove(sport.sport))).collect();
    let make = |(sport, part): (&SportInputs, Option<anyhow::Result<ModelsStream>>)| {
        // Nothing is behind it that a thread that panics could leave half done.
        let running = models.lock().unwrap_or_else(PoisonError::into_inner);
        ctx.progress.show_message(&format!("models of {}", sport.sport));
        Ok::<_, Infallible>(make_tables(ctx, sport, part, running))
    };
    let Ok(made) = in_parallel_at_most(SPORTS_AT_A_TIME, parts, make);
    made
}

/// Makes the tables of a sport, each encoded while the next is sorted, and counts what its models set aside. `running` is given up
/// when its models have run.
fn make_tables(
    ctx: &Context,
    sport: &SportInputs,
    part: Option<anyhow::Result<ModelsStream>>,
    running: MutexGuard<'_, ()>,
) -> MadeTables {
    let mut running = Some(running);
    let set_aside = set_aside_table(sport.sport).name;
    let (mut encoded, mut refused, mut counts) = (Vec::new(), Vec::new(), BTreeMap::new());
    let earlier = served_output(&ctx.lake, &sport.stage())?;
    let keep = |table: &str, rows: &mut TableRows<'_>| {
        drop(running.take());
        let mut encoder = ctx.writer.row_encoder(table)?;
        let mut count = 0;
        for rows in rows {
            let rows = rows?;
            count += rows.num_rows();
            encoder.append_rows(&rows)?;
            if table == set_aside {
                refused.push(rows);
            }
        }
        counts.insert(table.to_owned(), count);
        encoded.push(encoder.finish()?);
        Ok(())
    };
    let made = match part {
        Some(part) => part?.read_tables(earlier.as_ref(), keep)?,
        None => run_models(&ctx.lake, sport, earlier.as_ref(), &[], keep)?,
    };
    let captures: Vec<_> =
        sport.captures.iter().map(|(c, _)| json!({"source": c.source, "id": c.id})).collect();
    for table in &made.unchanged {
        let earlier = earlier.as_ref().context("no earlier output has the tables that did not change")?;
        encoded.push(ctx.writer.unchanged_table(earlier, table)?);
    }
    let notes = json!({"captures": captures, "made_by": sport.made_by(), "models": made.state});
    let refused = refused_rows(sport.sport, &set_aside, &refused, &counts)?;
    let tables = StageTables { encoded, ..StageTables::default() };
    Ok((ctx.writer.commit_stage_with(&sport.stage(), &sport.fingerprint, tables, notes)?, refused))
}

/// Rows that models made and no table holds, by table, with the first reasons.
fn refused_rows(
    sport: &str,
    set_aside: &str,
    rows: &[RecordBatch],
    rows_out: &BTreeMap<String, usize>,
) -> anyhow::Result<Vec<RowCounts>> {
    let mut counts: BTreeMap<&str, RowCounts> = BTreeMap::new();
    for rows in rows {
        let reader = TableReader::new(set_aside, rows);
        let (stages, of_tables, reasons) =
            (reader.texts("stage")?, reader.strings("table_name")?, reader.texts("reason")?);
        let (records, files, lines) =
            (reader.strings("record")?, reader.strings("file")?, reader.int32s("line")?);
        for row in (0..reader.rows()).filter(|row| stages[*row] == "models") {
            let Some(table) = of_tables[row] else { continue };
            let count = counts.entry(table).or_insert_with(|| {
                let rows_out = rows_out.get(table).copied().unwrap_or_default();
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
    }
    Ok(counts.into_values().collect())
}

/// A line in the output of the program.
#[derive(Deserialize)]
#[serde(untagged)]
enum OutputLine {
    /// An Arrow stream follows, unless it is the same as in the earlier output.
    Table {
        table: String,
        is_unchanged: bool,
    },
    State {
        state: Value,
    },
}

/// What the program says beside rows.
#[derive(Default)]
pub struct ModelsEnd {
    /// Tables that are the same as in the earlier output.
    unchanged: Vec<String>,
    /// What the program needs to know of these tables when it runs again.
    state: Value,
}

/// Rows of a table, some at a time.
pub type TableRows<'r> = dyn Iterator<Item = anyhow::Result<RecordBatch>> + 'r;

/// Runs the SQL program for a sport, with these options, and gives each table to `take` as its rows come, but for those that are
/// the same as in the earlier output.
pub fn run_models(
    lake: &LakeView,
    sport: &SportInputs,
    earlier: Option<&StageOutput>,
    options: &[&str],
    take: impl FnMut(&str, &mut TableRows<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<ModelsEnd> {
    read_models(lake, sport, earlier, options, |output| read_tables(BufReader::new(output), take))
}

/// Runs the SQL program for a sport, and reads what it prints.
pub(super) fn read_models<T: Default>(
    lake: &LakeView,
    sport: &SportInputs,
    earlier: Option<&StageOutput>,
    options: &[&str],
    read: impl FnOnce(ChildStdout) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut command = Command::new(sql_program());
    command.args(["models", "--sport", sport.sport, "--lake"]).arg(lake.share()?).args(options);
    hand_on_folder(&mut command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = explain_start_error(command.spawn())?;
    // It ends when this is closed, which is when this process ends, however it does.
    let input = child.stdin.take();
    if let Some(mut input) = input.as_ref() {
        // One that ends early says why on standard error.
        let _ = writeln!(input, "{}", describe_request(sport, earlier));
    }
    let errors =
        child.stderr.take().map(|errors| std::thread::spawn(move || std::io::read_to_string(errors)));
    // Closed when it is read, or when it cannot be: then the program ends as well.
    let taken = child.stdout.take().map_or_else(|| Ok(T::default()), read);
    let status = child.wait().context("cannot run the models")?;
    drop(input);
    let why = errors.and_then(|errors| errors.join().ok()).transpose().context("cannot run the models")?;
    let is_cut_short = |error: &anyhow::Error| error.downcast_ref::<CutTable>().is_some();
    if status.success() || taken.as_ref().is_err_and(|error| !is_cut_short(error)) {
        return taken;
    }
    let why = why.filter(|why| !why.trim().is_empty());
    let why = why.map_or_else(
        || format!("the models of {} ended: {status}", sport.sport),
        |why| why.trim().to_owned(),
    );
    Err(error_with_code(exit_code_of(status), why))
}

/// A table whose stream cannot be read to its end. Where the program failed, it says why itself.
#[derive(Debug, thiserror::Error)]
#[error("cannot read table {0}")]
struct CutTable(String);

pub(super) fn read_tables(
    mut output: impl BufRead,
    mut take: impl FnMut(&str, &mut TableRows<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<ModelsEnd> {
    let (mut line, mut end) = (String::new(), ModelsEnd::default());
    while output.read_line(&mut line)? > 0 {
        let read = serde_json::from_str(&line).with_context(|| CutTable(line.clone()))?;
        line.clear();
        let table = match read {
            OutputLine::Table { table, is_unchanged: false } => table,
            OutputLine::Table { table, is_unchanged: true } => {
                end.unchanged.push(table);
                continue;
            }
            OutputLine::State { state } => {
                end.state = state;
                continue;
            }
        };
        let rows = StreamReader::try_new(&mut output, None).with_context(|| CutTable(table.clone()))?;
        let mut rows = rows.map(|rows| rows.with_context(|| CutTable(table.clone())));
        take(&table, &mut rows)?;
        // What was not asked for is passed over: the next table stands behind it.
        rows.try_for_each(|rows| rows.map(drop))?;
    }
    Ok(end)
}

/// The facts of a sport, and where its tables of before are, as the program takes them.
fn describe_request(sport: &SportInputs, earlier: Option<&StageOutput>) -> Value {
    let facts = sport.captures.iter().map(|(capture, facts)| {
        json!({
            "source": capture.source, "capture": capture.id, "captured_at": capture.captured_at,
            "fingerprint": facts.fingerprint,
        })
    });
    let facts: Value = facts.collect();
    json!({"facts": facts, "logic": LOGIC, "earlier": earlier.map(|earlier| &earlier.fingerprint)})
}
