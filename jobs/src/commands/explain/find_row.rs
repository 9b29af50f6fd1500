//! The row that a key names, as people write keys.

use fdna_lineage::key_text;
use fdna_model::{fold_name, slug_id};
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::lineage::{Cells, LineageReader};
use fdna_schemas::{ColumnType, Table};
use serde_json::{Value, json};

/// Rows that are looked at before a key is refused for naming several.
const SEVERAL: usize = 200;

/// The row of this key.
///
/// # Errors
/// The key cannot be read, or names no row, or several.
pub(super) fn find_row(reader: &LineageReader<'_>, table: &Table, key: &str) -> anyhow::Result<Cells> {
    let wanted = parse_key(reader, table, key)?;
    let mut rows = reader.rows_with(&table.name, &wanted, SEVERAL)?;
    match (rows.len(), table.key.as_slice()) {
        (0, _) => Err(no_row(reader, table, &wanted)?),
        (1, _) => Ok(rows.remove(0)),
        // Of versions, the newest.
        (_, [_, version]) if version == "version" && wanted.len() == 1 => {
            rows.sort_by_key(|cells| cells["version"].as_i64());
            rows.pop().ok_or_else(|| usage("no version".to_owned()))
        }
        (count, _) => {
            let keys = rows.iter().take(5).map(|cells| key_text(&table.key, cells));
            let count = if count == SEVERAL {
                format!("{SEVERAL} rows or more have")
            } else {
                format!("{count} rows have")
            };
            let keys: Vec<String> = keys.collect();
            Err(usage(format!(
                "{count} the key {key} in table `{}`; give all of it:\n{}",
                table.name,
                keys.join("\n")
            )))
        }
    }
}

fn parse_key(reader: &LineageReader<'_>, table: &Table, key: &str) -> anyhow::Result<Cells> {
    let mut wanted = Cells::new();
    let parts: Vec<&str> = key.split(',').map(str::trim).collect();
    for (at, part) in parts.iter().enumerate() {
        let named = part.split_once('=').filter(|(column, _)| table.key.iter().any(|name| name == column));
        let place = || table.key.get(at).map(|column| (column.as_str(), *part));
        let (column, text) = named.or_else(place).ok_or_else(|| not_a_key(table, key))?;
        let value =
            match (column, table.columns.iter().find(|known| known.name == column).map(|known| known.kind)) {
                ("fighter_id", _) => json!(find_fighter(reader, text)?),
                ("bout_id" | "event_id", _) => json!(find_entity(reader, &column[..column.len() - 3], text)?),
                (_, Some(ColumnType::Int32 | ColumnType::Int64)) => {
                    json!(text.parse::<i64>().map_err(|_| not_a_key(table, key))?)
                }
                (_, Some(ColumnType::Bool)) => json!(text == "true"),
                _ => json!(text),
            };
        wanted.insert(column.to_owned(), value);
    }
    Ok(wanted)
}

fn not_a_key(table: &Table, key: &str) -> anyhow::Error {
    let columns = table.key.join(", ");
    usage(format!("cannot read the key `{key}`: the key of table `{}` is {columns}", table.name))
}

/// Our id of an event or bout that is given by it or by an id of a source.
fn find_entity(reader: &LineageReader<'_>, kind: &str, text: &str) -> anyhow::Result<String> {
    let wanted: Cells = [("kind", kind), ("source_id", text)]
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .into_iter()
        .collect();
    let links = reader.rows_with("identities", &wanted, 1)?;
    let alias: Cells = [("kind", kind), ("alias_id", text)]
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .into_iter()
        .collect();
    let id = |rows: &[Cells]| rows.first().and_then(|cells| cells["entity_id"].as_str()).map(str::to_owned);
    let is_alias = if links.is_empty() { reader.rows_with("aliases", &alias, 1)? } else { Vec::new() };
    Ok(id(&links).or_else(|| id(&is_alias)).unwrap_or_else(|| text.to_owned()))
}

/// Our id of a fighter that is given by it, by an id of a source, by a slug_id or by name.
fn find_fighter(reader: &LineageReader<'_>, text: &str) -> anyhow::Result<String> {
    let id = find_entity(reader, "fighter", text)?;
    let named = fold_name(text);
    let found = reader.rows_where("fighters", |rows, row| {
        let text_of =
            |column: &str| rows.column_by_name(column).and_then(|cells| fdna_lineage::cell_text(cells, row));
        let (Some(own), Some(name)) = (text_of("fighter_id"), text_of("name")) else { return false };
        own == id || own.parse().is_ok_and(|own| slug_id(&name, own) == text) || fold_name(&name) == named
    })?;
    let of = |cells: &Cells, column: &str| cells[column].as_str().unwrap_or_default().to_owned();
    if let Some(own) = found.iter().find(|cells| cells["fighter_id"] == id.as_str()) {
        return Ok(of(own, "fighter_id"));
    }
    match found.as_slice() {
        [one] => Ok(of(one, "fighter_id")),
        [] => Ok(id),
        several => {
            let names =
                several.iter().map(|cells| format!("{} {}", of(cells, "fighter_id"), of(cells, "name")));
            let names: Vec<String> = names.collect();
            Err(usage(format!("several fighters have the name `{text}`; give an id:\n{}", names.join("\n"))))
        }
    }
}

/// The error of a key that no row has: it names some that are there.
fn no_row(reader: &LineageReader<'_>, table: &Table, wanted: &Cells) -> anyhow::Result<anyhow::Error> {
    let id = &reader.manifest.id;
    let key = key_text(&table.key, wanted);
    let first: Option<(String, Value)> =
        wanted.iter().next().map(|(column, value)| (column.clone(), value.clone()));
    let with_first = first.map(|first| Cells::from_iter([first])).filter(|_| wanted.len() > 1);
    let near =
        with_first.map(|cells| reader.rows_with(&table.name, &cells, 3)).transpose()?.unwrap_or_default();
    let near: Vec<String> = near.iter().map(|cells| key_text(&table.key, cells)).collect();
    let hint = if near.is_empty() {
        format!("the key of the table is {}", table.key.join(", "))
    } else {
        format!("there are {}", near.join("; "))
    };
    Ok(usage(format!("no row {key} in table `{}` of snapshot {id}; {hint}", table.name)))
}

fn usage(message: String) -> anyhow::Error {
    error_with_code(ExitCode::Usage, message)
}
