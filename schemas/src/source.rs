//! Source contracts: which files and columns a source gives, and which of them may be missing.

use serde::Deserialize;

use crate::embedded;

/// A source's files as they come; one TOML file in `schemas/sources`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceContract {
    pub source: String,
    pub meaning: String,
    /// Texts that stand for "not known".
    pub null_tokens: Vec<String>,
    /// What becomes of columns that the contract does not name: `noted` or `refused`.
    pub unknown_columns: String,
    #[serde(rename = "file")]
    pub files: Vec<SourceFile>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    pub name: String,
    /// Facts table that its rows become.
    pub table: String,
    pub columns: Vec<SourceColumn>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceColumn {
    pub name: String,
    pub rule: ColumnRule,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnRule {
    /// A row without a value is set aside.
    Required,
    /// Unknown is null.
    Nullable,
    /// Expected, and not used.
    Ignored,
}

impl SourceContract {
    /// The contract of a source known to this build.
    #[must_use]
    pub fn get(source: &str) -> Option<Self> {
        let (_, text) = embedded::SOURCES.iter().find(|(name, _)| *name == source)?;
        Some(toml::from_str(text).unwrap_or_else(|error| panic!("embedded source {source}: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tables;

    #[test]
    fn every_source_file_feeds_a_known_table() {
        for (name, _) in embedded::SOURCES {
            let contract = SourceContract::get(name).unwrap();
            assert_eq!(contract.source, *name);
            for file in contract.files {
                assert!(Tables::get().table(&file.table).is_ok(), "{}", file.table);
            }
        }
    }
}
