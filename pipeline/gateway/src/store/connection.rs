//! One connection to the database. It is closed after any error, and the next call opens another: no stale prepared
//! statement is used twice, and no statement runs outside the transaction that it was meant for.

use std::future::Future;
use std::time::Duration;

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Row as _};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::BoxError;
use crate::database::{
    DatabaseAddress, DatabaseKind, Durability, FaultCause, OpenError, OpenMode, OpenedStore,
    close_connection, connect_to, innermost_error, still_answers,
};

/// Longer than a statement may take, and than SQLite waits for another writer.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) type Connection = AnyConnection;

/// A database, and the open connection to it, if any. Calls block, and work on any thread, also on one of an async
/// runtime.
pub(super) struct Database {
    address: DatabaseAddress,
    /// Runs the sockets and timers. `None` while the database is dropped.
    runtime: Option<Runtime>,
    connection: Option<Connection>,
}

impl Database {
    /// The database of a store that this opens.
    pub(super) fn open_database(
        opening: impl Future<Output = Result<OpenedStore, OpenError>>,
    ) -> Result<Self, OpenError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("key-store")
            .enable_all()
            .build();
        let failed = |error: std::io::Error| OpenError::Failed {
            place: "key store".to_owned(),
            fault: FaultCause::Other,
            source: error.into(),
        };
        let runtime = runtime.map_err(failed)?;
        let opened = block_on_unconstrained(&runtime, opening);
        // Dropping a runtime would block, which panics in a task.
        let mut database =
            Self { address: DatabaseAddress::from_text(""), runtime: Some(runtime), connection: None };
        let OpenedStore { address, connection, .. } = opened?;
        (database.address, database.connection) = (address, Some(connection));
        Ok(database)
    }

    pub(super) fn kind(&self) -> DatabaseKind {
        self.address.kind
    }

    /// Runs statements without a transaction.
    pub(super) fn run_statements<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, BoxError>,
    ) -> Result<T, BoxError> {
        let (address, kept) = (&self.address, self.connection.take());
        let working = async {
            let mut connection = match kept {
                Some(connection) => connection,
                None => connect_to(address, OpenMode::Existing).await?,
            };
            let done = timeout(CALL_TIMEOUT, work(&mut connection)).await??;
            still_answers(&mut connection).await?;
            Ok((connection, done))
        };
        let runtime = self.runtime.as_ref().ok_or("the store is closed")?;
        let (connection, done) = block_on_unconstrained(runtime, working).map_err(innermost_error)?;
        self.connection = Some(connection);
        Ok(done)
    }

    /// Runs statements in a transaction. An error of the commit itself leaves unknown whether it was applied.
    pub(super) fn run_transaction<T>(
        &mut self,
        durability: Durability,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, BoxError>,
    ) -> Result<T, BoxError> {
        let kind = self.address.kind;
        self.run_statements(async move |connection| {
            let level = kind.synchronous_level(durability);
            if !level.is_empty() {
                sqlx::raw_sql(level).execute(&mut *connection).await?;
            }
            let mut transaction = connection.begin_with(kind.begin_statement(durability)).await?;
            let done = work(&mut transaction).await?;
            transaction.commit().await?;
            Ok(done)
        })
    }

    /// Sends all statements of a transaction at once, and returns all their rows. The text must contain no input.
    pub(super) fn run_batch(
        &mut self,
        durability: Durability,
        statements: &str,
    ) -> Result<Vec<AnyRow>, BoxError> {
        let kind = self.address.kind;
        let (level, begin) = (kind.synchronous_level(durability), kind.begin_statement(durability));
        let sql = AssertSqlSafe(format!("{level}{begin}; {statements} COMMIT"));
        self.run_statements(async move |connection| Ok(sqlx::raw_sql(sql).fetch_all(connection).await?))
    }
}

/// Not tokio's `block_on`, which panics on a thread of a runtime. Unconstrained, as nothing renews the task's cooperative
/// budget here.
fn block_on_unconstrained<T>(runtime: &Runtime, future: impl Future<Output = T>) -> T {
    let _driven = runtime.enter();
    futures_executor::block_on(tokio::task::unconstrained(future))
}

impl Drop for Database {
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        if let Some(connection) = self.connection.take()
            && let Err(error) = block_on_unconstrained(&runtime, close_connection(connection))
        {
            tracing::debug!(%error, "the connection to the key store was not closed");
        }
        runtime.shutdown_background();
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("address", &self.address).finish_non_exhaustive()
    }
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
