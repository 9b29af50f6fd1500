//! Reads, makes and changes leads.

use std::collections::HashMap;
use std::time::Instant;

use chrono::{DateTime, Utc};
use fdna_gateway::database::{BoxError, Damage, DatabaseKind};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Row as _};
use uuid::Uuid;

use super::events::{Action, NewEvent, insert_event};
use super::write_times::time_of;
use super::{
    Author, Change, Creation, IdempotentRequest, LeadStore, MAX_DUPLICATES, MadeLead, StatusMove, StoreError,
    from_micros, id_text, query_failed, to_micros,
};
use crate::lead::{
    FIRST_STATUS, Lead, LeadPatch, NewLead, StoredLead, first_id, fold_email, fold_name, id_in_place, new_id,
};

/// Restricts rows to the account of the second parameter; an operator has none.
pub(super) const OF_ACCOUNT: &str = "($2 IS NULL OR account = $2)";

pub(super) const COLUMNS: &str =
    "id, name, email, phone, status, source, created_at, changed_at, metadata, version";

/// What clients see of a lead.
pub(super) const SEEN_COLUMNS: &str = "id, name, email, phone, status, source, created_at, changed_at";

/// Names that are folded in a statement.
const FOLDED_AT_ONCE: i64 = 1000;

/// Other leads of an account with an email or a telephone number, one more than are told of: one may be the lead itself.
macro_rules! duplicates {
    ($email:literal, $phone:literal, $account:literal, $own:literal) => {
        concat!(
            "SELECT string_agg(id, ',') FROM (
                 SELECT id FROM (SELECT id FROM leads WHERE email_folded = ",
            $email,
            " AND account = ",
            $account,
            " ORDER BY id LIMIT 21) AS of_email
                 UNION SELECT id FROM (SELECT id FROM leads WHERE phone = ",
            $phone,
            " AND account = ",
            $account,
            " ORDER BY id LIMIT 21) AS of_phone) AS found
             WHERE id <> ",
            $own
        )
    };
}

const DUPLICATES: &str = duplicates!("$1", "$2", "$3", "$4");

macro_rules! insert_lead {
    ($first:literal, $second:literal, $third:literal, $fourth:literal, $told:expr) => {
        concat!(
            $first,
            "INSERT INTO leads (id, name, email, email_folded, phone, status, source, metadata, created_at, changed_at,
                 version, account, name_folded)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12)",
            $second,
            "INSERT INTO lead_moves (lead_id, version, from_status, to_status, at, key_id)
             VALUES ($1, $10, NULL, $6, $9, $13)",
            $third,
            "INSERT INTO lead_events (at, action, is_change, account, key_id, command, lead_id, leads, request_id)
             VALUES ($9, 'created', $14, $11, $13, $15, $1, 1, $16)",
            $fourth,
            $told
        )
    };
}

macro_rules! told_duplicates {
    () => {
        duplicates!("$4", "$5", "$11", "$1")
    };
}

/// A lead, its first move and its entry, in one call of either database.
const SQLITE_INSERT: &str = insert_lead!("", "; ", "; ", "; ", "SELECT NULL");
const SQLITE_INSERT_TELLING: &str = insert_lead!("", "; ", "; ", "; ", told_duplicates!());
const POSTGRES_INSERT: &str =
    insert_lead!("WITH made AS (", "), moved AS (", "), noted AS (", ") ", "SELECT NULL");
const POSTGRES_INSERT_TELLING: &str =
    insert_lead!("WITH made AS (", "), moved AS (", "), noted AS (", ") ", told_duplicates!());

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

/// Outcome of the claim of an `Idempotency-Key`.
enum ClaimedRequest {
    New,
    /// The id of its first lead, and their time.
    Repeated(Uuid, DateTime<Utc>),
    OtherBody,
    Erased,
}

/// The outcome of an earlier identical request; else remembers this one, by the id and the time of its first lead and how many
/// there are. Nothing of the leads is kept with it: the answer is made of the request, which is the same.
async fn claim_request(
    connection: &mut AnyConnection,
    request: &IdempotentRequest,
    (first, at, leads): (Uuid, DateTime<Utc>, usize),
) -> Result<ClaimedRequest, BoxError> {
    forget_requests(connection, request.forget_before).await?;
    let remembered = sqlx::query(
        "INSERT INTO lead_requests (key_id, digest, request, lead_id, at, leads)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (key_id, digest) DO NOTHING",
    )
    .bind(request.key_id)
    .bind(request.digest.to_vec())
    .bind(request.request.to_vec())
    .bind(id_text(first))
    .bind(to_micros(at))
    .bind(i64::try_from(leads)?)
    .execute(&mut *connection)
    .await?;
    if remembered.rows_affected() == 1 {
        return Ok(ClaimedRequest::New);
    }
    let known =
        sqlx::query("SELECT request, lead_id, at FROM lead_requests WHERE key_id = $1 AND digest = $2");
    let known = known.bind(request.key_id).bind(request.digest.to_vec()).fetch_one(connection).await?;
    let Some(body) = known.try_get::<Option<Vec<u8>>, _>(0)? else { return Ok(ClaimedRequest::Erased) };
    if body != request.request {
        return Ok(ClaimedRequest::OtherBody);
    }
    let first = known.try_get::<String, _>(1)?.parse().map_err(|_| Damage("an id that is no UUID"))?;
    Ok(ClaimedRequest::Repeated(first, from_micros(known.try_get(2)?)?))
}

/// Other leads of an account with the email or the telephone number of a lead, the oldest first.
pub(super) async fn find_duplicates(
    connection: &mut AnyConnection,
    lead: &Lead,
    account: Option<&str>,
) -> Result<Vec<Uuid>, BoxError> {
    let found = sqlx::query(DUPLICATES)
        .bind(lead.email.as_deref().map(fold_email))
        .bind(lead.phone.clone())
        .bind(account.map(str::to_owned))
        .bind(id_text(lead.id));
    parse_duplicates(&found.fetch_one(connection).await?)
}

fn parse_duplicates(row: &AnyRow) -> Result<Vec<Uuid>, BoxError> {
    let Some(ids) = row.try_get::<Option<String>, _>(0)? else { return Ok(Vec::new()) };
    let parse = |id: &str| id.parse::<Uuid>().map_err(|_| BoxError::from(Damage("an id that is no UUID")));
    let mut ids: Vec<Uuid> = ids.split(',').map(parse).collect::<Result<_, _>>()?;
    ids.sort_unstable();
    ids.truncate(MAX_DUPLICATES);
    Ok(ids)
}

/// Tells how many.
pub(super) async fn forget_requests(
    connection: &mut AnyConnection,
    before: DateTime<Utc>,
) -> Result<u64, BoxError> {
    let forget = sqlx::query("DELETE FROM lead_requests WHERE at < $1").bind(to_micros(before));
    Ok(forget.execute(connection).await?.rows_affected())
}

pub(super) async fn insert_lead(
    connection: &mut AnyConnection,
    kind: DatabaseKind,
    stored: &StoredLead,
    by: &Author,
    tells_duplicates: bool,
) -> Result<Vec<Uuid>, BoxError> {
    let lead = &stored.lead;
    let account = by.account.as_deref().map(str::to_owned);
    let sql = match (kind, tells_duplicates) {
        (DatabaseKind::Sqlite, true) => SQLITE_INSERT_TELLING,
        (DatabaseKind::Sqlite, false) => SQLITE_INSERT,
        (DatabaseKind::Postgres, true) => POSTGRES_INSERT_TELLING,
        (DatabaseKind::Postgres, false) => POSTGRES_INSERT,
    };
    let insert = sqlx::query(sql)
        .bind(id_text(lead.id))
        .bind(lead.name.clone())
        .bind(lead.email.clone())
        .bind(lead.email.as_deref().map(fold_email))
        .bind(lead.phone.clone())
        .bind(lead.status.clone())
        .bind(lead.source.clone())
        .bind(serde_json::to_string(&stored.metadata)?)
        .bind(to_micros(lead.created_at))
        .bind(stored.version)
        .bind(account)
        .bind(fold_name(&lead.name).into_bytes())
        .bind(by.key_id)
        .bind(i64::from(by.account.is_some()))
        .bind(by.command)
        .bind(by.request_id.map(id_text));
    // Of several statements SQLite's driver would give one row only if the first had it.
    let rows = insert.fetch_all(connection).await?;
    rows.first().map_or(Ok(Vec::new()), parse_duplicates)
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
    let lead = &stored.lead;
    sqlx::query(
        "UPDATE leads SET name = $1, email = $2, email_folded = $3, phone = $4, status = $5, source = $6,
             metadata = $7, changed_at = $8, version = $9, name_folded = $10
         WHERE id = $11",
    )
    .bind(lead.name.clone())
    .bind(lead.email.clone())
    .bind(lead.email.as_deref().map(fold_email))
    .bind(lead.phone.clone())
    .bind(lead.status.clone())
    .bind(lead.source.clone())
    .bind(serde_json::to_string(&stored.metadata)?)
    .bind(to_micros(lead.updated_at))
    .bind(stored.version)
    .bind(fold_name(&lead.name).into_bytes())
    .bind(id_text(lead.id))
    .execute(connection)
    .await?;
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
