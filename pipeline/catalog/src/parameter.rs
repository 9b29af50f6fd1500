//! Parameters of routes, as the contract checks them, from what a file says of them.

use fdna_api::param::Integer;
use fdna_api::{Param, Parameter, ParameterKind};

use crate::PathParameter;
use crate::file::{ColumnNames, ParamDefault, ParamEntry, ParamType, PathParamEntry, PathParamType};
use crate::route::word;

/// Rows of a list, where a route does not say otherwise: those of a page without `limit`, and those of the longest.
const PAGE: (u32, u32) = (50, 500);

/// Characters of a text, an id or a name in a query, at most.
const MAX_CHARS: usize = 100;

fn words(texts: Vec<String>) -> &'static [&'static str] {
    texts.into_iter().map(word).collect::<Vec<_>>().leak()
}

pub(crate) fn names(columns: Option<ColumnNames>) -> Vec<String> {
    columns.map(ColumnNames::names).unwrap_or_default()
}

/// Where the value of a path is looked up, as a file says it.
#[derive(Debug, Default)]
pub(crate) struct PathColumns {
    pub(crate) columns: Vec<String>,
    pub(crate) entity: Option<String>,
    pub(crate) subject: Option<String>,
}

/// A segment that stands for a value, and its columns.
pub(crate) fn path_parameter(entry: PathParamEntry) -> (PathParameter, PathColumns) {
    let kind = match entry.kind {
        PathParamType::Id => "id",
        PathParamType::Slug => "slug",
        PathParamType::Abbr => "abbr",
        PathParamType::Season => "season",
    };
    let parameter = PathParameter { name: word(entry.name), kind, about: word(entry.meaning) };
    (parameter, PathColumns { columns: names(entry.column), entity: entry.entity, subject: entry.subject })
}

pub(crate) const LIMIT: Param<Integer> =
    Param::integer("limit", (1, PAGE.1), PAGE.0, "Rows of the answer, at most.");
pub(crate) const OFFSET: Param<Integer> = Param::integer("offset", (0, u32::MAX), 0, "Rows to pass over.");

/// Where a page of a list begins, and how long it is.
pub(crate) fn page() -> [Parameter; 2] {
    [LIMIT.declared(), OFFSET.declared()]
}

/// A default that the data decide.
fn by_data(default: ParamDefault) -> Option<&'static str> {
    match default {
        ParamDefault::Text(text) => Some(word(text)),
        ParamDefault::Number(_) => None,
    }
}

/// A parameter, and what it is where it is left out if its kind does not say that.
pub(crate) fn parameter(entry: ParamEntry) -> Result<(Parameter, Option<&'static str>), String> {
    let ParamEntry { name, kind, default, required, values, min, max, meaning, .. } = entry;
    let name = word(name);
    let has_bounds = min.is_some() || max.is_some();
    if has_bounds && kind != ParamType::Int {
        return Err(format!("`{name}` has bounds and is no number"));
    }
    if values.is_empty() == (kind == ParamType::Word) {
        return Err(format!("`{name}`: a word has values, nothing else has"));
    }
    let (kind, by_data) = match (kind, default) {
        (ParamType::Int, Some(ParamDefault::Number(default))) => {
            let (min, max) = (min.unwrap_or(0), max.unwrap_or(u32::MAX));
            if !(min..=max).contains(&default) {
                return Err(format!("`{name}` is {default} where it is left out, which is out of bounds"));
            }
            (ParameterKind::Integer { min, max, default }, None)
        }
        (ParamType::Int, default) => {
            let (min, max) = (min.unwrap_or(0), max.unwrap_or(u32::MAX));
            (ParameterKind::OptionalInteger { min, max }, default.and_then(by_data))
        }
        (_, Some(ParamDefault::Number(_))) => {
            return Err(format!("`{name}` is no number, and its default is"));
        }
        (ParamType::Word, Some(ParamDefault::Text(default))) => {
            let words = words(values);
            let default = words.iter().find(|word| **word == default).copied();
            let default = default.ok_or_else(|| format!("`{name}`: its default is none of its values"))?;
            (ParameterKind::Choice { words, default }, None)
        }
        (ParamType::Word, None) => (ParameterKind::Word { words: words(values) }, None),
        (kind, default) => {
            let kind = match kind {
                ParamType::Season => ParameterKind::Season,
                ParamType::Date => ParameterKind::Date,
                _ => ParameterKind::Text { max_chars: MAX_CHARS },
            };
            (kind, default.and_then(by_data))
        }
    };
    if required && by_data.is_some() {
        return Err(format!("`{name}` is required and has a default"));
    }
    Ok((Parameter { name, kind, about: word(meaning), required }, by_data))
}
