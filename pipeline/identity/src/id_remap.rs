//! Tables of the statistics source under the ids that its entities have for good.
//!
//! The fighter with the lower id is `a`: where a fighter's id is another one now, the sides may change places.

use std::collections::{BTreeSet, HashMap};

use arrow::array::RecordBatch;
use fdna_rows::{CellValue, RowsError, TableRow, TableSet, from_batch, sort_by_key, to_batch};
use fdna_schemas::tables::{
    BoutsReader, BoutsRow, ContractRow as _, CorrectionsRow, QuarantineRow, ScorecardsRow,
};
use fdna_schemas::{Table, Tables};
use uuid::Uuid;

/// Ids of the statistics source that are other ones now, and its tables under those.
#[derive(Debug)]
pub struct IdRemap<'a> {
    history: &'a TableSet,
    renamed: HashMap<Uuid, Uuid>,
    /// Bouts whose sides changed places, by their present ids.
    turned: BTreeSet<Uuid>,
}

impl<'a> IdRemap<'a> {
    pub(super) fn new(history: &'a TableSet, renamed: HashMap<Uuid, Uuid>) -> Result<Self, RowsError> {
        let reader: BoutsReader<'_> = history.read_table()?;
        let sides = reader.fighter_a_id()?.into_iter().zip(reader.fighter_b_id()?);
        let new = |id: Uuid| renamed.get(&id).copied().unwrap_or(id);
        let turned = reader.bout_id()?.into_iter().zip(sides).filter(|(_, (a, b))| new(*a) > new(*b));
        let turned = turned.map(|(bout, _)| new(bout)).collect();
        Ok(Self { history, renamed, turned })
    }

    /// Whether any id is another one.
    #[must_use]
    pub fn is_any(&self) -> bool {
        !self.renamed.is_empty()
    }

    fn new_id(&self, id: Uuid) -> Uuid {
        self.renamed.get(&id).copied().unwrap_or(id)
    }

    /// The rows of a table that linking reads, sorted by its key.
    pub(super) fn remapped_rows(&self, name: &str) -> Result<Vec<TableRow>, RowsError> {
        self.rows_of(name, self.history.table_batch(name)?)
    }

    /// A table that linking reads.
    pub(super) fn remapped_batch(&self, name: &str) -> Result<RecordBatch, RowsError> {
        self.remap_table(name, self.history.table_batch(name)?)
    }

    /// A table of the statistics source under the ids of now, sorted by its key.
    ///
    /// # Errors
    /// It does not follow its contract.
    pub fn remap_table(&self, name: &str, batch: &RecordBatch) -> Result<RecordBatch, RowsError> {
        if !self.is_any() {
            return Ok(batch.clone());
        }
        Ok(to_batch(Tables::get().table(name)?, &self.rows_of(name, batch)?)?)
    }

    fn rows_of(&self, name: &str, batch: &RecordBatch) -> Result<Vec<TableRow>, RowsError> {
        let table = Tables::get().table(name)?;
        let mut rows = from_batch(table, batch)?;
        if !self.is_any() {
            return Ok(rows);
        }
        for row in &mut rows {
            row.iter_mut().for_each(|cell| self.rename_cell(cell));
            self.swap_sides(table, row);
        }
        if name != QuarantineRow::TABLE {
            sort_by_key(table, &mut rows);
        }
        Ok(rows)
    }

    fn rename_cell(&self, cell: &mut CellValue) {
        match cell {
            CellValue::Id(id) => *id = self.new_id(*id),
            CellValue::Text(text) if text.len() >= ID_LENGTH => {
                if let Some(new) = self.rename_in(text) {
                    *cell = CellValue::text(new);
                }
            }
            _ => {}
        }
    }

    /// Ids within a text: what `corrections` changed, what `quarantine` speaks of.
    fn rename_in(&self, text: &str) -> Option<String> {
        let words: Vec<&str> = text.split(|c: char| !c.is_ascii_hexdigit() && c != '-').collect();
        let ids = words.into_iter().filter(|word| word.len() == ID_LENGTH);
        let found = ids.filter_map(|word| Some((word, self.renamed.get(&word.parse().ok()?)?)));
        let found: Vec<(&str, &Uuid)> = found.collect();
        (!found.is_empty()).then(|| {
            found.into_iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, &new.to_string()))
        })
    }

    /// Swaps what belongs to the sides of a bout whose sides changed places.
    fn swap_sides(&self, table: &Table, row: &mut TableRow) {
        let id = [BoutsRow::BOUT_ID, CorrectionsRow::ENTITY_ID].iter().find_map(|id| table.place(id.name));
        let is_turned = id.and_then(|place| row[place].as_id()).is_some_and(|id| self.turned.contains(&id));
        if !is_turned {
            return;
        }
        for (a, b) in SIDES {
            if let (Some(a), Some(b)) = (table.place(a), table.place(b)) {
                row.swap(a, b);
            }
        }
        if let Some(CellValue::Text(field)) = table.place(CorrectionsRow::FIELD.name).map(|i| &mut row[i]) {
            let turned = SIDES.iter().find_map(|(a, b)| match &**field {
                name if name == *a => Some(*b),
                name if name == *b => Some(*a),
                _ => None,
            });
            if let Some(turned) = turned {
                *field = turned.into();
            }
        }
    }
}

const ID_LENGTH: usize = 36;

/// Columns of side a and side b.
const SIDES: [(&str, &str); 3] = [
    (BoutsRow::FIGHTER_A_ID.name, BoutsRow::FIGHTER_B_ID.name),
    (BoutsRow::FIGHTER_A_RULE.name, BoutsRow::FIGHTER_B_RULE.name),
    (ScorecardsRow::SCORE_A.name, ScorecardsRow::SCORE_B.name),
];
