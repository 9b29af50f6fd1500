//! Stores leads: one set of SQL statements, two databases. What is answered is durable.
//!
//! ```text
//! leads        reads, lists, makes, changes
//! erasure      erases for good: one lead, those of a person, those of a time
//! upkeep       wipes erased bytes, forgets requests, tries whether it can write
//! verify       what is wrong with a store
//! migrations   versions of the tables
//! ```

mod erasure;
mod leads;
mod upkeep;
mod verify;

pub use erasure::{Contact, OldLeads};

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use fdna_gateway::database::{BoxError, DatabaseAddress, DatabaseKind, Migrations, prepare};
use sqlx::any::AnyPoolOptions;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, Connection as _, Pool};
use uuid::Uuid;

use crate::lead::{Lead, PatchProblem, StoredLead};

const TABLES: Migrations = Migrations {
    meta: "lead_meta",
    texts: &[include_str!("store/migrations/1.sql"), include_str!("store/migrations/2.sql")],
};

/// Connections that read at a time.
const READERS: u32 = 4;

/// PostgreSQL has no single writer.
const POSTGRES_WRITERS: u32 = 8;

/// A connection that failed must have been closed within this time.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// What an erased lead's bytes are written over with, in SQLite's pages.
const SQLITE_ERASES: &str = "PRAGMA secure_delete = ON";

/// Why a call of the store failed. No text of it has a lead's data.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("open the store of leads `{place}`")]
    Open { place: String, source: BoxError },
    #[error("find the store of leads `{place}`: `fightdna leads serve` makes one")]
    Missing { place: String, source: BoxError },
    #[error("use the store of leads: it is of version {found}, and this program knows up to {known}")]
    Version { found: usize, known: usize },
    #[error("bring the tables of leads from version {found} to {known}")]
    Migrate { found: usize, known: usize, source: BoxError },
    #[error("{operation} in the store of leads: {reason}")]
    Query { operation: &'static str, reason: String },
}

impl StoreError {
    fn reason(self) -> String {
        match self {
            Self::Query { reason, .. } => reason,
            other => other.to_string(),
        }
    }
}

/// Who does something: a key, whose account's leads there are for it; or an operator, for whom there are all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    pub key_id: Option<i64>,
    pub account: Option<Arc<str>>,
    pub at: DateTime<Utc>,
}

impl Author {
    #[must_use]
    pub fn operator(at: DateTime<Utc>) -> Self {
        Self { key_id: None, account: None, at }
    }
}

/// A creation that may be sent again.
#[derive(Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    pub key_id: i64,
    /// SHA-256 of the `Idempotency-Key`.
    pub digest: [u8; 32],
    /// SHA-256 of the body.
    pub request: [u8; 32],
    /// Requests before this time are forgotten.
    pub forget_before: DateTime<Utc>,
}

/// What a creation came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Creation {
    Created(StoredLead),
    /// What the same request made before, as it was then.
    Repeated(StoredLead),
    /// The `Idempotency-Key` had another body.
    OtherBody,
    /// What it made was erased.
    Erased,
}

/// What a change came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Changed(StoredLead),
    /// There is no such lead.
    Unknown,
    /// The lead is of another version, which this is.
    OtherVersion(i64),
    Refused(PatchProblem),
}

/// What an erasure came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Erasure {
    /// It is erased, now or before.
    Erased,
    Unknown,
    OtherVersion(i64),
}

/// Which leads a list has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeadQuery {
    /// Of this account alone.
    pub account: Option<Arc<str>>,
    pub status: Option<String>,
    pub source: Option<String>,
    pub limit: u32,
    pub offset: u32,
}

/// A part of a list, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadPage {
    pub leads: Vec<Lead>,
    /// In the whole list, as of the same state.
    pub total: i64,
}

/// A move between statuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusMove {
    /// `None` for the first.
    pub from: Option<String>,
    pub to: String,
    pub at: DateTime<Utc>,
    pub key_id: Option<i64>,
}

/// Leads in a database. Clones share its connections.
#[derive(Debug, Clone)]
pub struct LeadStore {
    kind: DatabaseKind,
    /// In SQLite one connection, so that writers wait here rather than for its lock.
    writers: Pool<Any>,
    readers: Pool<Any>,
    /// One connection, which waits for nobody for long.
    wiper: Pool<Any>,
    state: Arc<StoreState>,
}

/// What clones know together.
#[derive(Debug, Default)]
struct StoreState {
    /// When a write last was durable; `None` once one has failed.
    written: Mutex<Option<Instant>>,
    wipes: upkeep::Wipes,
}

impl LeadStore {
    /// Opens the store at an address: `postgres://…`, or the path of a SQLite file, which is created if it does not
    /// exist. Its tables are brought to this program's version.
    ///
    /// # Errors
    /// It cannot be opened, is of a later version of this program, or its tables cannot be changed.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        let located = DatabaseAddress::locate(address);
        let address = located.map_err(|(place, source)| StoreError::Open { place, source })?;
        let (store, mut connection) = Self::connect(&address).await?;
        migrate(&mut connection, address.kind).await?;
        Ok(store)
    }

    /// The same, but that no store is made.
    ///
    /// # Errors
    /// There is none; else as [`Self::open`].
    pub async fn open_existing(address: &str) -> Result<Self, StoreError> {
        let (store, mut connection) = Self::connect_existing(address).await?;
        migrate(&mut connection, store.kind).await?;
        Ok(store)
    }

    async fn connect_existing(address: &str) -> Result<(Self, PoolConnection<Any>), StoreError> {
        let located = DatabaseAddress::existing(address);
        let address = located.map_err(|(place, source)| StoreError::Missing { place, source })?;
        let (store, mut connection) = Self::connect(&address).await?;
        let found = TABLES.version(&mut connection).await;
        match found.map_err(|error| query("read the version", &error))? {
            0 => {
                Err(StoreError::Missing { place: address.place, source: "it has none of its tables".into() })
            }
            _ => Ok((store, connection)),
        }
    }

    async fn connect(address: &DatabaseAddress) -> Result<(Self, PoolConnection<Any>), StoreError> {
        sqlx::any::install_default_drivers();
        let failed =
            |error: sqlx::Error| StoreError::Open { place: address.place.clone(), source: error.into() };
        let kind = address.kind;
        let pool = |size, settings: &'static str| {
            let options = AnyPoolOptions::new().max_connections(size).after_connect(move |connection, _| {
                Box::pin(async move {
                    prepare(connection, kind).await?;
                    if kind == DatabaseKind::Sqlite {
                        sqlx::raw_sql(settings).execute(connection).await?;
                    }
                    Ok(())
                })
            });
            options.acquire_timeout(Duration::from_secs(5)).connect_lazy(&address.url).map_err(failed)
        };
        let writing = if kind == DatabaseKind::Sqlite { 1 } else { POSTGRES_WRITERS };
        let store = Self {
            kind,
            writers: pool(writing, SQLITE_ERASES)?,
            readers: pool(READERS, SQLITE_ERASES)?,
            wiper: pool(1, upkeep::SQLITE_WIPES)?,
            state: Arc::default(),
        };
        let connection = store.writers.acquire().await.map_err(failed)?;
        Ok((store, connection))
    }

    /// Writes all that is pending into the database's file, and closes it.
    pub async fn close(&self) {
        self.readers.close().await;
        self.wiper.close().await;
        self.writers.close().await;
    }

    /// In one transaction, which is durable when this returns. It runs to its end even if the caller is dropped.
    async fn write<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl for<'c> FnOnce(&'c mut AnyConnection) -> Work<'c, T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (writers, begin) = (self.writers.clone(), self.kind.begin_write());
        let task = tokio::spawn(async move { transact(&writers, begin, work).await });
        let done = task.await.map_err(|error| query(operation, &error.into()))?;
        if done.is_err() {
            self.note_written(None);
        }
        done.map_err(|error| query(operation, &error))
    }

    /// Of a transaction that surely wrote something, which a disk that is full lets through if it did not.
    fn note_written(&self, at: Option<Instant>) {
        if let Ok(mut written) = self.state.written.lock() {
            *written = at;
        }
    }

    /// In one transaction, whose statements all read one state.
    async fn read<T>(
        &self,
        operation: &'static str,
        work: impl for<'c> FnOnce(&'c mut AnyConnection) -> Work<'c, T>,
    ) -> Result<T, StoreError> {
        let done = transact(&self.readers, self.kind.begin_read(), work).await;
        done.map_err(|error| query(operation, &error))
    }
}

/// A connection that failed is closed. SQLite ends a transaction by itself where a disk is full, and the pool, which does
/// not know, would begin none on that connection again.
async fn transact<T>(
    pool: &Pool<Any>,
    begin: &'static str,
    work: impl for<'c> FnOnce(&'c mut AnyConnection) -> Work<'c, T>,
) -> Result<T, BoxError> {
    let mut connection = pool.acquire().await?;
    let done = async {
        let mut transaction = connection.begin_with(begin).await?;
        let done = work(&mut transaction).await?;
        transaction.commit().await?;
        Ok(done)
    };
    let done = done.await;
    if done.is_err() {
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, connection.close()).await;
    }
    done
}

/// What a transaction does.
type Work<'c, T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send + 'c>>;

async fn migrate(connection: &mut AnyConnection, kind: DatabaseKind) -> Result<(), StoreError> {
    let known = TABLES.current();
    let found = TABLES.version(connection).await.map_err(|error| query("read the version", &error))?;
    if found > known {
        return Err(StoreError::Version { found, known });
    }
    if found == known {
        return Ok(());
    }
    let migrated = async {
        let mut transaction = connection.begin_with(kind.begin_write()).await?;
        TABLES.apply(&mut transaction, kind).await?;
        transaction.commit().await?;
        Ok(())
    };
    migrated.await.map_err(|source| StoreError::Migrate { found, known, source })
}

/// An error of a database without the values of the statement, which PostgreSQL puts into its detail.
fn query(operation: &'static str, error: &BoxError) -> StoreError {
    let reason = match error.downcast_ref::<sqlx::Error>() {
        Some(sqlx::Error::Database(of_database)) => {
            let code = of_database.code().unwrap_or_default();
            format!("{:?} (code {code})", of_database.kind())
        }
        Some(sqlx::Error::ColumnDecode { index, .. }) => format!("column {index} cannot be read"),
        Some(other) => other.to_string(),
        None => error.to_string(),
    };
    StoreError::Query { operation, reason }
}

fn micros(at: DateTime<Utc>) -> i64 {
    at.timestamp_micros()
}

/// # Errors
/// No program of ours wrote it.
fn time(micros: i64) -> Result<DateTime<Utc>, BoxError> {
    DateTime::from_timestamp_micros(micros).ok_or_else(|| "a time that cannot be".into())
}

fn id_text(id: Uuid) -> String {
    id.hyphenated().to_string()
}
