//! Panels that an engine makes: each of its tasks a shard of the dates, by this program on a worker.

use chrono::NaiveDate;
use fdna_lake::{Lake, LakeWriter, PanelSet};
use fdna_run::engine::{EngineReport, ExternalEngine};
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::progress::RunProgress;
use fdna_run::shard::ShardSpec;
use rayon::prelude::*;
use serde::Deserialize;

use super::report::DateReport;
use super::take_over::PanelCopies;
use super::{Backfill, dna_of};

/// Outcome of each date, and what the engine took, if it was asked.
pub(super) struct MadeByEngine {
    pub(super) dates: Vec<DateReport>,
    pub(super) report: Option<EngineReport>,
}

/// What a task says.
#[derive(Deserialize)]
struct TaskReport {
    dates: Vec<DateReport>,
}

impl Backfill<'_> {
    /// Nothing is written unless all that workers made is right.
    pub(super) fn dates_of_engine(
        &self,
        asked: &[NaiveDate],
        engine: &ExternalEngine,
        writer: &LakeWriter,
        progress: &RunProgress,
    ) -> anyhow::Result<MadeByEngine> {
        progress.show_message("look at what is there");
        let there = asked.par_iter().map(|&as_of| self.up_to_date_panel(as_of));
        let there = there.collect::<anyhow::Result<Vec<_>>>()?;
        if there.iter().all(Option::is_some) {
            return Ok(MadeByEngine { dates: there.into_iter().flatten().collect(), report: None });
        }
        let missing = asked.iter().zip(&there).filter(|(_, there)| there.is_none());
        let missing: Vec<NaiveDate> = missing.map(|(as_of, _)| *as_of).collect();
        progress.show_message("wait for the engine");
        let exchange = engine.make_exchange()?;
        let of = engine.tasks.min(missing.len());
        let names: Vec<_> = (1..=of).map(|number| format!("panels-{number}-of-{of}")).collect();
        let parts: Vec<_> = names.iter().map(|name| exchange.path().join(name)).collect();
        let mut tasks = Vec::new();
        for (number, name) in (1..).zip(&names) {
            let part = exchange.of_workers().join(name);
            let mut task = vec!["backfill".to_owned(), "--into".to_owned(), part.display().to_string()];
            task.extend(self.panel_options()?);
            let dates = ShardSpec { number, of }.select(missing.iter());
            task.extend(dates.map(|as_of| format!("--as-of={as_of}")));
            tasks.push(task);
        }
        let (made, report) = engine.run_tasks::<TaskReport>(&tasks)?.into_all()?;
        exchange.collect()?;
        if let Some(elsewhere) = parts.iter().find(|part| !part.exists()) {
            return Err(error_with_code(
                ExitCode::Unavailable,
                format!(
                    "workers made their panels, and `{}` is not here: --exchange names a folder that they and this program see",
                    elsewhere.display()
                ),
            ));
        }
        let copies = PanelCopies::of_lakes(parts.iter().map(Lake::open).collect());
        let copies = copies.with_answers(made.into_iter().flat_map(|task| task.dates))?;
        let dates = self.take_over(asked, &copies, Some(writer), progress)?;
        Ok(MadeByEngine { dates, report: Some(report) })
    }

    /// Options that say which panels are meant.
    fn panel_options(&self) -> anyhow::Result<[String; 2]> {
        let [option, name] = match self.set {
            PanelSet::Ratios => ["--table", "ratios"],
            PanelSet::Metrics | PanelSet::Vintage => ["--table", "metrics"],
            PanelSet::Catalog(panel) => ["--dna", dna_of(panel)?.name],
        };
        Ok([option.to_owned(), name.to_owned()])
    }
}
