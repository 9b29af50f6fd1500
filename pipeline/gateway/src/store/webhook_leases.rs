//! Leases of webhooks, and what gateways write under them. Every write but the first names the lease that it is made under,
//! so that a gateway which lost it changes nothing. Leases are timed by the database's clock: gateways may disagree about
//! the time.

use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, Row as _};

use super::BoxError;
use super::accounts::from_seconds;
use super::connection::Connection;
use super::webhook_rows::parse_secrets;
use crate::webhooks::{
    AttemptedMessage, ClaimedEndpoint, EndpointLease, FailureVerdict, MAX_DEAD_LETTERS, WebhookMessage,
};

pub(super) const CLAIM: &str = "
    UPDATE webhook_endpoints SET lease_holder = $1, lease_epoch = lease_epoch + 1, lease_until_ms = {now} + $2
    WHERE id = $3 AND disabled_at IS NULL AND (lease_until_ms IS NULL OR lease_until_ms <= {now})
        AND (next_attempt_ms IS NULL OR next_attempt_ms <= {now})
        AND account_id IN (SELECT id FROM accounts WHERE suspended_at IS NULL)
    RETURNING secret, previous_secret, previous_until, lease_epoch, account_id, sport, url, last_event_id,
        message_id, message_type, message_body, attempts, first_attempt_at";

pub(super) const RENEW: &str = "
    UPDATE webhook_endpoints SET lease_until_ms = {now} + $1
    WHERE lease_holder = $2 AND lease_until_ms > {now} AND disabled_at IS NULL
    RETURNING id, lease_epoch";

pub(super) const RELEASE: &str = "
    UPDATE webhook_endpoints SET lease_holder = NULL, lease_until_ms = NULL WHERE id = $1 AND lease_holder = $2";

/// The lease ends: whoever is first when it is time tries again.
pub(super) const RETRY: &str = "
    UPDATE webhook_endpoints SET message_id = $1, message_type = $2, message_body = $3, attempts = $4,
        first_attempt_at = $5, last_attempt_at = $6, last_result = $7, next_attempt_ms = {now} + $8,
        lease_holder = NULL, lease_until_ms = NULL
    WHERE id = $9 AND lease_epoch = $10 AND lease_holder = $11";

const DISABLE: &str = "
    UPDATE webhook_endpoints SET message_id = $1, message_type = $2, message_body = $3, attempts = $4,
        first_attempt_at = $5, last_attempt_at = $6, last_result = $7, next_attempt_ms = NULL,
        disabled_at = $6, disabled_reason = $8, lease_holder = NULL, lease_until_ms = NULL
    WHERE id = $9 AND lease_epoch = $10 AND lease_holder = $11";

const DELIVERED: &str = "
    UPDATE webhook_endpoints SET last_event_id = $1, delivered = delivered + 1, last_delivered_at = $2,
        last_attempt_at = $2, last_result = $3, message_id = NULL, message_type = NULL, message_body = NULL,
        attempts = 0, first_attempt_at = NULL, next_attempt_ms = NULL
    WHERE id = $4 AND lease_epoch = $5 AND lease_holder = $6";

const MOVE: &str = "
    UPDATE webhook_endpoints SET last_event_id = $1 WHERE id = $2 AND lease_epoch = $3 AND lease_holder = $4";

/// A message that dies again, after its endpoint was enabled, is one dead letter.
const BURY: &str = "
    INSERT INTO webhook_dead_letters
        (endpoint_id, message_id, message_type, body, reason, attempts, first_attempt_at, at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (endpoint_id, message_id) DO UPDATE SET
        reason = excluded.reason, attempts = webhook_dead_letters.attempts + excluded.attempts, at = excluded.at";

const DROP_OLDEST: &str = "
    DELETE FROM webhook_dead_letters WHERE endpoint_id = $1 AND id NOT IN (
        SELECT id FROM webhook_dead_letters WHERE endpoint_id = $1 ORDER BY id DESC LIMIT $2)";

pub(super) async fn claim_endpoint(
    connection: &mut Connection,
    sql: AssertSqlSafe<String>,
    endpoint_id: i64,
    holder: &str,
    lease_ms: i64,
) -> Result<Option<ClaimedEndpoint>, BoxError> {
    let claimed = sqlx::query(sql).bind(holder).bind(lease_ms).bind(endpoint_id);
    let Some(row) = claimed.fetch_optional(connection).await? else { return Ok(None) };
    let text = |at: usize| row.try_get::<Option<String>, _>(at);
    let failing = match (text(8)?, text(9)?, text(10)?, row.try_get::<Option<i64>, _>(12)?) {
        (Some(id), Some(kind), Some(body), Some(first)) => Some(AttemptedMessage {
            message: WebhookMessage { id, kind, body },
            attempts: u32::try_from(row.try_get::<i64, _>(11)?)?,
            first_attempt_at: from_seconds(first)?,
        }),
        _ => None,
    };
    Ok(Some(ClaimedEndpoint {
        lease: EndpointLease { endpoint_id, epoch: row.try_get(3)?, holder: holder.to_owned() },
        account_id: row.try_get(4)?,
        sport: text(5)?,
        url: row.try_get(6)?,
        secrets: parse_secrets(&row, 0)?,
        last_event_id: text(7)?,
        failing,
    }))
}

pub(super) async fn move_position(
    connection: &mut Connection,
    lease: &EndpointLease,
    event_id: &str,
) -> Result<bool, BoxError> {
    let moved = sqlx::query(MOVE).bind(event_id).bind(lease.endpoint_id);
    let moved = moved.bind(lease.epoch).bind(lease.holder.as_str()).execute(connection).await?;
    Ok(moved.rows_affected() == 1)
}

pub(super) async fn record_delivery(
    connection: &mut Connection,
    lease: &EndpointLease,
    message_id: &str,
    result: &str,
    at: DateTime<Utc>,
) -> Result<bool, BoxError> {
    let delivered = sqlx::query(DELIVERED).bind(message_id).bind(at.timestamp()).bind(result);
    let delivered = delivered.bind(lease.endpoint_id).bind(lease.epoch).bind(lease.holder.as_str());
    if delivered.execute(&mut *connection).await?.rows_affected() != 1 {
        return Ok(false);
    }
    // It was one, if it died and its endpoint was enabled.
    let letter = "DELETE FROM webhook_dead_letters WHERE endpoint_id = $1 AND message_id = $2";
    sqlx::query(letter).bind(lease.endpoint_id).bind(message_id).execute(connection).await?;
    Ok(true)
}

pub(super) async fn record_failure(
    connection: &mut Connection,
    retry: AssertSqlSafe<String>,
    lease: &EndpointLease,
    failed: &AttemptedMessage,
    (result, verdict, at): (&str, &FailureVerdict, DateTime<Utc>),
) -> Result<bool, BoxError> {
    let statement = match verdict {
        FailureVerdict::RetryAfter(_) => sqlx::query(retry),
        FailureVerdict::Disable { .. } => sqlx::query(DISABLE),
    };
    let AttemptedMessage { message, attempts, first_attempt_at } = failed;
    let statement = statement
        .bind(message.id.as_str())
        .bind(message.kind.as_str())
        .bind(message.body.as_str())
        .bind(i64::from(*attempts))
        .bind(first_attempt_at.timestamp())
        .bind(at.timestamp())
        .bind(result);
    let statement = match verdict {
        FailureVerdict::RetryAfter(delay_ms) => statement.bind(*delay_ms),
        FailureVerdict::Disable { reason, .. } => statement.bind(reason.as_str()),
    };
    let statement = statement.bind(lease.endpoint_id).bind(lease.epoch).bind(lease.holder.as_str());
    if statement.execute(&mut *connection).await?.rows_affected() != 1 {
        return Ok(false);
    }
    if let FailureVerdict::Disable { reason, is_dead: true } = verdict {
        bury_message(connection, lease.endpoint_id, failed, reason, at).await?;
    }
    Ok(true)
}

async fn bury_message(
    connection: &mut Connection,
    endpoint_id: i64,
    failed: &AttemptedMessage,
    reason: &str,
    at: DateTime<Utc>,
) -> Result<(), BoxError> {
    let AttemptedMessage { message, attempts, first_attempt_at } = failed;
    sqlx::query(BURY)
        .bind(endpoint_id)
        .bind(message.id.as_str())
        .bind(message.kind.as_str())
        .bind(message.body.as_str())
        .bind(reason)
        .bind(i64::from(*attempts))
        .bind(first_attempt_at.timestamp())
        .bind(at.timestamp())
        .execute(&mut *connection)
        .await?;
    let dropped = sqlx::query(DROP_OLDEST).bind(endpoint_id).bind(MAX_DEAD_LETTERS);
    let dropped = i64::try_from(dropped.execute(&mut *connection).await?.rows_affected())?;
    if dropped > 0 {
        let count =
            "UPDATE webhook_endpoints SET dropped_dead_letters = dropped_dead_letters + $1 WHERE id = $2";
        sqlx::query(count).bind(dropped).bind(endpoint_id).execute(connection).await?;
    }
    Ok(())
}
