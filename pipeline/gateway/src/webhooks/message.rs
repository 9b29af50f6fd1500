//! Messages: what a receiver is sent.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::value::RawValue;
use uuid::Uuid;

/// A message. Its id is that of the event, and the same at every try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookMessage {
    pub id: String,
    /// `mma.change`, `mma.reset`, the same of the catalog, `lead.created` and so on, or `ping`.
    pub kind: String,
    /// JSON: `type`, `timestamp` and `data`.
    pub body: String,
}

impl WebhookMessage {
    /// The message of an event of the stream; `None` if its data is no JSON.
    pub(crate) fn of_event(kind: String, id: String, data: &str, now: DateTime<Utc>) -> Option<Self> {
        let data: &RawValue = serde_json::from_str(data).ok()?;
        Some(Self::new(id, kind, data.get(), now))
    }

    /// A message by which an operator tries an endpoint.
    #[must_use]
    pub fn ping(endpoint_id: i64, now: DateTime<Utc>) -> Self {
        let id = format!("ping_{}", Uuid::new_v4().simple());
        Self::new(id, "ping".to_owned(), &format!("{{\"endpoint_id\":{endpoint_id}}}"), now)
    }

    /// `data` is JSON, and is sent as it is.
    fn new(id: String, kind: String, data: &str, now: DateTime<Utc>) -> Self {
        let timestamp = now.to_rfc3339_opts(SecondsFormat::Millis, true);
        let body = format!("{{\"type\":\"{kind}\",\"timestamp\":\"{timestamp}\",\"data\":{data}}}");
        Self { id, kind, body }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_sent_as_it_came() {
        let now = "2026-09-07T12:00:20.5Z".parse().unwrap();
        let of = |data| WebhookMessage::of_event("mma.change".to_owned(), "s:1".to_owned(), data, now);
        let message = of(r#"{"z":1.50,"a":"é"}"#).unwrap();
        let body =
            r#"{"type":"mma.change","timestamp":"2026-09-07T12:00:20.500Z","data":{"z":1.50,"a":"é"}}"#;
        assert_eq!(
            (message.id.as_str(), message.kind.as_str(), message.body.as_str()),
            ("s:1", "mma.change", body)
        );
        assert_eq!(of("{\"z\":"), None);
        assert_eq!(of(""), None);
    }
}
