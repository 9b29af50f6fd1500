//! Shrunk values of versions, also where the sample is too small to state one as a value.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema};
use fdna_schemas::tables::{ContractReader as _, DnaVersionsReader};
use fdna_schemas::{ColumnError, Metric, MetricDefinitions};

use crate::PanelError;

/// The suffix of the column.
pub(crate) const SHRUNK_VALUE: &str = "shrunk_value";
/// The column of the versions that it needs beside the panel's own.
pub(crate) const PRIOR_MEAN: &str = "prior_mean";

/// The versions with a column `METRIC__shrunk_value` for each metric.
pub(crate) fn add_shrunk_values(versions: &RecordBatch) -> Result<RecordBatch, PanelError> {
    let mut columns = versions.columns().to_vec();
    let mut fields = versions.schema().fields().to_vec();
    for metric in &MetricDefinitions::get().metrics {
        let name = MetricDefinitions::version_column(&metric.name, SHRUNK_VALUE);
        columns.push(shrunk_values(versions, metric)?);
        fields.push(Arc::new(Field::new(name, DataType::Float64, true)));
    }
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?)
}

fn shrunk_values(versions: &RecordBatch, metric: &Metric) -> Result<ArrayRef, ColumnError> {
    let reader = DnaVersionsReader::of(versions);
    let read = |suffix| reader.by_name().floats(&MetricDefinitions::version_column(&metric.name, suffix));
    let (values, raw) = (read("value")?, read("raw_value")?);
    let (weights, means) = (read("weight")?, read(PRIOR_MEAN)?);
    let shrunk = (0..versions.num_rows()).map(|row| {
        let drawn = || match (weights[row], means[row]) {
            // Of sums without a denominator, nothing is the fighter's own.
            (Some(weight), Some(mean)) => {
                Some(raw[row].map_or(mean, |raw| weight * raw + (1.0 - weight) * mean))
            }
            _ if metric.is_shrunk() => None,
            _ => raw[row],
        };
        values[row].or_else(drawn)
    });
    Ok(Arc::new(shrunk.collect::<Float64Array>()))
}

#[cfg(test)]
mod tests {
    use arrow::array::AsArray as _;
    use arrow::datatypes::Float64Type;

    use super::*;

    /// Shrunk value of a metric whose value, raw value, weight and prior mean are these.
    fn shrunk_value(metric: &str, cells: [Option<f64>; 4]) -> Option<f64> {
        let columns =
            ["value", "raw_value", "weight", PRIOR_MEAN].into_iter().zip(cells).map(|(suffix, cell)| {
                let name = MetricDefinitions::version_column(metric, suffix);
                (name, Arc::new(Float64Array::from(vec![cell])) as ArrayRef)
            });
        let versions = RecordBatch::try_from_iter(columns).unwrap();
        let metric = MetricDefinitions::get().metrics.iter().find(|m| m.name == metric).unwrap();
        let shrunk = shrunk_values(&versions, metric).unwrap();
        shrunk.as_primitive::<Float64Type>().iter().next().unwrap()
    }

    #[test]
    fn a_sample_too_small_to_state_a_value_is_drawn_towards_the_prior() {
        let ratio = |cells| shrunk_value("sig_accuracy", cells);
        assert_eq!(ratio([None, Some(1.0), Some(0.25), Some(0.4)]), Some(0.55));
        // What is stated stays as it is, to the bit.
        assert_eq!(ratio([Some(0.5), Some(1.0), Some(0.25), Some(0.4)]), Some(0.5));
        // He attempted nothing: the mean of his pool.
        assert_eq!(ratio([None, None, Some(0.0), Some(0.4)]), Some(0.4));
        // Without a prior, one bout says nothing.
        assert_eq!(ratio([None, Some(1.0), None, None]), None);
    }

    #[test]
    fn a_fact_is_not_shrunk() {
        assert_eq!(shrunk_value("cage_minutes", [None, Some(7.0), None, None]), Some(7.0));
        assert_eq!(shrunk_value("previous_layoff_days", [None; 4]), None);
    }
}
