//! Fighters.

use fdna_model::{Kind, Stance};
use fdna_rows::{CellValue, TableRow};
use fdna_schemas::Table;
use fdna_schemas::tables::FightersRow;

use super::{LinkedRows, RowCells, blank, ids};
use crate::schedule::DescribedFighter;

impl LinkedRows<'_> {
    /// Adds to the rows of the statistics source what the feed says, and the fighters whom the schedule alone has.
    pub(crate) fn fighters(&self, table: &Table, mut rows: Vec<TableRow>) -> Vec<TableRow> {
        let (there, feed) = (ids(&rows), self.feed_ids(Kind::Fighter));
        let new = self.registry.fighters.keys().filter(|id| !there.contains(id));
        rows.extend(new.map(|id| blank(table, *id)));
        for row in &mut rows {
            let mut cells = RowCells(row);
            let id = cells.id();
            let feed_id = feed.get(&id).copied();
            cells.fill(FightersRow::FEED_ATHLETE_ID, feed_id);
            if let Some(described) = feed_id.and_then(|id| self.schedule.fighters.get(id)) {
                describe(&mut cells, described);
            }
            let name = self.registry.fighters.get(&id).and_then(|fighter| fighter.names.first());
            cells.fill(FightersRow::NAME, name.map(String::as_str));
        }
        rows
    }
}

/// Fills what is unknown.
fn describe(cells: &mut RowCells<'_>, described: &DescribedFighter) {
    cells.fill(FightersRow::NAME, described.name.as_str());
    cells.fill(FightersRow::NICKNAME, described.nickname.as_deref());
    cells.fill(FightersRow::DATE_OF_BIRTH, described.born);
    cells.fill(FightersRow::HEIGHT_IN, whole(described.height_in));
    cells.fill(FightersRow::REACH_IN, whole(described.reach_in));
    let stance = described.stance.as_deref().and_then(Stance::parse);
    cells.fill(FightersRow::STANCE, stance.map(Stance::name));
    cells.fill(FightersRow::COUNTRY, described.country.as_deref());
}

/// Inches, where they are whole: half an inch more or less would be a guess.
fn whole(inches: Option<f64>) -> CellValue {
    #[expect(clippy::cast_possible_truncation, reason = "whole and within the limits")]
    let whole = |inches: f64| inches as i32;
    inches.filter(|n| n.fract() == 0.0 && (1.0..200.0).contains(n)).map(whole).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_an_inch_is_unknown() {
        assert_eq!(whole(Some(76.0)), CellValue::Int(76));
        for unknown in [Some(76.5), Some(0.0), Some(f64::NAN), Some(f64::INFINITY), None] {
            assert_eq!(whole(unknown), CellValue::Null);
        }
    }
}
