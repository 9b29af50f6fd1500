//! Where accounts, keys and what they used are kept: one trait, one text of SQL, two databases.
//!
//! The gateway asks a store for portions of windows, never for single requests; see [`crate::counter`].
//!
//! ```text
//! records      what is kept and asked          accounts   keys, accounts, what was done to them
//! connection   one, made anew when it breaks   usage      portions, and what was used
//! migrations   the tables, version by version
//! ```

mod accounts;
mod connection;
mod migrations;
mod records;
mod usage;

use std::os::unix::fs::OpenOptionsExt as _;

use chrono::{DateTime, NaiveDate, Utc};
use fdna_api::Plan;

use crate::counter::Grant;
use crate::plan::Custom;
use crate::window::{Span, Window};
use connection::{Connection, Database, Durability, Kind};

pub use records::{
    Account, Actor, Ask, DayUsage, Key, KeyAction, NewKey, Register, Settlement, Subject, Usage,
};

/// Why a store could not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("open the key store `{place}`")]
    Open { place: String, source: BoxError },
    #[error("{doing} in the key store")]
    Ask { doing: &'static str, source: BoxError },
    #[error("use the key store: it is of version {found}, and this program knows up to {known}")]
    Version { found: usize, known: usize },
    #[error(
        "bring the tables of the key store from version {found} to {known}: whoever owns the database \
         can, with `fightdna keys migrate`"
    )]
    Migrate { found: usize, known: usize, source: BoxError },
}

/// Any error of a database.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A store of accounts, keys and usage. Calls block. Every error says that the database could not be asked, and that
/// nothing was done as far as anyone can tell.
pub trait Store: Send {
    /// Changes with every change of accounts and keys.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn generation(&mut self) -> Result<i64, StoreError>;

    /// All accounts and keys, revoked ones too.
    ///
    /// # Errors
    /// The database cannot be asked, or holds what no version of this program wrote.
    fn register(&mut self) -> Result<Register, StoreError>;

    /// Reserves portions, in the order of the asks, all in one commit that is durable when this returns if any of
    /// them is of a month.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn reserve(&mut self, asks: &[Ask]) -> Result<Vec<Grant>, StoreError>;

    /// Writes down what was used, and takes back what was not; does nothing where it did so before.
    ///
    /// # Errors
    /// The database cannot be asked. It may have been done: the same settlement can be sent again.
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
        by: &Actor,
    ) -> Result<Account, StoreError>;

    /// Puts an account on another plan, with these numbers of its own.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn change_plan(
        &mut self,
        account_id: i64,
        plan: Plan,
        custom: Custom,
        by: &Actor,
    ) -> Result<(), StoreError>;

    /// Keeps a key, and lets another end, in one commit.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn add_key(
        &mut self,
        key: &NewKey,
        ends: Option<(i64, DateTime<Utc>)>,
        by: &Actor,
    ) -> Result<Key, StoreError>;

    /// Revokes a key. The first revocation stands.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn revoke_key(&mut self, key_id: i64, by: &Actor) -> Result<(), StoreError>;

    /// Suspends a key or all keys of an account, or ends that. False where it is so already.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn suspend(&mut self, subject: Subject, suspended: bool, by: &Actor) -> Result<bool, StoreError>;

    /// What was done to keys and accounts, the oldest first.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn actions(&mut self) -> Result<Vec<KeyAction>, StoreError>;

    /// What an account used in a month.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn usage(&mut self, account_id: i64, month: Window) -> Result<Usage, StoreError>;

    /// Requests by day of UTC, key and operation, from one day to another, both included. What version 1 of the
    /// tables counted is of no day, and not here.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn usage_by_day(&mut self, from: NaiveDate, to: NaiveDate) -> Result<Vec<DayUsage>, StoreError>;

    /// When keys were last used, to the second or two; keys that never were are missing.
    ///
    /// # Errors
    /// The database cannot be asked.
    fn last_used(&mut self) -> Result<Vec<(i64, DateTime<Utc>)>, StoreError>;
}

/// Opens the store at an address: `postgres://…`, or the path of a SQLite file, which is made if it is not there. Its
/// tables are brought to this program's version.
///
/// # Errors
/// It cannot be opened, is of a later version of this program, or its tables cannot be changed.
pub fn open(address: &str) -> Result<Box<dyn Store>, StoreError> {
    let mut database = if address.starts_with("postgres://") || address.starts_with("postgresql://") {
        Database::open(Kind::Postgres, address, &without_password(address))?
    } else {
        let path = address.strip_prefix("sqlite:").unwrap_or(address);
        // For its owner alone, as a database makes no file.
        let made = std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path);
        made.map_err(|source| StoreError::Open { place: path.to_owned(), source: source.into() })?;
        Database::open(Kind::Sqlite, &sqlite_url(path), path)?
    };
    migrations::migrate(&mut database)?;
    Ok(Box::new(SqlStore { database }))
}

/// Every byte of the path that a URL could read in another way is written out.
fn sqlite_url(path: &str) -> String {
    let written = |byte: u8| match byte {
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    path.bytes().map(written).fold("sqlite:".to_owned(), |url, byte| url + &byte)
}

/// A server's address as it may be printed: parameters may hold a password too.
fn without_password(address: &str) -> String {
    let place = address.split(['?', '#']).next().unwrap_or_default();
    match (place.split_once("://"), place.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => place.to_owned(),
    }
}

/// A store in a database.
#[derive(Debug)]
struct SqlStore {
    database: Database,
}

impl SqlStore {
    fn read<T>(
        &mut self,
        doing: &'static str,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, BoxError>,
    ) -> Result<T, StoreError> {
        self.database.read(work).map_err(|source| StoreError::Ask { doing, source })
    }

    /// All of it or nothing.
    fn write<T>(
        &mut self,
        doing: &'static str,
        durability: Durability,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, BoxError>,
    ) -> Result<T, StoreError> {
        self.database.transaction(durability, work).map_err(|source| StoreError::Ask { doing, source })
    }
}

impl Store for SqlStore {
    fn generation(&mut self) -> Result<i64, StoreError> {
        self.read("read what has changed", async |c| accounts::generation(c).await)
    }

    fn register(&mut self) -> Result<Register, StoreError> {
        self.read("read accounts and keys", async |c| accounts::register(c).await)
    }

    fn reserve(&mut self, asks: &[Ask]) -> Result<Vec<Grant>, StoreError> {
        let is_month = |ask: &Ask| ask.wanted.window.span == Span::Month;
        let durability = if asks.iter().any(is_month) { Durability::Now } else { Durability::Soon };
        let ordered = usage::ordered(asks);
        let statements: String = ordered.iter().map(|(_, ask)| usage::reserve(ask)).collect();
        let rows = self.database.batch(durability, &statements);
        let grants = rows.and_then(|rows| usage::grants(&ordered, &rows));
        grants.map_err(|source| StoreError::Ask { doing: "reserve", source })
    }

    fn settle(&mut self, settlement: &Settlement) -> Result<(), StoreError> {
        self.write("settle", Durability::Soon, async |c| usage::settle(c, settlement).await)
    }

    fn open_account(
        &mut self,
        name: &str,
        plan: Plan,
        custom: Custom,
        by: &Actor,
    ) -> Result<Account, StoreError> {
        let work = async |c: &mut Connection| accounts::open_account(c, name, plan, custom, by).await;
        self.write("open an account", Durability::Now, work)
    }

    fn change_plan(
        &mut self,
        account_id: i64,
        plan: Plan,
        custom: Custom,
        by: &Actor,
    ) -> Result<(), StoreError> {
        let work = async |c: &mut Connection| accounts::change_plan(c, account_id, plan, custom, by).await;
        self.write("change a plan", Durability::Now, work)
    }

    fn add_key(
        &mut self,
        key: &NewKey,
        ends: Option<(i64, DateTime<Utc>)>,
        by: &Actor,
    ) -> Result<Key, StoreError> {
        self.write("keep a key", Durability::Now, async |c| accounts::add_key(c, key, ends, by).await)
    }

    fn revoke_key(&mut self, key_id: i64, by: &Actor) -> Result<(), StoreError> {
        self.write("revoke a key", Durability::Now, async |c| accounts::revoke_key(c, key_id, by).await)
    }

    fn suspend(&mut self, subject: Subject, suspended: bool, by: &Actor) -> Result<bool, StoreError> {
        let work = async |c: &mut Connection| accounts::suspend(c, subject, suspended, by).await;
        self.write("suspend or resume", Durability::Now, work)
    }

    fn actions(&mut self) -> Result<Vec<KeyAction>, StoreError> {
        self.read("read the log of key actions", async |c| accounts::actions(c).await)
    }

    fn usage(&mut self, account_id: i64, month: Window) -> Result<Usage, StoreError> {
        self.read("read usage", async |c| usage::usage(c, account_id, month).await)
    }

    fn usage_by_day(&mut self, from: NaiveDate, to: NaiveDate) -> Result<Vec<DayUsage>, StoreError> {
        self.read("read usage by day", async |c| usage::by_day(c, from, to).await)
    }

    fn last_used(&mut self) -> Result<Vec<(i64, DateTime<Utc>)>, StoreError> {
        self.read("read when keys were used", async |c| usage::last_used(c).await)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_place_in_an_error_holds_a_password() {
        for address in [
            "postgres://user:hidden@host:5432/db?sslmode=require&password=hidden",
            "postgresql://user:hid%40den@host/db?sslpassword=hidden",
            "postgres://host/db?password=hidden@x",
        ] {
            assert!(!without_password(address).contains("hid"), "{address}");
        }
    }

    #[test]
    fn a_path_is_opened_as_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a b?mode=ro#c.db", "100%20.db", "ü&+.db", "..db"] {
            let path = folder.path().join(name);
            drop(open(path.to_str().unwrap()).unwrap());
            let mut store = open(path.to_str().unwrap()).unwrap();
            assert_eq!(store.generation().unwrap(), 0, "{name}");
            assert!(std::fs::metadata(&path).unwrap().len() > 0, "{name}");
        }
        assert!(std::fs::read_dir(folder.path()).unwrap().count() >= 4);
    }
}
