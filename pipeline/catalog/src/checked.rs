//! Checks the data of an entry against the contracts of its tables.

use std::collections::BTreeMap;

use fdna_api::{Parameter, ParameterKind};
use fdna_schemas::{ColumnType, Table};

use crate::RouteShape;
use crate::cell::AskedValue;
use crate::data::{DataPart, EntityColumns, FilterDefault, NestedRows, QueryFilter, RouteData};
use crate::file::{FilterOp, FixedValue, NestedEntry, SectionEntry};
use crate::json::RowForm;
use crate::parameter::{LIMIT, OFFSET, PathColumns};
use crate::select::RowCondition;
use crate::table::RowOrder;

/// Finds the contract of a table.
pub(crate) type Contracts<'c> = &'c dyn Fn(&str) -> Option<&'static Table>;

/// Why there are no data of something that is known, where a route does not say it.
const NOT_CAPTURED: &str = "not_captured";

/// Parameters that say which page of a list is asked for.
const PAGING: [&str; 2] = [LIMIT.name(), OFFSET.name()];

/// What `meta` has besides the parameters.
const META: [&str; 13] = [
    "api",
    "version",
    "request_id",
    "sport",
    "route",
    "kind",
    "snapshot_id",
    "sources",
    "count",
    "total",
    "nearest",
    "derived",
    "coverage",
];

/// What a route's entry says of its data.
pub(crate) struct DataEntry {
    pub(crate) shape: Option<RouteShape>,
    /// By name, in order; one without a name is the route's own table.
    pub(crate) parts: Vec<(String, SectionEntry)>,
    pub(crate) missing: Option<String>,
    pub(crate) may_be_empty: bool,
    pub(crate) nested: Option<NestedEntry>,
    /// Name and columns of each path parameter.
    pub(crate) path: Vec<(&'static str, PathColumns)>,
    /// Operator, columns and default of each query parameter.
    pub(crate) params: Vec<(Parameter, FilterOp, Vec<String>, Option<&'static str>)>,
}

impl DataEntry {
    /// What it says, with the contracts; `None` where it names no table.
    pub(crate) fn checked(mut self, contracts: Contracts<'_>) -> Result<Option<RouteData>, String> {
        if self.parts.is_empty() {
            return if self.names_columns() {
                Err("it names columns and no table".to_owned())
            } else {
                Ok(None)
            };
        }
        let has_sections = self.parts.iter().any(|(name, _)| !name.is_empty());
        if has_sections != (self.shape == Some(RouteShape::Sections)) {
            return Err("sections are of a route of that shape, and a table of any other".to_owned());
        }
        let (filters, asked): (Vec<QueryFilter>, Vec<Vec<String>>) = self.filters()?.into_iter().unzip();
        let parts = std::mem::take(&mut self.parts).into_iter();
        let parts = parts.map(|(name, entry)| {
            let table = table_of(&entry.table, contracts)?;
            let path = self.path.iter().map(|(name, of)| match &of.subject {
                Some(subject) => path_columns(table, name, std::slice::from_ref(subject)),
                None => path_columns(table, name, &of.columns),
            });
            let path = path.collect::<Result<_, String>>()?;
            let columns =
                filters.iter().zip(&asked).map(|(filter, names)| filter_columns(table, *filter, names));
            part(name, table, entry, path, columns.collect::<Result<_, String>>()?)
        });
        let mut parts = parts.collect::<Result<Vec<_>, String>>()?;
        match (self.nested.take(), parts.as_mut_slice()) {
            (None, _) if filters.iter().all(|filter| filter.op != FilterOp::Rank) => {}
            (Some(entry), [part]) if part.is_list => part.nested = Some(nested(part, entry, &filters)?),
            _ => return Err("rows are nested, and ranked by that, in a list of one table".to_owned()),
        }
        let is_idle = |place: &usize| parts.iter().all(|part| part.filters[*place].is_empty());
        if let Some(idle) = (0..filters.len()).find(is_idle) {
            return Err(format!("`{}` has no column in any table", filters[idle].parameter.name));
        }
        let entities = self.entities(contracts)?;
        let missing = self.missing.map_or(NOT_CAPTURED, |reason| reason.leak());
        Ok(Some(RouteData { parts, entities, filters, missing, may_be_empty: self.may_be_empty }))
    }

    fn names_columns(&self) -> bool {
        self.path.iter().any(|(_, of)| !of.columns.is_empty() || of.entity.is_some())
            || self.params.iter().any(|(_, _, columns, _)| !columns.is_empty())
    }

    /// The parameters that choose rows, with the columns that they name.
    fn filters(&mut self) -> Result<Vec<(QueryFilter, Vec<String>)>, String> {
        let params = std::mem::take(&mut self.params).into_iter();
        let params = params.filter(|(parameter, ..)| !PAGING.contains(&parameter.name));
        let filters = params.map(|(parameter, op, columns, default)| {
            if META.contains(&parameter.name) {
                return Err(format!("`{}` has another meaning in `meta`", parameter.name));
            }
            let default = default.map(|word| default_of(parameter, op, word)).transpose()?;
            Ok((QueryFilter { parameter, op, default }, columns))
        });
        filters.collect()
    }

    fn entities(&self, contracts: Contracts<'_>) -> Result<Vec<Option<EntityColumns>>, String> {
        let entity = |(name, of): &(&str, PathColumns)| {
            let Some(entity) = &of.entity else {
                return match &of.subject {
                    Some(subject) => Err(format!("`{name}` leads to `{subject}` of no entity")),
                    None => Ok(None),
                };
            };
            let table = table_of(entity, contracts)?;
            let subject = of.subject.as_deref().map(|subject| place_of(table, subject)).transpose()?;
            Ok(Some(EntityColumns { table, columns: path_columns(table, name, &of.columns)?, subject }))
        };
        self.path.iter().map(entity).collect()
    }
}

fn table_of(name: &str, contracts: Contracts<'_>) -> Result<&'static Table, String> {
    contracts(name).ok_or_else(|| format!("there is no table `{name}`"))
}

fn place_of(table: &Table, column: &str) -> Result<usize, String> {
    table.place(column).ok_or_else(|| format!("`{}` has no column `{column}`", table.name))
}

fn part(
    name: String,
    table: &'static Table,
    entry: SectionEntry,
    path: Vec<Vec<usize>>,
    filters: Vec<Vec<usize>>,
) -> Result<DataPart, String> {
    if !name.is_empty() && entry.shape == RouteShape::Sections {
        return Err(format!("section `{name}` has sections"));
    }
    let mut places = entry.columns.iter().map(|c| place_of(table, c)).collect::<Result<Vec<_>, _>>()?;
    if places.is_empty() {
        places = (0..table.columns.len()).collect();
    }
    places.sort_unstable();
    let order = entry.order.iter().map(|column| {
        let ascending = column.strip_prefix('-');
        Ok((place_of(table, ascending.unwrap_or(column))?, ascending.is_some()))
    });
    let order = order.collect::<Result<Vec<_>, String>>()?;
    let (fixed, today) = fixed(table, entry.fixed)?;
    Ok(DataPart {
        name,
        table,
        is_list: entry.shape == RouteShape::List,
        fixed,
        today,
        order: RowOrder(order),
        form: RowForm::of(table, &places)?,
        nested: None,
        missing: entry.missing,
        path,
        filters,
    })
}

/// The columns of a part that are not its rows' own, as a list in each.
fn nested(part: &DataPart, entry: NestedEntry, filters: &[QueryFilter]) -> Result<NestedRows, String> {
    let table = part.table;
    let (by, rank) = (place_of(table, &entry.by)?, place_of(table, &entry.rank)?);
    let own: Vec<usize> = part.form.columns().into_iter().map(|(_, place)| place).collect();
    let columns: Vec<usize> = (0..table.columns.len()).filter(|place| !own.contains(place)).collect();
    let is_fixed = |place: &usize| part.fixed.iter().any(|condition| condition.columns == [*place]);
    let is_together = table.key_places().into_iter().take_while(|place| *place != by).all(|at| is_fixed(&at));
    if !is_together || !own.contains(&by) || !table.key.contains(&entry.by) {
        return Err(format!("rows of one `{}` do not stand together", entry.by));
    }
    if !columns.contains(&rank) || table.place(&entry.name).is_some_and(|place| own.contains(&place)) {
        return Err(format!("`{}` has no column `{}`, or stands beside one", entry.name, entry.rank));
    }
    let chosen = filters.iter().zip(&part.filters);
    let ranks: Vec<_> = chosen.clone().filter(|(filter, _)| filter.op == FilterOp::Rank).collect();
    if !matches!(ranks.as_slice(), [(_, place)] if place.iter().all(|place| columns.contains(place))) {
        return Err(format!("one parameter ranks by a column of `{}`", entry.name));
    }
    let is_mixed = |places: &[usize]| {
        let inside = places.iter().filter(|place| columns.contains(place)).count();
        inside > 0 && inside < places.len()
    };
    if let Some((filter, _)) = chosen.into_iter().find(|(_, places)| is_mixed(places)) {
        let name = filter.parameter.name;
        return Err(format!("`{name}` asks for columns within `{}` and beside it", entry.name));
    }
    Ok(NestedRows { by, name: entry.name, rank, form: RowForm::of(table, &columns)?, columns })
}

/// What must hold of every row, and the columns that must be the league's day.
fn fixed(
    table: &Table,
    columns: BTreeMap<String, FixedValue>,
) -> Result<(Vec<RowCondition>, Vec<usize>), String> {
    let (mut conditions, mut today) = (Vec::new(), Vec::new());
    for (name, value) in columns {
        let place = place_of(table, &name)?;
        let value = match (table.columns[place].kind, value) {
            (ColumnType::Date, FixedValue::Text(word)) if word == "today" => {
                today.push(place);
                continue;
            }
            (ColumnType::Bool, FixedValue::Is(is)) => Some(AskedValue::Is(is)),
            (ColumnType::Int32 | ColumnType::Int64, FixedValue::Number(number)) => {
                Some(AskedValue::Int(number))
            }
            (ColumnType::String | ColumnType::Uuid, FixedValue::Text(text)) => Some(AskedValue::Text(text)),
            (ColumnType::Date, FixedValue::Text(day)) => day.parse().ok().map(AskedValue::Day),
            _ => None,
        };
        let value = value.ok_or_else(|| format!("`{}.{name}` is never that", table.name))?;
        conditions.push(RowCondition::equal(&[place], value));
    }
    Ok((conditions, today))
}

fn path_columns(table: &Table, name: &str, columns: &[String]) -> Result<Vec<usize>, String> {
    if columns.is_empty() {
        return Err(format!("`{name}` of its path has no column"));
    }
    let places = columns.iter().map(|column| place_of(table, column)).collect::<Result<Vec<_>, _>>()?;
    match places.iter().find(|place| !is_text(table.columns[**place].kind)) {
        Some(place) => Err(format!("`{name}` is a text, and `{}` is none", table.columns[*place].name)),
        None => Ok(places),
    }
}

fn is_text(kind: ColumnType) -> bool {
    matches!(kind, ColumnType::String | ColumnType::Uuid)
}

/// The columns that a filter asks about; none if the table lacks one.
fn filter_columns(table: &Table, filter: QueryFilter, names: &[String]) -> Result<Vec<usize>, String> {
    let name = filter.parameter.name;
    if names.is_empty() {
        return Err(format!("`{name}` has no column"));
    }
    let places: Option<Vec<usize>> = names.iter().map(|column| table.place(column)).collect();
    let places = places.unwrap_or_default();
    if let Some(place) = places.iter().find(|place| !fits(filter, table.columns[**place].kind)) {
        return Err(format!("`{name}` is of another type than `{}`", table.columns[*place].name));
    }
    let is_text = matches!(filter.parameter.kind, ParameterKind::Text { .. });
    let is_allowed = match filter.op {
        FilterOp::Eq => true,
        FilterOp::From | FilterOp::To => !is_text,
        FilterOp::Search => is_text,
        FilterOp::Rank => names.len() == 1 && matches!(filter.parameter.kind, ParameterKind::Choice { .. }),
        FilterOp::AsOf => {
            let is_of_key = |place: &usize| table.key.contains(&table.columns[*place].name);
            names.len() == 1 && filter.parameter.kind == ParameterKind::Date && places.iter().all(is_of_key)
        }
    };
    if is_allowed { Ok(places) } else { Err(format!("`{name}` cannot ask that of its columns")) }
}

/// Whether a column holds what a parameter asks for.
fn fits(filter: QueryFilter, column: ColumnType) -> bool {
    match filter.parameter.kind {
        ParameterKind::Integer { .. } | ParameterKind::OptionalInteger { .. } => {
            matches!(column, ColumnType::Int32 | ColumnType::Int64 | ColumnType::Float64)
        }
        ParameterKind::Date if filter.op == FilterOp::From => {
            matches!(column, ColumnType::Date | ColumnType::Instant)
        }
        ParameterKind::Date => column == ColumnType::Date,
        ParameterKind::Choice { words, .. } | ParameterKind::Word { words } if column == ColumnType::Bool => {
            words.iter().all(|word| ["true", "false"].contains(word))
        }
        _ => is_text(column),
    }
}

fn default_of(parameter: Parameter, op: FilterOp, word: &'static str) -> Result<FilterDefault, String> {
    let is_day = parameter.kind == ParameterKind::Date;
    let default = match word {
        "newest" => (op != FilterOp::Search).then_some(FilterDefault::Newest),
        "today" if is_day => Some(FilterDefault::Today),
        day if is_day => day.parse().ok().map(FilterDefault::Day),
        text => is_text_parameter(parameter).then_some(FilterDefault::Text(text)),
    };
    default.ok_or_else(|| format!("`{}` cannot be `{word}` where it is left out", parameter.name))
}

fn is_text_parameter(parameter: Parameter) -> bool {
    matches!(parameter.kind, ParameterKind::Text { .. } | ParameterKind::Season)
}
