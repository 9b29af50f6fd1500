//! A table of a snapshot in memory, with an index for each column that a route filters by.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use arrow::array::{RecordBatch, UInt32Array};
use arrow::compute::take_record_batch;
use arrow::error::ArrowError;
use fdna_schemas::Table;

use crate::cell::{CellColumn, TableCell, folded};

/// Why a table cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// It does not follow its contract.
    #[error("`{table}.{column}` is missing, or of another type than its contract says")]
    Column { table: &'static str, column: &'static str },
    /// It has more rows than can be counted.
    #[error("`{table}` has too many rows: {rows}")]
    Rows { table: &'static str, rows: usize },
    /// Its rows cannot be put in the order of its key.
    #[error("cannot sort `{table}` by its key")]
    Sort {
        table: &'static str,
        #[source]
        source: ArrowError,
    },
    /// The rows that a request asks for cannot be read from where they are kept.
    #[error("cannot read rows of `{table}`")]
    Read {
        table: &'static str,
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A row of it cannot be written as JSON.
    #[error("cannot write a row of `{table}` as JSON")]
    Write { table: &'static str },
}

/// Columns by which rows stand, and whether the greatest comes first; the key follows by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RowOrder(pub(crate) Vec<(usize, bool)>);

/// What the routes ask of a table.
#[derive(Debug, Default)]
pub(crate) struct TableNeeds {
    pub(crate) equal: BTreeSet<usize>,
    pub(crate) searched: BTreeSet<usize>,
    /// Orders of lists of which no id of the path chooses a few rows.
    pub(crate) orders: BTreeSet<RowOrder>,
}

/// A table in memory, its rows in the order of its key.
#[derive(Debug)]
pub struct CatalogTable {
    contract: &'static Table,
    rows: u32,
    columns: Vec<CellColumn>,
    indexes: BTreeMap<usize, ColumnIndex>,
    /// Texts of searched columns, for comparing.
    folded: BTreeMap<usize, Vec<Box<str>>>,
    /// Of an order, the place of each row in it.
    ranks: BTreeMap<RowOrder, Box<[u32]>>,
}

/// The rows in the order of a column.
#[derive(Debug)]
enum ColumnIndex {
    /// They are in it as they stand.
    AsIs,
    Sorted(Box<[u32]>),
}

impl ColumnIndex {
    fn row(&self, position: u32) -> u32 {
        match self {
            Self::AsIs => position,
            Self::Sorted(rows) => rows[position as usize],
        }
    }
}

impl CatalogTable {
    pub(crate) fn of_batch(
        contract: &'static Table,
        batch: RecordBatch,
        needs: TableNeeds,
    ) -> Result<Self, TablesError> {
        let mut table = Self::of_rows(contract, &batch)?.sorted(&batch)?;
        // What a reader of Parquet has room for is more than the rows take, and goes only where nobody else holds them.
        drop(batch);
        table.columns.iter_mut().for_each(CellColumn::shrink_to_fit);
        Ok(table.indexed(needs))
    }

    fn of_rows(contract: &'static Table, batch: &RecordBatch) -> Result<Self, TablesError> {
        let rows = u32::try_from(batch.num_rows())
            .map_err(|_| TablesError::Rows { table: &contract.name, rows: batch.num_rows() })?;
        let column = |column: &'static fdna_schemas::Column| {
            let cells = batch.column_by_name(&column.name);
            let cells = cells.and_then(|array| CellColumn::of(column.kind, array));
            cells.ok_or(TablesError::Column { table: &contract.name, column: &column.name })
        };
        let columns = contract.columns.iter().map(column).collect::<Result<_, _>>()?;
        let (indexes, folded, ranks) = Default::default();
        Ok(Self { contract, rows, columns, indexes, folded, ranks })
    }

    /// The same with its rows in the order of its key.
    fn sorted(self, batch: &RecordBatch) -> Result<Self, TablesError> {
        let key = self.contract.key_places();
        let by_key = |a: &u32, b: &u32| self.compare_by(&key, *a, *b);
        if (0..self.rows).is_sorted_by(|a, b| by_key(a, b).is_le()) {
            return Ok(self);
        }
        let mut rows: Vec<u32> = self.all_rows().collect();
        rows.sort_by(by_key);
        let fault = |source| TablesError::Sort { table: &self.contract.name, source };
        let batch = take_record_batch(batch, &UInt32Array::from(rows)).map_err(fault)?;
        Self::of_rows(self.contract, &batch)
    }

    fn indexed(mut self, needs: TableNeeds) -> Self {
        self.indexes = needs.equal.into_iter().map(|column| (column, self.index(column))).collect();
        let texts = |column: usize| -> Vec<Box<str>> {
            let text = |row| {
                if let TableCell::Text(text) = self.cell(column, row) { folded(text) } else { String::new() }
            };
            self.all_rows().map(|row| text(row).into()).collect()
        };
        self.folded = needs.searched.into_iter().map(|column| (column, texts(column))).collect();
        self.ranks = needs.orders.into_iter().map(|order| (order.clone(), self.rank(&order))).collect();
        self
    }

    fn index(&self, column: usize) -> ColumnIndex {
        let by_column = |a: &u32, b: &u32| self.cell(column, *a).compare(self.cell(column, *b));
        if self.all_rows().is_sorted_by(|a, b| by_column(a, b).is_le()) {
            return ColumnIndex::AsIs;
        }
        let mut rows: Vec<u32> = self.all_rows().collect();
        rows.sort_by(by_column);
        ColumnIndex::Sorted(rows.into())
    }

    fn rank(&self, order: &RowOrder) -> Box<[u32]> {
        let mut rows: Vec<u32> = self.all_rows().collect();
        rows.sort_by(|a, b| self.compare_in(order, *a, *b));
        let mut ranks = vec![0; rows.len()];
        for (rank, row) in (0..).zip(rows) {
            ranks[row as usize] = rank;
        }
        ranks.into()
    }

    pub(crate) fn contract(&self) -> &'static Table {
        self.contract
    }

    pub(crate) fn len(&self) -> u32 {
        self.rows
    }

    pub(crate) fn all_rows(&self) -> Range<u32> {
        0..self.rows
    }

    pub(crate) fn cell(&self, column: usize, row: u32) -> TableCell<'_> {
        self.columns[column].cell(row)
    }

    /// The text of a searched column, for comparing.
    pub(crate) fn folded(&self, column: usize, row: u32) -> &str {
        self.folded.get(&column).map_or("", |texts| &texts[row as usize])
    }

    pub(crate) fn compare_by(&self, columns: &[usize], a: u32, b: u32) -> Ordering {
        let mut compared = columns.iter().map(|column| self.cell(*column, a).compare(self.cell(*column, b)));
        compared.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// By an order, then by the key.
    pub(crate) fn compare_in(&self, order: &RowOrder, a: u32, b: u32) -> Ordering {
        let mut compared = order.0.iter().map(|(column, is_descending)| {
            self.cell(*column, a).compare_as(self.cell(*column, b), *is_descending)
        });
        compared.find(|order| order.is_ne()).unwrap_or_else(|| a.cmp(&b))
    }

    /// Positions of a value in the index of a column; `None` without an index.
    pub(crate) fn span(&self, column: usize, value: TableCell<'_>) -> Option<Range<u32>> {
        let index = self.indexes.get(&column)?;
        let at = |position| self.cell(column, index.row(position)).compare(value);
        let begin = partition_point(0..self.rows, |position| at(position).is_lt());
        Some(begin..partition_point(begin..self.rows, |position| at(position).is_le()))
    }

    /// The rows at positions of the index of a column.
    pub(crate) fn rows_at(
        &self,
        column: usize,
        positions: Range<u32>,
    ) -> impl DoubleEndedIterator<Item = u32> {
        let index = self.indexes.get(&column);
        positions.map(move |position| index.map_or(position, |index| index.row(position)))
    }

    /// The rows from one place of an order to another. Rows beyond them are not sorted.
    pub(crate) fn page(&self, mut rows: Vec<u32>, order: &RowOrder, page: Range<usize>) -> Vec<u32> {
        let page = page.start.min(rows.len())..page.end.min(rows.len());
        if !order.0.is_empty() {
            match self.ranks.get(order) {
                Some(ranks) => first(&mut rows, page.end, |a, b| ranks[*a as usize].cmp(&ranks[*b as usize])),
                None => first(&mut rows, page.end, |a, b| self.compare_in(order, *a, *b)),
            }
        }
        rows[page].to_vec()
    }
}

/// Puts the first of an order in their places.
fn first(rows: &mut [u32], count: usize, compare: impl Fn(&u32, &u32) -> Ordering) {
    if count < rows.len() {
        rows.select_nth_unstable_by(count, &compare);
    }
    rows[..count].sort_unstable_by(&compare);
}

/// The first of the positions for which it does not hold.
fn partition_point(positions: Range<u32>, holds: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (positions.start, positions.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle + 1 } else { high = middle }
    }
    low
}
