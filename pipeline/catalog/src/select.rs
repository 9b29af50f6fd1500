//! Selection of a table's rows by the conditions of a request.

use std::ops::Range;

use crate::cell::{AskedValue, TableCell};
use crate::table::CatalogTable;

/// What must hold of a row.
#[derive(Debug, Clone)]
pub(crate) struct RowCondition {
    /// Places of columns of which one must do.
    pub(crate) columns: Vec<usize>,
    pub(crate) test: ConditionTest,
}

#[derive(Debug, Clone)]
pub(crate) enum ConditionTest {
    Equal(AskedValue),
    AtLeast(AskedValue),
    AtMost(AskedValue),
    /// One of these words.
    OneOf(Vec<AskedValue>),
    /// Each of these is in the text; folded.
    Words(Vec<String>),
}

impl RowCondition {
    pub(crate) fn equal(columns: &[usize], value: AskedValue) -> Self {
        Self { columns: columns.to_vec(), test: ConditionTest::Equal(value) }
    }

    /// Whether it holds of a row; of what is not known it does not.
    pub(crate) fn holds(&self, table: &CatalogTable, row: u32) -> bool {
        if let ConditionTest::Words(words) = &self.test {
            let is_there =
                |word: &String| self.columns.iter().any(|c| table.folded(*c, row).contains(&**word));
            return !words.is_empty() && words.iter().all(is_there);
        }
        let cells = self.columns.iter().map(|column| table.cell(*column, row));
        cells.filter(|cell| !cell.is_null()).any(|cell| self.test.holds(cell))
    }

    /// Positions in the indexes of its columns, if it asks for a value and they have indexes.
    fn spans(&self, table: &CatalogTable) -> Option<Vec<(usize, Range<u32>)>> {
        let ConditionTest::Equal(value) = &self.test else { return None };
        let span = |column: &usize| Some((*column, table.span(*column, value.cell())?));
        self.columns.iter().map(span).collect()
    }
}

impl ConditionTest {
    fn holds(&self, cell: TableCell<'_>) -> bool {
        match self {
            Self::Equal(value) => cell.compare(value.cell()).is_eq(),
            Self::AtLeast(value) => cell.compare(value.cell()).is_ge(),
            Self::AtMost(value) => cell.compare(value.cell()).is_le(),
            Self::OneOf(values) => values.iter().any(|value| cell.compare(value.cell()).is_eq()),
            Self::Words(_) => false,
        }
    }
}

impl CatalogTable {
    /// Rows of which all conditions hold, in the order of the key.
    pub(crate) fn select(&self, conditions: &[RowCondition]) -> Vec<u32> {
        let holds = |row: &u32| conditions.iter().all(|condition| condition.holds(self, *row));
        match self.narrowed(conditions) {
            Some(mut rows) => {
                rows.retain(holds);
                rows
            }
            None => self.all_rows().filter(holds).collect(),
        }
    }

    /// Whether there is a row of which all conditions hold.
    pub(crate) fn has(&self, conditions: &[RowCondition]) -> bool {
        let holds = |row: &u32| conditions.iter().all(|condition| condition.holds(self, *row));
        match self.narrowed(conditions) {
            Some(rows) => rows.iter().any(holds),
            None => self.all_rows().any(|row| holds(&row)),
        }
    }

    /// Rows among which those are, by the index that leaves the fewest; `None` where no index helps.
    fn narrowed(&self, conditions: &[RowCondition]) -> Option<Vec<u32>> {
        let count =
            |spans: &Vec<(usize, Range<u32>)>| spans.iter().map(|(_, span)| span.len()).sum::<usize>();
        let spans = conditions.iter().filter_map(|condition| condition.spans(self)).min_by_key(count)?;
        let has_several = spans.len() > 1;
        let rows = spans.into_iter().flat_map(|(column, span)| self.rows_at(column, span));
        let mut rows: Vec<u32> = rows.collect();
        if has_several {
            rows.sort_unstable();
            rows.dedup();
        }
        Some(rows)
    }

    /// The greatest value of a column among rows of which all conditions hold.
    pub(crate) fn greatest(&self, column: usize, conditions: &[RowCondition]) -> Option<AskedValue> {
        let holds = |row: &u32| conditions.iter().all(|condition| condition.holds(self, *row));
        let cell = |row: u32| self.cell(column, row);
        let greatest = match (self.narrowed(conditions), self.span(column, TableCell::Null)) {
            (None, Some(nulls)) => self.rows_at(column, 0..nulls.start).rev().find(holds).map(cell),
            (Some(rows), _) => greatest_of(rows.into_iter().filter(holds).map(cell)),
            (None, None) => greatest_of(self.all_rows().filter(holds).map(cell)),
        };
        greatest.and_then(AskedValue::of)
    }

    /// Of each key without this column, the row with its greatest value that is not after another.
    pub(crate) fn versions(&self, mut rows: Vec<u32>, column: usize, until: Option<&AskedValue>) -> Vec<u32> {
        let is_known =
            |row: &u32| until.is_none_or(|until| self.cell(column, *row).compare(until.cell()).is_le());
        rows.retain(is_known);
        let mut rest = self.contract().key_places();
        rest.retain(|place| *place != column);
        let oldest_first = |a: &u32, b: &u32| self.cell(column, *a).compare(self.cell(column, *b));
        // Mostly they stand so already: a version is the last part of a key.
        rows.sort_by(|a, b| self.compare_by(&rest, *a, *b).then_with(|| oldest_first(a, b)));
        rows.reverse();
        rows.dedup_by(|older, kept| self.compare_by(&rest, *older, *kept).is_eq());
        rows.sort_unstable();
        rows
    }

    /// The nearest values of a column before and after one, among rows of which all conditions hold.
    pub(crate) fn around(
        &self,
        column: usize,
        value: &AskedValue,
        conditions: &[RowCondition],
    ) -> [Option<AskedValue>; 2] {
        let rows = self.select(conditions);
        let cells = rows.into_iter().map(|row| self.cell(column, row)).filter(|cell| !cell.is_null());
        let (before, after): (Vec<_>, Vec<_>) = cells.partition(|cell| cell.compare(value.cell()).is_lt());
        let least = after.into_iter().min_by(|a, b| a.compare(*b));
        [greatest_of(before.into_iter()), least].map(|cell| cell.and_then(AskedValue::of))
    }
}

fn greatest_of<'t>(cells: impl Iterator<Item = TableCell<'t>>) -> Option<TableCell<'t>> {
    cells.filter(|cell| !cell.is_null()).max_by(|a, b| a.compare(*b))
}
