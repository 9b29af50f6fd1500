//! Accounts, keys, and their audit log.

use chrono::{DateTime, Utc};
use fdna_api::Plan;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::connection::{Connection, first_number};
use super::{Account, Actor, BoxError, Key, KeyAction, KeyRegistry, NewKey, Subject};
use crate::key::{Environment, KeyDigest};
use crate::plan::{CustomLimits, plan_named};
use crate::scope::KeyScopes;

const ACCOUNTS: &str = "
    SELECT id, name, plan, per_minute, per_month, created_at, suspended_at, download_bytes_per_month FROM accounts ORDER BY id";

const ACCOUNT_NAMED: &str = "
    SELECT id, name, plan, per_minute, per_month, created_at, suspended_at, download_bytes_per_month FROM accounts WHERE name = $1";

const KEYS: &str = "
    SELECT id, account_id, digest, shown, label, environment, created_at, expires_at, suspended_at, revoked_at, scopes
    FROM keys ORDER BY id";

const INCREASE_GENERATION: &str = "UPDATE meta SET value = value + 1 WHERE name = 'generation'";

pub(super) async fn read_generation(connection: &mut Connection) -> Result<i64, BoxError> {
    Ok(first_number(connection, "SELECT value FROM meta WHERE name = 'generation'").await?)
}

pub(super) async fn key_registry(connection: &mut Connection) -> Result<KeyRegistry, BoxError> {
    // The generation is read first, so that a change in between causes another reload.
    let generation = read_generation(connection).await?;
    let accounts = sqlx::query(ACCOUNTS).fetch_all(&mut *connection).await?;
    let keys = sqlx::query(KEYS).fetch_all(connection).await?;
    Ok(KeyRegistry {
        generation,
        accounts: accounts.iter().map(parse_account).collect::<Result<_, _>>()?,
        keys: keys.iter().map(parse_key).collect::<Result<_, _>>()?,
    })
}

pub(super) async fn open_account(
    connection: &mut Connection,
    name: &str,
    plan: Plan,
    custom: CustomLimits,
    by: &Actor,
) -> Result<Account, BoxError> {
    let opened = sqlx::query(
        "INSERT INTO accounts (name, plan, per_minute, per_month, created_at, download_bytes_per_month)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (name) DO NOTHING RETURNING id",
    )
    .bind(name)
    .bind(plan.name())
    .bind(custom.per_minute.map(to_signed))
    .bind(custom.per_month.map(to_signed))
    .bind(by.at.timestamp())
    .bind(custom.download_bytes_per_month.map(to_signed))
    .fetch_optional(&mut *connection)
    .await?;
    let row = sqlx::query(ACCOUNT_NAMED).bind(name).fetch_one(&mut *connection).await?;
    let account = parse_account(&row)?;
    if opened.is_some() {
        record_change(
            connection,
            by,
            "open",
            Subject::Account(account.id),
            account.id,
            Some(describe_terms(plan, custom)),
        )
        .await?;
    }
    Ok(account)
}

pub(super) async fn change_plan(
    connection: &mut Connection,
    account_id: i64,
    plan: Plan,
    custom: CustomLimits,
    by: &Actor,
) -> Result<(), BoxError> {
    let sql = "UPDATE accounts SET plan = $1, per_minute = $2, per_month = $3, download_bytes_per_month = $4
        WHERE id = $5";
    sqlx::query(sql)
        .bind(plan.name())
        .bind(custom.per_minute.map(to_signed))
        .bind(custom.per_month.map(to_signed))
        .bind(custom.download_bytes_per_month.map(to_signed))
        .bind(account_id)
        .execute(&mut *connection)
        .await?;
    record_change(
        connection,
        by,
        "plan",
        Subject::Account(account_id),
        account_id,
        Some(describe_terms(plan, custom)),
    )
    .await
}

pub(super) async fn add_key(
    connection: &mut Connection,
    key: &NewKey,
    ends: Option<(i64, DateTime<Utc>)>,
    by: &Actor,
) -> Result<Key, BoxError> {
    if let Some((other, at)) = ends {
        // An earlier expiry is kept.
        let sql = "UPDATE keys SET expires_at = $1 WHERE id = $2 AND (expires_at IS NULL OR expires_at > $1)";
        sqlx::query(sql).bind(at.timestamp()).bind(other).execute(&mut *connection).await?;
    }
    let row = sqlx::query(
        "INSERT INTO keys (account_id, digest, shown, label, environment, created_at, expires_at, scopes)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
    )
    .bind(key.account_id)
    .bind(key.digest.0.to_vec())
    .bind(key.shown.as_str())
    .bind(key.label.clone())
    .bind(key.environment.name())
    .bind(by.at.timestamp())
    .bind(key.expires_at.map(|at| at.timestamp()))
    .bind(key.scopes.stored_text())
    .fetch_one(&mut *connection)
    .await?;
    let id = row.try_get(0)?;
    let (action, detail) = match ends {
        Some((other, at)) => {
            ("rotate", Some(format!("in place of key {other}, which ends {}", at.to_rfc3339())))
        }
        None => {
            let label = key.label.as_ref().map(|label| format!("label {label}"));
            let scopes = key.scopes.stored_text().map(|scopes| format!("scopes {scopes}"));
            let details: Vec<String> = label.into_iter().chain(scopes).collect();
            ("issue", (!details.is_empty()).then(|| details.join(", ")))
        }
    };
    record_change(connection, by, action, Subject::Key(id), key.account_id, detail).await?;
    let NewKey { account_id, digest, shown, label, scopes, environment, expires_at } = key.clone();
    let (created_at, suspended_at, revoked_at) = (by.at, None, None);
    Ok(Key {
        id,
        account_id,
        digest,
        shown,
        label,
        scopes,
        environment,
        created_at,
        expires_at,
        suspended_at,
        revoked_at,
    })
}

pub(super) async fn revoke_key(connection: &mut Connection, key_id: i64, by: &Actor) -> Result<(), BoxError> {
    let sql = "UPDATE keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL RETURNING account_id";
    let revoked =
        sqlx::query(sql).bind(by.at.timestamp()).bind(key_id).fetch_optional(&mut *connection).await?;
    match revoked {
        Some(row) => {
            record_change(connection, by, "revoke", Subject::Key(key_id), row.try_get(0)?, None).await
        }
        None => Ok(()),
    }
}

/// Suspends or resumes. False if nothing changed.
pub(super) async fn set_suspended(
    connection: &mut Connection,
    subject: Subject,
    suspended: bool,
    by: &Actor,
) -> Result<bool, BoxError> {
    let (sql, id) = match subject {
        Subject::Account(id) => (
            "UPDATE accounts SET suspended_at = $1 WHERE id = $2 AND (suspended_at IS NULL) = $3 RETURNING id",
            id,
        ),
        Subject::Key(id) => (
            "UPDATE keys SET suspended_at = $1 WHERE id = $2 AND (suspended_at IS NULL) = $3 RETURNING account_id",
            id,
        ),
    };
    let since = suspended.then(|| by.at.timestamp());
    let found =
        sqlx::query(sql).bind(since).bind(id).bind(suspended).fetch_optional(&mut *connection).await?;
    let Some(row) = found else { return Ok(false) };
    let action = if suspended { "suspend" } else { "resume" };
    record_change(connection, by, action, subject, row.try_get(0)?, None).await?;
    Ok(true)
}

pub(super) async fn list_actions(connection: &mut Connection) -> Result<Vec<KeyAction>, BoxError> {
    let sql = "SELECT at, by_whom, action, account_id, key_id, detail FROM key_actions ORDER BY id";
    let rows = sqlx::query(sql).fetch_all(connection).await?;
    let action = |row: &AnyRow| {
        Ok(KeyAction {
            at: from_seconds(row.try_get(0)?)?,
            by: row.try_get(1)?,
            action: row.try_get(2)?,
            account_id: row.try_get(3)?,
            key_id: row.try_get(4)?,
            detail: row.try_get(5)?,
        })
    };
    rows.iter().map(action).collect()
}

/// Adds an audit entry and increases the generation.
pub(super) async fn record_change(
    connection: &mut Connection,
    by: &Actor,
    action: &str,
    subject: Subject,
    account_id: i64,
    detail: Option<String>,
) -> Result<(), BoxError> {
    let key_id = match subject {
        Subject::Account(_) => None,
        Subject::Key(id) => Some(id),
    };
    sqlx::query(
        "INSERT INTO key_actions (at, by_whom, action, account_id, key_id, detail) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(by.at.timestamp())
    .bind(by.name.as_str())
    .bind(action)
    .bind(account_id)
    .bind(key_id)
    .bind(detail)
    .execute(&mut *connection)
    .await?;
    sqlx::query(INCREASE_GENERATION).execute(connection).await?;
    Ok(())
}

fn describe_terms(plan: Plan, custom: CustomLimits) -> String {
    let own = [
        ("per minute", custom.per_minute),
        ("per month", custom.per_month),
        ("bytes of files per month", custom.download_bytes_per_month),
    ];
    let own = own.iter().filter_map(|(what, number)| number.map(|number| format!(", {number} {what}")));
    own.fold(format!("plan {}", plan.name()), |text, own| text + &own)
}

fn parse_account(row: &AnyRow) -> Result<Account, BoxError> {
    let limit = |at: usize| Ok::<_, BoxError>(row.try_get::<Option<i64>, _>(at)?.map(to_unsigned));
    let plan: String = row.try_get(2)?;
    Ok(Account {
        id: row.try_get(0)?,
        name: row.try_get(1)?,
        plan: plan_named(&plan)
            .ok_or_else(|| format!("a plan `{plan}`: no version of this program wrote that"))?,
        custom: CustomLimits {
            per_minute: limit(3)?,
            per_month: limit(4)?,
            download_bytes_per_month: limit(7)?,
        },
        created_at: from_seconds(row.try_get(5)?)?,
        suspended_at: time_if(row.try_get(6)?)?,
    })
}

fn parse_key(row: &AnyRow) -> Result<Key, BoxError> {
    let digest: Vec<u8> = row.try_get(2)?;
    let digest = digest.try_into().map_err(|_| "a digest that is not of 32 bytes")?;
    let environment: String = row.try_get(5)?;
    Ok(Key {
        id: row.try_get(0)?,
        account_id: row.try_get(1)?,
        digest: KeyDigest(digest),
        shown: row.try_get(3)?,
        label: row.try_get(4)?,
        environment: Environment::from_name(&environment).ok_or("an environment that is none")?,
        created_at: from_seconds(row.try_get(6)?)?,
        expires_at: time_if(row.try_get(7)?)?,
        suspended_at: time_if(row.try_get(8)?)?,
        revoked_at: time_if(row.try_get(9)?)?,
        scopes: KeyScopes::of_stored(row.try_get::<Option<String>, _>(10)?.as_deref())?,
    })
}

pub(super) fn from_seconds(secs: i64) -> Result<DateTime<Utc>, BoxError> {
    DateTime::from_timestamp(secs, 0).ok_or_else(|| format!("a time of {secs} seconds since 1970").into())
}

fn time_if(secs: Option<i64>) -> Result<Option<DateTime<Utc>>, BoxError> {
    secs.map(from_seconds).transpose()
}

pub(super) fn to_signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn to_unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
