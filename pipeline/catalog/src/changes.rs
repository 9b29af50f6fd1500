//! `/changes`: what later captures of a sport corrected. A page about the catalog and no route of a sport, but answered as one.

use arrow::array::RecordBatch;
use fdna_api::operations::changes::{LAST_EVENT_ID, STREAM};
use fdna_api::{ErrorCode, Failure, Parameter, Params};
use fdna_schemas::{Table, catalog_changes};

use crate::checked::Contracts;
use crate::data::DataPart;
use crate::file::RouteEntry;
use crate::listing::{SPORT, by_catalog};
use crate::table::{RowOrder, TableNeeds};
use crate::{
    CatalogRoute, CatalogSnapshot, CatalogTable, FoundRoute, RouteCatalog, RouteFault, RouteStatus, Sport,
    TablesError,
};

/// Its path.
pub const CHANGES: &str = "/changes";

/// Path of the stream of what each publication adds to it.
pub const CHANGES_STREAM: &str = "/changes/stream";

/// Name of its operation, as MMA has it.
pub const CHANGES_STREAM_NAME: &str = STREAM.name;

/// The page for each sport, as far as there is a table of its corrections.
pub(crate) fn routes(sports: &[Sport], contracts: Contracts<'_>) -> Result<Vec<CatalogRoute>, RouteFault> {
    let keys: Vec<&'static str> = sports.iter().map(|sport| sport.key).collect();
    let words = keys.clone().leak();
    let mut routes = Vec::new();
    for sport in keys {
        let fault = |source| RouteFault::Toml { file: "changes".to_owned(), source };
        let mut entry: RouteEntry = toml::from_str(catalog_changes()).map_err(fault)?;
        let table = entry.table.map(|table| format!("{sport}_{table}"));
        entry.table = table.filter(|table| contracts(table).is_some());
        if entry.table.is_none() {
            continue;
        }
        let mut route = CatalogRoute::of(sport, "", true, entry, contracts)?;
        let about = "The sport whose corrections are asked for.";
        let parameter = Parameter { about, required: true, ..SPORT.among(words).declared() };
        route.parameters.insert(0, parameter);
        routes.push(route);
    }
    Ok(routes)
}

impl RouteCatalog {
    /// The page, of the sport that its query names.
    ///
    /// # Errors
    /// 400: the query is wrong, or names no sport. 503: the sport has no corrections yet.
    pub fn find_changes(&self, query: &str) -> Result<FoundRoute<'_>, Failure> {
        let nothing =
            || by_catalog(Failure::new(ErrorCode::SportNotPublished, "No data have been published"));
        let any = self.changes.first().ok_or_else(nothing)?;
        let key = Params::parse(any.parameters.iter(), query).map_err(by_catalog)?.get(SPORT);
        let route = self.changes.iter().find(|route| Some(route.sport) == key).ok_or_else(nothing)?;
        let sport = self.sports.iter().find(|sport| sport.key == route.sport).ok_or_else(nothing)?;
        Ok(FoundRoute { sport, route, values: Vec::new() })
    }

    /// The sport of a stream of changes, and the id of the event that it goes on behind.
    ///
    /// # Errors
    /// 400: the query is wrong, or names no sport. 503: the sport has no corrections in the snapshot, or its sources may not be
    /// published.
    pub fn find_changes_stream(
        &self,
        query: &str,
        served: Option<&CatalogSnapshot>,
    ) -> Result<(&'static str, Option<String>), Failure> {
        const LAST: Parameter = LAST_EVENT_ID.declared();
        let any = self.changes.first().and_then(|route| route.parameters.first());
        let params = Params::parse(any.into_iter().chain([&LAST]), query).map_err(by_catalog)?;
        let sport = params.get(SPORT).unwrap_or_default();
        let found = self.find_changes(&format!("{}={sport}", SPORT.name()))?;
        match RouteStatus::of(found.route, served) {
            RouteStatus::Served => Ok((found.route.sport, params.get(LAST_EVENT_ID).map(str::to_owned))),
            _ => Err(found.no_data(served)),
        }
    }

    /// The table of a sport's corrections; `None` where it has none.
    #[must_use]
    pub fn corrections(&self, sport: &str) -> Option<&'static Table> {
        self.changes_part(sport).map(|part| part.table)
    }

    /// Rows of a sport's corrections as the page has them, each a line of JSON, oldest first: whoever takes them in one after the
    /// other ends with the newest value.
    ///
    /// # Errors
    /// The table does not follow its contract.
    pub fn correction_rows(&self, sport: &str, rows: RecordBatch) -> Result<Vec<Box<str>>, TablesError> {
        let Some(part) = self.changes_part(sport) else { return Ok(Vec::new()) };
        let table = CatalogTable::of_batch(part.table, rows, TableNeeds::default())?;
        let oldest_first = part.order.0.iter().map(|(column, is_descending)| (*column, !is_descending));
        let all = table.page(table.all_rows().collect(), &RowOrder(oldest_first.collect()), 0..usize::MAX);
        let line = |row: u32| {
            let mut line = Vec::new();
            part.form.write(&table, row, &mut line).ok()?;
            String::from_utf8(line).ok().map(String::into_boxed_str)
        };
        let lines: Option<Vec<_>> = all.into_iter().map(line).collect();
        lines.ok_or_else(|| TablesError::Write { table: &part.table.name })
    }

    fn changes_part(&self, sport: &str) -> Option<&DataPart> {
        let route = self.changes.iter().find(|route| route.sport == sport)?;
        route.data.as_ref()?.parts.first()
    }
}
