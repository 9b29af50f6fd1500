//! One connection to the database. Where anything on it failed it is closed, and the next call makes another: no
//! statement that went stale is used twice, and nothing goes on outside a transaction that it began in.

use std::future::Future;
use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::any::{AnyConnectOptions, AnyRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::{BoxError, StoreError};

/// A database that takes no connection in this time is not there.
const CONNECT: Duration = Duration::from_secs(5);

/// A call that is not answered in this time has failed: longer than a statement may take, and than SQLite waits for
/// another writer.
const CALL: Duration = Duration::from_secs(10);

/// How long closing a connection may take.
const FAREWELL: Duration = Duration::from_secs(2);

/// Said to every new connection. Commands of an operator and several gateways may share a SQLite file; readers and
/// the one writer do not wait for each other (WAL).
const SQLITE: &str = "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON";
const POSTGRES: &str = "SET application_name = 'fightdna'; SET statement_timeout = 2000";

/// What the statements speak with.
pub(super) type Connection = AnyConnection;

/// Whether a commit must outlast the machine's power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    /// When the commit returns, it is on the disk.
    Now,
    /// In a moment. A process that is killed loses nothing either way.
    Soon,
}

/// Which database it is, for what the two say differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Sqlite,
    Postgres,
}

/// A database, and the connection to it while there is one. Calls block: they may come from any thread, also from one
/// that runs tasks.
pub(super) struct Database {
    kind: Kind,
    options: AnyConnectOptions,
    /// Drives the sockets and timers. `None` while it is being dropped.
    runtime: Option<Runtime>,
    connection: Option<Connection>,
}

impl Database {
    /// Connects to the database of this URL, which is called `place` in errors.
    pub(super) fn open(kind: Kind, url: &str, place: &str) -> Result<Self, StoreError> {
        let failed = |source: BoxError| StoreError::Open { place: place.to_owned(), source };
        sqlx::any::install_default_drivers();
        let options = url.parse::<AnyConnectOptions>().map_err(|error| failed(error.into()))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("key-store")
            .enable_all()
            .build()
            .map_err(|error| failed(error.into()))?;
        let mut database = Self { kind, options, runtime: Some(runtime), connection: None };
        database.read(async |_| Ok(())).map_err(failed)?;
        Ok(database)
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// Reads, each statement by itself.
    pub(super) fn read<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, BoxError>,
    ) -> Result<T, BoxError> {
        let (kind, kept) = (self.kind, self.connection.take());
        let options = self.options.clone();
        let done = self.wait(async {
            let mut connection = match kept {
                Some(connection) => connection,
                None => timeout(CONNECT, connect(kind, &options)).await??,
            };
            let done = timeout(CALL, work(&mut connection)).await??;
            Ok((connection, done))
        });
        done.map(|(connection, done)| {
            self.connection = Some(connection);
            done
        })
    }

    /// All of it or nothing. After an error of the commit itself nobody knows which.
    pub(super) fn transaction<T>(
        &mut self,
        durability: Durability,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, BoxError>,
    ) -> Result<T, BoxError> {
        let kind = self.kind;
        self.read(async move |connection| {
            let level = kind.level(durability);
            if !level.is_empty() {
                sqlx::raw_sql(level).execute(&mut *connection).await?;
            }
            let mut transaction = connection.begin_with(kind.begin(durability)).await?;
            let done = work(&mut transaction).await?;
            transaction.commit().await?;
            Ok(done)
        })
    }

    /// Statements in one transaction that are sent at once, and all their rows. The text must be of this program's
    /// making.
    pub(super) fn batch(
        &mut self,
        durability: Durability,
        statements: &str,
    ) -> Result<Vec<AnyRow>, BoxError> {
        let (level, begin) = (self.kind.level(durability), self.kind.begin(durability));
        let sql = AssertSqlSafe(format!("{level}{begin}; {statements} COMMIT"));
        self.read(async move |connection| Ok(sqlx::raw_sql(sql).fetch_all(connection).await?))
    }

    fn wait<T>(&self, future: impl Future<Output = Result<T, BoxError>>) -> Result<T, BoxError> {
        let runtime = self.runtime.as_ref().ok_or("the store is closed")?;
        let _driven = runtime.enter();
        // Without a budget: where this is a task's thread, nobody would give it a new one.
        futures_executor::block_on(tokio::task::unconstrained(future))
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            let closing = async { Ok(timeout(FAREWELL, connection.close()).await??) };
            if let Err(error) = self.wait(closing) {
                tracing::debug!(%error, "the connection to the key store was not closed");
            }
        }
        // A runtime that is dropped would wait, which tasks may not.
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

impl Kind {
    /// Said before a transaction, as it cannot be told within.
    fn level(self, durability: Durability) -> &'static str {
        match (self, durability) {
            (Self::Sqlite, Durability::Now) => "PRAGMA synchronous = FULL; ",
            (Self::Sqlite, Durability::Soon) => "PRAGMA synchronous = NORMAL; ",
            (Self::Postgres, _) => "",
        }
    }

    fn begin(self, durability: Durability) -> &'static str {
        match (self, durability) {
            (Self::Sqlite, _) => "BEGIN IMMEDIATE",
            (Self::Postgres, Durability::Now) => "BEGIN; SET LOCAL synchronous_commit = on",
            (Self::Postgres, Durability::Soon) => "BEGIN; SET LOCAL synchronous_commit = off",
        }
    }

    /// Keeps others from making the tables at the same time, within the transaction.
    pub(super) async fn lock_tables(self, connection: &mut Connection) -> Result<(), sqlx::Error> {
        // SQLite has one writer.
        if self == Self::Postgres {
            sqlx::raw_sql("SELECT pg_advisory_xact_lock(7235091)").execute(connection).await?;
        }
        Ok(())
    }

    /// A text of SQL with this database's words in it.
    pub(super) fn dialect(self, sql: &str) -> String {
        let [id, bytes, append_only] = match self {
            Self::Sqlite => {
                ["INTEGER PRIMARY KEY", "BLOB", include_str!("migrations/append_only.sqlite.sql")]
            }
            Self::Postgres => [
                "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
                "BYTEA",
                include_str!("migrations/append_only.postgres.sql"),
            ],
        };
        sql.replace("{id}", id).replace("{bytes}", bytes).replace("{append_only}", append_only)
    }
}

async fn connect(kind: Kind, options: &AnyConnectOptions) -> Result<Connection, sqlx::Error> {
    let mut connection = options.connect().await?;
    let settings = match kind {
        Kind::Sqlite => SQLITE,
        Kind::Postgres => POSTGRES,
    };
    sqlx::raw_sql(settings).execute(&mut connection).await?;
    Ok(connection)
}

/// Whether there are any of ours.
pub(super) async fn has_tables(connection: &mut Connection) -> Result<bool, BoxError> {
    let sql = match connection.backend_name() {
        "SQLite" => "SELECT count(*) FROM sqlite_master WHERE name = 'meta'",
        _ => "SELECT count(to_regclass('meta'))",
    };
    Ok(first_number(connection, sql).await? > 0)
}

/// What a statement that gives one number gives.
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
