//! Tables as Python gives them, to the facts that derivation takes.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use arrow::array::{RecordBatch, RecordBatchOptions, RecordBatchReader as _};
use arrow::compute::{cast, concat_batches};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ffi_stream::RecordBatchStreamReader;
use arrow_pyarrow::FromPyArrow as _;
use fdna_model::Facts;
use fdna_normalise::{FACTS_TABLES, facts_columns};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::InputError;

/// Rows that an object of Python gave by the C stream interface.
pub(crate) struct ArrowRows {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl FromPyObject<'_, '_> for ArrowRows {
    type Error = PyErr;

    /// Reads to the end of the stream: a connection may have but one open. It is read without the interpreter's lock,
    /// since threads of who gives the rows may need it.
    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if !value.hasattr("__arrow_c_stream__")? {
            let kind = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "{kind} has no method __arrow_c_stream__: give a table of pyarrow, polars, DuckDB or another library of Arrow"
            )));
        }
        let reader = RecordBatchStreamReader::from_pyarrow_bound(&value)?;
        let schema = reader.schema();
        let batches = value.py().detach(|| reader.collect::<Result<_, ArrowError>>());
        let batches =
            batches.map_err(|error| InputError::new_err(format!("cannot read the rows: {error}")))?;
        Ok(Self { schema, batches })
    }
}

impl ArrowRows {
    /// The wanted columns that there are, as one batch; text in one layout, since libraries prefer different ones.
    pub(crate) fn join_columns(&self, wanted: impl Fn(&str) -> bool) -> Result<RecordBatch, ArrowError> {
        let places = 0..self.schema.fields().len();
        let places: Vec<usize> = places.filter(|place| wanted(self.schema.field(*place).name())).collect();
        let batches = self.batches.iter().map(|batch| batch.project(&places));
        let batches = batches.collect::<Result<Vec<_>, _>>()?;
        let rows = concat_batches(&self.schema.project(&places)?.into(), &batches)?;
        let columns = rows.columns().iter().map(|column| match is_text(column.data_type()) {
            true => cast(column, &DataType::Utf8),
            false => Ok(Arc::clone(column)),
        });
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let fields = rows.schema_ref().fields().iter().zip(&columns);
        let fields = fields.map(|(field, column)| Field::new(field.name(), column.data_type().clone(), true));
        let schema = Schema::new(fields.collect::<Vec<_>>());
        // Of a table without a wanted column, whoever reads it says which one it lacks.
        let options = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
        RecordBatch::try_new_with_options(schema.into(), columns, &options)
    }
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values) || **values == DataType::Utf8,
        _ => false,
    }
}

/// Reads the facts of the tables that derivation needs; others are refused: what they state would be left out.
pub(crate) fn read_facts(tables: BTreeMap<String, ArrowRows>) -> anyhow::Result<Facts> {
    let listed = FACTS_TABLES.join(", ");
    if let Some(missing) = FACTS_TABLES.into_iter().find(|table| !tables.contains_key(*table)) {
        anyhow::bail!("the table `{missing}` is missing: facts are read from {listed}");
    }
    let mut read = BTreeMap::new();
    for (name, rows) in tables {
        let Some(table) = FACTS_TABLES.into_iter().find(|table| *table == name) else {
            anyhow::bail!("`{name}` is no table of facts: they are read from {listed}");
        };
        let columns = facts_columns(table);
        let rows = rows.join_columns(|column| columns.contains(&column));
        read.insert(table, rows.with_context(|| format!("cannot read the table `{table}`"))?);
    }
    Ok(fdna_normalise::read_facts(|name| read.get(name))?)
}
