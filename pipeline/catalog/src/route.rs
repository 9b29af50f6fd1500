//! Routes, as the server and the documents use them.

use fdna_api::{ErrorCode, Parameter, ParameterKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::RouteFault;
use crate::file::{
    GroupEntry, KindWord, ParamDefault, ParamEntry, ParamType, PathParamType, RouteEntry, SportFile,
};

/// Rows of a list, where a route does not say otherwise: those of a page without `limit`, and those of the longest.
const PAGE: (u32, u32) = (50, 500);

/// Characters of a text, an id or a name in a query, at most.
const MAX_CHARS: usize = 100;

/// A sport with its groups of routes.
#[derive(Debug)]
pub struct Sport {
    /// First segment of its paths.
    pub key: &'static str,
    pub name: &'static str,
    /// Its place in the listing, from 1.
    pub position: u32,
    /// The zone by which its days are counted, of the IANA database.
    pub day_zone: &'static str,
    pub groups: Vec<CatalogGroup>,
}

/// Routes that stand together in the listing.
#[derive(Debug)]
pub struct CatalogGroup {
    pub name: &'static str,
    pub routes: Vec<CatalogRoute>,
}

/// A route of the catalog.
#[derive(Debug)]
pub struct CatalogRoute {
    /// Its place among all routes, from 0.
    pub place: usize,
    /// Name of the operation in the OpenAPI document: the path's words.
    pub operation: &'static str,
    pub sport: &'static str,
    pub group: &'static str,
    /// Template: a segment that begins with a colon stands for a value.
    pub path: &'static str,
    pub kind: RouteKind,
    /// Of its data; `None` where there never is any.
    pub shape: Option<RouteShape>,
    /// Folders of the sources that it is made of, in order of precedence; `*` stands for all of the sport.
    pub sources: Vec<&'static str>,
    /// Whether the narrow listing has it.
    pub in_narrow_listing: bool,
    pub meaning: &'static str,
    /// What part of the world its sources hold, if that is to be told.
    pub coverage: Option<&'static str>,
    /// A path that is answered.
    pub example: Option<&'static str>,
    pub path_parameters: Vec<PathParameter>,
    /// Query parameters; anything else is refused.
    pub parameters: Vec<Parameter>,
    /// What a parameter is where it is left out, if that is a word that the data decide: `today`, `newest`.
    pub(crate) defaults: Vec<(&'static str, &'static str)>,
}

/// Where the data of a route come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteKind {
    /// A source states them.
    Stated,
    /// They are computed from what sources state.
    Derived,
    /// No source has them: the answer is this error.
    None(ErrorCode),
}

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

/// A segment of a path that stands for a value.
#[derive(Debug, Clone, Copy)]
pub struct PathParameter {
    pub name: &'static str,
    /// What it is: `id`, `slug`, `abbr`, `season`.
    pub kind: &'static str,
    pub about: &'static str,
}

impl RouteKind {
    /// As the listing writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stated => "stated",
            Self::Derived => "derived",
            Self::None(_) => "none",
        }
    }
}

/// The files live as long as the program, and so do the words in them: parameters of the contract are `'static`.
fn word(text: String) -> &'static str {
    text.leak()
}

fn words(texts: Vec<String>) -> &'static [&'static str] {
    texts.into_iter().map(word).collect::<Vec<_>>().leak()
}

impl Sport {
    pub(crate) fn of(file: SportFile) -> Result<Self, RouteFault> {
        let key = word(file.sport);
        let groups = file.groups.into_iter().map(|group| CatalogGroup::of(key, group));
        Ok(Self {
            key,
            name: word(file.name),
            position: file.position,
            day_zone: word(file.day_zone),
            groups: groups.collect::<Result<_, _>>()?,
        })
    }

    /// Its routes, in the order of the listing.
    pub(crate) fn routes_mut(&mut self) -> impl Iterator<Item = &mut CatalogRoute> {
        self.groups.iter_mut().flat_map(|group| &mut group.routes)
    }

    /// Its routes, in the order of the listing.
    pub fn routes(&self) -> impl Iterator<Item = &CatalogRoute> + Clone {
        self.groups.iter().flat_map(|group| &group.routes)
    }
}

impl CatalogGroup {
    fn of(sport: &'static str, entry: GroupEntry) -> Result<Self, RouteFault> {
        let name = word(entry.name);
        let is_narrow = entry.in_narrow_listing;
        let routes = entry.routes.into_iter().map(|route| CatalogRoute::of(sport, name, is_narrow, route));
        Ok(Self { name, routes: routes.collect::<Result<_, _>>()? })
    }
}

impl CatalogRoute {
    fn of(
        sport: &'static str,
        group: &'static str,
        is_narrow: bool,
        entry: RouteEntry,
    ) -> Result<Self, RouteFault> {
        let path = word(entry.path);
        let fault = |why: String| RouteFault::Route { path: path.to_owned(), why };
        let kind = match (entry.kind, &entry.code) {
            (KindWord::None, Some(code)) => {
                let code = ErrorCode::named(code).filter(|code| code.status() == 503);
                RouteKind::None(code.ok_or_else(|| fault("its code is none of a 503".to_owned()))?)
            }
            (KindWord::None, None) => return Err(fault("without data it needs a code".to_owned())),
            (_, Some(_)) => return Err(fault("a code is for a route without data".to_owned())),
            (KindWord::Stated, None) => RouteKind::Stated,
            (KindWord::Derived, None) => RouteKind::Derived,
        };
        let shape = entry.shape;
        let mut parameters = Vec::new();
        let mut defaults = Vec::new();
        for param in entry.params {
            let (parameter, default) = parameter(param).map_err(fault)?;
            defaults.extend(default.map(|default| (parameter.name, default)));
            parameters.push(parameter);
        }
        if shape == Some(RouteShape::List) {
            let has_limit = parameters.iter().any(|p| p.name == "limit");
            parameters.extend(page().into_iter().filter(|p| p.name != "limit" || !has_limit));
        }
        let path_parameters = entry.path_params.into_iter().map(|param| PathParameter {
            name: word(param.name),
            kind: match param.kind {
                PathParamType::Id => "id",
                PathParamType::Slug => "slug",
                PathParamType::Abbr => "abbr",
                PathParamType::Season => "season",
            },
            about: word(param.meaning),
        });
        Ok(Self {
            place: 0,
            operation: word(operation(path)),
            sport,
            group,
            path,
            kind,
            shape,
            sources: entry.sources.into_iter().map(word).collect(),
            in_narrow_listing: entry.in_narrow_listing.unwrap_or(is_narrow),
            meaning: word(entry.meaning),
            coverage: entry.coverage.map(word),
            example: entry.example.map(word),
            path_parameters: path_parameters.collect(),
            parameters,
            defaults,
        })
    }

    /// What a parameter is where it is left out, if that is said.
    #[must_use]
    pub fn default_of(&self, name: &str) -> Option<String> {
        let by_data = self.defaults.iter().find(|(of, _)| *of == name).map(|(_, word)| (*word).to_owned());
        let kind = self.parameters.iter().find(|p| p.name == name).map(|p| p.kind);
        by_data.or(match kind {
            Some(ParameterKind::Integer { default, .. }) => Some(default.to_string()),
            Some(ParameterKind::Choice { default, .. }) => Some(default.to_owned()),
            _ => None,
        })
    }
}

fn operation(path: &str) -> String {
    let words = path.split(['/', '-', ':']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// Where a page of a list begins, and how long it is.
fn page() -> [Parameter; 2] {
    let number = |name, min, max, default, about| {
        let kind = ParameterKind::Integer { min, max, default };
        Parameter { name, kind, about, required: false }
    };
    [
        number("limit", 1, PAGE.1, PAGE.0, "Rows of the answer, at most."),
        number("offset", 0, u32::MAX, 0, "Rows to pass over."),
    ]
}

/// A default that the data decide.
fn by_data(default: ParamDefault) -> Option<&'static str> {
    match default {
        ParamDefault::Text(text) => Some(word(text)),
        ParamDefault::Number(_) => None,
    }
}

/// A parameter, and what it is where it is left out if its kind does not say that.
fn parameter(entry: ParamEntry) -> Result<(Parameter, Option<&'static str>), String> {
    let ParamEntry { name, kind, default, required, values, min, max, meaning } = entry;
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
