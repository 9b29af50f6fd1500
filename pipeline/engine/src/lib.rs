//! Fight DNA as the Python module `fightdna_engine`: tables of facts as Arrow in, the tables of `fightdna derive` as Arrow
//! out, by the C stream interface, so that any library of data frames gives and takes them. What Python sees of it is
//! described in `fightdna_engine.pyi`.
//!
//! Pure as derivation is: no clock, no files, no environment. Each call has threads of its own, so that a process which
//! was forked derives as its parent does.

mod definitions;
mod facts;
mod rows;
mod table;

use std::collections::BTreeMap;

use anyhow::Context as _;
use chrono::{Days, NaiveDate};
use fdna_derive::{DnaDerivation, metric_table};
use fdna_model::{Facts, FactsAsOf};
use fdna_normalise::FACTS_TABLES;
use fdna_schemas::MetricDefinitions;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use facts::{ArrowRows, read_facts};
use rows::{FighterShard, RowFilter, TableColumns};
use table::DerivedTable;

pyo3::create_exception!(fightdna_engine, InputError, pyo3::exceptions::PyValueError);

/// What a call asks for beside its tables.
struct DeriveRequest {
    metrics: Option<Vec<String>>,
    as_of: Option<NaiveDate>,
    after: Option<NaiveDate>,
    shard: Option<FighterShard>,
    threads: usize,
}

fn derive_tables(
    tables: BTreeMap<String, ArrowRows>,
    definitions: Option<ArrowRows>,
    request: DeriveRequest,
) -> anyhow::Result<BTreeMap<&'static str, DerivedTable>> {
    let chosen = definitions::choose_metrics(definitions, request.metrics)?;
    let facts = read_facts(tables)?;
    let as_of = request.as_of.unwrap_or_else(|| day_after_all(&facts));
    if let Some(after) = request.after.filter(|after| *after >= as_of) {
        anyhow::bail!("no version begins after {after} and up to {as_of}: give `after` a day before `as_of`");
    }
    let threads = rayon::ThreadPoolBuilder::new().num_threads(request.threads).build();
    threads.context("cannot start the threads")?.install(|| {
        let derivation = DnaDerivation::new(FactsAsOf::cut_at(&facts, as_of), MetricDefinitions::get());
        let filter = RowFilter::new(derivation.versions(), request.after, request.shard);
        let columns = TableColumns::new(filter);
        derivation.write_chosen(&chosen, None, &columns)?;
        columns.finish_tables()
    })
}

/// What is derived of all facts is as of the day after the last bout.
fn day_after_all(facts: &Facts) -> NaiveDate {
    let next = facts.bouts().last().and_then(|bout| bout.date.checked_add_days(Days::new(1)));
    next.unwrap_or(NaiveDate::MAX)
}

fn input_error(error: anyhow::Error) -> PyErr {
    error.downcast::<PyErr>().unwrap_or_else(|error| InputError::new_err(format!("{error:#}")))
}

#[doc = include_str!("module.txt")]
#[pymodule]
mod fightdna_engine {
    use super::*;

    #[pymodule_export]
    use super::{DerivedTable, InputError};

    #[pymodule_init]
    fn add_constants(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let tables = PyTuple::new(module.py(), FACTS_TABLES)?;
        module.add("FACTS_TABLES", tables)
    }

    #[doc = include_str!("derive.txt")]
    #[pyfunction]
    #[pyo3(signature = (tables, *, metrics=None, definitions=None, as_of=None, after=None, shard=None, threads=0))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn derive(
        py: Python<'_>,
        tables: BTreeMap<String, ArrowRows>,
        metrics: Option<Vec<String>>,
        definitions: Option<ArrowRows>,
        as_of: Option<NaiveDate>,
        after: Option<NaiveDate>,
        shard: Option<(u32, u32)>,
        threads: usize,
    ) -> PyResult<BTreeMap<&'static str, DerivedTable>> {
        let shard = shard.map(FighterShard::try_from).transpose().map_err(input_error)?;
        let request = DeriveRequest { metrics, as_of, after, shard, threads };
        py.detach(|| derive_tables(tables, definitions, request)).map_err(input_error)
    }

    /// The metric definitions that this build derives with, as the table `metrics` of a snapshot: a row for each metric,
    /// by name, with meaning, unit, estimator, numerator, denominator, prior, minimum sample and validity class.
    #[pyfunction]
    fn metric_definitions() -> PyResult<DerivedTable> {
        let table = metric_table(MetricDefinitions::get()).map_err(|error| input_error(error.into()))?;
        Ok(DerivedTable::new("metrics", table))
    }
}
