//! Lists and searches of leads.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use fdna_gateway::database::BoxError;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row as _};

use super::leads::{SEEN_COLUMNS, parse_seen};
use super::{LeadStore, StoreError, to_micros};
use crate::lead::{Lead, fold_email, fold_name};

/// Order of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LeadOrder {
    #[default]
    NewestFirst,
    OldestFirst,
    LastChangedFirst,
    /// The list ends before the first write that is not yet committed.
    LastChangedLast,
}

impl LeadOrder {
    pub(crate) const ALL: [Self; 4] =
        [Self::NewestFirst, Self::OldestFirst, Self::LastChangedFirst, Self::LastChangedLast];

    /// As requests name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NewestFirst => "-created_at",
            Self::OldestFirst => "created_at",
            Self::LastChangedFirst => "-updated_at",
            Self::LastChangedLast => "updated_at",
        }
    }

    /// Few leads are of one person: they are found by that and then sorted, where a database would rather go through all leads in
    /// their order.
    fn sql(self, is_of_person: bool) -> String {
        let (column, direction) = match self {
            Self::NewestFirst => ("created_at", " DESC"),
            Self::OldestFirst => ("created_at", ""),
            Self::LastChangedFirst => ("changed_at", " DESC"),
            Self::LastChangedLast => ("changed_at", ""),
        };
        let unindexed = if is_of_person { " + 0" } else { "" };
        format!("{column}{unindexed}{direction}, id{direction}")
    }
}

/// Filter of a list of leads.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct LeadQuery {
    /// Of this account alone.
    pub account: Option<Arc<str>>,
    pub status: Option<String>,
    pub source: Option<String>,
    /// In whatever case.
    pub email: Option<String>,
    /// In E.164.
    pub phone: Option<String>,
    /// With which the name begins, in whatever case.
    pub name_prefix: Option<String>,
    pub created_since: Option<DateTime<Utc>>,
    pub created_before: Option<DateTime<Utc>>,
    pub updated_since: Option<DateTime<Utc>>,
    pub updated_before: Option<DateTime<Utc>>,
    pub order: LeadOrder,
    pub limit: u32,
    pub offset: u32,
}

impl LeadQuery {
    /// Whether it names a person.
    #[must_use]
    pub fn is_search(&self) -> bool {
        self.email.is_some() || self.phone.is_some() || self.name_prefix.is_some()
    }
}

impl std::fmt::Debug for LeadQuery {
    /// Without personal data.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LeadQuery").field("account", &self.account).finish_non_exhaustive()
    }
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadPage {
    pub leads: Vec<Lead>,
    /// In the whole list, as of the same state.
    pub total: i64,
}

/// A value of a condition.
enum BoundValue {
    Text(String),
    Bytes(Vec<u8>),
    Time(i64),
}

impl LeadStore {
    /// A part of the list, with the number of leads in all of it, both of one state.
    ///
    /// # Errors
    /// The database failed, or has what no version of this program wrote.
    pub async fn list_leads(&self, query: &LeadQuery) -> Result<LeadPage, StoreError> {
        let mut conditions = conditions_of(query);
        if query.order == LeadOrder::LastChangedLast {
            // Before the state that is read begins.
            let end = self.state.times.first_under_way();
            conditions.extend(end.map(|end| ("changed_at <", BoundValue::Time(end))));
        }
        let query = query.clone();
        self.read_transaction("list leads", move |connection| {
            Box::pin(async move { select_page(connection, &query, &conditions).await })
        })
        .await
    }
}

/// What must hold, each without its value.
fn conditions_of(query: &LeadQuery) -> Vec<(&'static str, BoundValue)> {
    let text = |condition, value: &Option<String>| Some((condition, BoundValue::Text(value.clone()?)));
    let time = |condition, at: Option<DateTime<Utc>>| Some((condition, BoundValue::Time(first_micros(at?))));
    let folded = query.name_prefix.as_deref().map(|prefix| fold_name(prefix).into_bytes());
    let given = [
        query.account.as_deref().map(|account| ("account =", BoundValue::Text(account.to_owned()))),
        text("status =", &query.status),
        text("source =", &query.source),
        query.email.as_deref().map(|email| ("email_folded =", BoundValue::Text(fold_email(email)))),
        text("phone =", &query.phone),
        folded.as_ref().map(|prefix| ("name_folded >=", BoundValue::Bytes(prefix.clone()))),
        folded.and_then(behind_prefix).map(|end| ("name_folded <", BoundValue::Bytes(end))),
        time("created_at >=", query.created_since),
        time("created_at <", query.created_before),
        time("changed_at >=", query.updated_since),
        time("changed_at <", query.updated_before),
    ];
    given.into_iter().flatten().collect()
}

/// The first text of bytes that is behind all with the prefix; no byte of UTF-8 is the last there is.
fn behind_prefix(mut prefix: Vec<u8>) -> Option<Vec<u8>> {
    *prefix.last_mut()? += 1;
    Some(prefix)
}

/// The first microsecond that is not before a time.
fn first_micros(at: DateTime<Utc>) -> i64 {
    to_micros(at) + i64::from(!at.timestamp_subsec_nanos().is_multiple_of(1000))
}

async fn select_page(
    connection: &mut AnyConnection,
    query: &LeadQuery,
    conditions: &[(&'static str, BoundValue)],
) -> Result<LeadPage, BoxError> {
    let filter: Vec<String> =
        conditions.iter().zip(1..).map(|((condition, _), n)| format!("{condition} ${n}")).collect();
    let filter = if filter.is_empty() { String::new() } else { format!(" WHERE {}", filter.join(" AND ")) };
    let counting = sqlx::query(AssertSqlSafe(format!("SELECT count(*) FROM leads{filter}")));
    let (limit, offset) = (conditions.len() + 1, conditions.len() + 2);
    let order = query.order.sql(query.email.is_some() || query.phone.is_some());
    let listing = sqlx::query(AssertSqlSafe(format!(
        "SELECT {SEEN_COLUMNS} FROM leads{filter} ORDER BY {order} LIMIT ${limit} OFFSET ${offset}"
    )));
    let total = bind_all(counting, conditions).fetch_one(&mut *connection).await?.try_get(0)?;
    let listing = bind_all(listing, conditions).bind(i64::from(query.limit)).bind(i64::from(query.offset));
    let rows = listing.fetch_all(connection).await?;
    let leads = rows.iter().map(parse_seen).collect::<Result<_, BoxError>>()?;
    Ok(LeadPage { leads, total })
}

type AnyQuery<'q> = Query<'q, Any, sqlx::any::AnyArguments>;

fn bind_all<'q>(query: AnyQuery<'q>, conditions: &[(&'static str, BoundValue)]) -> AnyQuery<'q> {
    conditions.iter().fold(query, |query, (_, value)| match value {
        BoundValue::Text(text) => query.bind(text.clone()),
        BoundValue::Bytes(bytes) => query.bind(bytes.clone()),
        BoundValue::Time(micros) => query.bind(*micros),
    })
}
