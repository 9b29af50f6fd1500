//! Origin of a row in its capture, found by a key or by a text that a model could not read.

use duckdb::Connection;
use fdna_schemas::{CatalogSource, ColumnType, Table};

use super::request::CapturedFacts;
use super::sql::model_error;
use crate::WarehouseError;
use crate::settings::{quote_name, quote_text};

/// Position of a row in its capture.
pub(super) struct RowOrigin {
    pub(super) source: String,
    pub(super) capture: Option<String>,
    pub(super) file: String,
    pub(super) line: i32,
}

impl std::fmt::Display for RowOrigin {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { source, capture, file, line } = self;
        let capture = capture.as_deref().map(|capture| format!("/{capture}")).unwrap_or_default();
        write!(to, "`{file}` line {line} of {source}{capture}")
    }
}

/// The merged facts of a sport, in which the origin of a row is looked for.
pub(super) struct SportFacts<'a> {
    pub(super) connection: &'a Connection,
    pub(super) sport: &'a str,
    pub(super) captures: &'a [CapturedFacts],
}

impl SportFacts<'_> {
    /// Position of the row with this key, in facts that have all columns of the key; none where no facts do.
    pub(super) fn find_key(
        &self,
        table: &Table,
        key: &[Option<String>],
    ) -> Result<Option<RowOrigin>, WarehouseError> {
        let equal: Vec<String> = table
            .key
            .iter()
            .zip(key)
            .map(|(column, value)| {
                let value = value.as_deref().map_or("NULL".to_owned(), quote_text);
                format!("CAST({} AS VARCHAR) IS NOT DISTINCT FROM {value}", quote_name(column))
            })
            .collect();
        let has_key = |facts: &Table| table.key.iter().all(|key| facts.place(key).is_some());
        for (source, facts) in self.facts_tables().filter(|(_, facts)| has_key(facts)) {
            let found = self.first_origin(source, &facts, &equal.join(" AND "))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Position of a text that a model could not convert; `column` is its column, if that is known.
    pub(super) fn find_text(&self, text: &str, column: Option<&str>) -> Vec<RowOrigin> {
        let mut found = Vec::new();
        for (source, facts) in self.facts_tables() {
            let texts = facts.columns.iter().skip(3).filter(|own| {
                own.kind == ColumnType::String && column.is_none_or(|column| own.name == column)
            });
            let is_text: Vec<String> =
                texts.map(|own| format!("{} = {}", quote_name(&own.name), quote_text(text))).collect();
            if !is_text.is_empty()
                && let Ok(Some(origin)) = self.first_origin(source, &facts, &is_text.join(" OR "))
            {
                found.push(origin);
            }
        }
        found
    }

    fn facts_tables(&self) -> impl Iterator<Item = (&'static str, Table)> {
        let own = CatalogSource::all().filter(|source| source.sport == self.sport);
        own.flat_map(|source| source.facts_tables().into_values().map(|table| (&*source.source, table)))
    }

    fn first_origin(
        &self,
        source: &str,
        facts: &Table,
        which: &str,
    ) -> Result<Option<RowOrigin>, WarehouseError> {
        let failed = |error| model_error(&facts.name, error);
        let sql = format!(
            "SELECT file, line, epoch_ms(captured_at) FROM {} WHERE {which} ORDER BY file, line LIMIT 1",
            quote_name(&facts.name)
        );
        let mut statement = self.connection.prepare(&sql).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let Some(row) = rows.next().map_err(failed)? else { return Ok(None) };
        let at: i64 = row.get(2).map_err(failed)?;
        let of_time = |own: &&CapturedFacts| own.source == source && own.captured_at.timestamp_millis() == at;
        Ok(Some(RowOrigin {
            source: source.to_owned(),
            capture: self.captures.iter().find(of_time).map(|own| own.capture.clone()),
            file: row.get(0).map_err(failed)?,
            line: row.get(1).map_err(failed)?,
        }))
    }
}

/// The text that the engine could not convert, and the column that it was in, as its message says.
pub(super) fn parse_conversion_error(message: &str) -> Option<(String, Option<String>)> {
    let line = message.lines().find(|line| line.contains("Conversion Error"))?;
    let quote = line.find(['\'', '"'])?;
    let mark = line[quote..].chars().next()?;
    let (text, behind) = line[quote + 1..].split_once(mark)?;
    let column = behind.split_once("source column ").map(|(_, column)| {
        column.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_owned()
    });
    Some((text.to_owned(), column.filter(|column| !column.is_empty())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_converted_is_told_by_text_and_column() {
        let of = |text: &str| parse_conversion_error(text);
        let expected = |text: &str, column: Option<&str>| Some((text.to_owned(), column.map(str::to_owned)));
        let message = "Conversion Error: Could not convert string '0a' to INT32 when casting from source column game_number";
        assert_eq!(of(message), expected("0a", Some("game_number")));
        let message =
            "Conversion Error: invalid date field format: \"2022-13-01\", expected format is (YYYY-MM-DD)";
        assert_eq!(of(message), expected("2022-13-01", None));
        assert_eq!(of("Binder Error: Referenced column \"a\" not found"), None);
    }
}
