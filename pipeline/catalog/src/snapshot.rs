//! What is served: the tables of a snapshot, and the sources that it was made of.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use fdna_schemas::CatalogSource;
use serde::Serialize;

use crate::{CatalogRoute, CatalogTables};

/// A published snapshot in memory.
#[derive(Debug)]
pub struct CatalogSnapshot {
    pub id: String,
    pub tables: CatalogTables,
    /// When the newest capture of each source was taken, by its name.
    pub captured: BTreeMap<String, DateTime<Utc>>,
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

/// Whether a source is what a route calls by its folder; `*` stands for any.
fn is_folder(source: &str, sport: &str, folder: &str) -> bool {
    let name = source.strip_prefix(sport).and_then(|rest| rest.strip_prefix('-'));
    name.is_some_and(|name| name == folder || folder == "*")
}
