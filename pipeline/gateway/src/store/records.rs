//! What a store holds, and what is asked of it.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use fdna_api::Plan;

use crate::counter::{Tally, Unused, Wanted};
use crate::key::{Environment, KeyDigest, Secret};
use crate::plan::Custom;

/// Whose keys they are; limits and what was used belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: i64,
    pub name: String,
    pub plan: Plan,
    pub custom: Custom,
    pub created_at: DateTime<Utc>,
    /// While it is, none of its keys is valid.
    pub suspended_at: Option<DateTime<Utc>>,
}

/// A key as it is kept: without the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub id: i64,
    pub account_id: i64,
    pub digest: KeyDigest,
    /// The key's beginning, for people.
    pub shown: String,
    /// What its owner or the operator calls it.
    pub label: Option<String>,
    pub environment: Environment,
    pub created_at: DateTime<Utc>,
    /// From then on it is not valid.
    pub expires_at: Option<DateTime<Utc>>,
    pub suspended_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
}

/// A key to be kept.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub account_id: i64,
    pub digest: KeyDigest,
    pub shown: String,
    pub label: Option<String>,
    pub environment: Environment,
    pub expires_at: Option<DateTime<Utc>>,
}

impl NewKey {
    /// Without a label, valid until it is ended.
    #[must_use]
    pub fn of(account_id: i64, environment: Environment, secret: &Secret) -> Self {
        let (digest, shown) = (secret.digest(), secret.shown());
        Self { account_id, digest, shown, label: None, environment, expires_at: None }
    }
}

/// Everything that a gateway must know to tell who asks.
#[derive(Debug, Clone, Default)]
pub struct Register {
    /// Grows with every change of accounts and keys.
    pub generation: i64,
    pub accounts: Vec<Account>,
    pub keys: Vec<Key>,
}

/// Who changes keys or accounts, and when.
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

/// What was done to a key or an account, and by whom: written in the commit that did it, and never changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyAction {
    pub at: DateTime<Utc>,
    pub by: String,
    /// `open`, `plan`, `issue`, `rotate`, `revoke`, `suspend` or `resume`.
    pub action: String,
    pub account_id: i64,
    /// `None` where it was done to the account.
    pub key_id: Option<i64>,
    pub detail: Option<String>,
}

/// A portion that is wanted for an account.
#[derive(Debug, Clone, Copy)]
pub struct Ask {
    pub account_id: i64,
    pub wanted: Wanted,
}

/// What one gateway used and did not use since its last settlement.
#[derive(Debug, Clone)]
pub struct Settlement {
    /// Which gateway's it is: an id of the process.
    pub gateway: String,
    /// Grows with each settlement of a gateway. One that was applied is not applied again, so that it can be sent
    /// again where nobody knows whether it was.
    pub number: i64,
    pub at: DateTime<Utc>,
    /// Account, and what of a window it does not need.
    pub unused: Vec<(i64, Unused)>,
    /// Requests that counted.
    pub used: BTreeMap<Tally, i64>,
    /// Minutes that ended before are forgotten.
    pub forget_before: Option<DateTime<Utc>>,
}

/// What an account used in a month.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// Requests that counted, by key, as far as gateways have told; they tell every second.
    pub requests: Vec<(i64, u64)>,
    /// Reserved by gateways, used or not: what the limit is held against.
    pub reserved: u64,
}

/// Requests of a key for an operation on a day of UTC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayUsage {
    pub day: NaiveDate,
    pub key_id: i64,
    pub operation: String,
    pub requests: i64,
}
