//! Erases leads for good: the lead, its moves, the digests of requests for it. A tombstone without personal data stays, so
//! that a second erasure of one lead is no error.

use chrono::{DateTime, Utc};
use fdna_gateway::database::BoxError;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};
use uuid::Uuid;

use super::leads::{OF_ACCOUNT, read_to_write};
use super::{Author, Erasure, LeadStore, StoreError, from_micros, id_text, to_micros};
use crate::lead::{Lead, first_id, fold_email};

/// Contact whose leads are meant.
#[derive(Clone, PartialEq, Eq)]
pub enum Contact {
    /// In whatever case.
    Email(String),
    /// In E.164.
    Phone(String),
}

impl Contact {
    /// Whether a lead is of it.
    #[must_use]
    pub fn is_of(&self, lead: &Lead) -> bool {
        match self {
            Self::Email(email) => lead.email.as_deref().map(fold_email) == Some(fold_email(email)),
            Self::Phone(phone) => lead.phone.as_ref() == Some(phone),
        }
    }
}

/// Plan of an erasure of old leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OldLeads {
    /// Last changed before the time.
    pub old: i64,
    pub all: i64,
    /// The newest time that anything in the store is of; `None` in an empty one.
    pub newest: Option<DateTime<Utc>>,
}

impl LeadStore {
    /// Erases a lead, if it is of the `expected` version. Its bytes are wiped a moment later: see [`Self::wipe_erased`].
    ///
    /// # Errors
    /// The database failed: then nothing was erased, unless it failed in the commit.
    pub async fn erase_lead(
        &self,
        id: Uuid,
        expected: Option<i64>,
        by: Author,
    ) -> Result<Erasure, StoreError> {
        let kind = self.kind;
        let erased = self.write_transaction("erase a lead", move |connection| {
            Box::pin(async move {
                let Some(before) = read_to_write(connection, kind, id, &by).await? else {
                    let is_known = has_tombstone(connection, id, &by).await?;
                    return Ok((if is_known { Erasure::Erased } else { Erasure::Unknown }, 0));
                };
                if expected.is_some_and(|expected| expected != before.version) {
                    return Ok((Erasure::OtherVersion(before.version), 0));
                }
                erase_one(connection, &id_text(id), &by).await?;
                Ok((Erasure::Erased, 1))
            })
        });
        let (erased, count) = erased.await?;
        self.note_erased(count);
        Ok(erased)
    }

    /// Erases all leads of a person. Tells how many.
    ///
    /// # Errors
    /// As [`Self::erase_lead`].
    pub async fn erase_contact(&self, contact: &Contact, by: Author) -> Result<usize, StoreError> {
        let (sql, text) = match contact {
            Contact::Email(email) => {
                ("SELECT id FROM leads WHERE email_folded = $1 ORDER BY id", fold_email(email))
            }
            Contact::Phone(phone) => ("SELECT id FROM leads WHERE phone = $1 ORDER BY id", phone.clone()),
        };
        let erased = self.write_transaction("erase the leads of a person", move |connection| {
            Box::pin(async move {
                let found = sqlx::query(sql).bind(text).fetch_all(&mut *connection).await?;
                erase_all(connection, &found, &by).await
            })
        });
        let erased = erased.await?;
        self.note_erased(erased);
        Ok(erased)
    }

    /// How many leads [`Self::erase_before`] would erase, and what tells whether the clock can be right.
    ///
    /// # Errors
    /// The database failed.
    pub async fn count_before(&self, before: DateTime<Utc>) -> Result<OldLeads, StoreError> {
        self.read_transaction("count old leads", move |connection| {
            Box::pin(async move {
                let counted = sqlx::query(
                    "SELECT (SELECT count(*) FROM leads WHERE changed_at < $1), (SELECT count(*) FROM leads),
                         (SELECT max(changed_at) FROM leads), (SELECT max(erased_at) FROM lead_tombstones),
                         (SELECT value FROM lead_meta WHERE name = 'seen')",
                );
                let row = counted.bind(to_micros(before)).fetch_one(connection).await?;
                let times: [Option<i64>; 3] = [row.try_get(2)?, row.try_get(3)?, row.try_get(4)?];
                // A server that never was has seen nothing.
                let newest =
                    times.into_iter().flatten().filter(|at| *at > 0).max().map(from_micros).transpose()?;
                Ok(OldLeads { old: row.try_get(0)?, all: row.try_get(1)?, newest })
            })
        })
        .await
    }

    /// Erases all leads that were last changed before a time. Tells how many.
    ///
    /// # Errors
    /// As [`Self::erase_lead`].
    pub async fn erase_before(&self, before: DateTime<Utc>, by: Author) -> Result<usize, StoreError> {
        let erased = self.write_transaction("erase old leads", move |connection| {
            Box::pin(async move {
                let found = sqlx::query("SELECT id FROM leads WHERE changed_at < $1 ORDER BY id");
                let found = found.bind(to_micros(before)).fetch_all(&mut *connection).await?;
                erase_all(connection, &found, &by).await
            })
        });
        let erased = erased.await?;
        self.note_erased(erased);
        Ok(erased)
    }
}

async fn has_tombstone(connection: &mut AnyConnection, id: Uuid, by: &Author) -> Result<bool, BoxError> {
    let sql = AssertSqlSafe(format!("SELECT id FROM lead_tombstones WHERE id = $1 AND {OF_ACCOUNT}"));
    let found = sqlx::query(sql).bind(id_text(id)).bind(by.account.as_deref().map(str::to_owned));
    Ok(found.fetch_optional(connection).await?.is_some())
}

async fn erase_all(connection: &mut AnyConnection, found: &[AnyRow], by: &Author) -> Result<usize, BoxError> {
    for row in found {
        let id: String = row.try_get(0)?;
        erase_one(connection, &id, by).await?;
    }
    Ok(found.len())
}

async fn erase_one(connection: &mut AnyConnection, id: &str, by: &Author) -> Result<(), BoxError> {
    let tombstone = sqlx::query(
        "INSERT INTO lead_tombstones (id, erased_at, key_id, account)
         SELECT id, $2, $3, account FROM leads WHERE id = $1 ON CONFLICT (id) DO NOTHING",
    );
    let tombstone = tombstone.bind(id.to_owned()).bind(to_micros(by.at)).bind(by.key_id);
    tombstone.execute(&mut *connection).await?;
    for sql in [
        "DELETE FROM lead_moves WHERE lead_id = $1",
        "DELETE FROM leads WHERE id = $1",
        "UPDATE lead_imports SET digest = NULL WHERE lead_id = $1",
        // Behind the lead itself: whoever reads it locks it before the entry is written.
        "UPDATE lead_events SET lead_id = NULL, is_change = 0 WHERE lead_id = $1",
    ] {
        sqlx::query(sql).bind(id.to_owned()).execute(&mut *connection).await?;
    }
    let requests = sqlx::query(
        "UPDATE lead_requests SET request = NULL WHERE lead_id = $1 OR lead_id = $2 AND leads > 1",
    );
    let first = id.parse().map(|id| id_text(first_id(id))).unwrap_or_default();
    requests.bind(id.to_owned()).bind(first).execute(&mut *connection).await?;
    let erased = sqlx::query(
        "INSERT INTO lead_events (at, action, is_change, account, key_id, command, lead_id, leads, request_id)
         SELECT $2, 'erased', CASE WHEN account IS NULL THEN 0 ELSE 1 END, account, $3, $4, id, 1, $5
         FROM lead_tombstones WHERE id = $1",
    );
    let erased = erased.bind(id.to_owned()).bind(to_micros(by.at)).bind(by.key_id).bind(by.command);
    erased.bind(by.request_id.map(id_text)).execute(connection).await?;
    Ok(())
}
