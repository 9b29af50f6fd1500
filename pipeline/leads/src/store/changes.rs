//! The list of changes of an account. A change gets its number once it is committed, so that who read up to a number misses none
//! of a transaction that took longer.

use chrono::{DateTime, Utc};
use fdna_gateway::database::{BoxError, Damage};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};
use uuid::Uuid;

use super::events::Action;
use super::{LeadStore, StoreError, from_micros};

/// Changes that are numbered in a transaction.
const NUMBERED_AT_ONCE: i64 = 5000;

/// A lead was created, changed or erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadChange {
    /// Its number among the changes of the account.
    pub seq: i64,
    pub action: Action,
    pub lead: Uuid,
    pub at: DateTime<Utc>,
}

/// A part of the changes of an account, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangePage {
    pub changes: Vec<LeadChange>,
    /// The last number there is, of the same state.
    pub last: i64,
    /// The last number that is not kept any more; 0 where all are.
    pub forgotten: i64,
}

impl LeadStore {
    /// The changes of an account behind a number.
    ///
    /// # Errors
    /// The database failed, or has what no version of this program wrote.
    pub async fn list_changes(
        &self,
        account: &str,
        after: i64,
        limit: u32,
    ) -> Result<ChangePage, StoreError> {
        let account = account.to_owned();
        self.read_transaction("list changes", move |connection| {
            Box::pin(async move {
                let feed = sqlx::query("SELECT last, forgotten FROM lead_feeds WHERE account = $1");
                let feed = feed.bind(account.clone()).fetch_optional(&mut *connection).await?;
                let (last, forgotten) = match feed {
                    Some(row) => (row.try_get(0)?, row.try_get(1)?),
                    None => (0, 0),
                };
                let listed = sqlx::query(
                    "SELECT seq, action, lead_id, at FROM lead_events
                     WHERE account = $1 AND seq > $2 AND is_change = 1 ORDER BY seq LIMIT $3",
                );
                let listed = listed.bind(account).bind(after).bind(i64::from(limit));
                let rows = listed.fetch_all(connection).await?;
                let changes = rows.iter().map(parse_change).collect::<Result<_, _>>()?;
                Ok(ChangePage { changes, last, forgotten })
            })
        })
        .await
    }

    /// Numbers the changes that are committed and have no number.
    ///
    /// # Errors
    /// The database failed.
    pub async fn number_changes(&self) -> Result<(), StoreError> {
        const DUE: &str = "SELECT row_id FROM lead_events WHERE seq IS NULL AND is_change = 1 LIMIT 1";
        loop {
            let due = self.read_transaction("look for changes", |connection| {
                Box::pin(async move { Ok(sqlx::query(DUE).fetch_optional(connection).await?.is_some()) })
            });
            if !due.await? {
                return Ok(());
            }
            self.write_transaction("number changes", |connection| Box::pin(number_oldest(connection)))
                .await?;
        }
    }

    /// Another number whenever changes of any account were numbered, by whichever process.
    ///
    /// # Errors
    /// The database failed.
    pub async fn changes_mark(&self) -> Result<i64, StoreError> {
        const MARK: &str = "SELECT CAST(coalesce(sum(last), 0) AS BIGINT) FROM lead_feeds";
        self.read_transaction("look for changes", |connection| {
            Box::pin(async move { Ok(sqlx::query(MARK).fetch_one(connection).await?.try_get(0)?) })
        })
        .await
    }

    /// Returns when a lead was created, changed or erased by this process.
    pub async fn wait_for_write(&self) {
        self.state.changed.notified().await;
    }
}

async fn number_oldest(connection: &mut AnyConnection) -> Result<(), BoxError> {
    let lock = "UPDATE lead_meta SET value = value WHERE name = 'numbering'";
    sqlx::query(lock).execute(&mut *connection).await?;
    let feeds = "INSERT INTO lead_feeds (account, last, forgotten)
        SELECT DISTINCT account, 0, 0 FROM (SELECT account FROM lead_events WHERE seq IS NULL AND is_change = 1
            ORDER BY row_id LIMIT $1) AS due WHERE account IS NOT NULL
        ON CONFLICT (account) DO NOTHING";
    sqlx::query(feeds).bind(NUMBERED_AT_ONCE).execute(&mut *connection).await?;
    let number = "UPDATE lead_events
        SET seq = due.n + (SELECT last FROM lead_feeds WHERE lead_feeds.account = lead_events.account)
        FROM (SELECT row_id AS due_id, row_number() OVER (PARTITION BY account ORDER BY row_id) AS n
            FROM (SELECT row_id, account FROM lead_events WHERE seq IS NULL AND is_change = 1
                ORDER BY row_id LIMIT $1) AS oldest) AS due
        WHERE row_id = due.due_id";
    sqlx::query(number).bind(NUMBERED_AT_ONCE).execute(&mut *connection).await?;
    let last = "UPDATE lead_feeds SET last =
            (SELECT max(seq) FROM lead_events e WHERE e.account = lead_feeds.account AND e.seq IS NOT NULL)
        WHERE last < (SELECT max(seq) FROM lead_events e WHERE e.account = lead_feeds.account AND e.seq IS NOT NULL)";
    sqlx::query(last).execute(connection).await?;
    Ok(())
}

fn parse_change(row: &AnyRow) -> Result<LeadChange, BoxError> {
    let (action, lead): (String, String) = (row.try_get(1)?, row.try_get(2)?);
    Ok(LeadChange {
        seq: row.try_get(0)?,
        action: Action::from_name(&action).ok_or(Damage("an action that there is not"))?,
        lead: lead.parse().map_err(|_| Damage("an id that is no UUID"))?,
        at: from_micros(row.try_get(3)?)?,
    })
}
