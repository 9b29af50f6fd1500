//! Stores leads: one set of SQL statements, two databases. What is answered is durable.
//!
//! ```text
//! leads        reads, lists, makes, changes
//! erasure      erases for good: one lead, those of an address, those of a time
//! migrations   versions of the tables
//! ```

mod erasure;
mod leads;

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use chrono::{DateTime, Utc};
use fdna_gateway::database::{BoxError, DatabaseAddress, DatabaseKind, Migrations, prepare};
use sqlx::any::AnyPoolOptions;
use sqlx::{Any, AnyConnection, Pool, Transaction};
use uuid::Uuid;

use crate::lead::{Lead, PatchProblem, StoredLead};

const TABLES: Migrations = Migrations { meta: "lead_meta", texts: &[include_str!("store/migrations/1.sql")] };

/// Connections that read at a time.
const READERS: u32 = 4;

/// PostgreSQL has no single writer.
const POSTGRES_WRITERS: u32 = 8;

/// What an erased lead's bytes are written over with, in SQLite's pages.
const SQLITE_ERASES: &str = "PRAGMA secure_delete = ON";

/// Why a call of the store failed. No text of it has a lead's data.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("open the store of leads `{place}`")]
    Open { place: String, source: BoxError },
    #[error("use the store of leads: it is of version {found}, and this program knows up to {known}")]
    Version { found: usize, known: usize },
    #[error("bring the tables of leads from version {found} to {known}")]
    Migrate { found: usize, known: usize, source: BoxError },
    #[error("{operation} in the store of leads: {reason}")]
    Query { operation: &'static str, reason: String },
}

/// Who does something: a key, or an operator without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Author {
    pub key_id: Option<i64>,
    pub at: DateTime<Utc>,
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
    /// The answer that the same request had before.
    Repeated(String),
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
}

impl LeadStore {
    /// Opens the store at an address: `postgres://…`, or the path of a SQLite file, which is created if it does not
    /// exist. Its tables are brought to this program's version.
    ///
    /// # Errors
    /// It cannot be opened, is of a later version of this program, or its tables cannot be changed.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let address =
            DatabaseAddress::locate(address).map_err(|(place, source)| StoreError::Open { place, source })?;
        let failed =
            |error: sqlx::Error| StoreError::Open { place: address.place.clone(), source: error.into() };
        let kind = address.kind;
        let pool = |size| {
            let options = AnyPoolOptions::new().max_connections(size).after_connect(move |connection, _| {
                Box::pin(async move {
                    prepare(connection, kind).await?;
                    if kind == DatabaseKind::Sqlite {
                        sqlx::raw_sql(SQLITE_ERASES).execute(connection).await?;
                    }
                    Ok(())
                })
            });
            options.acquire_timeout(Duration::from_secs(5)).connect_lazy(&address.url)
        };
        let writing = if kind == DatabaseKind::Sqlite { 1 } else { POSTGRES_WRITERS };
        let store =
            Self { kind, writers: pool(writing).map_err(failed)?, readers: pool(READERS).map_err(failed)? };
        let mut connection = store.writers.acquire().await.map_err(failed)?;
        migrate(&mut connection, kind).await?;
        drop(connection);
        Ok(store)
    }

    /// Whether it answers.
    ///
    /// # Errors
    /// The database failed.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let asked =
            sqlx::query("SELECT value FROM lead_meta WHERE name = 'version'").fetch_one(&self.readers);
        asked.await.map(drop).map_err(|error| query("ask", &error.into()))
    }

    /// Writes all that is pending into the database's file, and closes it.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writers.close().await;
    }

    /// In one transaction, which is durable when this returns. It runs to its end even if the caller is dropped.
    async fn write<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl for<'c> FnOnce(&'c mut AnyConnection) -> Work<'c, T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (kind, writers) = (self.kind, self.writers.clone());
        let task = tokio::spawn(async move {
            let mut transaction = writers.begin_with(kind.begin_write()).await?;
            let done = work(&mut transaction).await?;
            transaction.commit().await?;
            Ok::<T, BoxError>(done)
        });
        let done = task.await.map_err(|error| query(operation, &error.into()))?;
        done.map_err(|error| query(operation, &error))
    }

    async fn read(&self, operation: &'static str) -> Result<Transaction<'static, Any>, StoreError> {
        let begun = self.readers.begin_with(self.kind.begin_read()).await;
        begun.map_err(|error| query(operation, &error.into()))
    }

    /// In SQLite, moves what was written over the erased bytes from the log into the file, and cuts the log.
    async fn wipe_log(&self) -> Result<(), StoreError> {
        if self.kind == DatabaseKind::Sqlite {
            let done = sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").execute(&self.writers).await;
            done.map_err(|error| query("wipe the log", &error.into()))?;
        }
        Ok(())
    }
}

/// What a transaction does.
type Work<'c, T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send + 'c>>;

async fn migrate(connection: &mut AnyConnection, kind: DatabaseKind) -> Result<(), StoreError> {
    use sqlx::Connection as _;
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
