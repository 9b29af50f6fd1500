//! The records of a store, and the arguments of its calls.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use fdna_api::Plan;

use crate::key::{Environment, KeyDigest, Secret};
use crate::plan::CustomLimits;
use crate::rate_limiter::{Refund, ReservationRequest, UsageCount, UsageKey};
use crate::scope::KeyScopes;

/// A customer. Limits and usage belong to the account, not to its keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: i64,
    pub name: String,
    pub plan: Plan,
    pub custom: CustomLimits,
    pub created_at: DateTime<Utc>,
    /// None of its keys is valid while it is set.
    pub suspended_at: Option<DateTime<Utc>>,
}

/// A stored key, without the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub id: i64,
    pub account_id: i64,
    pub digest: KeyDigest,
    /// The first characters of the key, for people.
    pub shown: String,
    /// The name that its owner or the operator gave it.
    pub label: Option<String>,
    /// Scopes of a key of leads; keys of other products have none.
    pub scopes: KeyScopes,
    pub environment: Environment,
    pub created_at: DateTime<Utc>,
    /// It is not valid from then on.
    pub expires_at: Option<DateTime<Utc>>,
    pub suspended_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
}

/// A key to be stored.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub account_id: i64,
    pub digest: KeyDigest,
    pub shown: String,
    pub label: Option<String>,
    pub scopes: KeyScopes,
    pub environment: Environment,
    pub expires_at: Option<DateTime<Utc>>,
}

impl NewKey {
    /// A key without a label and with all scopes, valid until it is revoked.
    #[must_use]
    pub fn of_account(account_id: i64, environment: Environment, secret: &Secret) -> Self {
        let (digest, shown) = (secret.digest(), secret.shown_prefix());
        let (label, scopes, expires_at) = Default::default();
        Self { account_id, digest, shown, label, scopes, environment, expires_at }
    }
}

/// All accounts and keys.
#[derive(Debug, Clone, Default)]
pub struct KeyRegistry {
    /// Increases with every change of accounts and keys.
    pub generation: i64,
    pub accounts: Vec<Account>,
    pub keys: Vec<Key>,
}

/// Author and time of a change of keys or accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub name: String,
    pub at: DateTime<Utc>,
}

/// An account or a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Account(i64),
    Key(i64),
}

/// An audit entry: written in the commit of the change, and never modified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyAction {
    pub at: DateTime<Utc>,
    pub by: String,
    /// `open`, `plan`, `issue`, `rotate`, `revoke`, `suspend` or `resume`.
    pub action: String,
    pub account_id: i64,
    /// `None` for a change of the account.
    pub key_id: Option<i64>,
    pub detail: Option<String>,
}

/// A reservation for an account.
#[derive(Debug, Clone, Copy)]
pub struct Reservation {
    pub account_id: i64,
    pub request: ReservationRequest,
}

/// Usage and refunds of one gateway since its last flush.
#[derive(Debug, Clone)]
pub struct UsageFlush {
    /// A unique id of the gateway process.
    pub gateway: String,
    /// Increases with each flush of a gateway. A flush is applied once, so that it can be sent again when it is unknown
    /// whether it was applied.
    pub number: i64,
    pub at: DateTime<Utc>,
    /// By account.
    pub refunds: Vec<(i64, Refund)>,
    pub usage: BTreeMap<UsageKey, UsageCount>,
    /// Minutes that ended earlier are deleted.
    pub delete_minutes_before: Option<DateTime<Utc>>,
}

/// The usage of an account in a month.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// Counted requests by key, as of the gateways' last flush, one a second.
    pub requests: Vec<(i64, u64)>,
    /// Reserved by gateways, used or not: compared with the limit.
    pub reserved: u64,
    /// Bytes of table files.
    pub bytes: u64,
}

/// Requests of a key for an operation on a day of UTC, and the bytes of files that were sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayUsage {
    pub day: NaiveDate,
    pub key_id: i64,
    pub operation: String,
    pub requests: i64,
    pub bytes: i64,
}
