//! The columns of a table that nobody has chosen: those of the contract without ids beside names, without what says nothing,
//! and without what is the same in all rows, which is said once.

use fdna_catalog::{AnswerField, CatalogRoute, Column, ColumnType, RouteCatalog};
use serde_json::Value;

use super::join_path;
use super::presentation::{common_presentation, sport_presentation};
use crate::ask::is_id;
use crate::page::{Cell, TableColumn};
use crate::shown::{clock, minute, words};

/// A column that is shown.
pub(super) struct ShownColumn<'f> {
    field: &'f AnswerField<'f>,
    pub(super) head: String,
    /// The id beside a name, and the route about what it names.
    link: Option<(&'f AnswerField<'f>, &'static CatalogRoute)>,
}

/// Endings of columns that name a thing for machines.
const ID_ENDINGS: [&str; 5] = ["id", "slug", "ref", "key", "code"];

/// The columns of some rows, in the order of the contract.
pub(super) fn choose_columns<'f>(
    catalog: &'static RouteCatalog,
    route: &CatalogRoute,
    fields: &'f [AnswerField<'f>],
    rows: &[&Value],
) -> Vec<ShownColumn<'f>> {
    let is_said = |field: &&AnswerField<'_>| rows.iter().any(|row| !find_value(row, field).is_null());
    let said: Vec<&AnswerField<'_>> = fields.iter().filter(is_said).collect();
    let mut links: Vec<(usize, (&AnswerField<'_>, &'static CatalogRoute))> = Vec::new();
    let mut left_out = vec![false; said.len()];
    for (place, field) in said.iter().enumerate() {
        if common_presentation().is_hidden(&field.column.name) {
            left_out[place] = true;
        }
        let Some(named) = find_name(&said, field) else { continue };
        left_out[place] = true;
        if let Some(about) = find_route_about(catalog, route, field.column) {
            links.push((named, (field, about)));
        }
    }
    let shown = said.iter().enumerate().filter(|(place, _)| !left_out[*place]);
    let columns = shown.filter_map(|(place, field)| {
        let link = links.iter().find(|(named, _)| *named == place).map(|(_, link)| *link);
        let own_link = || find_route_about(catalog, route, field.column).map(|about| (*field, about));
        let link = link.or_else(own_link);
        // An id without a name and without a page says nothing to a reader.
        if link.is_none() && is_machine_name(field) {
            return None;
        }
        Some(ShownColumn { field, head: write_head(field), link })
    });
    columns.collect()
}

/// Columns in which all rows say the same, as one sentence; they are taken out.
pub(super) fn take_common_values(columns: &mut Vec<ShownColumn<'_>>, rows: &[&Value]) -> Option<String> {
    if rows.len() < 2 {
        return None;
    }
    let mut said = Vec::new();
    columns.retain(|column| {
        let first = find_value(rows[0], column.field);
        let is_common = !is_number(column.field.column)
            && !first.is_null()
            && rows.iter().all(|row| find_value(row, column.field) == first);
        if is_common && !is_machine_name(column.field) {
            said.push(format!("{} {}", column.head.to_lowercase(), column.draw_cell(rows[0]).text));
        }
        !is_common
    });
    (!said.is_empty()).then(|| format!("In all rows: {}.", said.join(", ")))
}

impl ShownColumn<'_> {
    pub(super) fn draw_head(&self) -> TableColumn {
        TableColumn { is_number: is_number(self.field.column), ..TableColumn::text(self.head.as_str()) }
    }

    /// What an object of the row holds, as a fact for each member.
    pub(super) fn find_members(&self, row: &Value) -> Option<Vec<(String, Cell)>> {
        let members = find_value(row, self.field).as_object()?;
        let fact = |(name, value): (&String, &Value)| {
            let label = common_presentation().find_label(name).map_or_else(|| words(name), str::to_owned);
            (format!("{}: {label}", self.head), describe_cell(value))
        };
        Some(members.iter().map(fact).collect())
    }

    /// What a dash in the column means, where the contract says more than that it is not stated.
    pub(super) fn explain_nulls(&self, rows: &[&Value]) -> Option<String> {
        let reason = self.field.column.null_means.as_deref()?;
        let is_there = rows.iter().any(|row| find_value(row, self.field).is_null());
        is_there.then(|| format!("{}: – is {reason}.", self.head))
    }

    pub(super) fn draw_cell(&self, row: &Value) -> Cell {
        let cell = draw_value(self.field, find_value(row, self.field));
        let href = self
            .link
            .and_then(|(id, about)| find_value(row, id).as_str().and_then(|id| write_address(about, id)));
        match href {
            _ if cell.is_missing => Cell::missing("–"),
            // An id that leads to a page is the word for what it names.
            Some(href) if is_machine_name(self.field) => {
                Cell::link(write_head(self.field).to_lowercase(), href)
            }
            href => Cell { href, ..cell },
        }
    }
}

/// The member of a row that a field names.
pub(super) fn find_value<'v>(row: &'v Value, field: &AnswerField<'_>) -> &'v Value {
    field.path.iter().fold(row, |value, name| &value[*name])
}

/// A value with the unit that it is read in; null as what it means.
pub(super) fn draw_value(field: &AnswerField<'_>, value: &Value) -> Cell {
    let column = field.column;
    match (value, value.as_f64()) {
        (Value::Null, _) => Cell::missing(column.null_means.as_deref().unwrap_or("not stated")),
        (_, Some(seconds)) if column.unit.as_deref() == Some("seconds") => Cell::text(clock(seconds)),
        (_, Some(share)) if is_share(column) => Cell::number(share, format!("{:.1} %", share * 100.0)),
        (Value::Number(count), _) if count.is_i64() && column.unit.is_some() => {
            Cell::count(count.as_i64().unwrap_or_default())
        }
        (Value::String(text), _) if column.kind == ColumnType::Instant => Cell::text(minute(text)),
        (Value::String(text), _) if is_code(text) => Cell::text(words(text)),
        (value, _) => describe_cell(value),
    }
}

/// A value as the contract has it, which may hold others.
pub(super) fn describe_cell(value: &Value) -> Cell {
    match value {
        Value::Number(number) => {
            Cell { value: number.as_f64().filter(|_| number.is_f64()), ..Cell::text(round_number(number)) }
        }
        other => Cell::text(describe_value(other)),
    }
}

/// What stands within a value, in words.
fn describe_value(value: &Value) -> String {
    match value {
        Value::Null => "not stated".to_owned(),
        Value::Bool(is) => if *is { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => round_number(number),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(describe_value).collect::<Vec<_>>().join("; "),
        Value::Object(members) => {
            let members =
                members.iter().map(|(name, value)| format!("{} {}", words(name), describe_value(value)));
            members.collect::<Vec<_>>().join(", ")
        }
    }
}

/// A number to three decimals, without zeros that say nothing.
pub(super) fn round_number(number: &serde_json::Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(value) => {
            let text = format!("{value:.3}");
            let text = text.trim_end_matches('0').trim_end_matches('.');
            if text == "-0" { "0".to_owned() } else { text.to_owned() }
        }
        None => number.to_string(),
    }
}

pub(super) fn is_number(column: &Column) -> bool {
    matches!(column.kind, ColumnType::Int32 | ColumnType::Int64 | ColumnType::Float64)
}

/// The route about the thing that a column names, if it is another one: of several the first page about a subject, then that
/// of the same group, then that of the earlier place.
pub(super) fn find_route_about(
    catalog: &'static RouteCatalog,
    route: &CatalogRoute,
    column: &Column,
) -> Option<&'static CatalogRoute> {
    let presentation = sport_presentation(route.sport);
    let is_main =
        |path: &str| presentation.find_subject(path).is_some_and(|(_, subject)| subject.main == path);
    let about = catalog.routes_about(route.sport, &column.name);
    let about =
        about.into_iter().min_by_key(|about| (!is_main(about.path), about.group != route.group, about.place));
    about.filter(|about| about.path != route.path)
}

/// The page of a route about one thing.
pub(super) fn write_address(about: &CatalogRoute, id: &str) -> Option<String> {
    is_id(id).then(|| super::fill_path(about, &[id.to_owned()]))
}

/// `home` and `win_probability` as `Home win probability`, or as a fan writes it.
fn write_head(field: &AnswerField<'_>) -> String {
    let (last, before) = field.path.split_last().unwrap_or((&"", &[]));
    let own = common_presentation().find_label(&field.column.name).map(str::to_owned);
    let of_last = || {
        Some(format!("{} {}", join_path(before), common_presentation().find_label(last)?).trim().to_owned())
    };
    let mut path: Vec<&str> = field.path.clone();
    let name = strip_ending(last);
    if is_machine_name(field) && !name.is_empty() {
        path.pop();
        path.push(name);
    }
    own.or_else(of_last).unwrap_or_else(|| join_path(&path))
}

fn strip_ending(name: &str) -> &str {
    ID_ENDINGS
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .map_or(name, |name| name.trim_end_matches('_'))
}

fn is_machine_name(field: &AnswerField<'_>) -> bool {
    let last = field.path.last().copied().unwrap_or_default();
    ID_ENDINGS.iter().any(|ending| {
        last.strip_suffix(ending).is_some_and(|before| before.is_empty() || before.ends_with('_'))
    })
}

/// The column that names for people what this one names for machines, or in short.
fn find_name(said: &[&AnswerField<'_>], field: &AnswerField<'_>) -> Option<usize> {
    let (last, before) = field.path.split_last()?;
    let find = |name: &str| said.iter().position(|other| other.path.split_last() == Some((&name, before)));
    let is_short = *last == "abbr" || last.ends_with("_abbr");
    if !is_short && !is_machine_name(field) {
        // `competition` beside `competition_name`, `metric` beside its label.
        let find_label = || if *last == "metric" { find("label") } else { None };
        return find(&format!("{last}_name")).or_else(find_label);
    }
    let base = if is_short { last.trim_end_matches("abbr") } else { strip_ending(last) };
    let base = base.trim_end_matches('_');
    // A `name` alone is that of the first column's thing: beside a later `team_id` it may be the player's.
    let is_own_name = base.is_empty() || before.is_empty() && said[0].path == field.path;
    let endings: &[&str] = if is_short { &["name"] } else { &["name", "abbr"] };
    endings.iter().find_map(|ending| {
        find(&format!("{base}_{ending}")).or_else(|| if is_own_name { find(ending) } else { None })
    })
}

/// Whether a reader misses it where it is null.
pub(super) fn is_for_people(field: &AnswerField<'_>) -> bool {
    !is_machine_name(field) && !common_presentation().is_hidden(&field.column.name)
}

fn is_share(column: &Column) -> bool {
    let name = column.name.as_str();
    let is_named_so = name.ends_with("share") || name.ends_with("pct") || name.ends_with("probability");
    column.kind == ColumnType::Float64
        && (column.unit.as_deref() == Some("share") || column.unit.is_none() && is_named_so)
}

/// `head_to_head`, which is written with spaces for people.
fn is_code(text: &str) -> bool {
    text.contains('_')
        && text.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn find_part(table: &str) -> (&'static CatalogRoute, fdna_catalog::AnswerPart<'static>) {
        let catalog = RouteCatalog::get().unwrap();
        let mut parts = catalog.routes().flat_map(|route| route.parts().map(move |part| (route, part)));
        parts.find(|(_, part)| part.table().name == table).unwrap()
    }

    #[test]
    fn ids_give_their_links_to_names_and_what_all_rows_say_is_said_once() {
        let (route, part) = find_part("nba_leaders");
        let fields = part.fields();
        let row = |id: &str, name: &str, rank: u32| {
            json!({"season": "2025-26", "stat": "points", "player": {"id": id, "name": name}, "team_id": "1610612747",
                "team_abbr": "LAL", "rank": rank, "value": 32.9534, "total": 1417.0, "gp": 43, "team_gp": 55, "qualified": true})
        };
        let rows = [row("1", "Ann Example", 1), row("2", "Bea Example", 2)];
        let rows: Vec<&Value> = rows.iter().collect();
        let mut columns = choose_columns(RouteCatalog::get().unwrap(), route, &fields, &rows);
        let common = take_common_values(&mut columns, &rows).unwrap();
        assert!(common.contains("season 2025-26") && common.contains("points"), "{common}");
        let player =
            columns.iter().map(|column| column.draw_cell(rows[1])).find(|cell| cell.text == "Bea Example");
        assert_eq!(player.unwrap().href.as_deref(), Some("/nba/player/2/stats"));
        assert!(!columns.iter().any(|column| column.draw_cell(rows[0]).text.contains("1610612747")));
    }

    #[test]
    fn shares_are_percentages_and_seconds_a_clock() {
        let (_, part) = find_part("nba_box_players");
        let fields = part.fields();
        let draw = |name: &str, value: Value| {
            draw_value(fields.iter().find(|field| field.column.name == name).unwrap(), &value).text
        };
        assert_eq!(draw("ts_pct", json!(0.78889)), "78.9 %");
        assert_eq!(draw("secs", json!(2988)), "49:48");
        assert_eq!(draw("team_abbr", json!("CLE")), "CLE");
    }
}
