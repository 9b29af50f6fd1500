//! `fightdna catalog check`: what must hold of the lake's tables, asked again.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use arrow::array::{Date32Array, RecordBatch};
use arrow::compute::kernels::cmp::lt_eq;
use arrow::compute::{cast, filter_record_batch};
use arrow::datatypes::Date32Type;
use chrono::NaiveDate;
use fdna_lake::Lake;
use fdna_run::audits::run_audits;
use fdna_run::captures::lake_view::LakeView;
use fdna_run::catalog::models::{TableRows, run_models};
use fdna_run::catalog::sports::{SportInputs, sport_inputs};
use fdna_run::current_snapshot::NoCurrentSnapshot;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::product::Product;
use fdna_schemas::{Table, Tables, batches_to_one};
use serde_json::{Value, json};

use crate::output::CommandReport;

/// Result of a check: in words, as fields, and whether it holds.
pub(super) struct CheckedTables {
    pub(super) text: String,
    pub(super) json: Value,
    pub(super) code: ExitCode,
}

impl CheckedTables {
    /// With another check, whose fields get this name.
    pub(super) fn add_check(&mut self, name: &str, more: Self) {
        self.text += &more.text;
        self.json[name] = more.json;
        if more.code != ExitCode::Done {
            self.code = more.code;
        }
    }

    pub(super) fn into_report(self) -> CommandReport {
        CommandReport::new(self.text, &self.json, self.code)
    }
}

/// Audits the tables of the current snapshot.
pub(super) fn audit_tables(lake: &Lake) -> anyhow::Result<CheckedTables> {
    let current = lake.current_snapshot()?.ok_or_else(|| NoCurrentSnapshot::new(lake, Product::Catalog))?;
    let (mut text, mut code) = (String::new(), ExitCode::Done);
    let audits = run_audits(lake.root(), &current)?;
    for (name, rows) in &audits {
        match rows.as_str() {
            "0" => writeln!(text, "{name}: holds")?,
            rows => {
                code = ExitCode::BadData;
                writeln!(text, "{name}: {rows} rows against it; `fightdna audit` prints them")?;
            }
        }
    }
    let audits =
        audits.into_iter().map(|(name, rows)| json!({"audit": name, "rows": rows.parse::<u64>().ok()}));
    Ok(CheckedTables { text, json: audits.collect(), code })
}

/// The sports of the lake, or the one that is asked for.
///
/// # Errors
/// The lake cannot be read, or has no facts of the sport.
pub(super) fn requested_sports(
    lake: &LakeView,
    licences: &BTreeSet<String>,
    asked: Option<&str>,
) -> anyhow::Result<Vec<SportInputs>> {
    let mut sports = sport_inputs(lake, licences)?;
    sports.retain(|sport| asked.is_none_or(|asked| sport.sport == asked));
    if sports.is_empty() {
        let of_sport = asked.map_or_else(String::new, |sport| format!(" of {sport}"));
        let why = format!("catalog: find facts{of_sport} in {}: there are none", lake.root().display());
        return Err(error_with_code(ExitCode::Unavailable, why));
    }
    Ok(sports)
}

/// Runs the models of these sports again, with four threads that meet the facts in another order than they come, and
/// compares what they write with the tables in the lake.
///
/// # Errors
/// A model fails, a table is not the same, or the lake has not the tables that its facts make.
pub(super) fn check_determinism(lake: &LakeView, sports: &[SportInputs]) -> anyhow::Result<CheckedTables> {
    let again = ["--threads", "4", "--shuffle"];
    let check = "the same with other threads, and facts in another order";
    run_again(lake, sports.iter(), &again, check, |_, stored| Ok(Some(stored)))
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
) -> anyhow::Result<CheckedTables> {
    let day_text = day.to_string();
    let check = format!("what holds as of {day} comes of no later fact");
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
    run_again(lake, sports.iter().filter(has_dated), &["--before", &day_text], &check, until)
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
) -> anyhow::Result<CheckedTables> {
    let (mut text, mut sports_told, mut differ) = (String::new(), Vec::new(), Vec::new());
    for sport in sports {
        let Some(output) = lake.find_stage(&sport.stage(), &sport.fingerprint)? else {
            let why = format!(
                "catalog: {} has facts without tables: `fightdna catalog run` makes them",
                sport.sport
            );
            return Err(error_with_code(ExitCode::Unavailable, why));
        };
        let (mut count, mut row_count, mut stored_count) = (0, 0, 0);
        run_models(lake, sport, None, options, |table, made| {
            let stored = lake.read_stage_table(&output, table)?;
            let stored_rows = stored.num_rows();
            // A fact may count from a later day than its own, so that rows of later days are made of earlier facts.
            let Some(made) = expected(table, collect_rows(table, made)?)? else { return Ok(()) };
            let Some(expected) = expected(table, stored)? else { return Ok(()) };
            count += 1;
            row_count += expected.num_rows();
            stored_count += stored_rows;
            let columns = differing_columns(&expected, &made);
            if !columns.is_empty() {
                differ.push(format!("{table} ({})", columns.join(", ")));
            }
            Ok(())
        })?;
        writeln!(text, "{}: {count} tables, {row_count} of {stored_count} rows: {told}", sport.sport)?;
        let of_sport =
            json!({"sport": sport.sport, "tables": count, "rows": row_count, "stored_rows": stored_count});
        sports_told.push(of_sport);
    }
    if !differ.is_empty() {
        let why =
            format!("catalog: these tables and columns are others, against `{told}`: {}", differ.join("; "));
        return Err(error_with_code(ExitCode::BadData, why));
    }
    Ok(CheckedTables { text, json: json!({"sports": sports_told}), code: ExitCode::Done })
}

/// All rows of a table, with the types of its contract: some columns come as numbers for words.
fn collect_rows(table: &str, rows: &mut TableRows<'_>) -> anyhow::Result<RecordBatch> {
    let contract = Tables::get().table(table)?;
    let schema = contract.arrow_schema();
    let plain = |rows: anyhow::Result<RecordBatch>| {
        let rows = rows?;
        let columns = rows.columns().iter().zip(schema.fields());
        let columns = columns.map(|(column, field)| cast(column, field.data_type()));
        Ok(RecordBatch::try_new(schema.clone(), columns.collect::<Result<_, _>>()?)?)
    };
    let rows = rows.map(plain).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(batches_to_one(contract, &rows)?)
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
