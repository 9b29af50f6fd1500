//! The tools as `tools.toml` declares them.

use std::collections::BTreeMap;

use fdna_api::Operation;
use serde::Deserialize;

const TEXT: &str = include_str!("../tools.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolFile {
    /// What a model should know of all tools.
    pub(crate) instructions: String,
    #[serde(rename = "tool")]
    pub(crate) tools: Vec<ToolEntry>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolEntry {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) description: String,
    /// Name of the operation that answers; without, the tool is asked of the lake.
    pub(crate) operation: Option<String>,
    /// Names of arguments by the path parameters that they stand for.
    #[serde(default)]
    pub(crate) path: BTreeMap<String, String>,
    /// Values of arguments that are left out.
    #[serde(default)]
    pub(crate) defaults: BTreeMap<String, toml::Value>,
    /// Parameters whose default holds only where another one is left out.
    #[serde(default)]
    pub(crate) unless: BTreeMap<String, String>,
    /// What to do where a list was cut.
    pub(crate) go_on: String,
}

impl ToolFile {
    /// The file that is compiled in.
    ///
    /// # Panics
    /// It cannot be read; a test reads it.
    pub(crate) fn read() -> Self {
        toml::from_str(TEXT).unwrap_or_else(|error| panic!("tools.toml: {error}"))
    }
}

impl ToolEntry {
    pub(crate) fn operation(&self) -> Option<&'static Operation> {
        self.operation.as_deref().and_then(fdna_api::operation)
    }
}
