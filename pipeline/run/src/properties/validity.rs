//! Validity of valuations, measured out of time by every run that makes tables.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use arrow::array::RecordBatch;
use fdna_lake::{Fingerprint, PipelineStage, StageOutput};
use fdna_schemas::{PROPERTIES, PROPERTY_VALIDITY_STAGE, TableWriter, property_validity_table};
use fdna_valuation::{
    Backtest, MeasuredSlice, PropertyBook, RatioStudy, StudyStatistic, TrimmedStudy, ValuationConstants,
};
use serde_json::{Value, json};

use super::tables;
use crate::captures::lake_view::LakeView;
use crate::catalog::sports::sport_inputs;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::report::JobReport;

/// Raised when the same constants measure something else on the same tables.
const LOGIC: &str = "2";

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

/// Backtests of all markets, by name.
pub fn backtest_book(book: &PropertyBook) -> Vec<(&str, Backtest)> {
    book.markets().into_iter().map(|(name, markets)| (name, Backtest::value_sales(&markets))).collect()
}

/// Each sale of a market, or of all, with its value, as CSV.
///
/// # Errors
/// None: a text takes all of it.
pub fn pairs_as_csv(book: &PropertyBook, market: Option<&str>) -> anyhow::Result<String> {
    let mut csv = "market,type,area,neighborhood,sold_on,valued_as_of,price,value\n".to_owned();
    for (name, backtest) in
        backtest_book(book).into_iter().filter(|(name, _)| market.is_none_or(|own| own == *name))
    {
        for (tried, value) in backtest.sales.iter().filter_map(|tried| Some((tried, tried.value?))) {
            let facts = &tried.sale.facts;
            let place = |place: Option<u32>| place.map_or("", |place| book.place_name(place));
            let (kind, area, neighborhood) =
                (facts.kind.name(), place(facts.area), place(facts.neighborhood));
            let neighborhood = neighborhood.replace('"', "\"\"");
            let (day, cut, price, value) = (tried.sale.day, tried.cut, tried.sale.price, value.value);
            writeln!(csv, "{name},{kind},{area},\"{neighborhood}\",{day},{cut},{price},{value}")?;
        }
    }
    Ok(csv)
}

pub fn measure_book(book: &PropertyBook) -> Vec<OfMarket> {
    let of_market = |(name, backtest): (&str, Backtest)| {
        let slices = backtest.measure_slices(|place| book.place_name(place)).into_iter();
        slices.map(|measured| OfMarket { market: name.to_owned(), measured }).collect::<Vec<_>>()
    };
    backtest_book(book).into_iter().flat_map(of_market).collect()
}

/// A column and its value.
type FloatColumn = (&'static str, fn(&MeasuredSlice) -> Option<f64>);

fn statistic(own: &MeasuredSlice, of: fn(&RatioStudy) -> StudyStatistic) -> Option<StudyStatistic> {
    own.study.as_ref().map(of)
}

fn trimmed(own: &MeasuredSlice) -> Option<TrimmedStudy> {
    own.study.as_ref().and_then(|study| study.trimmed)
}

/// Whether dear and cheap dwellings are valued alike; within a tenth of the prices that says nothing.
fn equity(own: &MeasuredSlice, of: fn(&RatioStudy) -> StudyStatistic) -> Option<StudyStatistic> {
    statistic(own, of).filter(|_| own.dimension() != "price_tenth")
}

fn trimmed_equity(own: &MeasuredSlice) -> Option<TrimmedStudy> {
    trimmed(own).filter(|_| own.dimension() != "price_tenth")
}

/// Columns that are null where too few sales were valued.
const FLOATS: [FloatColumn; 40] = [
    ("coverage", MeasuredSlice::coverage),
    ("median_error", |own| own.median_error),
    ("within_5", |own| own.within.map(|within| within[0])),
    ("within_10", |own| own.within.map(|within| within[1])),
    ("within_20", |own| own.within.map(|within| within[2])),
    ("stated_within_5", |own| own.stated_within.map(|within| within[0])),
    ("stated_within_10", |own| own.stated_within.map(|within| within[1])),
    ("stated_within_20", |own| own.stated_within.map(|within| within[2])),
    ("bias", |own| own.bias),
    ("forecast_deviation", |own| own.forecast_deviation),
    ("error_deviation", |own| own.error_deviation),
    ("interval_coverage", |own| own.interval_coverage),
    ("interval_above", |own| own.interval_above),
    ("interval_below", |own| own.interval_below),
    ("interval_width", |own| own.interval_width),
    ("area_median_error", |own| own.area_median.0),
    ("area_median_within_20", |own| own.area_median.1),
    ("comparable_median_error", |own| own.comparable_median.0),
    ("comparable_median_within_20", |own| own.comparable_median.1),
    ("plain_comparables_error", |own| own.plain_comparables.0),
    ("plain_comparables_within_20", |own| own.plain_comparables.1),
    ("median_ratio", |own| Some(statistic(own, |study| study.median_ratio)?.value)),
    ("median_ratio_low", |own| Some(statistic(own, |study| study.median_ratio)?.low)),
    ("median_ratio_high", |own| Some(statistic(own, |study| study.median_ratio)?.high)),
    ("cod", |own| Some(statistic(own, |study| study.cod)?.value)),
    ("cod_low", |own| Some(statistic(own, |study| study.cod)?.low)),
    ("cod_high", |own| Some(statistic(own, |study| study.cod)?.high)),
    ("prd", |own| Some(equity(own, |study| study.prd)?.value)),
    ("prd_low", |own| Some(equity(own, |study| study.prd)?.low)),
    ("prd_high", |own| Some(equity(own, |study| study.prd)?.high)),
    ("prb", |own| Some(equity(own, |study| study.prb)?.value)),
    ("prb_low", |own| Some(equity(own, |study| study.prb)?.low)),
    ("prb_high", |own| Some(equity(own, |study| study.prb)?.high)),
    ("mki", |own| Some(equity(own, |study| study.mki)?.value)),
    ("mki_low", |own| Some(equity(own, |study| study.mki)?.low)),
    ("mki_high", |own| Some(equity(own, |study| study.mki)?.high)),
    ("cod_trimmed", |own| Some(trimmed(own)?.cod)),
    ("prd_trimmed", |own| Some(trimmed_equity(own)?.prd)),
    ("prb_trimmed", |own| Some(trimmed_equity(own)?.prb)),
    ("mki_trimmed", |own| Some(trimmed_equity(own)?.mki)),
];

fn validity_rows(all: &[OfMarket], version: &str) -> anyhow::Result<RecordBatch> {
    let contract = property_validity_table();
    let count = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    let outliers = |own: &OfMarket| Some(count(own.measured.study?.outliers));
    let mut writer = TableWriter::new(&contract)
        .texts("market", all.iter().map(|own| own.market.as_str()))
        .texts("slice", all.iter().map(|own| own.measured.slice.as_str()))
        .texts("dimension", all.iter().map(|own| own.measured.dimension()))
        .dates("first_cut", all.iter().map(|own| Some(own.measured.first_cut)))
        .dates("until", all.iter().map(|own| Some(own.measured.until)))
        .int32s("asked", all.iter().map(|own| Some(count(own.measured.asked))))
        .int32s("valued", all.iter().map(|own| Some(count(own.measured.valued))))
        .floats("interval_level", all.iter().map(|own| Some(own.measured.interval_level)))
        .int32s("outliers", all.iter().map(outliers))
        .texts("definition_version", all.iter().map(|_| version));
    for (name, value) in FLOATS {
        writer = writer.floats(name, all.iter().map(|own| value(&own.measured)));
    }
    Ok(writer.finish()?)
}

impl OfMarket {
    pub fn describe_market(&self) -> String {
        let Self { market, measured: own } = self;
        let percent = |share: Option<f64>| {
            share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", share * 100.0))
        };
        format!(
            "{market}, {}: {} of {} sales from {} valued; median error {} (area's median {}, per floor area {}, plain \
             comparables {}), within 20 %: {} ({}, {}, {}), bias {}; {:.0} % intervals held {}, of width {}",
            own.slice,
            own.valued,
            own.asked,
            own.first_cut,
            percent(own.median_error),
            percent(own.area_median.0),
            percent(own.comparable_median.0),
            percent(own.plain_comparables.0),
            percent(own.within.map(|within| within[2])),
            percent(own.area_median.1),
            percent(own.comparable_median.1),
            percent(own.plain_comparables.1),
            percent(own.bias),
            own.interval_level * 100.0,
            percent(own.interval_coverage),
            percent(own.interval_width),
        )
    }

    pub fn to_json(&self, version: &str) -> Value {
        slice_json(&self.market, &self.measured, version)
    }

    /// As a line of a table of [`ratio_study_head`]; a dash where a statistic says nothing.
    pub fn ratio_study_line(&self) -> String {
        let own = &self.measured;
        let shown = |own: Option<StudyStatistic>, digits: usize| {
            let text = |own: StudyStatistic| {
                format!("{:.digits$} ({:.digits$} to {:.digits$})", own.value, own.low, own.high)
            };
            own.map_or_else(|| "-".to_owned(), text)
        };
        let columns = [
            shown(statistic(own, |study| study.median_ratio), 3),
            shown(statistic(own, |study| study.cod), 1),
            shown(equity(own, |study| study.prd), 3),
            shown(equity(own, |study| study.prb), 3),
            shown(equity(own, |study| study.mki), 3),
        ];
        let outliers = own.study.map_or(0, |study| study.outliers);
        let without = match (trimmed(own), trimmed_equity(own)) {
            (Some(TrimmedStudy { cod, .. }), None) => format!("{cod:.1} without {outliers}"),
            (_, Some(TrimmedStudy { cod, prd, prb, mki })) => {
                format!("{cod:.1}, {prd:.3}, {prb:.3}, {mki:.3} without {outliers}")
            }
            _ => "-".to_owned(),
        };
        let mut line = format!("{:<10} {:<30} {:>6}", self.market, own.slice, own.valued);
        columns.iter().for_each(|column| line += &format!("  {column:<25}"));
        line + "  " + &without
    }

    pub fn market(&self) -> &str {
        &self.market
    }

    /// What the slice is one of.
    pub fn dimension(&self) -> &str {
        self.measured.dimension()
    }
}

/// Columns of [`OfMarket::ratio_study_line`].
pub fn ratio_study_head() -> String {
    let mut head = format!("{:<10} {:<30} {:>6}", "market", "slice", "sales");
    ["median ratio", "COD", "PRD", "PRB", "MKI"].iter().for_each(|column| head += &format!("  {column:<25}"));
    head + "  the last four without outliers"
}

/// What was measured on a slice of a market, by the columns of the published table.
pub(crate) fn slice_json(market: &str, own: &MeasuredSlice, version: &str) -> Value {
    let mut json = json!({
        "market": market, "slice": own.slice, "dimension": own.dimension(), "first_cut": own.first_cut,
        "until": own.until, "asked": own.asked, "valued": own.valued, "interval_level": own.interval_level,
        "outliers": own.study.map(|study| study.outliers), "definition_version": version,
    });
    for (name, value) in FLOATS {
        json[name] = value(own).into();
    }
    json
}
