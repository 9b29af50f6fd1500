//! Form of a file of routes, word for word.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// What `data` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteShape {
    /// Rows, in pages.
    List,
    Object,
    /// An object of several parts, of which each may be null.
    Sections,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SportFile {
    pub(crate) sport: String,
    pub(crate) name: String,
    /// Its place in the listing, from 1.
    pub(crate) position: u32,
    pub(crate) day_zone: String,
    #[serde(rename = "group")]
    pub(crate) groups: Vec<GroupEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GroupEntry {
    pub(crate) name: String,
    /// Of every route that does not say otherwise.
    pub(crate) in_narrow_listing: bool,
    #[serde(rename = "route")]
    pub(crate) routes: Vec<RouteEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RouteEntry {
    pub(crate) path: String,
    pub(crate) kind: KindWord,
    pub(crate) shape: Option<RouteShape>,
    #[serde(default)]
    pub(crate) sources: Vec<String>,
    pub(crate) code: Option<String>,
    pub(crate) meaning: String,
    pub(crate) coverage: Option<String>,
    pub(crate) example: Option<String>,
    pub(crate) in_narrow_listing: Option<bool>,
    /// The table that it answers from; without one, and without sections, nothing is published yet.
    pub(crate) table: Option<String>,
    #[serde(default, rename = "where")]
    pub(crate) fixed: BTreeMap<String, FixedValue>,
    #[serde(default)]
    pub(crate) order: Vec<String>,
    #[serde(default)]
    pub(crate) columns: Vec<String>,
    pub(crate) nested: Option<NestedEntry>,
    pub(crate) missing: Option<String>,
    /// Whether a list without any rows says that there are none, and not that nobody knows.
    #[serde(default)]
    pub(crate) may_be_empty: bool,
    /// By name; the places of their values in the file give their order.
    #[serde(default)]
    pub(crate) sections: BTreeMap<String, Spanned<SectionEntry>>,
    #[serde(default, rename = "path_param")]
    pub(crate) path_params: Vec<PathParamEntry>,
    #[serde(default, rename = "param")]
    pub(crate) params: Vec<ParamEntry>,
}

/// Rows of a list that are made of several rows of the table: those of one player, with a list of his metrics.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NestedEntry {
    /// Column of the key: rows with one value of it become one row.
    pub(crate) by: String,
    /// Member that lists them, with the columns that are not among the route's `columns`.
    pub(crate) name: String,
    /// Column by which the groups stand, greatest first, in the nested row that the parameter with `op = "rank"` names.
    pub(crate) rank: String,
}

/// Rows of one table that stand in an answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SectionEntry {
    pub(crate) table: String,
    pub(crate) shape: RouteShape,
    #[serde(default, rename = "where")]
    pub(crate) fixed: BTreeMap<String, FixedValue>,
    #[serde(default)]
    pub(crate) order: Vec<String>,
    #[serde(default)]
    pub(crate) columns: Vec<String>,
    pub(crate) missing: Option<String>,
}

/// What a column must be, whatever is asked; `today` is the league's day.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum FixedValue {
    Is(bool),
    Number(i64),
    Text(String),
}

/// A column, or several of which any will do.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum ColumnNames {
    One(String),
    Any(Vec<String>),
}

impl ColumnNames {
    pub(crate) fn names(self) -> Vec<String> {
        match self {
            Self::One(name) => vec![name],
            Self::Any(names) => names,
        }
    }
}

/// What a parameter asks of its column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FilterOp {
    #[default]
    Eq,
    /// At least the value; of words, it or one that is listed after it.
    From,
    /// At most the value.
    To,
    /// Of each key without this column, the newest row that is not after the value.
    AsOf,
    /// Every word is in the text.
    Search,
    /// The nested row with this value says where its group stands; it leaves nothing out.
    Rank,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum KindWord {
    Stated,
    Derived,
    None,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PathParamEntry {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: PathParamType,
    pub(crate) meaning: String,
    pub(crate) column: Option<ColumnNames>,
    /// Table whose column of the same name says which values there are.
    pub(crate) entity: Option<String>,
    /// Column of that table: the parts are asked for its value, whichever column the path named.
    pub(crate) subject: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PathParamType {
    Id,
    Slug,
    Abbr,
    Season,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ParamEntry {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: ParamType,
    pub(crate) default: Option<ParamDefault>,
    #[serde(default)]
    pub(crate) required: bool,
    #[serde(default)]
    pub(crate) values: Vec<String>,
    pub(crate) min: Option<u32>,
    pub(crate) max: Option<u32>,
    pub(crate) meaning: String,
    pub(crate) column: Option<ColumnNames>,
    #[serde(default)]
    pub(crate) op: FilterOp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ParamType {
    Season,
    Date,
    Int,
    Word,
    Text,
    Id,
}

/// What a parameter is where it is left out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum ParamDefault {
    Number(u32),
    Text(String),
}
