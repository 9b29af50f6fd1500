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

/// Each sale of these markets with its value, as CSV.
///
/// # Errors
/// None: a text takes all of it.
pub fn pairs_as_csv(book: &PropertyBook, backtests: &[(&str, Backtest)]) -> anyhow::Result<String> {
    let mut csv = "market,type,area,neighborhood,sold_on,valued_as_of,price,value\n".to_owned();
    for (name, backtest) in backtests {
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
    measure_backtests(book, &backtest_book(book))
}

/// Every slice of the sales of these markets.
pub fn measure_backtests(book: &PropertyBook, backtests: &[(&str, Backtest)]) -> Vec<OfMarket> {
    let of_market = |(name, backtest): &(&str, Backtest)| {
        let slices = backtest.measure_slices(|place| book.place_name(place)).into_iter();
        slices.map(|measured| OfMarket { market: (*name).to_owned(), measured }).collect::<Vec<_>>()
    };
    backtests.iter().flat_map(of_market).collect()
}

/// A column and its value.
type FloatColumn = (&'static str, fn(&MeasuredSlice) -> Option<f64>);

/// A statistic of a ratio study: its column, those of its interval being `_low` and `_high` behind it, its heading and its digits.
struct StudyColumn {
    name: &'static str,
    heading: &'static str,
    digits: usize,
    value: fn(&MeasuredSlice) -> Option<StudyStatistic>,
}

const STATISTICS: [StudyColumn; 5] = [
    StudyColumn {
        name: "median_ratio",
        heading: "median ratio",
        digits: 3,
        value: |own| Some(own.study?.median_ratio),
    },
    StudyColumn { name: "cod", heading: "COD", digits: 1, value: |own| Some(own.study?.cod) },
    StudyColumn { name: "prd", heading: "PRD", digits: 3, value: |own| Some(equity_study(own)?.prd) },
    StudyColumn { name: "prb", heading: "PRB", digits: 3, value: |own| Some(equity_study(own)?.prb) },
    StudyColumn { name: "mki", heading: "MKI", digits: 3, value: |own| Some(equity_study(own)?.mki) },
];

impl StudyColumn {
    /// Names of its columns with their values.
    fn cells(&self, own: &MeasuredSlice) -> [(String, Option<f64>); 3] {
        let (name, statistic) = (self.name, (self.value)(own));
        [
            (name.to_owned(), statistic.map(|own| own.value)),
            (format!("{name}_low"), statistic.map(|own| own.low)),
            (format!("{name}_high"), statistic.map(|own| own.high)),
        ]
    }
}

/// Of whether dear and cheap dwellings are valued alike; within a tenth of the prices that says nothing.
fn equity_study(own: &MeasuredSlice) -> Option<RatioStudy> {
    own.study.filter(|_| own.dimension() != "price_tenth")
}

/// Columns that are null where too few sales were valued.
const FLOATS: [FloatColumn; 25] = [
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
    ("cod_trimmed", |own| Some(own.study?.trimmed?.cod)),
    ("prd_trimmed", |own| Some(equity_study(own)?.trimmed?.prd)),
    ("prb_trimmed", |own| Some(equity_study(own)?.trimmed?.prb)),
    ("mki_trimmed", |own| Some(equity_study(own)?.trimmed?.mki)),
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
    for statistic in &STATISTICS {
        let cells: Vec<_> = all.iter().map(|own| statistic.cells(&own.measured)).collect();
        for (place, end) in ["", "_low", "_high"].into_iter().enumerate() {
            let values = cells.iter().map(|cells| cells[place].1);
            writer = writer.floats(&format!("{}{end}", statistic.name), values);
        }
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
        let outliers = own.study.map_or(0, |study| study.outliers);
        let without = match (own.study.and_then(|study| study.trimmed), equity_study(own)) {
            (Some(TrimmedStudy { cod, .. }), None) => format!("{cod:.1} without {outliers}"),
            (Some(TrimmedStudy { cod, prd, prb, mki }), Some(_)) => {
                format!("{cod:.1}, {prd:.3}, {prb:.3}, {mki:.3} without {outliers}")
            }
            (None, _) => "-".to_owned(),
        };
        let mut line = format!("{:<10} {:<30} {:>6}", self.market, own.slice, own.valued);
        for StudyColumn { digits, value, .. } in &STATISTICS {
            line += &format!("  {:<25}", shown(value(own), *digits));
        }
        line + "  " + &without
    }

    /// What the slice is one of.
    pub fn dimension(&self) -> &str {
        self.measured.dimension()
    }
}

/// Columns of [`OfMarket::ratio_study_line`].
pub fn ratio_study_head() -> String {
    let mut head = format!("{:<10} {:<30} {:>6}", "market", "slice", "sales");
    STATISTICS.iter().for_each(|column| head += &format!("  {:<25}", column.heading));
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
    for (name, value) in STATISTICS.iter().flat_map(|statistic| statistic.cells(own)) {
        json[name] = value.into();
    }
    json
}
