//! Reads, makes and changes leads.

use std::collections::HashMap;
use std::time::Instant;

use chrono::{DateTime, Utc};
use fdna_gateway::database::{BoxError, Damage, DatabaseKind};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Row as _};
use uuid::Uuid;

use super::events::{Action, NewEvent, insert_event};
use super::insertion::{bind_fields, find_duplicates, insert_lead};
use super::requests::{ClaimedRequest, claim_request};
use super::write_times::time_of;
use super::{
    Author, Change, Creation, IdempotentRequest, LeadStore, MadeLead, StatusMove, StoreError, from_micros,
    id_text, query_failed, to_micros,
};
use crate::lead::{
    FIRST_STATUS, Lead, LeadPatch, NewLead, StoredLead, first_id, fold_name, id_in_place, new_id,
};

/// Restricts rows to the account of the second parameter; an operator has none.
pub(super) const OF_ACCOUNT: &str = "($2 IS NULL OR account = $2)";

pub(super) const COLUMNS: &str =
    "id, name, email, phone, status, source, created_at, changed_at, metadata, version";

/// What clients see of a lead.
pub(super) const SEEN_COLUMNS: &str = "id, name, email, phone, status, source, created_at, changed_at";

/// Names that are folded in a statement.
const FOLDED_AT_ONCE: i64 = 1000;

impl LeadStore {
    /// Makes a lead of the author's account, of whose duplicates nobody is told.
    ///
    /// # Errors
    /// As [`Self::create_leads`].
    pub async fn create_lead(
        &self,
        new: NewLead,
        by: Author,
        request: Option<IdempotentRequest>,
    ) -> Result<Creation<StoredLead>, StoreError> {
        let first = |made: Vec<MadeLead>| made.into_iter().next().map(|made| made.stored);
        let none = || query_failed("make a lead", &"it was not made".into());
        Ok(match self.create_leads(vec![new], by, request, false).await? {
            Creation::Created(made) => Creation::Created(first(made).ok_or_else(none)?),
            Creation::Repeated(made) => Creation::Repeated(first(made).ok_or_else(none)?),
            Creation::OtherBody => Creation::OtherBody,
            Creation::Erased => Creation::Erased,
        })
    }

    /// Makes leads of the author's account: all of them, or none.
    ///
    /// # Errors
    /// The database failed: then nothing was made, unless it failed in the commit.
    pub async fn create_leads(
        &self,
        new: Vec<NewLead>,
        by: Author,
        request: Option<IdempotentRequest>,
        tells_duplicates: bool,
    ) -> Result<Creation<Vec<MadeLead>>, StoreError> {
        let first = first_of(&new, &by)?;
        let (kind, time) = (self.kind, by.time.clone());
        let created = self.write_at(time, "make leads", move |connection| {
            Box::pin(async move {
                let claimed = match request {
                    Some(request) => claim_request(connection, &request, (first, by.at, new.len())).await?,
                    None => ClaimedRequest::New,
                };
                let (first, at, is_new) = match claimed {
                    ClaimedRequest::New => (first, by.at, true),
                    ClaimedRequest::Repeated(first, at) => (first, at, false),
                    ClaimedRequest::OtherBody => return Ok(Creation::OtherBody),
                    ClaimedRequest::Erased => return Ok(Creation::Erased),
                };
                let mut all = Vec::with_capacity(new.len());
                for (place, new) in new.into_iter().enumerate() {
                    let stored = made_of(new, id_in_place_of(first, place), time_of(at, place));
                    let duplicates = match (is_new, tells_duplicates) {
                        (true, tells) => insert_lead(connection, kind, &stored, &by, tells).await?,
                        (false, true) => {
                            find_duplicates(connection, &stored.lead, by.account.as_deref()).await?
                        }
                        (false, false) => Vec::new(),
                    };
                    all.push(MadeLead { stored, duplicates });
                }
                Ok(if is_new { Creation::Created(all) } else { Creation::Repeated(all) })
            })
        });
        let created = created.await?;
        if matches!(&created, Creation::Created(made) if !made.is_empty()) {
            self.note_written(Some(Instant::now()));
            self.state.changed.notify_one();
        }
        Ok(created)
    }

    /// The lead of this id, of an account if one is given.
    ///
    /// # Errors
    /// The database failed, or has what no version of this program wrote.
    pub async fn get_lead(&self, id: Uuid, account: Option<&str>) -> Result<Option<StoredLead>, StoreError> {
        let sql = AssertSqlSafe(format!("SELECT {COLUMNS} FROM leads WHERE id = $1 AND {OF_ACCOUNT}"));
        let statement = sqlx::query(sql).bind(id_text(id)).bind(account.map(str::to_owned));
        self.read_transaction("read a lead", move |connection| {
            Box::pin(async move {
                statement.fetch_optional(connection).await?.as_ref().map(parse_lead).transpose()
            })
        })
        .await
    }

    /// Changes a lead, if it is of the `expected` version.
    ///
    /// # Errors
    /// The database failed: then nothing was changed, unless it failed in the commit.
    pub async fn change_lead(
        &self,
        id: Uuid,
        expected: Option<i64>,
        patch: LeadPatch,
        by: Author,
    ) -> Result<Change, StoreError> {
        let (kind, time) = (self.kind, by.time.clone());
        let changed = self.write_at(time, "change a lead", move |connection| {
            Box::pin(async move {
                let Some(before) = read_to_write(connection, kind, id, &by).await? else {
                    return Ok(Change::Unknown);
                };
                if expected.is_some_and(|expected| expected != before.version) {
                    return Ok(Change::OtherVersion(before.version));
                }
                let mut after = match patch.apply_to(&before) {
                    Ok(after) => after,
                    Err(problem) => return Ok(Change::Refused(problem)),
                };
                if after == before {
                    // Whoever is answered has read it.
                    insert_event(connection, NewEvent::of_lead(Action::Read, id, &by)).await?;
                    return Ok(Change::Changed(after));
                }
                after.version += 1;
                after.lead.updated_at = to_the_microsecond(by.at).max(before.lead.updated_at);
                update_lead(connection, &after).await?;
                insert_event(connection, NewEvent::of_lead(Action::Changed, id, &by)).await?;
                if after.lead.status != before.lead.status {
                    note_move(connection, &after, &before.lead.status, &by).await?;
                }
                Ok(Change::Changed(after))
            })
        });
        let changed = changed.await?;
        // What the lead was before stands in the log.
        self.state.wipes.request_wipe();
        self.state.changed.notify_one();
        Ok(changed)
    }

    /// The moves of a lead between statuses, the oldest first; none of a lead that is erased.
    ///
    /// # Errors
    /// As [`Self::get_lead`], or a lead has none, which are lost.
    pub async fn status_moves(&self, id: Uuid) -> Result<Vec<StatusMove>, StoreError> {
        const MOVES: &str =
            "SELECT from_status, to_status, at, key_id FROM lead_moves WHERE lead_id = $1 ORDER BY version";
        self.read_transaction("read a history", move |connection| {
            Box::pin(async move {
                let rows = sqlx::query(MOVES).bind(id_text(id)).fetch_all(&mut *connection).await?;
                let lead = sqlx::query("SELECT id FROM leads WHERE id = $1").bind(id_text(id));
                if rows.is_empty() && lead.fetch_optional(connection).await?.is_some() {
                    return Err(Damage("a lead without its first move").into());
                }
                rows.iter().map(parse_move).collect()
            })
        })
        .await
    }

    /// The accounts of leads, by id, of those between two ids, both of them too.
    ///
    /// # Errors
    /// As [`Self::get_lead`].
    pub async fn accounts_between(
        &self,
        first: Uuid,
        last: Uuid,
    ) -> Result<HashMap<Uuid, Option<String>>, StoreError> {
        const ACCOUNTS: &str = "SELECT id, account FROM leads WHERE id >= $1 AND id <= $2";
        self.read_transaction("read accounts", move |connection| {
            Box::pin(async move {
                let rows = sqlx::query(ACCOUNTS).bind(id_text(first)).bind(id_text(last));
                let rows = rows.fetch_all(connection).await?;
                let parse = |row: &AnyRow| {
                    let id: String = row.try_get(0)?;
                    let id = id.parse().map_err(|_| Damage("an id that is no UUID"))?;
                    Ok((id, row.try_get(1)?))
                };
                rows.iter().map(parse).collect()
            })
        })
        .await
    }

    /// Leads after the one with this id in the order of ids, at most `count`: all leads in parts.
    ///
    /// # Errors
    /// As [`Self::get_lead`].
    pub async fn export_leads(&self, after: Option<Uuid>, count: u32) -> Result<Vec<StoredLead>, StoreError> {
        let sql = AssertSqlSafe(format!("SELECT {COLUMNS} FROM leads WHERE id > $1 ORDER BY id LIMIT $2"));
        let statement = sqlx::query(sql).bind(after.map(id_text).unwrap_or_default()).bind(i64::from(count));
        self.read_transaction("export leads", move |connection| {
            Box::pin(async move { statement.fetch_all(connection).await?.iter().map(parse_lead).collect() })
        })
        .await
    }
}

fn parse_move(row: &AnyRow) -> Result<StatusMove, BoxError> {
    let (from, to, key_id) = (row.try_get(0)?, row.try_get(1)?, row.try_get(3)?);
    Ok(StatusMove { from, to, at: from_micros(row.try_get(2)?)?, key_id })
}

/// The id of the first of leads to be made.
fn first_of(new: &[NewLead], by: &Author) -> Result<Uuid, StoreError> {
    let failed = |error: getrandom::Error| query_failed("make an id", &error.to_string().into());
    let id = new_id(by.at).map_err(failed)?;
    Ok(if new.len() > 1 { first_id(id) } else { id })
}

/// The first lead of a request has its id, also one that is alone.
fn id_in_place_of(first: Uuid, place: usize) -> Uuid {
    if place == 0 { first } else { id_in_place(first, place) }
}

pub(super) fn made_of(new: NewLead, id: Uuid, at: DateTime<Utc>) -> StoredLead {
    let at = to_the_microsecond(at);
    let NewLead { name, email, phone, source, metadata } = new;
    let lead = Lead {
        id,
        name,
        email,
        phone,
        status: FIRST_STATUS.to_owned(),
        source,
        created_at: at,
        updated_at: at,
    };
    StoredLead { lead, metadata, version: 1 }
}

/// Folds the names of leads that earlier versions made.
pub(super) async fn fold_names(connection: &mut AnyConnection) -> Result<(), BoxError> {
    loop {
        let unfolded =
            sqlx::query("SELECT id, name FROM leads WHERE name_folded IS NULL ORDER BY id LIMIT $1");
        let rows = unfolded.bind(FOLDED_AT_ONCE).fetch_all(&mut *connection).await?;
        if rows.is_empty() {
            return Ok(());
        }
        let mut transaction = connection.begin().await?;
        for row in rows {
            let (id, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            let fold = sqlx::query("UPDATE leads SET name_folded = $1 WHERE id = $2 AND name = $3");
            let fold = fold.bind(fold_name(&name).into_bytes()).bind(id).bind(name);
            fold.execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
    }
}

async fn update_lead(connection: &mut AnyConnection, stored: &StoredLead) -> Result<(), BoxError> {
    let update = sqlx::query(
        "UPDATE leads SET name = $1, email = $2, email_folded = $3, phone = $4, status = $5, source = $6,
             metadata = $7, changed_at = $8, version = $9, name_folded = $10
         WHERE id = $11",
    );
    let update = bind_fields(update, stored)?
        .bind(to_micros(stored.lead.updated_at))
        .bind(stored.version)
        .bind(fold_name(&stored.lead.name).into_bytes())
        .bind(id_text(stored.lead.id));
    update.execute(connection).await?;
    Ok(())
}

async fn note_move(
    connection: &mut AnyConnection,
    to: &StoredLead,
    from: &str,
    by: &Author,
) -> Result<(), BoxError> {
    sqlx::query(
        "INSERT INTO lead_moves (lead_id, version, from_status, to_status, at, key_id)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(id_text(to.lead.id))
    .bind(to.version)
    .bind(from.to_owned())
    .bind(to.lead.status.clone())
    .bind(to_micros(by.at))
    .bind(by.key_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// A lead that nobody else changes before the transaction ends.
pub(super) async fn read_to_write(
    connection: &mut AnyConnection,
    kind: DatabaseKind,
    id: Uuid,
    by: &Author,
) -> Result<Option<StoredLead>, BoxError> {
    // SQLite has only one writer.
    let lock = if kind == DatabaseKind::Postgres { " FOR UPDATE" } else { "" };
    let sql = AssertSqlSafe(format!("SELECT {COLUMNS} FROM leads WHERE id = $1 AND {OF_ACCOUNT}{lock}"));
    let row = sqlx::query(sql).bind(id_text(id)).bind(by.account.as_deref().map(str::to_owned));
    let row = row.fetch_optional(connection).await?;
    row.as_ref().map(parse_lead).transpose()
}

pub(super) fn parse_lead(row: &AnyRow) -> Result<StoredLead, BoxError> {
    let metadata: String = row.try_get("metadata")?;
    let metadata =
        serde_json::from_str(&metadata).map_err(|_| Damage("metadata that is no object of texts"))?;
    Ok(StoredLead { lead: parse_seen(row)?, metadata, version: row.try_get("version")? })
}

/// What clients see of a lead.
pub(super) fn parse_seen(row: &AnyRow) -> Result<Lead, BoxError> {
    let id: String = row.try_get("id")?;
    Ok(Lead {
        id: id.parse().map_err(|_| Damage("an id that is no UUID"))?,
        name: row.try_get("name")?,
        email: row.try_get("email")?,
        phone: row.try_get("phone")?,
        status: row.try_get("status")?,
        source: row.try_get("source")?,
        created_at: from_micros(row.try_get("created_at")?)?,
        updated_at: from_micros(row.try_get("changed_at")?)?,
    })
}

/// A time at the precision that databases keep.
pub(super) fn to_the_microsecond(at: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(to_micros(at)).unwrap_or(at)
}
