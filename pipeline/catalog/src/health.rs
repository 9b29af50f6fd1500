//! `/health`, which counts the routes and says what is published.

use chrono::{DateTime, SecondsFormat, Utc};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{CatalogSnapshot, CatalogTotals, RouteCatalog, RouteKind, RouteStatus, Sport};

/// `data` of `/health`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CatalogHealth<'c> {
    /// `ok`, or `no_snapshot` before the first.
    pub status: &'static str,
    pub totals: CatalogTotals,
    /// The snapshot that is served; null before the first.
    pub snapshot_id: Option<&'c str>,
    pub sports: Vec<SportHealth<'c>>,
}

/// How a sport stands.
#[derive(Debug, JsonSchema, Serialize)]
pub struct SportHealth<'c> {
    pub sport: &'c str,
    pub routes: usize,
    pub narrow: usize,
    pub stated: usize,
    pub derived: usize,
    /// Routes that no source can answer.
    pub none: usize,
    /// Routes that the snapshot answers.
    pub served: usize,
    /// Whether a snapshot has data of it.
    pub is_published: bool,
    /// Rows of its tables.
    pub rows: u64,
    /// When its newest capture was taken; null if it has none.
    pub captured_until: Option<String>,
}

impl RouteCatalog {
    /// How the catalog stands without any snapshot.
    #[must_use]
    pub fn health(&self) -> CatalogHealth<'_> {
        self.health_of(None)
    }

    /// How the catalog stands with a snapshot.
    #[must_use]
    pub fn health_of<'c>(&'c self, served: Option<&'c CatalogSnapshot>) -> CatalogHealth<'c> {
        CatalogHealth {
            status: if served.is_some() { "ok" } else { "no_snapshot" },
            totals: self.totals(),
            snapshot_id: served.map(|snapshot| snapshot.id.as_str()),
            sports: self.sports.iter().map(|sport| SportHealth::of(sport, served)).collect(),
        }
    }
}

impl<'c> SportHealth<'c> {
    fn of(sport: &'c Sport, served: Option<&CatalogSnapshot>) -> Self {
        let of_kind = |is_it: fn(RouteKind) -> bool| sport.routes().filter(|route| is_it(route.kind)).count();
        let counts = CatalogTotals::of(std::iter::once(sport), |_| true);
        let rows = served.map_or(0, |snapshot| snapshot.tables.rows_of(sport.key));
        let captured_until = served.and_then(|snapshot| snapshot.captured_until(sport.key));
        let is_served = |route| RouteStatus::of(route, served) == RouteStatus::Served;
        Self {
            sport: sport.key,
            routes: counts.routes,
            narrow: counts.narrow,
            stated: of_kind(|kind| kind == RouteKind::Stated),
            derived: of_kind(|kind| kind == RouteKind::Derived),
            none: of_kind(|kind| matches!(kind, RouteKind::None(_))),
            served: sport.routes().filter(|route| is_served(route)).count(),
            is_published: rows > 0,
            rows,
            captured_until: captured_until.map(written),
        }
    }
}

fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}
