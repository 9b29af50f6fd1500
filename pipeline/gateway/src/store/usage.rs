//! Reservations and usage.

use chrono::{NaiveDate, NaiveTime};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::accounts::{from_seconds, to_signed, to_unsigned};
use super::connection::{Connection, values_list};
use super::{BoxError, DayUsage, Reservation, Usage, UsageFlush};
use crate::rate_limiter::{Grant, ReservationRequest, grant_size};
use crate::window::{Window, WindowKind};

/// The most rows that one statement inserts: SQLite takes 32766 parameters, PostgreSQL 65535.
const MAX_ROWS: usize = 500;

const REFUND: &str = "
    UPDATE windows SET reserved = reserved - $1 WHERE account_id = $2 AND span = $3 AND begins_at = $4";

/// Returns no row if this flush was applied before.
const RECORD_FLUSH: &str = "
    INSERT INTO flushes (gateway, number, at) VALUES ($1, $2, $3)
    ON CONFLICT (gateway) DO UPDATE SET number = $2, at = $3 WHERE flushes.number < $2
    RETURNING number";

const ADD_USAGE: [&str; 2] = [
    "INSERT INTO key_usage_by_day (key_id, day_begins_at, operation, requests, bytes, last_at) VALUES",
    "ON CONFLICT (key_id, day_begins_at, operation) DO UPDATE SET
        requests = key_usage_by_day.requests + excluded.requests,
        bytes = key_usage_by_day.bytes + excluded.bytes,
        last_at = CASE WHEN excluded.last_at > key_usage_by_day.last_at
            THEN excluded.last_at ELSE key_usage_by_day.last_at END",
];

const DELETE_MINUTES: &str = "DELETE FROM windows WHERE span = 'minute' AND begins_at < $1";

/// The months of version 1 of the tables, and days; a day belongs to the month that it begins in. The sum is cast, as it
/// is NUMERIC in PostgreSQL.
const MONTH_USAGE: &str = "
    SELECT key_id, CAST(sum(requests) AS BIGINT) FROM (
        SELECT key_id, requests FROM key_usage WHERE month_begins_at = $2
        UNION ALL
        SELECT key_id, requests FROM key_usage_by_day WHERE day_begins_at >= $2 AND day_begins_at < $3) counted
    WHERE key_id IN (SELECT id FROM keys WHERE account_id = $1)
    GROUP BY key_id ORDER BY key_id";

const MONTH_RESERVED: &str = "
    SELECT reserved FROM windows WHERE account_id = $1 AND begins_at = $2 AND span = 'month'";

const MONTH_DOWNLOADS: &str = "
    SELECT account_id, CAST(sum(bytes) AS BIGINT) FROM key_usage_by_day JOIN keys ON keys.id = key_id
    WHERE bytes > 0 AND day_begins_at >= $1 AND day_begins_at < $2 GROUP BY account_id ORDER BY account_id";

const USAGE_BY_DAY: &str = "
    SELECT day_begins_at, key_id, operation, requests, bytes FROM key_usage_by_day
    WHERE day_begins_at >= $1 AND day_begins_at <= $2 ORDER BY day_begins_at, key_id, operation";

/// The reservations with their indices, in the order in which every gateway makes them, so that no two gateways
/// deadlock.
pub(super) fn order_reservations(reservations: &[Reservation]) -> Vec<(usize, Reservation)> {
    let mut ordered: Vec<(usize, Reservation)> = reservations.iter().copied().enumerate().collect();
    ordered.sort_by_key(|(_, reservation)| (reservation.account_id, reservation.request.window));
    ordered
}

/// A statement that reserves [`grant_size`] of the row's current value. All statements of a commit are sent as one text,
/// because requests wait for them; the text contains only numbers and constants.
pub(super) fn reserve_statement(reservation: &Reservation) -> String {
    let Reservation { account_id, request: ReservationRequest { window, limit, amount } } = *reservation;
    let (span, begins_at, first) =
        (span_name(window), window.begins_at(), to_signed(grant_size(0, limit, amount)));
    let (limit, amount) = (to_signed(limit), to_signed(amount));
    let left = format!("({limit} - windows.reserved) / 4");
    let granted = format!(
        "CASE WHEN windows.reserved >= {limit} THEN 0 WHEN {left} < 1 THEN 1 WHEN {left} < {amount} THEN {left} \
         ELSE {amount} END"
    );
    format!(
        "INSERT INTO windows (account_id, span, begins_at, reserved, granted)
         VALUES ({account_id}, '{span}', {begins_at}, {first}, {first})
         ON CONFLICT (account_id, span, begins_at) DO UPDATE SET
            granted = {granted}, reserved = windows.reserved + {granted}
         RETURNING reserved, granted;"
    )
}

/// The grants, in the order of the reservations before they were sorted.
pub(super) fn parse_grants(
    ordered: &[(usize, Reservation)],
    rows: &[AnyRow],
) -> Result<Vec<Grant>, BoxError> {
    if rows.len() != ordered.len() {
        return Err(format!("{} rows returned for {} reservations", rows.len(), ordered.len()).into());
    }
    let grant = |((index, reservation), row): (&(usize, Reservation), &AnyRow)| {
        let (reserved, granted) = (to_unsigned(row.try_get(0)?), to_unsigned(row.try_get(1)?));
        Ok((*index, Grant { window: reservation.request.window, granted, reserved }))
    };
    let mut grants = ordered.iter().zip(rows).map(grant).collect::<Result<Vec<_>, BoxError>>()?;
    grants.sort_by_key(|(index, _)| *index);
    Ok(grants.into_iter().map(|(_, grant)| grant).collect())
}

pub(super) async fn flush_usage(connection: &mut Connection, flush: &UsageFlush) -> Result<(), BoxError> {
    let UsageFlush { gateway, number, at, refunds, usage, delete_minutes_before } = flush;
    let recorded = sqlx::query(RECORD_FLUSH).bind(gateway.as_str()).bind(*number).bind(at.timestamp());
    if recorded.fetch_optional(&mut *connection).await?.is_none() {
        return Ok(());
    }
    let mut refunds = refunds.clone();
    refunds.sort_by_key(|(account, refund)| (*account, refund.window));
    for (account, refund) in refunds {
        let window = refund.window;
        sqlx::query(REFUND)
            .bind(to_signed(refund.count))
            .bind(account)
            .bind(span_name(window))
            .bind(window.begins_at())
            .execute(&mut *connection)
            .await?;
    }
    let usage: Vec<_> = usage.iter().collect();
    for rows in usage.chunks(MAX_ROWS) {
        let sql = values_list(ADD_USAGE[0], rows.len(), 6, ADD_USAGE[1]);
        // The number of rows varies, so that a prepared statement would not be reused.
        let insert = sqlx::query(sql).persistent(false);
        let insert = rows.iter().fold(insert, |insert, (key, count)| {
            let insert = insert.bind(key.key_id).bind(day_begins_at(key.day)).bind(key.operation);
            insert.bind(count.requests).bind(to_signed(count.bytes)).bind(at.timestamp())
        });
        insert.execute(&mut *connection).await?;
    }
    if let Some(before) = delete_minutes_before {
        sqlx::query(DELETE_MINUTES).bind(before.timestamp()).execute(connection).await?;
    }
    Ok(())
}

pub(super) async fn read_usage(
    connection: &mut Connection,
    account_id: i64,
    month: Window,
) -> Result<Usage, BoxError> {
    let used = sqlx::query(MONTH_USAGE).bind(account_id).bind(month.begins_at()).bind(month.ends_at());
    let used = used.fetch_all(&mut *connection).await?;
    let reserved = sqlx::query(MONTH_RESERVED).bind(account_id).bind(month.begins_at());
    let reserved = reserved.fetch_optional(&mut *connection).await?;
    let downloads = downloads_of_month(connection, month).await?;
    let bytes = downloads.iter().find(|(account, _)| *account == account_id).map_or(0, |(_, bytes)| *bytes);
    let requests = used.iter().map(|row| Ok((row.try_get(0)?, to_unsigned(row.try_get(1)?))));
    let reserved = reserved.map(|row| row.try_get(0)).transpose()?.map_or(0, to_unsigned);
    Ok(Usage { requests: requests.collect::<Result<_, sqlx::Error>>()?, reserved, bytes })
}

pub(super) async fn downloads_of_month(
    connection: &mut Connection,
    month: Window,
) -> Result<Vec<(i64, u64)>, BoxError> {
    let rows = sqlx::query(MONTH_DOWNLOADS).bind(month.begins_at()).bind(month.ends_at());
    let rows = rows.fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, to_unsigned(row.try_get(1)?)))).collect()
}

pub(super) async fn by_day(
    connection: &mut Connection,
    from: NaiveDate,
    to: NaiveDate,
) -> Result<Vec<DayUsage>, BoxError> {
    let rows =
        sqlx::query(USAGE_BY_DAY).bind(day_begins_at(from)).bind(day_begins_at(to)).fetch_all(connection);
    let rows = rows.await?;
    let day = |row: &AnyRow| {
        Ok(DayUsage {
            day: from_seconds(row.try_get(0)?)?.date_naive(),
            key_id: row.try_get(1)?,
            operation: row.try_get(2)?,
            requests: row.try_get(3)?,
            bytes: row.try_get(4)?,
        })
    };
    rows.iter().map(day).collect()
}

pub(super) async fn last_used(
    connection: &mut Connection,
) -> Result<Vec<(i64, chrono::DateTime<chrono::Utc>)>, BoxError> {
    let sql = "SELECT key_id, max(last_at) FROM key_usage_by_day WHERE requests > 0 GROUP BY key_id ORDER BY key_id";
    let rows = sqlx::query(sql).fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, from_seconds(row.try_get(1)?)?))).collect()
}

fn day_begins_at(day: NaiveDate) -> i64 {
    day.and_time(NaiveTime::MIN).and_utc().timestamp()
}

fn span_name(window: Window) -> &'static str {
    match window.kind {
        WindowKind::Minute => "minute",
        WindowKind::Month => "month",
    }
}
