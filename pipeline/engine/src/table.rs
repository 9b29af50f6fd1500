//! A table as Python takes it.

use std::ffi::CStr;

use arrow::array::{RecordBatch, RecordBatchIterator};
use arrow::ffi_stream::FFI_ArrowArrayStream;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

const STREAM: &CStr = c"arrow_array_stream";

/// A derived table: `pyarrow.table(t)`, `polars.DataFrame(t)` and `duckdb.from_arrow(t)` take it without a copy.
///
/// Sorted by its key. Each column has its meaning and unit as metadata, `meaning` and `unit`.
#[pyclass(frozen, module = "fightdna_engine")]
pub(crate) struct DerivedTable {
    name: &'static str,
    rows: RecordBatch,
}

impl DerivedTable {
    pub(crate) fn new(name: &'static str, rows: RecordBatch) -> Self {
        Self { name, rows }
    }
}

#[pymethods]
impl DerivedTable {
    /// A stream of all rows, as often as it is asked for; nothing is copied. The interface lets `requested_schema` be ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.rows.clone())], self.rows.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
    }

    /// Names of its columns, in the order of the table's contract.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.rows.schema_ref().fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn __len__(&self) -> usize {
        self.rows.num_rows()
    }

    fn __repr__(&self) -> String {
        format!(
            "DerivedTable({}: {} rows, {} columns)",
            self.name,
            self.rows.num_rows(),
            self.rows.num_columns()
        )
    }
}
