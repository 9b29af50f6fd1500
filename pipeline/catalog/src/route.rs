//! Routes, as the server and the documents use them.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use fdna_api::{ErrorCode, Parameter, ParameterKind};
use fdna_schemas::CatalogSource;

use crate::RouteFault;
use crate::checked::{Contracts, DataEntry};
use crate::data::RouteData;
use crate::file::{GroupEntry, KindWord, RouteEntry, RouteShape, SectionEntry, SportFile};
use crate::parameter::{names, page, parameter, path_parameter};

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
    zone: Tz,
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
    /// Licences of these sources.
    pub licences: BTreeSet<&'static str>,
    /// Whether the narrow listing has it.
    pub in_narrow_listing: bool,
    pub meaning: &'static str,
    /// What no source of its has on principle; what they have is read from the tables.
    pub coverage: Option<&'static str>,
    /// A path that is answered.
    pub example: Option<&'static str>,
    pub path_parameters: Vec<PathParameter>,
    /// Query parameters; anything else is refused.
    pub parameters: Vec<Parameter>,
    /// What a parameter is where it is left out, if that is a word that the data decide: `today`, `newest`.
    pub(crate) defaults: Vec<(&'static str, &'static str)>,
    /// What it answers from; `None` where no table is named.
    pub(crate) data: Option<RouteData>,
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

    fn of(entry: &RouteEntry) -> Result<Self, &'static str> {
        match (entry.kind, &entry.code) {
            (KindWord::None, Some(code)) => {
                let code = ErrorCode::named(code).filter(|code| code.status() == 503);
                code.map(Self::None).ok_or("its code is none of a 503")
            }
            (KindWord::None, None) => Err("without data it needs a code"),
            (_, Some(_)) => Err("a code is for a route without data"),
            (KindWord::Stated, None) => Ok(Self::Stated),
            (KindWord::Derived, None) => Ok(Self::Derived),
        }
    }
}

/// The files live as long as the program, and so do the words in them: parameters of the contract are `'static`.
pub(crate) fn word(text: String) -> &'static str {
    text.leak()
}

impl Sport {
    pub(crate) fn of(file: SportFile, contracts: Contracts<'_>) -> Result<Self, RouteFault> {
        let key = word(file.sport);
        let zone = file.day_zone.parse().map_err(|_| {
            let why = format!("there is no zone `{}`", file.day_zone);
            RouteFault::Sport { sport: key.to_owned(), why }
        })?;
        let groups = file.groups.into_iter().map(|group| CatalogGroup::of(key, group, contracts));
        Ok(Self {
            key,
            zone,
            name: word(file.name),
            position: file.position,
            day_zone: word(file.day_zone),
            groups: groups.collect::<Result<_, _>>()?,
        })
    }

    /// The day that it is in the league's zone.
    #[must_use]
    pub fn day_of(&self, at: DateTime<Utc>) -> NaiveDate {
        at.with_timezone(&self.zone).date_naive()
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
    fn of(sport: &'static str, entry: GroupEntry, contracts: Contracts<'_>) -> Result<Self, RouteFault> {
        let name = word(entry.name);
        let is_narrow = entry.in_narrow_listing;
        let routes = entry.routes.into_iter();
        let routes = routes.map(|route| CatalogRoute::of(sport, name, is_narrow, route, contracts));
        Ok(Self { name, routes: routes.collect::<Result<_, _>>()? })
    }
}

impl CatalogRoute {
    pub(crate) fn of(
        sport: &'static str,
        group: &'static str,
        is_narrow: bool,
        mut entry: RouteEntry,
        contracts: Contracts<'_>,
    ) -> Result<Self, RouteFault> {
        let path = word(take(&mut entry.path));
        let fault = |why: String| RouteFault::Route { path: path.to_owned(), why };
        let kind = RouteKind::of(&entry).map_err(|why| fault(why.to_owned()))?;
        let shape = entry.shape;
        let mut data = DataEntry {
            shape,
            parts: parts(&mut entry).map_err(|why| fault(why.to_owned()))?,
            missing: entry.missing,
            may_be_empty: entry.may_be_empty,
            nested: entry.nested.take(),
            path: Vec::new(),
            params: Vec::new(),
        };
        for mut param in entry.params {
            let (op, columns) = (param.op, names(param.column.take()));
            let (parameter, default) = parameter(param).map_err(fault)?;
            data.params.push((parameter, op, columns, default));
        }
        let defaults = data.params.iter().filter_map(|(own, .., default)| Some((own.name, (*default)?)));
        let defaults = defaults.collect();
        let parameters = with_pages(data.params.iter().map(|(own, ..)| *own).collect(), shape);
        let in_path: Vec<_> = entry.path_params.into_iter().map(path_parameter).collect();
        let path_parameters: Vec<PathParameter> = in_path.iter().map(|(parameter, _)| *parameter).collect();
        data.path.extend(in_path.into_iter().map(|(parameter, columns)| (parameter.name, columns)));
        let data = data.checked(contracts).map_err(fault)?;
        if data.is_some() && matches!(kind, RouteKind::None(_)) {
            return Err(fault("a table is for a route with data".to_owned()));
        }
        let sources: Vec<&str> = entry.sources.into_iter().map(word).collect();
        Ok(Self {
            place: 0,
            operation: word(operation(path)),
            sport,
            group,
            path,
            kind,
            shape,
            licences: licences_of(sport, &sources),
            sources,
            in_narrow_listing: entry.in_narrow_listing.unwrap_or(is_narrow),
            meaning: word(entry.meaning),
            coverage: entry.coverage.map(word),
            example: entry.example.map(word),
            path_parameters,
            parameters,
            defaults,
            data,
        })
    }

    /// Versions of the definitions of its tables, by table.
    #[must_use]
    pub fn definition_versions(&self) -> BTreeMap<&'static str, u32> {
        let tables = self.data.iter().flat_map(RouteData::tables);
        tables.map(|table| (table.name.as_str(), table.version)).collect()
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

/// The parameters of a route; those of a list choose its page as well.
fn with_pages(mut parameters: Vec<Parameter>, shape: Option<RouteShape>) -> Vec<Parameter> {
    if shape == Some(RouteShape::List) {
        let has_limit = parameters.iter().any(|p| p.name == "limit");
        parameters.extend(page().into_iter().filter(|p| p.name != "limit" || !has_limit));
    }
    parameters
}

/// The tables of a route: its own, or its sections in the order of the file.
fn parts(entry: &mut RouteEntry) -> Result<Vec<(String, SectionEntry)>, &'static str> {
    let (fixed, order, columns) = (take(&mut entry.fixed), take(&mut entry.order), take(&mut entry.columns));
    let mut sections: Vec<_> = take(&mut entry.sections).into_iter().collect();
    sections.sort_by_key(|(_, section)| section.span().start);
    let sections = sections.into_iter().map(|(name, section)| (name, section.into_inner()));
    match (entry.table.take(), entry.shape) {
        (Some(table), Some(shape)) if sections.len() == 0 => {
            let own = SectionEntry { table, shape, fixed, order, columns, missing: None };
            Ok(vec![(String::new(), own)])
        }
        (Some(_), _) => Err("it has a table and sections, or a table and no shape"),
        (None, _) if fixed.is_empty() && order.is_empty() && columns.is_empty() => Ok(sections.collect()),
        (None, _) => Err("it says what of a table, and names none"),
    }
}

fn operation(path: &str) -> String {
    let words = path.split(['/', '-', ':']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// Licences of the sources in these folders of a sport, as far as there are contracts.
fn licences_of(sport: &str, folders: &[&str]) -> BTreeSet<&'static str> {
    let is_named = |name: &str| folders.iter().any(|folder| is_folder(name, sport, folder));
    let named = CatalogSource::all().filter(|source| is_named(&source.source));
    named.map(|source| source.licence.as_str()).collect()
}

/// Whether a source is what a route calls by its folder; `*` stands for any.
pub(crate) fn is_folder(source: &str, sport: &str, folder: &str) -> bool {
    let name = source.strip_prefix(sport).and_then(|rest| rest.strip_prefix('-'));
    name.is_some_and(|name| name == folder || folder == "*")
}
