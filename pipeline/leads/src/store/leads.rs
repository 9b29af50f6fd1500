//! Reads, lists, makes and changes leads.

use std::time::Instant;

use chrono::{DateTime, Utc};
use fdna_gateway::database::{BoxError, Damage, DatabaseKind};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};
use uuid::Uuid;

use super::{
    Author, Change, Creation, IdempotentRequest, LeadPage, LeadQuery, LeadStore, StatusMove, StoreError,
    from_micros, id_text, query_failed, to_micros,
};
use crate::lead::{FIRST_STATUS, Lead, LeadPatch, NewLead, StoredLead, fold_email, new_id};

/// Restricts rows to the account of the second parameter; an operator has none.
pub(super) const OF_ACCOUNT: &str = "($2 IS NULL OR account = $2)";

pub(super) const COLUMNS: &str = "id, name, email, phone, status, source, created_at, metadata, version";

impl LeadStore {
    /// Makes a lead of the author's account.
    ///
    /// # Errors
    /// The database failed: then nothing was made, unless it failed in the commit.
    pub async fn create_lead(
        &self,
        new: NewLead,
        by: Author,
        request: Option<IdempotentRequest>,
    ) -> Result<Creation, StoreError> {
        let failed = |error: getrandom::Error| query_failed("make an id", &error.to_string().into());
        let lead = Lead {
            id: new_id(by.at).map_err(failed)?,
            name: new.name,
            email: new.email,
            phone: new.phone,
            status: FIRST_STATUS.to_owned(),
            source: new.source,
            created_at: to_the_microsecond(by.at),
        };
        let stored = StoredLead { lead, metadata: new.metadata, version: 1 };
        let created = self.write_transaction("make a lead", move |connection| {
            Box::pin(async move {
                if let Some(request) = request
                    && let Some(known) = claim_request(connection, &request, &stored).await?
                {
                    return Ok(known);
                }
                insert_lead(connection, &stored, by.account.as_deref()).await?;
                note_move(connection, &stored, None, &by).await?;
                Ok(Creation::Created(stored))
            })
        });
        let created = created.await?;
        if matches!(created, Creation::Created(_)) {
            self.note_written(Some(Instant::now()));
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

    /// A part of the list, newest first, with the number of leads in all of it, both of one state.
    ///
    /// # Errors
    /// As [`Self::get_lead`].
    pub async fn list_leads(&self, query: &LeadQuery) -> Result<LeadPage, StoreError> {
        let query = query.clone();
        self.read_transaction("list leads", move |connection| {
            Box::pin(async move { select_page(connection, &query).await })
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
        let kind = self.kind;
        let changed = self.write_transaction("change a lead", move |connection| {
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
                    return Ok(Change::Changed(after));
                }
                after.version += 1;
                update_lead(connection, &after, by.at).await?;
                if after.lead.status != before.lead.status {
                    note_move(connection, &after, Some(&before.lead.status), &by).await?;
                }
                Ok(Change::Changed(after))
            })
        });
        let changed = changed.await?;
        // What the lead was before stands in the log.
        self.state.wipes.request_wipe();
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

    /// The account whose lead it is; `None` if it is unknown.
    ///
    /// # Errors
    /// The database failed.
    pub async fn account_of(&self, id: Uuid) -> Result<Option<String>, StoreError> {
        self.read_transaction("read an account", move |connection| {
            Box::pin(async move {
                let row = sqlx::query("SELECT account FROM leads WHERE id = $1").bind(id_text(id));
                Ok(row.fetch_optional(connection).await?.map_or(Ok(None), |row| row.try_get(0))?)
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

/// The outcome of an earlier identical request; else remembers this one. Nothing of the lead is kept with it:
/// the answer is made of the request, which is the same.
async fn claim_request(
    connection: &mut AnyConnection,
    request: &IdempotentRequest,
    new: &StoredLead,
) -> Result<Option<Creation>, BoxError> {
    forget_requests(connection, request.forget_before).await?;
    let remembered = sqlx::query(
        "INSERT INTO lead_requests (key_id, digest, request, lead_id, at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (key_id, digest) DO NOTHING",
    )
    .bind(request.key_id)
    .bind(request.digest.to_vec())
    .bind(request.request.to_vec())
    .bind(id_text(new.lead.id))
    .bind(to_micros(new.lead.created_at))
    .execute(&mut *connection)
    .await?;
    if remembered.rows_affected() == 1 {
        return Ok(None);
    }
    let known =
        sqlx::query("SELECT request, lead_id, at FROM lead_requests WHERE key_id = $1 AND digest = $2");
    let known = known.bind(request.key_id).bind(request.digest.to_vec()).fetch_one(connection).await?;
    let Some(body) = known.try_get::<Option<Vec<u8>>, _>(0)? else { return Ok(Some(Creation::Erased)) };
    if body != request.request {
        return Ok(Some(Creation::OtherBody));
    }
    let id = known.try_get::<String, _>(1)?.parse().map_err(|_| Damage("an id that is no UUID"))?;
    let lead = Lead { id, created_at: from_micros(known.try_get(2)?)?, ..new.lead.clone() };
    Ok(Some(Creation::Repeated(StoredLead { lead, ..new.clone() })))
}

/// Tells how many.
pub(super) async fn forget_requests(
    connection: &mut AnyConnection,
    before: DateTime<Utc>,
) -> Result<u64, BoxError> {
    let forget = sqlx::query("DELETE FROM lead_requests WHERE at < $1").bind(to_micros(before));
    Ok(forget.execute(connection).await?.rows_affected())
}

async fn insert_lead(
    connection: &mut AnyConnection,
    stored: &StoredLead,
    account: Option<&str>,
) -> Result<(), BoxError> {
    let lead = &stored.lead;
    sqlx::query(
        "INSERT INTO leads (id, name, email, email_folded, phone, status, source, metadata, created_at, changed_at,
             version, account)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(id_text(lead.id))
    .bind(lead.name.clone())
    .bind(lead.email.clone())
    .bind(lead.email.as_deref().map(fold_email))
    .bind(lead.phone.clone())
    .bind(lead.status.clone())
    .bind(lead.source.clone())
    .bind(serde_json::to_string(&stored.metadata)?)
    .bind(to_micros(lead.created_at))
    .bind(to_micros(lead.created_at))
    .bind(stored.version)
    .bind(account.map(str::to_owned))
    .execute(connection)
    .await?;
    Ok(())
}

async fn update_lead(
    connection: &mut AnyConnection,
    stored: &StoredLead,
    at: DateTime<Utc>,
) -> Result<(), BoxError> {
    let lead = &stored.lead;
    sqlx::query(
        "UPDATE leads SET name = $1, email = $2, email_folded = $3, phone = $4, status = $5, source = $6,
             metadata = $7, changed_at = $8, version = $9
         WHERE id = $10",
    )
    .bind(lead.name.clone())
    .bind(lead.email.clone())
    .bind(lead.email.as_deref().map(fold_email))
    .bind(lead.phone.clone())
    .bind(lead.status.clone())
    .bind(lead.source.clone())
    .bind(serde_json::to_string(&stored.metadata)?)
    .bind(to_micros(at))
    .bind(stored.version)
    .bind(id_text(lead.id))
    .execute(connection)
    .await?;
    Ok(())
}

async fn note_move(
    connection: &mut AnyConnection,
    to: &StoredLead,
    from: Option<&str>,
    by: &Author,
) -> Result<(), BoxError> {
    sqlx::query(
        "INSERT INTO lead_moves (lead_id, version, from_status, to_status, at, key_id)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(id_text(to.lead.id))
    .bind(to.version)
    .bind(from.map(str::to_owned))
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

async fn select_page(connection: &mut AnyConnection, query: &LeadQuery) -> Result<LeadPage, BoxError> {
    let filters = [
        ("account", query.account.as_deref()),
        ("status", query.status.as_deref()),
        ("source", query.source.as_deref()),
    ];
    let given: Vec<(&str, &str)> =
        filters.into_iter().filter_map(|(column, value)| Some((column, value?))).collect();
    let conditions: Vec<String> =
        given.iter().zip(1..).map(|((column, _), n)| format!("{column} = ${n}")).collect();
    let filter =
        if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
    let mut counting = sqlx::query(AssertSqlSafe(format!("SELECT count(*) FROM leads{filter}")));
    let (limit, offset) = (given.len() + 1, given.len() + 2);
    let mut listing = sqlx::query(AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM leads{filter} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}"
    )));
    for (_, value) in &given {
        counting = counting.bind((*value).to_owned());
        listing = listing.bind((*value).to_owned());
    }
    let total = counting.fetch_one(&mut *connection).await?.try_get(0)?;
    let listing = listing.bind(i64::from(query.limit)).bind(i64::from(query.offset));
    let rows = listing.fetch_all(connection).await?;
    let leads = rows.iter().map(|row| Ok(parse_lead(row)?.lead)).collect::<Result<_, BoxError>>()?;
    Ok(LeadPage { leads, total })
}

pub(super) fn parse_lead(row: &AnyRow) -> Result<StoredLead, BoxError> {
    let (id, metadata): (String, String) = (row.try_get("id")?, row.try_get("metadata")?);
    let lead = Lead {
        id: id.parse().map_err(|_| Damage("an id that is no UUID"))?,
        name: row.try_get("name")?,
        email: row.try_get("email")?,
        phone: row.try_get("phone")?,
        status: row.try_get("status")?,
        source: row.try_get("source")?,
        created_at: from_micros(row.try_get("created_at")?)?,
    };
    let metadata =
        serde_json::from_str(&metadata).map_err(|_| Damage("metadata that is no object of texts"))?;
    Ok(StoredLead { lead, metadata, version: row.try_get("version")? })
}

/// A time at the precision that databases keep.
fn to_the_microsecond(at: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(to_micros(at)).unwrap_or(at)
}
