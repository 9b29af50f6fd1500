//! Facts, findings and counts of a capture.

use arrow::array::RecordBatch;
use fdna_model::Finding;

/// What one capture of a source became.
#[derive(Debug, Default)]
pub struct IngestedCapture {
    /// Facts tables by contract name.
    pub tables: Vec<(String, RecordBatch)>,
    pub findings: Vec<Finding>,
    pub counts: Vec<FileCount>,
}

/// Rows of one file: `rows_in == rows_out + set_aside`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCount {
    pub file: String,
    pub rows_in: usize,
    pub rows_out: usize,
    pub set_aside: usize,
}
