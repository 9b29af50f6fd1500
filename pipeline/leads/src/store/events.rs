//! Who did what, and when, without personal data. The entry of a write is made in the transaction of the write; those of reads
//! are gathered, and written a moment later.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use fdna_gateway::database::{BoxError, Damage, DatabaseKind};
use sqlx::any::AnyRow;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row as _};
use uuid::Uuid;

use super::{Author, LeadStore, StoreError, from_micros, id_text, query_failed, to_micros};

/// Entries of reads that wait to be written; a read that finds as many writes them before it is answered.
const MAX_WAITING: usize = 10_000;

/// Entries of reads in a transaction.
const AT_ONCE: usize = 1000;

/// Entries in a statement.
const IN_A_STATEMENT: usize = 100;

/// Entries that retention takes in a transaction.
const FORGOTTEN_AT_ONCE: i64 = 5000;

pub(super) const EVENT_COLUMNS: &str =
    "at, action, is_change, account, key_id, command, lead_id, leads, request_id";

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Created,
    Changed,
    Erased,
    /// One lead.
    Read,
    Listed,
    /// Listed by email, telephone number or name.
    Searched,
    Exported,
    Imported,
}

impl Action {
    const ALL: [Self; 8] = [
        Self::Created,
        Self::Changed,
        Self::Erased,
        Self::Read,
        Self::Listed,
        Self::Searched,
        Self::Exported,
        Self::Imported,
    ];

    /// As the store, the audit and the list of changes name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Erased => "erased",
            Self::Read => "read",
            Self::Listed => "listed",
            Self::Searched => "searched",
            Self::Exported => "exported",
            Self::Imported => "imported",
        }
    }

    /// The action of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }

    /// Whether it is told in the list of changes.
    #[must_use]
    pub fn is_change(self) -> bool {
        matches!(self, Self::Created | Self::Changed | Self::Erased)
    }
}

/// Entry of the audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadEvent {
    /// Its place in the audit.
    pub row: i64,
    pub at: DateTime<Utc>,
    pub action: Action,
    /// Of the leads; `None` where they are of several, or of none.
    pub account: Option<String>,
    /// The key that did it.
    pub key_id: Option<i64>,
    /// The command that did it.
    pub command: Option<String>,
    /// `None` where there are several, and once the lead is erased.
    pub lead: Option<Uuid>,
    pub leads: i64,
    pub request_id: Option<String>,
}

/// Filter of the audit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventQuery {
    pub lead: Option<Uuid>,
    pub account: Option<String>,
    pub since: Option<DateTime<Utc>>,
    /// Behind this place.
    pub after: i64,
    pub limit: u32,
}

/// Entry to be written.
#[derive(Debug, Clone)]
pub(super) struct NewEvent {
    action: Action,
    lead: Option<Uuid>,
    leads: i64,
    by: Author,
}

impl NewEvent {
    pub(super) fn of_lead(action: Action, lead: Uuid, by: &Author) -> Self {
        Self { action, lead: Some(lead), leads: 1, by: by.clone() }
    }

    pub(super) fn of_many(action: Action, leads: i64, by: &Author) -> Self {
        Self { action, lead: None, leads, by: by.clone() }
    }
}

/// Entries of reads that are not yet written.
#[derive(Debug, Default)]
pub(super) struct ReadJournal {
    waiting: Mutex<Vec<NewEvent>>,
    writing: tokio::sync::Mutex<()>,
}

impl ReadJournal {
    fn lock_waiting(&self) -> MutexGuard<'_, Vec<NewEvent>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LeadStore {
    /// Notes that a lead was read. It is written by [`Self::write_reads`].
    ///
    /// # Errors
    /// Too many entries wait, and they cannot be written.
    pub async fn note_read(&self, lead: Uuid, by: &Author) -> Result<(), StoreError> {
        self.note_event(NewEvent::of_lead(Action::Read, lead, by)).await
    }

    /// Notes that so many leads were listed or searched.
    ///
    /// # Errors
    /// As [`Self::note_read`].
    pub async fn note_list(&self, action: Action, leads: usize, by: &Author) -> Result<(), StoreError> {
        let leads = i64::try_from(leads).unwrap_or(i64::MAX);
        self.note_event(NewEvent::of_many(action, leads, by)).await
    }

    async fn note_event(&self, event: NewEvent) -> Result<(), StoreError> {
        let waiting = {
            let mut waiting = self.state.reads.lock_waiting();
            waiting.push(event);
            waiting.len()
        };
        if waiting >= MAX_WAITING { self.write_reads().await } else { Ok(()) }
    }

    /// Writes the entries of reads that wait. It goes on where the caller is dropped.
    ///
    /// # Errors
    /// The database failed: the entries wait on.
    pub async fn write_reads(&self) -> Result<(), StoreError> {
        let store = self.clone();
        let writing = tokio::spawn(async move {
            let reads = &store.state.reads;
            let _turn = reads.writing.lock().await;
            loop {
                let events: Vec<NewEvent> = {
                    let mut waiting = reads.lock_waiting();
                    let count = waiting.len().min(AT_ONCE);
                    waiting.drain(..count).collect()
                };
                if events.is_empty() {
                    return Ok(());
                }
                let events = Arc::new(events);
                let (written, kind) = (Arc::clone(&events), store.kind);
                let done = store.write_transaction("note who read leads", move |connection| {
                    Box::pin(async move { insert_reads(connection, kind, &written).await })
                });
                if let Err(error) = done.await {
                    reads.lock_waiting().splice(..0, events.iter().cloned());
                    return Err(error);
                }
            }
        });
        writing.await.map_err(|error| query_failed("note who read leads", &error.into()))?
    }

    /// Notes, durably, what a command did with so many leads.
    ///
    /// # Errors
    /// The database failed.
    pub async fn note_command(&self, action: Action, leads: i64, by: Author) -> Result<(), StoreError> {
        self.write_transaction("note a command", move |connection| {
            Box::pin(async move {
                insert_events(connection, &[NewEvent::of_many(action, leads, &by)], &HashSet::new()).await
            })
        })
        .await
    }

    /// A part of the audit, the oldest first.
    ///
    /// # Errors
    /// The database failed, or has what no version of this program wrote.
    pub async fn list_events(&self, query: &EventQuery) -> Result<Vec<LeadEvent>, StoreError> {
        let query = query.clone();
        self.read_transaction("read the audit", move |connection| {
            Box::pin(async move {
                let of_lead = match query.lead {
                    // An erasure stays as a count and a time.
                    Some(_) => "lead_id = $2 AND action <> 'erased'",
                    None => "$2 IS NULL",
                };
                let sql = format!(
                    "SELECT row_id, {EVENT_COLUMNS} FROM lead_events
                     WHERE row_id > $1 AND {of_lead} AND ($3 IS NULL OR account = $3) AND at >= $4
                     ORDER BY row_id LIMIT $5"
                );
                let found = sqlx::query(AssertSqlSafe(sql))
                    .bind(query.after)
                    .bind(query.lead.map(id_text))
                    .bind(query.account)
                    .bind(query.since.map_or(i64::MIN, to_micros))
                    .bind(i64::from(query.limit));
                found.fetch_all(connection).await?.iter().map(parse_event).collect()
            })
        })
        .await
    }

    /// Forgets entries from before a time, the oldest first. Tells how many.
    ///
    /// # Errors
    /// The database failed.
    pub async fn forget_events(&self, before: DateTime<Utc>) -> Result<u64, StoreError> {
        const OLDEST: &str = "SELECT at FROM lead_events ORDER BY row_id LIMIT 1";
        let mut forgotten = 0;
        loop {
            let oldest = self.read_transaction("find old entries", |connection| {
                Box::pin(async move {
                    let row = sqlx::query(OLDEST).fetch_optional(connection).await?;
                    Ok(row.map(|row| row.try_get::<i64, _>(0)).transpose()?)
                })
            });
            if oldest.await?.is_none_or(|oldest| oldest >= to_micros(before)) {
                return Ok(forgotten);
            }
            let done = self.write_transaction("forget old entries", move |connection| {
                Box::pin(async move { forget_oldest(connection, to_micros(before)).await })
            });
            forgotten += done.await?;
        }
    }
}

async fn forget_oldest(connection: &mut AnyConnection, before: i64) -> Result<u64, BoxError> {
    // The last of the oldest of which all are from before.
    let last = "SELECT max(row_id) FROM (SELECT row_id FROM lead_events
        WHERE row_id < coalesce((SELECT min(row_id) FROM (SELECT row_id, at FROM lead_events ORDER BY row_id LIMIT $2) AS o
            WHERE at >= $1), 9223372036854775807)
        ORDER BY row_id LIMIT $2) AS oldest";
    let last = sqlx::query(last).bind(before).bind(FORGOTTEN_AT_ONCE).fetch_one(&mut *connection).await?;
    let last: Option<i64> = last.try_get(0)?;
    let feeds = "UPDATE lead_feeds SET forgotten = gone.seq
        FROM (SELECT account AS of, max(seq) AS seq FROM lead_events WHERE row_id <= $1 AND seq IS NOT NULL GROUP BY account)
            AS gone
        WHERE account = gone.of";
    sqlx::query(feeds).bind(last).execute(&mut *connection).await?;
    let forget = sqlx::query("DELETE FROM lead_events WHERE row_id <= $1").bind(last);
    Ok(forget.execute(connection).await?.rows_affected())
}

async fn insert_reads(
    connection: &mut AnyConnection,
    kind: DatabaseKind,
    events: &[NewEvent],
) -> Result<(), BoxError> {
    let read: BTreeSet<Uuid> = events.iter().filter_map(|event| event.lead).collect();
    let known = lock_leads(connection, kind, &read).await?;
    insert_events(connection, events, &read.difference(&known).copied().collect()).await
}

/// Those of the leads that are not erased, nor will be before the transaction ends.
async fn lock_leads(
    connection: &mut AnyConnection,
    kind: DatabaseKind,
    leads: &BTreeSet<Uuid>,
) -> Result<BTreeSet<Uuid>, BoxError> {
    if leads.is_empty() {
        return Ok(BTreeSet::new());
    }
    let places: Vec<String> = (1..=leads.len()).map(|n| format!("${n}")).collect();
    let lock = if kind == DatabaseKind::Postgres { " ORDER BY id FOR KEY SHARE" } else { "" };
    let sql = format!("SELECT id FROM leads WHERE id IN ({}){lock}", places.join(", "));
    let mut found = sqlx::query(AssertSqlSafe(sql)).persistent(false);
    for lead in leads {
        found = found.bind(id_text(*lead));
    }
    let rows = found.fetch_all(connection).await?;
    rows.iter().map(|row| parse_id(row.try_get(0)?)).collect()
}

/// The ids of leads that are `erased` are left out.
async fn insert_events(
    connection: &mut AnyConnection,
    events: &[NewEvent],
    erased: &HashSet<Uuid>,
) -> Result<(), BoxError> {
    const WIDTH: usize = 9;
    for events in events.chunks(IN_A_STATEMENT) {
        let row = |n: usize| {
            let places: Vec<String> = (1..=WIDTH).map(|column| format!("${}", n * WIDTH + column)).collect();
            format!("({})", places.join(", "))
        };
        let rows: Vec<String> = (0..events.len()).map(row).collect();
        let sql = format!("INSERT INTO lead_events ({EVENT_COLUMNS}) VALUES {}", rows.join(", "));
        // Few lengths come again.
        let is_usual = matches!(events.len(), 1 | IN_A_STATEMENT);
        let mut insert = sqlx::query(AssertSqlSafe(sql)).persistent(is_usual);
        for event in events {
            let lead = event.lead.filter(|lead| !erased.contains(lead));
            insert = bind_event(insert, event, lead);
        }
        insert.execute(&mut *connection).await?;
    }
    Ok(())
}

type AnyQuery<'q> = Query<'q, Any, sqlx::any::AnyArguments>;

fn bind_event<'q>(query: AnyQuery<'q>, event: &NewEvent, lead: Option<Uuid>) -> AnyQuery<'q> {
    let by = &event.by;
    let is_told = event.action.is_change() && lead.is_some() && by.account.is_some();
    query
        .bind(to_micros(by.at))
        .bind(event.action.name())
        .bind(i64::from(is_told))
        .bind(by.account.as_deref().map(str::to_owned))
        .bind(by.key_id)
        .bind(by.command)
        .bind(lead.map(id_text))
        .bind(event.leads)
        .bind(by.request_id.map(id_text))
}

/// In the transaction of what was done.
pub(super) async fn insert_event(connection: &mut AnyConnection, event: NewEvent) -> Result<(), BoxError> {
    insert_events(connection, &[event], &HashSet::new()).await
}

fn parse_id(id: String) -> Result<Uuid, BoxError> {
    id.parse().map_err(|_| Damage("an id that is no UUID").into())
}

fn parse_event(row: &AnyRow) -> Result<LeadEvent, BoxError> {
    let action = Action::from_name(&row.try_get::<String, _>("action")?);
    let action = action.ok_or(Damage("an action that there is not"))?;
    let lead: Option<String> = row.try_get("lead_id")?;
    Ok(LeadEvent {
        row: row.try_get("row_id")?,
        at: from_micros(row.try_get("at")?)?,
        action,
        account: row.try_get("account")?,
        key_id: row.try_get("key_id")?,
        command: row.try_get("command")?,
        lead: lead.filter(|_| action != Action::Erased).map(parse_id).transpose()?,
        leads: row.try_get("leads")?,
        request_id: row.try_get("request_id")?,
    })
}
