//! Fighters.

use fdna_model::{Kind, Stance};
use fdna_rows::{CellValue, TableRow};
use fdna_schemas::Table;
use fdna_schemas::tables::FightersRow;

use super::{LinkedRows, RowCells, blank_row, row_ids};
use crate::schedule::DescribedFighter;

impl LinkedRows<'_> {
    /// Adds to the rows of the statistics source what the feed says, and the fighters whom the schedule alone has.
    pub(crate) fn fighter_rows(&self, table: &Table, mut rows: Vec<TableRow>) -> Vec<TableRow> {
        let (there, feed) = (row_ids(&rows), self.feed_ids(Kind::Fighter));
        let new = self.registry.fighters.keys().filter(|id| !there.contains(id));
        rows.extend(new.map(|id| blank_row(table, *id)));
        for row in &mut rows {
            let mut cells = RowCells(row);
            let id = cells.id();
            let feed_id = feed.get(&id).copied();
            cells.fill_null(FightersRow::FEED_ATHLETE_ID, feed_id);
            if let Some(described) = feed_id.and_then(|id| self.schedule.fighters.get(id)) {
                fill_description(&mut cells, described);
            }
            let name = self.registry.fighters.get(&id).and_then(|fighter| fighter.names.first());
            cells.fill_null(FightersRow::NAME, name.map(String::as_str));
        }
        rows
    }
}

/// Fills what is unknown.
fn fill_description(cells: &mut RowCells<'_>, described: &DescribedFighter) {
    cells.fill_null(FightersRow::NAME, described.name.as_str());
    cells.fill_null(FightersRow::NICKNAME, described.nickname.as_deref());
    cells.fill_null(FightersRow::DATE_OF_BIRTH, described.born);
    cells.fill_null(FightersRow::HEIGHT_IN, whole_inches(described.height_in));
    cells.fill_null(FightersRow::REACH_IN, whole_inches(described.reach_in));
    let stance = described.stance.as_deref().and_then(Stance::parse);
    cells.fill_null(FightersRow::STANCE, stance.map(Stance::name));
    cells.fill_null(FightersRow::COUNTRY, described.country.as_deref());
}

/// Inches, where they are whole: half an inch more or less would be a guess.
fn whole_inches(inches: Option<f64>) -> CellValue {
    #[expect(clippy::cast_possible_truncation, reason = "whole and within the limits")]
    let whole = |inches: f64| inches as i32;
    inches.filter(|n| n.fract() == 0.0 && (1.0..200.0).contains(n)).map(whole).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_an_inch_is_unknown() {
        assert_eq!(whole_inches(Some(76.0)), CellValue::Int(76));
        for unknown in [Some(76.5), Some(0.0), Some(f64::NAN), Some(f64::INFINITY), None] {
            assert_eq!(whole_inches(unknown), CellValue::Null);
        }
    }
}
