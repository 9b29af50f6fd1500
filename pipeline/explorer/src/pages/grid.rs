//! Grids of shades, with their numbers as a table.

use fdna_picture::{Caption, HeatCell, heat_map};

use crate::page::{Cell, Table, TableColumn};

/// A row of shades, by its name.
pub(super) type ShadedRow = (String, Vec<Option<HeatCell>>);

/// A column of names, and numbers.
pub(super) fn named_and_numbers(name: &str, numbers: Vec<String>) -> impl Iterator<Item = TableColumn> {
    std::iter::once(TableColumn::text(name)).chain(numbers.into_iter().map(TableColumn::number))
}

/// Shades as a picture, and their texts as a table; `of` names the rows.
pub(super) fn shaded_grid(
    caption: Caption<'_>,
    of: &str,
    columns: Vec<String>,
    rows: &[ShadedRow],
    missing: &str,
) -> (String, Table) {
    let svg = heat_map(caption, &columns, rows);
    let cell = |cell: &Option<HeatCell>| {
        cell.as_ref().map_or_else(|| Cell::missing(missing), |cell| Cell::text(cell.text.as_str()))
    };
    let row = |(name, cells): &ShadedRow| {
        std::iter::once(Cell::text(name.as_str())).chain(cells.iter().map(cell)).collect()
    };
    (svg, Table::new(caption.title, named_and_numbers(of, columns), rows.iter().map(row)))
}
