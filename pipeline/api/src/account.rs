//! Limits and usage of an account, as the gateway answers them to the key that asks.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Plan, enums, formats};

/// Path at the gateway; the canonical host knows nothing of accounts.
pub const ACCOUNT_USAGE: &str = "/v1/account/usage";

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
