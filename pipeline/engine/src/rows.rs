//! The rows of a shard of derived tables.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use arrow::array::{AsArray as _, BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::{Date32Type, Int32Type, Schema};
use chrono::NaiveDate;
use fdna_derive::{DnaVersion, TableSink};
use fdna_schemas::Tables;
use uuid::Uuid;

use crate::table::DerivedTable;

/// A share of the fighters, by their ids alone: a fighter is of the same shard whatever the facts are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FighterShard {
    /// From 1.
    number: u32,
    of: u32,
}

impl TryFrom<(u32, u32)> for FighterShard {
    type Error = anyhow::Error;

    fn try_from((number, of): (u32, u32)) -> anyhow::Result<Self> {
        if number == 0 || number > of {
            anyhow::bail!("`shard` is ({number}, {of}): use (I, N) such as (2, 7), from (1, N) to (N, N)");
        }
        Ok(Self { number, of })
    }
}

impl FighterShard {
    fn contains(self, fighter: Uuid) -> bool {
        fighter.as_u128() % u128::from(self.of) == u128::from(self.number - 1)
    }
}

/// Which rows of a table are wanted, by its key.
pub(crate) struct RowFilter {
    /// Day after which rows hold.
    after: Option<NaiveDate>,
    shard: Option<FighterShard>,
    /// First day of each version.
    valid_from: BTreeMap<(Uuid, i32), i32>,
}

impl RowFilter {
    pub(crate) fn new(
        versions: &[DnaVersion],
        after: Option<NaiveDate>,
        shard: Option<FighterShard>,
    ) -> Self {
        let days = versions.iter().map(|v| ((v.fighter.0, v.version), v.valid_from.to_epoch_days()));
        Self { after, shard, valid_from: days.collect() }
    }

    /// The rows that are wanted of a table with these columns of its key; `None` for all.
    fn wanted_rows(&self, keys: &RecordBatch) -> Option<BooleanArray> {
        let fighters: Option<Vec<Uuid>> = keys.column_by_name("fighter_id").map(|ids| {
            ids.as_string::<i32>().iter().flatten().filter_map(|id| Uuid::try_parse(id).ok()).collect()
        });
        let is_late = self.after.and_then(|after| {
            let days = self.first_days(keys, fighters.as_deref())?;
            Some(days.into_iter().map(|day| day > after.to_epoch_days()).collect::<Vec<_>>())
        });
        let is_of_shard = self.shard.zip(fighters);
        let is_of_shard =
            is_of_shard.map(|(shard, ids)| ids.into_iter().map(|id| shard.contains(id)).collect::<Vec<_>>());
        match (is_late, is_of_shard) {
            (Some(late), Some(of_shard)) => {
                Some(late.iter().zip(of_shard).map(|(a, b)| Some(*a && b)).collect())
            }
            (one, other) => one.or(other).map(BooleanArray::from),
        }
    }

    /// The day from which each row holds; `None` for a table of the whole history.
    fn first_days(&self, keys: &RecordBatch, fighters: Option<&[Uuid]>) -> Option<Vec<i32>> {
        let days = |column: &str| keys.column_by_name(column).map(|days| days.as_primitive::<Date32Type>());
        if let Some(days) = days("valid_from") {
            return Some(days.values().to_vec());
        }
        // What a bout changes holds from the day after it.
        if let Some(days) = days("event_date") {
            return Some(days.values().iter().map(|day| day + 1).collect());
        }
        let versions = keys.column_by_name("version")?.as_primitive::<Int32Type>();
        let versions = fighters?.iter().zip(versions.values());
        versions.map(|(fighter, version)| self.valid_from.get(&(*fighter, *version)).copied()).collect()
    }
}

/// The tables so far: columns come by themselves, those of the key first.
pub(crate) struct TableColumns {
    filter: RowFilter,
    tables: Mutex<BTreeMap<&'static str, PartialTable>>,
}

struct PartialTable {
    wanted: Option<BooleanArray>,
    columns: Vec<RecordBatch>,
}

impl TableColumns {
    pub(crate) fn new(filter: RowFilter) -> Self {
        Self { filter, tables: Mutex::default() }
    }

    /// Each table, its columns in the order of its contract.
    pub(crate) fn finish_tables(self) -> anyhow::Result<BTreeMap<&'static str, DerivedTable>> {
        let tables = self.tables.into_inner().unwrap_or_else(PoisonError::into_inner);
        let finish = |(name, table): (&'static str, PartialTable)| {
            let contract = Tables::get().table(name)?;
            let columns = table.columns.iter().flat_map(|batch| {
                batch.schema_ref().fields().iter().cloned().zip(batch.columns().iter().cloned())
            });
            let mut columns: Vec<_> = columns.collect();
            columns.sort_by_key(|(field, _)| contract.place(field.name()));
            let (fields, columns): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
            let rows = RecordBatch::try_new(Schema::new(fields).into(), columns)?;
            Ok((name, DerivedTable::new(name, rows)))
        };
        tables.into_iter().map(finish).collect()
    }
}

impl TableSink for TableColumns {
    type Error = anyhow::Error;

    fn put_columns(&self, table: &'static str, columns: RecordBatch) -> anyhow::Result<()> {
        let lock = || self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = match lock().get(table) {
            Some(begun) => begun.wanted.clone(),
            None => self.filter.wanted_rows(&columns),
        };
        let columns = match &wanted {
            Some(wanted) => filter_record_batch(&columns, wanted)?,
            None => columns,
        };
        lock().entry(table).or_insert(PartialTable { wanted, columns: Vec::new() }).columns.push(columns);
        Ok(())
    }
}
