//! Rows of the tables of webhooks.

use chrono::DateTime;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::BoxError;
use super::accounts::from_seconds;
use crate::key::KeyProduct;
use crate::webhooks::{
    DeadLetter, EndpointSecrets, FailingMessage, LeaseState, WebhookEndpoint, WebhookMessage, WebhookSecret,
};

pub(super) fn parse_endpoint(row: &AnyRow) -> Result<WebhookEndpoint, BoxError> {
    let time = |at: usize| row.try_get::<Option<i64>, _>(at)?.map(from_seconds).transpose();
    let is_set = |at: usize| Ok::<_, BoxError>(row.try_get::<i64, _>(at)? != 0);
    let product: String = row.try_get(2)?;
    let next: Option<i64> = row.try_get(13)?;
    let failing = match (row.try_get::<Option<String>, _>(10)?, time(12)?) {
        (Some(message_id), Some(first_attempt_at)) => Some(FailingMessage {
            message_id,
            attempts: u32::try_from(row.try_get::<i64, _>(11)?)?,
            first_attempt_at,
            next_attempt_at: next.and_then(DateTime::from_timestamp_millis),
        }),
        _ => None,
    };
    Ok(WebhookEndpoint {
        id: row.try_get(0)?,
        account_id: row.try_get(1)?,
        product: KeyProduct::from_name(&product).ok_or("a webhook of no product")?,
        sport: row.try_get(3)?,
        url: row.try_get(4)?,
        created_at: from_seconds(row.try_get(5)?)?,
        previous_secret_until: time(6)?,
        disabled_at: time(7)?,
        disabled_reason: row.try_get(8)?,
        last_event_id: row.try_get(9)?,
        failing,
        delivered: row.try_get(14)?,
        last_delivered_at: time(15)?,
        last_attempt_at: time(16)?,
        last_result: row.try_get(17)?,
        dropped_dead_letters: row.try_get(18)?,
        dead_letters: row.try_get(21)?,
        is_suspended: is_set(24)?,
        lease: LeaseState {
            holder: row.try_get(19)?,
            epoch: row.try_get(20)?,
            is_free: is_set(22)?,
            is_due: is_set(23)?,
        },
    })
}

pub(super) fn parse_dead_letter(row: &AnyRow) -> Result<DeadLetter, BoxError> {
    Ok(DeadLetter {
        id: row.try_get(0)?,
        endpoint_id: row.try_get(1)?,
        message: WebhookMessage { id: row.try_get(2)?, kind: row.try_get(3)?, body: row.try_get(4)? },
        reason: row.try_get(5)?,
        attempts: u32::try_from(row.try_get::<i64, _>(6)?)?,
        first_attempt_at: from_seconds(row.try_get(7)?)?,
        at: from_seconds(row.try_get(8)?)?,
    })
}

/// From three columns, beginning with this one.
pub(super) fn parse_secrets(row: &AnyRow, first: usize) -> Result<EndpointSecrets, BoxError> {
    let previous: Option<Vec<u8>> = row.try_get(first + 1)?;
    let until: Option<i64> = row.try_get(first + 2)?;
    let previous = previous
        .zip(until)
        .map(|(secret, until)| Ok::<_, BoxError>((WebhookSecret::of_stored(secret), from_seconds(until)?)));
    Ok(EndpointSecrets {
        current: WebhookSecret::of_stored(row.try_get(first)?),
        previous: previous.transpose()?,
    })
}
