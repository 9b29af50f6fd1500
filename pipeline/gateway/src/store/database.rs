//! What the two databases have in common: statements with numbered parameters, and transactions.

use super::BoxError;

/// A value of a parameter or column.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
    Null,
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Option<i64>> for Value {
    fn from(number: Option<i64>) -> Self {
        number.map_or(Self::Null, Self::Number)
    }
}

/// Whether a commit must outlast the machine's power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// When the commit returns, it is on the disk.
    Now,
    /// In a moment. A process that is killed loses nothing either way.
    Soon,
}

/// A database that speaks the common part of SQLite's and PostgreSQL's SQL: parameters are `$1`, `$2`, … in the order
/// in which they first appear.
pub trait Database: Send {
    /// How it writes a column that numbers its rows.
    const ID: &'static str;
    /// How it calls bytes.
    const BYTES: &'static str;
    /// Keeps others from making the tables at the same time, within the transaction; may be empty.
    const LOCK: &'static str;

    /// # Errors
    /// The database's.
    fn begin(&mut self, durability: Durability) -> Result<(), BoxError>;

    /// # Errors
    /// The database's.
    fn commit(&mut self) -> Result<(), BoxError>;

    /// Leaves the transaction, whatever became of it.
    fn rollback(&mut self);

    /// Statements without parameters or results.
    ///
    /// # Errors
    /// The database's.
    fn batch(&mut self, sql: &str) -> Result<(), BoxError>;

    /// # Errors
    /// The database's.
    fn query(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Vec<Value>>, BoxError>;
}
