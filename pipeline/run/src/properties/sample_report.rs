//! A random-sample test of valuations, as a lender files it: which sales, what was said of them before, what they sold for, and a
//! digest over all of that. Of the same lake, size and seed it is the same, byte for byte.

use std::collections::BTreeMap;

use fdna_lake::{SnapshotId, sha256};
use fdna_valuation::{Backtest, BacktestedSale, PropertyBook};
use serde_json::{Map, Value, json};

use super::validity::{backtest_book, slice_json};

const METHOD: &str = "Sales of the last years whose price a market made, each valued by sales before the first day of its quarter. The \
                      sample is of those whose SHA-256 of seed, property, day and price, with blanks between, is the least, as hexadecimal text.";

/// A sale that was drawn, and what orders the draw.
struct DrawnSale<'b> {
    key: String,
    market: &'b str,
    property: &'b str,
    tried: BacktestedSale,
}

/// A report of so many sales, as text with a digest in `sha256`, that of the rest of the report without blanks and line ends.
#[must_use]
pub fn make_sample_report(book: &PropertyBook, snapshot: &SnapshotId, sample: usize, seed: u64) -> Value {
    let backtests = backtest_book(book);
    let mut population = Map::new();
    let mut drawn = Vec::new();
    for (market, backtest) in &backtests {
        population.insert((*market).to_owned(), backtest.sales.len().into());
        drawn.extend(backtest.sales.iter().filter_map(|tried| DrawnSale::new(book, market, *tried, seed)));
    }
    drawn.sort_by(|a, b| a.key.cmp(&b.key));
    drawn.truncate(sample);
    let level = backtests.first().map_or(0.0, |(_, backtest)| backtest.level);
    let mut by_market: BTreeMap<&str, Vec<BacktestedSale>> = BTreeMap::new();
    drawn.iter().for_each(|own| by_market.entry(own.market).or_default().push(own.tried));
    let results = by_market.into_iter().map(|(market, sales)| {
        slice_json(market, &Backtest { level, sales }.measure_all(), &book.constants.version)
    });
    let mut report = json!({
        "report": "random-sample test of valuations",
        "method": METHOD,
        "snapshot_id": snapshot.to_string(),
        "definition_version": book.constants.version,
        "constants_sha256": sha256(fdna_valuation::ValuationConstants::text().as_bytes()),
        "facts": fdna_valuation::fact_names().chain(["area", "neighborhood", "comparables"]).collect::<Vec<_>>(),
        "seed": seed,
        "sample": drawn.len(),
        "population": population,
        "results": results.collect::<Vec<_>>(),
        "rows": drawn.iter().map(DrawnSale::to_json).collect::<Vec<_>>(),
    });
    report["sha256"] = sha256(report.to_string().as_bytes()).into();
    report
}

impl<'b> DrawnSale<'b> {
    /// `None` of a sale whose property is not listed.
    fn new(book: &'b PropertyBook, market: &'b str, tried: BacktestedSale, seed: u64) -> Option<Self> {
        let property = &book.property_of(&tried.sale)?.record.id;
        let key = format!("{seed} {property} {} {}", tried.sale.day, tried.sale.price);
        Some(Self { key: sha256(key.as_bytes()), market, property, tried })
    }

    fn to_json(&self) -> Value {
        let BacktestedSale { sale, cut, value, .. } = &self.tried;
        let cents = |amount: f64| (amount * 100.0).round() / 100.0;
        json!({
            "market": self.market,
            "property_id": self.property,
            "type": sale.facts.kind.name(),
            "sold_on": sale.day,
            "price": cents(sale.price),
            "valued_as_of": cut,
            "value": value.map(|own| cents(own.value)),
            "low": value.map(|own| cents(own.interval.0)),
            "high": value.map(|own| cents(own.interval.1)),
            "forecast_standard_deviation": value.map(|own| own.forecast_deviation),
            "ratio": value.map(|own| own.value / sale.price),
            "is_in_interval": value.map(|own| (own.interval.0..=own.interval.1).contains(&sale.price)),
        })
    }
}
