//! Verification of a store: the database itself, its tables, and rows that no version of this program wrote. Nothing that is
//! told has a lead's data.

use chrono::{DateTime, TimeDelta, Utc};
use fdna_gateway::database::{
    BoxError, Damage, FaultCause, OpenError, OpenMode, find_damage, find_missing, find_store, migrate_tables,
};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};
use uuid::Uuid;

use super::events::Action;
use super::leads::{COLUMNS, parse_lead};
use super::{LeadStore, StoreError, TABLES, from_micros, query_failed};
use crate::lead::{fold_email, fold_name};

/// Problems that are told of one table, at most.
const MAX_SHOWN: usize = 20;

/// Clocks of two machines.
const CLOCK_SLACK: TimeDelta = TimeDelta::minutes(5);

/// Query of a table, and the check of one of its rows.
type TableCheck = (&'static str, String, fn(&AnyRow, DateTime<Utc>) -> Result<(), BoxError>);

impl LeadStore {
    /// Problems of the store at an address, a line each; no time in it may be after `now`.
    ///
    /// # Errors
    /// There is no store, it is of a later version of this program, or its tables cannot be brought to this one's.
    pub async fn verify_store(address: &str, now: DateTime<Utc>) -> Result<Vec<String>, StoreError> {
        let opened = async {
            let mut opened = find_store(address, &TABLES, OpenMode::Existing).await?;
            let found = find_damage(&mut opened.connection).await;
            let damage = found.unwrap_or_else(|error| vec![query_failed("find damage", &error).to_string()]);
            if damage.is_empty() {
                migrate_tables(&mut opened, &TABLES).await?;
            }
            Ok((opened, damage))
        };
        let opened = match opened.await {
            Ok((opened, damage)) if damage.is_empty() => opened,
            Ok((_, damage)) => return Ok(damage),
            Err(error) if OpenError::fault(&error) == FaultCause::Damaged => {
                let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
                return Ok(vec![format!("{error}{}", cause.unwrap_or_default())]);
            }
            Err(error) => return Err(error.into()),
        };
        let store = Self::from_opened(opened, OpenMode::Existing).await?;
        let latest = now + CLOCK_SLACK;
        let problems =
            store.read_transaction("verify the store", move |c| Box::pin(check_rows(c, latest))).await;
        store.close().await;
        Ok(problems.unwrap_or_else(|error| vec![error.to_string()]))
    }
}

async fn check_rows(connection: &mut AnyConnection, latest: DateTime<Utc>) -> Result<Vec<String>, BoxError> {
    let mut problems = find_missing(connection, &TABLES).await?;
    let checks: [TableCheck; 6] = [
        ("leads", format!("SELECT {COLUMNS}, email_folded, name_folded FROM leads ORDER BY id"), check_lead),
        (
            "lead_moves",
            "SELECT lead_id, at, to_status, m.version, created_at
             FROM lead_moves m JOIN leads ON id = lead_id ORDER BY lead_id, m.version"
                .to_owned(),
            check_move,
        ),
        (
            "lead_tombstones",
            "SELECT id, erased_at, wiped_at FROM lead_tombstones ORDER BY id".to_owned(),
            check_tombstone,
        ),
        (
            "lead_requests",
            "SELECT lead_id, at, digest, request FROM lead_requests ORDER BY lead_id".to_owned(),
            check_request,
        ),
        (
            "lead_events",
            "SELECT lead_id, at, action, leads, account, seq FROM lead_events ORDER BY row_id".to_owned(),
            check_event,
        ),
        (
            "lead_imports",
            "SELECT lead_id, at, digest AS request FROM lead_imports ORDER BY lead_id".to_owned(),
            check_import,
        ),
    ];
    for (table, sql, check) in checks {
        let rows = match sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut *connection).await {
            Ok(rows) => rows,
            Err(error) => {
                problems.push(query_failed("read a table", &error.into()).to_string());
                continue;
            }
        };
        let wrong = rows.iter().filter_map(|row| Some((row, check(row, latest).err()?)));
        for (row, error) in wrong.take(MAX_SHOWN) {
            // An id is no personal data, if it is one.
            let id = row.try_get::<String, _>(0).ok().filter(|id| id.parse::<Uuid>().is_ok());
            let reason = query_failed("", &error).into_reason();
            problems.push(format!("{table} {}: {reason}", id.as_deref().unwrap_or("(no id)")));
        }
    }
    let moves = "SELECT l.id FROM leads l WHERE l.status IS DISTINCT FROM
        (SELECT m.to_status FROM lead_moves m WHERE m.lead_id = l.id ORDER BY m.version DESC LIMIT 1) ORDER BY l.id";
    for row in sqlx::query(moves).fetch_all(connection).await?.iter().take(MAX_SHOWN) {
        problems.push(format!(
            "leads {}: its status is not what its history ends with",
            row.try_get::<String, _>(0)?
        ));
    }
    Ok(problems)
}

fn check_lead(row: &AnyRow, latest: DateTime<Utc>) -> Result<(), BoxError> {
    let lead = parse_lead(row)?;
    let folded_email: Option<String> = row.try_get("email_folded")?;
    let folded_name: Option<Vec<u8>> = row.try_get("name_folded")?;
    let changed_at = lead.lead.updated_at;
    let is_e164 = |phone: &String| {
        phone.strip_prefix('+').is_some_and(|digits| {
            (4..=17).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let (email, phone) = (&lead.lead.email, &lead.lead.phone);
    let checks = [
        (lead.lead.id.get_version_num() == 7, "its id is no UUID of version 7"),
        (email.as_deref().map(fold_email) == folded_email, "its email differs from what it is found by"),
        (
            Some(fold_name(&lead.lead.name).into_bytes()) == folded_name,
            "its name differs from what it is found by",
        ),
        (phone.iter().all(is_e164), "its telephone number is not in E.164"),
        (email.is_some() || phone.is_some(), "it has neither email nor telephone number"),
        (!lead.lead.name.is_empty() && !lead.lead.status.is_empty(), "it has no name or no status"),
        (lead.version > 0, "its version is not above 0"),
        (changed_at >= lead.lead.created_at, "it was changed before it was made"),
        (changed_at <= latest, "it was changed after now"),
    ];
    match checks.into_iter().find(|(holds, _)| !holds) {
        Some((_, what)) => Err(what.into()),
        None => Ok(()),
    }
}

fn check_move(row: &AnyRow, latest: DateTime<Utc>) -> Result<(), BoxError> {
    let (at, created_at) = (from_micros(row.try_get("at")?)?, from_micros(row.try_get("created_at")?)?);
    if at > latest || at < created_at - CLOCK_SLACK {
        return Err(Damage("a move after now, or before the lead was made").into());
    }
    let (status, version): (String, i64) = (row.try_get("to_status")?, row.try_get("version")?);
    if status.is_empty() || version < 1 { Err(Damage("a move to nothing").into()) } else { Ok(()) }
}

fn check_tombstone(row: &AnyRow, _: DateTime<Utc>) -> Result<(), BoxError> {
    row.try_get::<String, _>("id")?.parse::<Uuid>().map_err(|_| Damage("an id that is no UUID"))?;
    from_micros(row.try_get("erased_at")?)?;
    row.try_get::<Option<i64>, _>("wiped_at")?.map(from_micros).transpose()?;
    Ok(())
}

fn check_event(row: &AnyRow, latest: DateTime<Utc>) -> Result<(), BoxError> {
    let (action, leads): (String, i64) = (row.try_get("action")?, row.try_get("leads")?);
    let lead: Option<String> = row.try_get("lead_id")?;
    let is_id = lead.is_none_or(|lead| lead.parse::<Uuid>().is_ok());
    let seq: Option<i64> = row.try_get("seq")?;
    let is_known =
        Action::from_name(&action).is_some() && is_id && leads >= 0 && seq.is_none_or(|seq| seq > 0);
    match from_micros(row.try_get("at")?)? <= latest && is_known {
        true => Ok(()),
        false => Err(Damage("an entry of the audit that no program wrote, or after now").into()),
    }
}

fn check_import(row: &AnyRow, _: DateTime<Utc>) -> Result<(), BoxError> {
    from_micros(row.try_get("at")?)?;
    let digest: Option<Vec<u8>> = row.try_get("request")?;
    let is_whole = digest.is_none_or(|digest| digest.len() == 32);
    if is_whole { Ok(()) } else { Err(Damage("a digest that is not of 32 bytes").into()) }
}

fn check_request(row: &AnyRow, _: DateTime<Utc>) -> Result<(), BoxError> {
    from_micros(row.try_get("at")?)?;
    let (digest, request): (Vec<u8>, Option<Vec<u8>>) = (row.try_get("digest")?, row.try_get("request")?);
    let is_whole = digest.len() == 32 && request.is_none_or(|request| request.len() == 32);
    if is_whole { Ok(()) } else { Err(Damage("a digest that is not of 32 bytes").into()) }
}
