//! Databases that this house keeps records in: SQLite in a file, or PostgreSQL, behind one set of SQL statements.
//!
//! The key store and the store of leads open them, and bring their tables up to date, in the same way.

mod opening;

use std::time::Duration;

use sqlx::any::AnyConnectOptions;
use sqlx::error::DatabaseError as _;
use sqlx::sqlite::SqliteError;
use sqlx::{AnyConnection, AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _};

pub(crate) use opening::connect_to;
pub use opening::{
    OpenError, OpenMode, OpenedStore, close_connection, find_store, migrate_tables, open_store,
};

/// Any error of a database.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Between two attempts to get the lock of a SQLite file.
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// How often the lock of a SQLite file is tried, before its error is given back.
const LOCK_ATTEMPTS: u32 = 250;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// A connection that failed must have been closed within this time.
pub const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The thread of a SQLite connection that just answered does so again within this time.
const PING_TIMEOUT: Duration = Duration::from_secs(2);

const SQLITE_BUSY: u32 = 5;
const SQLITE_READONLY: u32 = 8;
const SQLITE_IOERR: u32 = 10;
const SQLITE_CORRUPT: u32 = 11;
const SQLITE_FULL: u32 = 13;
const SQLITE_CANTOPEN: u32 = 14;
const SQLITE_NOTADB: u32 = 26;
/// Extended codes of [`SQLITE_IOERR`], by their second byte: those of writing, of which the last two are of the file that
/// processes share.
const SQLITE_IOERR_WRITES: [u32; 6] = [3, 4, 5, 6, 18, 19];

/// Before the settings: this connection has the file for itself, or none.
pub const SQLITE_ALONE: &str = "PRAGMA locking_mode = EXCLUSIVE";

/// Settings of every new connection. Several processes may share a SQLite file; with a WAL, readers and the one writer
/// do not wait for each other.
const SQLITE_SETTINGS: &str =
    "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON";
const POSTGRES_SETTINGS: &str = "SET application_name = 'fightdna'; SET statement_timeout = 2000";

/// Whether a commit must survive a power failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// It does when it returns.
    Now,
    /// It does a moment later. It survives a crash of the process in either case.
    Soon,
}

/// The kind of database, whose SQL differs in places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseKind {
    Sqlite,
    Postgres,
}

/// Address of a database.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseAddress {
    pub kind: DatabaseKind,
    /// For sqlx; it may contain a password.
    pub url: String,
    /// For people, without a password.
    pub place: String,
}

impl DatabaseAddress {
    /// Of `postgres://…`, or of the path of a SQLite file.
    #[must_use]
    pub fn from_text(address: &str) -> Self {
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            let (url, place) = (address.to_owned(), without_password(address));
            return Self { kind: DatabaseKind::Postgres, url, place };
        }
        Self::sqlite_file(address)
    }

    fn sqlite_file(address: &str) -> Self {
        let path = address.strip_prefix("sqlite:").unwrap_or(address);
        Self { kind: DatabaseKind::Sqlite, url: sqlite_url(path), place: path.to_owned() }
    }
}

impl std::fmt::Debug for DatabaseAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DatabaseAddress").field("place", &self.place).finish_non_exhaustive()
    }
}

impl DatabaseKind {
    /// SQL before a transaction, as SQLite does not allow it within.
    pub(crate) fn synchronous_level(self, durability: Durability) -> &'static str {
        match (self, durability) {
            (Self::Sqlite, Durability::Now) => "PRAGMA synchronous = FULL; ",
            (Self::Sqlite, Durability::Soon) => "PRAGMA synchronous = NORMAL; ",
            (Self::Postgres, _) => "",
        }
    }

    pub(crate) fn begin_statement(self, durability: Durability) -> &'static str {
        match (self, durability) {
            (Self::Sqlite, _) => "BEGIN IMMEDIATE",
            (Self::Postgres, Durability::Now) => "BEGIN; SET LOCAL synchronous_commit = on",
            (Self::Postgres, Durability::Soon) => "BEGIN; SET LOCAL synchronous_commit = off",
        }
    }

    /// Begins a transaction that writes, and is durable when its commit returns.
    #[must_use]
    pub fn begin_write(self) -> &'static str {
        self.begin_statement(Durability::Now)
    }

    /// Begins a transaction whose statements all read one state.
    #[must_use]
    pub fn begin_read(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN",
            Self::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        }
    }

    /// The database's clock, in milliseconds since 1970.
    pub(crate) fn clock_ms(self) -> &'static str {
        match self {
            Self::Sqlite => "CAST(unixepoch('subsec') * 1000 AS BIGINT)",
            Self::Postgres => "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
        }
    }

    /// Keeps other processes from creating the tables at the same time, until the transaction ends.
    async fn lock_tables(self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        // SQLite has only one writer.
        if self == Self::Postgres {
            // Nor does an index on a large table end at the time that requests have.
            let lock = "SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(7235091)";
            sqlx::raw_sql(lock).execute(connection).await?;
        }
        Ok(())
    }

    /// SQL with the placeholders replaced for this database.
    fn to_dialect(self, sql: &str) -> String {
        let [id, bytes, append_only] = match self {
            Self::Sqlite => {
                ["INTEGER PRIMARY KEY", "BLOB", include_str!("store/migrations/append_only.sqlite.sql")]
            }
            Self::Postgres => [
                "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
                "BYTEA",
                include_str!("store/migrations/append_only.postgres.sql"),
            ],
        };
        sql.replace("{id}", id).replace("{bytes}", bytes).replace("{append_only}", append_only)
    }
}

/// Sets up a connection that was just opened.
///
/// # Errors
/// The database failed, another process holds it for five seconds, or its schema is damaged.
pub async fn prepare_connection(connection: &mut AnyConnection, kind: DatabaseKind) -> Result<(), BoxError> {
    let settings = match kind {
        DatabaseKind::Sqlite => SQLITE_SETTINGS,
        DatabaseKind::Postgres => POSTGRES_SETTINGS,
    };
    let mut attempts = 1;
    while let Err(error) = sqlx::raw_sql(settings).execute(&mut *connection).await {
        let error = BoxError::from(error);
        // SQLite does not wait for the lock while another process switches a new file to WAL.
        if !is_sqlite_busy(&error) || attempts >= LOCK_ATTEMPTS {
            return Err(error);
        }
        attempts += 1;
        tokio::time::sleep(LOCK_RETRY_INTERVAL).await;
    }
    check_schema(connection).await
}

/// SQLite does not look at the bytes of names and types, and the thread of a connection dies of those that are no UTF-8.
///
/// # Errors
/// The database failed, or there are some.
pub async fn check_schema(connection: &mut AnyConnection) -> Result<(), BoxError> {
    if connection.backend_name() != "SQLite" {
        return Ok(());
    }
    let texts = "SELECT CAST(name || coalesce(sql, '') AS BLOB) FROM sqlite_schema";
    for row in sqlx::query(texts).fetch_all(connection).await? {
        let text: Vec<u8> = row.try_get(0)?;
        std::str::from_utf8(&text).map_err(|_| Damage(NO_TEXT))?;
    }
    Ok(())
}

const NO_TEXT: &str = "a table's definition has a byte that is no text";

/// Confirms that a connection is alive after a read: the rows of a SQLite connection just end where its thread dies, and
/// statements sent to it then may wait for ever.
///
/// # Errors
/// The thread died.
pub async fn still_answers(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    if connection.backend_name() != "SQLite" {
        return Ok(());
    }
    let answered = tokio::time::timeout(PING_TIMEOUT, connection.ping()).await;
    answered.unwrap_or(Err(sqlx::Error::WorkerCrashed))
}

/// Cause of a database error, as far as somebody can act on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultCause {
    /// A backup has what is lost.
    Damaged,
    /// There is no room, or no right.
    Unwritable,
    Other,
}

impl FaultCause {
    /// Advice, to be appended to the description of the error.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Self::Damaged => " (it is damaged: restore a backup)",
            Self::Unwritable => " (make room, or give this user the right to write it)",
            Self::Other => "",
        }
    }
}

/// The cause of an error.
#[must_use]
pub fn fault_of(error: &BoxError) -> FaultCause {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, StorageFull};
    let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    if matches!(kind, Some(StorageFull | PermissionDenied | ReadOnlyFilesystem)) {
        return FaultCause::Unwritable;
    }
    if let Some((primary, of)) = sqlite_code(error) {
        return match primary {
            SQLITE_CORRUPT | SQLITE_NOTADB => FaultCause::Damaged,
            SQLITE_FULL | SQLITE_READONLY | SQLITE_CANTOPEN => FaultCause::Unwritable,
            SQLITE_IOERR if SQLITE_IOERR_WRITES.contains(&of) => FaultCause::Unwritable,
            _ => FaultCause::Other,
        };
    }
    use sqlx::Error::{ColumnDecode, Decode, RowNotFound, WorkerCrashed};
    let is_damage = match error.downcast_ref::<sqlx::Error>() {
        Some(error) => matches!(error, WorkerCrashed | RowNotFound | Decode(_) | ColumnDecode { .. }),
        None => error.is::<Damage>(),
    };
    if is_damage { FaultCause::Damaged } else { FaultCause::Other }
}

/// Content of a database that no version of this program wrote.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Damage(pub &'static str);

/// The error of the database itself, which the one around it says a second time.
#[must_use]
pub fn innermost_error(error: BoxError) -> BoxError {
    match error.downcast::<sqlx::Error>().map(|error| *error) {
        Ok(sqlx::Error::Database(inner)) => inner.into_error(),
        Ok(other) => other.into(),
        Err(other) => other,
    }
}

/// The primary code of a SQLite error, and what the extended one adds.
fn sqlite_code(error: &BoxError) -> Option<(u32, u32)> {
    let of_sqlite: &SqliteError = match error.downcast_ref::<sqlx::Error>() {
        Some(error) => error.as_database_error()?.try_downcast_ref()?,
        None => error.downcast_ref()?,
    };
    let code = of_sqlite.code()?.parse::<u32>().ok()?;
    Some((code & 0xff, code >> 8))
}

/// Whether somebody else holds what a statement needs.
#[must_use]
pub fn is_sqlite_busy(error: &BoxError) -> bool {
    matches!(sqlite_code(error), Some((SQLITE_BUSY, _)))
}

/// Versions of a store's tables: each SQL text migrates them from the version before it.
#[derive(Debug, Clone, Copy)]
pub struct Migrations {
    /// Name of the store for people.
    pub store: &'static str,
    /// Product of the store.
    pub product: &'static str,
    /// The commands that make one.
    pub made_by: &'static str,
    /// Advice where the tables cannot be brought to this version.
    pub migrate_hint: &'static str,
    /// The table that has the version in its row `version`.
    pub meta: &'static str,
    pub texts: &'static [&'static str],
}

impl Migrations {
    /// The version that this program uses.
    #[must_use]
    pub fn current_version(&self) -> usize {
        self.texts.len()
    }

    /// The version of the tables; 0 if there are none.
    ///
    /// # Errors
    /// The database failed.
    pub async fn stored_version(&self, connection: &mut AnyConnection) -> Result<usize, BoxError> {
        let meta = self.meta;
        let exists = match connection.backend_name() {
            "SQLite" => format!("SELECT count(*) FROM sqlite_master WHERE name = '{meta}'"),
            _ => format!("SELECT count(to_regclass('{meta}'))"),
        };
        if one_number(connection, exists).await? == 0 {
            return Ok(0);
        }
        let version = format!("SELECT value FROM {meta} WHERE name = 'version'");
        Ok(usize::try_from(one_number(connection, version).await?)?)
    }

    /// Migrates the tables, within a transaction of the caller.
    ///
    /// # Errors
    /// The database failed, or does not allow it.
    pub async fn apply_pending(
        &self,
        connection: &mut AnyConnection,
        kind: DatabaseKind,
    ) -> Result<(), BoxError> {
        kind.lock_tables(connection).await?;
        // Another process may have migrated meanwhile.
        let done = self.stored_version(connection).await?;
        for sql in self.texts.iter().skip(done) {
            sqlx::raw_sql(AssertSqlSafe(kind.to_dialect(sql))).execute(&mut *connection).await?;
        }
        let set = AssertSqlSafe(format!("UPDATE {} SET value = $1 WHERE name = 'version'", self.meta));
        sqlx::query(set).bind(i64::try_from(self.current_version())?).execute(connection).await?;
        Ok(())
    }
}

/// Damage of a SQLite file by itself: its pages, indexes and references. PostgreSQL vouches for its own.
///
/// # Errors
/// The database failed.
pub async fn find_damage(connection: &mut AnyConnection) -> Result<Vec<String>, BoxError> {
    if connection.backend_name() != "SQLite" {
        return Ok(Vec::new());
    }
    let mut problems = all_texts(connection, "PRAGMA integrity_check").await?;
    problems.retain(|line| line != "ok");
    let references =
        "SELECT 'row ' || coalesce(rowid, '?') || ' of ' || \"table\" || ' refers to no row of ' || parent
        FROM pragma_foreign_key_check";
    problems.extend(all_texts(connection, references).await?);
    Ok(problems)
}

/// Columns, indexes and triggers that the migrations make, and that a SQLite file of their version does not have.
///
/// # Errors
/// The database failed.
pub async fn find_missing(
    connection: &mut AnyConnection,
    tables: &Migrations,
) -> Result<Vec<String>, BoxError> {
    if connection.backend_name() != "SQLite" {
        return Ok(Vec::new());
    }
    let mut fresh = "sqlite::memory:".parse::<AnyConnectOptions>()?.connect().await?;
    tables.apply_pending(&mut fresh, DatabaseKind::Sqlite).await?;
    let wanted = all_texts(&mut fresh, SQLITE_SCHEMA).await?;
    fresh.close().await?;
    let found = all_texts(connection, SQLITE_SCHEMA).await?;
    let missing = wanted.into_iter().filter(|part| !found.contains(part));
    Ok(missing.map(|part| format!("it has no {part}")).collect())
}

/// Schema of the tables of a file, a line each.
const SQLITE_SCHEMA: &str = "
    SELECT 'column ' || m.name || '.' || p.name || ' ' || p.type || iif(p.\"notnull\", ' NOT NULL', '')
        || iif(p.pk, ' of its key', '')
    FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'
    UNION ALL SELECT type || ' ' || name || ' on ' || tbl_name FROM sqlite_master WHERE type <> 'table'";

async fn all_texts(connection: &mut AnyConnection, sql: &'static str) -> Result<Vec<String>, BoxError> {
    let rows = sqlx::query(sql).fetch_all(connection).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

async fn one_number(connection: &mut AnyConnection, sql: String) -> Result<i64, sqlx::Error> {
    sqlx::query(AssertSqlSafe(sql)).fetch_one(connection).await?.try_get(0)
}

/// Percent-encodes all but letters and digits.
fn sqlite_url(path: &str) -> String {
    let encode = |byte: u8| match byte {
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    path.bytes().map(encode).fold("sqlite:".to_owned(), |url, byte| url + &byte)
}

/// An address that can be printed: its parameters may contain a password, too.
fn without_password(address: &str) -> String {
    let place = address.split(['?', '#']).next().unwrap_or_default();
    match (place.split_once("://"), place.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => place.to_owned(),
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
            let located = DatabaseAddress::from_text(address);
            assert!(!located.place.contains("hid") && !format!("{located:?}").contains("hid"), "{address}");
        }
    }
}
