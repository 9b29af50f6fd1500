//! Reports of the commands about keys, as text and as JSON. Only issuing a key prints its secret.

use std::collections::HashMap;
use std::fmt::Write as _;

use chrono::{DateTime, SecondsFormat, Utc};
use fdna_gateway::key::{KeyProduct, Secret};
use fdna_gateway::plan::Limits;
use fdna_gateway::store::{Account, Key, KeyAction, KeyRegistry, Subject, Usage};
use fdna_gateway::window::Window;
use serde_json::{Value, json};

use crate::output::CommandReport;

pub(crate) fn issued_report(
    account: &Account,
    key: &Key,
    secret: &Secret,
    old: Option<(&Key, DateTime<Utc>)>,
) -> CommandReport {
    let (secret, name, plan) = (secret.reveal(), &account.name, account.plan.name());
    let mut text =
        format!("{secret}\nkey {} of {name}, plan {plan}: the secret is shown this once\n", key.id);
    let mut json = json!({"key": secret, "id": key.id, "account": name, "plan": plan, "label": key.label,
        "environment": key.environment.name(), "created_at": format_time(key.created_at),
        "expires_at": key.expires_at.map(format_time)});
    if KeyProduct::of_key(&key.shown) == KeyProduct::Leads {
        let _ = writeln!(text, "it may {} leads", key.scopes.names().join(", "));
        json["scopes"] = json!(key.scopes.names());
    }
    if let Some(at) = key.expires_at {
        let _ = writeln!(text, "it is valid until {}", format_time(at));
    }
    if let Some((old, ends)) = old {
        let _ = writeln!(text, "key {} ({}…) stays valid until {}", old.id, old.shown, format_time(ends));
        json["replaces"] = json!({"id": old.id, "valid_until": format_time(ends)});
    }
    CommandReport::done(text, &json)
}

pub(crate) fn revoked_report(key: &Key) -> CommandReport {
    let text = format!("key {} ({}…) is revoked: gateways follow within a second\n", key.id, key.shown);
    CommandReport::done(text, &json!({"id": key.id, "shown": key.shown, "revoked": true}))
}

pub(crate) fn plan_report(account: &Account, limits: Limits) -> CommandReport {
    let (name, plan) = (&account.name, account.plan.name());
    let Limits { per_minute, per_month, download_bytes_per_month } = limits;
    let files = download_bytes_per_month.map(|bytes| format!(", {bytes} bytes of table files per month"));
    let files = files.unwrap_or_default();
    let text =
        format!("{name} is on {plan}: {per_minute} requests per minute, {per_month} per month{files}\n");
    let json = json!({"account": name, "plan": plan, "per_minute": per_minute, "per_month": per_month,
        "download_bytes_per_month": download_bytes_per_month});
    CommandReport::done(text, &json)
}

pub(crate) fn suspended_report(
    subject: Subject,
    name: &str,
    suspended: bool,
    is_changed: bool,
) -> CommandReport {
    let state = if suspended { "suspended" } else { "not suspended" };
    let text = match is_changed {
        true => format!("{name} is {state}: gateways follow within a second\n"),
        false => format!("{name} was {state} already\n"),
    };
    let json = match subject {
        Subject::Account(id) => json!({"account_id": id, "suspended": suspended, "changed": is_changed}),
        Subject::Key(id) => json!({"id": id, "suspended": suspended, "changed": is_changed}),
    };
    CommandReport::done(text, &json)
}

pub(crate) fn migrated_report() -> CommandReport {
    let text = "the tables of the key store are of this program's version\n".to_owned();
    CommandReport::done(text, &json!({"migrated": true}))
}

pub(crate) fn list_report(
    registry: &KeyRegistry,
    last_used: &HashMap<i64, DateTime<Utc>>,
    account: Option<&str>,
    now: DateTime<Utc>,
) -> CommandReport {
    let (mut text, mut rows) = (String::new(), Vec::new());
    for of in registry.accounts.iter().filter(|of| account.is_none_or(|name| of.name == name)) {
        for key in registry.keys.iter().filter(|key| key.account_id == of.id) {
            let (name, plan, state) = (&of.name, of.plan.name(), key_state(key, of, now));
            let used = last_used.get(&key.id).copied().map(format_time);
            let (shown, label) =
                (used.as_deref().unwrap_or("never used"), key.label.as_deref().unwrap_or(""));
            let scopes = (KeyProduct::of_key(&key.shown) == KeyProduct::Leads).then(|| key.scopes.names());
            let may = scopes.as_ref().map(|own| format!("  [{}]", own.join(","))).unwrap_or_default();
            let line = format!(
                "{:>4}  {}…  {plan:<10}  {state:<9}  {shown:<20}  {name}{may}  {label}",
                key.id, key.shown
            );
            let _ = writeln!(text, "{}", line.trim_end());
            rows.push(json!({"id": key.id, "shown": key.shown, "label": key.label,
                "environment": key.environment.name(), "account": name, "plan": plan, "state": state, "scopes": scopes,
                "created_at": format_time(key.created_at), "last_used_at": used,
                "expires_at": key.expires_at.map(format_time), "revoked_at": key.revoked_at.map(format_time),
                "suspended_at": key.suspended_at.or(of.suspended_at).map(format_time)}));
        }
    }
    CommandReport::done(text, &Value::Array(rows))
}

pub(crate) fn log_report(registry: &KeyRegistry, actions: &[KeyAction]) -> CommandReport {
    let (mut text, mut rows) = (String::new(), Vec::new());
    for KeyAction { at, by, action, account_id, key_id, detail } in actions {
        let account = registry.accounts.iter().find(|account| account.id == *account_id);
        let account = account.map_or("", |account| account.name.as_str());
        let key = key_id.map(|id| format!("  key {id}")).unwrap_or_default();
        let more = detail.as_ref().map(|detail| format!("  {detail}")).unwrap_or_default();
        let _ = writeln!(text, "{}  {by}  {action:<7}  {account}{key}{more}", format_time(*at));
        rows.push(json!({"at": format_time(*at), "by": by, "action": action, "account": account,
            "key_id": key_id, "detail": detail}));
    }
    CommandReport::done(text, &Value::Array(rows))
}

pub(crate) fn usage_report(
    account: &Account,
    limits: Limits,
    keys: &[Key],
    month: Window,
    usage: &Usage,
) -> CommandReport {
    let requests: u64 = usage.requests.iter().map(|(_, requests)| requests).sum();
    let (name, plan, reserved) = (&account.name, account.plan.name(), usage.reserved);
    let (month, limit) = (month.month_name(), limits.per_month);
    let mut text = format!(
        "{name}, plan {plan}, {month}: {requests} requests of {limit}; {reserved} are reserved by gateways\n"
    );
    if usage.bytes > 0 {
        let of = limits.download_bytes_per_month.map(|limit| format!(" of {limit}")).unwrap_or_default();
        let _ = writeln!(text, "  {}{of} bytes of table files", usage.bytes);
    }
    let mut by_key = Vec::new();
    for (id, requests) in &usage.requests {
        let shown = keys.iter().find(|key| key.id == *id).map_or("", |key| key.shown.as_str());
        let _ = writeln!(text, "  key {id} ({shown}…): {requests}");
        by_key.push(json!({"id": id, "shown": shown, "requests": requests}));
    }
    let json = json!({"account": name, "plan": plan, "month": month, "requests": requests, "limit": limit,
        "reserved": reserved, "download_bytes": usage.bytes,
        "download_bytes_limit": limits.download_bytes_per_month, "keys": by_key});
    CommandReport::done(text, &json)
}

fn key_state(key: &Key, account: &Account, now: DateTime<Utc>) -> &'static str {
    match (key.revoked_at, key.expires_at) {
        (Some(_), _) => "revoked",
        (None, Some(at)) if at <= now => "expired",
        _ if key.suspended_at.or(account.suspended_at).is_some() => "suspended",
        (None, Some(_)) => "expiring",
        (None, None) => "valid",
    }
}

fn format_time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
