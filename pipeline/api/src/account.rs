//! Limits and usage of an account, as the gateway answers them to the key that asks.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Plan, enums, formats};

/// Path at the gateway; the canonical host knows nothing of accounts.
pub const ACCOUNT_USAGE: &str = "/v1/account/usage";

/// Path at the gateway of the account's webhooks.
pub const ACCOUNT_WEBHOOKS: &str = "/v1/account/webhooks";

/// `data` of the account's usage.
#[derive(Debug, JsonSchema, Serialize)]
pub struct AccountUsage<'a> {
    pub account: &'a str,
    pub plan: Plan,
    pub key: AccountKey<'a>,
    /// This UTC minute.
    pub minute: WindowUsage,
    /// This UTC month.
    pub month: WindowUsage,
    /// Table files, this UTC month.
    pub downloads: DownloadUsage,
}

/// The key that asked.
#[derive(Debug, JsonSchema, Serialize)]
pub struct AccountKey<'a> {
    /// Its beginning: the rest is known to its holder alone.
    pub shown: &'a str,
    /// RFC 3339; null where it does not expire.
    #[schemars(with = "Option<formats::Instant>")]
    pub expires_at: Option<String>,
}

/// What is allowed and used of a window, by all keys of the account.
#[derive(Debug, JsonSchema, Serialize)]
pub struct WindowUsage {
    #[schemars(with = "enums::Window")]
    pub window: &'static str,
    pub limit: u64,
    /// Never less than was used: several gateways reserve portions before they use them.
    pub used: u64,
    /// As `X-RateLimit-Remaining` and `X-Quota-Remaining`.
    pub remaining: u64,
    /// RFC 3339: when the next window begins.
    #[schemars(with = "formats::Instant")]
    pub resets_at: String,
}

/// Bytes of table files that are allowed and were sent in a month, by all keys of the account.
#[derive(Debug, JsonSchema, Serialize)]
pub struct DownloadUsage {
    #[schemars(with = "enums::Window")]
    pub window: &'static str,
    /// Bytes; null where they are not limited.
    pub limit: Option<u64>,
    /// Bytes that were sent, up to a second or two ago.
    pub used: u64,
    /// Bytes; null where they are not limited.
    pub remaining: Option<u64>,
    /// RFC 3339: when the next month begins.
    #[schemars(with = "formats::Instant")]
    pub resets_at: String,
}

/// `data` of the account's webhooks.
#[derive(Debug, JsonSchema, Serialize)]
pub struct AccountWebhooks<'a> {
    pub account: &'a str,
    /// By id.
    pub endpoints: Vec<AccountWebhook>,
}

/// Where the account is sent changes, and how that goes. The secret is known to its holder alone.
#[derive(Debug, JsonSchema, Serialize)]
pub struct AccountWebhook {
    pub id: i64,
    pub url: String,
    /// Key of the sport, for an endpoint of the catalog; else null.
    pub sport: Option<String>,
    #[schemars(with = "enums::WebhookState")]
    pub state: &'static str,
    /// Why it is disabled; null where it is not.
    pub disabled_reason: Option<String>,
    /// The last event that was delivered, or that needed no delivery; null before the first.
    pub last_event_id: Option<String>,
    /// Messages that the receiver took.
    pub delivered: u64,
    /// RFC 3339; null before the first.
    #[schemars(with = "Option<formats::Instant>")]
    pub last_delivered_at: Option<String>,
    /// RFC 3339; null before the first try.
    #[schemars(with = "Option<formats::Instant>")]
    pub last_attempt_at: Option<String>,
    /// Of the last try: `HTTP 204`, or why it failed; null before the first.
    pub last_result: Option<String>,
    /// The message that failed and is tried again; null without one.
    pub failing: Option<FailingWebhookMessage>,
    /// Messages that were given up, and are kept for the operator.
    pub dead_letters: u64,
}

/// A message that a receiver did not take yet.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FailingWebhookMessage {
    /// As `webhook-id` has it.
    pub message_id: String,
    pub attempts: u32,
    /// RFC 3339; null where its endpoint is disabled.
    #[schemars(with = "Option<formats::Instant>")]
    pub next_attempt_at: Option<String>,
}
