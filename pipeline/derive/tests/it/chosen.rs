//! Tables of some metrics, as shards elsewhere derive them.

use std::collections::BTreeMap;
use std::sync::Mutex;

use arrow::array::{ArrayRef, RecordBatch};
use fdna_derive::{DeriveError, DnaDerivation, TableSink, TablesError, derive_tables, to_tables};
use fdna_kit::league;
use fdna_model::FactsAsOf;
use fdna_schemas::{Metric, MetricDefinitions};

/// CollectedColumns by table and name.
#[derive(Default)]
struct CollectedColumns(Mutex<BTreeMap<(&'static str, String), ArrayRef>>);

#[derive(Debug)]
struct SinkError(#[expect(dead_code, reason = "shown when a test fails")] String);

impl From<DeriveError> for SinkError {
    fn from(error: DeriveError) -> Self {
        Self(error.to_string())
    }
}

impl From<TablesError> for SinkError {
    fn from(error: TablesError) -> Self {
        Self(format!("{error:?}"))
    }
}

impl TableSink for CollectedColumns {
    type Error = SinkError;

    fn put_columns(&self, table: &'static str, columns: RecordBatch) -> Result<(), SinkError> {
        for (field, column) in columns.schema().fields().iter().zip(columns.columns()) {
            let before = self.0.lock().unwrap().insert((table, field.name().clone()), column.clone());
            assert!(before.is_none(), "{table}.{} comes once", field.name());
        }
        Ok(())
    }
}

#[test]
fn columns_of_chosen_metrics_are_those_that_all_have() {
    let facts = league(7, 24, 700);
    let definitions = MetricDefinitions::get();
    let cut = FactsAsOf::cut_at(&facts, "2030-01-01".parse().unwrap());
    let whole: BTreeMap<_, _> =
        to_tables(&derive_tables(cut, definitions).unwrap(), definitions).unwrap().into_iter().collect();
    // An adjusted metric needs the opponent's, which is not among the chosen.
    let wanted = ["adj_sig_landed_per_min", "house_rating", "sig_accuracy"];
    let chosen = definitions.choose_metrics(|metric| wanted.contains(&metric.name.as_str()));
    assert_eq!(chosen.metrics.len(), wanted.len());
    let columns = CollectedColumns::default();
    DnaDerivation::new(cut, definitions).write_chosen(&chosen, None, &columns).unwrap();
    let columns = columns.0.into_inner().unwrap();
    for ((table, name), column) in &columns {
        if !matches!(*table, "metrics" | "validity") {
            assert_eq!(column, &whole[table][name], "{table}.{name}");
        }
    }
    let named = |name: &str| columns.keys().any(|(_, column)| column.starts_with(name));
    assert!(wanted.iter().all(|name| named(&format!("{name}__"))));
    assert!(!named("td_landed_per_15__") && columns[&("metrics", "metric".to_owned())].len() == 3);
}

#[test]
fn each_metric_is_derived_of_the_columns_that_it_names() {
    let facts = league(7, 24, 300);
    let definitions = MetricDefinitions::get();
    let cut = FactsAsOf::cut_at(&facts, "2030-01-01".parse().unwrap());
    let whole = derive_tables(cut, definitions).unwrap();
    for (metric, expected) in definitions.metrics.iter().zip(whole.metrics) {
        let derivation = DnaDerivation::of_metrics(cut, definitions, &[metric]);
        let keep = |_: &Metric, versions| Ok::<_, DeriveError>(versions);
        let derived = derivation.derive_metrics(vec![metric], keep).unwrap();
        assert!(derived == [expected], "{}", metric.name);
    }
}
