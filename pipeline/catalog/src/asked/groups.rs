//! Rows of a table in groups, of which each is one row of the answer.

use crate::asked::{AskedRows, PartConditions};
use crate::cell::{AskedValue, TableCell};
use crate::data::{DataPart, NestedRows};
use crate::file::FilterOp;
use crate::select::{ConditionTest, RowCondition};
use crate::table::CatalogTable;

/// Rows that share a value.
#[derive(Debug)]
pub(crate) struct RowGroup {
    /// The first of them in the order of the part, whether it was asked for or not: it has the group's own columns.
    pub(crate) first: u32,
    /// Those that were asked for, in the order of the key; never none.
    pub(crate) rows: Vec<u32>,
    /// The row that says where the group stands.
    ranked: Option<u32>,
}

impl AskedRows<'_> {
    /// The groups of a part in the order of the answer. Conditions on nested columns keep rows of a group, and those on
    /// others keep groups by their first row; a group without rows is none.
    pub(crate) fn groups(&self, part: &DataPart, nested: &NestedRows) -> Vec<RowGroup> {
        let Some(table) = self.table(part) else { return Vec::new() };
        let PartConditions { base, chosen, version, .. } = self.conditions(part).with_days();
        let is_nested =
            |condition: &RowCondition| condition.columns.iter().all(|c| nested.columns.contains(c));
        let (of_rows, of_groups): (Vec<_>, Vec<_>) = chosen.into_iter().partition(is_nested);
        let mut rows = rows_of(table, nested, &base, &of_groups);
        if let Some((column, until)) = version {
            rows = table.versions(rows, column, until.as_ref());
        }
        let rank = self.rank(part);
        let value = |row: u32| table.cell(nested.by, row);
        let groups = rows.chunk_by(|a, b| value(*a).compare(value(*b)).is_eq()).filter_map(|rows| {
            let first = rows.iter().copied().min_by(|a, b| table.compare_in(&part.order, *a, *b))?;
            let ranked =
                rank.as_ref().and_then(|rank| rows.iter().copied().find(|row| rank.holds(table, *row)));
            let holds = |row: &u32| of_rows.iter().all(|condition| condition.holds(table, *row));
            let is_asked = of_groups.iter().all(|condition| condition.holds(table, first));
            let rows: Vec<u32> = rows.iter().copied().filter(holds).collect();
            (is_asked && !rows.is_empty()).then_some(RowGroup { first, rows, ranked })
        });
        let mut groups: Vec<RowGroup> = groups.collect();
        let place =
            |group: &RowGroup| group.ranked.map_or(TableCell::Null, |row| table.cell(nested.rank, row));
        groups.sort_by(|a, b| place(a).compare_as(place(b), true));
        groups
    }

    /// What is true of the rows by which groups stand.
    fn rank(&self, part: &DataPart) -> Option<RowCondition> {
        let (_, columns, value) = self.filters(part).find(|(filter, ..)| filter.op == FilterOp::Rank)?;
        Some(RowCondition { columns: columns.to_vec(), test: ConditionTest::Equal(value?.clone()) })
    }
}

/// All rows of the groups of which one row is as asked, in the order of the key. That row need not be the one that counts.
fn rows_of(
    table: &CatalogTable,
    nested: &NestedRows,
    base: &[RowCondition],
    of_groups: &[RowCondition],
) -> Vec<u32> {
    if of_groups.is_empty() {
        return table.select(base);
    }
    let mut subjects = table.select(&[base, of_groups].concat());
    subjects.dedup_by(|a, b| table.cell(nested.by, *a).compare(table.cell(nested.by, *b)).is_eq());
    let rows = subjects.into_iter().filter_map(|row| AskedValue::of(table.cell(nested.by, row))).flat_map(
        |subject| {
            let of_subject = RowCondition::equal(&[nested.by], subject);
            table.select(&[base, &[of_subject]].concat())
        },
    );
    rows.collect()
}
