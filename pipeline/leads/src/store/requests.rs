//! Requests with an `Idempotency-Key`, as digests.

use chrono::{DateTime, Utc};
use fdna_gateway::database::{BoxError, Damage};
use sqlx::{AnyConnection, Row as _};
use uuid::Uuid;

use super::{IdempotentRequest, from_micros, id_text, to_micros};

/// Outcome of the claim of an `Idempotency-Key`.
pub(super) enum ClaimedRequest {
    New,
    /// The id of its first lead, and their time.
    Repeated(Uuid, DateTime<Utc>),
    OtherBody,
    Erased,
}

/// The outcome of an earlier identical request; else remembers this one, by the id and the time of its first lead and how many
/// there are. Nothing of the leads is kept with it: the answer is made of the request, which is the same.
pub(super) async fn claim_request(
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

/// Tells how many.
pub(super) async fn forget_requests(
    connection: &mut AnyConnection,
    before: DateTime<Utc>,
) -> Result<u64, BoxError> {
    let forget = sqlx::query("DELETE FROM lead_requests WHERE at < $1").bind(to_micros(before));
    Ok(forget.execute(connection).await?.rows_affected())
}
