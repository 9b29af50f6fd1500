//! Values of a request's path and query, defaults filled in, as conditions on the tables.

mod groups;
mod unknown;

use std::collections::BTreeSet;

use chrono::NaiveDate;
use fdna_api::{ParamValue, Parameter, ParameterKind, Params};
use fdna_schemas::ColumnType;
use serde_json::{Map, Value as Json};

pub(crate) use self::unknown::UnknownValue;
use crate::cell::{AskedValue, folded};
use crate::data::{DataPart, FilterDefault, QueryFilter, RouteData};
use crate::file::FilterOp;
use crate::select::{ConditionTest, RowCondition};
use crate::table::{CatalogTable, TablesError};
use crate::tables::{CatalogTables, StoredTable};

/// A request for a route with data.
pub(crate) struct AskedRows<'r> {
    data: &'r RouteData,
    tables: &'r CatalogTables,
    /// Rows of tables that stay in their files.
    read: Vec<CatalogTable>,
    today: NaiveDate,
    path: Vec<AskedValue>,
    /// Of each filter that was resolved.
    values: Vec<Option<AskedValue>>,
    /// Whether the league's day has a part in it.
    pub(crate) depends_on_day: bool,
}

/// What must hold of the rows of a part.
#[derive(Default)]
struct PartConditions {
    /// By path and fixed columns.
    base: Vec<RowCondition>,
    /// By parameters.
    chosen: Vec<RowCondition>,
    /// A column of days, and the day.
    days: Vec<(usize, AskedValue)>,
    /// The column of versions, and the last one that counts.
    version: Option<(usize, Option<AskedValue>)>,
}

impl PartConditions {
    /// The same with the days among what parameters choose.
    fn with_days(mut self) -> Self {
        let days = self.days.drain(..).map(|(column, day)| RowCondition::equal(&[column], day));
        self.chosen.extend(days);
        self
    }
}

impl<'r> AskedRows<'r> {
    /// # Errors
    /// Rows of a table cannot be read from its file.
    pub(crate) fn new(
        data: &'r RouteData,
        tables: &'r CatalogTables,
        today: NaiveDate,
        path: Vec<AskedValue>,
        params: &Params,
    ) -> Result<Self, TablesError> {
        let depends_on_day = data.parts.iter().any(|part| !part.today.is_empty());
        let mut asked =
            Self { data, tables, read: Vec::new(), today, path, values: Vec::new(), depends_on_day };
        asked.read = asked.in_files()?;
        for filter in &data.filters {
            let value = given(filter.parameter, params).or_else(|| asked.default(filter));
            asked.values.push(value);
        }
        Ok(asked)
    }

    /// The rows that the path names, of each table that stays in its file.
    fn in_files(&self) -> Result<Vec<CatalogTable>, TablesError> {
        let names: BTreeSet<&str> = self.data.parts.iter().map(|part| part.table.name.as_str()).collect();
        let tables = names.into_iter().filter_map(|name| match (self.tables.get(name), self.path.first()) {
            (Some(StoredTable::InFile(table)), Some(subject)) => Some(table.of(subject)),
            _ => None,
        });
        tables.collect()
    }

    /// Of a filter that is not given; those before it are resolved.
    fn default(&mut self, filter: &QueryFilter) -> Option<AskedValue> {
        match filter.default? {
            FilterDefault::Today => {
                self.depends_on_day = true;
                Some(AskedValue::Day(self.today))
            }
            FilterDefault::Newest => self.newest(),
            FilterDefault::Day(day) => Some(AskedValue::Day(day)),
            FilterDefault::Text(text) => Some(AskedValue::Text(text.to_owned())),
        }
    }

    /// The newest value of the next filter in the first part that has one: a section says which season an answer is
    /// about, and those behind it follow.
    fn newest(&self) -> Option<AskedValue> {
        self.data.parts.iter().find_map(|part| self.newest_of(part))
    }

    /// The greatest value of the next filter's columns among the rows that path, fixed columns and some filters before it
    /// leave: those that are required, as the newest season is one of the competition, those with such a default, as the
    /// newest week is one of the season, and the day as of which all is asked.
    fn newest_of(&self, part: &DataPart) -> Option<AskedValue> {
        let table = self.table(part)?;
        let counts =
            |filter: &QueryFilter| filter.parameter.required || filter.default == Some(FilterDefault::Newest);
        let before = self.filters(part).filter_map(|(filter, columns, value)| match (filter.op, value) {
            (FilterOp::AsOf, Some(day)) => {
                Some(RowCondition { columns: columns.to_vec(), test: ConditionTest::AtMost(day.clone()) })
            }
            _ if counts(filter) => condition(filter, part, columns, value),
            _ => None,
        });
        let conditions: Vec<RowCondition> = self.base(part).into_iter().chain(before).collect();
        let columns = part.filters[self.values.len()].iter();
        let greatest = columns.filter_map(|column| table.greatest(*column, &conditions));
        greatest.max_by(|a, b| a.cell().compare(b.cell()))
    }

    pub(crate) fn table(&self, part: &DataPart) -> Option<&CatalogTable> {
        match self.tables.get(&part.table.name)? {
            StoredTable::InMemory(table) => Some(table),
            StoredTable::InFile(_) => self.read.iter().find(|read| read.contract().name == part.table.name),
        }
    }

    /// Values of the parameters, as `meta` has them.
    pub(crate) fn echo(&self) -> Map<String, Json> {
        let values = self.data.filters.iter().zip(&self.values).map(|(filter, value)| {
            let value = value.as_ref().map_or(Json::Null, AskedValue::json);
            (filter.parameter.name.to_owned(), value)
        });
        values.collect()
    }

    /// Filters that are resolved, with their columns in a part.
    fn filters<'s>(
        &'s self,
        part: &'s DataPart,
    ) -> impl Iterator<Item = (&'s QueryFilter, &'s [usize], Option<&'s AskedValue>)> {
        let columns = self.data.filters.iter().zip(&part.filters);
        columns
            .zip(&self.values)
            .map(|((filter, columns), value)| (filter, columns.as_slice(), value.as_ref()))
    }

    /// Of path and fixed columns.
    fn base(&self, part: &DataPart) -> Vec<RowCondition> {
        let path = part.path.iter().zip(&self.path);
        let path = path.map(|(columns, value)| RowCondition::equal(columns, value.clone()));
        path.chain(part.fixed.iter().cloned()).collect()
    }

    fn conditions(&self, part: &DataPart) -> PartConditions {
        let today = part.today.iter().map(|column| (*column, AskedValue::Day(self.today)));
        let mut asked =
            PartConditions { base: self.base(part), days: today.collect(), ..PartConditions::default() };
        for (filter, columns, value) in self.filters(part) {
            match (filter.op, columns, value) {
                (FilterOp::AsOf, [column], until) => asked.version = Some((*column, until.cloned())),
                (FilterOp::Eq, [column], Some(day @ AskedValue::Day(_))) => {
                    asked.days.push((*column, day.clone()))
                }
                (_, columns, value) => asked.chosen.extend(condition(filter, part, columns, value)),
            }
        }
        asked
    }

    /// The rows of a part, in the order of its key.
    pub(crate) fn rows(&self, part: &DataPart) -> Vec<u32> {
        let Some(table) = self.table(part) else { return Vec::new() };
        let PartConditions { base, chosen, version, .. } = self.conditions(part).with_days();
        match version {
            None => table.select(&[base, chosen].concat()),
            Some((column, until)) => {
                // What chooses whole keys may do so before versions are compared, which an index makes few.
                let key = table.contract().key_places();
                let is_of_key = |condition: &RowCondition| {
                    condition.columns.iter().all(|place| *place != column && key.contains(place))
                };
                let (of_key, others): (Vec<_>, Vec<_>) = chosen.into_iter().partition(is_of_key);
                let rows = table.select(&[base, of_key].concat());
                let mut rows = table.versions(rows, column, until.as_ref());
                rows.retain(|row| others.iter().all(|condition| condition.holds(table, *row)));
                rows
            }
        }
    }

    /// Whether a part has anything of what the path names, whatever the parameters say.
    pub(crate) fn has_any(&self, part: &DataPart) -> bool {
        let base = if part.path.is_empty() { Vec::new() } else { self.base(part) };
        self.table(part).is_some_and(|table| table.has(&base))
    }

    /// The days before and after the one that is asked for on which a part has rows.
    pub(crate) fn around(&self, part: &DataPart) -> Option<[Option<AskedValue>; 2]> {
        let PartConditions { base, chosen, days, .. } = self.conditions(part);
        let [(column, day)] = days.as_slice() else { return None };
        Some(self.table(part)?.around(*column, day, &[base, chosen].concat()))
    }
}

/// The value of a parameter that is given, or has a default of its own.
fn given(parameter: Parameter, params: &Params) -> Option<AskedValue> {
    match params.given(&parameter)? {
        ParamValue::Number(number) => Some(AskedValue::Int(i64::from(*number))),
        ParamValue::Date(day) => Some(AskedValue::Day(*day)),
        ParamValue::Word(word) => Some(AskedValue::Text((*word).to_owned())),
        ParamValue::Text(text) => Some(AskedValue::Text(text.clone())),
        _ => None,
    }
}

/// What a filter asks of a part; nothing where it has no value, or the part no such column.
fn condition(
    filter: &QueryFilter,
    part: &DataPart,
    columns: &[usize],
    value: Option<&AskedValue>,
) -> Option<RowCondition> {
    let first = part.table.columns.get(*columns.first()?)?;
    let value = match value?.clone() {
        AskedValue::Text(word) if first.kind == ColumnType::Bool => AskedValue::Is(word == "true"),
        value => value,
    };
    let test = match (filter.op, words_from(filter, &value), value) {
        (FilterOp::AsOf | FilterOp::Rank, ..) => return None,
        (FilterOp::From | FilterOp::To, Some(words), _) => ConditionTest::OneOf(words),
        (FilterOp::From, None, value) => ConditionTest::AtLeast(value),
        (FilterOp::To, None, value) => ConditionTest::AtMost(value),
        (FilterOp::Search, _, AskedValue::Text(text)) => {
            ConditionTest::Words(folded(&text).split_whitespace().map(str::to_owned).collect())
        }
        (FilterOp::Eq | FilterOp::Search, _, value) => ConditionTest::Equal(value),
    };
    Some(RowCondition { columns: columns.to_vec(), test })
}

/// The words of a list from one on, or up to it.
fn words_from(filter: &QueryFilter, value: &AskedValue) -> Option<Vec<AskedValue>> {
    let (ParameterKind::Choice { words, .. } | ParameterKind::Word { words }) = filter.parameter.kind else {
        return None;
    };
    let AskedValue::Text(word) = value else { return None };
    let place = words.iter().position(|one| one == word)?;
    let words = if filter.op == FilterOp::From { &words[place..] } else { &words[..=place] };
    Some(words.iter().map(|word| AskedValue::Text((*word).to_owned())).collect())
}
