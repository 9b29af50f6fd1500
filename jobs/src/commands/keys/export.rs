//! Usage by day, key and operation, for whoever writes the bills.

use std::collections::HashMap;

use anyhow::Context as _;
use chrono::NaiveDate;
use fdna_gateway::store::{Account, DayUsage, Key, Store};
use fdna_run::exit::{ExitCode, error_with_code};
use serde::Serialize;

use super::args::ExportFormat;
use crate::commands::key_store::unavailable_store;
use crate::output::CommandReport;

/// Characters that begin a formula in a spreadsheet.
pub(super) const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A line of it. Days without requests have none.
#[derive(Serialize)]
struct UsageRow<'a> {
    day: NaiveDate,
    account: &'a str,
    plan: &'static str,
    key_id: i64,
    /// The key's beginning.
    key: &'a str,
    label: Option<&'a str>,
    operation: &'a str,
    requests: i64,
    /// Of table files.
    bytes: i64,
}

pub(super) fn export_usage(
    store: &mut dyn Store,
    from: NaiveDate,
    to: NaiveDate,
    format: ExportFormat,
) -> anyhow::Result<CommandReport> {
    if to < from {
        return Err(error_with_code(ExitCode::Usage, format!("keys: --to {to} is before --from {from}")));
    }
    let registry = store.key_registry().map_err(unavailable_store)?;
    let days = store.usage_by_day(from, to).map_err(unavailable_store)?;
    let accounts: HashMap<i64, &Account> = registry.accounts.iter().map(|of| (of.id, of)).collect();
    let keys: HashMap<i64, &Key> = registry.keys.iter().map(|key| (key.id, key)).collect();
    let rows: Option<Vec<UsageRow<'_>>> = days.iter().map(|day| usage_row(day, &keys, &accounts)).collect();
    let rows = rows.context("no key for a line of usage")?;
    let json = serde_json::to_value(&rows)?;
    let text = match format {
        ExportFormat::Csv => to_csv(&rows)?,
        ExportFormat::Json => serde_json::to_string_pretty(&rows)? + "\n",
    };
    Ok(CommandReport::done(text, &json))
}

fn usage_row<'a>(
    day: &'a DayUsage,
    keys: &HashMap<i64, &'a Key>,
    accounts: &HashMap<i64, &'a Account>,
) -> Option<UsageRow<'a>> {
    let key = keys.get(&day.key_id)?;
    let account = accounts.get(&key.account_id)?;
    Some(UsageRow {
        day: day.day,
        account: &account.name,
        plan: account.plan.name(),
        key_id: key.id,
        key: &key.shown,
        label: key.label.as_deref(),
        operation: &day.operation,
        requests: day.requests,
        bytes: day.bytes,
    })
}

fn to_csv(rows: &[UsageRow<'_>]) -> anyhow::Result<String> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    // By hand, so that an export without rows has them too.
    let names = ["day", "account", "plan", "key_id", "key", "label", "operation", "requests", "bytes"];
    writer.write_record(names)?;
    // Names that were given before they were looked at.
    let text = |given: &str| if given.starts_with(FORMULA) { format!("'{given}") } else { given.to_owned() };
    for row in rows {
        let (account, label) = (text(row.account), row.label.map(text));
        writer.serialize(UsageRow { account: &account, label: label.as_deref(), ..*row })?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
