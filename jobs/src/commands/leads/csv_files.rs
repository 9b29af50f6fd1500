//! `fightdna leads import` and `leads export --format csv`.

use std::collections::{BTreeSet, HashMap};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fdna_leads::lead::StoredLead;
use fdna_leads::lead_csv::{
    CsvError, CsvRecord, LeadCsvReader, REFUSED_COLUMNS, guard_cell, header_line, lead_line,
};
use fdna_leads::store::erasure::Contact;
use fdna_leads::store::events::Action;
use fdna_leads::store::imports::{ImportOutcome, ImportRecord, ImportRules};
use fdna_leads::store::{Author, LeadStore};
use fdna_run::exit::{ExitCode, error_with_code};
use serde_json::{Value, json};
use uuid::Uuid;

use super::fields::FieldArgs;
use super::store::unavailable_store;
use super::{EXPORTED_AT_ONCE, note_export};
use crate::commands::serving;
use crate::output::CommandReport;

/// Records of a transaction.
const IMPORTED_AT_ONCE: usize = 200;

#[derive(clap::Args)]
pub(super) struct ImportArgs {
    /// CSV in UTF-8, with a header: name, email, phone, status, source, metadata.KEY. An export is such a file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Account that the leads are of, as `fightdna keys list` has it.
    #[arg(long, value_name = "NAME")]
    account: String,
    /// A name of this import: a line that was imported under it makes nothing a second time.
    #[arg(long, value_name = "NAME")]
    batch: Option<String>,
    /// Pass over a line whose email or telephone number a lead of the account has. Without, it is made and the others are told.
    #[arg(long)]
    skip_duplicates: bool,
    /// Tell what would be done, and do nothing. Lines are compared with the store and with 200 of the file at a time.
    #[arg(long)]
    dry_run: bool,
    /// Where refused lines are written, with line and reason; without, beside FILE, with `.refused.csv` behind its name.
    #[arg(long, value_name = "FILE")]
    refused: Option<PathBuf>,
    #[command(flatten)]
    rules: FieldArgs,
}

/// What became of the lines of a file.
#[derive(Default)]
struct ImportResult {
    made: usize,
    known: usize,
    skipped: usize,
    refused: usize,
    /// Of each line that was not just made.
    text: String,
    lines: Vec<Value>,
}

impl ImportResult {
    fn tell(&mut self, file: &Path, line: u64, what: &str, ids: &[Uuid]) {
        let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
        let of = if ids.is_empty() { String::new() } else { format!(" {}", ids.join(" ")) };
        self.text += &format!("{}:{line}: {what}{of}\n", file.display());
        self.lines.push(json!({"line": line, "result": what, "lead_ids": ids}));
    }
}

/// Writes refused lines to a file, which is made with the first.
struct RefusedLines {
    path: PathBuf,
    header: Vec<String>,
    writer: Option<csv::Writer<File>>,
    is_written: bool,
}

impl RefusedLines {
    fn write_line(&mut self, record: &CsvRecord, reason: &str) -> anyhow::Result<()> {
        if !self.is_written {
            return Ok(());
        }
        let failed = || format!("cannot write {}", self.path.display());
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => {
                // It has what the store has.
                let mut options = OpenOptions::new();
                options.write(true).create(true).truncate(true).mode(0o600);
                let file = options.open(&self.path).with_context(failed)?;
                let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(file);
                writer.write_record(&self.header).with_context(failed)?;
                none.insert(writer)
            }
        };
        let line = record.line.to_string();
        let own = [line.as_bytes(), reason.as_bytes()];
        let cells =
            own.into_iter().map(<[u8]>::to_vec).chain(record.cells.iter().map(|cell| guard_cell(cell)));
        writer.write_record(cells).with_context(failed)
    }

    /// Whether there are any.
    fn finish(self) -> anyhow::Result<bool> {
        let Some(mut writer) = self.writer else { return Ok(false) };
        writer.flush().with_context(|| format!("cannot write {}", self.path.display()))?;
        Ok(true)
    }
}

impl ImportArgs {
    /// Makes leads of the lines of the file.
    pub(super) async fn import_file(&self, store: &LeadStore) -> anyhow::Result<CommandReport> {
        let place = self.file.display();
        let file = File::open(&self.file).map_err(|error| {
            error_with_code(ExitCode::Usage, format!("leads: cannot open {place}: {error}"))
        })?;
        let unusable = |error: CsvError| {
            let error = anyhow::Error::new(error);
            error_with_code(ExitCode::BadData, format!("leads: {place}: {error:#}"))
        };
        let mut reader = LeadCsvReader::open(file, self.rules.field_rules()?).map_err(unusable)?;
        let header = REFUSED_COLUMNS.into_iter().chain(reader.columns()).map(str::to_owned).collect();
        let mut beside = self.file.clone().into_os_string();
        beside.push(".refused.csv");
        let path = self.refused.clone().unwrap_or_else(|| beside.into());
        let mut refused = RefusedLines { path, header, writer: None, is_written: !self.dry_run };
        let mut result = ImportResult::default();
        let mut gathered = Vec::with_capacity(IMPORTED_AT_ONCE);
        loop {
            // Lines before one that cannot be read are made all the same.
            let next = reader.next_record();
            if let Ok(Some(record)) = next {
                gathered.push(record);
                if gathered.len() < IMPORTED_AT_ONCE {
                    continue;
                }
                self.import_lines(store, std::mem::take(&mut gathered), &mut refused, &mut result).await?;
                continue;
            }
            self.import_lines(store, std::mem::take(&mut gathered), &mut refused, &mut result).await?;
            next.map_err(unusable)?;
            break;
        }
        if !self.dry_run {
            let made = i64::try_from(result.made).unwrap_or(i64::MAX);
            let noted = store.note_command(Action::Imported, made, self.author()).await;
            noted.map_err(unavailable_store)?;
        }
        let refused_path = refused.path.clone();
        let has_refused = refused.finish()?;
        Ok(self.report(result, has_refused.then_some(refused_path)))
    }

    fn author(&self) -> Author {
        Author::by_operator("import", serving::now()).for_account(&self.account)
    }

    async fn import_lines(
        &self,
        store: &LeadStore,
        gathered: Vec<CsvRecord>,
        refused: &mut RefusedLines,
        result: &mut ImportResult,
    ) -> anyhow::Result<()> {
        let records: Vec<ImportRecord> =
            gathered.iter().filter_map(|record| record.read.as_ref().ok().cloned()).collect();
        let rules = ImportRules {
            batch: self.batch.clone(),
            skips_duplicates: self.skip_duplicates,
            is_trial: self.dry_run,
        };
        let outcomes = store.import_leads(records, rules, self.author()).await.map_err(unavailable_store)?;
        let mut outcomes = outcomes.into_iter();
        for record in gathered {
            let mut refuse = |reason: &str, result: &mut ImportResult| {
                result.refused += 1;
                result.tell(&self.file, record.line, &format!("refused: {reason}"), &[]);
                refused.write_line(&record, reason)
            };
            if let Err(reason) = &record.read {
                refuse(reason, result)?;
                continue;
            }
            match outcomes.next().context("a line has no result")? {
                ImportOutcome::Made(_, duplicates) => {
                    result.made += 1;
                    if !duplicates.is_empty() {
                        result.tell(&self.file, record.line, "made, beside", &duplicates);
                    }
                }
                ImportOutcome::Skipped(duplicates) => {
                    result.skipped += 1;
                    result.tell(&self.file, record.line, "passed over, duplicate of", &duplicates);
                }
                ImportOutcome::Known(_) => result.known += 1,
                ImportOutcome::Erased => {
                    result.known += 1;
                    result.tell(&self.file, record.line, "imported before, and erased since", &[]);
                }
                ImportOutcome::Other => {
                    let reason = "this batch had another line in its place: give the file another --batch";
                    refuse(reason, result)?;
                }
            }
        }
        Ok(())
    }

    fn report(&self, result: ImportResult, refused_path: Option<PathBuf>) -> CommandReport {
        let ImportResult { made, known, skipped, refused, mut text, lines } = result;
        let would = if self.dry_run { "would be " } else { "" };
        text += &format!(
            "{made} leads {would}made for {}; {known} lines imported before, {skipped} passed over as duplicates, {refused} refused\n",
            self.account
        );
        if let Some(path) = &refused_path {
            text += &format!("refused lines are in {}\n", path.display());
        }
        let json = json!({
            "made": made, "known": known, "skipped": skipped, "refused": refused, "dry_run": self.dry_run,
            "refused_file": refused_path.map(|path| path.display().to_string()), "lines": lines
        });
        let code = if refused > 0 { ExitCode::BadData } else { ExitCode::Done };
        CommandReport::new(text, &json, code)
    }
}

/// Prints leads as CSV, in two passes: the first finds the columns of metadata.
pub(super) async fn export_csv(
    store: &LeadStore,
    whose: Option<&Contact>,
    by: &Author,
) -> anyhow::Result<ExitCode> {
    let mut keys = BTreeSet::new();
    for_each_part(store, whose, async |leads, _| {
        keys.extend(leads.iter().flat_map(|lead| lead.metadata.keys().cloned()));
        Ok(true)
    })
    .await?;
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header_line(&keys)).context("cannot write the header")?;
    let mut lines = writer.into_inner().context("cannot write the header")?;
    let printed = for_each_part(store, whose, async |leads, accounts| {
        note_export(store, leads.len(), by).await?;
        let mut writer = csv::Writer::from_writer(std::mem::take(&mut lines));
        for lead in leads {
            let account = accounts.get(&lead.lead.id).and_then(Option::as_deref);
            let line = lead_line(lead, account, &keys)
                .context("leads: metadata has changed meanwhile: export once more")?;
            writer.write_record(line).context("cannot write a lead")?;
        }
        print_bytes(&writer.into_inner().context("cannot write a lead")?)
    });
    // The header of an empty list.
    if printed.await? && !lines.is_empty() {
        print_bytes(&lines)?;
    }
    Ok(ExitCode::Done)
}

/// False where the reader has enough.
fn print_bytes(bytes: &[u8]) -> anyhow::Result<bool> {
    match std::io::stdout().lock().write_all(bytes) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(false),
        written => written.context("cannot print the leads").map(|()| true),
    }
}

/// Accounts of leads.
pub(super) type LeadAccounts = HashMap<Uuid, Option<String>>;

/// All leads of a contact in parts, as long as the work says so.
pub(super) async fn for_each_part(
    store: &LeadStore,
    whose: Option<&Contact>,
    mut work: impl AsyncFnMut(&[StoredLead], &LeadAccounts) -> anyhow::Result<bool>,
) -> anyhow::Result<bool> {
    let mut after = None;
    loop {
        let mut leads = store.export_leads(after, EXPORTED_AT_ONCE).await.map_err(unavailable_store)?;
        let (Some(first), Some(last)) = (leads.first(), leads.last()) else { return Ok(true) };
        after = Some(last.lead.id);
        let accounts = store.accounts_between(first.lead.id, last.lead.id);
        let accounts = accounts.await.map_err(unavailable_store)?;
        leads.retain(|lead| whose.is_none_or(|whose| whose.is_of(&lead.lead)));
        if !leads.is_empty() && !work(&leads, &accounts).await? {
            return Ok(false);
        }
    }
}
