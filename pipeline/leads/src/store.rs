//! Stores leads: one set of SQL statements, two databases. What is answered is durable.
//!
//! ```text
//! leads        reads, makes, changes              list         lists and searches
//! events       who did what, and when            changes      the list of changes
//! write_times  times of writes, in their order   imports      records of files
//! insertion    one lead, made in one call         requests     those with an `Idempotency-Key`
//! erasure      erases for good: one lead, those of a person, those of a time
//! upkeep       wipes erased bytes, forgets requests, tries whether it can write
//! verify       what is wrong with a store
//! migrations   versions of the tables
//! ```

pub mod changes;
pub mod erasure;
pub mod events;
pub mod imports;
mod insertion;
mod leads;
pub mod list;
mod requests;
mod upkeep;
mod verify;
pub mod write_times;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use fdna_gateway::database::{
    BoxError, CLOSE_TIMEOUT, Damage, DatabaseKind, FaultCause, Migrations, OpenError, OpenMode, OpenedStore,
    SQLITE_ALONE, close_connection, fault_of, innermost_error, open_store, prepare_connection, still_answers,
};
use sqlx::any::AnyPoolOptions;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::SqliteError;
use sqlx::{Any, AnyConnection, Connection as _, Pool};
use tokio::sync::{Notify, watch};
use tokio::time::error::Elapsed;
use uuid::Uuid;

use crate::lead::{PatchProblem, StoredLead};

const TABLES: Migrations = Migrations {
    store: "store of leads",
    product: "leads",
    made_by: "`fightdna leads --store … serve`",
    migrate_hint: "",
    meta: "lead_meta",
    texts: &[
        include_str!("store/migrations/1.sql"),
        include_str!("store/migrations/2.sql"),
        include_str!("store/migrations/3.sql"),
    ],
};

/// Connections that read at a time.
const READERS: u32 = 4;

/// PostgreSQL has no single writer.
const POSTGRES_WRITERS: u32 = 8;

/// Overwrites an erased lead's bytes in SQLite's pages.
const SQLITE_ERASES: &str = "PRAGMA secure_delete = ON";

/// Why a call of the store failed. No text of it has a lead's data.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("cannot {operation} in the store of leads: {reason}{}", fault.advice())]
    Query { operation: &'static str, reason: String, fault: FaultCause },
}

impl StoreError {
    /// The cause of the error that somebody can act on.
    #[must_use]
    pub fn fault(&self) -> FaultCause {
        match self {
            Self::Open(error) => error.fault(),
            Self::Query { fault, .. } => *fault,
        }
    }

    fn into_reason(self) -> String {
        match self {
            Self::Query { reason, .. } => reason,
            other => other.to_string(),
        }
    }
}

/// Author of an action: a key, which has the leads of its account; or an operator, who has all.
#[derive(Debug, Clone)]
pub struct Author {
    pub key_id: Option<i64>,
    pub account: Option<Arc<str>>,
    pub at: DateTime<Utc>,
    /// The operator's command.
    pub command: Option<&'static str>,
    pub request_id: Option<Uuid>,
    /// Of a write of a server: until it is dropped, lists by time end before it.
    time: Option<Arc<write_times::WriteTime>>,
}

impl Author {
    #[must_use]
    pub fn by_operator(command: &'static str, at: DateTime<Utc>) -> Self {
        Self { key_id: None, account: None, at, command: Some(command), request_id: None, time: None }
    }

    #[must_use]
    pub fn by_key(key_id: i64, account: Arc<str>, at: DateTime<Utc>) -> Self {
        Self { key_id: Some(key_id), account: Some(account), at, command: None, request_id: None, time: None }
    }

    /// For the leads of an account.
    #[must_use]
    pub fn for_account(self, account: &str) -> Self {
        Self { account: Some(account.into()), ..self }
    }

    /// In a request.
    #[must_use]
    pub fn in_request(self, id: Uuid) -> Self {
        Self { request_id: Some(id), ..self }
    }

    /// The same at the time of a write.
    #[must_use]
    pub fn at_write(self, time: Arc<write_times::WriteTime>) -> Self {
        Self { at: time.at(), time: Some(time), ..self }
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

/// Outcome of a creation of one lead or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Creation<T> {
    Created(T),
    /// What the same request made before, as it was then.
    Repeated(T),
    /// The `Idempotency-Key` had another body.
    OtherBody,
    /// A lead that it made was erased.
    Erased,
}

/// A lead that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeLead {
    pub stored: StoredLead,
    /// Leads of the account with its email or its telephone number, the oldest first, at most [`MAX_DUPLICATES`]; none if nobody
    /// may be told.
    pub duplicates: Vec<Uuid>,
}

/// Duplicates that are told of a lead.
pub const MAX_DUPLICATES: usize = 20;

/// Outcome of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Changed(StoredLead),
    /// There is no such lead.
    Unknown,
    /// The lead is of another version, which this is.
    OtherVersion(i64),
    Refused(PatchProblem),
}

/// Outcome of an erasure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Erasure {
    /// It is erased, now or before.
    Erased,
    Unknown,
    OtherVersion(i64),
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

/// State shared by clones.
#[derive(Debug, Default)]
struct StoreState {
    /// When a write last was durable; `None` once one has failed.
    written: Mutex<Option<Instant>>,
    /// Why the last connection was not opened, of which the pool tells no more than that it waited; `None` if it was.
    refused: watch::Sender<Option<(String, FaultCause)>>,
    wipes: upkeep::WipeQueue,
    times: Arc<write_times::WriteTimes>,
    reads: events::ReadJournal,
    /// Notified when a lead was created, changed or erased.
    changed: Notify,
}

impl LeadStore {
    /// Opens the store at an address: `postgres://…`, or the path of a SQLite file, which is made if there is none. Its
    /// tables are brought to this program's version.
    ///
    /// # Errors
    /// It cannot be opened, is of a later version of this program, or its tables cannot be changed.
    pub async fn open_store(address: &str) -> Result<Self, StoreError> {
        Self::from_opened(open_store(address, &TABLES, OpenMode::Make).await?, OpenMode::Make).await
    }

    /// The same, but that no store is made.
    ///
    /// # Errors
    /// There is none; else as [`Self::open_store`].
    pub async fn open_existing(address: &str) -> Result<Self, StoreError> {
        Self::from_opened(open_store(address, &TABLES, OpenMode::Existing).await?, OpenMode::Existing).await
    }

    /// The same for whoever only reads, also where there is no room to share it, if nobody else has it open.
    ///
    /// # Errors
    /// As [`Self::open_existing`].
    pub async fn open_to_read(address: &str) -> Result<Self, StoreError> {
        match Self::open_existing(address).await {
            Err(error) if error.fault() == FaultCause::Unwritable => {
                let alone = open_store(address, &TABLES, OpenMode::Alone).await.map_err(|_| error)?;
                Self::from_opened(alone, OpenMode::Alone).await
            }
            opened => opened,
        }
    }

    async fn from_opened(opened: OpenedStore, how: OpenMode) -> Result<Self, StoreError> {
        let OpenedStore { address, mut connection, .. } = opened;
        if how != OpenMode::Alone {
            let folding = leads::fold_names(&mut connection).await;
            folding.map_err(|error| query_failed("fold names", &error))?;
        }
        close_connection(connection).await.map_err(|error| query_failed("open", &error))?;
        let (kind, state, is_alone) = (address.kind, Arc::<StoreState>::default(), how == OpenMode::Alone);
        let pool = |size, settings: &'static str| {
            let state = Arc::clone(&state);
            let options = AnyPoolOptions::new().max_connections(size).after_connect(move |connection, _| {
                let state = Arc::clone(&state);
                Box::pin(async move {
                    let prepared = async {
                        if is_alone {
                            sqlx::raw_sql(SQLITE_ALONE).execute(&mut *connection).await?;
                        }
                        prepare_connection(connection, kind).await?;
                        if kind == DatabaseKind::Sqlite {
                            sqlx::raw_sql(settings).execute(connection).await?;
                        }
                        Ok::<_, BoxError>(())
                    };
                    let prepared = prepared.await.map_err(|error| (fault_of(&error), innermost_error(error)));
                    let refused = prepared.as_ref().err().map(|(fault, error)| (error.to_string(), *fault));
                    state.refused.send_replace(refused);
                    prepared.map_err(|(_, error)| sqlx::Error::Configuration(error))
                })
            });
            let pool = options.acquire_timeout(Duration::from_secs(5)).connect_lazy(&address.url);
            pool.map_err(|error| query_failed("open", &error.into()))
        };
        let writing = if kind == DatabaseKind::Sqlite { 1 } else { POSTGRES_WRITERS };
        let writers = pool(writing, SQLITE_ERASES)?;
        let [readers, wiper] = match is_alone {
            true => [writers.clone(), writers.clone()],
            false => [pool(READERS, SQLITE_ERASES)?, pool(1, upkeep::SQLITE_WIPES)?],
        };
        Ok(Self { kind, writers, readers, wiper, state })
    }

    /// Writes all that is pending into the database's file, and closes it. Nobody waits for a connection that is stuck.
    pub async fn close(&self) {
        for pool in [&self.readers, &self.wiper, &self.writers] {
            if tokio::time::timeout(CLOSE_TIMEOUT, pool.close()).await.is_err() {
                tracing::warn!("a connection to the store of leads was not closed");
            }
        }
    }

    /// In one transaction, which is durable when this returns. It runs to its end even if the caller is dropped.
    async fn write_transaction<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl for<'c> FnOnce(&'c mut AnyConnection) -> StoreWork<'c, T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.write_at(None, operation, work).await
    }

    /// The same; the time of the write ends with it.
    async fn write_at<T: Send + 'static>(
        &self,
        time: Option<Arc<write_times::WriteTime>>,
        operation: &'static str,
        work: impl for<'c> FnOnce(&'c mut AnyConnection) -> StoreWork<'c, T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (writers, begin, state) =
            (self.writers.clone(), self.kind.begin_write(), Arc::clone(&self.state));
        let task = tokio::spawn(async move {
            let done = run_transaction(&writers, &state, begin, work).await;
            drop(time);
            done
        });
        let done = task.await.map_err(|error| query_failed(operation, &error.into()))?;
        if done.is_err() {
            self.note_written(None);
        }
        done.map_err(|error| self.call_failed(operation, &error))
    }

    /// An error of a call, which may have waited in vain for a connection.
    pub(crate) fn call_failed(&self, operation: &'static str, error: &BoxError) -> StoreError {
        let is_late =
            error.is::<Elapsed>() || matches!(error.downcast_ref(), Some(sqlx::Error::PoolTimedOut));
        let refused = self.state.refused.borrow().clone();
        match refused.filter(|_| is_late) {
            Some((reason, fault)) => StoreError::Query { operation, reason, fault },
            None => query_failed(operation, error),
        }
    }

    /// Of a transaction that surely wrote something, which a disk that is full lets through if it did not.
    fn note_written(&self, at: Option<Instant>) {
        if let Ok(mut written) = self.state.written.lock() {
            *written = at;
        }
    }

    /// In one transaction, whose statements all read one state.
    async fn read_transaction<T>(
        &self,
        operation: &'static str,
        work: impl for<'c> FnOnce(&'c mut AnyConnection) -> StoreWork<'c, T>,
    ) -> Result<T, StoreError> {
        let done = run_transaction(&self.readers, &self.state, self.kind.begin_read(), work).await;
        done.map_err(|error| self.call_failed(operation, &error))
    }
}

/// A connection that failed is closed. SQLite ends a transaction by itself where a disk is full, and the pool, which does
/// not know, would begin none on that connection again.
async fn run_transaction<T>(
    pool: &Pool<Any>,
    state: &StoreState,
    begin: &'static str,
    work: impl for<'c> FnOnce(&'c mut AnyConnection) -> StoreWork<'c, T>,
) -> Result<T, BoxError> {
    let mut connection = acquire_connection(pool, state).await?;
    let done = async {
        let mut transaction = connection.begin_with(begin).await?;
        let done = work(&mut transaction).await?;
        still_answers(&mut transaction).await?;
        transaction.commit().await?;
        Ok(done)
    };
    let done = done.await;
    if done.is_err() {
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, connection.close()).await;
    }
    done
}

/// The pool tries again until its time is up; a store that is damaged stays so, and the call ends with the first refusal.
async fn acquire_connection(
    pool: &Pool<Any>,
    state: &StoreState,
) -> Result<PoolConnection<Any>, sqlx::Error> {
    let mut refused = state.refused.subscribe();
    let damage = async {
        while refused.changed().await.is_ok() {
            if matches!(*refused.borrow(), Some((_, FaultCause::Damaged))) {
                break;
            }
        }
    };
    tokio::select! {
        connection = pool.acquire() => connection,
        () = damage => Err(sqlx::Error::PoolTimedOut),
    }
}

/// Work of a transaction.
type StoreWork<'c, T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send + 'c>>;

/// An error of a database without the values of the statement, which PostgreSQL puts into its detail.
fn query_failed(operation: &'static str, error: &BoxError) -> StoreError {
    let reason = match error.downcast_ref::<sqlx::Error>() {
        Some(sqlx::Error::Database(of_database)) => {
            let code = of_database.code().unwrap_or_default();
            match of_database.try_downcast_ref::<SqliteError>() {
                Some(error) => error.to_string(),
                None => format!("{:?} (code {code})", of_database.kind()),
            }
        }
        Some(sqlx::Error::ColumnDecode { index, .. }) => format!("column {index} cannot be read"),
        Some(other) => other.to_string(),
        None => error.to_string(),
    };
    StoreError::Query { operation, reason, fault: fault_of(error) }
}

fn to_micros(at: DateTime<Utc>) -> i64 {
    at.timestamp_micros()
}

/// # Errors
/// No program of ours wrote it.
fn from_micros(micros: i64) -> Result<DateTime<Utc>, BoxError> {
    DateTime::from_timestamp_micros(micros).ok_or_else(|| Damage("a time that cannot be").into())
}

fn id_text(id: Uuid) -> String {
    id.hyphenated().to_string()
}
