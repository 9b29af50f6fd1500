//! The database over one set of tables.

use duckdb::Connection;
use fdna_lake::{CheckedFile, Fingerprint, Lake, PanelSet, PipelineStage, SnapshotId};
use fdna_schemas::{Tables, catalog_audits};

use crate::rows::Rows;
use crate::settings::{EngineLimits, confine_to, quote_text};
use crate::views::{self, TableView};
use crate::{AUDITS, Audit, Finding, WarehouseError};

/// Selection of the tables to look at.
#[derive(Debug, Clone, Default)]
pub enum TableSelection {
    /// Those of the current snapshot.
    #[default]
    Current,
    /// Those of this snapshot.
    Snapshot(SnapshotId),
    /// Those that a stage made.
    Stage(PipelineStage, Fingerprint),
}

impl TableSelection {
    /// The files, each compared with its digest.
    fn checked_files(&self, lake: &Lake) -> Result<Vec<CheckedFile>, WarehouseError> {
        let snapshot = |id| Ok(lake.snapshot_files(&lake.snapshot(id)?)?);
        match self {
            Self::Current => {
                let id = lake.current_snapshot()?;
                snapshot(&id.ok_or_else(|| WarehouseError::NoSnapshot { lake: lake.root().to_owned() })?)
            }
            Self::Snapshot(id) => snapshot(id),
            Self::Stage(stage, fingerprint) => {
                let output = lake.find_stage(stage, fingerprint)?;
                let (stage, fingerprint) = (stage.clone(), fingerprint.clone());
                Ok(lake.stage_files(&output.ok_or(WarehouseError::NoOutput { stage, fingerprint })?)?)
            }
        }
    }
}

/// A database in memory with a view for each table.
#[derive(Debug)]
pub struct Warehouse {
    connection: Connection,
    views: Vec<TableView>,
}

impl Warehouse {
    /// Checks the files of `what` and of all panels, and makes the views over them.
    ///
    /// # Errors
    /// The lake has not what was asked for, or not whole; or the engine cannot read it.
    pub fn open(lake: &Lake, what: &TableSelection, limits: &EngineLimits) -> Result<Self, WarehouseError> {
        let mut files = what.checked_files(lake)?;
        for set in PanelSet::all() {
            for date in lake.panel_dates(set)? {
                if let Some(panel) = lake.find_panel(set, date)? {
                    files.extend(lake.panel_files(&panel)?);
                }
            }
        }
        let connection = limits.open_connection()?;
        let mut views = views::create_views(&connection, &files)?;
        views.extend(views::version_metrics(&connection, &views)?);
        views.extend(views::create_quarantine_view(&connection, &views)?);
        let files: Vec<String> = views.iter().flat_map(|view| view.files.clone()).collect();
        confine_to(&connection, &files)?;
        Ok(Self { connection, views })
    }

    /// The views, by name.
    #[must_use]
    pub fn views(&self) -> &[TableView] {
        &self.views
    }

    /// The rows of a single `SELECT`.
    ///
    /// # Errors
    /// It is no single `SELECT`, or wrong, or its values do not allow it.
    pub fn query(&self, sql: &str) -> Result<Rows, WarehouseError> {
        self.query_first(sql, None)
    }

    /// The same, at most so many rows of it.
    ///
    /// # Errors
    /// As [`Self::query`].
    pub fn query_first(&self, sql: &str, most: Option<u32>) -> Result<Rows, WarehouseError> {
        // The table function takes one SELECT and nothing else, so that no query can write a file.
        let sql = sql.trim().trim_end_matches(';');
        let limit = most.map(|most| format!(" LIMIT {most}")).unwrap_or_default();
        let sql = format!("SELECT * FROM query({}){limit}", quote_text(sql));
        let rows = || {
            let mut statement = self.connection.prepare(&sql)?;
            let batches = statement.query_arrow([])?;
            let schema = batches.get_schema();
            Ok(Rows::new(schema, batches.collect()))
        };
        rows().map_err(WarehouseError::Query)
    }

    /// Views, rows and columns.
    ///
    /// # Errors
    /// A view cannot be read.
    pub fn list_tables(&self) -> Result<Rows, WarehouseError> {
        let row_of = |view: &TableView| {
            let columns = views::column_names(&self.connection, &view.name)?.len();
            let (name, files) = (quote_text(&view.name), view.files.len());
            let view = crate::settings::quote_name(&view.name);
            Ok(format!(
                "SELECT {name} AS \"table\", (SELECT count(*) FROM {view}) AS \"rows\", {columns} AS \"columns\", {files} AS files"
            ))
        };
        let all = self.views.iter().map(row_of).collect::<Result<Vec<_>, WarehouseError>>()?;
        self.query(&all.join(" UNION ALL "))
    }

    /// Runs all audits, in order of their names.
    ///
    /// # Errors
    /// An audit does not fit the tables; what it finds is no error.
    pub fn run_audits(&self) -> Result<Vec<Finding>, WarehouseError> {
        let hold = "CREATE TEMP TABLE version_metrics AS SELECT * FROM main.version_metrics";
        // Several audits look at it: it is made once, and hides the view meanwhile.
        let is_held = self.views.iter().any(|view| view.name == "version_metrics");
        let batch = |sql| self.connection.execute_batch(sql).map_err(WarehouseError::Query);
        if is_held {
            batch(hold)?;
        }
        let findings = self.product_audits().into_iter().map(|audit| self.run_audit(audit)).collect();
        if is_held {
            batch("DROP TABLE temp.version_metrics")?;
        }
        findings
    }

    /// Those of the product whose tables these are.
    fn product_audits(&self) -> Vec<Audit> {
        let has = |name: &str| self.views.iter().any(|view| view.name == name);
        match Tables::get().published_by_catalog().any(|table| has(&table.name)) {
            true => catalog_audits(has).into_iter().map(Audit::from).collect(),
            false => AUDITS.to_vec(),
        }
    }

    fn run_audit(&self, audit: Audit) -> Result<Finding, WarehouseError> {
        let failed =
            |source| WarehouseError::Audit { audit: audit.name.to_string(), source: Box::new(source) };
        let rows = self.query(&audit.sql).map_err(failed)?;
        Ok(Finding { audit, rows })
    }

    /// The connection, for what takes tables of its own between its queries; they are held in memory.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.connection
    }
}
