//! `fightdna properties ratio-study`: values against prices, as assessors judge them.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use fdna_lake::{Lake, put_file};
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::properties::tables::read_published;
use fdna_run::properties::validity::{backtest_book, measure_backtests, pairs_as_csv, ratio_study_head};
use serde_json::json;

use crate::output::CommandReport;

#[derive(Args)]
pub(crate) struct RatioStudyArgs {
    /// This market alone.
    #[arg(long, value_name = "MARKET")]
    market: Option<String>,
    /// Slices of this kind alone.
    #[arg(long, value_name = "DIMENSION", value_parser = ["all", "type", "quarter", "price_tenth", "area", "neighborhood"])]
    dimension: Option<String>,
    /// Write each sale with its value to this file as CSV, for another program that makes ratio studies.
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
}

impl RatioStudyArgs {
    /// # Errors
    /// Nothing is published, the lake cannot be read, or the file cannot be written.
    pub(super) fn report_study(&self, lake: &Lake) -> anyhow::Result<CommandReport> {
        let (book, snapshot) = read_published(lake)?;
        let markets: Vec<&str> = book.markets().into_keys().collect();
        if let Some(market) = self.market.as_deref().filter(|market| !markets.contains(market)) {
            let message =
                format!("properties: there is no market `{market}`: there are {}", markets.join(", "));
            return Err(error_with_code(ExitCode::Usage, message));
        }
        let mut backtests = backtest_book(&book);
        backtests.retain(|(name, _)| self.market.as_ref().is_none_or(|asked| asked == name));
        if let Some(file) = &self.pairs {
            let csv = pairs_as_csv(&book, &backtests)?;
            put_file(file, csv.as_bytes())
                .with_context(|| format!("cannot write the pairs to {}", file.display()))?;
        }
        let mut all = measure_backtests(&book, &backtests);
        all.retain(|own| self.dimension.as_ref().is_none_or(|asked| asked == own.dimension()));
        let mut text = format!("{}\n", ratio_study_head());
        for own in &all {
            writeln!(text, "{}", own.ratio_study_line())?;
        }
        text += "the standard of the IAAO for one-family houses: COD 5 to 15, PRD .98 to 1.03, PRB -.05 to .05, MKI .95 to 1.05\n";
        let json = all.iter().map(|own| own.to_json(&book.constants.version)).collect::<Vec<_>>();
        Ok(CommandReport::done(text, &json!({ "snapshot_id": snapshot.to_string(), "ratio_study": json })))
    }
}
