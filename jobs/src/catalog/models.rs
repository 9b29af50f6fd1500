//! Runs the models of each sport, in `fightdna-sql`, and keeps the tables that they publish.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{BufRead as _, Write as _};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use arrow::array::{Date32Array, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::compute::kernels::cmp::lt_eq;
use arrow::datatypes::Date32Type;
use arrow_ipc::reader::StreamReader;
use chrono::NaiveDate;
use fdna_lake::{Fingerprint, PipelineStage, StageOutput};
use fdna_schemas::{
    CatalogSource, Table, TableReader, Tables, modelled_sports, models_digest, set_aside_table,
};
use serde::Deserialize;
use serde_json::json;

use crate::captures::CommandReport;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::exit::{ExitCode, coded};
use crate::ingest::CaptureOutput;
use crate::report::{FIRST_REASONS, JobReport, NotTaken, RowCounts};
use crate::sql::{code, program, started};
use crate::view::LakeView;

/// Raised when the same models make something else of the same facts.
const LOGIC: &str = "3";

/// Makes the tables of every sport whose facts or models changed. A sport that fails keeps its last tables and stops no
/// other.
pub(crate) struct ModelsJob {
    /// Licences whose sources count.
    pub(crate) licences: BTreeSet<String>,
}

/// The tables that a sport would be made of now.
pub(crate) struct SportInputs {
    pub(crate) sport: &'static str,
    pub(super) captures: Vec<CaptureOutput>,
    pub(crate) fingerprint: Fingerprint,
}

impl SportInputs {
    pub(crate) fn stage(&self) -> PipelineStage {
        PipelineStage::Catalog { sport: self.sport.to_owned() }
    }
}

/// What each sport is made of. One without a capture that counts is left out.
pub(crate) fn sports(view: &LakeView, licences: &BTreeSet<String>) -> anyhow::Result<Vec<SportInputs>> {
    let all = view.usable()?;
    let of_sport = |sport: &'static str| {
        let counts = |(capture, _): &&CaptureOutput| {
            CatalogSource::get(&capture.source)
                .is_some_and(|source| source.sport == sport && licences.contains(&source.licence))
        };
        let captures: Vec<CaptureOutput> = all.iter().filter(counts).cloned().collect();
        let builder = Fingerprint::builder("models")
            .text("logic", LOGIC)
            .text("sport", sport)
            .digest("models", models_digest(sport));
        let fingerprint = crate::stage_graph::add_captures(builder, &captures).build();
        (!captures.is_empty()).then_some(SportInputs { sport, captures, fingerprint })
    };
    Ok(modelled_sports().into_iter().filter_map(of_sport).collect())
}

impl PipelineJob for ModelsJob {
    fn name(&self) -> &'static str {
        "models"
    }

    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        if let Some(follows) = PendingOutput::behind(earlier, "tables of sports") {
            return Ok(follows);
        }
        let (mut to_do, mut done) = (Vec::new(), Vec::new());
        for sport in sports(lake, &self.licences)? {
            let is_there = lake.stage(&sport.stage(), &sport.fingerprint)?.is_some();
            if is_there { &mut done } else { &mut to_do }.push(sport.sport);
        }
        let is_there = to_do.is_empty();
        let told = if is_there { done } else { to_do };
        Ok(PendingOutput::of(is_there, &format!("tables of {}", told.join(", "))))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let (mut lines, mut rows, mut not_taken) = (Vec::new(), Vec::new(), Vec::new());
        for sport in sports(&ctx.lake, &self.licences)? {
            if ctx.lake.stage(&sport.stage(), &sport.fingerprint)?.is_some() {
                continue;
            }
            ctx.progress.say(&format!("models of {}", sport.sport));
            match make(ctx, &sport) {
                Ok((output, refused)) => {
                    lines.push(told(&sport, &output));
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

fn told(sport: &SportInputs, output: &StageOutput) -> String {
    let rows: u64 = output.tables.iter().map(|table| table.rows).sum();
    format!(
        "{}: {} tables, {rows} rows of {} captures",
        sport.sport,
        output.tables.len(),
        sport.captures.len()
    )
}

/// Makes the tables of a sport, and counts what its models set aside.
fn make(ctx: &Context, sport: &SportInputs) -> anyhow::Result<(StageOutput, Vec<RowCounts>)> {
    let written = run_models(&ctx.lake, sport, &[])?;
    let tables = tables(&written)?;
    let tables = tables.into_iter().map(|(name, stream)| Ok((name, rows(stream)?)));
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
    let of = |name: &str| tables.iter().find(|(table, _)| *table == name).map(|(_, rows)| rows);
    let Some(set_aside) = of(&name) else { return Ok(Vec::new()) };
    let reader = TableReader::new(&name, set_aside);
    let (stages, of_tables, reasons) =
        (reader.texts("stage")?, reader.strings("table_name")?, reader.texts("reason")?);
    let (records, files, lines) =
        (reader.strings("record")?, reader.strings("file")?, reader.int32s("line")?);
    let mut counts: BTreeMap<&str, RowCounts> = BTreeMap::new();
    for row in (0..reader.rows()).filter(|row| stages[*row] == "models") {
        let Some(table) = of_tables[row] else { continue };
        let count = counts.entry(table).or_insert_with(|| {
            let rows_out = of(table).map_or(0, RecordBatch::num_rows);
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

/// What the program writes of a sport, with these options.
fn run_models(lake: &LakeView, sport: &SportInputs, options: &[&str]) -> anyhow::Result<Vec<u8>> {
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
    let mut command = Command::new(program());
    command.args(["models", "--sport", sport.sport, "--lake"]).arg(lake.root()).args(options);
    super::hand_on_folder(&mut command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = started(command.spawn())?;
    // It ends when this is closed, which is when this process ends, however it does.
    let input = child.stdin.take();
    if let Some(mut input) = input.as_ref() {
        // One that ends early says why on standard error.
        let _ = writeln!(input, "{}", json!(facts));
    }
    let output = child.wait_with_output().context("run the models")?;
    drop(input);
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(coded(code(output.status), why));
    }
    Ok(output.stdout)
}

/// The sports of the lake, or the one that is asked for.
///
/// # Errors
/// The lake cannot be read, or has no facts of the sport.
pub(super) fn asked_sports(
    lake: &LakeView,
    licences: &BTreeSet<String>,
    asked: Option<&str>,
) -> anyhow::Result<Vec<SportInputs>> {
    let mut sports = sports(lake, licences)?;
    sports.retain(|sport| asked.is_none_or(|asked| sport.sport == asked));
    if sports.is_empty() {
        let of = asked.map_or_else(String::new, |sport| format!(" of {sport}"));
        let why = format!("catalog: find facts{of} in {}: there are none", lake.root().display());
        return Err(coded(ExitCode::Unavailable, why));
    }
    Ok(sports)
}

/// Runs the models of these sports again, with four threads that meet the facts in another order than they come, and
/// compares what they write with the tables in the lake.
///
/// # Errors
/// A model fails, a table is not the same, or the lake has not the tables that its facts make.
pub(super) fn check_determinism(lake: &LakeView, sports: &[SportInputs]) -> anyhow::Result<CommandReport> {
    let again = ["--threads", "4", "--shuffle"];
    let told = "the same with other threads, and facts in another order";
    run_again(lake, sports.iter(), &again, told, |_, stored| Ok(Some(stored)))
}

/// Runs the models of these sports over the facts of the days before one, and compares the tables whose rows hold from a
/// day on with the rows that the lake has until then: what holds as of a day comes of no later fact.
///
/// # Errors
/// As for [`check_determinism`].
pub(super) fn check_as_of(
    lake: &LakeView,
    sports: &[SportInputs],
    day: NaiveDate,
) -> anyhow::Result<CommandReport> {
    let day_text = day.to_string();
    let told = format!("what holds as of {day} comes of no later fact");
    let until = |table: &str, stored: RecordBatch| {
        let is_dated = is_dated(Tables::get().table(table)?);
        let Some(from) = stored.column_by_name(VALID_FROM).filter(|_| is_dated) else { return Ok(None) };
        let day = Date32Array::new_scalar(Date32Type::from_naive_date(day));
        let rows = filter_record_batch(&stored, &lt_eq(from, &day)?)?;
        // What a subject is called is the newest spelling, whatever the day.
        let is_value = |place: &usize| !rows.schema_ref().field(*place).name().ends_with("_name");
        let places: Vec<usize> = (0..rows.num_columns()).filter(is_value).collect();
        Ok(Some(rows.project(&places)?))
    };
    let has_dated = |sport: &&SportInputs| {
        let stage = format!("catalog/{}", sport.sport);
        Tables::get().published_by_catalog().any(|table| table.stage == stage && is_dated(table))
    };
    run_again(lake, sports.iter().filter(has_dated), &["--before", &day_text], &told, until)
}

/// Whether rows of a table hold from a day on.
fn is_dated(table: &Table) -> bool {
    table.key.iter().any(|key| key == VALID_FROM)
}

/// Column of the day from which a row holds.
const VALID_FROM: &str = "valid_from";

/// Runs the models of these sports again with these options. Each table must have the rows that `expected` takes from the
/// table in the lake; where it takes none, the table is passed over.
fn run_again<'s>(
    lake: &LakeView,
    sports: impl Iterator<Item = &'s SportInputs>,
    options: &[&str],
    told: &str,
    expected: impl Fn(&str, RecordBatch) -> anyhow::Result<Option<RecordBatch>>,
) -> anyhow::Result<CommandReport> {
    let (mut text, mut sports_told, mut differ) = (String::new(), Vec::new(), Vec::new());
    for sport in sports {
        let Some(output) = lake.stage(&sport.stage(), &sport.fingerprint)? else {
            let why = format!(
                "catalog: {} has facts without tables: `fightdna catalog run` makes them",
                sport.sport
            );
            return Err(coded(ExitCode::Unavailable, why));
        };
        let again = run_models(lake, sport, options)?;
        let (mut count, mut row_count, mut stored_count) = (0, 0, 0);
        for (table, made) in &tables(&again)? {
            let stored = lake.read_stage_table(&output, table)?;
            let stored_rows = stored.num_rows();
            // A fact may count from a later day than its own, so that rows of later days are made of earlier facts.
            let Some(made) = expected(table, rows(made)?)? else { continue };
            let Some(expected) = expected(table, stored)? else { continue };
            count += 1;
            row_count += expected.num_rows();
            stored_count += stored_rows;
            let columns = differing_columns(&expected, &made);
            if !columns.is_empty() {
                differ.push(format!("{table} ({})", columns.join(", ")));
            }
        }
        writeln!(text, "{}: {count} tables, {row_count} of {stored_count} rows: {told}", sport.sport)?;
        let of_sport =
            json!({"sport": sport.sport, "tables": count, "rows": row_count, "stored_rows": stored_count});
        sports_told.push(of_sport);
    }
    if !differ.is_empty() {
        let why =
            format!("catalog: these tables and columns are others, against `{told}`: {}", differ.join("; "));
        return Err(coded(ExitCode::BadData, why));
    }
    Ok(CommandReport { text, json: json!({"sports": sports_told}), code: ExitCode::Done })
}

/// Columns of one that are not equal in the other. Values are compared and not bytes: what stands under a null is nobody's.
fn differing_columns(one: &RecordBatch, other: &RecordBatch) -> Vec<String> {
    let names = one.schema_ref().fields().iter().map(|field| field.name());
    let columns = names.zip(one.columns());
    columns
        .filter(|(name, one)| other.column_by_name(name) != Some(*one))
        .map(|(name, _)| name.clone())
        .collect()
}

/// For each table a line of JSON, then an Arrow stream of so many bytes.
fn tables(mut rest: &[u8]) -> anyhow::Result<Vec<(String, &[u8])>> {
    let mut tables = Vec::new();
    while !rest.is_empty() {
        let mut line = String::new();
        rest.read_line(&mut line)?;
        let TableHead { table, bytes } = serde_json::from_str(&line).context("read the head of a table")?;
        let stream = usize::try_from(bytes).ok().and_then(|bytes| rest.split_at_checked(bytes));
        let Some((stream, behind)) = stream else { bail!("read table {table}: it ends early") };
        tables.push((table, stream));
        rest = behind;
    }
    Ok(tables)
}

fn rows(stream: &[u8]) -> anyhow::Result<RecordBatch> {
    StreamReader::try_new(stream, None)?
        .next()
        .context("read a table: it has no rows")?
        .context("read a table")
}
