//! Erases leads for good: the lead, its moves, the answers that repeated it. A tombstone without personal data stays, so
//! that a second erasure of one lead is no error.

use chrono::{DateTime, Utc};
use fdna_gateway::database::BoxError;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};
use uuid::Uuid;

use super::leads::read_to_write;
use super::{Author, Erasure, LeadStore, StoreError, id_text, micros};
use crate::lead::folded;

impl LeadStore {
    /// Erases a lead, if it is of the `expected` version.
    ///
    /// # Errors
    /// The database failed; the lead may be erased already, and can be erased again.
    pub async fn erase(&self, id: Uuid, expected: Option<i64>, by: Author) -> Result<Erasure, StoreError> {
        let kind = self.kind;
        let erased = self.write("erase a lead", move |connection| {
            Box::pin(async move {
                let Some(before) = read_to_write(connection, kind, id).await? else {
                    return Ok(if has_tombstone(connection, id).await? {
                        Erasure::Erased
                    } else {
                        Erasure::Unknown
                    });
                };
                if expected.is_some_and(|expected| expected != before.version) {
                    return Ok(Erasure::OtherVersion(before.version));
                }
                erase_one(connection, &id_text(id), by).await?;
                Ok(Erasure::Erased)
            })
        });
        let erased = erased.await?;
        if erased == Erasure::Erased {
            self.wipe_log().await?;
        }
        Ok(erased)
    }

    /// Erases all leads of an email address, in whatever case it is written. Tells how many.
    ///
    /// # Errors
    /// The database failed: then none was erased, unless it failed in the commit.
    pub async fn erase_email(&self, email: &str, by: Author) -> Result<usize, StoreError> {
        let email = folded(email);
        let erased = self.write("erase the leads of an address", move |connection| {
            Box::pin(async move {
                let found =
                    sqlx::query("SELECT id FROM leads WHERE email_folded = $1 ORDER BY id").bind(email);
                let found = found.fetch_all(&mut *connection).await?;
                erase_all(connection, &found, by).await
            })
        });
        let erased = erased.await?;
        self.wipe_log().await?;
        Ok(erased)
    }

    /// Erases all leads that were last changed before a time. Tells how many.
    ///
    /// # Errors
    /// As [`Self::erase_email`].
    pub async fn erase_before(&self, before: DateTime<Utc>, by: Author) -> Result<usize, StoreError> {
        let erased = self.write("erase old leads", move |connection| {
            Box::pin(async move {
                let found = sqlx::query("SELECT id FROM leads WHERE changed_at < $1 ORDER BY id");
                let found = found.bind(micros(before)).fetch_all(&mut *connection).await?;
                erase_all(connection, &found, by).await
            })
        });
        let erased = erased.await?;
        self.wipe_log().await?;
        Ok(erased)
    }
}

async fn has_tombstone(connection: &mut AnyConnection, id: Uuid) -> Result<bool, BoxError> {
    let found = sqlx::query("SELECT id FROM lead_tombstones WHERE id = $1").bind(id_text(id));
    Ok(found.fetch_optional(connection).await?.is_some())
}

async fn erase_all(connection: &mut AnyConnection, found: &[AnyRow], by: Author) -> Result<usize, BoxError> {
    for row in found {
        let id: String = row.try_get(0)?;
        erase_one(connection, &id, by).await?;
    }
    Ok(found.len())
}

async fn erase_one(connection: &mut AnyConnection, id: &str, by: Author) -> Result<(), BoxError> {
    for sql in [
        "DELETE FROM lead_moves WHERE lead_id = $1",
        "DELETE FROM leads WHERE id = $1",
        "UPDATE lead_requests SET request = NULL, answer = NULL WHERE lead_id = $1",
    ] {
        sqlx::query(sql).bind(id.to_owned()).execute(&mut *connection).await?;
    }
    let tombstone = sqlx::query(
        "INSERT INTO lead_tombstones (id, erased_at, key_id) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING",
    );
    tombstone.bind(id.to_owned()).bind(micros(by.at)).bind(by.key_id).execute(connection).await?;
    Ok(())
}
