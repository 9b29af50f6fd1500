//! A request's answer, from tables in memory.

use chrono::NaiveDate;
use fdna_api::{ErrorCode, ErrorDetails, Failure, Params, path_ids};
use serde_json::{Map, Value as Json, json};

use crate::asked::{AskedRows, UnknownValue};
use crate::cell::AskedValue;
use crate::data::{DataPart, EntityColumns, NestedRows, RouteData};
use crate::parameter::{LIMIT, OFFSET};
use crate::select::RowCondition;
use crate::table::TablesError;
use crate::tables::StoredTable;
use crate::{CatalogSnapshot, CatalogTables, FoundRoute, RouteShape, RouteStatus};

/// Characters of a value that a message repeats, at most.
const SHOWN: usize = 50;

/// What a route answers.
#[derive(Debug)]
pub struct CatalogAnswer {
    /// JSON.
    pub data: Vec<u8>,
    /// What `meta` says of it: the parameters, and of a list where the page stands.
    pub meta: Map<String, Json>,
    /// Whether it is another one on another day of the league.
    pub depends_on_day: bool,
}

/// Where a page begins, and how long it is.
#[derive(Clone, Copy)]
struct ListPage {
    limit: usize,
    offset: usize,
}

/// A page of a list.
struct WrittenPage {
    json: Vec<u8>,
    /// Rows in it.
    count: usize,
    /// Rows of the list.
    total: usize,
}

impl WrittenPage {
    fn empty() -> Self {
        Self { json: b"[]".to_vec(), count: 0, total: 0 }
    }
}

impl FoundRoute<'_> {
    /// All that decides its answer from some tables on some day: the same for requests that mean the same.
    ///
    /// # Errors
    /// 400: its query is wrong.
    pub fn key(&self, query: &str) -> Result<String, Failure> {
        let params = self.params(query)?;
        Ok(format!("{} {:?} {}", self.route.path, self.values, params.normalised()))
    }

    fn params(&self, query: &str) -> Result<Params, Failure> {
        Params::parse(self.route.parameters.iter(), query).map_err(|failure| self.documented(failure))
    }

    /// The answer from a snapshot, on this day of the league.
    ///
    /// # Errors
    /// 400: the query is wrong. 404: what the path names is not known. 503: the snapshot lacks what it is made of, or its
    /// sources may not be published.
    pub fn answer(
        &self,
        query: &str,
        served: &CatalogSnapshot,
        today: NaiveDate,
    ) -> Result<CatalogAnswer, Failure> {
        let params = self.params(query)?;
        let is_served = RouteStatus::of(self.route, Some(served)) == RouteStatus::Served;
        let Some(data) = self.route.data.as_ref().filter(|_| is_served) else {
            return Err(self.no_data(Some(served)));
        };
        let tables = &served.tables;
        let failed = |fault: TablesError| {
            let message = format!("answer could not be made: {fault}");
            let failure = match fault {
                TablesError::Read { .. } => Failure::of_damage(message),
                _ => Failure::new(ErrorCode::Internal, message),
            };
            self.documented(failure)
        };
        tables.read(data).map_err(failed)?;
        let path = self.path().map_err(|failure| self.documented(failure))?;
        self.find_known(data, &path, tables).map_err(|failure| self.documented(failure))?;
        let path = path.into_iter().zip(&data.entities).map(|(value, entity)| subject(entity, value, tables));
        let path: Vec<AskedValue> = path.collect();
        let asked = AskedRows::new(data, tables, today, path, &params).map_err(failed)?;
        let mut meta = asked.echo();
        let written = match (self.route.shape, data.parts.as_slice()) {
            (Some(RouteShape::List), [part]) => {
                let page = ListPage { limit: params.get(LIMIT), offset: params.get(OFFSET) };
                list(&asked, data, part, page, &mut meta)
            }
            (Some(RouteShape::Object), [part]) => object(&asked, data, part),
            (_, parts) => sections(&asked, data, parts),
        };
        if !data.may_be_empty
            && is_empty(&written, &meta)
            && let Some(unknown) = asked.unknown(&params)
        {
            return Err(self.documented(self.unknown_value(&unknown)));
        }
        let data = written
            .map_err(|_| self.documented(Failure::new(ErrorCode::Internal, "answer could not be written")))?;
        Ok(CatalogAnswer { data, meta, depends_on_day: asked.depends_on_day })
    }

    /// Values of the path, decoded, in the case in which the tables have them.
    fn path(&self) -> Result<Vec<AskedValue>, Failure> {
        let values = self.values.iter().zip(&self.route.path_parameters).map(|(value, parameter)| {
            let value = path_ids("{value}", value)?.concat();
            Ok(AskedValue::Text(match parameter.kind {
                "abbr" => value.to_uppercase(),
                "slug" => value.to_lowercase(),
                _ => value,
            }))
        });
        values.collect()
    }

    /// That every value of the path is known.
    fn find_known(
        &self,
        data: &RouteData,
        path: &[AskedValue],
        tables: &CatalogTables,
    ) -> Result<(), Failure> {
        let has = |table: &str, columns: &[usize], value: &AskedValue| {
            tables.get(table).is_some_and(|table| match table {
                StoredTable::InMemory(table) => table.has(&[RowCondition::equal(columns, value.clone())]),
                StoredTable::InFile(table) => table.has(value),
            })
        };
        for (place, value) in path.iter().enumerate() {
            let is_known = match &data.entities[place] {
                Some(entity) => has(&entity.table.name, &entity.columns, value),
                None => data.parts.iter().any(|part| has(&part.table.name, &part.path[place], value)),
            };
            if !is_known {
                return Err(self.unknown(place, value));
            }
        }
        Ok(())
    }

    /// That no row has the value of a parameter.
    fn unknown_value(&self, unknown: &UnknownValue<'_>) -> Failure {
        let UnknownValue { parameter, value, near } = unknown;
        let shown: String = value.chars().take(SHOWN).collect();
        let meant = match near.as_slice() {
            [] => String::new(),
            near => format!(". The nearest: {}", near.join(", ")),
        };
        let message = format!("{} knows no `{parameter}` of `{shown}` here{meant}", self.sport.name);
        let did_you_mean = (!near.is_empty()).then(|| near.clone());
        let details = ErrorDetails { id: Some(shown), did_you_mean, ..ErrorDetails::default() };
        Failure::new(ErrorCode::NotFound, message).with(details)
    }

    fn unknown(&self, place: usize, value: &AskedValue) -> Failure {
        let name = self.route.path_parameters[place].name;
        let AskedValue::Text(value) = value else {
            return Failure::new(ErrorCode::NotFound, format!("{} has no such {name}", self.sport.name));
        };
        let mut shown: String = value.chars().take(SHOWN).collect();
        if shown.len() < value.len() {
            shown.push('…');
        }
        let message = format!("{} knows no `{name}` of `{shown}`", self.sport.name);
        let details = ErrorDetails { id: Some(shown), ..ErrorDetails::default() };
        Failure::new(ErrorCode::NotFound, message).with(details)
    }
}

/// What the parts are asked for, where the path may name it in several ways.
fn subject(entity: &Option<EntityColumns>, value: AskedValue, tables: &CatalogTables) -> AskedValue {
    let Some(EntityColumns { table, columns, subject: Some(subject) }) = entity else { return value };
    let Some(StoredTable::InMemory(table)) = tables.get(&table.name) else { return value };
    let rows = table.select(&[RowCondition::equal(columns, value.clone())]);
    let named = rows.first().and_then(|row| AskedValue::of(table.cell(*subject, *row)));
    named.unwrap_or(value)
}

/// Whether an answer has no row.
fn is_empty(written: &serde_json::Result<Vec<u8>>, meta: &Map<String, Json>) -> bool {
    let is_unavailable = |json: &Vec<u8>| json.starts_with(br#"{"available":false"#);
    meta.get("total") == Some(&json!(0)) || written.as_ref().is_ok_and(is_unavailable)
}

/// What is answered where a thing is known, and not what is asked of it.
fn unavailable(reason: &str) -> Vec<u8> {
    json!({"available": false, "reason": reason}).to_string().into_bytes()
}

fn reason<'r>(data: &'r RouteData, part: &'r DataPart) -> &'r str {
    part.missing.as_deref().unwrap_or(data.missing)
}

fn list(
    asked: &AskedRows<'_>,
    data: &RouteData,
    part: &DataPart,
    page: ListPage,
    meta: &mut Map<String, Json>,
) -> serde_json::Result<Vec<u8>> {
    let WrittenPage { json, count, total } = match &part.nested {
        Some(nested) => group_page(asked, part, nested, page)?,
        None => row_page(asked, part, page)?,
    };
    if total == 0 && !data.may_be_empty && !asked.has_any(part) {
        return Ok(unavailable(reason(data, part)));
    }
    let around = if total == 0 { asked.around(part) } else { None };
    if let Some(around) = around {
        let [before, after] = around.map(|day| day.map(|day| day.json()));
        meta.insert("nearest".to_owned(), json!({"before": before, "after": after}));
    }
    let numbers = [("count", count), ("total", total), ("limit", page.limit), ("offset", page.offset)];
    meta.extend(numbers.map(|(name, number)| (name.to_owned(), json!(number))));
    Ok(json)
}

/// A page of rows.
fn row_page(asked: &AskedRows<'_>, part: &DataPart, page: ListPage) -> serde_json::Result<WrittenPage> {
    let rows = asked.rows(part);
    let total = rows.len();
    let Some(table) = asked.table(part) else { return Ok(WrittenPage::empty()) };
    let rows = table.page(rows, &part.order, page.offset..page.offset.saturating_add(page.limit));
    let mut json = Vec::new();
    write_array(&rows, &mut json, |row, out| part.form.write(table, *row, out))?;
    Ok(WrittenPage { json, count: rows.len(), total })
}

/// A page of groups, each an object of its own columns and the list of its rows.
fn group_page(
    asked: &AskedRows<'_>,
    part: &DataPart,
    nested: &NestedRows,
    page: ListPage,
) -> serde_json::Result<WrittenPage> {
    let groups = asked.groups(part, nested);
    let total = groups.len();
    let Some(table) = asked.table(part) else { return Ok(WrittenPage::empty()) };
    let begin = page.offset.min(total);
    let groups = &groups[begin..page.offset.saturating_add(page.limit).min(total)];
    let mut json = Vec::new();
    write_array(groups, &mut json, |group, out| {
        out.push(b'{');
        part.form.write_members(table, group.first, out)?;
        out.push(b',');
        serde_json::to_writer(&mut *out, &nested.name)?;
        out.push(b':');
        write_array(&group.rows, out, |row, out| nested.form.write(table, *row, out))?;
        out.push(b'}');
        Ok(())
    })?;
    Ok(WrittenPage { json, count: groups.len(), total })
}

fn write_array<T>(
    values: &[T],
    out: &mut Vec<u8>,
    write: impl Fn(&T, &mut Vec<u8>) -> serde_json::Result<()>,
) -> serde_json::Result<()> {
    out.push(b'[');
    for (place, value) in values.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        write(value, out)?;
    }
    out.push(b']');
    Ok(())
}

/// The first row of a part; `None` without any.
fn first(asked: &AskedRows<'_>, part: &DataPart) -> serde_json::Result<Option<Vec<u8>>> {
    let Some(table) = asked.table(part) else { return Ok(None) };
    let Some(row) = table.page(asked.rows(part), &part.order, 0..1).first().copied() else { return Ok(None) };
    let mut out = Vec::new();
    part.form.write(table, row, &mut out)?;
    Ok(Some(out))
}

fn object(asked: &AskedRows<'_>, data: &RouteData, part: &DataPart) -> serde_json::Result<Vec<u8>> {
    Ok(first(asked, part)?.unwrap_or_else(|| unavailable(reason(data, part))))
}

fn sections(asked: &AskedRows<'_>, data: &RouteData, parts: &[DataPart]) -> serde_json::Result<Vec<u8>> {
    let (mut out, mut missing) = (Vec::new(), Map::new());
    for part in parts {
        out.push(if out.is_empty() { b'{' } else { b',' });
        serde_json::to_writer(&mut out, &part.name)?;
        out.push(b':');
        match section(asked, part)? {
            Some(section) => out.extend_from_slice(&section),
            None => {
                out.extend_from_slice(b"null");
                missing.insert(part.name.clone(), json!(reason(data, part)));
            }
        }
    }
    if missing.len() == parts.len() {
        return Ok(unavailable(data.missing));
    }
    if !missing.is_empty() {
        out.extend_from_slice(b",\"unavailable\":");
        serde_json::to_writer(&mut out, &missing)?;
    }
    out.push(b'}');
    Ok(out)
}

/// The rows of a section; `None` without any.
fn section(asked: &AskedRows<'_>, part: &DataPart) -> serde_json::Result<Option<Vec<u8>>> {
    if !part.is_list {
        return first(asked, part);
    }
    let all = row_page(asked, part, ListPage { limit: usize::MAX, offset: 0 })?;
    Ok((all.total > 0).then_some(all.json))
}
