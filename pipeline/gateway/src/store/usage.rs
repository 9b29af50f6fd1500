//! Portions that gateways reserve, and what they used.

use chrono::{NaiveDate, NaiveTime};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::accounts::{signed, time, unsigned};
use super::connection::{Connection, values_list};
use super::{Ask, BoxError, DayUsage, Settlement, Usage};
use crate::counter::{Grant, Wanted, portion_of};
use crate::window::{Span, Window};

/// Rows that one statement inserts, at most: SQLite takes 32766 parameters, PostgreSQL 65535.
const ROWS: usize = 500;

const RETURN: &str = "
    UPDATE windows SET reserved = reserved - $1 WHERE account_id = $2 AND span = $3 AND begins_at = $4";

/// No row comes back where this settlement was applied before.
const FLUSHED: &str = "
    INSERT INTO flushes (gateway, number, at) VALUES ($1, $2, $3)
    ON CONFLICT (gateway) DO UPDATE SET number = $2, at = $3 WHERE flushes.number < $2
    RETURNING number";

const COUNT: [&str; 2] = [
    "INSERT INTO key_usage_by_day (key_id, day_begins_at, operation, requests, last_at) VALUES",
    "ON CONFLICT (key_id, day_begins_at, operation) DO UPDATE SET
        requests = key_usage_by_day.requests + excluded.requests,
        last_at = CASE WHEN excluded.last_at > key_usage_by_day.last_at
            THEN excluded.last_at ELSE key_usage_by_day.last_at END",
];

const FORGET: &str = "DELETE FROM windows WHERE span = 'minute' AND begins_at < $1";

/// Months that version 1 of the tables counted, and days; a day is of the month that it begins in. Sums are cast:
/// PostgreSQL makes them wider.
const USED: &str = "
    SELECT key_id, CAST(sum(requests) AS BIGINT) FROM (
        SELECT key_id, requests FROM key_usage WHERE month_begins_at = $2
        UNION ALL
        SELECT key_id, requests FROM key_usage_by_day WHERE day_begins_at >= $2 AND day_begins_at < $3) counted
    WHERE key_id IN (SELECT id FROM keys WHERE account_id = $1)
    GROUP BY key_id ORDER BY key_id";

const RESERVED: &str = "
    SELECT reserved FROM windows WHERE account_id = $1 AND begins_at = $2 AND span = 'month'";

const BY_DAY: &str = "
    SELECT day_begins_at, key_id, operation, requests FROM key_usage_by_day
    WHERE day_begins_at >= $1 AND day_begins_at <= $2 ORDER BY day_begins_at, key_id, operation";

/// The asks in the order in which every gateway makes its own, so that two of them never wait for each other.
pub(super) fn ordered(asks: &[Ask]) -> Vec<(usize, Ask)> {
    let mut ordered: Vec<(usize, Ask)> = asks.iter().copied().enumerate().collect();
    ordered.sort_by_key(|(_, ask)| (ask.account_id, ask.wanted.window));
    ordered
}

/// Reserves a portion: [`portion_of`], of what the row holds at that moment. All statements of a commit are sent as
/// one text, since requests wait for them; nothing but numbers and our own words is written into it.
pub(super) fn reserve(ask: &Ask) -> String {
    let Ask { account_id, wanted: Wanted { window, limit, portion } } = *ask;
    let (span, begins_at, first) = (span(window), window.begins_at(), signed(portion_of(0, limit, portion)));
    let (limit, portion) = (signed(limit), signed(portion));
    let left = format!("({limit} - windows.reserved) / 4");
    let granted = format!(
        "CASE WHEN windows.reserved >= {limit} THEN 0 WHEN {left} < 1 THEN 1 WHEN {left} < {portion} THEN {left} \
         ELSE {portion} END"
    );
    format!(
        "INSERT INTO windows (account_id, span, begins_at, reserved, granted)
         VALUES ({account_id}, '{span}', {begins_at}, {first}, {first})
         ON CONFLICT (account_id, span, begins_at) DO UPDATE SET
            granted = {granted}, reserved = windows.reserved + {granted}
         RETURNING reserved, granted;"
    )
}

/// What was granted, in the order of the asks.
pub(super) fn grants(ordered: &[(usize, Ask)], rows: &[AnyRow]) -> Result<Vec<Grant>, BoxError> {
    if rows.len() != ordered.len() {
        return Err(format!("{} rows came back for {} portions", rows.len(), ordered.len()).into());
    }
    let grant = |((place, ask), row): (&(usize, Ask), &AnyRow)| {
        let (reserved, granted) = (unsigned(row.try_get(0)?), unsigned(row.try_get(1)?));
        Ok((*place, Grant { window: ask.wanted.window, granted, reserved }))
    };
    let mut grants = ordered.iter().zip(rows).map(grant).collect::<Result<Vec<_>, BoxError>>()?;
    grants.sort_by_key(|(place, _)| *place);
    Ok(grants.into_iter().map(|(_, grant)| grant).collect())
}

pub(super) async fn settle(connection: &mut Connection, settlement: &Settlement) -> Result<(), BoxError> {
    let Settlement { gateway, number, at, unused, used, forget_before } = settlement;
    let flushed = sqlx::query(FLUSHED).bind(gateway.as_str()).bind(*number).bind(at.timestamp());
    if flushed.fetch_optional(&mut *connection).await?.is_none() {
        return Ok(());
    }
    let mut unused = unused.clone();
    unused.sort_by_key(|(account, unused)| (*account, unused.window));
    for (account, unused) in unused {
        let window = unused.window;
        sqlx::query(RETURN)
            .bind(signed(unused.count))
            .bind(account)
            .bind(span(window))
            .bind(window.begins_at())
            .execute(&mut *connection)
            .await?;
    }
    let used: Vec<_> = used.iter().collect();
    for rows in used.chunks(ROWS) {
        let sql = values_list(COUNT[0], rows.len(), 5, COUNT[1]);
        // Of any length: not worth keeping.
        let insert = sqlx::query(sql).persistent(false);
        let insert = rows.iter().fold(insert, |insert, (tally, requests)| {
            let insert = insert.bind(tally.key_id).bind(day_begins_at(tally.day)).bind(tally.operation);
            insert.bind(**requests).bind(at.timestamp())
        });
        insert.execute(&mut *connection).await?;
    }
    if let Some(before) = forget_before {
        sqlx::query(FORGET).bind(before.timestamp()).execute(connection).await?;
    }
    Ok(())
}

pub(super) async fn usage(
    connection: &mut Connection,
    account_id: i64,
    month: Window,
) -> Result<Usage, BoxError> {
    let used = sqlx::query(USED).bind(account_id).bind(month.begins_at()).bind(month.ends_at());
    let used = used.fetch_all(&mut *connection).await?;
    let reserved = sqlx::query(RESERVED).bind(account_id).bind(month.begins_at());
    let reserved = reserved.fetch_optional(connection).await?;
    let requests = used.iter().map(|row| Ok((row.try_get(0)?, unsigned(row.try_get(1)?))));
    let reserved = reserved.map(|row| row.try_get(0)).transpose()?.map_or(0, unsigned);
    Ok(Usage { requests: requests.collect::<Result<_, sqlx::Error>>()?, reserved })
}

pub(super) async fn by_day(
    connection: &mut Connection,
    from: NaiveDate,
    to: NaiveDate,
) -> Result<Vec<DayUsage>, BoxError> {
    let rows = sqlx::query(BY_DAY).bind(day_begins_at(from)).bind(day_begins_at(to)).fetch_all(connection);
    let rows = rows.await?;
    let day = |row: &AnyRow| {
        Ok(DayUsage {
            day: time(row.try_get(0)?)?.date_naive(),
            key_id: row.try_get(1)?,
            operation: row.try_get(2)?,
            requests: row.try_get(3)?,
        })
    };
    rows.iter().map(day).collect()
}

pub(super) async fn last_used(
    connection: &mut Connection,
) -> Result<Vec<(i64, chrono::DateTime<chrono::Utc>)>, BoxError> {
    let sql = "SELECT key_id, max(last_at) FROM key_usage_by_day WHERE requests > 0 GROUP BY key_id ORDER BY key_id";
    let rows = sqlx::query(sql).fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, time(row.try_get(1)?)?))).collect()
}

fn day_begins_at(day: NaiveDate) -> i64 {
    day.and_time(NaiveTime::MIN).and_utc().timestamp()
}

fn span(window: Window) -> &'static str {
    match window.span {
        Span::Minute => "minute",
        Span::Month => "month",
    }
}
