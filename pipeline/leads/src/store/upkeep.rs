//! Maintenance of a store beside requests: erased bytes are wiped, requests forgotten, leads of earlier versions given to their
//! accounts, and it is tried whether it can be written.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use fdna_gateway::database::{BoxError, DatabaseKind, check_schema, is_sqlite_busy};
use sqlx::{AnyConnection, Row as _};
use tokio::sync::Notify;
use tokio::time::error::Elapsed;

use super::requests::forget_requests;
use super::{LeadStore, StoreError, query_failed, to_micros};

/// While it waits for readers, nobody writes.
pub(super) const SQLITE_WIPES: &str = "PRAGMA secure_delete = ON; PRAGMA busy_timeout = 100";

/// A write is tried again for its own sake after this time.
const WRITTEN_LATELY: Duration = Duration::from_secs(5);

/// A write that is tried must be done within this time.
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);

/// Overwritten bytes that still stand in SQLite's log.
#[derive(Debug)]
pub(super) struct WipeQueue {
    /// Something may stand there.
    is_due: AtomicBool,
    /// Erasures of which something may.
    erasures: Mutex<Erasures>,
    asked: Notify,
}

/// A count that was read is older than what was noted meanwhile.
#[derive(Debug, Default, Clone, Copy)]
struct Erasures {
    count: i64,
    noted: u64,
}

impl Default for WipeQueue {
    /// A process before this one may have been killed before it wiped.
    fn default() -> Self {
        Self { is_due: AtomicBool::new(true), erasures: Mutex::default(), asked: Notify::new() }
    }
}

impl WipeQueue {
    fn lock_erasures(&self) -> MutexGuard<'_, Erasures> {
        self.erasures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn request_wipe(&self) {
        self.is_due.store(true, Ordering::Release);
        self.asked.notify_one();
    }
}

impl LeadStore {
    pub(super) fn note_erased(&self, count: usize) {
        if count > 0 {
            let mut erasures = self.state.wipes.lock_erasures();
            erasures.count += i64::try_from(count).unwrap_or_default();
            erasures.noted += 1;
            drop(erasures);
            self.state.wipes.request_wipe();
            self.state.changed.notify_one();
        }
    }

    /// Erased leads of which bytes may be left in the files, as of the last look; `None` for PostgreSQL, which tells nobody.
    #[must_use]
    pub fn erasures_not_wiped(&self) -> Option<i64> {
        (self.kind == DatabaseKind::Sqlite).then(|| self.state.wipes.lock_erasures().count)
    }

    /// Returns when something was erased or changed.
    pub async fn wait_for_change(&self) {
        self.state.wipes.asked.notified().await;
    }

    /// In SQLite, moves what was written over erased bytes from the log into the file, and cuts the log. False while
    /// somebody reads a state from before, or writes: then it is to be asked for again. PostgreSQL does it by itself.
    ///
    /// # Errors
    /// The database failed.
    pub async fn wipe_erased(&self, now: DateTime<Utc>) -> Result<bool, StoreError> {
        if self.kind != DatabaseKind::Sqlite {
            return Ok(true);
        }
        let wipes = &self.state.wipes;
        let noted = wipes.lock_erasures().noted;
        let counted = self.read_transaction("count what is to be wiped", |connection| {
            Box::pin(count_not_wiped(connection))
        });
        let (not_wiped, newest) = counted.await?;
        {
            let mut erasures = wipes.lock_erasures();
            if erasures.noted == noted {
                erasures.count = not_wiped;
            }
        }
        if not_wiped == 0 && !wipes.is_due.swap(false, Ordering::AcqRel) {
            return Ok(true);
        }
        let is_cut = self.cut_log().await;
        if !matches!(is_cut, Ok(true)) {
            wipes.is_due.store(true, Ordering::Release);
            return is_cut.map_err(|error| query_failed("wipe the log", &error));
        }
        if not_wiped > 0 {
            let wiped = self.write_transaction("note what was wiped", move |connection| {
                Box::pin(async move {
                    let sql =
                        "UPDATE lead_tombstones SET wiped_at = $1 WHERE wiped_at IS NULL AND rowid <= $2";
                    let wiped =
                        sqlx::query(sql).bind(to_micros(now)).bind(newest).execute(connection).await?;
                    Ok(i64::try_from(wiped.rows_affected())?)
                })
            });
            let wiped = wiped.await?;
            wipes.lock_erasures().count -= wiped;
        }
        Ok(true)
    }

    /// False if somebody was in the way.
    async fn cut_log(&self) -> Result<bool, BoxError> {
        let cut = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&self.wiper).await;
        match cut.map_err(BoxError::from) {
            Ok(row) => Ok(row.try_get::<i64, _>(0)? == 0),
            Err(error) if is_sqlite_busy(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Forgets requests that came before a time. Tells how many.
    ///
    /// # Errors
    /// The database failed.
    pub async fn forget_requests(&self, before: DateTime<Utc>) -> Result<u64, StoreError> {
        let oldest = sqlx::query("SELECT min(at) FROM lead_requests").fetch_one(&self.readers).await;
        let oldest: Result<Option<i64>, _> = oldest.and_then(|row| row.try_get(0));
        let oldest = oldest.map_err(|error| query_failed("forget requests", &error.into()))?;
        if oldest.is_none_or(|oldest| oldest >= to_micros(before)) {
            return Ok(0);
        }
        self.write_transaction("forget requests", move |connection| {
            Box::pin(async move { forget_requests(connection, before).await })
        })
        .await
    }

    /// Whether it can be read, and written: a write is tried unless one was durable a moment ago.
    ///
    /// # Errors
    /// It cannot.
    pub async fn probe_store(&self, now: DateTime<Utc>) -> Result<(), StoreError> {
        let tried = async {
            self.read_transaction("ask", |connection| {
                Box::pin(async move {
                    check_schema(connection).await?;
                    sqlx::query("SELECT count(*) FROM lead_meta").fetch_one(connection).await?;
                    Ok(())
                })
            })
            .await?;
            let is_written = |written: &Instant| written.elapsed() < WRITTEN_LATELY;
            let written = self.state.written.lock().map(|written| *written).unwrap_or_default();
            if written.as_ref().is_some_and(is_written) {
                return Ok(());
            }
            let written = self.write_transaction("try to write", move |connection| {
                Box::pin(async move {
                    let seen = sqlx::query("UPDATE lead_meta SET value = $1 WHERE name = 'seen'")
                        .bind(to_micros(now));
                    seen.execute(connection).await?;
                    Ok(())
                })
            });
            written.await?;
            self.note_written(Some(Instant::now()));
            Ok(())
        };
        let late = |late: Elapsed| self.call_failed("try to write", &late.into());
        tokio::time::timeout(PROBE_TIMEOUT, tried).await.map_err(late)?
    }

    /// Gives leads, and tombstones, that earlier versions made without an account to the account of the key that made, or
    /// erased, them. Tells how many leads are left without one: no key sees those.
    ///
    /// # Errors
    /// The database failed.
    pub async fn adopt_leads(&self, accounts: Vec<(i64, String)>) -> Result<i64, StoreError> {
        const LEFT: &str = "SELECT (SELECT count(*) FROM leads WHERE account IS NULL),
            (SELECT count(*) FROM lead_tombstones WHERE account IS NULL AND key_id IS NOT NULL)";
        let left = self.read_transaction("count leads without an account", |connection| {
            Box::pin(async move {
                let row = sqlx::query(LEFT).fetch_one(connection).await?;
                Ok((row.try_get::<i64, _>(0)?, row.try_get::<i64, _>(1)?))
            })
        });
        if left.await? == (0, 0) {
            return Ok(0);
        }
        self.write_transaction("give leads to their accounts", move |connection| {
            Box::pin(async move {
                for (key, account) in accounts {
                    for sql in [
                        "UPDATE leads SET account = $1 WHERE account IS NULL
                             AND id IN (SELECT lead_id FROM lead_moves WHERE version = 1 AND key_id = $2)",
                        "UPDATE lead_tombstones SET account = $1 WHERE account IS NULL AND key_id = $2",
                    ] {
                        sqlx::query(sql).bind(account.clone()).bind(key).execute(&mut *connection).await?;
                    }
                }
                Ok(sqlx::query(LEFT).fetch_one(connection).await?.try_get(0)?)
            })
        })
        .await
    }
}

async fn count_not_wiped(connection: &mut AnyConnection) -> Result<(i64, i64), BoxError> {
    let sql = "SELECT (SELECT count(*) FROM lead_tombstones WHERE wiped_at IS NULL),
        coalesce((SELECT max(rowid) FROM lead_tombstones), 0)";
    let row = sqlx::query(sql).fetch_one(connection).await?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}
