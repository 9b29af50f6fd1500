//! Migrations of the tables of the key store.

use super::StoreError;
use super::connection::Database;
use crate::database::{Durability, Migrations};

pub(super) const TABLES: Migrations = Migrations {
    meta: "meta",
    texts: &[
        include_str!("migrations/1.sql"),
        include_str!("migrations/2.sql"),
        include_str!("migrations/3.sql"),
    ],
};

/// The version of the tables; 0 if there are none.
pub(super) fn version(database: &mut Database) -> Result<usize, StoreError> {
    let read = database.read(async |connection| TABLES.version(connection).await);
    read.map_err(|source| StoreError::Query { operation: "read the version", source })
}

/// Migrates the tables in one transaction. Needs no right to create tables if they are current.
///
/// # Errors
/// The store is of a later version, or the tables cannot be created.
pub(super) fn migrate(database: &mut Database) -> Result<(), StoreError> {
    let known = TABLES.current();
    let found = version(database)?;
    if found > known {
        return Err(StoreError::Version { found, known });
    }
    if found == known {
        return Ok(());
    }
    let kind = database.kind();
    let migrated =
        database.transaction(Durability::Now, async |connection| TABLES.apply(connection, kind).await);
    migrated.map_err(|source| StoreError::Migrate { found, known, source })
}
