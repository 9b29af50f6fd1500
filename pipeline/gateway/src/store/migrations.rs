//! The tables' versions: each is a text of SQL, and brings a store of the one before to the next.

use super::StoreError;
use super::connection::{Connection, Database, Durability, first_number};

const MIGRATIONS: [&str; 2] = [include_str!("migrations/1.sql"), include_str!("migrations/2.sql")];

/// The version of this program.
const KNOWN: usize = MIGRATIONS.len();

/// Brings the tables to this program's version, all of it or nothing; asks for no right to make tables where there is
/// nothing to be done.
///
/// # Errors
/// The store is of a later version, or the tables cannot be made.
pub(super) fn migrate(database: &mut Database) -> Result<(), StoreError> {
    let asked = database.read(async |connection| found(connection).await);
    let found_now = asked.map_err(|source| StoreError::Ask { doing: "read the version", source })?;
    if found_now > KNOWN {
        return Err(StoreError::Version { found: found_now, known: KNOWN });
    }
    if found_now == KNOWN {
        return Ok(());
    }
    let kind = database.kind();
    let made = database.transaction(Durability::Now, async |connection| {
        kind.lock_tables(connection).await?;
        // Another program may have done it meanwhile.
        let done = found(connection).await?;
        for sql in MIGRATIONS.iter().skip(done) {
            let sql = sqlx::AssertSqlSafe(kind.dialect(sql));
            sqlx::raw_sql(sql).execute(&mut *connection).await?;
        }
        let set =
            sqlx::query("UPDATE meta SET value = $1 WHERE name = 'version'").bind(i64::try_from(KNOWN)?);
        set.execute(connection).await?;
        Ok(())
    });
    made.map_err(|source| StoreError::Migrate { found: found_now, known: KNOWN, source })
}

/// The version that is there; 0 where there are no tables.
async fn found(connection: &mut Connection) -> Result<usize, super::BoxError> {
    if !super::connection::has_tables(connection).await? {
        return Ok(0);
    }
    let version = first_number(connection, "SELECT value FROM meta WHERE name = 'version'").await?;
    Ok(usize::try_from(version)?)
}
