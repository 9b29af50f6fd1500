//! `fightdna explain`: from a published value to the facts, the captures and their lines, and to what became of it.

mod as_text;
mod find_row;
mod metric;
mod over_http;

use std::collections::BTreeSet;

use anyhow::Context as _;
use clap::Args;
use fdna_lake::{Lake, SnapshotManifest};
use fdna_lineage::EntityNames;
use fdna_run::current_snapshot::require_current;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::lineage::{Cells, LineageReader, RowLineage, add_names};
use fdna_run::product::Product;
use fdna_schemas::{Column, Table, Tables};
use serde_json::json;

use super::diff::no_such_table;
use super::nearest::nearest_names;
use super::snapshot_name::find_snapshot;
use crate::output::CommandReport;
pub use over_http::LakeExplainer;

/// Of which row, and of which of its values.
#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// Table of the snapshot, such as results.
    table: String,
    /// Key of the row: `bout_id=…,round=1`, or its values in the order of the key. For a fighter also a name, an id of a
    /// source, or a slug_id; a DNA version without a number is the newest.
    key: String,
    /// Column of the table; of `dna_versions` also the name of a metric, such as sig_landed_per_min.
    column: Option<String>,
    /// The snapshot: an id, the beginning of one, `current` or `previous`.
    #[arg(long, value_name = "ID", default_value = "current")]
    snapshot: String,
}

/// A row with its lineage, and the column that is asked about.
struct TracedRow {
    manifest: SnapshotManifest,
    /// Cells of the key and of the column alone, where one is asked about.
    lineage: RowLineage,
    table: &'static Table,
    column: Option<ChosenColumn>,
    /// The operation that explains the metric, as its address.
    metric_address: Option<String>,
}

impl ExplainArgs {
    /// Of a row of a snapshot that is named by its id.
    fn for_row(table: String, key: String, column: Option<String>, snapshot: String) -> Self {
        Self { table, key, column, snapshot }
    }

    pub(crate) fn run(&self, lake: &Lake) -> anyhow::Result<CommandReport> {
        let row = self.trace_row(lake)?;
        let metric = match &row.metric_address {
            Some(address) => metric::explain_metric(lake, &row.lineage, address)?,
            None => None,
        };
        let mut names = EntityNames::default();
        add_names(lake, &row.manifest, &mut names)?;
        let text = as_text::describe(&row.lineage, row.table, row.column.as_ref(), (metric.as_ref(), &names));
        let mut json = serde_json::to_value(&row.lineage).context("cannot write the result as JSON")?;
        json["column"] = json!(row.column.as_ref().map(|column| &column.name));
        json["metric"] = json!(metric);
        Ok(CommandReport::done(text, &json))
    }

    /// The row, and all that leads to it and from it.
    fn trace_row(&self, lake: &Lake) -> anyhow::Result<TracedRow> {
        let current = require_current(lake, Product::Mma)?;
        let manifest = find_snapshot(lake, &self.snapshot)?;
        let entry = manifest.table(&self.table).ok_or_else(|| no_such_table(&manifest, &self.table))?;
        let table = Tables::get().table(&entry.name)?;
        let reader = LineageReader { lake, manifest, current };
        let cells = find_row::find_row(&reader, table, &self.key)?;
        let column = self.column.as_deref().map(|name| self.find_column(table, &cells, name)).transpose()?;
        let name = column.as_ref().map(|column| column.name.as_str());
        let mut lineage = reader.trace_row(table, cells, name)?;
        let metric = column.as_ref().filter(|column| column.is_metric);
        let metric_address = metric.and_then(|metric| metric::metric_address(&lineage, &metric.name));
        if let Some(name) = name {
            lineage.keep_column(name);
        }
        Ok(TracedRow { manifest: reader.manifest, lineage, table, column, metric_address })
    }

    fn find_column(&self, table: &Table, cells: &Cells, name: &str) -> anyhow::Result<ChosenColumn> {
        let contract = table.columns.iter().find(|column| column.name == name).cloned();
        let is_metric = cells.keys().any(|column| column.starts_with(&format!("{name}__")));
        if contract.is_some() || cells.contains_key(name) || is_metric {
            // Of one column of a metric, the metric.
            let metric = name.split_once("__").map(|(metric, _)| metric);
            let name = metric.filter(|_| cells.contains_key(name)).unwrap_or(name).to_owned();
            return Ok(ChosenColumn { is_metric: is_metric || metric.is_some(), name, contract });
        }
        let names =
            cells.keys().map(|column| column.split_once("__").map_or(column.as_str(), |(metric, _)| metric));
        let mut names: Vec<&str> = names.collect::<BTreeSet<_>>().into_iter().collect();
        let nearest = nearest_names(name, &mut names);
        let table = &table.name;
        Err(error_with_code(
            ExitCode::Usage,
            format!("no column `{name}` in table `{table}`; the nearest names are {nearest}"),
        ))
    }
}

/// The column to explain, or the metric that several columns are of.
pub(crate) struct ChosenColumn {
    name: String,
    contract: Option<Column>,
    is_metric: bool,
}
