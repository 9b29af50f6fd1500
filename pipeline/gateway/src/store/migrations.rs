//! Migrations of the tables: each SQL text migrates a store from the version before it.

use super::StoreError;
use super::connection::{Connection, Database, Durability, first_number};

const MIGRATIONS: [&str; 2] = [include_str!("migrations/1.sql"), include_str!("migrations/2.sql")];

/// The version that this program uses.
const CURRENT: usize = MIGRATIONS.len();

/// Migrates the tables in one transaction. Needs no right to create tables if they are current.
///
/// # Errors
/// The store is of a later version, or the tables cannot be created.
pub(super) fn migrate(database: &mut Database) -> Result<(), StoreError> {
    let read = database.read(async |connection| version(connection).await);
    let found_now = read.map_err(|source| StoreError::Query { operation: "read the version", source })?;
    if found_now > CURRENT {
        return Err(StoreError::Version { found: found_now, known: CURRENT });
    }
    if found_now == CURRENT {
        return Ok(());
    }
    let kind = database.kind();
    let migrated = database.transaction(Durability::Now, async |connection| {
        kind.lock_tables(connection).await?;
        // Another process may have migrated meanwhile.
        let done = version(connection).await?;
        for sql in MIGRATIONS.iter().skip(done) {
            let sql = sqlx::AssertSqlSafe(kind.dialect(sql));
            sqlx::raw_sql(sql).execute(&mut *connection).await?;
        }
        let set =
            sqlx::query("UPDATE meta SET value = $1 WHERE name = 'version'").bind(i64::try_from(CURRENT)?);
        set.execute(connection).await?;
        Ok(())
    });
    migrated.map_err(|source| StoreError::Migrate { found: found_now, known: CURRENT, source })
}

/// The version of the tables; 0 if there are none.
async fn version(connection: &mut Connection) -> Result<usize, super::BoxError> {
    if !super::connection::has_tables(connection).await? {
        return Ok(0);
    }
    let version = first_number(connection, "SELECT value FROM meta WHERE name = 'version'").await?;
    Ok(usize::try_from(version)?)
}
