//! Served snapshot: its tables, and the sources that it was made of.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use fdna_api::ErrorCode;
use fdna_schemas::CatalogSource;
use serde::Serialize;

use crate::route::is_folder;
use crate::{CatalogRoute, CatalogTables, RouteKind};

/// A published snapshot in memory.
#[derive(Debug, Default)]
pub struct CatalogSnapshot {
    pub id: String,
    pub tables: CatalogTables,
    /// When the newest capture of each source was taken, by its name.
    pub captured: BTreeMap<String, DateTime<Utc>>,
    /// Licences whose sources count; none where it does not say.
    pub licences: BTreeSet<String>,
}

/// Whether a route has data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteStatus {
    Served,
    /// No source has them.
    Unavailable(ErrorCode),
    /// Sources have them, and no licence of theirs counts.
    NotLicensed,
    NotPublished,
}

impl RouteStatus {
    /// Of a route, with the snapshot that is served.
    #[must_use]
    pub fn of(route: &CatalogRoute, served: Option<&CatalogSnapshot>) -> Self {
        match (route.kind, served) {
            (RouteKind::None(code), _) => Self::Unavailable(code),
            (_, Some(served)) if !served.has_licence(route) => Self::NotLicensed,
            (_, Some(served)) if served.tables.serve(route) => Self::Served,
            _ => Self::NotPublished,
        }
    }

    /// As the listing writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Served => "served",
            Self::Unavailable(_) => "unavailable",
            Self::NotLicensed => "not_licensed",
            Self::NotPublished => "not_published",
        }
    }

    /// What the route answers instead of data; `None` where it has them.
    #[must_use]
    pub fn code(self) -> Option<ErrorCode> {
        match self {
            Self::Served => None,
            Self::Unavailable(code) => Some(code),
            Self::NotLicensed => Some(ErrorCode::SourceNotLicensed),
            Self::NotPublished => Some(ErrorCode::SportNotPublished),
        }
    }
}

/// A source of an answer.
#[derive(Debug, Serialize)]
pub struct ServedSource<'s> {
    pub name: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licence: Option<&'s str>,
    /// What must stand by what is made of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<&'s str>,
    pub captured_at: DateTime<Utc>,
}

impl CatalogSnapshot {
    /// The sources of a route that it was made of, in the route's order.
    #[must_use]
    pub fn sources(&self, route: &CatalogRoute) -> Vec<ServedSource<'_>> {
        let named = route.sources.iter().flat_map(|folder| {
            let of_sport = self.of_sport(route.sport);
            of_sport.filter(move |(name, _)| is_folder(name, route.sport, folder))
        });
        let served = named.map(|(name, captured_at)| {
            let contract = CatalogSource::get(name);
            ServedSource {
                name,
                licence: contract.map(|source| source.licence.as_str()),
                notice: contract.and_then(|source| source.notice.as_deref()),
                captured_at,
            }
        });
        served.collect()
    }

    /// Whether a licence of one of its sources counts. Of a source without a contract nobody knows the licence.
    fn has_licence(&self, route: &CatalogRoute) -> bool {
        let counts = |licence: &&str| self.licences.contains(*licence);
        self.licences.is_empty() || route.licences.is_empty() || route.licences.iter().any(counts)
    }

    /// When the newest capture of a sport was taken.
    pub(crate) fn captured_until(&self, sport: &str) -> Option<DateTime<Utc>> {
        self.of_sport(sport).map(|(_, captured_at)| captured_at).max()
    }

    fn of_sport<'s>(&'s self, sport: &'s str) -> impl Iterator<Item = (&'s str, DateTime<Utc>)> {
        let is_of = move |name: &str| name.strip_prefix(sport).is_some_and(|rest| rest.starts_with('-'));
        let named = self.captured.iter().map(|(name, captured_at)| (name.as_str(), *captured_at));
        named.filter(move |(name, _)| is_of(name))
    }
}
