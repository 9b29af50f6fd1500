//! Endpoints of webhooks, as operators and gateways change them. Gateways deliver under leases: see `webhook_leases`.

use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, Row as _};

use super::accounts::record_change;
use super::connection::{Connection, Database};
use super::webhook_rows::{parse_dead_letter, parse_endpoint, parse_secrets};
use super::{Actor, BoxError, SqlStore, StoreError, Subject, TABLES, webhook_leases};
use crate::database::{Durability, OpenMode, open_store};
use crate::webhooks::{
    AddedEndpoint, AttemptedMessage, ClaimedEndpoint, DeadLetter, EndpointLease, EndpointSecrets,
    FailureVerdict, MAX_ACCOUNT_ENDPOINTS, MAX_ENDPOINTS, NewEndpoint, WebhookEndpoint, WebhookSecret,
};

/// A store of webhook endpoints. Calls block. A call that returns an error has changed nothing, unless its commit failed.
pub trait WebhookStore: Send {
    /// All endpoints, by id.
    ///
    /// # Errors
    /// The database failed, or contains what no version of this program wrote.
    fn list_endpoints(&mut self) -> Result<Vec<WebhookEndpoint>, StoreError>;

    /// Dead letters, the oldest first: of an endpoint, or of all.
    ///
    /// # Errors
    /// The database failed.
    fn dead_letters(&mut self, endpoint_id: Option<i64>) -> Result<Vec<DeadLetter>, StoreError>;

    /// Secrets of an endpoint; `None` if there is no such endpoint.
    ///
    /// # Errors
    /// The database failed.
    fn endpoint_secrets(&mut self, endpoint_id: i64) -> Result<Option<EndpointSecrets>, StoreError>;

    /// Adds an endpoint, unless there are too many.
    ///
    /// # Errors
    /// The database failed.
    fn add_endpoint(&mut self, endpoint: &NewEndpoint, by: &Actor) -> Result<AddedEndpoint, StoreError>;

    /// Changes an endpoint; a gateway that works it begins anew. False if there is no such endpoint.
    ///
    /// # Errors
    /// The database failed.
    fn change_endpoint(
        &mut self,
        endpoint_id: i64,
        change: &EndpointChange,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// Takes an endpoint that nobody works, for so many milliseconds. `None` if it is another's, disabled, or waits.
    ///
    /// # Errors
    /// The database failed.
    fn claim_endpoint(
        &mut self,
        endpoint_id: i64,
        holder: &str,
        lease_ms: i64,
    ) -> Result<Option<ClaimedEndpoint>, StoreError>;

    /// Extends all leases of a holder, and returns their endpoints and epochs.
    ///
    /// # Errors
    /// The database failed.
    fn renew_leases(&mut self, holder: &str, lease_ms: i64) -> Result<Vec<(i64, i64)>, StoreError>;

    /// Gives an endpoint back.
    ///
    /// # Errors
    /// The database failed.
    fn release_lease(&mut self, endpoint_id: i64, holder: &str) -> Result<(), StoreError>;

    /// Moves on to an event that needs no delivery. False if the lease is lost; then nothing is changed.
    ///
    /// # Errors
    /// The database failed.
    fn move_position(&mut self, lease: &EndpointLease, event_id: &str) -> Result<bool, StoreError>;

    /// A message was taken. False if the lease is lost; then nothing is changed.
    ///
    /// # Errors
    /// The database failed.
    fn record_delivery(
        &mut self,
        lease: &EndpointLease,
        message_id: &str,
        result: &str,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// A message was not taken: the lease ends with it. False if it is lost; then nothing is changed.
    ///
    /// # Errors
    /// The database failed.
    fn record_failure(
        &mut self,
        lease: &EndpointLease,
        failed: &AttemptedMessage,
        result: &str,
        verdict: &FailureVerdict,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;
}

/// What an operator changes of an endpoint.
#[derive(Debug, Clone)]
pub enum EndpointChange {
    Remove,
    /// Delivery goes on behind the last event that was delivered; a message that failed is tried anew.
    Enable,
    Disable,
    /// A new secret; messages are signed with the old one, too, until then.
    RotateSecret {
        secret: WebhookSecret,
        previous_until: DateTime<Utc>,
    },
    /// Delivery goes on behind this event; `None`: with what is published from now on.
    Replay {
        from: Option<String>,
    },
}

impl EndpointChange {
    /// As the log of key actions has it.
    fn action(&self) -> &'static str {
        match self {
            Self::Remove => "webhook-remove",
            Self::Enable => "webhook-enable",
            Self::Disable => "webhook-disable",
            Self::RotateSecret { .. } => "webhook-rotate",
            Self::Replay { .. } => "webhook-replay",
        }
    }
}

/// Opens the webhooks of the key store at an address.
///
/// # Errors
/// There is no store, it cannot be opened, or its tables cannot be brought to this program's version.
pub fn open_webhook_store(address: &str) -> Result<Box<dyn WebhookStore>, StoreError> {
    let database = Database::open_database(open_store(address, &TABLES, OpenMode::Existing))?;
    Ok(Box::new(SqlStore { database }))
}

/// Endpoints, with the state of their leases by the database's clock.
const ENDPOINTS: &str = "
    SELECT e.id, e.account_id, e.product, e.sport, e.url, e.created_at, e.previous_until, e.disabled_at,
        e.disabled_reason, e.last_event_id, e.message_id, e.attempts, e.first_attempt_at, e.next_attempt_ms, e.delivered,
        e.last_delivered_at, e.last_attempt_at, e.last_result, e.dropped_dead_letters, e.lease_holder, e.lease_epoch,
        (SELECT count(*) FROM webhook_dead_letters d WHERE d.endpoint_id = e.id),
        CASE WHEN e.lease_until_ms IS NULL OR e.lease_until_ms <= {now} THEN 1 ELSE 0 END,
        CASE WHEN e.next_attempt_ms IS NULL OR e.next_attempt_ms <= {now} THEN 1 ELSE 0 END,
        CASE WHEN a.suspended_at IS NULL THEN 0 ELSE 1 END
    FROM webhook_endpoints e JOIN accounts a ON a.id = e.account_id ORDER BY e.id";

const DEAD_LETTERS: &str = "
    SELECT id, endpoint_id, message_id, message_type, body, reason, attempts, first_attempt_at, at
    FROM webhook_dead_letters WHERE $1 = 0 OR endpoint_id = $1 ORDER BY id";

const SECRETS: &str = "SELECT secret, previous_secret, previous_until FROM webhook_endpoints WHERE id = $1";

impl SqlStore {
    /// The statement with the database's own clock in place of `{now}`, in milliseconds since 1970.
    fn with_clock(&self, sql: &str) -> AssertSqlSafe<String> {
        AssertSqlSafe(sql.replace("{now}", self.database.kind().clock_ms()))
    }
}

impl WebhookStore for SqlStore {
    fn list_endpoints(&mut self) -> Result<Vec<WebhookEndpoint>, StoreError> {
        let sql = self.with_clock(ENDPOINTS);
        self.read_statements("read webhook endpoints", async |c| {
            let rows = sqlx::query(sql).fetch_all(c).await?;
            rows.iter().map(parse_endpoint).collect()
        })
    }

    fn dead_letters(&mut self, endpoint_id: Option<i64>) -> Result<Vec<DeadLetter>, StoreError> {
        self.read_statements("read dead letters", async |c| {
            let rows = sqlx::query(DEAD_LETTERS).bind(endpoint_id.unwrap_or(0)).fetch_all(c).await?;
            rows.iter().map(parse_dead_letter).collect()
        })
    }

    fn endpoint_secrets(&mut self, endpoint_id: i64) -> Result<Option<EndpointSecrets>, StoreError> {
        self.read_statements("read a webhook's secret", async |c| {
            let row = sqlx::query(SECRETS).bind(endpoint_id).fetch_optional(c).await?;
            row.map(|row| parse_secrets(&row, 0)).transpose()
        })
    }

    fn add_endpoint(&mut self, endpoint: &NewEndpoint, by: &Actor) -> Result<AddedEndpoint, StoreError> {
        let list = self.with_clock(ENDPOINTS);
        self.write_transaction("add a webhook endpoint", Durability::Now, async |c| {
            add_endpoint(c, endpoint, by, list).await
        })
    }

    fn change_endpoint(
        &mut self,
        endpoint_id: i64,
        change: &EndpointChange,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        self.write_transaction("change a webhook endpoint", Durability::Now, async |c| {
            change_endpoint(c, endpoint_id, change, by).await
        })
    }

    fn claim_endpoint(
        &mut self,
        endpoint_id: i64,
        holder: &str,
        lease_ms: i64,
    ) -> Result<Option<ClaimedEndpoint>, StoreError> {
        let sql = self.with_clock(webhook_leases::CLAIM);
        self.write_transaction("take a webhook endpoint", Durability::Soon, async |c| {
            webhook_leases::claim_endpoint(c, sql, endpoint_id, holder, lease_ms).await
        })
    }

    fn renew_leases(&mut self, holder: &str, lease_ms: i64) -> Result<Vec<(i64, i64)>, StoreError> {
        let sql = self.with_clock(webhook_leases::RENEW);
        self.write_transaction("keep webhook endpoints", Durability::Soon, async |c| {
            let rows = sqlx::query(sql).bind(lease_ms).bind(holder).fetch_all(c).await?;
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })
    }

    fn release_lease(&mut self, endpoint_id: i64, holder: &str) -> Result<(), StoreError> {
        self.write_transaction("give back a webhook endpoint", Durability::Soon, async |c| {
            sqlx::query(webhook_leases::RELEASE).bind(endpoint_id).bind(holder).execute(c).await?;
            Ok(())
        })
    }

    fn move_position(&mut self, lease: &EndpointLease, event_id: &str) -> Result<bool, StoreError> {
        self.write_transaction("write down a webhook's position", Durability::Soon, async |c| {
            webhook_leases::move_position(c, lease, event_id).await
        })
    }

    fn record_delivery(
        &mut self,
        lease: &EndpointLease,
        message_id: &str,
        result: &str,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.write_transaction("write down a webhook's delivery", Durability::Soon, async |c| {
            webhook_leases::record_delivery(c, lease, message_id, result, at).await
        })
    }

    fn record_failure(
        &mut self,
        lease: &EndpointLease,
        failed: &AttemptedMessage,
        result: &str,
        verdict: &FailureVerdict,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let retry = self.with_clock(webhook_leases::RETRY);
        self.write_transaction("write down a webhook's failure", Durability::Now, async |c| {
            webhook_leases::record_failure(c, retry, lease, failed, (result, verdict, at)).await
        })
    }
}

async fn add_endpoint(
    connection: &mut Connection,
    endpoint: &NewEndpoint,
    by: &Actor,
    list: AssertSqlSafe<String>,
) -> Result<AddedEndpoint, BoxError> {
    let NewEndpoint { account_id, product, sport, url, secret } = endpoint;
    let counts = "SELECT count(*), count(CASE WHEN account_id = $1 THEN 1 END) FROM webhook_endpoints";
    let counts = sqlx::query(counts).bind(*account_id).fetch_one(&mut *connection).await?;
    let (all, of_account): (i64, i64) = (counts.try_get(0)?, counts.try_get(1)?);
    if of_account >= MAX_ACCOUNT_ENDPOINTS {
        return Ok(AddedEndpoint::TooMany { limit: MAX_ACCOUNT_ENDPOINTS, of_account: true });
    }
    if all >= MAX_ENDPOINTS {
        return Ok(AddedEndpoint::TooMany { limit: MAX_ENDPOINTS, of_account: false });
    }
    let row = sqlx::query(
        "INSERT INTO webhook_endpoints (account_id, product, sport, url, created_at, secret)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
    )
    .bind(*account_id)
    .bind(product.name())
    .bind(sport.clone())
    .bind(url.as_str())
    .bind(by.at.timestamp())
    .bind(secret.stored_bytes())
    .fetch_one(&mut *connection)
    .await?;
    let id: i64 = row.try_get(0)?;
    let detail = format!("webhook {id} of {}", product.name());
    record_change(connection, by, "webhook-add", Subject::Account(*account_id), *account_id, Some(detail))
        .await?;
    let rows = sqlx::query(list).fetch_all(connection).await?;
    let mut endpoints = rows.iter().map(parse_endpoint).collect::<Result<Vec<_>, _>>()?;
    let added = endpoints.iter().position(|endpoint| endpoint.id == id).ok_or("the endpoint is not there")?;
    Ok(AddedEndpoint::Added(Box::new(endpoints.swap_remove(added))))
}

async fn change_endpoint(
    connection: &mut Connection,
    id: i64,
    change: &EndpointChange,
    by: &Actor,
) -> Result<bool, BoxError> {
    let seconds = by.at.timestamp();
    if matches!(change, EndpointChange::Remove) {
        let letters = "DELETE FROM webhook_dead_letters WHERE endpoint_id = $1";
        sqlx::query(letters).bind(id).execute(&mut *connection).await?;
    }
    let changed = match change {
        EndpointChange::Remove => {
            sqlx::query("DELETE FROM webhook_endpoints WHERE id = $1 RETURNING account_id").bind(id)
        }
        EndpointChange::Enable => sqlx::query(
            "UPDATE webhook_endpoints SET lease_epoch = lease_epoch + 1, disabled_at = NULL, disabled_reason = NULL,
                attempts = 0, next_attempt_ms = NULL WHERE id = $1 RETURNING account_id",
        )
        .bind(id),
        EndpointChange::Disable => sqlx::query(
            "UPDATE webhook_endpoints SET lease_epoch = lease_epoch + 1,
                disabled_reason = CASE WHEN disabled_at IS NULL THEN 'disabled by the operator' ELSE disabled_reason END,
                disabled_at = coalesce(disabled_at, $2) WHERE id = $1 RETURNING account_id",
        )
        .bind(id)
        .bind(seconds),
        EndpointChange::RotateSecret { secret, previous_until } => sqlx::query(
            "UPDATE webhook_endpoints SET lease_epoch = lease_epoch + 1, previous_secret = secret, previous_until = $2,
                secret = $3 WHERE id = $1 RETURNING account_id",
        )
        .bind(id)
        .bind(previous_until.timestamp())
        .bind(secret.stored_bytes()),
        EndpointChange::Replay { from } => sqlx::query(
            "UPDATE webhook_endpoints SET lease_epoch = lease_epoch + 1, last_event_id = $2, message_id = NULL,
                message_type = NULL, message_body = NULL, attempts = 0, first_attempt_at = NULL, next_attempt_ms = NULL
                WHERE id = $1 RETURNING account_id",
        )
        .bind(id)
        .bind(from.clone()),
    };
    let Some(row) = changed.fetch_optional(&mut *connection).await? else { return Ok(false) };
    let account_id: i64 = row.try_get(0)?;
    let detail = match change {
        EndpointChange::Replay { from: Some(from) } => format!("webhook {id} from {from}"),
        EndpointChange::Replay { from: None } => format!("webhook {id} from current"),
        _ => format!("webhook {id}"),
    };
    record_change(connection, by, change.action(), Subject::Account(account_id), account_id, Some(detail))
        .await?;
    Ok(true)
}
