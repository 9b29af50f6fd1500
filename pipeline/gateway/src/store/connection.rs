//! One connection to the database. It is closed after any error, and the next call opens another: no stale prepared
//! statement is used twice, and no statement runs outside the transaction that it was meant for.

use std::future::Future;
use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::any::{AnyConnectOptions, AnyRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::{BoxError, StoreError};
use crate::database::{DatabaseAddress, DatabaseKind, Durability, prepare};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Longer than a statement may take, and than SQLite waits for another writer.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);

const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) type Connection = AnyConnection;

/// A database, and the open connection to it, if any. Calls block, and work on any thread, also on one of an async
/// runtime.
pub(super) struct Database {
    kind: DatabaseKind,
    options: AnyConnectOptions,
    /// Runs the sockets and timers. `None` while the database is dropped.
    runtime: Option<Runtime>,
    connection: Option<Connection>,
}

impl Database {
    /// Connects to the database.
    pub(super) fn open(address: &DatabaseAddress) -> Result<Self, StoreError> {
        let DatabaseAddress { kind, url, place } = address;
        let failed = |source: BoxError| StoreError::Open { place: place.clone(), source };
        sqlx::any::install_default_drivers();
        let options = url.parse::<AnyConnectOptions>().map_err(|error| failed(error.into()))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("key-store")
            .enable_all()
            .build()
            .map_err(|error| failed(error.into()))?;
        let mut database = Self { kind: *kind, options, runtime: Some(runtime), connection: None };
        database.read(async |_| Ok(())).map_err(failed)?;
        Ok(database)
    }

    pub(super) fn kind(&self) -> DatabaseKind {
        self.kind
    }

    /// Runs statements without a transaction.
    pub(super) fn read<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, BoxError>,
    ) -> Result<T, BoxError> {
        let (kind, kept) = (self.kind, self.connection.take());
        let options = self.options.clone();
        let result = self.wait(async {
            let mut connection = match kept {
                Some(connection) => connection,
                None => timeout(CONNECT_TIMEOUT, connect(kind, &options)).await??,
            };
            let done = timeout(CALL_TIMEOUT, work(&mut connection)).await??;
            Ok((connection, done))
        });
        result.map(|(connection, done)| {
            self.connection = Some(connection);
            done
        })
    }

    /// Runs statements in a transaction. An error of the commit itself leaves unknown whether it was applied.
    pub(super) fn transaction<T>(
        &mut self,
        durability: Durability,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, BoxError>,
    ) -> Result<T, BoxError> {
        let kind = self.kind;
        self.read(async move |connection| {
            let level = kind.synchronous_level(durability);
            if !level.is_empty() {
                sqlx::raw_sql(level).execute(&mut *connection).await?;
            }
            let mut transaction = connection.begin_with(kind.begin(durability)).await?;
            let done = work(&mut transaction).await?;
            transaction.commit().await?;
            Ok(done)
        })
    }

    /// Sends all statements of a transaction at once, and returns all their rows. The text must contain no input.
    pub(super) fn batch(
        &mut self,
        durability: Durability,
        statements: &str,
    ) -> Result<Vec<AnyRow>, BoxError> {
        let (level, begin) = (self.kind.synchronous_level(durability), self.kind.begin(durability));
        let sql = AssertSqlSafe(format!("{level}{begin}; {statements} COMMIT"));
        self.read(async move |connection| Ok(sqlx::raw_sql(sql).fetch_all(connection).await?))
    }

    fn wait<T>(&self, future: impl Future<Output = Result<T, BoxError>>) -> Result<T, BoxError> {
        let runtime = self.runtime.as_ref().ok_or("the store is closed")?;
        let _driven = runtime.enter();
        // Not tokio's `block_on`, which panics on a thread of a runtime. Unconstrained, as nothing renews the task's
        // cooperative budget here.
        futures_executor::block_on(tokio::task::unconstrained(future))
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            let closing = async { Ok(timeout(CLOSE_TIMEOUT, connection.close()).await??) };
            if let Err(error) = self.wait(closing) {
                tracing::debug!(%error, "the connection to the key store was not closed");
            }
        }
        // Dropping the runtime would block, which panics in a task.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("kind", &self.kind).finish_non_exhaustive()
    }
}

async fn connect(kind: DatabaseKind, options: &AnyConnectOptions) -> Result<Connection, sqlx::Error> {
    let mut connection = options.connect().await?;
    prepare(&mut connection, kind).await?;
    Ok(connection)
}

/// The result of a statement that returns one number.
pub(super) async fn first_number(connection: &mut Connection, sql: &'static str) -> Result<i64, sqlx::Error> {
    sqlx::query(sql).fetch_one(connection).await?.try_get(0)
}

/// `rows` rows of `columns` numbered parameters, for a statement that inserts many at once.
pub(super) fn values_list(before: &str, rows: usize, columns: usize, after: &str) -> AssertSqlSafe<String> {
    let row = |row: usize| {
        let numbers = (1..=columns).map(|column| format!("${}", row * columns + column));
        format!("({})", numbers.collect::<Vec<_>>().join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    AssertSqlSafe(format!("{before} {} {after}", rows.join(", ")))
}
