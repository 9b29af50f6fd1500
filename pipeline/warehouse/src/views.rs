//! Views over the files of the lake.

use std::collections::BTreeMap;
use std::path::Path;

use duckdb::Connection;
use fdna_lake::CheckedFile;
use fdna_schemas::is_quarantine;

use crate::WarehouseError;
use crate::settings::{quote_name, quote_text};

/// A view, by name and the files behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableView {
    pub name: String,
    /// Absolute paths; of a view made of another one, none.
    pub files: Vec<String>,
}

/// Groups the files by table, and makes a view over each group.
pub(crate) fn create_views(
    connection: &Connection,
    files: &[CheckedFile],
) -> Result<Vec<TableView>, WarehouseError> {
    let mut tables: BTreeMap<&str, Vec<&CheckedFile>> = BTreeMap::new();
    for file in files {
        tables.entry(&file.table).or_default().push(file);
    }
    let mut views = Vec::new();
    for (name, files) in tables {
        let differ = files.iter().any(|file| file.contract_version != files[0].contract_version);
        let files = files.iter().map(|file| engine_path(&file.path)).collect::<Result<Vec<_>, _>>()?;
        let list: Vec<String> = files.iter().map(|file| quote_text(file)).collect();
        // A folder `as_of=…` is no column: the file has it. To match columns by name, which files of other
        // contracts need, every footer is read.
        let sql = format!(
            "SELECT * FROM read_parquet([{}], hive_partitioning = false, union_by_name = {differ})",
            list.join(", ")
        );
        create_view(connection, name, &sql)?;
        views.push(TableView { name: name.to_owned(), files });
    }
    Ok(views)
}

/// Rows set aside by each sport as one table, of a snapshot that has several.
pub(crate) fn create_quarantine_view(
    connection: &Connection,
    views: &[TableView],
) -> Result<Option<TableView>, WarehouseError> {
    let name = "quarantine".to_owned();
    let of_sports: Vec<String> = views
        .iter()
        .filter(|view| view.name != name && is_quarantine(&view.name))
        .map(|view| {
            let sport = view.name.strip_suffix("_quarantine").unwrap_or_default();
            format!("SELECT {} AS sport, * FROM {}", quote_text(sport), quote_name(&view.name))
        })
        .collect();
    if of_sports.is_empty() {
        return Ok(None);
    }
    create_view(connection, &name, &of_sports.join(" UNION ALL "))?;
    Ok(Some(TableView { name, files: Vec::new() }))
}

fn create_view(connection: &Connection, name: &str, sql: &str) -> Result<(), WarehouseError> {
    let sql = format!("CREATE VIEW {} AS {sql}", quote_name(name));
    connection.execute_batch(&sql).map_err(|source| WarehouseError::View { view: name.to_owned(), source })
}

/// The path of one file, and of no pattern.
pub(crate) fn engine_path(path: &Path) -> Result<String, WarehouseError> {
    let locate = |source| WarehouseError::Locate { path: path.to_owned(), source };
    let absolute = path.canonicalize().map_err(locate)?;
    let refuse = |why| WarehouseError::Path { path: absolute.clone(), why };
    let text = absolute.to_str().ok_or_else(|| refuse("its name is not UTF-8"))?;
    if text.contains(['*', '?', '[']) {
        return Err(refuse("the engine takes `*`, `?` and `[` in a name for a pattern"));
    }
    Ok(text.to_owned())
}

/// Columns of a metric in `dna_versions`, and the type that holds each for all metrics.
const OF_A_METRIC: [(&str, &str); 17] = [
    ("status", "VARCHAR"),
    ("value", "DOUBLE"),
    ("raw_value", "DOUBLE"),
    ("interval_low", "DOUBLE"),
    ("interval_high", "DOUBLE"),
    ("numerator", "DOUBLE"),
    ("denominator", "DOUBLE"),
    ("exposure", "DOUBLE"),
    ("bouts", "INTEGER"),
    ("rounds", "INTEGER"),
    ("weight", "DOUBLE"),
    ("prior_mean", "DOUBLE"),
    ("prior_strength", "DOUBLE"),
    ("confidence", "VARCHAR"),
    ("reasons", "VARCHAR"),
    ("percentile", "DOUBLE"),
    ("pool_size", "INTEGER"),
];

/// `version_metrics`, if there are versions with metrics.
pub(crate) fn version_metrics(
    connection: &Connection,
    views: &[TableView],
) -> Result<Option<TableView>, WarehouseError> {
    if !views.iter().any(|view| view.name == "dna_versions") {
        return Ok(None);
    }
    let columns = column_names(connection, "dna_versions")?;
    // The columns that are there, not those of this build's metric definitions: a snapshot may be older.
    let metrics = columns.iter().filter_map(|column| column.strip_suffix("__status"));
    let rows: Vec<String> = metrics.map(|metric| row_of(metric, &columns)).collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let name = "version_metrics".to_owned();
    let keys = "fighter_id, version, valid_from";
    // One scan with all metrics of a row in a list: a scan for each metric would read the file's footer as often.
    let sql = format!(
        "SELECT {keys}, m.* FROM (SELECT {keys}, unnest([{}]) AS m FROM dna_versions)",
        rows.join(", ")
    );
    create_view(connection, &name, &sql)?;
    Ok(Some(TableView { name, files: Vec::new() }))
}

fn row_of(metric: &str, columns: &[String]) -> String {
    let field = |(suffix, kind): &(&str, &str)| {
        let column = format!("{metric}__{suffix}");
        let value = if columns.contains(&column) { quote_name(&column) } else { "NULL".to_owned() };
        format!("{}: CAST({value} AS {kind})", quote_text(suffix))
    };
    let fields: Vec<String> = OF_A_METRIC.iter().map(field).collect();
    format!("{{'metric': {}, {}}}", quote_text(metric), fields.join(", "))
}

/// Names of the columns of a view, in order.
pub(crate) fn column_names(connection: &Connection, view: &str) -> Result<Vec<String>, WarehouseError> {
    let sql = "SELECT column_name FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index";
    let names = || {
        let mut statement = connection.prepare(sql)?;
        let rows = statement.query_map([view], |row| row.get::<_, String>(0))?;
        rows.collect::<Result<Vec<_>, _>>()
    };
    names().map_err(WarehouseError::Query)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_the_engine_would_take_for_a_pattern_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for odd in ["what?", "all*", "[a]"] {
            let path = folder.path().join(odd);
            std::fs::create_dir(&path).unwrap();
            assert!(matches!(engine_path(&path), Err(WarehouseError::Path { .. })), "{odd}");
        }
        assert!(matches!(engine_path(&folder.path().join("none")), Err(WarehouseError::Locate { .. })));
    }
}
