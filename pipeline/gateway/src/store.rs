//! Where accounts, keys and what they used are kept: one trait, one text of SQL, two databases.
//!
//! The gateway asks a store for portions of windows, never for single requests; see [`crate::counter`].

mod database;
mod postgres;
mod sql;
mod sqlite;

use chrono::{DateTime, Utc};
use fdna_api::Plan;

use crate::counter::{Grant, Unused, Wanted};
use crate::key::{Environment, KeyDigest, Secret};
use crate::plan::Custom;
use crate::window::Window;

pub use postgres::Postgres;
pub use sql::SqlStore;
pub use sqlite::Sqlite;

/// Whose keys they are; limits and what was used belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: i64,
    pub name: String,
    pub plan: Plan,
    pub custom: Custom,
    pub created_at: DateTime<Utc>,
}

/// A key as it is kept: without the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub id: i64,
    pub account_id: i64,
    pub digest: KeyDigest,
    /// The key's beginning, for people.
    pub shown: String,
    pub environment: Environment,
    pub created_at: DateTime<Utc>,
    /// From then on it is not valid: it was rotated.
    pub expires_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
}

/// A key to be kept.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub account_id: i64,
    pub digest: KeyDigest,
    pub shown: String,
    pub environment: Environment,
}

impl NewKey {
    #[must_use]
    pub fn of(account_id: i64, environment: Environment, secret: &Secret) -> Self {
        Self { account_id, digest: secret.digest(), shown: secret.shown(), environment }
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

/// A portion that is wanted for an account.
#[derive(Debug, Clone, Copy)]
pub struct Ask {
    pub account_id: i64,
    pub wanted: Wanted,
}

/// What gateways used and did not use.
#[derive(Debug, Clone, Default)]
pub struct Settlement {
    /// Account, and what of a window it does not need.
    pub unused: Vec<(i64, Unused)>,
    /// Key, month, and requests that counted.
    pub used: Vec<(i64, Window, i64)>,
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

/// Why a store could not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("open the key store `{place}`")]
    Open { place: String, source: BoxError },
    #[error("{doing} in the key store")]
    Ask { doing: &'static str, source: BoxError },
    #[error("use the key store: it is of version {found}, and this program knows up to {known}")]
    Version { found: i64, known: i64 },
    #[error("read {what} in the key store: it holds what no version of this program wrote")]
    Strange { what: &'static str },
}

/// Any error of a database.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A store of accounts, keys and usage. Calls block.
pub trait Store: Send {
    /// Changes with every change of accounts and keys.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn generation(&mut self) -> Result<i64, StoreError>;

    /// All accounts and keys, revoked ones too.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn register(&mut self) -> Result<Register, StoreError>;

    /// Reserves portions, in the order of the asks, all in one commit that is durable when this returns if any of
    /// them is of a month.
    ///
    /// # Errors
    /// The database cannot be asked; nothing is reserved, as far as anyone can tell.
    fn reserve(&mut self, asks: &[Ask]) -> Result<Vec<Grant>, StoreError>;

    /// Writes down what was used, and takes back what was not.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn settle(&mut self, settlement: &Settlement) -> Result<(), StoreError>;

    /// Opens an account; one that is there stays as it is.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn open_account(
        &mut self,
        name: &str,
        plan: Plan,
        custom: Custom,
        now: DateTime<Utc>,
    ) -> Result<Account, StoreError>;

    /// Puts an account on another plan, with these numbers of its own.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn change_plan(&mut self, account_id: i64, plan: Plan, custom: Custom) -> Result<(), StoreError>;

    /// Keeps a key, and lets another end, in one commit.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn add_key(
        &mut self,
        key: &NewKey,
        now: DateTime<Utc>,
        ends: Option<(i64, DateTime<Utc>)>,
    ) -> Result<Key, StoreError>;

    /// Revokes a key. The first revocation stands.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn revoke_key(&mut self, key_id: i64, now: DateTime<Utc>) -> Result<(), StoreError>;

    /// What an account used in a month.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn usage(&mut self, account_id: i64, month: Window) -> Result<Usage, StoreError>;
}

/// Opens the store at an address: `postgres://…`, or the path of a SQLite file, which is made if it is not there.
///
/// # Errors
/// It cannot be opened, or is of a later version of this program.
pub fn open(address: &str) -> Result<Box<dyn Store>, StoreError> {
    if address.starts_with("postgres://") || address.starts_with("postgresql://") {
        return Ok(Box::new(SqlStore::new(Postgres::connect(address)?)?));
    }
    let path = address.strip_prefix("sqlite:").unwrap_or(address);
    Ok(Box::new(SqlStore::new(Sqlite::open(path.as_ref())?)?))
}
