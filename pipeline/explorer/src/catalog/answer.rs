//! The data of an answer as sections of a page: a table or facts for each part, a picture before it where it has one.

use std::borrow::Cow;

use fdna_catalog::{AnswerField, AnswerPart, CatalogRoute, RouteCatalog};
use serde_json::{Value, json};

use super::columns::{
    choose_columns, describe_cell, find_route_about, find_value, is_for_people, is_number,
    take_common_values, write_address,
};
use super::presentation::{LineScore, SportPresentation, TablePresentation};
use super::{join_path, pictures};
use crate::declared::{TemplateScope, draw_facts, draw_rows};
use crate::page::{Cell, Section, Table, TableColumn};
use crate::shown::{capital, minute, sentence, words};

/// Rows of a section, at most: a page is read, not taken away.
const MOST_ROWS: usize = 300;

/// Columns that have room in half of a page.
const MOST_NARROW_COLUMNS: usize = 5;

/// An answer and how it is shown.
pub(super) struct AnswerView<'a> {
    pub(super) catalog: &'static RouteCatalog,
    pub(super) route: &'static CatalogRoute,
    pub(super) presentation: &'static SportPresentation,
    /// Whether the contract's columns are shown as they are.
    pub(super) has_every_column: bool,
    pub(super) answer: &'a Value,
}

impl AnswerView<'_> {
    pub(super) fn draw_sections(&self) -> Vec<Section> {
        let data = &self.answer["data"];
        if data["available"] == false {
            let reason = data["reason"].as_str().unwrap_or("not known");
            return vec![Section::new("answer", "Not available").line(sentence(&words(reason)))];
        }
        self.route.parts().map(|part| self.draw_part(part)).collect()
    }

    fn draw_part(&self, part: AnswerPart<'static>) -> Section {
        let data = &self.answer["data"];
        let (id, rows) = match part.name() {
            "" => ("answer", data),
            name => (name, &data[name]),
        };
        let shown = self.presentation.find_table(&part.table().name);
        let mut section = Section::new(id, self.write_heading(id, part, shown)).wide();
        if rows.is_null() {
            let why = data["unavailable"][id].as_str().unwrap_or("not known");
            return section.line(format!("Not available: {}.", words(why)));
        }
        let fields = part.fields();
        let rows = &*flatten(&part, rows);
        let all_rows: Vec<&Value> = rows.as_array().map_or_else(|| vec![rows], |rows| rows.iter().collect());
        let rows = &all_rows[..all_rows.len().min(MOST_ROWS)];
        if all_rows.len() > MOST_ROWS {
            let all = all_rows.len();
            section.text.push(format!("The table has the first {MOST_ROWS} of {all} rows; the API has all."));
        }
        let chosen = shown.filter(|_| !self.has_every_column);
        if self.has_every_column {
            section.text.push(part.table().meaning.clone());
            let table = match part.is_list() {
                true => self.list_every_column(part, &fields, rows),
                false => self.list_every_value(&fields, rows[0]),
            };
            return section.table(table);
        }
        if let Some(line_score) = chosen.and_then(|shown| shown.line_score.as_ref()) {
            return section.table(self.draw_line_score(line_score, rows));
        }
        if !part.is_list() {
            section.facts =
                match chosen.map(|shown| shown.columns.as_slice()).filter(|columns| !columns.is_empty()) {
                    Some(columns) => draw_facts(columns, self.answer, rows[0]),
                    None => self.list_facts(&fields, rows[0], &mut section.text),
                };
            return section;
        }
        if rows.is_empty() {
            return section.line("Nothing to list.");
        }
        section.figures.extend(pictures::draw_picture(part, chosen, &fields, &all_rows));
        section.tables = self.draw_tables(chosen, &fields, rows, &mut section);
        let is_narrow = section.tables.iter().all(|table| table.columns.len() <= MOST_NARROW_COLUMNS);
        section.is_wide = section.figures.is_empty() && !is_narrow;
        section
    }

    fn write_heading(&self, id: &str, part: AnswerPart<'_>, shown: Option<&TablePresentation>) -> String {
        if let Some(heading) = shown.and_then(|shown| shown.heading.clone()) {
            return heading;
        }
        let title = self.presentation.find_title(self.route.path);
        let table = part.table().name.strip_prefix(self.route.sport).unwrap_or(&part.table().name);
        match title {
            Some(title) if id == "answer" => title.to_owned(),
            _ => capital(words(if id == "answer" { table } else { id }).trim()),
        }
    }

    /// A table for all rows, or for those of each group.
    fn draw_tables(
        &self,
        chosen: Option<&'static TablePresentation>,
        fields: &[AnswerField<'_>],
        rows: &[&Value],
        section: &mut Section,
    ) -> Vec<Table> {
        let mut groups: Vec<(Option<String>, Vec<&Value>)> = Vec::new();
        for row in rows {
            let name = chosen.and_then(|shown| shown.group_by.as_ref()?.fill(TemplateScope::of_row(row)));
            match groups.iter_mut().find(|(known, _)| *known == name) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((name, vec![row])),
            }
        }
        if let Some(shown) = chosen.filter(|shown| !shown.columns.is_empty()) {
            let tables = groups.into_iter().map(|(name, rows)| {
                let mut table = draw_rows(name.unwrap_or_default(), &shown.columns, self.answer, &rows);
                let missing = take_common_cells(&mut table);
                if !missing.is_empty() && section.notes.is_empty() {
                    section.notes.push(format!("No source states: {}.", missing.join(", ")));
                }
                table
            });
            let tables: Vec<Table> = tables.collect();
            return tables.into_iter().map(|table| write_caption(table, section)).collect();
        }
        let mut columns = choose_columns(self.catalog, self.route, fields, rows);
        section.text.extend(take_common_values(&mut columns, rows));
        section.notes.extend(columns.iter().filter_map(|column| column.explain_nulls(rows)));
        let draw_group = |(name, rows): (Option<String>, Vec<&Value>)| {
            let cells = rows.iter().map(|row| columns.iter().map(|column| column.draw_cell(row)).collect());
            let heads = columns.iter().map(|column| column.draw_head());
            write_caption(Table::new(name.unwrap_or_default(), heads, cells), section)
        };
        groups.into_iter().map(draw_group).collect()
    }

    /// Name and value of each column that is stated; those that are not are named in one line.
    fn list_facts(
        &self,
        fields: &[AnswerField<'_>],
        row: &Value,
        text: &mut Vec<String>,
    ) -> Vec<(String, Cell)> {
        let columns = choose_columns(self.catalog, self.route, fields, &[row]);
        let missing = fields.iter().filter(|field| find_value(row, field).is_null() && is_for_people(field));
        let missing: Vec<String> = missing.map(|field| join_path(&field.path).to_lowercase()).collect();
        if !missing.is_empty() {
            text.push(format!("Not stated: {}.", missing.join(", ")));
        }
        let facts = columns.iter().flat_map(|column| match column.find_members(row) {
            Some(members) => members,
            None => vec![(column.head.clone(), column.draw_cell(row))],
        });
        facts.collect()
    }

    fn draw_line_score(&self, line_score: &LineScore, rows: &[&Value]) -> Table {
        let game = &self.answer["data"]["game"];
        let periods =
            rows.iter().map(|row| TableColumn::number(describe_cell(&row[&line_score.period]).text));
        let columns =
            std::iter::once(TableColumn::text("Team")).chain(periods).chain([TableColumn::number("Total")]);
        let lines = ["away", "home"].map(|side| {
            let name = game[side]["name"].as_str().or_else(|| game[side]["abbr"].as_str());
            let points = |value: &Value| match value {
                Value::Null => Cell::missing("–"),
                value => describe_cell(value),
            };
            let periods = rows.iter().map(|row| points(&row[side][&line_score.points]));
            let name = Cell::text(name.map_or_else(|| capital(side), str::to_owned));
            std::iter::once(name).chain(periods).chain([points(&game[side]["score"])]).collect()
        });
        Table { has_quiet_caption: true, ..Table::new("Score by period", columns, lines) }
    }

    /// A row of the table for each row of the answer, as the contract has it.
    fn list_every_column(&self, part: AnswerPart<'_>, fields: &[AnswerField<'_>], rows: &[&Value]) -> Table {
        let columns = fields.iter().map(|field| TableColumn {
            is_number: is_number(field.column),
            ..TableColumn::text(write_name_and_unit(field))
        });
        let rows = rows.iter().map(|row| fields.iter().map(|field| self.draw_stated(field, row)).collect());
        Table::new(part.table().grain.as_str(), columns, rows)
    }

    /// One row, a line for each of its columns.
    fn list_every_value(&self, fields: &[AnswerField<'_>], row: &Value) -> Table {
        let rows = fields.iter().map(|field| {
            vec![
                Cell::text(write_name_and_unit(field)),
                self.draw_stated(field, row),
                Cell::text(field.column.meaning.as_str()),
            ]
        });
        Table::new("What it says", ["Name", "Value", "Meaning"].map(TableColumn::text), rows)
    }

    /// A value as it is stated, with the page of what it names.
    fn draw_stated(&self, field: &AnswerField<'_>, row: &Value) -> Cell {
        let value = find_value(row, field);
        match value {
            Value::Null => Cell::missing(field.column.null_means.as_deref().unwrap_or("not stated")),
            Value::String(text) => {
                let about = find_route_about(self.catalog, self.route, field.column);
                let is_instant = field.column.kind == fdna_catalog::ColumnType::Instant;
                let shown = if is_instant { minute(text) } else { text.clone() };
                Cell { href: about.and_then(|about| write_address(about, text)), ..Cell::text(shown) }
            }
            value => describe_cell(value),
        }
    }
}

/// A table without a caption of its own is called what its section is, for those who do not see the heading above it.
fn write_caption(table: Table, section: &Section) -> Table {
    match table.caption.is_empty() {
        true => Table { caption: section.heading.clone(), has_quiet_caption: true, ..table },
        false => table,
    }
}

/// What a column of texts says in all rows stands in the caption in its place. Returns the heads of columns that say nothing
/// in any row, which are taken out.
fn take_common_cells(table: &mut Table) -> Vec<String> {
    let (mut place, mut missing) = (0, Vec::new());
    while place < table.columns.len() {
        let cells = || table.rows.iter().map(|row| &row[place]);
        let is_missing = !table.rows.is_empty() && cells().all(|cell| cell.is_missing);
        let first = cells().next().map(|cell| (cell.text.clone(), cell.href.is_none()));
        let common = first.filter(|(text, is_plain)| {
            let is_text = *is_plain && !table.columns[place].is_number && table.rows.len() > 1;
            is_text && cells().all(|cell| cell.text == *text && !cell.is_missing)
        });
        if !is_missing && common.is_none() {
            place += 1;
            continue;
        }
        if let Some((text, _)) = common {
            let head = &table.columns[place].name;
            let said = if matches!(text.as_str(), "yes" | "no") {
                format!("{}: {text}", head.to_lowercase())
            } else {
                text
            };
            let between = if table.caption.is_empty() { "" } else { ", " };
            table.caption = format!("{}{between}{said}", table.caption);
        }
        let column = table.columns.remove(place);
        if is_missing {
            missing.push(column.name);
        }
        for row in &mut table.rows {
            row.remove(place);
        }
    }
    missing
}

fn write_name_and_unit(field: &AnswerField<'_>) -> String {
    let unit = field.column.unit.as_ref().map_or_else(String::new, |unit| format!(" ({unit})"));
    format!("{}{unit}", join_path(&field.path))
}

/// Rows with nested ones as a row for each of these, beside what their row says.
fn flatten<'v>(part: &AnswerPart<'_>, rows: &'v Value) -> Cow<'v, Value> {
    let (Some(nested), Value::Array(groups)) = (part.nested(), rows) else { return Cow::Borrowed(rows) };
    let rows = groups.iter().flat_map(|group| {
        let own = group.as_object().into_iter().flatten().filter(move |(name, _)| *name != nested);
        group[nested].as_array().into_iter().flatten().map(move |row| {
            let inside = row.as_object().into_iter().flatten();
            own.clone().chain(inside).map(|(name, value)| (name.clone(), value.clone())).collect()
        })
    });
    Cow::Owned(json!(rows.map(Value::Object).collect::<Vec<_>>()))
}
