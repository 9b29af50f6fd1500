//! Validity of valuations, measured out of time by every run that makes tables.

use std::collections::BTreeSet;

use arrow::array::RecordBatch;
use fdna_lake::{Fingerprint, PipelineStage, StageOutput};
use fdna_schemas::{PROPERTIES, PROPERTY_VALIDITY_STAGE, TableWriter, property_validity_table};
use fdna_valuation::{Market, MeasuredSlice, PropertyBook, ValuationConstants, measure_markets};
use serde_json::{Value, json};

use super::tables;
use crate::captures::lake_view::LakeView;
use crate::catalog::sports::sport_inputs;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::report::JobReport;

/// Raised when the same constants measure something else on the same tables.
const LOGIC: &str = "1";

/// Measures valuations on the tables that models made.
pub(crate) struct MeasureValuationJob {
    /// Licences whose sources count.
    pub(crate) licences: BTreeSet<String>,
}

fn validity_stage() -> PipelineStage {
    PipelineStage::Catalog { sport: PROPERTY_VALIDITY_STAGE.to_owned() }
}

fn validity_fingerprint(tables: &StageOutput) -> Fingerprint {
    Fingerprint::builder("property-validity")
        .with_text("logic", LOGIC)
        .with_text("constants", ValuationConstants::text())
        .with_digest("tables", tables.content_digest())
        .build()
}

/// Measurement of the tables of a run.
///
/// # Errors
/// The lake cannot be read.
pub(crate) fn measured_output(lake: &LakeView, tables: &StageOutput) -> anyhow::Result<Option<StageOutput>> {
    Ok(lake.find_stage(&validity_stage(), &validity_fingerprint(tables))?)
}

impl MeasureValuationJob {
    fn find_tables(&self, lake: &LakeView) -> anyhow::Result<Option<StageOutput>> {
        let own = sport_inputs(lake, &self.licences)?.into_iter().find(|own| own.sport == PROPERTIES);
        Ok(own.map(|own| lake.find_stage(&own.stage(), &own.fingerprint)).transpose()?.flatten())
    }
}

impl PipelineJob for MeasureValuationJob {
    fn name(&self) -> &'static str {
        "measure"
    }

    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let what = "what valuations are worth";
        if let Some(follows) = PendingOutput::after_pending(earlier, what) {
            return Ok(follows);
        }
        let tables = self.find_tables(lake)?;
        let measured = tables.map(|tables| measured_output(lake, &tables)).transpose()?.flatten();
        Ok(PendingOutput::from_presence(measured.is_some(), what))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let Some(tables) = self.find_tables(&ctx.lake)? else {
            return Ok(JobReport::unchanged(self.name(), "there are no tables of properties"));
        };
        if measured_output(&ctx.lake, &tables)?.is_some() {
            return Ok(JobReport::unchanged(self.name(), "these tables are measured already"));
        }
        ctx.progress.show_message("what valuations are worth");
        let book = tables::read_book(|name| Ok(ctx.lake.read_stage_table(&tables, name)?))?;
        let measured = measure_book(&book);
        let rows = validity_rows(&measured, &book.constants.version)?;
        let contract = property_validity_table();
        let rows = [(contract.name.as_str(), rows)];
        ctx.writer.commit_stage(&validity_stage(), &validity_fingerprint(&tables), &rows, json!({}))?;
        let lines =
            measured.iter().filter(|own| own.measured.slice == "all").map(|own| own.describe_market());
        Ok(JobReport::changed(self.name(), lines.collect()))
    }
}

/// Measured on one market.
pub struct OfMarket {
    market: String,
    measured: MeasuredSlice,
}

pub fn measure_book(book: &PropertyBook) -> Vec<OfMarket> {
    let measure_of = |(name, markets): (&str, Vec<&Market>)| {
        let of_slice = |measured| OfMarket { market: name.to_owned(), measured };
        measure_markets(&markets).into_iter().map(of_slice).collect::<Vec<_>>()
    };
    book.markets().into_iter().flat_map(measure_of).collect()
}

fn validity_rows(all: &[OfMarket], version: &str) -> anyhow::Result<RecordBatch> {
    let contract = property_validity_table();
    let floats = |of: fn(&MeasuredSlice) -> Option<f64>| {
        all.iter().map(move |own| of(&own.measured)).collect::<Vec<_>>()
    };
    let count = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    let writer = TableWriter::new(&contract)
        .texts("market", all.iter().map(|own| own.market.as_str()))
        .texts("slice", all.iter().map(|own| own.measured.slice.as_str()))
        .dates("first_cut", all.iter().map(|own| Some(own.measured.first_cut)))
        .dates("until", all.iter().map(|own| Some(own.measured.until)))
        .int32s("asked", all.iter().map(|own| Some(count(own.measured.asked))))
        .int32s("valued", all.iter().map(|own| Some(count(own.measured.valued))))
        .floats("coverage", floats(MeasuredSlice::coverage))
        .floats("median_error", floats(|own| own.median_error))
        .floats("within_20", floats(|own| own.within_20))
        .floats("bias", floats(|own| own.bias))
        .floats("interval_level", all.iter().map(|own| Some(own.measured.interval_level)))
        .floats("interval_coverage", floats(|own| own.interval_coverage))
        .floats("interval_width", floats(|own| own.interval_width))
        .floats("area_median_error", floats(|own| own.area_median.0))
        .floats("area_median_within_20", floats(|own| own.area_median.1))
        .floats("comparable_median_error", floats(|own| own.comparable_median.0))
        .floats("comparable_median_within_20", floats(|own| own.comparable_median.1))
        .texts("definition_version", all.iter().map(|_| version));
    Ok(writer.finish()?)
}

impl OfMarket {
    pub fn describe_market(&self) -> String {
        let Self { market, measured: own } = self;
        let percent = |share: Option<f64>| {
            share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", share * 100.0))
        };
        format!(
            "{market}, {}: {} of {} sales from {} valued; median error {} (area's median {}, per floor area {}), within \
             20 %: {} ({}, {}), bias {}; {:.0} % intervals held {}, of width {}",
            own.slice,
            own.valued,
            own.asked,
            own.first_cut,
            percent(own.median_error),
            percent(own.area_median.0),
            percent(own.comparable_median.0),
            percent(own.within_20),
            percent(own.area_median.1),
            percent(own.comparable_median.1),
            percent(own.bias),
            own.interval_level * 100.0,
            percent(own.interval_coverage),
            percent(own.interval_width),
        )
    }

    pub fn to_json(&self, version: &str) -> Value {
        let Self { market, measured: own } = self;
        json!({
            "market": market, "slice": own.slice, "first_cut": own.first_cut, "until": own.until,
            "asked": own.asked, "valued": own.valued, "coverage": own.coverage(),
            "median_error": own.median_error, "within_20": own.within_20, "bias": own.bias,
            "interval_level": own.interval_level, "interval_coverage": own.interval_coverage,
            "interval_width": own.interval_width,
            "area_median": {"median_error": own.area_median.0, "within_20": own.area_median.1},
            "comparable_median": {"median_error": own.comparable_median.0, "within_20": own.comparable_median.1},
            "definition_version": version,
        })
    }
}
