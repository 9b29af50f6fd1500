//! SQLite, in a file beside the gateway: readers and the one writer do not wait for each other (WAL).

use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql};

use super::database::{Database, Durability, Value};
use super::{BoxError, StoreError};

/// How long a writer waits for another: commands of an operator and several gateways may share a file.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection to a SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    connection: Connection,
    durability: Durability,
}

impl Sqlite {
    /// Opens the file, or makes it, for its owner alone.
    ///
    /// # Errors
    /// It cannot be opened, or is no database.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let connection =
            connect(path).map_err(|source| StoreError::Open { place: path.display().to_string(), source })?;
        Ok(Self { connection, durability: Durability::Now })
    }
}

fn connect(path: &Path) -> Result<Connection, BoxError> {
    std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

impl Database for Sqlite {
    const ID: &'static str = "INTEGER PRIMARY KEY";
    const BYTES: &'static str = "BLOB";
    const LOCK: &'static str = "";

    fn begin(&mut self, durability: Durability) -> Result<(), BoxError> {
        if self.durability != durability {
            let level = if durability == Durability::Now { "FULL" } else { "NORMAL" };
            self.connection.execute_batch(&format!("PRAGMA synchronous = {level}"))?;
            self.durability = durability;
        }
        Ok(self.connection.execute_batch("BEGIN IMMEDIATE")?)
    }

    fn commit(&mut self) -> Result<(), BoxError> {
        Ok(self.connection.execute_batch("COMMIT")?)
    }

    fn rollback(&mut self) {
        // There is nothing to leave where the transaction did not begin or has ended by itself.
        if !self.connection.is_autocommit() {
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }

    fn batch(&mut self, sql: &str) -> Result<(), BoxError> {
        Ok(self.connection.execute_batch(sql)?)
    }

    fn query(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Vec<Value>>, BoxError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(values))?;
        let mut out = Vec::new();
        while let Some(row) = rows.next()? {
            out.push((0..columns).map(|i| Ok(read(row.get_ref(i)?))).collect::<Result<_, BoxError>>()?);
        }
        Ok(out)
    }
}

fn read(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Integer(number) => Value::Number(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_owned()),
        // No column of ours holds fractions.
        ValueRef::Null | ValueRef::Real(_) => Value::Null,
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Number(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
            Self::Null => ValueRef::Null,
        }))
    }
}
