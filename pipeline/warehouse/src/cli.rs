//! The command line.

use std::io::{BufRead as _, BufWriter, Read as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};
use arrow_ipc::writer::StreamWriter;
use chrono::NaiveDate;
use clap::{Args, Parser, Subcommand, ValueEnum};
use fdna_lake::{Fingerprint, Lake, LakeError, PipelineStage, SnapshotId};
use fdna_schemas::{CatalogFilesError, Table, use_catalog_folder};
use fdna_warehouse::{
    EngineLimits, Finding, Format, ModelsRequest, RowSelection, Rows, TableRows, TableSelection, Warehouse,
    WarehouseError, run_models,
};
use rlimit::Resource;

/// Asks the lake in SQL, and audits it. Writes nothing.
///
/// Exit codes: 0 done, 1 failure of our own, 2 usage or a wrong query, 65 an audit returned rows or bytes of the
/// lake are damaged, 69 the lake cannot be read or holds no snapshot, 75 a query took longer than --max-seconds.
#[derive(Parser)]
#[command(name = "fightdna-sql", version)]
struct Cli {
    #[command(flatten)]
    global: GlobalOptions,
    #[command(subcommand)]
    command: Command,
}

#[derive(Args)]
struct GlobalOptions {
    /// Folder of the lake.
    #[arg(long, global = true, env = "FIGHTDNA_LAKE", default_value = "data/lake")]
    lake: PathBuf,
    /// Id of the snapshot; without, the current one.
    #[arg(long, global = true)]
    snapshot: Option<SnapshotId>,
    /// Output of a stage instead of a snapshot, as its folder in the lake: derived/v1/FINGERPRINT.
    #[arg(long, global = true, conflicts_with = "snapshot", value_parser = stage_output)]
    stage: Option<(PipelineStage, Fingerprint)>,
    /// Folder laid out as `schemas/catalog`, instead of the catalog that is compiled in.
    #[arg(long, global = true, value_name = "DIR", env = "FIGHTDNA_CATALOG_DATA")]
    catalog_data: Option<PathBuf>,
    /// How rows are written.
    #[arg(long, global = true, value_enum, default_value_t)]
    format: FormatArg,
    /// Most memory to use, such as 1GB; without, eight tenths of the machine's.
    #[arg(long, global = true)]
    memory: Option<String>,
    /// Most threads to use; without, as many as the machine has.
    #[arg(long, global = true, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

#[derive(Subcommand)]
enum Command {
    /// Print the rows of a single SELECT.
    Query {
        /// The query; without, it is read from standard input.
        sql: Option<String>,
        #[command(flatten)]
        bounds: QueryBounds,
    },
    /// Print the views, with their rows and columns.
    Tables,
    /// Run the audits, each of which must return no rows.
    Audit,
    /// Run the models of a sport of the catalog over the facts that standard input lists as JSON, and write the tables as
    /// Arrow streams. `fightdna catalog run` asks for it, with a line on standard input that stays open until it has the
    /// answer.
    #[command(hide = true)]
    Models {
        #[arg(long)]
        sport: String,
        /// Give the models the rows of facts in another order, to see that none depends on it.
        #[arg(long)]
        shuffle: bool,
        /// Give the models the facts of earlier days alone, to see that none of a day depends on later ones.
        #[arg(long, value_name = "DATE")]
        before: Option<NaiveDate>,
    },
}

/// Bounds of a query that somebody else has written.
#[derive(Args)]
struct QueryBounds {
    /// Most rows to print.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    max_rows: Option<u32>,
    /// Most seconds to run; what runs longer ends with code 75.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    max_seconds: Option<u32>,
    /// Most megabytes of address space of the whole process, beside --memory of the engine.
    #[arg(long, value_parser = clap::value_parser!(u32).range(256..))]
    max_process_mb: Option<u32>,
}

impl QueryBounds {
    /// Applies to this process what the engine does not bound.
    fn apply_to_process(&self) -> anyhow::Result<()> {
        if let Some(megabytes) = self.max_process_mb {
            let hard = Resource::AS.get_hard().context("cannot read the limit of memory")?;
            let wanted = u64::from(megabytes) << 20;
            Resource::AS.set(wanted.min(hard), hard).context("cannot limit the memory")?;
        }
        if let Some(seconds) = self.max_seconds {
            end_after(seconds);
        }
        Ok(())
    }
}

/// Ends this process when its time is over, whatever the engine is doing.
fn end_after(seconds: u32) {
    let (never, wait) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        let _never = never;
        let _ = wait.recv_timeout(Duration::from_secs(seconds.into()));
        eprintln!("fightdna-sql: the query took longer than {seconds} s and was ended; ask for less");
        std::process::exit(TOO_LONG.into());
    });
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum FormatArg {
    /// For a person.
    #[default]
    Table,
    /// With a line of names; a null is empty.
    Csv,
    /// An array with an object for each row.
    Json,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Table => Self::Table,
            FormatArg::Csv => Self::Csv,
            FormatArg::Json => Self::Json,
        }
    }
}

fn stage_output(text: &str) -> anyhow::Result<(PipelineStage, Fingerprint)> {
    let Some((stage, fingerprint)) = text.trim_end_matches('/').rsplit_once('/') else {
        bail!("no folder of a stage output, as derived/v1/FINGERPRINT");
    };
    Ok((stage.parse()?, fingerprint.parse()?))
}

/// The numbers are those of `fightdna`.
const BAD_DATA: u8 = 65;
const UNAVAILABLE: u8 = 69;
const USAGE: u8 = 2;
/// Of `--max-seconds`.
const TOO_LONG: u8 = 75;

/// Rows of a failed audit that are printed.
const SHOWN: usize = 10;

/// The whole program.
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    let code = cli.run().unwrap_or_else(|error| {
        eprintln!("fightdna-sql: {error:#}");
        exit_code(&error)
    });
    ExitCode::from(code)
}

impl Cli {
    fn run(self) -> anyhow::Result<u8> {
        let Self { global, command } = self;
        if let Some(folder) = &global.catalog_data {
            use_catalog_folder(folder)?;
        }
        if let Command::Models { sport, shuffle, before } = &command {
            return global.run_models(sport, RowSelection { is_shuffled: *shuffle, before: *before });
        }
        if let Command::Query { bounds, .. } = &command {
            bounds.apply_to_process()?;
        }
        // Read before the lake is: standard input may be wrong, too.
        let sql = match &command {
            Command::Query { sql: Some(sql), .. } => sql.clone(),
            Command::Query { sql: None, .. } => read_query()?,
            Command::Tables | Command::Audit | Command::Models { .. } => String::new(),
        };
        let warehouse = global.open_warehouse()?;
        match command {
            Command::Query { bounds, .. } => {
                global.print_rows(&warehouse.query_first(&sql, bounds.max_rows)?)
            }
            Command::Tables => global.print_rows(&warehouse.list_tables()?),
            Command::Audit => global.run_audits(&warehouse),
            Command::Models { .. } => Ok(USAGE),
        }
    }
}

fn write_table(out: &mut impl Write, table: &Table, rows: Option<&mut TableRows<'_>>) -> anyhow::Result<()> {
    const WRITE: &str = "cannot write the tables";
    let head = serde_json::json!({"table": table.name, "is_unchanged": rows.is_none()});
    writeln!(out, "{head}").context(WRITE)?;
    let Some(rows) = rows else { return Ok(()) };
    let Some(first) = rows.next().transpose()? else { return Ok(()) };
    let mut writer = StreamWriter::try_new(out, first.schema_ref()).context(WRITE)?;
    writer.write(&first).context(WRITE)?;
    for rows in rows {
        writer.write(&rows?).context(WRITE)?;
    }
    writer.finish().context(WRITE)
}

/// Ends this process when whoever started it is gone: nobody would read the tables.
fn end_with_standard_input() {
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        std::process::exit(UNAVAILABLE.into());
    });
}

fn read_query() -> anyhow::Result<String> {
    let mut sql = String::new();
    std::io::stdin().lock().read_to_string(&mut sql).context("cannot read the query from standard input")?;
    Ok(sql)
}

impl GlobalOptions {
    fn open_warehouse(&self) -> Result<Warehouse, WarehouseError> {
        let what = match (&self.snapshot, &self.stage) {
            (Some(id), _) => TableSelection::Snapshot(id.clone()),
            (None, Some((stage, fingerprint))) => TableSelection::Stage(stage.clone(), fingerprint.clone()),
            (None, None) => TableSelection::Current,
        };
        Warehouse::open(&Lake::open(&self.lake), &what, &self.engine_limits())
    }

    fn engine_limits(&self) -> EngineLimits {
        EngineLimits { memory: self.memory.clone(), threads: self.threads }
    }

    /// Runs the models of a sport: for each table a line of JSON with its name, then an Arrow stream unless it is the same as in the
    /// earlier output; last a line of what the next run needs to know.
    fn run_models(&self, sport: &str, selection: RowSelection) -> anyhow::Result<u8> {
        let mut request = String::new();
        std::io::stdin().lock().read_line(&mut request).context("cannot read the request")?;
        let request: ModelsRequest = serde_json::from_str(&request).map_err(WarehouseError::Request)?;
        end_with_standard_input();
        let mut out = BufWriter::new(std::io::stdout().lock());
        let lake = Lake::open(&self.lake);
        let state = run_models(&lake, sport, &request, selection, &self.engine_limits(), |table, rows| {
            write_table(&mut out, table, rows)
        })?;
        writeln!(out, "{}", serde_json::json!({"state": state})).context("cannot write the tables")?;
        out.flush().context("cannot write the tables")?;
        Ok(0)
    }

    fn print_rows(&self, rows: &Rows) -> anyhow::Result<u8> {
        print_text(&rows.to_text(self.format.into()).map_err(WarehouseError::from)?)
    }

    fn run_audits(&self, warehouse: &Warehouse) -> anyhow::Result<u8> {
        let findings = warehouse.run_audits()?;
        print_text(&match self.format {
            FormatArg::Table => describe_findings(&findings)?,
            FormatArg::Csv => summary_csv(&findings),
            FormatArg::Json => summary_json(&findings)?,
        })?;
        let is_clean = findings.iter().all(|finding| finding.rows.row_count() == 0);
        Ok(if is_clean { 0 } else { BAD_DATA })
    }
}

/// A line for each audit, and the first rows of each that failed.
fn describe_findings(findings: &[Finding]) -> Result<String, WarehouseError> {
    let mut lines = Vec::new();
    for Finding { audit, rows } in findings {
        if rows.row_count() == 0 {
            lines.push(format!("ok      {}", audit.name));
            continue;
        }
        lines.push(format!("FAILED  {}: {} rows", audit.name, rows.row_count()));
        lines.push(format!("        {}", audit.meaning()));
        lines.push(rows.first_rows(SHOWN).to_text(Format::Table)?.trim_end().to_owned());
    }
    let failed = findings.iter().filter(|finding| finding.rows.row_count() > 0).count();
    lines.push(format!("\n{} audits, {failed} failed\n", findings.len()));
    Ok(lines.join("\n"))
}

fn summary_csv(findings: &[Finding]) -> String {
    let lines =
        findings.iter().map(|finding| format!("{},{}\n", finding.audit.name, finding.rows.row_count()));
    std::iter::once("audit,rows\n".to_owned()).chain(lines).collect()
}

/// With every row of what failed.
fn summary_json(findings: &[Finding]) -> anyhow::Result<String> {
    let one = |Finding { audit, rows }: &Finding| {
        let rows = rows.to_json().map_err(WarehouseError::from)?;
        Ok(serde_json::json!({"audit": audit.name, "meaning": audit.meaning(), "rows": rows}))
    };
    let all = findings.iter().map(one).collect::<Result<Vec<_>, WarehouseError>>()?;
    Ok(serde_json::to_string_pretty(&all)? + "\n")
}

/// Standard output closed by the reader (`| head`) is no failure.
fn print_text(text: &str) -> anyhow::Result<u8> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(0),
        written => written.context("cannot print the result").map(|()| 0),
    }
}

fn exit_code(error: &anyhow::Error) -> u8 {
    let of_cause = |cause: &(dyn std::error::Error + 'static)| {
        let lake = cause.downcast_ref::<LakeError>().map(of_lake);
        let files = || cause.downcast_ref::<CatalogFilesError>().map(of_files);
        lake.or_else(files).or_else(|| match cause.downcast_ref::<WarehouseError>()? {
            WarehouseError::NoSnapshot { .. } | WarehouseError::Locate { .. } => Some(UNAVAILABLE),
            WarehouseError::Query(_) | WarehouseError::NoOutput { .. } | WarehouseError::SetUp(_) => {
                Some(USAGE)
            }
            WarehouseError::View { .. }
            | WarehouseError::Audit { .. }
            | WarehouseError::Model { .. }
            | WarehouseError::Value { .. }
            | WarehouseError::NoRow { .. }
            | WarehouseError::Key { .. }
            | WarehouseError::Rows { .. } => Some(BAD_DATA),
            _ => None,
        })
    };
    error.chain().find_map(of_cause).unwrap_or(1)
}

fn of_files(error: &CatalogFilesError) -> u8 {
    match error {
        CatalogFilesError::Unreadable { .. } => UNAVAILABLE,
        CatalogFilesError::Unusable { .. } => BAD_DATA,
        CatalogFilesError::InUse(_) => 1,
    }
}

fn of_lake(error: &LakeError) -> u8 {
    match error {
        LakeError::Read { .. } | LakeError::List { .. } | LakeError::Gone { .. } => UNAVAILABLE,
        LakeError::NoSnapshot { .. } => USAGE,
        _ => BAD_DATA,
    }
}
