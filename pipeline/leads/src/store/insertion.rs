//! Makes a lead with its first move and its entry in one call of either database, and finds its duplicates.

use fdna_gateway::database::{BoxError, Damage, DatabaseKind};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, Row as _};
use uuid::Uuid;

use super::{Author, MAX_DUPLICATES, id_text, to_micros};
use crate::lead::{Lead, StoredLead, fold_email, fold_name};

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
    let insert = bind_fields(sqlx::query(sql).bind(id_text(lead.id)), stored)?
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

/// Binds what may change of a lead, but for its version and times: name, email, that folded, telephone number, status, source and
/// metadata, in this order.
pub(super) fn bind_fields<'q>(
    query: Query<'q, Any, AnyArguments>,
    stored: &StoredLead,
) -> Result<Query<'q, Any, AnyArguments>, BoxError> {
    let lead = &stored.lead;
    Ok(query
        .bind(lead.name.clone())
        .bind(lead.email.clone())
        .bind(lead.email.as_deref().map(fold_email))
        .bind(lead.phone.clone())
        .bind(lead.status.clone())
        .bind(lead.source.clone())
        .bind(serde_json::to_string(&stored.metadata)?))
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
