//! What a file of routes says, word for word.

use serde::Deserialize;

use crate::RouteShape;

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
    #[serde(default, rename = "path_param")]
    pub(crate) path_params: Vec<PathParamEntry>,
    #[serde(default, rename = "param")]
    pub(crate) params: Vec<ParamEntry>,
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
