//! Records of a source that is no table of rows, to its facts tables.

use arrow::array::RecordBatch;
use fdna_schemas::{ColumnError, Table, Tables};

use super::{Bout, Event, Fighter, table};
use crate::IngestError;
use crate::records::{Placed, writer};

#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) events: Vec<Placed<Event>>,
    pub(crate) bouts: Vec<Placed<Bout>>,
    pub(crate) fighters: Vec<Placed<Fighter>>,
}

fn values<T>(rows: &[Placed<T>]) -> Vec<&T> {
    rows.iter().map(|row| &row.value).collect()
}

fn build(
    name: &str,
    make: impl FnOnce(&'static Table) -> Result<RecordBatch, ColumnError>,
) -> Result<(String, RecordBatch), IngestError> {
    let contract = Tables::get()
        .table(name)
        .map_err(|_| ColumnError::Missing { table: name.to_owned(), column: String::new() });
    let batch = contract.and_then(make);
    let batch = batch.map_err(|source| IngestError::Table { table: name.to_owned(), source })?;
    Ok((name.to_owned(), batch))
}

impl Facts {
    /// Tables of events, bouts and fighters; empty ones too.
    pub(crate) fn tables(&self, id_space: &str) -> Result<Vec<(String, RecordBatch)>, IngestError> {
        let Self { events, bouts, fighters } = self;
        Ok(vec![
            build("schedule_events", |t| table::events(writer(t, events), id_space, &values(events)))?,
            build("schedule_bouts", |t| table::bouts(writer(t, bouts), id_space, &values(bouts)))?,
            build("schedule_fighters", |t| {
                table::fighters(writer(t, fighters), id_space, &values(fighters))
            })?,
        ])
    }
}
