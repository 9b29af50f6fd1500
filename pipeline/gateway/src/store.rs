//! Stores accounts, keys and usage: one trait, one set of SQL statements, two databases.
//!
//! The gateway reserves parts of windows in the store, never single requests.
//!
//! ```text
//! records      the stored records              accounts         accounts, keys, and their audit log
//! connection   reconnects when it breaks       usage            reservations and usage
//! migrations   versions of the tables          webhooks         endpoints of webhooks and their dead letters
//! webhook_rows their rows                      webhook_leases   what gateways write of webhooks
//! ```

mod accounts;
mod connection;
mod migrations;
mod records;
mod usage;
mod webhook_leases;
mod webhook_rows;
mod webhooks;

use chrono::{DateTime, NaiveDate, Utc};
use fdna_api::Plan;

use crate::database::{
    Durability, FaultCause, OpenError, OpenMode, OpenedStore, fault_of, find_damage, find_missing,
    find_store, migrate_tables, open_store,
};
use crate::plan::CustomLimits;
use crate::window::{Window, WindowKind};
use connection::{Connection, Database};
use migrations::TABLES;

pub use crate::database::BoxError;
pub use crate::rate_limiter::{Grant, Refund, ReservationRequest, UsageCount, UsageKey};
pub use records::{
    Account, Actor, DayUsage, Key, KeyAction, KeyRegistry, NewKey, Reservation, Subject, Usage, UsageFlush,
};
pub use webhooks::{EndpointChange, WebhookStore, open_webhook_store};

/// Why a call of a store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("cannot {operation} in the key store{}", fault_of(source).advice())]
    Query { operation: &'static str, source: BoxError },
}

impl StoreError {
    /// The cause of the error that somebody can act on.
    #[must_use]
    pub fn fault(&self) -> FaultCause {
        match self {
            Self::Open(error) => error.fault(),
            Self::Query { source, .. } => fault_of(source),
        }
    }
}

/// A store of accounts, keys and usage. Calls block. A call that returns an error has changed nothing, unless it says
/// otherwise.
pub trait Store: Send {
    /// A number that changes with every change of accounts and keys.
    ///
    /// # Errors
    /// The database failed.
    fn generation(&mut self) -> Result<i64, StoreError>;

    /// All accounts and keys, revoked ones too.
    ///
    /// # Errors
    /// The database failed, or contains what no version of this program wrote.
    fn key_registry(&mut self) -> Result<KeyRegistry, StoreError>;

    /// Makes reservations in one commit, which is durable when this returns if any of them is of a month. The grants are
    /// in the order of the reservations.
    ///
    /// # Errors
    /// The database failed.
    fn reserve_quota(&mut self, reservations: &[Reservation]) -> Result<Vec<Grant>, StoreError>;

    /// Writes usage and refunds; does nothing if the flush was applied before.
    ///
    /// # Errors
    /// The database failed. The flush may have been applied, and can be sent again.
    fn flush_usage(&mut self, flush: &UsageFlush) -> Result<(), StoreError>;

    /// Opens an account; an existing one is not changed.
    ///
    /// # Errors
    /// The database failed.
    fn open_account(
        &mut self,
        name: &str,
        plan: Plan,
        custom: CustomLimits,
        by: &Actor,
    ) -> Result<Account, StoreError>;

    /// Moves an account to another plan, with these limits of its own.
    ///
    /// # Errors
    /// The database failed.
    fn change_plan(
        &mut self,
        account_id: i64,
        plan: Plan,
        custom: CustomLimits,
        by: &Actor,
    ) -> Result<(), StoreError>;

    /// Adds a key and sets the expiry of another, in one commit.
    ///
    /// # Errors
    /// The database failed.
    fn add_key(
        &mut self,
        key: &NewKey,
        ends: Option<(i64, DateTime<Utc>)>,
        by: &Actor,
    ) -> Result<Key, StoreError>;

    /// Revokes a key. A second revocation does not change the first.
    ///
    /// # Errors
    /// The database failed.
    fn revoke_key(&mut self, key_id: i64, by: &Actor) -> Result<(), StoreError>;

    /// Suspends or resumes a key or all keys of an account. False if nothing changed.
    ///
    /// # Errors
    /// The database failed.
    fn set_suspended(&mut self, subject: Subject, suspended: bool, by: &Actor) -> Result<bool, StoreError>;

    /// The audit log of keys and accounts, the oldest entry first.
    ///
    /// # Errors
    /// The database failed.
    fn list_actions(&mut self) -> Result<Vec<KeyAction>, StoreError>;

    /// The usage of an account in a month.
    ///
    /// # Errors
    /// The database failed.
    fn account_usage(&mut self, account_id: i64, month: Window) -> Result<Usage, StoreError>;

    /// Bytes of table files that accounts were sent in a month; accounts without any are missing.
    ///
    /// # Errors
    /// The database failed.
    fn downloads_of_month(&mut self, month: Window) -> Result<Vec<(i64, u64)>, StoreError>;

    /// Requests by UTC day, key and operation, from one day to another, both included. Version 1 of the tables did not
    /// count by day: its usage is missing.
    ///
    /// # Errors
    /// The database failed.
    fn usage_by_day(&mut self, from: NaiveDate, to: NaiveDate) -> Result<Vec<DayUsage>, StoreError>;

    /// When keys were last used, to the second or two; unused keys are missing.
    ///
    /// # Errors
    /// The database failed.
    fn last_used(&mut self) -> Result<Vec<(i64, DateTime<Utc>)>, StoreError>;
}

/// Opens the store at an address: `postgres://…`, or the path of a SQLite file, which is made if there is none.
/// Its tables are migrated to this program's version.
///
/// # Errors
/// It cannot be opened, is of a later version of this program, or its tables cannot be changed.
pub fn open_key_store(address: &str) -> Result<Box<dyn Store>, StoreError> {
    let database = Database::open_database(open_store(address, &TABLES, OpenMode::Make))?;
    Ok(Box::new(SqlStore { database }))
}

/// The same, but that no store is made.
///
/// # Errors
/// There is none; else as [`open_key_store`].
pub fn open_existing(address: &str) -> Result<Box<dyn Store>, StoreError> {
    let database = Database::open_database(open_store(address, &TABLES, OpenMode::Existing))?;
    Ok(Box::new(SqlStore { database }))
}

/// Problems of a store, a line each: the database itself, its tables, and rows that cannot be read.
///
/// # Errors
/// There is no store, it is of a later version of this program, or its tables cannot be brought to this one's.
pub fn verify_store(address: &str) -> Result<Vec<String>, StoreError> {
    let mut problems = Vec::new();
    let database = Database::open_database(async {
        let mut opened = find_store(address, &TABLES, OpenMode::Existing).await?;
        let found = find_damage(&mut opened.connection).await;
        problems = found.unwrap_or_else(|error| vec![format!("damage cannot be looked for: {error}")]);
        if problems.is_empty() {
            migrate_tables(&mut opened, &TABLES).await?;
            let missing = find_missing(&mut opened.connection, &TABLES).await;
            problems = missing.unwrap_or_else(|error| vec![format!("the tables cannot be read: {error}")]);
        }
        Ok::<OpenedStore, OpenError>(opened)
    });
    let mut store = match database {
        Ok(database) => SqlStore { database },
        Err(error) if error.fault() == FaultCause::Damaged => return Ok(vec![describe_error(&error)]),
        Err(error) => return Err(error.into()),
    };
    let parts = [
        store.key_registry().map(drop),
        store.list_actions().map(drop),
        store.usage_by_day(NaiveDate::default(), NaiveDate::MAX).map(drop),
        store.last_used().map(drop),
        store.list_endpoints().map(drop),
        store.dead_letters(None).map(drop),
    ];
    problems.extend(parts.iter().filter_map(|part| part.as_ref().err()).map(|error| describe_error(error)));
    Ok(problems)
}

/// An error and its causes in a line.
#[must_use]
pub fn describe_error(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// A store in a database.
#[derive(Debug)]
struct SqlStore {
    database: Database,
}

impl SqlStore {
    fn read_statements<T>(
        &mut self,
        operation: &'static str,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, BoxError>,
    ) -> Result<T, StoreError> {
        self.database.run_statements(work).map_err(|source| StoreError::Query { operation, source })
    }

    /// In one transaction.
    fn write_transaction<T>(
        &mut self,
        operation: &'static str,
        durability: Durability,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, BoxError>,
    ) -> Result<T, StoreError> {
        self.database
            .run_transaction(durability, work)
            .map_err(|source| StoreError::Query { operation, source })
    }
}

impl Store for SqlStore {
    fn generation(&mut self) -> Result<i64, StoreError> {
        self.read_statements("read what has changed", async |c| accounts::read_generation(c).await)
    }

    fn key_registry(&mut self) -> Result<KeyRegistry, StoreError> {
        self.read_statements("read accounts and keys", async |c| accounts::key_registry(c).await)
    }

    fn reserve_quota(&mut self, reservations: &[Reservation]) -> Result<Vec<Grant>, StoreError> {
        let is_month = |reservation: &Reservation| reservation.request.window.kind == WindowKind::Month;
        let durability = if reservations.iter().any(is_month) { Durability::Now } else { Durability::Soon };
        let ordered = usage::order_reservations(reservations);
        let statements: String =
            ordered.iter().map(|(_, reservation)| usage::reserve_statement(reservation)).collect();
        let rows = self.database.run_batch(durability, &statements);
        let grants = rows.and_then(|rows| usage::parse_grants(&ordered, &rows));
        grants.map_err(|source| StoreError::Query { operation: "reserve", source })
    }

    fn flush_usage(&mut self, flush: &UsageFlush) -> Result<(), StoreError> {
        self.write_transaction("write down usage", Durability::Soon, async |c| {
            usage::flush_usage(c, flush).await
        })
    }

    fn open_account(
        &mut self,
        name: &str,
        plan: Plan,
        custom: CustomLimits,
        by: &Actor,
    ) -> Result<Account, StoreError> {
        let work = async |c: &mut Connection| accounts::open_account(c, name, plan, custom, by).await;
        self.write_transaction("open an account", Durability::Now, work)
    }

    fn change_plan(
        &mut self,
        account_id: i64,
        plan: Plan,
        custom: CustomLimits,
        by: &Actor,
    ) -> Result<(), StoreError> {
        let work = async |c: &mut Connection| accounts::change_plan(c, account_id, plan, custom, by).await;
        self.write_transaction("change a plan", Durability::Now, work)
    }

    fn add_key(
        &mut self,
        key: &NewKey,
        ends: Option<(i64, DateTime<Utc>)>,
        by: &Actor,
    ) -> Result<Key, StoreError> {
        self.write_transaction("add a key", Durability::Now, async |c| {
            accounts::add_key(c, key, ends, by).await
        })
    }

    fn revoke_key(&mut self, key_id: i64, by: &Actor) -> Result<(), StoreError> {
        self.write_transaction("revoke a key", Durability::Now, async |c| {
            accounts::revoke_key(c, key_id, by).await
        })
    }

    fn set_suspended(&mut self, subject: Subject, suspended: bool, by: &Actor) -> Result<bool, StoreError> {
        let work = async |c: &mut Connection| accounts::set_suspended(c, subject, suspended, by).await;
        self.write_transaction("suspend or resume", Durability::Now, work)
    }

    fn list_actions(&mut self) -> Result<Vec<KeyAction>, StoreError> {
        self.read_statements("read the log of key actions", async |c| accounts::list_actions(c).await)
    }

    fn account_usage(&mut self, account_id: i64, month: Window) -> Result<Usage, StoreError> {
        self.read_statements("read usage", async |c| usage::read_usage(c, account_id, month).await)
    }

    fn downloads_of_month(&mut self, month: Window) -> Result<Vec<(i64, u64)>, StoreError> {
        self.read_statements("read downloads", async |c| usage::downloads_of_month(c, month).await)
    }

    fn usage_by_day(&mut self, from: NaiveDate, to: NaiveDate) -> Result<Vec<DayUsage>, StoreError> {
        self.read_statements("read usage by day", async |c| usage::by_day(c, from, to).await)
    }

    fn last_used(&mut self) -> Result<Vec<(i64, DateTime<Utc>)>, StoreError> {
        self.read_statements("read when keys were used", async |c| usage::last_used(c).await)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_opened_as_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a b?mode=ro#c.db", "100%20.db", "ü&+.db", "..db"] {
            let path = folder.path().join(name);
            drop(open_key_store(path.to_str().unwrap()).unwrap());
            let mut store = open_key_store(path.to_str().unwrap()).unwrap();
            assert_eq!(store.generation().unwrap(), 0, "{name}");
            assert!(std::fs::metadata(&path).unwrap().len() > 0, "{name}");
        }
        assert!(std::fs::read_dir(folder.path()).unwrap().count() >= 4);
    }
}
