//! Settings of DuckDB: in memory, without files or network, and bounded.

use duckdb::{Config, Connection};

use crate::WarehouseError;

/// Resources of the database.
#[derive(Debug, Clone, Default)]
pub struct EngineLimits {
    /// Memory, as DuckDB reads it: `1GB`. Without, eight tenths of the machine's. What does not fit fails, since
    /// nothing is spilled to disk.
    pub memory: Option<String>,
    /// Threads; without, as many as the machine has.
    pub threads: Option<u16>,
}

impl EngineLimits {
    /// A database in memory that fetches, loads and spills nothing.
    pub(crate) fn open_connection(&self) -> Result<Connection, WarehouseError> {
        let config = || {
            let mut config = Config::default()
                .with("autoinstall_known_extensions", "false")?
                .with("autoload_known_extensions", "false")?
                .with("allow_community_extensions", "false")?
                .with("temp_directory", "")?
                // To check a database in memory in saves nothing: it compresses what is dropped soon.
                .with("checkpoint_threshold", "1TB")?;
            if let Some(memory) = &self.memory {
                config = config.max_memory(memory)?;
            }
            if let Some(threads) = self.threads {
                config = config.threads(threads.into())?;
            }
            let connection = Connection::open_in_memory_with_flags(config)?;
            // A library that knows time zones casts instants in that of the machine.
            let knows_zones = "SELECT count(*) > 0 FROM duckdb_settings() WHERE name = 'TimeZone'";
            if connection.query_row(knows_zones, [], |row| row.get(0))? {
                connection.execute_batch("SET TimeZone = 'UTC'")?;
            }
            Ok(connection)
        };
        config().map_err(WarehouseError::SetUp)
    }
}

/// Shuts off every file but these, and the settings themselves.
pub(crate) fn confine_to(connection: &Connection, files: &[String]) -> Result<(), WarehouseError> {
    let files: Vec<String> = files.iter().map(|file| quote_text(file)).collect();
    let sql = format!(
        "SET allowed_paths = [{}]; SET enable_external_access = false; SET lock_configuration = true;",
        files.join(", ")
    );
    connection.execute_batch(&sql).map_err(WarehouseError::SetUp)
}

/// A string of SQL.
pub(crate) fn quote_text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A name of SQL.
pub(crate) fn quote_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the library knows time zones or not, and whatever zone the machine is in.
    #[test]
    fn instants_are_cast_in_utc() {
        let connection = EngineLimits::default().open_connection().unwrap();
        let sql = "SELECT CAST(CAST(make_timestamptz(1746324000000000) AS TIMESTAMP) AS VARCHAR)";
        let text: String = connection.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(text, "2025-05-04 02:00:00");
    }
}
