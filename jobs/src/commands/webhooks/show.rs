//! Reports of the commands about webhooks, as text and as JSON. Only adding and rotating print a secret.

use std::fmt::Write as _;

use chrono::{DateTime, SecondsFormat, Utc};
use fdna_gateway::store::KeyRegistry;
use fdna_gateway::webhooks::{DeadLetter, DeliveryAttempt, WebhookEndpoint, WebhookMessage, WebhookSecret};
use fdna_run::exit::ExitCode;
use serde_json::{Value, json};

use crate::output::CommandReport;

pub(super) fn added_report(
    account: &str,
    endpoint: &WebhookEndpoint,
    secret: &WebhookSecret,
) -> CommandReport {
    let secret = secret.reveal();
    let (id, product) = (endpoint.id, endpoint.product.name());
    let text = format!(
        "{secret}\nwebhook {id} of {account}, changes of {product}: the secret is shown this once\n\
         `fightdna webhooks test {id}` sends it a message\n"
    );
    let mut json = show_endpoint(account, endpoint);
    json["secret"] = json!(secret);
    CommandReport::done(text, &json)
}

pub(super) fn rotated_report(id: i64, secret: &WebhookSecret, until: DateTime<Utc>) -> CommandReport {
    let (secret, until) = (secret.reveal(), format_time(until));
    let text = format!(
        "{secret}\nthe secret of webhook {id} is shown this once; the old one signs, too, until {until}\n"
    );
    CommandReport::done(text, &json!({"id": id, "secret": secret, "previous_secret_until": until}))
}

pub(super) fn changed_report(id: i64, state: &str, note: &str) -> CommandReport {
    let text = format!("webhook {id} is {state}: {note}\n");
    CommandReport::done(text, &json!({"id": id, "state": state}))
}

pub(super) fn replayed_report(id: i64, from: Option<&str>) -> CommandReport {
    let text = match from {
        Some(from) => format!("webhook {id} is sent everything behind {from}, with the ids of before\n"),
        None => format!("webhook {id} is sent what is published from now on\n"),
    };
    CommandReport::done(text, &json!({"id": id, "from": from}))
}

pub(super) fn tested_report(id: i64, message: &WebhookMessage, attempt: &DeliveryAttempt) -> CommandReport {
    let (result, code) = match attempt {
        DeliveryAttempt::Delivered(status) => (format!("HTTP {}", status.as_u16()), ExitCode::Done),
        DeliveryAttempt::Gone => ("HTTP 410".to_owned(), ExitCode::Unavailable),
        DeliveryAttempt::Failed { reason, .. } => (reason.clone(), ExitCode::Unavailable),
    };
    let is_delivered = code == ExitCode::Done;
    let state = if is_delivered { "took" } else { "did not take" };
    let text = format!("webhook {id} {state} the message {}: {result}\n", message.id);
    let json = json!({"id": id, "message_id": message.id, "delivered": is_delivered, "result": result});
    CommandReport::new(text, &json, code)
}

pub(super) fn list_report(
    registry: &KeyRegistry,
    endpoints: &[WebhookEndpoint],
    account: Option<&str>,
) -> CommandReport {
    let (mut text, mut rows) = (String::new(), Vec::new());
    for endpoint in endpoints {
        let owner = registry.accounts.iter().find(|of| of.id == endpoint.account_id);
        let name = owner.map_or("", |owner| owner.name.as_str());
        if account.is_some_and(|account| account != name) {
            continue;
        }
        let product = endpoint.sport.as_deref().unwrap_or(endpoint.product.name());
        let result = endpoint.disabled_reason.as_deref().or(endpoint.last_result.as_deref());
        let line = format!(
            "{:>4}  {:<9}  {product:<7}  {:>8} delivered  {} dead  {name}  {}  {}",
            endpoint.id,
            endpoint.state(),
            endpoint.delivered,
            endpoint.dead_letters,
            endpoint.url,
            result.unwrap_or("nothing sent yet")
        );
        let _ = writeln!(text, "{line}");
        rows.push(show_endpoint(name, endpoint));
    }
    CommandReport::done(text, &Value::Array(rows))
}

pub(super) fn dead_letters_report(letters: &[DeadLetter]) -> CommandReport {
    let (mut text, mut rows) = (String::new(), Vec::new());
    for DeadLetter { endpoint_id, message, reason, attempts, first_attempt_at, at, .. } in letters {
        let (first, last) = (format_time(*first_attempt_at), format_time(*at));
        let _ = writeln!(text, "{last}  webhook {endpoint_id}  {}  {attempts} tries  {reason}", message.id);
        rows.push(json!({"endpoint_id": endpoint_id, "message_id": message.id, "type": message.kind,
            "attempts": attempts, "reason": reason, "first_attempt_at": first, "at": last, "body": message.body}));
    }
    CommandReport::done(text, &Value::Array(rows))
}

fn show_endpoint(account: &str, endpoint: &WebhookEndpoint) -> Value {
    let failing = endpoint.failing.as_ref().map(|failing| {
        json!({"message_id": failing.message_id, "attempts": failing.attempts,
            "first_attempt_at": format_time(failing.first_attempt_at),
            "next_attempt_at": failing.next_attempt_at.map(format_time)})
    });
    json!({"id": endpoint.id, "account": account, "product": endpoint.product.name(), "sport": endpoint.sport,
        "url": endpoint.url, "state": endpoint.state(), "created_at": format_time(endpoint.created_at),
        "previous_secret_until": endpoint.previous_secret_until.map(format_time),
        "disabled_at": endpoint.disabled_at.map(format_time), "disabled_reason": endpoint.disabled_reason,
        "last_event_id": endpoint.last_event_id, "failing": failing, "delivered": endpoint.delivered,
        "last_delivered_at": endpoint.last_delivered_at.map(format_time),
        "last_attempt_at": endpoint.last_attempt_at.map(format_time), "last_result": endpoint.last_result,
        "dead_letters": endpoint.dead_letters, "dropped_dead_letters": endpoint.dropped_dead_letters})
}

fn format_time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
