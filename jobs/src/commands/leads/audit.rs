//! `fightdna leads audit`: who did what, and when.

use chrono::{DateTime, SecondsFormat, Utc};
use fdna_leads::store::LeadStore;
use fdna_leads::store::events::{EventQuery, LeadEvent};
use fdna_run::exit::ExitCode;
use serde_json::json;
use uuid::Uuid;

use super::store::unavailable_store;
use crate::output::print_text;

/// Entries that are read at a time.
const READ_AT_ONCE: u32 = 1000;

#[derive(clap::Args)]
pub(super) struct AuditArgs {
    /// Of this lead alone.
    #[arg(long, value_name = "ID")]
    lead: Option<Uuid>,
    /// From this time on, such as 2026-11-24T10:00:00Z.
    #[arg(long, value_name = "TIME")]
    since: Option<DateTime<Utc>>,
    /// Of leads of this account alone.
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
}

impl AuditArgs {
    /// Prints entries, a line each, the oldest first.
    pub(super) async fn print_audit(&self, store: &LeadStore, is_json: bool) -> anyhow::Result<ExitCode> {
        let mut query = EventQuery {
            lead: self.lead,
            account: self.account.clone(),
            since: self.since,
            after: 0,
            limit: READ_AT_ONCE,
        };
        loop {
            let events = store.list_events(&query).await.map_err(unavailable_store)?;
            let Some(last) = events.last() else { return Ok(ExitCode::Done) };
            query.after = last.row;
            let line = if is_json { json_line } else { text_line };
            print_text(events.iter().map(line).collect())?;
        }
    }
}

fn time_text(event: &LeadEvent) -> String {
    event.at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

fn json_line(event: &LeadEvent) -> String {
    let record = json!({
        "at": time_text(event), "action": event.action.name(), "account": event.account, "key_id": event.key_id,
        "command": event.command, "lead_id": event.lead.map(|id| id.to_string()), "leads": event.leads,
        "request_id": event.request_id
    });
    record.to_string() + "\n"
}

fn text_line(event: &LeadEvent) -> String {
    let by = match (event.key_id, &event.command) {
        (Some(key), _) => format!("key {key}"),
        (None, Some(command)) => format!("leads {command}"),
        (None, None) => "-".to_owned(),
    };
    let what = event.lead.map_or_else(|| format!("{} leads", event.leads), |lead| lead.to_string());
    let (account, request) =
        (event.account.as_deref().unwrap_or("-"), event.request_id.as_deref().unwrap_or("-"));
    format!("{}  {:<8}  {account}  {by}  {what}  {request}\n", time_text(event), event.action.name())
}
