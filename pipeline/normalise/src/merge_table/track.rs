//! A row over time: what a newer capture makes of it.

use std::collections::BTreeMap;

use fdna_rows::{CellValue, PackedRow, TableRow};
use fdna_schemas::{Column, Table};
use serde::{Deserialize, Serialize};

/// The capture that is being added, and its layout.
#[derive(Clone, Copy)]
pub(super) struct CurrentRow {
    pub(super) capture: usize,
    pub(super) layout: usize,
    /// A missing row says nothing: the layout holds a part of the source, each time another one.
    pub(super) is_partial: bool,
}

/// A row with its past.
#[derive(Serialize, Deserialize)]
pub(super) struct TrackedRow {
    row: PackedRow,
    pub(super) first_seen: usize,
    pub(super) last_seen: usize,
    /// Capture that first had the present value, for columns that changed.
    since: BTreeMap<usize, usize>,
    /// Columns whose present value newer captures no longer give, with the capture that last gave it.
    withdrawn: BTreeMap<usize, usize>,
    /// Values in the newest capture of each layout that ever had the row.
    pub(super) given: Vec<GivenValues>,
}

/// Columns that the newest capture of a layout with the row gave.
#[derive(Serialize, Deserialize)]
pub(super) struct GivenValues {
    pub(super) layout: usize,
    capture: usize,
    /// A bit a column, in the contract's order: no table has more than 64.
    columns: u64,
}

impl GivenValues {
    fn from_row(now: CurrentRow, row: &[CellValue]) -> Self {
        let bits = row.iter().take(64).enumerate().filter(|(_, value)| **value != CellValue::Null);
        let columns = bits.fold(0, |bits, (i, _)| bits | 1 << i);
        Self { layout: now.layout, capture: now.capture, columns }
    }

    fn has_column(&self, column: usize) -> bool {
        self.columns >> column & 1 == 1
    }
}

/// Change of a value by a newer capture.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) enum ChangeKind {
    Changed,
    Filled,
    Withdrawn,
}

impl ChangeKind {
    /// As `corrections` has it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Filled => "filled",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A value that a newer capture changed, filled in or no longer gives.
#[derive(Serialize, Deserialize)]
pub(super) struct RowChange {
    pub(super) field: String,
    pub(super) change: ChangeKind,
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
    /// Captures that first and last had the old value.
    pub(super) first: usize,
    pub(super) last: usize,
}

impl TrackedRow {
    pub(super) fn new(cells: &[CellValue], now: CurrentRow) -> Self {
        let given = vec![GivenValues::from_row(now, cells)];
        let (since, withdrawn) = Default::default();
        let row = PackedRow::new(cells);
        Self { row, first_seen: now.capture, last_seen: now.capture, since, withdrawn, given }
    }

    /// The row as it stands.
    pub(super) fn to_cells(&self) -> TableRow {
        self.row.to_cells()
    }

    /// Puts another value into a column, which is no change that a capture told.
    pub(super) fn set_value(&mut self, column: usize, value: CellValue) {
        let mut cells = self.to_cells();
        cells[column] = value;
        self.row = PackedRow::new(&cells);
    }

    /// Takes in the row as it was taken in last, of the same layout.
    pub(super) fn confirm_at(&mut self, now: CurrentRow) {
        self.last_seen = now.capture;
        if let Some(given) = self.given.iter_mut().find(|given| given.layout == now.layout) {
            given.capture = now.capture;
        }
    }

    /// Takes in the row as a newer capture has it. `whole` is the column that, when it changes, makes the row
    /// another one.
    pub(super) fn update_row(
        &mut self,
        table: &Table,
        whole: Option<usize>,
        new: TableRow,
        now: CurrentRow,
    ) -> Vec<RowChange> {
        let mut cells = self.to_cells();
        let is_other = whole.is_some_and(|i| new[i] != cells[i]);
        let given = GivenValues::from_row(now, &new);
        let before = self.given.iter().position(|given| given.layout == now.layout);
        let mut changes = Vec::new();
        for (i, (column, value)) in table.columns.iter().zip(new).enumerate() {
            if value == cells[i] {
                self.withdrawn.remove(&i);
            } else if column.is_bookkeeping {
                cells[i] = value;
            } else {
                let comparable = before.filter(|_| !now.is_partial);
                let was_given = comparable.map(|place| self.given[place].has_column(i));
                changes.extend(self.change_value(
                    (i, column),
                    (&mut cells[i], value),
                    was_given,
                    is_other,
                    now,
                ));
            }
        }
        self.row = PackedRow::new(&cells);
        match before {
            Some(place) => self.given[place] = given,
            None => self.given.push(given),
        }
        self.last_seen = now.capture;
        changes
    }

    /// Sets another value in place of the present one, unless it is an unknown one in place of a known one. `was_given` says whether the
    /// layout's capture before had a value; `None` if it did not have the row, so that it adds and lacks nothing.
    fn change_value(
        &mut self,
        (i, column): (usize, &Column),
        (present, value): (&mut CellValue, CellValue),
        was_given: Option<bool>,
        is_other: bool,
        now: CurrentRow,
    ) -> Option<RowChange> {
        let is_unknown = |value: &CellValue| *value == CellValue::Null && !column.null_is_value;
        let is_withdrawal = is_unknown(&value) && !is_other;
        let is_filling = is_unknown(present);
        let is_told = if is_withdrawal {
            was_given == Some(true) && !self.withdrawn.contains_key(&i)
        } else {
            !is_filling || was_given.is_some()
        };
        let last = self.last_given(i, column);
        let change = is_told.then(|| RowChange {
            field: column.name.clone(),
            change: match (is_withdrawal, is_filling) {
                (true, _) => ChangeKind::Withdrawn,
                (false, true) => ChangeKind::Filled,
                (false, false) => ChangeKind::Changed,
            },
            old: present.display(),
            new: value.display(),
            first: self.since.get(&i).copied().unwrap_or(self.first_seen),
            last,
        });
        if !is_withdrawal {
            *present = value;
            self.since.insert(i, now.capture);
            self.withdrawn.remove(&i);
        } else if is_told {
            self.withdrawn.insert(i, last);
        }
        change
    }

    /// Capture that last had the present value.
    fn last_given(&self, i: usize, column: &Column) -> usize {
        let withdrawn = self.withdrawn.get(&i).copied();
        let gave = self.given.iter().filter(|given| column.null_is_value || given.has_column(i));
        withdrawn.or_else(|| gave.map(|given| given.capture).max()).unwrap_or(self.last_seen)
    }
}

impl TrackedRow {
    /// Whether it speaks of no capture, layout or column beyond these many.
    pub(super) fn is_within(&self, captures: usize, layouts: usize, n_columns: usize) -> bool {
        let given = self.given.iter().map(|given| given.capture);
        let seen = [self.first_seen, self.last_seen].into_iter().chain(given);
        let columns = self.since.iter().chain(&self.withdrawn);
        let is_within = |(column, capture): (&usize, &usize)| *column < n_columns && *capture < captures;
        seen.into_iter().all(|capture| capture < captures)
            && columns.into_iter().all(is_within)
            && self.given.iter().all(|given| given.layout < layouts)
    }
}
